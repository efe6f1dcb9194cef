"""A heuristic: everything on the first machine that can run everything."""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.search.strategy import heuristic
from machines import InfeasibleError


def first_machine(problem: Problem) -> Plan:
    """All tasks on the first machine that has what each of them needs."""
    costs = problem.costs
    able = np.isfinite(costs.task_s).all(axis=0) & (costs.task_memory.sum() <= costs.machine_memory)
    if not able.any():
        raise InfeasibleError("no machine can run every task", remedy="Try another strategy")
    tasks = len(problem.workload.tasks)
    return Plan((int(np.argmax(able)),) * tasks)


STRATEGY = heuristic(
    "dummy", "First machine", "Everything on the first machine that can", first_machine
)
