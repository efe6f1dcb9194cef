"""List scheduling that knows what queues on the network.

Tasks are taken in a given order, each to the machine where it ends first when what it reads waits,
at every resource of its route, for what was sent before (the backlog of `estimate`).
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import backlog, estimate, solution
from advisor.kernels import simulation_state as floor
from advisor.kernels.backlog import Backlog
from advisor.kernels.executed import Executed, small
from advisor.kernels.instance import Instance, tiny
from advisor.kernels.solution import Search
from machines.arrays import Floats, Indices

BORROWING = ("arrival", "gathered")


def arrival(executed: Executed, state: Backlog, item: int, p: int, q: int, now: float) -> float:
    """As `estimate.carry`, without sending anything."""
    low = p * executed.startup_s.shape[1] + q
    found = np.inf
    first, last = executed.first_pass[low], executed.first_pass[low + 1]
    if executed.table[item] < 0:
        latest, size_bytes = now, executed.size_bytes[item]
        for place in range(first, last):
            one = executed.passed[place]
            latest = max(latest, max(state.clear[one], now) + size_bytes * state.pace[one])
        mix = executed.mix[item]
        alone = floor.delay_of(executed, item, p, q)
        for size in range(executed.shares.shape[1]):
            if executed.shares[mix, size] > 0.0:
                part = size_bytes * executed.shares[mix, size]
                alone += part * executed.per_byte_s[size, p, q]
        found = max(latest, now + alone)
    else:
        found = now + floor.delay_of(executed, item, p, q)
    return found


def gathered(
    executed: Executed,
    state: Backlog,
    allocation: Indices,
    end: Floats,
    there: Floats,
    task: int,
    q: int,
    send: bool,
) -> float:
    """When all that a task reads is on machine q; `send`: it is sent there, too.

    ``there[item, q]`` is when a copy is on a machine, -1 if none is.
    """
    ready = 0.0
    for place in range(executed.first_input[task], executed.first_input[task + 1]):
        item = executed.item[executed.input_slot[place]]
        writer = executed.writer[item]
        source, left = executed.home[item], 0.0
        if writer >= 0:
            source, left = allocation[writer], end[writer]
        arrived = left
        if source != q and floor.moves(executed, item):
            if executed.once and there[item, q] >= 0.0:
                arrived = there[item, q]
            elif send:
                arrived = estimate.carry(executed, state, item, source, q, left)
                there[item, q] = arrived
            else:
                arrived = arrival(executed, state, item, source, q, left)
        ready = max(ready, arrived)
    return ready


def by_order(
    instance: Instance,
    executed: Executed,
    search: Search,
    order: Indices,
    ahead: Floats,
) -> tuple[Indices, int]:
    """Place tasks in `order`, each where its end + `ahead` is least.

    Parameters
    ----------
    search : Search
        Room; its cores are used.
    ahead : array (n, m) or (1, m)
        Added to the end on every machine, by task or for all.

    Returns
    -------
    allocation : int32 array (n,)
    homeless : int
        The first task that fits nowhere, or -1.
    """
    tasks, machines = instance.task_s.shape
    state = backlog.new_backlog(executed)
    there = np.full((executed.writer.size, machines), -1.0)
    allocation = np.full(tasks, -1, np.int32)
    end = np.zeros(tasks)
    free_memory = instance.machine_memory.copy()
    search.free[:] = 0.0
    for task in order:
        ordered = 0.0
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            ordered = max(ordered, end[instance.source[edge]])
        needs = executed.task_cores[task]
        best, least, ends = -1, np.inf, np.inf
        for q in range(machines):
            seconds = instance.task_s[task, q] + executed.overhead_s
            row = ahead[min(task, ahead.shape[0] - 1), q]
            begin = (
                max(ordered, search.free[search.core_first[q] + needs - 1])
                if (seconds < np.inf)
                else np.inf
            )
            if instance.task_memory[task] > free_memory[q] or not begin + seconds + row < least:
                continue
            ready = gathered(executed, state, allocation, end, there, task, q, False)
            begin = max(begin, ready)
            if begin + seconds + row < least:
                best, least, ends = q, begin + seconds + row, begin + seconds
        if best < 0:
            return allocation, task
        gathered(executed, state, allocation, end, there, task, best, True)
        allocation[task] = best
        end[task] = ends
        free_memory[best] -= instance.task_memory[task]
        low, high = search.core_first[best], search.core_first[best + 1]
        solution.occupy(search, low, high, needs, ends, task)
    return allocation, -1


def warm_up() -> None:
    """Compile for the array types in use."""
    instance, executed = tiny(), small()
    search = solution.new_search(instance, np.zeros((2, 2)), np.full(1, 0.5), 1)
    by_order(instance, executed, search, np.array([0, 1], np.int32), np.zeros((1, 2)))
