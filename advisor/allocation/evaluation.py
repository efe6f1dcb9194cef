"""What a plan reaches, as a number alone: quicker than a whole prediction."""

from __future__ import annotations

import math

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, total
from advisor.allocation.timeline_modes import FAIR
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
    if objective == TOTAL and not here.costs.needs.outputs_stay:
        return float(total(here.instance, allocation))
    if problem.sharing == FAIR:
        reached = executed_makespan(here.executed, allocation, order)
    else:
        reached = float(makespan(here.instance, allocation, order))
    if objective == TOTAL and math.isfinite(reached):  # the plan does not stick
        return float(total(here.instance, allocation))
    return reached


# Everything on one machine: what the plans of a comparison are set against.


def best_single_machine(problem: Problem, objective: str) -> tuple[str, Plan] | None:
    """The machine on which all tasks together reach least: ("all on M1", plan).

    Of equal ones the first; None where no machine can run everything.
    """
    tasks = len(problem.workload.tasks)
    best: tuple[float, str, Plan] | None = None
    for position, machine in enumerate(problem.platform.machines):
        plan = Plan((position,) * tasks)
        value_s = reached_s(problem, objective, plan)
        if value_s < (math.inf if best is None else best[0]):
            best = value_s, f"all on {machine.name}", plan
    return None if best is None else best[1:]
