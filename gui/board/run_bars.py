"""What happened as bars in the lanes of the plan: arrays for painting and hit-testing.

Each task lies in the row of its predicted bar where that is free, so that both can be compared.
Takes a whole run, or one that still goes on. Built off the window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.runs.actual import Actual
from advisor.runs.growing import Coming, late
from gui.board.coming_bars import coming_bars, plain_bars
from gui.board.lanes import Kinds, Lanes, stacked
from gui.document.document import Outcome
from machines.arrays import Flags, Floats, Ints

_MOST_ROWS = 64  # of a lane, from which rows are not looked through one by one


@dataclass(frozen=True, eq=False)
class Happened:
    """A run to draw: whole, or so far."""

    actual: Actual  # a task that has begun and not ended has a start and no end
    now_s: float | None = None  # how far it is, on the run's clock; None: it is over
    coming: Coming | None = None  # the rest, once it was replanned
    gone: tuple[tuple[int, float], ...] = ()  # machines that were lost, and when, s


@dataclass(frozen=True, eq=False)
class RunBars:
    """What happened, laid out.

    `lanes`: a bar each task that has begun; `slowdown` is its time over that predicted where it
        ran, `bar_of` is -1 where a task has none, `rows` are what the predicted bars and these
        need.
    `failed`, `running`, `late`: bars of tasks that never ended well, of those that run still, and
        of these the ones that take much longer than predicted.
    `coming`: bars of what is still to run, once that was replanned.
    """

    happened: Happened
    lanes: Lanes
    failed: Ints
    running: Ints
    late: Ints
    coming: Lanes | None = None

    @property
    def happened_s(self) -> float:
        """Where the last bar ends of what happened."""
        return float(self.lanes.end_s.max(initial=0.0))

    @property
    def last_s(self) -> float:
        """Where the last bar ends of all."""
        return max(self.happened_s, 0.0 if self.coming is None else self.coming.makespan_s)


def run_bars(
    happened: Happened,
    predicted: Lanes,
    outcome: Outcome,
    kinds: Kinds,
    should_stop: ShouldStop = lambda: False,
) -> RunBars:
    """Lay out what happened in the lanes of what was predicted.

    A task of which the log tells no machine lies where the plan put it.
    """
    actual = happened.actual
    end, going = _ends(happened)
    taken = np.where(np.isfinite(actual.taken_s), actual.taken_s, actual.start_s)
    known = np.isfinite(taken) & np.isfinite(end)
    planned = np.array(outcome.prediction.plan.allocation, dtype=np.int64)
    tasks = np.flatnonzero(known)
    start = np.where(np.isfinite(actual.start_s), actual.start_s, end)[tasks]
    taken, end = taken[tasks], end[tasks]
    machine = np.where(actual.machine >= 0, actual.machine, planned)[tasks].astype(np.int64)
    wished = predicted.row[predicted.bar_of[tasks]]
    row, needed = _rows((machine, taken, end), wished, len(predicted.rows), should_stop)
    lanes = plain_bars(tasks, (machine, row), (taken, start, end), predicted, kinds)
    span, shown = lanes.end_s - lanes.start_s, lanes.members
    meant, still = predicted_there(outcome, actual)[shown], going[shown]
    ratio = np.divide(span, meant, out=np.ones(len(shown)), where=meant > 0)
    lanes = replace(
        lanes, slowdown=np.where(still, 1.0, ratio), rows=np.maximum(predicted.rows, needed),
        makespan_s=actual.makespan_s,
    )  # fmt: skip
    coming = None
    if happened.coming is not None and happened.now_s is not None:
        coming = coming_bars(happened.coming, actual, happened.now_s, lanes, kinds)
        lanes = replace(lanes, rows=coming.rows)
    failed = lanes.bar_of[list(actual.failed)]
    return RunBars(
        happened, lanes, np.sort(failed[failed >= 0]), np.flatnonzero(still),
        np.flatnonzero(still & late(span, meant)), coming,
    )  # fmt: skip


def predicted_there(outcome: Outcome, actual: Actual) -> Floats:
    """Predicted seconds of every task where it ran; nan where it may not run."""
    found = outcome.prediction.task_s.copy()
    planned = np.array(outcome.prediction.plan.allocation)
    moved = np.flatnonzero((actual.machine >= 0) & (actual.machine != planned))
    found[moved] = outcome.costs.task_s[moved, actual.machine[moved]]
    return np.where(np.isfinite(found), found, np.nan)


def _ends(happened: Happened) -> tuple[Floats, Flags]:
    """Ends of all tasks, those that still run ending now, and which they are."""
    actual, now_s = happened.actual, happened.now_s
    if now_s is None:
        return actual.end_s, np.zeros(actual.end_s.shape, dtype=np.bool_)
    begun = np.fmin(actual.taken_s, actual.start_s)
    going = np.isnan(actual.end_s) & (begun <= now_s)
    return np.where(going, now_s, actual.end_s), going


def _rows(
    bars: tuple[Ints, Floats, Floats], wished: Ints, machines: int, should_stop: ShouldStop
) -> tuple[Ints, Ints]:
    """A row for every bar (its lane, begin and end), and how many each lane needs."""
    lane, begin, end = bars
    row = np.zeros(len(lane), dtype=np.int64)
    rows = np.ones(machines, dtype=np.int64)
    order = np.lexsort((end, begin, lane))
    edges = np.searchsorted(lane[order], np.arange(machines + 1))
    slack = 1e-9 * float(end.max(initial=0.0))
    for machine in range(machines):
        if should_stop():
            break
        here = order[edges[machine] : edges[machine + 1]]
        if not here.size:
            continue
        spans = begin[here].tolist(), end[here].tolist()
        taken, wish = stacked(*spans, slack), wished[here].tolist()
        if max(taken) < _MOST_ROWS and taken != wish:
            taken = _near(*spans, wish, max(taken) + 1, slack)
        row[here] = taken
        rows[machine] = max(taken) + 1
    return row, rows


def _near(
    begins: list[float], ends: list[float], wished: list[int], rows: int, slack: float
) -> list[int]:
    """Of at most so many rows the wished one where it is free, else the lowest that is."""
    free_at = [float("-inf")] * max(rows, *(min(wish, _MOST_ROWS) + 1 for wish in wished))
    found = []
    for begin, end, wish in zip(begins, ends, wished, strict=True):
        row = wish if wish < len(free_at) and free_at[wish] <= begin + slack else -1
        if row < 0:
            row = next(at for at, free in enumerate(free_at) if free <= begin + slack)
        free_at[row] = max(end, free_at[row])
        found.append(row)
    return found
