"""Solutions of the refinement: an allocation, a list of tasks, and their decoded times."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels.instance import Instance, tiny

Array = Any

PLAIN = ("new_trial", "new_search")


class Trial(NamedTuple):
    """One solution with its decoded times; `why` is the task that each start waited for."""

    allocation: Array
    order: Array
    start: Array
    end: Array
    why: Array


class Search(NamedTuple):
    """Scratch arrays of one annealing run, and the current and tried solutions."""

    now: Trial
    trial: Trial
    best: Trial
    place: Array  # position of every task in the current order
    free: Array  # when each core becomes free, ascending within its machine
    holder: Array  # the task that each core waits for
    core_first: Array  # offsets of the machines in `free`
    tail: Array  # (n, m) least time from a task's end to the end of all
    bond: Array  # (e,) share of an edge's cost in what it joins, 0..1
    members: Array
    mark: Array
    rank: Array
    waiting: Array
    ready: Array
    ready_s: Array
    rng: Array


def draw(rng: Array) -> float:
    """A uniform number below 1 (two combined generators, L'Ecuyer 1988)."""
    rng[0] = rng[0] * 40014 % 2147483563
    rng[1] = rng[1] * 40692 % 2147483399
    return ((rng[0] - rng[1]) % 2147483562) / 2147483562.0


def occupy(search: Search, low: int, high: int, cores: int, end: float, task: int) -> None:
    """Hold the first `cores` free cores of a machine until `end`, keeping them sorted."""
    free, holder = search.free, search.holder
    reader = low + cores
    writer = low
    while reader < high and free[reader] <= end:
        free[writer] = free[reader]
        holder[writer] = holder[reader]
        writer += 1
        reader += 1
    for core in range(writer, writer + cores):
        free[core] = end
        holder[core] = task


def copy_from(source: Trial, target: Trial, order: Array, first: int) -> None:
    """Copy what `source` says of the tasks order[first:], and their places in the order."""
    orders, allocations = (source.order, target.order), (source.allocation, target.allocation)
    starts, ends = (source.start, target.start), (source.end, target.end)
    whys = (source.why, target.why)
    for position in range(first, order.shape[0]):
        orders[1][position] = orders[0][position]
        task = order[position]
        allocations[1][task] = allocations[0][task]
        starts[1][task] = starts[0][task]
        ends[1][task] = ends[0][task]
        whys[1][task] = whys[0][task]


def new_trial(tasks: int) -> Trial:
    """An empty solution."""
    whole = np.int32
    return Trial(
        np.zeros(tasks, whole),
        np.zeros(tasks, whole),
        np.zeros(tasks),
        np.zeros(tasks),
        np.zeros(tasks, whole),
    )


def new_search(instance: Instance, tail: Array, bond: Array, seed: int) -> Search:
    """Scratch arrays for an instance."""
    tasks, machines = instance.task_s.shape
    core_first = np.zeros(machines + 1, np.int64)
    core_first[1:] = np.cumsum(np.minimum(instance.machine_cores, instance.task_cores.sum()))
    whole = np.int32
    rng = np.array([12345 + seed % 1000000, 67890 + 7 * (seed % 1000000)], np.int64)
    return Search(
        new_trial(tasks),
        new_trial(tasks),
        new_trial(tasks),
        np.zeros(tasks, whole),
        np.zeros(core_first[-1]),
        np.zeros(core_first[-1], whole),
        core_first,
        tail,
        bond,
        np.zeros(tasks + 1, whole),
        np.zeros(tasks, np.int8),
        np.zeros(tasks),
        np.zeros(tasks, whole),
        np.zeros(tasks + 1, whole),
        np.zeros(tasks),
        rng,
    )


def warm_up() -> None:
    """Compile for the array types in use."""
    instance = tiny()
    edges = instance.source.shape[0]
    search = new_search(instance, np.zeros(instance.task_s.shape), np.full(edges, 0.5), 1)
    copy_from(search.now, search.best, search.now.order, 0)
    draw(search.rng)
