"""List scheduling: take tasks by priority, put each where it ends first."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from advisor.kernels import cores_kernel as cores
from advisor.kernels import costs_kernel as costs
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Flags, Floats, Indices

BORROWING = ("arrivals", "best_machine", "settle", "pick")


def arrivals(
    instance: Instance, allocation: Indices, end: Floats, task: int, ready: Floats
) -> None:
    """When the inputs of a task have reached each machine; fills `ready`, shape (m,)."""
    for q in range(ready.size):
        ready[q] = costs.fetched_s(instance, task, q)
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        p = allocation[instance.source[edge]]
        left = end[instance.source[edge]]
        if instance.plain:
            messages, size_bytes = instance.messages[edge, 0], instance.size_bytes[edge, 0]
            for q in range(ready.size):
                flow_s = (
                    messages * instance.startup_s[0, p, q]
                    + size_bytes * instance.per_byte_s[0, p, q]
                )
                ready[q] = max(ready[q], left + flow_s)
        else:
            for q in range(ready.size):
                ready[q] = max(ready[q], left + costs.flow_s(instance, edge, p, q))


def best_machine(
    instance: Instance,
    held: cores.Held,
    free_memory: Floats,
    task: int,
    ready: Floats,
    ahead: Floats,
) -> tuple[int, float]:
    """Where a task has the least end + ``ahead[q]``, and that value; -1 if it fits nowhere.

    Machines where even ``ready[q]`` is too late are not searched for idle time.
    """
    best, least = -1, np.inf
    for q in range(ready.size):
        seconds = instance.task_s[task, q]
        if not ready[q] + seconds + ahead[q] < least:
            continue
        if instance.task_memory[task] > free_memory[q]:
            continue
        start = cores.earliest(instance, held, task, q, ready[q], seconds)
        if start + seconds + ahead[q] < least:
            best, least = q, start + seconds + ahead[q]
    return best, least


def settle(
    instance: Instance, held: cores.Held, free_memory: Floats, task: int, on: int, ready: float
) -> float:
    """Place a task on machine `on`; returns its end."""
    free_memory[on] -= instance.task_memory[task]
    seconds = instance.task_s[task, on]
    end: float = cores.hold(instance, held, task, on, ready, seconds) + seconds
    return end


def by_order(
    instance: Instance, order: Indices, pinned: Indices, ahead: Floats
) -> tuple[Indices, int]:
    """Place tasks in `order`, each where its end + `ahead` is least.

    Parameters
    ----------
    pinned : int32 array (n,)
        The machine of a task wherever it can take it; -1: any.
    ahead : array (n, m) or (1, m)
        Added to the end on every machine, by task or for all.

    Returns
    -------
    allocation : int32 array (n,)
    homeless : int
        The first task that fits nowhere, or -1.
    """
    tasks, machines = instance.task_s.shape
    held = cores.empty(instance)
    allocation = np.full(tasks, -1, np.int32)
    end = np.empty(tasks)
    ready = np.empty(machines)
    free_memory = instance.machine_memory.copy()
    for task in order:
        arrivals(instance, allocation, end, task, ready)
        on = pinned[task]
        if (
            on < 0
            or ready[on] + instance.task_s[task, on] == np.inf
            or instance.task_memory[task] > free_memory[on]
        ):
            row = ahead[min(task, ahead.shape[0] - 1)]
            on, _ = best_machine(instance, held, free_memory, task, ready, row)
        if on < 0:
            return allocation, task
        end[task] = settle(instance, held, free_memory, task, on, ready[on])
        allocation[task] = on
    return allocation, -1


def by_finish(instance: Instance, latest_first: bool) -> tuple[Indices, Indices, int]:
    """Of all ready tasks, place the one with the least (`latest_first`: greatest) earliest end.

    O(tasks · ready tasks), since after a placement only the ready tasks that preferred its
    machine can have changed.

    Returns
    -------
    allocation, order : int32 arrays (n,)
    homeless : int
        The first task that fits nowhere, or -1.
    """
    tasks, machines = instance.task_s.shape
    held = cores.empty(instance)
    allocation = np.full(tasks, -1, np.int32)
    order = np.empty(tasks, np.int32)
    end = np.empty(tasks)
    ready = np.empty((tasks, machines))
    finish = np.empty((tasks, machines))
    seen = np.zeros((tasks, machines), np.int32)
    version = np.ones(machines, np.int32)
    choice = np.zeros(tasks, np.int32)
    free_memory = instance.machine_memory.copy()
    waiting = instance.first_in[1:] - instance.first_in[:-1]
    queue = np.empty(tasks, np.int32)
    queued, placed, on = 0, 0, 0
    for task in range(tasks):
        if waiting[task] == 0:
            arrivals(instance, allocation, end, task, ready[task])
            queue[queued] = task
            queued += 1
    finish[:] = -1.0
    while queued > 0:
        picked = pick(
            instance,
            held,
            queue[:queued],
            on,
            ready,
            free_memory,
            finish,
            seen,
            version,
            choice,
            latest_first,
        )
        task = queue[picked]
        on = choice[task]
        if finish[task, on] == np.inf:
            return allocation, order, task
        queued -= 1
        queue[picked] = queue[queued]
        end[task] = settle(instance, held, free_memory, task, on, ready[task, on])
        version[on] += 1
        allocation[task] = on
        order[placed] = task
        placed += 1
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            child = instance.target[instance.edge_out[row]]
            waiting[child] -= 1
            if waiting[child] == 0:
                arrivals(instance, allocation, end, child, ready[child])
                choice[child] = on
                queue[queued] = child
                queued += 1
    return allocation, order, -1


def pick(
    instance: Instance,
    held: cores.Held,
    queue: Indices,
    on: int,
    ready: Floats,
    free_memory: Floats,
    finish: Floats,
    seen: Indices,
    version: Indices,
    choice: Indices,
    latest_first: bool,
) -> int:
    """Place in `queue` of the task to be placed next; the last one was placed on machine `on`.

    ``finish[task, q]`` was the end on q when q had ``seen[task, q]`` placements, and can only
    have grown since; so the least of a row counts once it is up to date. A task that fits
    nowhere is picked at once.
    """
    picked = 0
    for slot in range(queue.size):
        task = queue[slot]
        if choice[task] == on:
            q = on
            while seen[task, q] != version[q]:
                seconds = instance.task_s[task, q]
                finish[task, q] = np.inf
                if (
                    ready[task, q] + seconds < np.inf
                    and instance.task_memory[task] <= free_memory[q]
                ):
                    start = cores.earliest(instance, held, task, q, ready[task, q], seconds)
                    finish[task, q] = start + seconds
                seen[task, q] = version[q]
                for other in range(version.size):
                    if finish[task, other] < finish[task, q] or (
                        finish[task, other] == finish[task, q] and other < q
                    ):
                        q = other
            choice[task] = q
            if finish[task, q] == np.inf:
                return slot
        best = queue[picked]
        lead = finish[task, choice[task]] - finish[best, choice[best]]
        if latest_first:
            lead = -lead
        if lead < 0.0 or (lead == 0.0 and task < best):
            picked = slot
    return picked


def priority_order(instance: Instance, priority: Floats) -> Indices:
    """Tasks by decreasing priority among those whose inputs' sources came before; by position."""
    tasks = priority.size
    waiting = instance.first_in[1:] - instance.first_in[:-1]
    order = np.empty(tasks, np.int32)
    heap = [(-priority[task], np.int32(task)) for task in range(tasks) if waiting[task] == 0]
    heapify(heap)
    for position in range(tasks):
        task = heappop(heap)[1]
        order[position] = task
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            child = instance.target[instance.edge_out[row]]
            waiting[child] -= 1
            if waiting[child] == 0:
                heappush(heap, (-priority[child], child))
    return order


