"""Runs of a plan → what they teach, each calibration for itself; several of them together.

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
from advisor.basics.quantities import slowdown
from advisor.learning.calibration import Calibration
from advisor.learning.registry import CALIBRATIONS
from advisor.learning.run_evidence import evidence_of
from advisor.learning.runtime_calibration import runtime, tried_readings
from advisor.learning.runtime_readings import without_fetching
from advisor.project.workload_file import dump_workload
from advisor.runs.actual import Actual
from advisor.runs.run_record import Run, render
from machines import Platform
from machines.errors import visible
from machines.formats.platform_toml import dump_platform

__all__ = ["Calibration", "calibrated", "calibrations"]

T = TypeVar("T")
_PLAUSIBLE = 50.0  # times by which a machine may be quicker or slower than stated
_ORDER = tuple(teach.__name__ for teach in CALIBRATIONS)


def calibrations(
    problem: Problem, plan: Plan, actuals: Sequence[Actual]
) -> tuple[Calibration, ...]:
    """What runs teach, one calibration a kind; one that could not be learnt says why.

    `problem`, `plan`: what was predicted, and the plan that was run. `actuals`: runs of the
    workload, in the order of time; they may have followed other plans.
    """
    evidence = evidence_of(problem, plan, tuple(actuals))
    tried = tried_readings(evidence)
    apart = evidence if tried is None else without_fetching(evidence, tried)
    return tuple(
        _doubted(problem.platform, teach(evidence if teach is runtime else apart))
        for teach in CALIBRATIONS
    )


def _doubted(before: Platform, calibration: Calibration) -> Calibration:
    """The calibration, marked where a machine's speed changes implausibly."""
    for was, now in zip(before.machines, calibration.platform.machines, strict=True):
        times = max(was.speed / now.speed, now.speed / was.speed)
        if times > _PLAUSIBLE:
            note = (
                f"Implausible: the speed of {was.name} changes by {slowdown(times)}; check units "
                "and names of the log. It is not applied with the others"
            )
            return replace(calibration, notes=(note, *calibration.notes), doubtful=True)
    return calibration


def calibrated(problem: Problem, chosen: Iterable[Calibration]) -> tuple[Platform, Workload]:
    """Platform and workload after several calibrations, in the registry's order.

    Every calibration changes what it is about, field by field of machine, link, runtime or task,
    against the problem's; two that change the same (speeds, and times as work) learnt it alike.
    """
    platform, workload = problem.platform, problem.workload
    for calibration in sorted(chosen, key=_place):
        platform = _platform(problem.platform, platform, calibration.platform)
        if calibration.workload is not problem.workload:
            tasks = _each(problem.workload.tasks, workload.tasks, calibration.workload.tasks)
            told = calibration.workload.spread
            spread = _merged(problem.workload.spread, workload.spread, told)
            workload = workload.repriced(tasks, workload.flows).with_spread(spread)
    return platform, workload


def _place(calibration: Calibration) -> int:
    return _ORDER.index(calibration.name) if calibration.name in _ORDER else len(_ORDER)


def _platform(before: Platform, now: Platform, learnt: Platform) -> Platform:
    return replace(
        now,
        machines=_each(before.machines, now.machines, learnt.machines),
        links=_each(before.links, now.links, learnt.links),
        runtime=_merged(before.runtime, now.runtime, learnt.runtime),
        spread=_merged(before.spread, now.spread, learnt.spread),
    )


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


_MOST_ROWS = 2000  # figures of a calibration in a file; more are counted
_OF_WORKLOAD = ("times", "memory", "spread")


def learnt_texts(
    platform: Platform, workload: Workload, calibrations: Iterable[Calibration], runs: Sequence[Run]
) -> dict[str, str]:
    """File name → text: workload.toml, platform.toml and the runs that taught them, run.csv."""
    learnt = [calibration for calibration in calibrations if calibration.learnt]
    tasks = [calibration for calibration in learnt if calibration.name in _OF_WORKLOAD]
    others = [calibration for calibration in learnt if calibration.name not in _OF_WORKLOAD]
    by_times = [calibration for calibration in tasks if calibration.platform != platform]
    return {
        "workload.toml": _head(tasks, runs) + dump_workload(workload),
        "platform.toml": _head([*others, *_speeds_alone(by_times, others)], runs)
        + dump_platform(platform),
        "run.csv": render(runs),
    }


def _speeds_alone(tasks: list[Calibration], others: list[Calibration]) -> list[Calibration]:
    """The calibrations on tasks that set speeds, where no calibration on speeds says so."""
    return [] if any(calibration.name == "speeds" for calibration in others) else tasks


def _head(calibrations: Sequence[Calibration], runs: Sequence[Run]) -> str:
    """Comments: the runs, then every calibration with its figures and notes."""
    names = ", ".join(run.name or "a run" for run in runs[:8])
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    lines = [f"Calibrated by `placewise learn` from {names}{more}; see docs/learning.md"]
    for calibration in calibrations:
        lines += ["", f"{calibration.title}: {calibration.sentence}"]
        lines += [f"note: {note}" for note in calibration.notes]
        lines += [" | ".join(row) for row in (calibration.header, *calibration.rows[:_MOST_ROWS])]
        if len(calibration.rows) > _MOST_ROWS:
            lines.append(f"… {len(calibration.rows) - _MOST_ROWS:,} more")
    return "".join(f"# {visible(line)}".rstrip() + "\n" for line in lines) + "\n"
