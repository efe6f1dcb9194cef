"""Runs of a plan → what they teach, each lesson for itself; several of them together.

Workload and platform files of what was learnt, which say at their heads what was, and whence.

The numbers stand in the fields that the formats have; spreads and sources stand in comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.learning.evidence import evidence_of
from advisor.learning.lesson import Lesson
from advisor.learning.registry import LESSONS
from advisor.project.workload_file import dump_workload
from advisor.runs.actual import Actual
from advisor.runs.record import Run, render
from machines import Platform
from machines.errors import visible
from machines.formats.platform_toml import dump_platform
from machines.runtime import Runtime

__all__ = ["Lesson", "lessons", "taught"]

T = TypeVar("T")
_ORDER = tuple(teach.__name__ for teach in LESSONS)


def lessons(problem: Problem, plan: Plan, actuals: Sequence[Actual]) -> tuple[Lesson, ...]:
    """What runs teach, one lesson a kind; one that could not be learnt says why.

    `problem`, `plan`: what was predicted, and the plan that was run. `actuals`: runs of the
    workload, in the order of time; they may have followed other plans.
    """
    evidence = evidence_of(problem, plan, tuple(actuals))
    return tuple(teach(evidence) for teach in LESSONS)


def taught(problem: Problem, chosen: Iterable[Lesson]) -> tuple[Platform, Workload]:
    """Platform and workload after several lessons, in the registry's order.

    Every lesson changes what it is about, field by field of machines, links, runtime and tasks,
    against the problem's; two that change the same (speeds, and times as work) learnt it alike.
    """
    platform, workload = problem.platform, problem.workload
    for lesson in sorted(chosen, key=_place):
        platform = _platform(problem.platform, platform, lesson.platform)
        if lesson.workload is not problem.workload:
            tasks = _each(problem.workload.tasks, workload.tasks, lesson.workload.tasks)
            workload = workload.repriced(tasks, workload.flows)
    return platform, workload


def _place(lesson: Lesson) -> int:
    return _ORDER.index(lesson.name) if lesson.name in _ORDER else len(_ORDER)


def _platform(before: Platform, now: Platform, learnt: Platform) -> Platform:
    return replace(
        now,
        machines=_each(before.machines, now.machines, learnt.machines),
        links=_each(before.links, now.links, learnt.links),
        runtime=_runtime(before.runtime, now.runtime, learnt.runtime),
    )


def _runtime(before: Runtime, now: Runtime, learnt: Runtime) -> Runtime:
    return _merged(before, now, learnt)


def _each(before: tuple[T, ...], now: tuple[T, ...], learnt: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(_merged(*three) for three in zip(before, now, learnt, strict=True))


def _merged(before: T, now: T, learnt: T) -> T:
    """`now` with the fields that were learnt to be other than before."""
    if learnt == before:
        return now
    changed = {
        field.name: getattr(learnt, field.name)
        for field in fields(learnt)  # type: ignore[arg-type]
        if getattr(learnt, field.name) != getattr(before, field.name)
    }
    return replace(now, **changed)  # type: ignore[type-var]


_MOST_ROWS = 2000  # figures of a lesson in a file; more are counted
_OF_WORKLOAD = ("times",)


def learnt_texts(
    platform: Platform, workload: Workload, lessons: Iterable[Lesson], runs: Sequence[Run]
) -> dict[str, str]:
    """File name → text: workload.toml, platform.toml and the runs that taught them, run.csv."""
    learnt = [lesson for lesson in lessons if lesson.learnt]
    tasks = [lesson for lesson in learnt if lesson.name in _OF_WORKLOAD]
    others = [lesson for lesson in learnt if lesson.name not in _OF_WORKLOAD]
    by_times = [lesson for lesson in tasks if lesson.platform != platform]
    return {
        "workload.toml": _head(tasks, runs) + dump_workload(workload),
        "platform.toml": _head([*others, *_speeds_alone(by_times, others)], runs)
        + dump_platform(platform),
        "run.csv": render(runs),
    }


def _speeds_alone(tasks: list[Lesson], others: list[Lesson]) -> list[Lesson]:
    """The lessons on tasks that set speeds, where no lesson on speeds says so."""
    return [] if any(lesson.name == "speeds" for lesson in others) else tasks


def _head(lessons: Sequence[Lesson], runs: Sequence[Run]) -> str:
    """Comments: the runs, then every lesson with its figures and notes."""
    names = ", ".join(run.name or "a run" for run in runs[:8])
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    lines = [f"Calibrated by `placewise learn` from {names}{more}; see docs/learning.md"]
    for lesson in lessons:
        lines += ["", f"{lesson.title}: {lesson.sentence}"]
        lines += [f"note: {note}" for note in lesson.notes]
        lines += [" | ".join(row) for row in (lesson.header, *lesson.rows[:_MOST_ROWS])]
        if len(lesson.rows) > _MOST_ROWS:
            lines.append(f"… {len(lesson.rows) - _MOST_ROWS:,} more")
    return "".join(f"# {visible(line)}".rstrip() + "\n" for line in lines) + "\n"