def downward_ranks(instance: Instance, mean_flow_s: Floats) -> Floats:
    """Downward rank of every task: the longest mean way from an entry to its start.

    rank(t) = max over inputs of (rank + mean task_s of the source + mean flow seconds);
    Topcuoglu, Hariri & Wu 2002, Eq. (10).
    """
    rank = np.zeros(instance.first_in.size - 1)
    for task in instance.topological_order:
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            source = instance.source[edge]
            way = rank[source] + costs.mean_task_s(instance, source) + mean_flow_s[edge]
            rank[task] = max(rank[task], way)
    return rank


def critical_path(instance: Instance, priority: Floats) -> Flags:
    """Mark the way of greatest priority from the entry that has most to an exit."""
    marked = np.zeros(priority.size, np.bool_)
    task = -1
    for entry in range(priority.size):
        if instance.first_in[entry] == instance.first_in[entry + 1] and (
            task < 0 or priority[entry] > priority[task]
        ):
            task = entry
    while task >= 0:
        marked[task] = True
        following = -1
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            child = int(instance.target[instance.edge_out[row]])
            if following < 0 or priority[child] > priority[following] * (1.0 + 1e-12):
                following = child
        task = following
    return marked


def optimistic_costs(instance: Instance, mean_flow_s: Floats) -> Floats:
    """Optimistic cost table (n, m): the least that remains after a task, along its longest way.

    OCT(t, p) = max over outputs, to u, of min over q of (OCT(u, q) + task_s(u, q) + mean flow
    seconds where q ≠ p); Arabnejad & Barbosa 2014, Eq. (3).
    """
    tasks, machines = instance.task_s.shape
    table = np.zeros((tasks, machines))
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            child = instance.target[edge]
            elsewhere = np.inf
            for q in range(machines):
                elsewhere = min(elsewhere, table[child, q] + instance.task_s[child, q])
            elsewhere += mean_flow_s[edge]
            for p in range(machines):
                here = table[child, p] + instance.task_s[child, p]
                table[task, p] = max(table[task, p], min(here, elsewhere))
    return table


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    priority = np.ones(2)
    order = priority_order(instance, priority)
    by_order(instance, order, np.full(2, -1, np.int32), np.zeros((1, 2)))
    by_finish(instance, True)
    downward_ranks(instance, np.ones(1))
    critical_path(instance, priority)
    optimistic_costs(instance, np.ones(1))
