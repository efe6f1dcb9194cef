"""When a machine has cores free: find the earliest start of a task, and hold it.

A task may start in any idle time that is long enough (insertion; Topcuoglu, Hariri & Wu 2002,
sec. 5.1), without moving what is placed. On one core only idle gaps are searched, backwards from
the last: those that end before the task could are never looked at. A task that takes no time
needs its cores at one instant: it may lie between two runs of a core, not within one.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels.instance import Instance, Lists, Machines, tiny


def empty(instance: Instance) -> Machines:
    """Machines on which nothing is placed."""
    tasks, machines = instance.task_s.shape
    shared = 0
    for q in range(machines):
        if instance.machine_cores[q] > 1:
            shared += 1
    runs = tasks if instance.instant else 0
    steps = 2 * tasks + shared if shared > 0 else 0
    state = Machines(
        np.zeros(machines),
        _lists(machines, tasks, 2),
        _lists(machines, runs, 2),
        _lists(machines, steps, 4),
    )
    for q in range(machines):
        if instance.machine_cores[q] > 1:
            state.steps.rows[_opened(state.steps, q, 0)] = 0.0
    return state


def copied(state: Machines) -> Machines:
    """An independent copy."""
    return Machines(
        state.tail.copy(), _copied(state.gaps), _copied(state.runs), _copied(state.steps)
    )


def restore(state: Machines, kept: Machines) -> None:
    """Make `state` equal to `kept`, of which it is a `copied` one."""
    state.tail[:] = kept.tail
    _restore(state.gaps, kept.gaps)
    _restore(state.runs, kept.runs)
    _restore(state.steps, kept.steps)


def earliest(
    instance: Instance, state: Machines, q: int, ready: float, duration: float, cores: int
) -> float:
    """Earliest start ≥ `ready` on machine q; inf if the cores never suffice.

    `duration` and `ready` must be finite.
    """
    if instance.machine_cores[q] > 1:
        return _earliest_shared(state.steps, q, ready, duration, instance.machine_cores[q] - cores)
    if ready >= state.tail[q]:
        return ready
    if duration == 0.0:
        return _earliest_instant(state.runs, q, ready)
    row = _fitting_gap(state.gaps, q, ready, duration)
    return state.tail[q] if row < 0 else max(state.gaps.rows[row, 0], ready)


def hold(
    instance: Instance, state: Machines, q: int, ready: float, duration: float, cores: int
) -> float:
    """Place a task at its earliest start ≥ `ready` on machine q; returns the start."""
    if instance.machine_cores[q] > 1:
        begin = _earliest_shared(state.steps, q, ready, duration, instance.machine_cores[q] - cores)
        if begin < np.inf:
            _hold_shared(state.steps, q, begin, begin + duration, cores)
        return begin
    tail = state.tail[q]
    if ready >= tail:
        if ready > tail:
            row = _opened(state.gaps, q, state.gaps.count[q])
            state.gaps.rows[row, 0] = tail
            state.gaps.rows[row, 1] = ready
        state.tail[q] = ready + duration
        begin = ready
    elif duration == 0.0:
        begin = _earliest_instant(state.runs, q, ready)
        row = _fitting_gap(state.gaps, q, begin, 0.0)
        if row >= 0 and state.gaps.rows[row, 0] < begin:
            _narrow(state.gaps, q, row, begin, begin)
    else:
        row = _fitting_gap(state.gaps, q, ready, duration)
        if row < 0:
            begin = tail
            state.tail[q] = tail + duration
        else:
            begin = max(state.gaps.rows[row, 0], ready)
            _narrow(state.gaps, q, row, begin, begin + duration)
    if instance.instant and duration > 0.0:
        _record(state.runs, q, begin, begin + duration)
    return begin


def _fitting_gap(gaps: Lists, q: int, ready: float, duration: float) -> int:
    """Row of the earliest idle gap that takes `duration` after `ready`; -1: none."""
    base, rows = gaps.base[q], gaps.rows
    found = -1
    for row in range(base + gaps.count[q] - 1, base - 1, -1):
        if ready + duration > rows[row, 1]:
            break
        if max(rows[row, 0], ready) + duration <= rows[row, 1]:
            found = row
    return found


def _narrow(gaps: Lists, q: int, row: int, begin: float, end: float) -> None:
    """Take [begin, end] out of a gap."""
    left, right = gaps.rows[row, 0], gaps.rows[row, 1]
    if begin > left:
        gaps.rows[row, 1] = begin
        if end < right:
            after = _opened(gaps, q, row - gaps.base[q] + 1)
            gaps.rows[after, 0] = end
            gaps.rows[after, 1] = right
    elif end < right:
        gaps.rows[row, 0] = end
    else:
        last = gaps.base[q] + gaps.count[q] - 1
        for later in range(row, last):
            gaps.rows[later, 0] = gaps.rows[later + 1, 0]
            gaps.rows[later, 1] = gaps.rows[later + 1, 1]
        gaps.count[q] -= 1


def _earliest_instant(runs: Lists, q: int, ready: float) -> float:
    """First time ≥ `ready` that lies within no run of a one-core machine."""
    position = _after(runs, q, ready, 1)
    if position == runs.count[q]:
        return ready
    row = runs.base[q] + position
    return ready if runs.rows[row, 0] >= ready else runs.rows[row, 1]


def _record(runs: Lists, q: int, begin: float, end: float) -> None:
    row = _opened(runs, q, _after(runs, q, end, 1))
    runs.rows[row, 0] = begin
    runs.rows[row, 1] = end


def _earliest_shared(steps: Lists, q: int, ready: float, duration: float, spare: int) -> float:
    """Earliest start on a machine of several cores; at most `spare` may be in use meanwhile."""
    if spare < 0:
        return np.inf
    rows = steps.rows
    first = steps.base[q]
    last = first + steps.count[q] - 1
    row = first + _after(steps, q, ready, 0)
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


def _hold_shared(steps: Lists, q: int, begin: float, end: float, cores: int) -> None:
    first = _boundary(steps, q, begin)
    if begin == end:
        row = steps.base[q] + first
        steps.rows[row, 3] = max(steps.rows[row, 3], cores)
        return
    last = _boundary(steps, q, end)
    base, rows = steps.base[q], steps.rows
    rows[base + first, 1] += cores
    for row in range(base + first + 1, base + last):
        rows[row, 1] += cores
        rows[row, 2] += cores


def _boundary(steps: Lists, q: int, time: float) -> int:
    """Position of the step that begins at `time`, made if there is none."""
    position = _after(steps, q, time, 0)
    if position == steps.count[q] or steps.rows[steps.base[q] + position, 0] > time:
        row = _opened(steps, q, position)
        used = steps.rows[row - 1, 1]
        steps.rows[row, 0] = time
        steps.rows[row, 1] = used
        steps.rows[row, 2] = used
        steps.rows[row, 3] = 0.0
    return position


def _after(lists: Lists, q: int, value: float, column: int) -> int:
    """Position of the first row of machine q whose `column` is ≥ value; its count if none."""
    base, rows = lists.base[q], lists.rows
    low, high = 0, lists.count[q]
    while low < high:
        middle = (low + high) // 2
        if rows[base + middle, column] < value:
            low = middle + 1
        else:
            high = middle
    return low


def _lists(machines: int, most: int, columns: int) -> Lists:
    """Empty lists that can take `most` rows in all: doubling rooms fill less than 4 rows each."""
    return Lists(
        np.zeros(machines, np.int64),
        np.zeros(machines, np.int64),
        np.zeros(machines, np.int64),
        np.zeros(1, np.int64),
        np.empty((4 * (most + machines), columns)),
    )


def _opened(lists: Lists, q: int, position: int) -> int:
    """Make a place at `position` of the list of machine q; returns its row."""
    count, rows = lists.count[q], lists.rows
    if count == lists.room[q]:
        room = max(4, 2 * count)
        base, old = lists.top[0], lists.base[q]
        for row in range(count):
            for column in range(rows.shape[1]):
                rows[base + row, column] = rows[old + row, column]
        lists.base[q], lists.room[q] = base, room
        lists.top[0] += room
    base = lists.base[q]
    for row in range(base + count, base + position, -1):
        for column in range(rows.shape[1]):
            rows[row, column] = rows[row - 1, column]
    lists.count[q] = count + 1
    return base + position


def _copied(lists: Lists) -> Lists:
    rows = np.empty_like(lists.rows)
    rows[: lists.top[0]] = lists.rows[: lists.top[0]]
    return Lists(lists.base.copy(), lists.count.copy(), lists.room.copy(), lists.top.copy(), rows)


def _restore(lists: Lists, kept: Lists) -> None:
    lists.base[:] = kept.base
    lists.count[:] = kept.count
    lists.room[:] = kept.room
    lists.rows[: kept.top[0]] = kept.rows[: kept.top[0]]
    lists.top[0] = kept.top[0]


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    state = empty(instance)
    hold(instance, state, 0, 0.0, 1.0, 1)
    earliest(instance, state, 1, 0.0, 1.0, 1)
    restore(copied(state), state)
