"""The total as a sum: what each task takes by its machine, each flow by those of its ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.timeline import flow_seconds
from machines.arrays import Floats

Tasks = tuple[int, ...]  # increasing; the axes of a term, in this order


def total_terms(problem: Problem) -> Iterator[tuple[Tasks, Floats]]:
    """The terms of the total: seconds by machine of one task, or by machines of the two of a flow.

    Each is an array (machines,) or (machines, machines); inf where it can't be, as on a machine
    whose memory the task alone exceeds.
    """
    costs = problem.costs
    tasks, machines = costs.task_s.shape
    task_s = costs.task_s if costs.outside is None else costs.task_s + costs.outside.total_s
    alone = costs.task_memory[:, None] <= costs.machine_memory[None, :]
    task_s = np.where(alone, task_s, np.inf)
    for task in range(tasks):
        yield (task,), task_s[task]
    flows = len(costs.sources)
    between = np.empty((machines, machines, flows))
    for one in range(machines):
        for other in range(machines):
            ends = np.full(flows, one, np.int32), np.full(flows, other, np.int32)
            between[one, other] = flow_seconds(costs.flows, *ends)
    for flow in range(flows):
        source, target = int(costs.sources[flow]), int(costs.targets[flow])
        term = between[:, :, flow]
        yield ((source, target), term) if source < target else ((target, source), term.T)
