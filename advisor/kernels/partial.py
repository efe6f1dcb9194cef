"""Schedules in the making: where and when every ready task could run beside what is placed.

A list scheduler that looks at all ready tasks chooses one and a machine for it; `step` places it
and brings up to date what that changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import cores_kernel as cores
from advisor.kernels import lists_kernel as lists
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Floats, Indices

BORROWING = ("step", "opened", "priced", "free_from")

_ALWAYS = 1e300  # s: longer than any schedule, yet finite


class Partial(NamedTuple):
    """What is placed of n tasks on m machines, and what could be placed next.

    Attributes
    ----------
    held : Held
    free_memory : array (m,)
    allocation : int32 array (n,)
        The machine of every placed task, or -1.
    end : array (n,)
        When it ends.
    arrival : array (n, m)
        When the inputs of a ready task are on each machine.
    start : array (n, m)
        When a ready task could start there; inf where it may not or doesn't fit.
    idle : array (m,)
        From when a machine has a core that nothing placed needs any more.
    waiting : int32 array (n,)
        Inputs whose sources aren't placed yet.
    ready : int32 array (n,)
        The first ``number[0]`` are the ready tasks, ascending.
    number : int32 array (1,)
    """

    held: cores.Held
    free_memory: Floats
    allocation: Indices
    end: Floats
    arrival: Floats
    start: Floats
    idle: Floats
    waiting: Indices
    ready: Indices
    number: Indices


def begun(instance: Instance) -> Partial:
    """Nothing is placed; the tasks without inputs are ready."""
    tasks, machines = instance.task_s.shape
    partial = Partial(
        cores.empty(instance),
        instance.machine_memory.copy(),
        np.full(tasks, -1, np.int32),
        np.zeros(tasks),
        np.zeros((tasks, machines)),
        np.full((tasks, machines), np.inf),
        np.zeros(machines),
        instance.first_in[1:] - instance.first_in[:-1],
        np.empty(tasks, np.int32),
        np.zeros(1, np.int32),
    )
    for task in range(tasks):
        if partial.waiting[task] == 0:
            opened(instance, partial, task)
    return partial


def step(instance: Instance, partial: Partial, task: int, on: int) -> None:
    """Place a ready task on machine `on`, where it can start; its outputs may make others ready."""
    held, ready = partial.held, partial.ready
    at = partial.arrival[task, on]
    partial.end[task] = lists.settle(instance, held, partial.free_memory, task, on, at)
    partial.allocation[task] = on
    partial.idle[on] = free_from(instance, held, on)
    partial.number[0] -= 1
    row = 0
    while ready[row] != task:
        row += 1
    for later in range(row, partial.number[0]):
        ready[later] = ready[later + 1]
    for row in range(partial.number[0]):
        priced(instance, partial, ready[row], on)
    for row in range(instance.first_out[task], instance.first_out[task + 1]):
        child = instance.target[instance.edge_out[row]]
        partial.waiting[child] -= 1
        if partial.waiting[child] == 0:
            opened(instance, partial, child)


def opened(instance: Instance, partial: Partial, task: int) -> None:
    """A task whose inputs are all placed is ready."""
    arrival, ready = partial.arrival[task], partial.ready
    lists.arrivals(instance, partial.allocation, partial.end, task, arrival)
    for q in range(arrival.size):
        priced(instance, partial, task, q)
    row = partial.number[0]
    while row > 0 and ready[row - 1] > task:
        ready[row] = ready[row - 1]
        row -= 1
    ready[row] = task
    partial.number[0] += 1


def priced(instance: Instance, partial: Partial, task: int, q: int) -> None:
    """Find when a ready task could start on machine q."""
    at, seconds = partial.arrival[task, q], instance.task_s[task, q]
    begin = np.inf
    if at + seconds < np.inf and instance.task_memory[task] <= partial.free_memory[q]:
        begin = cores.earliest(instance, partial.held, task, q, at, seconds)
    partial.start[task, q] = begin


def free_from(instance: Instance, held: cores.Held, q: int) -> float:
    """From when machine q has a core that nothing placed needs any more."""
    capacity = instance.machine_cores[q]
    since = held.tail[q]
    if capacity > 1:
        spare, instant = capacity - 1.0, instance.instant
        since = cores.earliest_shared(held.lists, held.rows, q, 0.0, _ALWAYS, spare, instant)
    return since


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    partial = begun(instance)
    free_from(instance, partial.held, 1)
    step(instance, partial, 0, 1)
    step(instance, partial, 1, 0)
