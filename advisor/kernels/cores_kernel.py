"""When a machine has all that a task holds: find the earliest start of a task, and hold it.

A task may start in any idle time that is long enough (insertion; Topcuoglu, Hariri & Wu 2002,
sec. 5.1), without moving what is placed. On one core only the idle gaps that end after the task
could are looked at. A task that takes no time needs its cores at one instant: it may lie between
two runs of a core, not within one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import kept_kernel
from advisor.kernels.instance import Instance, tiny
from advisor.kernels.kept_kernel import Staying
from machines.arrays import Floats, Ints

Lists = Ints

INLINED = (
    "hold",
    "record",
    "earliest",
    "on_cores",
    "earliest_gap",
    "earliest_instant",
    "appended",
    "narrow",
    "opened",
)
BORROWING = (
    *INLINED,
    *("earliest_shared", "hold_shared", "hold_kinds"),
    *("boundary", "after"),
)


class Held(NamedTuple):
    """What the tasks placed so far hold of m machines, and of c rooms of memory and resources.

    Attributes
    ----------
    tail : array (m,)
        Last end, of machines with one core.
    lists : int64 array (2(m + c) + 1, 3)
        Growing lists in the pool `rows`: list k has rows ``lists[k, 0]`` to ``lists[k, 0] +
        lists[k, 1] - 1`` and space for ``lists[k, 2]``; the last list has the first free row.
    rows : array (rows, 2)
        Of a machine q with one core, list q holds the idle gaps before its tail (start, end), and
        list m + c + q its runs (start, end), kept only when some task takes no time; both
        ascending. Of one with several, list q holds steps (time, cores in use from then to the
        next), and list m + c + q, again only if needed, beside them (cores of tasks that run
        through that time, most cores of a task that takes no time there). List m + i is of room i
        what list q is of the cores of a machine with several.
    staying : Staying
        Outputs that stay in memory, where the machines of all tasks are known; else empty.
    """

    tail: Floats
    lists: Lists
    rows: Floats
    staying: Staying


def empty(instance: Instance) -> Held:
    """Machines on which nothing is placed.

    Doubling rooms fill at most four rows for each that is used.
    """
    tasks, machines = instance.task_s.shape
    most = 2 * tasks if (instance.machine_cores > 1).any() else tasks
    most += 2 * tasks * instance.amount.shape[1]
    if instance.kept.size.size > 0:
        most += 2 * tasks + instance.kept.size.size
    if instance.instant:
        most *= 2
    units = machines + instance.room.size
    lists = np.zeros((2 * units + 1, 3), np.int64)
    rows = np.empty((4 * (most + 2 * units), 2))
    for q in range(units):
        if q >= machines or instance.machine_cores[q] > 1:
            appended(lists, rows, q, 0.0, 0.0)
            if instance.instant:
                appended(lists, rows, units + q, 0.0, 0.0)
    return Held(np.zeros(machines), lists, rows, kept_kernel.new_staying(kept_kernel.nothing(), 0))


def copied(held: Held) -> Held:
    """An independent copy."""
    return Held(held.tail.copy(), held.lists.copy(), held.rows.copy(), held.staying)


def restore(held: Held, earlier: Held) -> None:
    """Make `held` equal to what it was when `earlier` was copied."""
    tail, lists, rows = held.tail, held.lists, held.rows
    for q in range(tail.size):
        tail[q] = earlier.tail[q]
    for which in range(lists.shape[0]):
        for column in range(3):
            lists[which, column] = earlier.lists[which, column]
    for row in range(earlier.lists[earlier.lists.shape[0] - 1, 0]):
        rows[row, 0] = earlier.rows[row, 0]
        rows[row, 1] = earlier.rows[row, 1]


def earliest(
    instance: Instance, held: Held, task: int, q: int, ready: float, duration: float
) -> float:
    """Earliest start ≥ `ready` of a task on machine q, which has enough of all that it holds.

    `ready` and `duration` must be finite. inf: outputs fill the memory for ever.
    """
    begin = on_cores(instance, held, task, q, ready, duration)
    kinds, kind = instance.amount.shape[1], 0
    while kind < kinds:  # until all kinds agree on one time
        amount = kept_kernel.wanted(instance.amount, held.staying, task, kind)
        if amount > 0.0:
            room = instance.place[kind, q]
            spare = instance.room[room] - amount
            unit = held.tail.size + room
            later = earliest_shared(
                held.lists, held.rows, unit, begin, duration, spare, instance.instant
            )
            if later == np.inf:
                return later
            if later > begin:
                begin = on_cores(instance, held, task, q, later, duration)
                kind = -1
        kind += 1
    return begin


def on_cores(
    instance: Instance, held: Held, task: int, q: int, ready: float, duration: float
) -> float:
    """Earliest start by cores alone."""
    begin = ready
    capacity = instance.machine_cores[q]
    if capacity > 1:
        spare = float(capacity - instance.task_cores[task])
        instant = instance.instant
        begin = earliest_shared(held.lists, held.rows, q, ready, duration, spare, instant)
    elif ready < held.tail[q]:
        if duration > 0.0:
            row = earliest_gap(held.lists, held.rows, q, ready, duration)
            begin = held.tail[q] if row < 0 else max(held.rows[row, 0], ready)
        else:
            runs = held.lists.shape[0] // 2 + q
            begin = earliest_instant(held.lists, held.rows, runs, ready)
    return begin


def hold(instance: Instance, held: Held, task: int, q: int, ready: float, duration: float) -> float:
    """Place a task at its `earliest` start, which is returned."""
    if instance.amount.shape[1] > 0:
        ready = hold_kinds(instance, held, task, q, ready, duration)
        if ready == np.inf:
            return ready
    begin = ready
    tail, lists, rows = held.tail, held.lists, held.rows
    capacity, instant = instance.machine_cores[q], instance.instant
    if capacity > 1:
        needs = float(instance.task_cores[task])
        begin = earliest_shared(lists, rows, q, ready, duration, capacity - needs, instant)
        hold_shared(lists, rows, q, begin, begin + duration, needs, instant)
    else:
        last = tail[q]
        if ready >= last:
            if ready > last:
                appended(lists, rows, q, last, ready)
            tail[q] = ready + duration
        elif duration > 0.0:
            row = earliest_gap(lists, rows, q, ready, duration)
            if row < 0:
                begin = last
                tail[q] = last + duration
            else:
                begin = max(rows[row, 0], ready)
                narrow(lists, rows, q, row, begin, begin + duration)
        else:
            begin = earliest_instant(lists, rows, lists.shape[0] // 2 + q, ready)
            row = earliest_gap(lists, rows, q, begin, 0.0)
            if row >= 0 and rows[row, 0] < begin:
                narrow(lists, rows, q, row, begin, begin)
        if instant and begin + duration > begin:
            record(lists, rows, lists.shape[0] // 2 + q, begin, begin + duration)
    return begin


def hold_kinds(
    instance: Instance, held: Held, task: int, q: int, ready: float, duration: float
) -> float:
    """Hold memory and resources from the earliest start on, which is returned."""
    begin = earliest(instance, held, task, q, ready, duration)
    for kind in range(instance.amount.shape[1]):
        amount = kept_kernel.wanted(instance.amount, held.staying, task, kind)
        if amount > 0.0 and begin < np.inf:
            unit, until = held.tail.size + instance.place[kind, q], begin + duration
            hold_shared(held.lists, held.rows, unit, begin, until, amount, instance.instant)
    return begin


def earliest_gap(lists: Lists, rows: Floats, q: int, ready: float, duration: float) -> int:
    """Row of the earliest idle gap that takes `duration` after `ready`; -1: none.

    Most often it is near the last, where a walk is quicker than a binary search.
    """
    base, until = lists[q, 0], ready + duration
    stop = base + lists[q, 1]
    row, near = stop, max(base, stop - 64)
    while row > near and rows[row - 1, 1] >= until:
        row -= 1
    if row == near and row > base:
        row = base + after(lists, rows, q, until, 1)
    while row < stop and max(rows[row, 0], ready) + duration > rows[row, 1]:
        row += 1
    return row if row < stop else -1


def earliest_instant(lists: Lists, rows: Floats, runs: int, ready: float) -> float:
    """First time ≥ `ready` that lies within no run of a list."""
    begin = ready
    position = after(lists, rows, runs, ready, 1)
    if position < lists[runs, 1]:
        row = lists[runs, 0] + position
        if rows[row, 0] < ready:
            begin = rows[row, 1]
    return begin


def appended(lists: Lists, rows: Floats, which: int, begin: float, end: float) -> None:
    """Add (begin, end) at the end of a list."""
    row = lists[which, 0] + lists[which, 1]
    if lists[which, 1] == lists[which, 2]:
        row = opened(lists, rows, which, lists[which, 1])
    else:
        lists[which, 1] += 1
    rows[row, 0] = begin
    rows[row, 1] = end


def narrow(lists: Lists, rows: Floats, q: int, row: int, begin: float, end: float) -> None:
    """Take [begin, end] out of a gap."""
    left, right = rows[row, 0], rows[row, 1]
    if begin > left:
        rows[row, 1] = begin
        if end < right:
            row = opened(lists, rows, q, row - lists[q, 0] + 1)
            rows[row, 0] = end
            rows[row, 1] = right
    elif end < right:
        rows[row, 0] = end
    else:
        for later in range(row, lists[q, 0] + lists[q, 1] - 1):
            rows[later, 0] = rows[later + 1, 0]
            rows[later, 1] = rows[later + 1, 1]
        lists[q, 1] -= 1


def record(lists: Lists, rows: Floats, runs: int, begin: float, end: float) -> None:
    """Add a run to a list."""
    count = lists[runs, 1]
    if count == 0 or rows[lists[runs, 0] + count - 1, 1] <= begin:
        appended(lists, rows, runs, begin, end)
    else:
        row = opened(lists, rows, runs, after(lists, rows, runs, end, 1))
        rows[row, 0] = begin
        rows[row, 1] = end


def earliest_shared(
    lists: Lists,
    rows: Floats,
    q: int,
    ready: float,
    duration: float,
    spare: float,
    instant: bool,
) -> float:
    """Earliest start by the steps of list q; at most `spare` may be in use meanwhile."""
    first = lists[q, 0]
    last = first + lists[q, 1] - 1
    beside = lists[lists.shape[0] // 2 + q, 0] - first
    row = first + after(lists, rows, q, ready, 0)
    if row > last or rows[row, 0] > ready:
        row -= 1
    if duration == 0.0:
        if rows[row, 0] < ready and rows[row, 1] <= spare:
            return ready
        while rows[row, 0] < ready or rows[beside + row, 0] > spare:
            row += 1
        at: float = rows[row, 0]
        return at
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
    lists: Lists, rows: Floats, q: int, begin: float, end: float, needs: float, instant: bool
) -> None:
    """Use `needs` of what list q has from `begin` to `end`."""
    twin = lists.shape[0] // 2 + q
    first = boundary(lists, rows, q, begin, instant)
    if begin == end:
        if instant:
            row = lists[twin, 0] + first
            rows[row, 1] = max(rows[row, 1], needs)
        return
    last = boundary(lists, rows, q, end, instant)
    base, beside = lists[q, 0], lists[twin, 0]
    for position in range(first, last):
        rows[base + position, 1] += needs
    if instant:
        for position in range(first + 1, last):
            rows[beside + position, 0] += needs


def boundary(lists: Lists, rows: Floats, q: int, time: float, instant: bool) -> int:
    """Position of the step that begins at `time`, made if there is none."""
    position = after(lists, rows, q, time, 0)
    if position == lists[q, 1] or rows[lists[q, 0] + position, 0] > time:
        row = opened(lists, rows, q, position)
        used = rows[row - 1, 1]
        rows[row, 0] = time
        rows[row, 1] = used
        if instant:
            row = opened(lists, rows, lists.shape[0] // 2 + q, position)
            rows[row, 0] = used
            rows[row, 1] = 0.0
    return position


def after(lists: Lists, rows: Floats, which: int, value: float, column: int) -> int:
    """Position of the first row of a list whose `column` is ≥ value; its length if none."""
    base = lists[which, 0]
    low, high = 0, lists[which, 1]
    while low < high:
        middle = (low + high) // 2
        if rows[base + middle, column] < value:
            low = middle + 1
        else:
            high = middle
    return low


def opened(lists: Lists, rows: Floats, which: int, position: int) -> int:
    """Make a place at `position` of a list; returns its row."""
    count = lists[which, 1]
    if count == lists[which, 2]:
        top = lists.shape[0] - 1
        base, old = lists[top, 0], lists[which, 0]
        for row in range(count):
            rows[base + row, 0] = rows[old + row, 0]
            rows[base + row, 1] = rows[old + row, 1]
        lists[which, 0] = base
        lists[which, 2] = max(4, 2 * count)
        lists[top, 0] += lists[which, 2]
    base = lists[which, 0]
    for row in range(base + count, base + position, -1):
        rows[row, 0] = rows[row - 1, 0]
        rows[row, 1] = rows[row - 1, 1]
    lists[which, 1] = count + 1
    opening: int = base + position
    return opening


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    held = empty(instance)
    earlier = copied(held)
    earliest(instance, held, 0, 0, 0.0, 1.0)
    hold(instance, held, 0, 1, 0.0, 1.0)
    restore(held, earlier)
