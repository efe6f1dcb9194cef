"""Where the rest of a run is expected to run, once it was replanned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.task_causes import FETCHING
from advisor.basics.causes import COMPUTING
from advisor.runs.actual import Actual
from advisor.runs.growing import Coming
from gui.board.lanes import Kinds, Lanes
from machines.arrays import Floats, Ints


def plain_bars(
    tasks: Ints, where: tuple[Ints, Ints], times: tuple[Floats, Floats, Floats], like: Lanes,
    kinds: Kinds,
) -> Lanes:  # fmt: skip
    """A bar each of some tasks, all of it computing.

    `where`: their lanes and rows. `times`: when each took its cores, began and ended, s. `like`:
    lanes of the same tasks and machines.
    """
    (lane, row), (taken, start, end) = where, times
    order = np.lexsort((taken, row, lane))
    tasks, bars = tasks[order], len(tasks)
    bar_of = np.full(like.bar_of.size, -1, dtype=np.int64)
    bar_of[tasks] = np.arange(bars)
    fetched = np.zeros((len(FETCHING), bars))
    fetched[0] = 1.0
    return Lanes(
        member_from=np.arange(bars + 1), members=tasks, kind=kinds.of_task[tasks],
        lane=lane[order], row=row[order], start_s=start[order], end_s=end[order],
        taken_s=taken[order], causes=(COMPUTING,), shares=np.ones((1, bars)), fetched=fetched,
        slowdown=np.ones(bars), critical=np.zeros(bars, dtype=np.bool_), bar_of=bar_of,
        rows=like.rows, makespan_s=float(end.max(initial=0.0)),
    )  # fmt: skip


def coming_bars(
    coming: Coming, actual: Actual, now_s: float, happened: Lanes, kinds: Kinds
) -> Lanes:
    """Bars of what is still to run, in rows that are free by then; `rows` are what all need.

    `now_s`: from when on what runs already is still to run.
    """
    tasks = happened.bar_of.size
    expected = np.full(tasks, np.nan)
    expected[coming.task] = coming.end_s
    free: list[list[float]] = [[float("-inf")] * int(rows) for rows in happened.rows]
    # what takes longer than was expected leaves its row to the next one all the same
    there = expected[happened.members]
    ends = np.where(np.isnan(there), happened.end_s, there)
    for lane, row, end in zip(happened.lane, happened.row, ends, strict=True):
        free[lane][row] = max(free[lane][row], float(end))
    begun = np.isfinite(np.fmin(actual.taken_s, actual.start_s))[coming.task]
    machine, start, end = coming.machine.astype(np.int64), coming.start_s, coming.end_s
    row = np.zeros(len(coming.task), dtype=np.int64)
    slack = 1e-9 * float(end.max(initial=0.0))
    for at in np.flatnonzero(~begun)[np.argsort(start[~begun], kind="stable")].tolist():
        here = free[machine[at]]
        first = next((r for r, until in enumerate(here) if until <= start[at] + slack), len(here))
        if first == len(here):
            here.append(0.0)
        row[at], here[first] = first, float(end[at])
    runs = begun & np.isnan(actual.end_s[coming.task])
    row[runs] = happened.row[happened.bar_of[coming.task[runs]]]
    end = np.where(runs, actual.taken_s[coming.task] + (end - start), end)
    start = np.where(runs, now_s, start)
    shown = ~begun | (runs & (end > start))
    where, times = (machine[shown], row[shown]), (start[shown], start[shown], end[shown])
    bars = plain_bars(coming.task[shown], where, times, happened, kinds)
    return replace(bars, rows=np.array([len(one) for one in free], dtype=np.int64))
