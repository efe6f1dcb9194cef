"""What allocations of a chain take: sums over its tasks and transfers, and the least of them."""

from __future__ import annotations

import numpy as np

from advisor.allocation.costs import Costs, FlowCosts
from advisor.allocation.workload import Workload
from machines.arrays import Floats, Indices


def is_chain(workload: Workload) -> bool:
    """Whether the flows join all tasks into one path."""
    tasks = len(workload.tasks)
    if workload.sources.size != tasks - 1:
        return False
    out = np.bincount(workload.sources, minlength=tasks)
    into = np.bincount(workload.targets, minlength=tasks)
    return bool(np.all(out <= 1) and np.all(into <= 1))


def flow_table(flows: FlowCosts, flow: int) -> Floats:
    """Seconds of one flow from every machine to every other, shape (machines, machines)."""
    row = int(flows.table[flow])
    if row >= 0:
        seconds: Floats = flows.tables[row].copy()
    else:
        bins = np.flatnonzero(flows.messages[flow])
        seconds = np.zeros(flows.startup_s.shape[1:])
        for one in bins:
            seconds += flows.messages[flow, one] * flows.startup_s[one]
            seconds += flows.size_bytes[flow, one] * flows.per_byte_s[one]
    np.fill_diagonal(seconds, 0.0)
    return seconds


def sums(costs: Costs, allocations: Indices) -> Floats:
    """All task and transfer seconds of every allocation (rows), shape (allocations,)."""
    values = np.zeros(len(allocations))
    task_s = _with_fetches(costs)
    for task in range(allocations.shape[1]):
        values += task_s[task, allocations[:, task]]
    ends = zip(costs.sources.tolist(), costs.targets.tolist(), strict=True)
    for flow, (source, target) in enumerate(ends):
        seconds = flow_table(costs.flows, flow)
        values += seconds[allocations[:, source], allocations[:, target]]
    return values


def _with_fetches(costs: Costs) -> Floats:
    """Seconds of every task on every machine, with what it fetches from outside."""
    return costs.task_s if costs.outside is None else costs.task_s + costs.outside.total_s


def shortest_chain(costs: Costs) -> tuple[tuple[int, ...], float]:
    """The allocation of least total of a chain and its seconds, by dynamic programming.

    best[t, q] = task_s[t, q] + min over p of (best[t − 1, p] + flow_s[p, q]), with flow_s 0 on
    one machine (Figueira & Berman 1996, sec. 2, as a shortest path).
    """
    order = costs.topological_order.tolist()
    flow_into = {target: flow for flow, target in enumerate(costs.targets.tolist())}
    task_s = _with_fetches(costs)
    reached = task_s[order[0]]
    origins = []
    for task in order[1:]:
        arriving = reached[:, None] + flow_table(costs.flows, flow_into[task])
        origin = np.argmin(arriving, axis=0)
        origins.append(origin)
        reached = arriving[origin, np.arange(len(origin))] + task_s[task]
    machine = int(np.argmin(reached))
    value_s = float(reached[machine])
    allocation = {order[-1]: machine}
    for task, origin in zip(reversed(order[:-1]), reversed(origins), strict=True):
        machine = int(origin[machine])
        allocation[task] = machine
    return tuple(allocation[task] for task in range(len(order))), value_s
