"""Numbers of processors to begin with, and single and paired changes of them.

Starts are of one idea each, so that they change together what no single change would: all tasks
on few processors, on many, at their knee, at one efficiency, within one time, or on equal shares
of a machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.rounding import ROUNDING
from advisor.basics.stopping import ShouldStop
from advisor.search.desk import Desk, Numbers, Trial

_EFFICIENCIES = (0.9, 0.75, 0.6, 0.45, 0.3)
_SHARES = 12  # of a machine's cores, into which equal shares are cut at most
_TIMES = 12
_PARTNERS = 4  # tasks of the same machine that change together with one, at most

FEWEST, MOST, KNEE = "fewest processors", "most processors", "knee"


def starts(problem: Problem, numbers: tuple[Numbers, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(name, rows) of every start; those without a name of their own are HEFT's."""
    yield FEWEST, tuple(0 for _ in numbers)
    yield MOST, tuple(len(one.processors) - 1 for one in numbers)
    knees = [_knee(problem, one) for one in numbers]
    yield KNEE, tuple(one.at_most(knee) for one, knee in zip(numbers, knees, strict=True))
    for least in _EFFICIENCIES:
        yield "heft", tuple(_efficient(one, least) for one in numbers)
    cores = sorted({machine.cores for machine in problem.platform.machines}, reverse=True)
    for parts in range(1, min(_SHARES, len(numbers) + 1) + 1):
        for whole in cores[:3]:
            yield "heft", tuple(one.at_most(whole // parts) for one in numbers)
    yield from (("heft", rows) for rows in _within(numbers))


def improved(desk: Desk, trial: Trial, going: ShouldStop) -> Trial:
    """The trial after single and paired changes, the best for each task in turn, while they help.

    Parameters
    ----------
    going : callable
        Asked at every change.
    """
    helped = True
    while helped and going():
        helped = False
        for position in range(len(desk.numbers)):
            for other in _changes(desk, trial, position):
                if _better(other.key, trial.key):
                    trial, helped = other, True
                if not going():
                    return trial
    return trial


def thrifty(desk: Desk, trial: Trial, going: ShouldStop) -> Trial:
    """The same makespan on fewer processors, where some are of no use; by bisection, task by task.

    Parameters
    ----------
    going : callable
        Asked at every change.
    """
    for position in range(len(desk.numbers)):
        low, high = 0, trial.rows[position]
        while low < high and going():
            middle = (low + high) // 2
            rows = _with(trial.rows, position, middle)
            other = desk.placed(rows, trial.allocation, trial.order)
            if other.value_s <= trial.value_s:
                trial, high = other, middle
            else:
                low = middle + 1
    return trial


def _changes(desk: Desk, trial: Trial, position: int) -> Iterator[Trial]:
    """One task on another number or machine, alone or with a partner that makes room or takes it.

    Every change is placed as the trial is, and by HEFT.
    """
    one, here = desk.numbers[position], trial.rows[position]
    home = int(trial.allocation[one.task])
    for row in _near(here, len(one.processors)):
        rows = _with(trial.rows, position, row)
        for machine in np.flatnonzero(np.isfinite(one.task_s[row])).tolist():
            if row != here or machine != home:
                allocation = trial.allocation.copy()
                allocation[one.task] = machine
                yield desk.placed(rows, allocation, trial.order)
        yield from _by_heft(desk, rows)
        if row != here and np.isfinite(one.task_s[row, home]):
            room = desk.problem.platform.machines[home].cores - int(one.processors[row])
            for partner in _partners(desk, trial, position, home):
                fitting = desk.numbers[partner].at_most(room)
                if fitting != trial.rows[partner]:
                    both = _with(rows, partner, fitting)
                    yield desk.placed(both, trial.allocation, trial.order)
                    yield from _by_heft(desk, both)


def _by_heft(desk: Desk, rows: tuple[int, ...]) -> Iterator[Trial]:
    trial = desk.heft(rows)
    if trial is not None:
        yield trial


def _partners(desk: Desk, trial: Trial, position: int, machine: int) -> list[int]:
    """The other scalable tasks of a machine, those that take longest there first."""
    found = [
        (-float(one.task_s[row, machine]), other)
        for other, (one, row) in enumerate(zip(desk.numbers, trial.rows, strict=True))
        if other != position and trial.allocation[one.task] == machine
    ]
    return [other for _, other in sorted(found)[:_PARTNERS]]


def _near(row: int, count: int) -> list[int]:
    """The row, those 1, 2, 4, … away, and both ends."""
    found = {0, row, count - 1}
    step = 1
    while step < count:
        found |= {row - step, row + step}
        step *= 2
    return sorted(one for one in found if 0 <= one < count)


def _better(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether a key is less beyond rounding."""
    if abs(one[0] - other[0]) > ROUNDING * other[0]:
        return one[0] < other[0]
    return one[1] < other[1] * (1 - ROUNDING)


def _with(rows: tuple[int, ...], position: int, row: int) -> tuple[int, ...]:
    return (*rows[:position], row, *rows[position + 1 :])


def _knee(problem: Problem, one: Numbers) -> float:
    scaling = problem.workload.tasks[one.task].scaling
    return 1.0 if scaling is None else scaling.knee


def _efficient(one: Numbers, least: float) -> int:
    """The last row that holds at most 1/least of the first one's core-seconds."""
    held = one.processors * one.quickest_s
    return int(np.flatnonzero(held <= held[0] / least).max(initial=0))


def _within(numbers: tuple[Numbers, ...]) -> Iterator[tuple[int, ...]]:
    """Rows of the fewest processors that take at most some time, the same for all tasks."""
    least = max(float(one.quickest_s.min()) for one in numbers)
    most = max(float(one.quickest_s[0]) for one in numbers)
    if least <= 0.0:
        return
    for limit in np.geomspace(least, max(most, least), _TIMES).tolist():
        quick = [np.flatnonzero(one.quickest_s <= limit * (1 + ROUNDING)) for one in numbers]
        yield tuple(int(found[0]) for found in quick)
