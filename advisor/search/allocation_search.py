"""The search for an allocation: the strategies offer their plans to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.search.incumbent import Incumbent


@dataclass
class AllocationSearch(Incumbent):
    """One search; `ties` are other allocations as good as the one that is proved best."""

    ties: tuple[tuple[int, ...], ...] = ()
    ties_complete: bool = True

    def recommendation(self) -> Recommendation:
        """The best that was found, with its ties."""
        found = super().recommendation()
        if found.proved_optimal and not self.proved:  # by the bound: others were not looked for
            good = [one for one, value_s in self.ranked() if value_s <= found.value_s * (1 + ALIKE)]
            self.ties = tuple(dict.fromkeys(one.allocation for one in good))
            self.ties_complete = False
        ties = tuple(tie for tie in self.ties if tie != found.plan.allocation)
        return replace(found, ties=ties, ties_complete=self.ties_complete)

    def offer(self, plan: Plan) -> float:
        """Keep a feasible plan if it is its strategy's best; returns its value.

        Where transfers share, a plan is carried out in its own order and in that of the starts of
        the classical timeline; the better is kept. So it is where a plan's own order sticks, as
        outputs stay in memory.
        """
        value_s = self._value(plan)
        sticks = self.problem.costs.needs.outputs_stay and not np.isfinite(value_s)
        if (self.problem.sharing == FAIR or sticks) and plan.order is not None:
            by_starts = replace(plan, order=None)
            other_s = self._value(by_starts)
            if other_s < value_s:
                plan, value_s = by_starts, other_s
        self.keep(plan, value_s)
        return value_s

    def offer_better(self, plan: Plan, _value_s: float) -> None:
        """Keep a plan that a search found on its way, and tell."""
        self.offer(plan)
        self.tell()

    def offer_if_feasible(self, plan: Plan) -> None:
        """Keep the plan unless it can't run."""
        if self.is_feasible(plan):
            self.offer(plan)

    def _value(self, plan: Plan) -> float:
        return reached_s(self.problem, self.objective, plan)

    def prove(self, plan: Plan, ties: tuple[tuple[int, ...], ...], complete: bool) -> None:
        """Keep a plan that is proved best, with what ties with it."""
        self.offer(plan)
        self.proved, self.ties, self.ties_complete = True, ties, complete

    def memory_suffices(self, allocation: tuple[int, ...]) -> bool:
        """Whether no machine holds more than its memory."""
        costs = self.problem.costs
        used = np.bincount(allocation, costs.task_memory, len(costs.machine_memory))
        return bool((used <= costs.machine_memory).all())
