"""A problem with every kind of decision, and plans drawn from what may be decided."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.task import Variant
from advisor.decisions.registry import DECISIONS
from advisor.programs.choices.technology import SoftwareTechnology
from advisor.project.examples import load_example
from advisor.project.variant_edits import may_vary

TECHNOLOGIES = (None, SoftwareTechnology(), SoftwareTechnology(protocol=0.5, lock=0.25))


@cache
def everything() -> tuple[Problem, Plan]:
    """The monitored campaign, one of its tasks in two variants; with its first plan.

    Each kind decides about something.
    """
    project = load_example("monitored")
    problem, workload = project.problem(), project.workload
    place = next(at for at, one in enumerate(workload.tasks) if may_vary(one) and one.work)
    task = workload.tasks[place]
    ways = (Variant("cpu", task.work, cores=task.cores), Variant("quick", (task.work or 0.0) / 2))
    varied = replace(task, work=None, cores=1, variants=ways)
    return problem.about(workload.with_task(place, varied)), project.plan


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """The first plan after some decisions of any kinds."""
    problem, plan = everything()
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(DECISIONS))
        subject = draw(st.sampled_from(sorted(kind.values(problem, plan))))
        if kind.name == "technology":
            values: tuple[object, ...] = TECHNOLOGIES
        else:
            values = (*kind.options(problem, plan, subject), *kind.moves(problem, plan, subject))
        if values:
            plan = kind.put(problem, plan, subject, draw(st.sampled_from(values)))
    return plan
