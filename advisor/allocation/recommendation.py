"""The answer to a question: a plan, how good it is, how sure that is, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.allocation.objectives import certainty
from advisor.allocation.plan import Plan
from advisor.basics.rounding import ALIKE


@dataclass(frozen=True)
class Recommendation:
    """The outcome of a search.

    Attributes
    ----------
    objective : str
        "makespan" or "total".
    value_s, lower_bound_s : float
        What the plan reaches and the best proved bound over all plans.
    proved_optimal : bool
        The search proved that no plan is better.
    strategy : str
        The strategy that found the plan ("chain", "cut", "exact", "heft", …).
    ties : tuple of allocations
        Other allocations of the same value; complete only when `proved_optimal` and
        `ties_complete`.
    alternatives : tuple of (strategy, plan, value_s)
        What else was tried, best first, the second best plan among them.
    warnings : tuple of str
        Validity notes and, e.g., that the clock ended the search before its step budget.
    steps, seconds_spent : int, float
        Effort.
    """

    plan: Plan
    objective: str
    value_s: float
    lower_bound_s: float
    proved_optimal: bool
    strategy: str
    ties: tuple[tuple[int, ...], ...] = ()
    ties_complete: bool = True
    alternatives: tuple[tuple[str, Plan, float], ...] = ()
    warnings: tuple[str, ...] = ()
    steps: int = 0
    seconds_spent: float = 0.0

    @property
    def gap(self) -> float:
        """value/bound − 1; 0 where both are 0."""
        if self.lower_bound_s > 0:
            return self.value_s / self.lower_bound_s - 1.0
        return 0.0 if self.value_s <= 0 else float("inf")

    @property
    def bound_s(self) -> float:
        """Below which no plan is: the bound, or the plan's own value where it is proved best."""
        return self.value_s if self.proved_optimal else self.lower_bound_s

    def certainty(self, value_s: float) -> str:
        """How sure a value is: that of this plan, or of another one."""
        proved = self.proved_optimal and value_s <= self.value_s * (1.0 + ALIKE)
        gap = value_s / self.bound_s - 1.0 if self.bound_s > 0.0 else math.inf
        return certainty(gap, proved, value_s)

    @property
    def runner_up(self) -> tuple[str, Plan] | None:
        """The best other plan and its strategy: no tie, unless all others are."""
        others = (one for one in self.alternatives if not one[1].alike(self.plan))
        for strategy, plan, _ in others:
            if plan.allocation not in self.ties:
                return strategy, plan
        for tie in self.ties:
            if tie != self.plan.allocation:
                return "tie", replace(self.tied(tie), strategy="tie")
        return None

    def tied(self, allocation: tuple[int, ...]) -> Plan:
        """The plan of a tie, in the order in which it was met, else in the default one."""
        limit_s = self.value_s * (1.0 + ALIKE)
        met = (one for _, one, value_s in self.alternatives if value_s <= limit_s)
        same = (one for one in met if one.allocation == allocation)
        return next(same, replace(self.plan, allocation=allocation, order=None))

    def beaten_by(self, plan: Plan, value_s: float, proved: bool = False) -> Recommendation:
        """That of a better plan, met after the search; the plan until now is an alternative.

        Parameters
        ----------
        plan, value_s
            The better plan and what it reaches.
        proved : bool
            No plan is better than that.
        """
        bound_s = value_s if proved else min(self.lower_bound_s, value_s)
        return replace(
            self,
            plan=plan,
            value_s=value_s,
            lower_bound_s=bound_s,
            proved_optimal=proved or value_s <= bound_s * (1.0 + ALIKE),
            strategy=plan.strategy,
            ties=(),
            ties_complete=False,
            alternatives=((self.strategy, self.plan, self.value_s), *self.alternatives),
        )

    def after(self, before: Recommendation) -> Recommendation:
        """That of a search which went on from the plan of `before`: never worse, and no less sure.

        Where it found nothing better the plan keeps the name of the strategy that found it.
        """
        better = self.value_s < before.value_s * (1.0 - ALIKE)
        kept = self if better or self.proved_optimal else before
        if not better:
            plan = replace(kept.plan, strategy=before.strategy)
            kept = replace(kept, plan=plan, strategy=before.strategy)
        bound_s = min(max(self.lower_bound_s, before.lower_bound_s), kept.value_s)
        return replace(
            kept,
            lower_bound_s=bound_s,
            proved_optimal=kept.proved_optimal or kept.value_s <= bound_s * (1.0 + ALIKE),
            warnings=self.warnings,
            steps=before.steps + self.steps,
            seconds_spent=before.seconds_spent + self.seconds_spent,
        )


@dataclass(frozen=True)
class Progress:
    """What a running search tells: the best so far and how far it is.

    Attributes
    ----------
    tried : int
        Plans whose value was looked at.
    fraction : float
        Share of the search budget used, of steps or of what the clock allows; it never falls.
    left_s : float or None
        Seconds until the end if it goes on as it did; None: nothing is known yet.
    """

    plan: Plan
    value_s: float
    lower_bound_s: float
    strategy: str
    tried: int
    fraction: float
    left_s: float | None = None

    def recommendation(self, objective: str) -> Recommendation:
        """What a search that told nothing more has found."""
        bound_s = min(self.lower_bound_s, self.value_s)
        return Recommendation(
            plan=self.plan,
            objective=objective,
            value_s=self.value_s,
            lower_bound_s=bound_s,
            proved_optimal=self.value_s <= bound_s * (1.0 + ALIKE),
            strategy=self.strategy,
            ties_complete=False,
        )
