"""Figueira & Berman: how many applications on a machine make another allocation better."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.basics.quantities import count, duration
from advisor.lessons.lesson import Lesson, State, Verdict
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.search import advise

_BUSY = "M1"


def _judge(state: State) -> Verdict:
    project, opened = state.project, load_example(LESSON.example)
    if project.workload != opened.workload or list(project.platform.index) != list(
        opened.platform.index
    ):
        return Verdict(False, "Open the example of this lesson first.")
    machine = project.platform.machine(_BUSY)
    if machine.slowdown is not None:
        return Verdict(False, f"{_BUSY} has a stated slowdown: add contenders instead.")
    if not machine.contenders:
        return Verdict(False, f"{_BUSY} has no contenders yet, and both tasks belong there.")
    idle_plan = advise(opened.problem(), strategy="exact").plan
    now_s, other_s = _both(project, idle_plan)
    fewer = _with_one_less(project)
    less_s, less_other_s = _both(fewer, idle_plan)
    many = count(len(machine.contenders), "contender")
    if other_s >= now_s:
        return Verdict(False, f"With {many} both tasks still belong on {_BUSY} "
                              f"({duration(now_s)}): add more.")  # fmt: skip
    if less_other_s < less_s:
        words = f"{duration(less_other_s)} against {duration(less_s)}"
        return Verdict(
            False, f"With one contender less another allocation is better, too: {words}."
        )
    words = f"Right: with {many} the best allocation takes {duration(other_s)}, both on {_BUSY}"
    return Verdict(True, f"{words} {duration(now_s)}; with one less both belong there.")


def _both(project: Project, plan: Plan) -> tuple[float, float]:
    """Makespans of a plan and of the best one, where tasks and transfers are alone."""
    problem = project.problem()
    return predict(problem, plan).makespan_s, advise(problem, strategy="exact").value_s


def _with_one_less(project: Project) -> Project:
    platform = project.platform
    machines = tuple(
        replace(one, contenders=one.contenders[:-1]) if one.name == _BUSY else one
        for one in platform.machines
    )
    return replace(project, platform=replace(platform, machines=machines))


LESSON = Lesson(
    "slowdown",
    "When load moves a task",
    "Figueira & Berman 1996",
    f"Add contenders that always compute to {_BUSY} until another allocation is better; no more.",
    _judge,
    example="two-machines",
)
