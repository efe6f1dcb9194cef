"""Least total without a structure to exploit: descent by single moves from many starts.

Starts are the given plans, everything on one machine, and random disturbances of the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.rounding import ALIKE, ROUNDING
from advisor.kernels import schedule_kernel as kernel
from advisor.search.incumbent import StepBudget
from machines.arrays import Indices


def descend(
    problem: Problem,
    starts: Iterable[Plan],
    effort: StepBudget,
    seed: int,
    on_better: Callable[[Plan, float], None],
    target_s: float,
) -> None:
    """Search for plans of less total.

    Parameters as of `advisor.search.refine.refine`.
    """
    rng = np.random.default_rng(seed)
    tasks, machines = problem.costs.task_s.shape
    allocations = [np.array(plan.allocation, dtype=np.int32) for plan in starts]
    allocations += [np.full(tasks, machine, dtype=np.int32) for machine in range(machines)]
    best, kept = np.inf, allocations[0].copy()
    queue = list(allocations)
    while effort.left() and best > target_s * (1 + ALIKE):
        if queue:
            allocation = queue.pop(0)
        else:
            allocation = kept.copy()
            some = rng.integers(0, tasks, size=max(1, tasks // 20))
            allocation[some] = rng.integers(0, machines, size=some.size)
        value = _settled(problem, allocation, effort)
        if value < best * (1 - ROUNDING):
            best, kept = value, allocation.copy()
            on_better(Plan(tuple(kept.tolist()), None, "refine"), value)
        effort.on_slice()


def _settled(problem: Problem, allocation: Indices, effort: StepBudget) -> float:
    """Move single tasks while the total falls; `allocation` is changed in place."""
    instance = problem.instance
    tasks, machines = instance.task_s.shape
    value = float(kernel.total(instance, allocation))
    improved = True
    while improved and effort.left():
        improved = False
        for task in range(tasks):
            values = np.empty(machines)
            kernel.totals(instance, allocation, np.array([task], dtype=np.int32), values)
            effort.spent += machines * tasks
            machine = int(np.argmin(values))
            if values[machine] < value * (1 - ROUNDING) or value == np.inf > values[machine]:
                allocation[task], value, improved = machine, float(values[machine]), True
            if not effort.left():
                break
    return value
