"""When a machine has cores free: find the earliest start of a task, and hold it.

A task may start in any idle time that is long enough (insertion; Topcuoglu, Hariri & Wu 2002,
sec. 5.1), without moving what is placed. On one core only the idle gaps that end after the task
could are looked at. A task that takes no time needs its cores at one instant: it may lie between
two runs of a core, not within one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.kernels.instance import Floats, Instance, tiny

Index = NDArray[np.int64]

INLINED = ("hold", "record", "earliest", "earliest_gap", "earliest_instant", "appended")
BORROWING = (
    *INLINED,
    *("narrow", "earliest_shared", "hold_shared"),
    *("boundary", "after", "opened"),
)


class Held(NamedTuple):
    """What the tasks placed so far hold of m machines.

    Attributes
    ----------
    tail : array (m,)
        Last end, of machines with one core.
    index : int64 array (2m + 1, 3)
        Growing lists in the pool `rows`: list k has rows ``index[k, 0]`` to ``index[k, 0] +
        index[k, 1] - 1`` and room for ``index[k, 2]``; ``index[2m, 0]`` is the first free row.
    rows : array (rows, 2)
        Of a machine q with one core, list q holds the idle gaps before its tail (start, end), and
        list m + q its runs (start, end), kept only when some task takes no time; both ascending.
        Of one with several, list q holds steps (time, cores in use from then to the next), and
        list m + q, again only if needed, beside them (cores of tasks that run through that time,
        most cores of a task that takes no time there).
    """

    tail: Floats
    index: Index
    rows: Floats


def empty(instance: Instance) -> Held:
    """Machines on which nothing is placed.

    Doubling rooms fill at most four rows for each that is used.
    """
    tasks, machines = instance.task_s.shape
    most = 2 * tasks if (instance.machine_cores > 1).any() else tasks
    if instance.instant:
        most *= 2
    index = np.zeros((2 * machines + 1, 3), np.int64)
    rows = np.empty((4 * (most + 2 * machines), 2))
    for q in range(machines):
        if instance.machine_cores[q] > 1:
            appended(index, rows, q, 0.0, 0.0)
            if instance.instant:
                appended(index, rows, machines + q, 0.0, 0.0)
    return Held(np.zeros(machines), index, rows)


def copied(held: Held) -> Held:
    """An independent copy."""
    return Held(held.tail.copy(), held.index.copy(), held.rows.copy())


def restore(held: Held, earlier: Held) -> None:
    """Make `held` equal to what it was when `earlier` was copied."""
    held.tail[:] = earlier.tail
    held.index[:] = earlier.index
    rows = held.rows
    for row in range(earlier.index[earlier.index.shape[0] - 1, 0]):
        rows[row, 0] = earlier.rows[row, 0]
        rows[row, 1] = earlier.rows[row, 1]


def earliest(
    instance: Instance, held: Held, task: int, q: int, ready: float, duration: float
) -> float:
    """Earliest start ≥ `ready` of a task on machine q, which has enough cores.

    `ready` and `duration` must be finite.
    """
    begin = ready
    capacity = instance.machine_cores[q]
    if capacity > 1:
        spare = capacity - instance.task_cores[task]
        instant = instance.instant
        begin = earliest_shared(held.index, held.rows, q, ready, duration, spare, instant)
    elif ready < held.tail[q]:
        if duration > 0.0:
            row = earliest_gap(held.index, held.rows, q, ready, duration)
            begin = held.tail[q] if row < 0 else max(held.rows[row, 0], ready)
        else:
            begin = earliest_instant(held.index, held.rows, held.tail.size + q, ready)
    return begin


def hold(instance: Instance, held: Held, task: int, q: int, ready: float, duration: float) -> float:
    """Place a task at its `earliest` start, which is returned."""
    begin = ready
    tail, index, rows = held.tail, held.index, held.rows
    capacity, instant = instance.machine_cores[q], instance.instant
    if capacity > 1:
        needs = instance.task_cores[task]
        begin = earliest_shared(index, rows, q, ready, duration, capacity - needs, instant)
        hold_shared(index, rows, q, begin, begin + duration, needs, instant)
    else:
        last = tail[q]
        if ready >= last:
            if ready > last:
                appended(index, rows, q, last, ready)
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
        if instant and begin + duration > begin:
            record(index, rows, tail.size + q, begin, begin + duration)
    return begin


def earliest_gap(index: Index, rows: Floats, q: int, ready: float, duration: float) -> int:
    """Row of the earliest idle gap that takes `duration` after `ready`; -1: none."""
    stop = index[q, 0] + index[q, 1]
    found = -1
    if index[q, 1] > 0 and ready + duration <= rows[stop - 1, 1]:
        row = index[q, 0] + after(index, rows, q, ready + duration, 1)
        while row < stop and max(rows[row, 0], ready) + duration > rows[row, 1]:
            row += 1
        if row < stop:
            found = row
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


def appended(index: Index, rows: Floats, which: int, begin: float, end: float) -> None:
    """Add (begin, end) at the end of a list."""
    row = index[which, 0] + index[which, 1]
    if index[which, 1] == index[which, 2]:
        row = opened(index, rows, which, index[which, 1])
    else:
        index[which, 1] += 1
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
    count = index[runs, 1]
    if count == 0 or rows[index[runs, 0] + count - 1, 1] <= begin:
        appended(index, rows, runs, begin, end)
    else:
        row = opened(index, rows, runs, after(index, rows, runs, end, 1))
        rows[row, 0] = begin
        rows[row, 1] = end


def earliest_shared(
    index: Index,
    rows: Floats,
    q: int,
    ready: float,
    duration: float,
    spare: int,
    instant: bool,
) -> float:
    """Earliest start on a machine of several cores; at most `spare` may be in use meanwhile."""
    first = index[q, 0]
    last = first + index[q, 1] - 1
    beside = index[index.shape[0] // 2 + q, 0] - first
    row = first + after(index, rows, q, ready, 0)
    if row > last or rows[row, 0] > ready:
        row -= 1
    if duration == 0.0:
        if rows[row, 0] < ready and rows[row, 1] <= spare:
            return ready
        while rows[row, 0] < ready or rows[beside + row, 0] > spare:
            row += 1
        return rows[row, 0]
    begin = ready
    while True:
        if instant and rows[row, 0] > begin:
            through = rows[beside + row, 0] + rows[beside + row, 1]
            if through > spare:
                begin = rows[row, 0]
        if row == last:
            return begin
        if rows[row, 1] > spare:
            begin = rows[row + 1, 0]
        elif rows[row + 1, 0] >= begin + duration:
            return begin
        row += 1


def hold_shared(
    index: Index, rows: Floats, q: int, begin: float, end: float, needs: int, instant: bool
) -> None:
    """Use `needs` cores of machine q from `begin` to `end`."""
    twin = index.shape[0] // 2 + q
    first = boundary(index, rows, q, begin, instant)
    if begin == end:
        if instant:
            row = index[twin, 0] + first
            rows[row, 1] = max(rows[row, 1], needs)
        return
    last = boundary(index, rows, q, end, instant)
    base, beside = index[q, 0], index[twin, 0]
    for position in range(first, last):
        rows[base + position, 1] += needs
    if instant:
        for position in range(first + 1, last):
            rows[beside + position, 0] += needs


def boundary(index: Index, rows: Floats, q: int, time: float, instant: bool) -> int:
    """Position of the step that begins at `time`, made if there is none."""
    position = after(index, rows, q, time, 0)
    if position == index[q, 1] or rows[index[q, 0] + position, 0] > time:
        row = opened(index, rows, q, position)
        used = rows[row - 1, 1]
        rows[row, 0] = time
        rows[row, 1] = used
        if instant:
            row = opened(index, rows, index.shape[0] // 2 + q, position)
            rows[row, 0] = used
            rows[row, 1] = 0.0
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
            rows[base + row, 0] = rows[old + row, 0]
            rows[base + row, 1] = rows[old + row, 1]
        index[which, 0] = base
        index[which, 2] = max(4, 2 * count)
        index[top, 0] += index[which, 2]
    base = index[which, 0]
    for row in range(base + count, base + position, -1):
        rows[row, 0] = rows[row - 1, 0]
        rows[row, 1] = rows[row - 1, 1]
    index[which, 1] = count + 1
    return base + position


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    held = empty(instance)
    earlier = copied(held)
    earliest(instance, held, 0, 0, 0.0, 1.0)
    hold(instance, held, 0, 1, 0.0, 1.0)
    restore(held, earlier)
