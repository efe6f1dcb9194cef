"""Branch and bound over placements in the order of their starts; resumable in slices.

Every level places one more task. Starts never fall from level to level, so that every schedule is
met once; a branch ends where a bound shows that it can't beat the best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import costs_kernel as costs
from advisor.kernels.instance import Instance, tiny

Array = Any

BORROWING = ("arrived", "begins", "roomy", "hopeless", "put", "take_back", "follows")
PLAIN = ("new_branching",)


class Branching(NamedTuple):
    """Where the search stands; `depth`, `nodes` and the count of ties are in `control`."""

    cursor: Array  # (n + 1,) next (task, machine) to try at every level
    chosen: Array  # (n,) the placement of every level, task · m + machine
    start: Array  # (n + 1,) start of the level's placement; [0] is 0
    free: Array  # (n + 1, cores) when each core becomes free, before the level
    end: Array  # (n,) by task
    allocation: Array  # (n,) by task, −1: not placed
    used: Array  # (m,) memory
    core_first: Array
    tail: Array  # (n, m)
    least: Array  # (n,) least core-seconds of a task
    best_allocation: Array
    best_order: Array
    ties: Array  # (most, n) allocations that reach the best
    control: Array  # depth, nodes, ties
    upper: Array  # (1,) the best value


def arrived(instance: Instance, state: Branching, task: int, on: int) -> float:
    """When the data of other tasks are on a machine; −1 while an input is not placed."""
    ready = 0.0
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        source = instance.source[edge]
        if state.allocation[source] < 0:
            return -1.0
        arrival = state.end[source]
        if state.allocation[source] != on:
            arrival += costs.flow_s(instance, edge, state.allocation[source], on)
        ready = max(ready, arrival)
    return ready


def begins(instance: Instance, state: Branching, depth: int, task: int, on: int) -> float:
    """Earliest start of a task on a machine at this level; −1 where it can't be placed."""
    if not instance.task_s[task, on] < np.inf:
        return -1.0
    if state.used[on] + instance.task_memory[task] > instance.machine_memory[on]:
        return -1.0
    ready = arrived(instance, state, task, on)
    if ready < 0.0 or not ready < np.inf:
        return -1.0
    if instance.outside:
        ready = max(ready, instance.outside_s[task, on])
    begin = max(ready, state.free[depth, state.core_first[on] + instance.task_cores[task] - 1])
    return roomy(instance, state, task, on, begin) if instance.amount.shape[1] else begin


def roomy(instance: Instance, state: Branching, task: int, on: int, begin: float) -> float:
    """From when on a machine has all that a task holds beside cores.

    What is placed starts no later than what is placed next, so that what it holds at some time it
    holds until its end.
    """
    for kind in range(instance.amount.shape[1]):
        wanted, room = instance.amount[task, kind], instance.place[kind, on]
        free, soonest = -1.0, begin
        while wanted > 0.0 and free < wanted:
            begin, free, soonest = soonest, instance.room[room], np.inf
            for other in range(state.allocation.size):
                at = state.allocation[other]
                amount = instance.amount[other, kind] if at >= 0 else 0.0
                shared = amount > 0.0 and instance.place[kind, at] == room
                if shared and state.end[other] > begin:
                    free -= amount
                    soonest = min(soonest, state.end[other])
    return begin


def hopeless(instance: Instance, state: Branching, depth: int, limit: float) -> bool:
    """Whether no completion of this level can end by `limit`."""
    tasks, machines = instance.task_s.shape
    now = state.start[depth]
    work = 0.0
    for task in range(tasks):
        if state.allocation[task] >= 0:
            continue
        work += state.least[task]
        soonest = np.inf
        for on in range(machines):
            start = begins(instance, state, depth, task, on)
            if start >= 0.0:
                end = max(start, now) + instance.task_s[task, on] + state.tail[task, on]
                soonest = min(soonest, end)
        if soonest < np.inf and soonest > limit:
            return True
    for core in range(state.free.shape[1]):
        work += max(state.free[depth, core], now)
    return bool(work / state.free.shape[1] > limit * (1.0 + 1e-12))


def put(instance: Instance, state: Branching, depth: int, task: int, on: int, begin: float) -> None:
    """Place a task at this level and go one deeper."""
    machines = instance.task_s.shape[1]
    end = begin + instance.task_s[task, on]
    state.chosen[depth] = task * machines + on
    state.allocation[task] = on
    state.end[task] = end
    state.used[on] += instance.task_memory[task]
    state.start[depth + 1] = begin
    free = state.free
    for core in range(free.shape[1]):
        free[depth + 1, core] = free[depth, core]
    if end > begin:
        # the first of its cores, which are sorted, become free last of those that end before
        reader, high = state.core_first[on] + instance.task_cores[task], state.core_first[on + 1]
        writer = state.core_first[on]
        while reader < high and free[depth, reader] <= end:
            free[depth + 1, writer] = free[depth, reader]
            writer += 1
            reader += 1
        for core in range(writer, writer + instance.task_cores[task]):
            free[depth + 1, core] = end
    state.cursor[depth + 1] = 0
    state.control[0] = depth + 1


