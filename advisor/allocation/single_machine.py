"""Everything on one machine: what the plans of a comparison are set against."""

from __future__ import annotations

import math

from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem


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
