"""The total as a sum: what each task takes by its machine, each flow by those of its ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from machines.arrays import Floats

Tasks = tuple[int, ...]  # increasing; the axes of a term, in this order


def total_terms(problem: Problem) -> Iterator[tuple[Tasks, Floats]]:
    """The terms of the total: seconds by machine of one task, or by machines of the two of a flow.

    Each is an array (machines,) or (machines, machines); inf where it can't be, as on a machine
    whose memory the task alone exceeds.
    """
    costs = problem.costs
    task_s = costs.task_s if costs.outside is None else costs.task_s + costs.outside.total_s
    alone = costs.task_memory[:, None] <= costs.machine_memory[None, :]
    task_s = np.where(alone, task_s, np.inf)
    for task, seconds in enumerate(task_s):
        yield (task,), seconds
    for flow, (source, target) in enumerate(zip(costs.sources, costs.targets, strict=True)):
        term = pair_seconds(costs.flows, flow)
        one, other = int(source), int(target)
        yield ((one, other), term) if one < other else ((other, one), term.T)
