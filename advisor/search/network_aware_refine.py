"""Refinement of the contention-aware schedule: annealing by estimates from many starts, then exact.

From every start the list is annealed with the estimate of `advisor.kernels.estimate`, and what
comes out is carried out. The best of that are kicked and annealed again with every candidate
carried out that the estimate does not rule out, until the step budget is used up. Only what the
executed timeline says is kept. Deterministic for a seed; work is done in slices, between which
progress is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from advisor import kernels
from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.rounding import ALIKE, ROUNDING
from advisor.kernels import backlog, estimate, solution
from advisor.kernels import paths_kernel as paths
from advisor.kernels import refine_kernel as refine
from advisor.kernels import shared_refine_kernel as kernel
from advisor.search.incumbent import StepBudget
from advisor.search.pool import Pool, Solution, bond, finite_mean
from machines.arrays import Indices

_SLICE = 300_000  # task placements between two looks at the clock: some milliseconds
# what is charged, in placements of a task: of an estimate and of a plan that is carried out, by
# task or reader, and by change of a load; measured, compiled
_ESTIMATED, _CARRIED_OUT, _CHANGED, _CALLED = 2, 4, 2, 100
_ESTIMATES = 0.35  # of the budget
_START_STEPS, _KICK_STEPS = 20_000, 8_000
_HOT, _WARM, _COLD = 0.1, 0.05, 0.003  # of the mean time of a task
_FEW = 100  # steps a task below which annealing only descends
_SLACK = 0.03
_GAIN = 1e-3  # of the makespan, from which a better plan is told at once
_KIND = 0.35  # what each kind of resources adds to a trial
_LARGE = 20_000  # tasks and readers that fill the processor's cache: twice as slow
_KICK_STRENGTH, _POOL = 3, 3


def refine_shared(
    problem: Problem,
    starts: Iterable[Plan],
    effort: StepBudget,
    seed: int,
    on_better: Callable[[Plan, float], None],
    target_s: float,
) -> None:
    """Search for plans whose execution takes less.

    Parameters as of `advisor.search.refine.refine`.
    """
    if not kernels.load(effort.should_stop) and not effort.left():
        return
    run = _Refinement(problem, effort, seed, on_better, target_s)
    run.estimated(list(starts))
    run.carried_out()


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
        self._problem, self._effort, self._on_better = problem, effort, on_better
        self._instance, self._executed = problem.instance, problem.executed
        self._target_s = target_s * (1.0 + ALIKE)
        tails = paths.tails(self._instance)
        self._search = solution.new_search(self._instance, tails, bond(self._instance), seed)
        self._state = backlog.new_backlog(self._executed)
        self._tasks = self._instance.task_s.shape[0]
        size = self._tasks + self._executed.reader.size
        kinds = self._executed.amount.shape[1]
        self._size = int(size * (1 + size / _LARGE) * (1.0 + _KIND * kinds))
        self._scale = finite_mean(self._instance.task_s)
        self._spent = np.zeros(3, np.int64)
        self._changes = 2.0 * self._executed.reader.size  # expected of a plan
        self._pool = Pool(_POOL)
        self._best = np.inf

    def estimated(self, starts: list[Plan]) -> None:
        """Anneal from every start by estimates alone, best first."""
        allowed = self._effort.spent + int(_ESTIMATES * (self._effort.budget - self._effort.spent))
        for place, plan in enumerate(starts):
            if not self._going():
                return
            allocation, order = placement(self._problem, plan)
            if not self._placed(allocation, order):
                continue
            self._pool.keep(self._tried(allocation, order))
            left = (allowed - self._effort.spent) / (len(starts) - place)
            steps = min(_START_STEPS, int(left / self._cost(slack=-1.0)))
            if steps > 0:
                self._pool.keep(self._annealed(steps, _HOT, -1.0))

    def carried_out(self) -> None:
        """Kick and anneal the pool's solutions in turn, as long as there is effort."""
        turn = 0
        while self._going() and self._pool:
            chosen = self._pool[0 if turn == 0 else turn % len(self._pool)]
            if not self._placed(chosen.allocation, chosen.order):
                return
            steps = max(1, min(_KICK_STEPS, self._left(_SLACK)))
            if turn > 0 and steps >= _FEW * self._tasks:
                refine.kick(self._instance, self._search, _KICK_STRENGTH)
                guess = kernel.begin(
                    self._instance, self._executed, self._state, self._search, False
                )
                if not np.isfinite(guess):
                    self._placed(chosen.allocation, chosen.order)
            turn += 1
            self._pool.keep(self._annealed(steps, _WARM, _SLACK))

    def _going(self) -> bool:
        return self._effort.left() and self._best > self._target_s

    def _left(self, slack: float) -> int:
        """Steps that what is left of the budget allows."""
        return int((self._effort.budget - self._effort.spent) / self._cost(slack))

    def _cost(self, slack: float) -> float:
        """Placements that a step is expected to cost."""
        cost = float(_CALLED + _ESTIMATED * self._size)
        if slack >= 0.0:
            cost += 0.5 * (_CARRIED_OUT * self._size + _CHANGED * self._changes)
        return cost

    def _placed(self, allocation: Indices, order: Indices) -> bool:
        """Let the search stand at a solution; whether it can run."""
        self._search.now.allocation[:] = allocation
        self._search.now.order[:] = order
        value = kernel.begin(self._instance, self._executed, self._state, self._search, True)
        return bool(np.isfinite(value))

    def _tried(self, allocation: Indices, order: Indices) -> Solution:
        """Carry a solution out; told if it is the best so far."""
        self._effort.spent += int(self._once())
        value = executed_makespan(self._executed, allocation, order)
        return self._told(float(value), allocation, order)

    def _told(self, value: float, allocation: Indices, order: Indices) -> Solution:
        """Tell of a solution of known makespan if it is the best so far."""
        if value < self._best * (1.0 - ROUNDING):
            self._best = value
            plan = Plan(tuple(allocation.tolist()), tuple(order.tolist()), "refine")
            self._effort.spent += 2 * int(self._once())  # in both orders, to whoever is told
            self._on_better(plan, value)
        return Solution(value, allocation.copy(), order.copy())

    def _once(self) -> float:
        """Placements that carrying a plan out stands for."""
        return _CALLED + _CARRIED_OUT * self._size + _CHANGED * self._changes

    def _annealed(self, steps: int, hot: float, slack: float) -> Solution:
        """Run in slices; the temperature falls evenly over all of them."""
        now, best = self._search.now, self._search.best
        if steps < _FEW * self._tasks:
            hot = _COLD
        values = self._valued(slack)
        part = max(1, min(steps, int(_SLICE / self._cost(slack))))
        slices, number, told, found = max(1, steps // part), 0, np.inf, None
        while True:
            over = number == slices or not self._going()
            gained = values[2] < told * (1.0 if over else 1.0 - _GAIN)
            if gained and (number > 0 or over):
                told = values[2]
                known = slack >= 0.0
                one = (
                    self._told(told, best.allocation, best.order)
                    if known
                    else self._tried(best.allocation, best.order)
                )
                found = one if found is None or one.value < found.value else found
            if over:
                return found or self._tried(now.allocation, now.order)
            heats = [
                self._scale * hot * (_COLD / hot) ** (share / slices)
                for share in (number, number + 1)
            ]
            values = self._stepped(part, heats[0], heats[1] * (1 - 1e-9), values, slack)
            number += 1
            self._effort.on_slice()

    def _valued(self, slack: float) -> tuple[float, float, float]:
        """What `now` is worth, what it is estimated at, and the best of the run to come."""
        now = self._search.now
        nothing = np.zeros_like(self._search.tail)
        guess = float(estimate.estimate(self._executed, self._state, now, nothing, np.inf))
        value = guess
        if slack >= 0.0:
            value = float(executed_makespan(self._executed, now.allocation, now.order))
        return value, guess, value

    def _stepped(
        self, steps: int, hot: float, cold: float, values: tuple[float, float, float], slack: float
    ) -> tuple[float, float, float]:
        before = self._spent.copy()
        found: tuple[float, float, float] = kernel.anneal(
            self._instance, self._executed, self._state, self._search, steps, hot, cold, values,
            slack, self._spent,
        )  # fmt: skip
        made, carried, changes = (self._spent - before).tolist()
        self._effort.spent += steps * _CALLED + made * _ESTIMATED * self._size
        self._effort.spent += carried * _CARRIED_OUT * self._size + changes * _CHANGED
        if carried:
            self._changes = changes / carried
        return found
