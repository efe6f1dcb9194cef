"""When a machine has cores free: find the earliest start of a task, and hold it.

A task may start in any idle time that is long enough (insertion; Topcuoglu, Hariri & Wu 2002,
sec. 5.1), without moving what is placed. On one core only idle gaps are searched, backwards from
the last: those that end before the task could are never looked at. A task that takes no time
needs its cores at one instant: it may lie between two runs of a core, not within one.

The state of m machines is three arrays, passed one by one because compiled calls are cheaper so:

tail : array (m,)
    Last end, of machines with one core.
index : int64 array (2m + 1, 3)
    Growing lists in the pool `rows`: list k has rows ``index[k, 0]`` to ``index[k, 0] +
    index[k, 1] - 1`` and room for ``index[k, 2]``; ``index[2m, 0]`` is the first free row.
rows : array (rows, 4)
    List q of a machine with one core: idle gaps before its tail (start, end), ascending. Of a
    machine with several: steps (time, cores used from then to the next, cores of tasks that run
    through that time, most cores of a task that takes no time there). List m + q, kept only
    when some task takes no time: runs on one core (start, end), ascending.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.kernels.instance import Floats, Instance, Ints, tiny

Index = NDArray[np.int64]

INLINED = ("hold", "earliest", "earliest_gap", "earliest_instant", "append_gap")
"""Copied into their callers, since a call costs as much as what they do."""


def empty(instance: Instance) -> tuple[Floats, Index, Floats]:
    """Machines on which nothing is placed: tail, index and rows.

    Doubling rooms fill at most four rows for each that is used.
    """
    tasks, machines = instance.task_s.shape
    most = 2 * tasks if instance.instant or (instance.machine_cores > 1).any() else tasks
    index = np.zeros((2 * machines + 1, 3), np.int64)
    rows = np.empty((4 * (most + 2 * machines), 4))
    for q in range(machines):
        if instance.machine_cores[q] > 1:
            row = opened(index, rows, q, 0)
            rows[row, 0] = rows[row, 1] = rows[row, 2] = rows[row, 3] = 0.0
    return np.zeros(machines), index, rows


def restore(
    tail: Floats, index: Index, rows: Floats, tail0: Floats, index0: Index, rows0: Floats
) -> None:
    """Make a state equal to an earlier one of the same machines."""
    tail[:] = tail0
    index[:] = index0
    for row in range(index0[index0.shape[0] - 1, 0]):
        for column in range(4):
            rows[row, column] = rows0[row, column]


def earliest(
    tail: Floats,
    index: Index,
    rows: Floats,
    capacity: int,
    q: int,
    ready: float,
    duration: float,
    cores: int,
) -> float:
    """Earliest start ≥ `ready` on machine q, which has `capacity` ≥ `cores` cores.

    `ready` and `duration` must be finite.
    """
    begin = ready
    if capacity > 1:
        begin = earliest_shared(index, rows, q, ready, duration, capacity - cores)
    elif ready < tail[q]:
        if duration > 0.0:
            row = earliest_gap(index, rows, q, ready, duration)
            begin = tail[q] if row < 0 else max(rows[row, 0], ready)
        else:
            begin = earliest_instant(index, rows, tail.size + q, ready)
    return begin


def hold(
    tail: Floats,
    index: Index,
    rows: Floats,
    capacity: int,
    q: int,
    ready: float,
    duration: float,
    cores: int,
    instant: bool,
) -> float:
    """Place a task at its `earliest` start, which is returned."""
    begin = ready
    if capacity > 1:
        begin = earliest_shared(index, rows, q, ready, duration, capacity - cores)
        hold_shared(index, rows, q, begin, begin + duration, cores)
    else:
        last = tail[q]
        if ready >= last:
            if ready > last:
                append_gap(index, rows, q, last, ready)
            tail[q] = ready + duration
        elif duration > 0.0:
            row = earliest_gap(index, rows, q, ready, duration)
            if row < 0:
                begin = last
                tail[q] = last + duration
            else:
                begin = max(rows[row, 0], ready)
                narrow(index, rows, q, row, begin, begin + duration)
        else:
            begin = earliest_instant(index, rows, tail.size + q, ready)
            row = earliest_gap(index, rows, q, begin, 0.0)
            if row >= 0 and rows[row, 0] < begin:
                narrow(index, rows, q, row, begin, begin)
        if instant and duration > 0.0:
            record(index, rows, tail.size + q, begin, begin + duration)
    return begin


def earliest_gap(index: Index, rows: Floats, q: int, ready: float, duration: float) -> int:
    """Row of the earliest idle gap that takes `duration` after `ready`; -1: none."""
    base = index[q, 0]
    row = base + index[q, 1] - 1
    found = -1
    while row >= base and ready + duration <= rows[row, 1]:
        if max(rows[row, 0], ready) + duration <= rows[row, 1]:
            found = row
        row -= 1
    return found


def earliest_instant(index: Index, rows: Floats, runs: int, ready: float) -> float:
    """First time ≥ `ready` that lies within no run of a list."""
    begin = ready
    position = after(index, rows, runs, ready, 1)
    if position < index[runs, 1]:
        row = index[runs, 0] + position
        if rows[row, 0] < ready:
            begin = rows[row, 1]
    return begin


def append_gap(index: Index, rows: Floats, q: int, begin: float, end: float) -> None:
    """Add an idle gap after all others."""
    row = index[q, 0] + index[q, 1]
    if index[q, 1] == index[q, 2]:
        row = opened(index, rows, q, index[q, 1])
    else:
        index[q, 1] += 1
    rows[row, 0] = begin
    rows[row, 1] = end


def narrow(index: Index, rows: Floats, q: int, row: int, begin: float, end: float) -> None:
    """Take [begin, end] out of a gap."""
    left, right = rows[row, 0], rows[row, 1]
    if begin > left:
        rows[row, 1] = begin
        if end < right:
            row = opened(index, rows, q, row - index[q, 0] + 1)
            rows[row, 0] = end
            rows[row, 1] = right
    elif end < right:
        rows[row, 0] = end
    else:
        for later in range(row, index[q, 0] + index[q, 1] - 1):
            rows[later, 0] = rows[later + 1, 0]
            rows[later, 1] = rows[later + 1, 1]
        index[q, 1] -= 1


def record(index: Index, rows: Floats, runs: int, begin: float, end: float) -> None:
    """Add a run to a list."""
    row = opened(index, rows, runs, after(index, rows, runs, end, 1))
    rows[row, 0] = begin
    rows[row, 1] = end


def earliest_shared(
    index: Index, rows: Floats, q: int, ready: float, duration: float, spare: int
) -> float:
    """Earliest start on a machine of several cores; at most `spare` may be in use meanwhile."""
    first = index[q, 0]
    last = first + index[q, 1] - 1
    row = first + after(index, rows, q, ready, 0)
    if row > last or rows[row, 0] > ready:
        row -= 1
    if duration == 0.0:
        if rows[row, 0] < ready and rows[row, 1] <= spare:
            return ready
        while rows[row, 0] < ready or rows[row, 2] > spare:
            row += 1
        return rows[row, 0]
    begin = ready
    while True:
        if rows[row, 0] > begin and rows[row, 2] + rows[row, 3] > spare:
            begin = rows[row, 0]
        if row == last:
            return begin
        if rows[row, 1] > spare:
            begin = rows[row + 1, 0]
        elif rows[row + 1, 0] >= begin + duration:
            return begin
        row += 1


def hold_shared(
    index: Index, rows: Floats, q: int, begin: float, end: float, cores: int
) -> None:
    """Use `cores` cores of machine q from `begin` to `end`."""
    first = boundary(index, rows, q, begin)
    if begin == end:
        row = index[q, 0] + first
        rows[row, 3] = max(rows[row, 3], cores)
        return
    last = boundary(index, rows, q, end)
    base = index[q, 0]
    rows[base + first, 1] += cores
    for row in range(base + first + 1, base + last):
        rows[row, 1] += cores
        rows[row, 2] += cores


def boundary(index: Index, rows: Floats, q: int, time: float) -> int:
    """Position of the step that begins at `time`, made if there is none."""
    position = after(index, rows, q, time, 0)
    if position == index[q, 1] or rows[index[q, 0] + position, 0] > time:
        row = opened(index, rows, q, position)
        used = rows[row - 1, 1]
        rows[row, 0] = time
        rows[row, 1] = used
        rows[row, 2] = used
        rows[row, 3] = 0.0
    return position


def after(index: Index, rows: Floats, which: int, value: float, column: int) -> int:
    """Position of the first row of a list whose `column` is ≥ value; its length if none."""
    base = index[which, 0]
    low, high = 0, index[which, 1]
    while low < high:
        middle = (low + high) // 2
        if rows[base + middle, column] < value:
            low = middle + 1
        else:
            high = middle
    return low


def opened(index: Index, rows: Floats, which: int, position: int) -> int:
    """Make a place at `position` of a list; returns its row."""
    count = index[which, 1]
    if count == index[which, 2]:
        top = index.shape[0] - 1
        base, old = index[top, 0], index[which, 0]
        for row in range(count):
            for column in range(4):
                rows[base + row, column] = rows[old + row, column]
        index[which, 0] = base
        index[which, 2] = max(4, 2 * count)
        index[top, 0] += index[which, 2]
    base = index[which, 0]
    for row in range(base + count, base + position, -1):
        for column in range(4):
            rows[row, column] = rows[row - 1, column]
    index[which, 1] = count + 1
    return base + position


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    tail, index, rows = empty(instance)
    earliest(tail, index, rows, 1, 0, 0.0, 1.0, 1)
    hold(tail, index, rows, 2, 1, 0.0, 1.0, 1, True)
    restore(tail, index, rows, tail.copy(), index.copy(), rows.copy())
