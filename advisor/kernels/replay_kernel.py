"""The contention-aware schedule replayed after moves: what is not moved keeps its duration.

No link is simulated: every task and transfer keeps the seconds of the plan as it was carried out,
what moves to or from a moved task takes its seconds alone, and machines take their tasks in order.
So a replay is the longest path of the graph of data and machine orders, in one pass without events.
Model and error: `advisor.allocation.preview`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import simulation_state as floor
from advisor.kernels.executed import Executed, small
from machines.arrays import Flags, Floats, Indices

INLINED = ("hold", "ready_s")
BORROWING = (*INLINED, "alone_s", "new_lag_s", "move_lags", "duration_s", "play")


class Carried(NamedTuple):
    """How a plan went; n tasks, s slots.

    Attributes
    ----------
    allocation, order : int32 arrays (n,)
        Machine of every task; an order in which all take their cores, each after what it needs.
    first_wait, waited : int32 arrays (n + 1,), (…)
        Tasks whose end alone each task waits for.
    writer, place : int32 arrays (s,)
        Of everything that is read, reader by reader as in ``executed.input_slot``: the task that
        makes it, or -1. Of every slot: where it is among these.
    taken_s, start_s, end_s : array (n,)
        When a task took its cores, when its data were there too, and its end.
    lag_s : array (s,)
        Of everything that is read: from its writer's end, or 0, until it was with the reader; if
        it is fetched in the slot, from when the reader had its cores.
    """

    allocation: Indices
    order: Indices
    first_wait: Indices
    waited: Indices
    writer: Indices
    place: Indices
    taken_s: Floats
    start_s: Floats
    end_s: Floats
    lag_s: Floats


class Cores(NamedTuple):
    """When the cores of each machine are free, ascending, and when its last task took some."""

    first: Indices
    free: Floats
    last: Floats


def hold(cores: Cores, q: int, need: int, until: float) -> None:
    """Hold those of a machine's cores that are free first."""
    low, high = cores.first[q], cores.first[q + 1]
    reader, writer = low + need, low
    while reader < high and cores.free[reader] <= until:
        cores.free[writer] = cores.free[reader]
        reader += 1
        writer += 1
    while writer < reader:
        cores.free[writer] = until
        writer += 1


def lay_out(executed: Executed, carried: Carried, moved: Indices, ahead: int) -> Cores:
    """The cores, no more than tasks could hold, after the first `ahead` tasks of the order."""
    tasks, machines = executed.work_s.shape
    wanted, extra = np.zeros(machines, np.int64), 0
    for task in range(tasks):
        wanted[carried.allocation[task]] += executed.task_cores[task]
    for task in moved:
        extra += executed.task_cores[task]
    first = np.zeros(machines + 1, np.int32)
    for q in range(machines):
        first[q + 1] = first[q] + min(executed.machine_cores[q], wanted[q] + extra)
    cores = Cores(first, np.zeros(first[machines]), np.zeros(machines))
    for place in range(ahead):
        task = carried.order[place]
        q = carried.allocation[task]
        hold(cores, q, executed.task_cores[task], carried.end_s[task])
        cores.last[q] = max(cores.last[q], carried.taken_s[task])
    return cores


def alone_s(executed: Executed, item: int, p: int, q: int) -> float:
    """Seconds of an item from host p to machine q, nothing else being under way."""
    seconds = floor.delay_of(executed, item, p, q)
    if executed.table[item] < 0:
        for size in range(executed.shares.shape[1]):
            share = executed.shares[executed.mix[item], size]
            if share > 0.0:
                seconds += executed.size_bytes[item] * share * executed.per_byte_s[size, p, q]
    return seconds


def new_lag_s(
    executed: Executed, carried: Carried, shifted: Flags, slot: int, p: int, q: int
) -> float:
    """What an item takes from host p to a reader on q of which one was elsewhere before."""
    item = executed.item[slot]
    if p == q or not floor.moves(executed, item):
        return 0.0
    writer = executed.writer[item]
    if executed.once and not executed.slot and not (writer >= 0 and shifted[writer]):
        for other in range(executed.first_slot[item], executed.first_slot[item + 1]):
            reader = executed.reader[other]
            if carried.allocation[reader] == q and not shifted[reader]:
                return float(carried.lag_s[carried.place[other]])
    return alone_s(executed, item, p, q)


