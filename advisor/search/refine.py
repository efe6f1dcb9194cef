"""Refinement of allocation and order: annealing from many starts, then kicks of the best.

Starts are the given plans and everything on one machine; a small pool of the best solutions is
kicked (clusters and machines moved whole) and annealed again until the step budget is used up.
Deterministic for a seed; the work is done in slices, between which progress is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from advisor import kernels
from advisor.allocation.feasibility import places
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.kernels import paths_kernel as paths
from advisor.kernels import refine_kernel as kernel
from advisor.kernels import solution
from advisor.search import network_aware_lists as shared_lists
from advisor.search import total
from advisor.search.allocation_search import AllocationSearch
from advisor.search.incumbent import StepBudget
from advisor.search.network_aware_refine import refine_shared
from advisor.search.pool import Pool, Solution, bond, finite_mean
from advisor.search.strategy import Role, Strategy, anywhere
from machines.arrays import Indices

_SLICE = 400_000  # task placements between two looks at the clock: some milliseconds
_START_STEPS, _START_HEAT = 20_000, 0.3
_KICK_STEPS, _KICK_HEAT, _KICK_STRENGTH = 40_000, 0.2, 3
_COLD = 0.01
_POOL = 2
_LARGE = 500  # tasks from which annealing only descends: a run must end within its budget


def refine(
    problem: Problem,
    starts: Iterable[Plan],
    effort: StepBudget,
    seed: int,
    on_better: Callable[[Plan, float], None],
    target_s: float,
) -> None:
    """Search for plans of less makespan.

    Parameters
    ----------
    problem : Problem
    starts : iterable of Plan
        Feasible plans.
    effort : Effort
        Budget and stop.
    seed : int
        Of the random moves.
    on_better : callable
        Called with every plan that is better than all before, and its value.
    target_s : float
        A proved bound: reaching it ends the search.
    """
    if not kernels.load(effort.should_stop) and not effort.left():
        return
    run = _Refinement(problem, effort, seed, on_better, target_s)
    plans = list(starts)
    for plan in plans:
        run.start(plan.allocation, plan.order)
    for machine in range(problem.instance.machine_cores.size):
        run.start([machine] * len(problem.workload.tasks), None)
    run.kick_the_best()


class _Refinement:
    """Its scratch arrays and its pool of solutions."""

    def __init__(
        self,
        problem: Problem,
        effort: StepBudget,
        seed: int,
        on_better: Callable[[Plan, float], None],
        target_s: float,
    ) -> None:
        self._instance = problem.instance
        self._effort, self._on_better = effort, on_better
        self._target_s = target_s * (1.0 + ALIKE)
        tails = paths.tails(self._instance)
        self._search = solution.new_search(self._instance, tails, bond(self._instance), seed)
        self._tasks = problem.instance.task_s.shape[0]
        self._scale = finite_mean(self._instance.task_s)
        self._pool = Pool(_POOL)
        self._best = np.inf

    def start(self, allocation: Sequence[int], order: Sequence[int] | None) -> None:
        """Anneal from one plan, if it is feasible."""
        tasks = np.arange(self._tasks)
        home = np.array(allocation, dtype=np.int32)
        if not self._going() or not np.isfinite(self._instance.task_s[tasks, home]).all():
            return
        self._search.now.allocation[:] = home
        if order is not None:
            self._search.now.order[:] = order
        if not self._fits(home):
            return
        value = kernel.begin(self._instance, self._search, order is not None)
        if np.isfinite(value):
            heat = _COLD if self._tasks > _LARGE else _START_HEAT
            self._pool.keep(self._anneal(value, _START_STEPS, heat))

    def kick_the_best(self) -> None:
        """Disturb and anneal the pool's solutions in turn, as long as there is effort."""
        turn = 0
        while self._going() and self._pool:
            chosen = self._pool[turn % len(self._pool)]
            turn += 1
            for trial in (self._search.now, self._search.trial):
                trial.allocation[:] = chosen.allocation
                trial.order[:] = chosen.order
            for position, task in enumerate(chosen.order):
                self._search.place[task] = position
            if self._tasks <= _LARGE:
                kernel.kick(self._instance, self._search, _KICK_STRENGTH)
            value = kernel.begin(self._instance, self._search, self._tasks > _LARGE)
            self._effort.spent += self._tasks
            if np.isfinite(value):
                heat = _COLD if self._tasks > _LARGE else _KICK_HEAT
                self._pool.keep(self._anneal(value, _KICK_STEPS, heat))

    def _going(self) -> bool:
        return self._effort.left() and self._best > self._target_s

    def _fits(self, allocation: Indices) -> bool:
        used = np.bincount(
            allocation, self._instance.task_memory, self._instance.machine_memory.size
        )
        return bool((used <= self._instance.machine_memory).all())

    def _anneal(self, value: float, steps: int, hot: float) -> Solution:
        """Run in slices; the temperature falls evenly over all of them."""
        best = value
        part = max(1, min(steps, _SLICE // self._tasks))
        slices = max(1, steps // part)
        cold = min(_COLD, hot)
        self._tell(best)
        for number in range(slices):
            if not self._going():
                break
            heats = [
                self._scale * hot * (cold / hot) ** (share / slices)
                for share in (number, number + 1)
            ]
            value, best = kernel.anneal(
                self._instance, self._search, part, heats[0], heats[1] * (1 - 1e-9), value
            )
            self._effort.spent += part * self._tasks
            self._tell(best)
            self._effort.on_slice()
        found = self._search.best
        return Solution(best, found.allocation.copy(), found.order.copy())

    def _tell(self, value: float) -> None:
        if value < self._best:
            self._best = value
            found = self._search.best
            by_start = np.lexsort((places(found.order), found.start))
            plan = Plan(
                tuple(found.allocation.tolist()), tuple(by_start.tolist()), strategy="refine"
            )
            self._on_better(plan, value)


def _search(search: AllocationSearch) -> bool:
    """From the plans that were found, best first."""
    problem, effort, seed = search.problem, search.effort, search.asked.seed
    method, starts = total.descend, search.plans
    if search.objective == MAKESPAN:
        method = refine
        if problem.sharing == FAIR or problem.costs.needs.amount.shape[1]:  # memory, resources
            method = refine_shared
            starts += [*shared_lists.clustered(problem), *shared_lists.all_on_one(problem)]
    method(problem, starts, effort, seed, search.offer_better, search.bound_s)
    return True


STRATEGY = Strategy(
    "refine", "Refinement", "Annealing from the others' plans", Role.IMPROVEMENT, anywhere, _search
)