def take_back(instance: Instance, state: Branching) -> None:
    """Undo the placement of the level above."""
    depth = state.control[0] - 1
    machines = instance.task_s.shape[1]
    task, on = state.chosen[depth] // machines, state.chosen[depth] % machines
    state.allocation[task] = -1
    state.used[on] -= instance.task_memory[task]
    state.control[0] = depth


def follows(instance: Instance, state: Branching, depth: int, task: int) -> bool:
    """Whether a task may follow the one placed before at the same start."""
    if depth == 0:
        return True
    before = state.chosen[depth - 1] // instance.task_s.shape[1]
    if task > before or state.end[before] == state.start[depth]:
        return True  # one that took no time did not delay the other
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        if instance.source[edge] == before:
            return True
    return False


def complete(instance: Instance, state: Branching, collect: bool) -> None:
    """All tasks are placed: keep the schedule, or list its allocation among the ties."""
    tasks, machines = instance.task_s.shape
    if not collect:
        state.upper[0] = 0.0
        for task in range(tasks):
            state.upper[0] = max(state.upper[0], state.end[task])
            state.best_allocation[task] = state.allocation[task]
            state.best_order[task] = state.chosen[task] // machines
        return
    count = state.control[2]
    for row in range(min(count, state.ties.shape[0])):
        known = 0
        while known < tasks and state.ties[row, known] == state.allocation[known]:
            known += 1
        if known == tasks:
            return
    if count < state.ties.shape[0]:
        for task in range(tasks):
            state.ties[count, task] = state.allocation[task]
    state.control[2] = count + 1


def branch(instance: Instance, state: Branching, nodes: int, collect: bool) -> bool:
    """Go on for `nodes` steps; True when everything was searched.

    Without `collect` only what beats the best is followed; with it what reaches the best.
    """
    tasks, machines = instance.task_s.shape
    last = state.control[1] + nodes
    while state.control[1] < last:
        state.control[1] += 1
        depth = state.control[0]
        limit = state.upper[0] * (1.0 + 1e-9 if collect else 1.0 - 1e-9)
        if depth == tasks:
            complete(instance, state, collect)
            take_back(instance, state)
            continue
        index = state.cursor[depth]
        if index == 0 and hopeless(instance, state, depth, limit):
            index = tasks * machines
        went = False
        while index < tasks * machines and not went:
            task, on = index // machines, index % machines
            index += 1
            if state.allocation[task] >= 0:
                continue
            start = begins(instance, state, depth, task, on)
            if start < state.start[depth]:
                continue
            if start == state.start[depth] and not follows(instance, state, depth, task):
                continue
            if start + instance.task_s[task, on] + state.tail[task, on] <= limit:
                state.cursor[depth] = index
                put(instance, state, depth, task, on, start)
                went = True
        if not went:
            if depth == 0:
                return True
            take_back(instance, state)
    return False


def new_branching(instance: Instance, tail: Array, upper: float, most: int) -> Branching:
    """A search that has not begun; only schedules that beat `upper` are of interest."""
    tasks, machines = instance.task_s.shape
    core_first = np.zeros(machines + 1, np.int64)
    core_first[1:] = np.cumsum(np.minimum(instance.machine_cores, instance.task_cores.sum()))
    least = np.empty(tasks)
    for task in range(tasks):
        least[task] = instance.task_s[task].min() * instance.task_cores[task]
    return Branching(
        np.zeros(tasks + 1, np.int64),
        np.zeros(tasks, np.int64),
        np.zeros(tasks + 1),
        np.zeros((tasks + 1, core_first[-1])),
        np.zeros(tasks),
        np.full(tasks, -1, np.int32),
        np.zeros(machines),
        core_first,
        tail,
        least,
        np.full(tasks, -1, np.int32),
        np.zeros(tasks, np.int32),
        np.zeros((most, tasks), np.int32),
        np.zeros(3, np.int64),
        np.array([upper]),
    )


def warm_up() -> None:
    """Compile for the array types in use."""
    instance = tiny()
    state = new_branching(instance, np.zeros(instance.task_s.shape), np.inf, 4)
    branch(instance, state, 100, False)