def move_lags(
    executed: Executed, carried: Carried, shifted: Flags, moved: Indices, q: int, lag: Floats
) -> None:
    """The lags of what the shifted tasks read and make, once they are on machine q."""
    for task in moved:
        if not shifted[task]:
            continue
        for place in range(executed.first_input[task], executed.first_input[task + 1]):
            slot = executed.input_slot[place]
            item = executed.item[slot]
            writer, p = executed.writer[item], executed.home[item]
            if writer >= 0:
                p = q if shifted[writer] else carried.allocation[writer]
            lag[place] = new_lag_s(executed, carried, shifted, slot, p, q)
        for place in range(executed.first_made[task], executed.first_made[task + 1]):
            item = executed.made[place]
            for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
                reader = executed.reader[slot]
                there = q if shifted[reader] else carried.allocation[reader]
                row = carried.place[slot]
                lag[row] = new_lag_s(executed, carried, shifted, slot, q, there)


def ready_s(
    executed: Executed, carried: Carried, end: Floats, lag: Floats, task: int
) -> tuple[float, float]:
    """When a task may take its cores, and how long it then fetches."""
    ready, fetch = 0.0, 0.0
    for place in range(executed.first_input[task], executed.first_input[task + 1]):
        writer = carried.writer[place]
        made = end[writer] if writer >= 0 else 0.0
        if executed.slot:
            fetch = max(fetch, lag[place])
        else:
            made += lag[place]
        ready = max(ready, made)
    for place in range(carried.first_wait[task], carried.first_wait[task + 1]):
        ready = max(ready, end[carried.waited[place]])
    return ready, fetch


def duration_s(executed: Executed, cores: Cores, task: int, q: int, now: float) -> float:
    """Seconds of a task on a machine beside the tasks that hold its cores then."""
    using = executed.task_cores[task]
    for place in range(cores.first[q], cores.first[q + 1]):
        if cores.free[place] > now:
            using += 1
    using = min(using, executed.machine_cores[q])
    speed = executed.rates[executed.first_rate[q] + using - 1]
    return float(executed.overhead_s + executed.work_s[task, q] / speed)


def play(
    executed: Executed,
    carried: Carried,
    cores: Cores,
    shifted: Flags,
    lag: Floats,
    target: int,
    first: int,
    start: Floats,
    end: Floats,
) -> float:
    """Replay from place `first` of the order, the shifted tasks on `target`; the latest end."""
    latest = 0.0
    for place in range(first, carried.order.size):
        task = carried.order[place]
        q = target if shifted[task] else carried.allocation[task]
        need = executed.task_cores[task]
        ready, fetch = ready_s(executed, carried, end, lag, task)
        taken = max(ready, cores.free[cores.first[q] + need - 1])
        if not executed.eager:
            taken = max(taken, cores.last[q])
        cores.last[q] = taken
        start[task] = taken + fetch
        if shifted[task]:
            end[task] = start[task] + duration_s(executed, cores, task, q, taken)
        else:
            end[task] = start[task] + (carried.end_s[task] - carried.start_s[task])
        hold(cores, q, need, end[task])
        latest = max(latest, end[task])
    return latest


def lanes(
    executed: Executed,
    carried: Carried,
    moved: Indices,
    makespans: Floats,
    starts: Floats,
    ends: Floats,
) -> None:
    """Makespans if the `moved` tasks went to each machine in turn.

    Fills `makespans`, and `starts` and `ends` of the first moved task; each of shape (m,), inf
    where infeasible.
    """
    tasks, machines = executed.work_s.shape
    marked = np.zeros(tasks, np.bool_)
    for task in moved:
        marked[task] = True
    first, before = 0, 0.0
    while not marked[carried.order[first]]:
        before = max(before, carried.end_s[carried.order[first]])
        first += 1
    present = lay_out(executed, carried, moved, first)
    start, end = carried.start_s.copy(), carried.end_s.copy()
    lag, shifted = carried.lag_s.copy(), np.zeros(tasks, np.bool_)
    for q in range(machines):
        able = True
        for task in moved:
            shifted[task] = carried.allocation[task] != q
            able &= executed.task_cores[task] <= executed.machine_cores[q]
            able &= executed.work_s[task, q] < np.inf
        value = np.inf
        if able:
            lag[:] = carried.lag_s
            move_lags(executed, carried, shifted, moved, q, lag)
            cores = Cores(present.first, present.free.copy(), present.last.copy())
            later = play(executed, carried, cores, shifted, lag, q, first, start, end)
            value = max(before, later)
        makespans[q] = value
        starts[q] = start[moved[0]] if value < np.inf else np.inf
        ends[q] = end[moved[0]] if value < np.inf else np.inf


def warm_up() -> None:
    """Compile for the array types in use."""
    executed, values = small(), np.empty(2)
    both, none = np.array([0, 1], np.int32), np.zeros(3, np.int32)
    times = np.zeros(2)
    one = np.zeros(1, np.int32)
    carried = Carried(both, both, none, one[:0], one, one, times, times, times, np.zeros(1))
    lanes(executed, carried, both, values, values.copy(), values.copy())
