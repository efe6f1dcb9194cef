"""Timelines of a given allocation: full, after moves, and the totals.

Tasks are placed in an order that respects the flows, each at its earliest start on its machine:
ready = max over inputs of (end of the source + seconds of the flow), and the arrival of files from
outside; then `cores.hold`.
An infeasible allocation takes for ever: inf.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import cores_kernel as cores
from advisor.kernels import costs_kernel as costs
from advisor.kernels import kept_kernel
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Flags, Floats, Indices, Ints

Marks = Flags

INLINED = ("ready_s",)
BORROWING = (
    *INLINED,
    "place",
    "touching",
    "keep",
    "give_back",
    "once_it_may_stay",
    "nothing_placed",
)


def ready_s(instance: Instance, allocation: Indices, end: Floats, task: int, q: int) -> float:
    """When the inputs of a task have reached machine q."""
    ready = costs.fetched_s(instance, task, q)
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        source = instance.source[edge]
        ready = max(ready, end[source] + costs.flow_s(instance, edge, allocation[source], q))
    return ready


def place(
    instance: Instance,
    allocation: Indices,
    order: Indices,
    first: int,
    last: int,
    held: cores.Held,
    start: Floats,
    end: Floats,
) -> float:
    """Place the tasks ``order[first:last]`` beside what is `held`; fills `start` and `end`.

    Returns
    -------
    float
        Their latest end; inf as soon as one of them can't run or be reached.
    """
    latest = 0.0
    for position in range(first, last):
        task = order[position]
        q = allocation[task]
        duration = instance.task_s[task, q]
        ready = ready_s(instance, allocation, end, task, q)
        if held.staying.stay.size > 0 and ready < np.inf:
            ready = once_it_may_stay(instance, held, task, q, ready, duration)
        if ready + duration == np.inf:
            return np.inf
        begin = cores.hold(instance, held, task, q, ready, duration)
        if begin == np.inf:
            return np.inf
        start[task] = begin
        end[task] = begin + duration
        if held.staying.stay.size > 0:
            keep(instance, held, allocation, task, q, end)
        latest = max(latest, end[task])
    return latest


def keep(
    instance: Instance, held: cores.Held, allocation: Indices, task: int, q: int, end: Floats
) -> None:
    """What a placed task makes stays for ever, until the last of its readers there is placed."""
    kept, staying, unit = instance.kept, held.staying, held.tail.size + instance.place[0, q]
    if staying.stay[task] > 0.0:
        until, stay = np.inf, staying.stay[task]
        cores.hold_shared(held.lists, held.rows, unit, end[task], until, stay, instance.instant)
    for row in range(kept.first_read[task], kept.first_read[task + 1]):
        item = kept.read[row]
        writer = kept.writer[item]
        if staying.readers[item] == 0 or allocation[writer] != q:
            continue
        staying.readers[item] -= 1
        staying.until[item] = max(staying.until[item], end[task])
        if staying.readers[item] == 0:
            since, until = end[writer], staying.until[item]
            size, instant = kept.size[item], instance.instant
            give_back(held, unit, since, until, size, instant)


def give_back(
    held: cores.Held, unit: int, since: float, until: float, amount: float, instant: bool
) -> None:
    """End at `until` what list `unit` was to hold for ever from `since` on."""
    lists, rows = held.lists, held.rows
    first = cores.boundary(lists, rows, unit, until, instant)
    last = cores.boundary(lists, rows, unit, np.inf, instant)
    base, beside = lists[unit, 0], lists[lists.shape[0] // 2 + unit, 0]
    for position in range(first, last):
        rows[base + position, 1] -= amount
        if instant and (position > first or until > since):
            rows[beside + position, 0] -= amount


def once_it_may_stay(
    instance: Instance, held: cores.Held, task: int, q: int, ready: float, duration: float
) -> float:
    """Earliest start from whose end on there is always memory for what a task makes; inf: never."""
    if held.staying.stay[task] == 0.0:
        return ready
    lists, rows = held.lists, held.rows
    unit = held.tail.size + instance.place[0, q]
    spare = instance.room[instance.place[0, q]] - held.staying.stay[task]
    row = lists[unit, 0] + lists[unit, 1]
    since = np.inf
    while row > lists[unit, 0] and (rows[row - 1, 1] <= spare or rows[row - 1, 0] == np.inf):
        row -= 1
        since = rows[row, 0]
    begin = max(ready, since - duration)
    while begin + duration < since:
        begin = np.nextafter(begin, np.inf)
    return float(begin)


def nothing_placed(instance: Instance, allocation: Indices) -> cores.Held:
    """Machines on which nothing is placed, and what will stay in their memory."""
    held = cores.empty(instance)
    staying = kept_kernel.new_staying(instance.kept, allocation.size)
    kept_kernel.lay_out(instance.kept, instance.amount, allocation, staying)
    return cores.Held(held.tail, held.lists, held.rows, staying)


def schedule(
    instance: Instance, allocation: Indices, order: Indices, start: Floats, end: Floats
) -> float:
    """Fill `start` and `end` of every task; returns the makespan, inf if infeasible."""
    if not costs.fits(instance, allocation):
        return np.inf
    held = nothing_placed(instance, allocation)
    return place(instance, allocation, order, 0, order.size, held, start, end)


def makespan(instance: Instance, allocation: Indices, order: Indices) -> float:
    """The last end; inf if infeasible."""
    start = np.empty(order.size)
    end = np.empty(order.size)
    return schedule(instance, allocation, order, start, end)


def total(instance: Instance, allocation: Indices) -> float:
    """The sum of all task and transfer seconds; inf if infeasible."""
    if not costs.fits(instance, allocation):
        return np.inf
    seconds = 0.0
    for task in range(allocation.size):
        q = allocation[task]
        seconds += costs.spent_s(instance, task, q)
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            seconds += costs.flow_s(instance, edge, allocation[instance.source[edge]], q)
    return seconds


def previews(
    instance: Instance,
    allocation: Indices,
    order: Indices,
    moved: Indices,
    makespans: Floats,
    starts: Floats,
    ends: Floats,
) -> None:
    """Makespans if the `moved` tasks went to each machine in turn.

    Fills `makespans`, and `starts` and `ends` of the first moved task; each of shape (m,), inf
    where infeasible. What precedes the first moved task is placed once, unless outputs stay in
    memory, which depends on where their readers are.
    """
    stays = instance.kept.size.size > 0
    marked = np.zeros(order.size, np.bool_)
    for task in moved:
        marked[task] = True
    first = 0
    while not stays and not marked[order[first]]:
        first += 1
    start = np.empty(order.size)
    end = np.empty(order.size)
    held = cores.empty(instance)
    prefix = place(instance, allocation, order, 0, first, held, start, end)
    earlier = cores.copied(held)
    trial = allocation.copy()
    for q in range(makespans.size):
        for task in moved:
            trial[task] = q
        value = np.inf
        if prefix < np.inf and costs.fits(instance, trial):
            if stays:
                held = nothing_placed(instance, trial)
            else:
                cores.restore(held, earlier)
            value = place(instance, trial, order, first, order.size, held, start, end)
        makespans[q] = max(prefix, value)
        starts[q] = start[moved[0]] if value < np.inf else np.inf
        ends[q] = end[moved[0]] if value < np.inf else np.inf


def totals(instance: Instance, allocation: Indices, moved: Indices, values: Floats) -> None:
    """Totals if the `moved` tasks went to each machine in turn; fills `values`, shape (m,).

    What does not touch a moved task is added up once.
    """
    marked = np.zeros(allocation.size, np.bool_)
    for task in moved:
        marked[task] = True
    rest = 0.0
    for task in range(allocation.size):
        if not marked[task]:
            q = allocation[task]
            rest += costs.spent_s(instance, task, q)
            for edge in range(instance.first_in[task], instance.first_in[task + 1]):
                source = instance.source[edge]
                if not marked[source]:
                    rest += costs.flow_s(instance, edge, allocation[source], q)
    trial = allocation.copy()
    for q in range(values.size):
        for task in moved:
            trial[task] = q
        values[q] = np.inf
        if costs.fits(instance, trial):
            values[q] = rest + touching(instance, trial, moved, marked)


def touching(instance: Instance, allocation: Indices, moved: Indices, marked: Marks) -> float:
    """Seconds of the `moved` tasks and of what moves to and from them; `marked` says which."""
    seconds = 0.0
    for task in moved:
        q = allocation[task]
        seconds += costs.spent_s(instance, task, q)
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            seconds += costs.flow_s(instance, edge, allocation[instance.source[edge]], q)
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            target = instance.target[edge]
            if not marked[target]:
                seconds += costs.flow_s(instance, edge, q, allocation[target])
    return seconds


def upward_ranks(instance: Instance, mean_flow_s: Floats) -> Floats:
    """Upward rank of every task: see `advisor.allocation.timeline.rank_order`."""
    tasks = instance.first_in.size - 1
    rank = np.zeros(tasks)
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        after = 0.0
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            after = max(after, mean_flow_s[edge] + rank[instance.target[edge]])
        rank[task] = after + costs.mean_task_s(instance, task)
    return rank


def depths(instance: Instance, rank: Floats) -> Ints:
    """How many tasks of equal rank lead to each in a row."""
    depth = np.zeros(rank.size, np.int64)
    for task in instance.topological_order:
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            source = instance.source[edge]
            if rank[source] == rank[task]:
                depth[task] = max(depth[task], depth[source] + 1)
    return depth


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    order = instance.topological_order
    allocation = np.zeros(2, np.int32)
    makespan(instance, allocation, order)
    total(instance, allocation)
    values = np.empty(2)
    previews(instance, allocation, order, order, values, values.copy(), values.copy())
    totals(instance, allocation, order, values)
    depths(instance, upward_ranks(instance, np.ones(1)))
