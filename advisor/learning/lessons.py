"""Runs of a plan → what they teach, each lesson for itself; several of them together."""

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
from advisor.runs.actual import Actual
from machines import Platform
from machines.runtime import Runtime

__all__ = ["Lesson", "lessons", "taught"]

T = TypeVar("T")
_ORDER = tuple(teach.__name__ for teach in LESSONS)


def lessons(problem: Problem, plan: Plan, actuals: Sequence[Actual]) -> tuple[Lesson, ...]:
    """What runs teach, one lesson a kind; one that could not be learnt says why.

    Parameters
    ----------
    problem, plan
        What was predicted, and the plan that was run.
    actuals : sequence of Actual
        Runs of the workload, in the order of time; they may have followed other plans.
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
