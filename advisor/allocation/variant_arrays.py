"""The arrays of every variant of a problem, so that plans in many variants are valued quickly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.needs import needs_of
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, total
from advisor.allocation.timeline_modes import FAIR
from advisor.kernels.instance import Instance
from machines.arrays import Indices, Ints


class VariantArrays:
    """v variants, n tasks, m machines; row v has what tasks take in variant v.

    Attributes
    ----------
    able : list of set of int
        The variants in which each task can run somewhere.
    task_s : array (v, n, m)
        Seconds under contention; inf where a task can't run so.
    amount : array (v, n, k)
        What tasks hold (`advisor.allocation.needs`).
    cores : array (v, n)
    instance : Instance
        Of the contention-free schedule, in the first variant.
    """

    def __init__(
        self, problem: Problem, every: Sequence[tuple[Problem, Ints]] | None = None
    ) -> None:
        self.problem = problem
        self._every = every = problem.in_each_variant if every is None else every
        layers = [one for one, _ in every]
        self._each = np.arange(len(problem.workload.tasks))
        self.able = [set[int]() for _ in self._each]
        for variant, (_, tasks) in enumerate(every):
            for task in tasks.tolist():
                self.able[task].add(variant)
        needs = [needs_of(one.platform, one.workload, problem.workload) for one in layers]
        self.amount = np.array([one.amount for one in needs])
        self.cores = np.array([one.costs.task_cores for one in layers])
        self.task_s = np.array([one.instance.task_s for one in layers])
        for task, variants in enumerate(self.able):
            self.task_s[[v for v in range(len(layers)) if v not in variants], task] = np.inf
        self._memory = np.array([one.costs.task_memory for one in layers])
        self._reserved = layers[0].costs.machine_memory
        self._work_s = np.array([one.costs.task_dedicated_s for one in layers])
        shared, wide = needs[0].arrays, needs[0].platform_wide
        self.instance = layers[0].instance._replace(**shared)
        self.executed = layers[0].executed._replace(**shared, wide=wide)

    def changed(self, change: Callable[[Problem], Problem]) -> VariantArrays:
        """The same after a change that no variant runs on fewer or more machines for."""
        return VariantArrays(self.problem, [(change(one), able) for one, able in self._every])

    def slower(self, tasks: Sequence[int], factor: float) -> VariantArrays:
        """The same where some tasks take a multiple of their time, in all variants."""
        twin, rows = copy(self), list(tasks)
        twin.task_s, twin._work_s = self.task_s.copy(), self._work_s.copy()
        twin.task_s[:, rows] *= factor
        twin._work_s[:, rows] *= factor
        return twin

    def reached_s(self, plan: Plan, objective: str) -> float:
        """`value_s` of a plan, in the order that it says or else has at present."""
        allocation, order = placement(self.problem, plan)
        variants = np.array(self.problem.variants_of(plan), np.int32)
        return self.value_s(variants, allocation, order, objective)

    def layer(self, v: int) -> Instance:
        """The instance in which all tasks run in that variant."""
        return self.instance._replace(
            task_s=self.task_s[v], task_cores=self.cores[v], amount=self.amount[v]
        )

    def value_s(
        self, variants: Indices, allocation: Indices, order: Indices, objective: str = MAKESPAN
    ) -> float:
        """What a plan reaches; inf where it can't run."""
        here = variants, self._each
        if not np.isfinite(self.task_s[variants, self._each, allocation]).all():
            return math.inf
        if np.isfinite(self._reserved).any():
            used = np.bincount(allocation, self._memory[here], self._reserved.size)
            if (used > self._reserved).any():
                return math.inf
        sticks = self.problem.costs.needs.outputs_stay and objective == TOTAL
        if sticks and math.isinf(self.value_s(variants, allocation, order)):
            return math.inf
        if self.problem.sharing == FAIR and objective == MAKESPAN:
            executed = self.executed._replace(
                work_s=self._work_s[here], task_cores=self.cores[here], amount=self.amount[here]
            )
            return executed_makespan(executed, allocation, order)
        instance = self.instance._replace(
            task_s=self.task_s[here], task_cores=self.cores[here], amount=self.amount[here]
        )
        if objective == TOTAL:
            return float(total(instance, allocation))
        return float(makespan(instance, allocation, order))
