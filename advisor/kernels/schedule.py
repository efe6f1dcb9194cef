"""Timelines of a given allocation: full, after moves, and the totals.

Tasks are placed in an order that respects the flows, each at its earliest start on its machine:
ready = max over inputs of (end of the source + seconds of the flow), then `cores.hold`.
An infeasible allocation takes for ever: inf.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import cores
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Flags, Floats, Indices, Ints

Marks = Flags

INLINED = ("flow_s", "ready_s")
BORROWING = (*INLINED, "general_flow_s", "place", "touching", "mean_task_s")


def flow_s(instance: Instance, edge: int, p: int, q: int) -> float:
    """Seconds of an edge from machine p to q; 0 on one machine, inf without a route."""
    seconds = 0.0
    if instance.plain:
        seconds = (
            instance.messages[edge, 0] * instance.startup_s[0, p, q]
            + instance.size_bytes[edge, 0] * instance.per_byte_s[0, p, q]
        )
    else:
        seconds = general_flow_s(instance, edge, p, q)
    return seconds


def general_flow_s(instance: Instance, edge: int, p: int, q: int) -> float:
    """`flow_s` where sizes fall into several bins, or seconds are stated."""
    seconds = 0.0
    if instance.table[edge] >= 0:
        seconds = instance.tables[instance.table[edge], p, q]
    else:
        for size in range(instance.messages.shape[1]):
            if instance.messages[edge, size] > 0.0:
                seconds += (
                    instance.messages[edge, size] * instance.startup_s[size, p, q]
                    + instance.size_bytes[edge, size] * instance.per_byte_s[size, p, q]
                )
    return seconds


def ready_s(instance: Instance, allocation: Indices, end: Floats, task: int, q: int) -> float:
    """When the inputs of a task have reached machine q."""
    ready = 0.0
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        source = instance.source[edge]
        ready = max(ready, end[source] + flow_s(instance, edge, allocation[source], q))
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
        if ready + duration == np.inf:
            return np.inf
        begin = cores.hold(instance, held, task, q, ready, duration)
        start[task] = begin
        end[task] = begin + duration
        latest = max(latest, end[task])
    return latest


def fits(instance: Instance, allocation: Indices) -> bool:
    """Whether the tasks of every machine share its memory."""
    if instance.limited:
        used = np.zeros(instance.machine_memory.size)
        for task in range(allocation.size):
            used[allocation[task]] += instance.task_memory[task]
        for q in range(used.size):
            if used[q] > instance.machine_memory[q]:
                return False
    return True


def schedule(
    instance: Instance, allocation: Indices, order: Indices, start: Floats, end: Floats
) -> float:
    """Fill `start` and `end` of every task; returns the makespan, inf if infeasible."""
    if not fits(instance, allocation):
        return np.inf
    return place(instance, allocation, order, 0, order.size, cores.empty(instance), start, end)


def makespan(instance: Instance, allocation: Indices, order: Indices) -> float:
    """The last end; inf if infeasible."""
    start = np.empty(order.size)
    end = np.empty(order.size)
    return schedule(instance, allocation, order, start, end)


def total(instance: Instance, allocation: Indices) -> float:
    """The sum of all task and flow seconds; inf if infeasible."""
    if not fits(instance, allocation):
        return np.inf
    seconds = 0.0
    for task in range(allocation.size):
        q = allocation[task]
        seconds += instance.task_s[task, q]
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            seconds += flow_s(instance, edge, allocation[instance.source[edge]], q)
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
    where infeasible. What precedes the first moved task is placed once.
    """
    marked = np.zeros(order.size, np.bool_)
    for task in moved:
        marked[task] = True
    first = 0
    while not marked[order[first]]:
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
        if prefix < np.inf and fits(instance, trial):
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
            rest += instance.task_s[task, q]
            for edge in range(instance.first_in[task], instance.first_in[task + 1]):
                source = instance.source[edge]
                if not marked[source]:
                    rest += flow_s(instance, edge, allocation[source], q)
    trial = allocation.copy()
    for q in range(values.size):
        for task in moved:
            trial[task] = q
        values[q] = np.inf
        if fits(instance, trial):
            values[q] = rest + touching(instance, trial, moved, marked)


def touching(instance: Instance, allocation: Indices, moved: Indices, marked: Marks) -> float:
    """Seconds of the `moved` tasks and of the flows to and from them; `marked` says which."""
    seconds = 0.0
    for task in moved:
        q = allocation[task]
        seconds += instance.task_s[task, q]
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            seconds += flow_s(instance, edge, allocation[instance.source[edge]], q)
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            target = instance.target[edge]
            if not marked[target]:
                seconds += flow_s(instance, edge, q, allocation[target])
    return seconds


def mean_task_s(instance: Instance, task: int) -> float:
    """Mean duration over the machines that may run the task."""
    seconds, allowed = 0.0, 0
    for q in range(instance.task_s.shape[1]):
        if instance.task_s[task, q] < np.inf:
            seconds += instance.task_s[task, q]
            allowed += 1
    return seconds / max(allowed, 1)


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
        rank[task] = after + mean_task_s(instance, task)
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
