"""Branch and bound over allocations and the orders of machines, each carried out; in slices.

Every level appends one task to a machine's order. Tasks of different machines that don't feed one
another may be appended either way round; only the way in which the lower task comes first where it
can is followed (the lexicographic normal form of a trace; Anisimov & Knuth 1979), so that every
allocation with every order of its machines is met once. A branch ends where the classical timeline
of what is placed, which no execution undercuts, can't beat the best; a leaf is carried out.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import exact_kernel as exact
from advisor.kernels import execution_kernel as execution
from advisor.kernels import schedule_kernel as schedule
from advisor.kernels.exact_kernel import Branching
from advisor.kernels.executed import Executed, small
from advisor.kernels.instance import Instance, tiny

LEAF = 10  # steps that carrying out a plan counts for

BORROWING = ("normal", "soonest", "hopeless")


def normal(instance: Instance, state: Branching, depth: int, task: int, on: int) -> bool:
    """Whether this is the one way of appending a task to what is placed."""
    machines = instance.task_s.shape[1]
    for level in range(depth - 1, -1, -1):
        before, at = state.chosen[level] // machines, state.chosen[level] % machines
        if at == on:
            return True
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            if instance.source[edge] == before:
                return True
        if before > task:
            return False
    return True


def soonest(
    instance: Instance, executed: Executed, state: Branching, depth: int, task: int, on: int
) -> float:
    """Least start of a task that is appended to a machine's order; −1 where it can't be.

    Not before the start of the one before it, unless that may still fetch in its slot.
    """
    begin = exact.begins(instance, state, depth, task, on)
    if begin >= 0.0 and instance.machine_cores[on] > 1 and not executed.slot:
        machines = instance.task_s.shape[1]
        for level in range(depth - 1, -1, -1):
            if state.chosen[level] % machines == on:
                return float(max(begin, state.start[level + 1]))
    return float(begin)


def hopeless(
    instance: Instance, executed: Executed, state: Branching, depth: int, limit: float
) -> bool:
    """Whether no completion of this level can end by `limit`."""
    tasks, machines = instance.task_s.shape
    work = 0.0
    for task in range(tasks):
        if state.allocation[task] >= 0:
            continue
        work += state.least[task]
        least, open_ = np.inf, False
        for on in range(machines):
            begin = soonest(instance, executed, state, depth, task, on)
            if begin >= 0.0:
                open_ = True
                least = min(least, begin + instance.task_s[task, on] + state.tail[task, on])
        if open_ and least > limit:
            return True
    for core in range(state.free.shape[1]):
        work += state.free[depth, core]
    return bool(work / state.free.shape[1] > limit * (1.0 + 1e-12))


def complete(
    instance: Instance,
    executed: Executed,
    state: Branching,
    limit: float,
    collect: bool,
    alone: bool,
) -> None:
    """All tasks are placed: carry the plan out, and keep it if it ends by `limit`."""
    tasks, machines = instance.task_s.shape
    order = np.empty(tasks, np.int32)
    for level in range(tasks):
        order[level] = state.chosen[level] // machines
    if alone:
        value = schedule.makespan(instance, state.allocation, order)
    else:
        value = execution.makespan(executed, state.allocation, order)
    if not value <= limit:
        return
    if collect:
        exact.complete(instance, state, True)
        return
    state.upper[0] = value
    for task in range(tasks):
        state.best_allocation[task] = state.allocation[task]
        state.best_order[task] = order[task]


def branch(
    instance: Instance,
    executed: Executed,
    state: Branching,
    nodes: int,
    collect: bool,
    alone: bool,
) -> bool:
    """Go on for `nodes` steps; True when everything was searched.

    Parameters
    ----------
    instance : Instance
        What tasks and edges take at least.
    collect : bool
        List the allocations that reach the best, where else only what beats it is followed.
    alone : bool
        Tasks and transfers do not share: plans are placed, not carried out.
    """
    tasks, machines = instance.task_s.shape
    last = state.control[1] + nodes
    while state.control[1] < last:
        state.control[1] += 1
        depth = state.control[0]
        limit = state.upper[0] * (1.0 + 1e-9 if collect else 1.0 - 1e-9)
        if depth == tasks:
            state.control[1] += LEAF
            complete(instance, executed, state, limit, collect, alone)
            exact.take_back(instance, state)
            continue
        index = state.cursor[depth]
        if index == 0 and hopeless(instance, executed, state, depth, limit):
            index = tasks * machines
        went = False
        while index < tasks * machines and not went:
            task, on = index // machines, index % machines
            index += 1
            if state.allocation[task] >= 0 or not normal(instance, state, depth, task, on):
                continue
            begin = soonest(instance, executed, state, depth, task, on)
            if begin < 0.0:
                continue
            if begin + instance.task_s[task, on] + state.tail[task, on] <= limit:
                state.cursor[depth] = index
                exact.put(instance, state, depth, task, on, begin)
                went = True
        if not went:
            if depth == 0:
                return True
            exact.take_back(instance, state)
    return False


def warm_up() -> None:
    """Compile for the array types in use."""
    instance = tiny()
    state = exact.new_branching(instance, np.zeros(instance.task_s.shape), np.inf, 4)
    branch(instance, small(), state, 100, False, False)
