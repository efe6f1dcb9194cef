"""The schedule as bars in lanes: arrays that painting, hit-testing and focus read.

A lane is a machine, its rows are tasks that run at the same time, a bar is one task or, when
grouped, consecutive tasks of one kind. Built off the window's thread from an `Outcome`.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from advisor.allocation.prediction import Prediction
from advisor.allocation.task_causes import FETCHING, TaskCauses
from advisor.basics.causes import STARTING
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from gui.board.groups import Groups
from machines.arrays import Flags, Floats, Ints


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of task of a workload."""

    names: tuple[str, ...]  # in order of first appearance
    of_task: Ints  # shape (tasks,); position in `names`

    @property
    def telling(self) -> bool:
        """Whether there are kinds: several, and each of about two tasks or more."""
        return 2 <= len(self.names) <= len(self.of_task) / 2

    @classmethod
    def of(cls, groups: list[str]) -> Kinds:
        """From the name of every task's kind."""
        names = {name: index for index, name in enumerate(dict.fromkeys(groups))}
        return cls(tuple(names), np.array([names[group] for group in groups], dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Lanes(Groups):
    """Bars sorted by (lane, row, start), their tasks by the time at which they took their cores.

    `lane`, `row`: shape (bars,); machine position; row within its lane. Bars of one row do not
        overlap, except that bars without duration lie in row 0 at their time.
    `start_s`, `end_s`: shape (bars,); seconds.
    `taken_s`: shape (bars,); when it took its cores: before its start where it fetched its data
        first.
    `shares`: shape (causes, bars); share of a bar's length that each cause takes, at most 1
        together.
    `fetched`: shape (fetching causes, bars); the same of the piece before a bar, by
        `task_causes.FETCHING`.
    """

    lane: Ints
    row: Ints
    start_s: Floats
    end_s: Floats
    taken_s: Floats
    causes: tuple[str, ...]  # what the bars' time goes to, in the order in which it is drawn
    shares: Floats
    fetched: Floats
    slowdown: Floats  # shape (bars,); seconds here over dedicated seconds
    critical: Flags  # shape (bars,); whether a task of it is on the critical path
    bar_of: Ints  # shape (tasks,); the bar that holds a task
    rows: Ints  # shape (machines,); number of rows of every lane, at least 1
    makespan_s: float  # the last end

    def bar_at(self, lane: int, row: int, time_s: float, tolerance_s: float) -> int | None:
        """The shortest bar of that row at `time_s`, give or take the tolerance."""
        near = (self.lane == lane) & (self.row == row)
        near &= (self.taken_s - tolerance_s <= time_s) & (time_s <= self.end_s + tolerance_s)
        found = np.flatnonzero(near)
        if not found.size:
            return None
        start, end = self.start_s[found], self.end_s[found]
        miss = np.maximum(np.maximum(self.taken_s[found] - time_s, time_s - end), 0.0)
        # an exact hit goes before a near miss, a short bar before the long one that it lies on
        return int(found[np.lexsort((end - start, miss))[0]])


def lay_out(
    prediction: Prediction,
    causes: TaskCauses,
    machines: int,
    kinds: Kinds,
    grouped: bool = False,
    should_stop: ShouldStop = lambda: False,
    held: Ints | None = None,
) -> Lanes:
    """Bars of a predicted schedule.

    `causes`: what the time of the prediction's tasks goes to. `machines`: number of machines.
    `held`: rows of what each task holds, a resource or cores of a group; the first are on top.
    `grouped`: make one bar of consecutive tasks of a kind on a machine.
    """
    allocation = np.array(prediction.plan.allocation, dtype=np.int64)
    tasks = len(allocation)
    start, end = prediction.start_s, prediction.end_s
    taken = start if prediction.taken_s is None else np.minimum(prediction.taken_s, start)
    members = np.lexsort((np.arange(tasks), end, start, taken, allocation)).astype(np.int64)
    first = np.ones(tasks, dtype=np.bool_)
    if grouped:
        lane_of, kind_of = allocation[members], kinds.of_task[members]
        first[1:] = (lane_of[1:] != lane_of[:-1]) | (kind_of[1:] != kind_of[:-1])
    heads = np.flatnonzero(first)
    lane, kind = allocation[members[heads]], kinds.of_task[members[heads]]
    bar_start = np.minimum.reduceat(start[members], heads)
    bar_taken = np.minimum.reduceat(taken[members], heads)
    bar_end = np.maximum.reduceat(end[members], heads)
    seconds = np.add.reduceat(prediction.task_s[members], heads)
    dedicated = np.add.reduceat(prediction.task_dedicated_s[members], heads)
    critical = np.logical_or.reduceat(prediction.critical[members], heads)
    length = np.maximum(seconds, bar_end - bar_start)
    length[length <= 0] = 1.0
    names, own = _own(causes)
    shares = np.add.reduceat(own[:, members], heads, axis=1) / length
    fetched = np.add.reduceat(causes.fetched[:, members], heads, axis=1)
    whole = fetched.sum(axis=0)
    fetched /= np.where(whole > 0, whole, 1.0)
    slowdown = np.divide(seconds, dedicated, out=np.ones(len(heads)), where=dedicated > 0)
    upper = np.zeros(tasks, np.int64) if held is None else held
    row, rows = _rows(lane, upper[members[heads]], bar_taken, bar_end, machines, should_stop)
    order = np.lexsort((bar_start, row, lane))
    counts = np.diff(np.append(heads, tasks))
    member_from = np.concatenate(([0], np.cumsum(counts[order])))
    sorted_members = members[_ranges(heads[order], counts[order])]
    bar_of = np.empty(tasks, dtype=np.int64)
    bar_of[sorted_members] = np.repeat(np.arange(len(order)), counts[order])
    return Lanes(
        lane=lane[order],
        row=row[order],
        start_s=bar_start[order],
        end_s=bar_end[order],
        taken_s=bar_taken[order],
        causes=names,
        shares=np.minimum(shares, 1.0)[:, order],
        fetched=fetched[:, order],
        slowdown=slowdown[order],
        critical=critical[order],
        kind=kind[order],
        member_from=member_from,
        members=sorted_members,
        bar_of=bar_of,
        rows=rows,
        makespan_s=prediction.makespan_s,
    )


def _own(causes: TaskCauses) -> tuple[tuple[str, ...], Floats]:
    """Causes in the order in which they are drawn, and their seconds after the start."""
    order = sorted(range(len(causes.causes)), key=lambda row: causes.causes[row] != STARTING)
    names = tuple(causes.causes[row] for row in order)
    own = causes.seconds[order]
    for cause, seconds in zip(FETCHING, causes.fetched, strict=True):
        if cause in names:
            own[names.index(cause)] -= seconds
    # differences leave crumbs of rounding, which would name causes that are none
    own[own <= ALIKE * own.sum(axis=0)] = 0.0
    return names, own


def _ranges(first: Ints, count: Ints) -> Ints:
    """The concatenation of ``arange(first[i], first[i] + count[i])``."""
    begin = np.cumsum(count) - count
    return np.repeat(first - begin, count) + np.arange(int(count.sum()))


def _rows(
    lane: Ints, held: Ints, start: Floats, end: Floats, machines: int, should_stop: ShouldStop
) -> tuple[Ints, Ints]:
    """The lowest free row of every bar, and how many rows each lane needs.

    Bars arrive sorted by (lane, start); those without duration stay in row 0. Of bars that hold
    different things, each has rows of its own.
    """
    row = np.zeros(len(lane), dtype=np.int64)
    rows = np.ones(machines, dtype=np.int64)
    slack = 1e-9 * float(end.max(initial=0.0))
    edges = np.searchsorted(lane, np.arange(machines + 1))
    for machine in range(machines):
        if should_stop():
            break
        bars = np.arange(edges[machine], edges[machine + 1])
        bars = bars[end[bars] - start[bars] > slack]
        if bars.size and np.any(start[bars][1:] < np.maximum.accumulate(end[bars])[:-1] - slack):
            above = 0
            for kind in np.unique(held[bars]):
                alike = bars[held[bars] == kind]
                taken = stacked(start[alike].tolist(), end[alike].tolist(), slack)
                row[alike] = above + np.array(taken)
                above += max(taken) + 1
            rows[machine] = above
    return row, rows


def stacked(starts: list[float], ends: list[float], slack: float) -> list[int]:
    """Interval partitioning: each interval, by start, takes the lowest row that is free."""
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    rows = 0
    taken = []
    for start, end in zip(starts, ends, strict=True):
        while busy and busy[0][0] <= start + slack:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            row = heapq.heappop(free)
        else:
            row, rows = rows, rows + 1
        heapq.heappush(busy, (end, row))
        taken.append(row)
    return taken
