"""Arrays → starts and ends: the schedule of an allocation. Knows no model and no names.

`prepare` lays costs out for the kernels; the other functions call them. Tasks are placed in a
given order, each as early as its data and cores allow without moving a task placed before it. A
task that takes no time never starts within another's run on the same core.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.costs import Costs, FlowCosts
from advisor.kernels import schedule_kernel as kernel
from advisor.kernels.instance import Instance
from machines.arrays import Floats, Indices

_RANKS = 2.0**40  # ranks that differ by less, of their greatest, differ by rounding only

__all__ = [
    "Floats",
    "Indices",
    "Instance",
    "dedicated",
    "flow_seconds",
    "makespan",
    "mean_flow_seconds",
    "prepare",
    "previews",
    "rank_order",
    "schedule",
    "total",
]


def prepare(costs: Costs) -> Instance:
    """Lay costs out for the kernels. O(tasks · machines + flows log flows).

    Parameters
    ----------
    costs : Costs

    Returns
    -------
    Instance
        A named tuple of arrays; picklable.
    """
    flows, (tasks, machines) = costs.flows, costs.task_s.shape
    flow = np.argsort(costs.targets, kind="stable").astype(np.int32)
    source, target = costs.sources[flow], costs.targets[flow]
    barred = (costs.task_cores[:, None] > costs.machine_cores) | (
        costs.task_memory[:, None] > costs.machine_memory
    )
    task_s = np.where(barred, np.inf, costs.task_s)
    outside_s, outside_total_s = np.zeros((2, 0 if costs.outside is None else tasks, machines))
    if costs.outside is not None:
        task_s[np.isinf(costs.outside.arrival_s)] = np.inf
        can = np.isfinite(task_s)
        outside_s[can] = costs.outside.arrival_s[can]
        outside_total_s[can] = costs.outside.total_s[can]
    messages = flows.messages[flow]
    finite = bool(np.isfinite(flows.startup_s).all() and np.isfinite(flows.per_byte_s).all())
    stated = bool((flows.table >= 0).any())
    return Instance(
        task_s=task_s,
        outside_s=outside_s,
        outside_total_s=outside_total_s,
        first_in=_offsets(target, tasks),
        source=source,
        target=target,
        flow=flow,
        first_out=_offsets(np.sort(source), tasks),
        edge_out=np.argsort(source, kind="stable").astype(np.int32),
        messages=messages,
        size_bytes=flows.size_bytes[flow],
        startup_s=_without_diagonal(flows.startup_s),
        per_byte_s=_without_diagonal(flows.per_byte_s),
        table=flows.table[flow].astype(np.int32),
        tables=_without_diagonal(flows.tables),
        task_cores=costs.task_cores.astype(np.int32),
        machine_cores=costs.machine_cores.astype(np.int32),
        task_memory=costs.task_memory.astype(np.float64),
        machine_memory=costs.machine_memory.astype(np.float64),
        **costs.needs.arrays,
        topological_order=costs.topological_order.astype(np.int32),
        plain=messages.shape[1] == 1 and not stated and (finite or bool((messages > 0).all())),
        limited=bool(costs.task_memory.sum() > costs.machine_memory.min()),
        instant=bool((task_s == 0).any()),
        outside=costs.outside is not None,
    )


def dedicated(costs: Costs, instance: Instance) -> Instance:
    """The same tasks, machines and links without contention."""
    flows = costs.flows_dedicated
    return instance._replace(
        task_s=np.where(np.isinf(instance.task_s), np.inf, costs.task_dedicated_s),
        startup_s=_without_diagonal(flows.startup_s),
        per_byte_s=_without_diagonal(flows.per_byte_s),
        tables=_without_diagonal(flows.tables),
    )


def rank_order(instance: Instance) -> Indices:
    """Tasks by decreasing upward rank: HEFT's order; without contention that of plans without one.

    rank(t) = mean over the machines allowed of task_s + max over outputs (mean flow seconds + rank
    of the target); Topcuoglu, Hariri & Wu 2002, Eq. (8). Ties by position; of tasks in a row
    whose ranks are equal, the first comes first, so that the order is always topological.

    Returns
    -------
    int32 array (tasks,)
    """
    rank = kernel.upward_ranks(instance, mean_flow_seconds(instance))
    if rank.max() > 0.0:
        rank = np.rint(rank / rank.max() * _RANKS)
    depth = kernel.depths(instance, rank)
    return np.lexsort((depth, -rank)).astype(np.int32)


def mean_flow_seconds(instance: Instance) -> Floats:
    """Mean seconds of every edge over the ordered pairs of different machines that can carry it.

    Returns
    -------
    array (edges,)
    """
    seconds = np.zeros(instance.source.size)
    for size in range(instance.messages.shape[1]):
        seconds += instance.messages[:, size] * _mean_apart(instance.startup_s[size])
        seconds += instance.size_bytes[:, size] * _mean_apart(instance.per_byte_s[size])
    stated = instance.table >= 0
    if stated.any():
        means = np.array([_mean_apart(table) for table in instance.tables])
        seconds[stated] = means[instance.table[stated]]
    return seconds


def schedule(instance: Instance, allocation: Indices, order: Indices) -> tuple[Floats, Floats]:
    """Start and end of every task in seconds; inf from the first that can't run.

    Parameters
    ----------
    allocation : int32 array (tasks,)
        Machine of every task.
    order : int32 array (tasks,)
        Order of placement, every flow's source before its target.
    """
    start, end = np.full((2, order.size), np.inf)
    kernel.schedule(instance, allocation, order, start, end)
    return start, end


def makespan(instance: Instance, allocation: Indices, order: Indices) -> float:
    """The last end in seconds; inf where the allocation is infeasible. As `schedule`."""
    return float(kernel.makespan(instance, allocation, order))


def total(instance: Instance, allocation: Indices) -> float:
    """The sum of all task and transfer seconds; inf where the allocation is infeasible."""
    return float(kernel.total(instance, allocation))


def previews(
    instance: Instance, allocation: Indices, order: Indices, tasks: Indices
) -> tuple[Floats, Floats, Floats, Floats]:
    """What moving `tasks` together to each machine would give.

    Returns
    -------
    makespans, totals : array (machines,)
        Seconds; inf where infeasible.
    start_s, end_s : array (machines,)
        Of the first of `tasks` there.
    """
    makespans, totals, start_s, end_s = np.empty((4, instance.machine_cores.size))
    kernel.previews(instance, allocation, order, tasks, makespans, start_s, end_s)
    kernel.totals(instance, allocation, tasks, totals)
    return makespans, totals, start_s, end_s


def flow_seconds(
    flows: FlowCosts, origins: NDArray[np.integer], destinations: NDArray[np.integer]
) -> Floats:
    """Seconds of every flow between given machines.

    Parameters
    ----------
    flows : FlowCosts
        Contended or dedicated.
    origins, destinations : int array (flows,)
        Machines of every flow's source and target.
    """
    seconds = np.zeros(origins.size)
    for size in range(flows.messages.shape[1]):
        with np.errstate(invalid="ignore"):
            part = flows.messages[:, size] * flows.startup_s[size, origins, destinations]
            part += flows.size_bytes[:, size] * flows.per_byte_s[size, origins, destinations]
        seconds += np.where(flows.messages[:, size] > 0, part, 0.0)
    stated = flows.table >= 0
    if stated.any():
        row = flows.table[stated]
        seconds[stated] = flows.tables[row, origins[stated], destinations[stated]]
    seconds[origins == destinations] = 0.0
    return seconds


def pair_seconds(flows: FlowCosts, flow: int) -> Floats:
    """Seconds of one flow from every machine to every machine, (machines, machines)."""
    seconds: Floats
    if flows.table[flow] >= 0:
        seconds = flows.tables[flows.table[flow]].copy()
    else:
        seconds = np.zeros(flows.startup_s.shape[1:])
        for size in np.flatnonzero(flows.messages[flow] > 0).tolist():
            with np.errstate(invalid="ignore"):
                part = flows.messages[flow, size] * flows.startup_s[size]
                seconds += part + flows.size_bytes[flow, size] * flows.per_byte_s[size]
    np.fill_diagonal(seconds, 0.0)
    return seconds


def _mean_apart(matrix: Floats) -> float:
    """Mean of the finite entries of two different machines; 0 if there are none."""
    counted = np.isfinite(matrix)
    np.fill_diagonal(counted, val=False)
    return float(matrix[counted].mean()) if counted.any() else 0.0


def _without_diagonal(matrices: Floats) -> Floats:
    """A copy, 0 from every machine to itself."""
    copy = np.array(matrices, dtype=np.float64, order="C")
    diagonal = np.arange(copy.shape[-1])
    copy[..., diagonal, diagonal] = 0.0
    return copy


def _offsets(sorted_positions: Indices, count: int) -> Indices:
    """Where each of `count` values begins in an ascending array, and its length at the end."""
    return np.searchsorted(sorted_positions, np.arange(count + 1)).astype(np.int32)
