"""What a plan reaches, as a number alone: quicker than a whole prediction."""

from __future__ import annotations

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.sharing import FAIR
from advisor.allocation.timeline import makespan, total
from machines import InfeasibleError


def reached_s(problem: Problem, objective: str, plan: Plan) -> float:
    """Seconds of the objective as `predict` gives them; inf if the plan can't run."""
    try:
        here = problem.settled(plan)
    except InfeasibleError:
        return float("inf")
    allocation, order = placement(problem, plan)
    used = np.bincount(allocation, here.costs.task_memory, len(here.costs.machine_memory))
    if (used > here.costs.machine_memory).any():
        return float("inf")
    if objective == TOTAL:
        return float(total(here.instance, allocation))
    if problem.sharing == FAIR:
        return executed_makespan(here.executed, allocation, order)
    return float(makespan(here.instance, allocation, order))
