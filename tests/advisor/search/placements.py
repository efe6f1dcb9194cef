"""A plan's placements one after the other, with what could have been chosen instead."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.kernels import partial as kernel
from advisor.kernels.partial import Partial


def placements(problem: Problem, plan: Plan) -> Iterator[tuple[Partial, int, int]]:
    """(what is placed before, task, machine) in the order of the plan."""
    partial = kernel.begun(problem.instance)
    for task in plan.order or ():
        on = plan.allocation[task]
        yield partial, task, on
        kernel.step(problem.instance, partial, task, on)
