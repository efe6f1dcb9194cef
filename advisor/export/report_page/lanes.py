"""What the lanes of a schedule hold: tasks in rows, or how many run at a time where they are many.

Seconds and cores come from a prediction; nothing is drawn here.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from advisor.allocation.prediction import Prediction
from advisor.allocation.task_causes import FETCHING, TaskCauses
from advisor.basics.causes import CAUSES
from machines.arrays import Floats, Ints

COLUMNS = 240  # of a lane whose tasks are merged
_MOST_BARS, _MOST_ROWS, _MOST_TASKS = 60, 6, 600  # one by one: in a lane, and of all lanes


@dataclass(frozen=True)
class Bar:
    """One task: its position, the row that it lies in, and its causes in the order of time."""

    task: int
    row: int
    begin_s: float
    segments: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Lane:
    """What one machine does.

    Attributes
    ----------
    machine : int
    tasks : int
    busy : float
        Of its cores until the makespan.
    bars : tuple of Bar
        Empty where the tasks are merged.
    rows : int
        In which bars lie; the most tasks at a time where they are merged.
    profile : tuple of (cause, heights)
        Where they are merged: mean tasks at a time by cause, in hundredths of `rows`.
    """

    machine: int
    tasks: int
    busy: float
    bars: tuple[Bar, ...]
    rows: int
    profile: tuple[tuple[str, tuple[int, ...]], ...]


def lanes(prediction: Prediction, causes: TaskCauses, until_s: float) -> tuple[Lane, ...]:
    """The lanes of all machines that have tasks, in their order.

    Parameters
    ----------
    until_s : float
        Where the axis ends: the columns of merged tasks lie between 0 and this.
    """
    place = np.array(prediction.plan.allocation)
    begin = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    found = []
    for machine in np.unique(place).tolist():
        tasks = np.flatnonzero(place == machine)
        tasks = tasks[np.argsort(begin[tasks], kind="stable")]
        rows, most = _rows(begin[tasks], prediction.end_s[tasks])
        bars: tuple[Bar, ...] = ()
        profile: tuple[tuple[str, tuple[int, ...]], ...] = ()
        if place.size <= _MOST_TASKS and tasks.size <= _MOST_BARS and most <= _MOST_ROWS:
            bars = tuple(
                Bar(task, row, float(begin[task]), causes.segments(task))
                for task, row in zip(tasks.tolist(), rows, strict=True)
            )
        else:
            profile = _profile(begin, causes, tasks, until_s, most)
        busy = float(prediction.utilisation[machine])
        found.append(Lane(machine, tasks.size, busy, bars, most, profile))
    return tuple(found)


def _rows(begin: Floats, end: Floats) -> tuple[list[int], int]:
    """The row of every task, none over another, and how many rows that takes."""
    free: list[int] = []
    running: list[tuple[float, int]] = []
    rows = []
    most = 0
    for first, last in zip(begin.tolist(), end.tolist(), strict=True):
        while running and running[0][0] <= first + 1e-9 * abs(first):
            heapq.heappush(free, heapq.heappop(running)[1])
        if not free:
            free, most = [most], most + 1
        row = heapq.heappop(free)
        heapq.heappush(running, (last, row))
        rows.append(row)
    return rows, most


def _profile(
    begin: Floats, causes: TaskCauses, tasks: Ints, until_s: float, most: int
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Mean tasks at a time by cause, in hundredths of the most."""
    edges = np.linspace(0.0, until_s, COLUMNS + 1)
    at = begin[tasks].copy()
    shares: list[tuple[str, Floats]] = []
    fetched = dict(zip(FETCHING, causes.fetched[:, tasks], strict=True))
    rest = dict(zip(causes.causes, causes.seconds[:, tasks], strict=True))
    for cause in (*FETCHING, *CAUSES):
        seconds = fetched.pop(cause, None)
        if seconds is None:
            seconds = rest.get(cause)
        elif cause in rest:
            rest[cause] = rest[cause] - seconds
        if seconds is None or not seconds.any():
            continue
        shares.append((cause, np.diff(_covered(at, at + seconds, edges)) * COLUMNS / until_s))
        at = at + seconds
    found: list[tuple[str, tuple[int, ...]]] = []
    below, reached = np.zeros(COLUMNS), np.zeros(COLUMNS, dtype=np.int64)
    for cause in dict.fromkeys(cause for cause, _ in shares):
        below = below + sum(share for name, share in shares if name == cause)
        above = np.clip(np.rint(100.0 * below / most), 0, 100).astype(np.int64)
        found.append((cause, tuple((above - reached).tolist())))
        reached = above
    return tuple(found)


def _covered(begin: Floats, end: Floats, at: Floats) -> Floats:
    """Seconds of all intervals together that have passed at each time."""

    def ramps(starts: Floats) -> Floats:
        ordered = np.sort(starts)
        passed = np.searchsorted(ordered, at)
        sums = np.concatenate(([0.0], np.cumsum(ordered)))
        found: Floats = passed * at - sums[passed]
        return found

    return ramps(begin) - ramps(end)
