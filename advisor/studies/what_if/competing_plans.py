"""The plans that compete in *What if*, and what they take once an assumption changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.advice.assumptions import Assumption
from advisor.advice.contest import contestants_at, distinct, values_in, values_on
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from machines import InfeasibleError, InputError
from machines.arrays import Floats


def with_open_variants(asked: Problem, settled: Problem, kept: Plan) -> Problem:
    """The problem that leaves variants open beside places and order; all else is as in a plan."""
    if not asked.workload.variable:
        return settled
    here = asked.decided(kept.choices, kept.overlays).at(kept.processors)
    return replace(here, costs=replace(here.costs, warnings=settled.costs.warnings))


def differs_in_variants_alone(one: Plan, kept: Plan) -> bool:
    """Whether all that a plan decides beside places, order and variants is as in another."""
    return one.decides_as(replace(kept, variants=one.variants))


class Contest:
    """The plans that compete; the first is the one that is kept.

    `decided`: programs and numbers of processors are as that one has them.
    """

    def __init__(
        self, problem: Problem, objective: str, plans: Sequence[Plan], *, decided: bool = False
    ) -> None:
        self.problem, self.objective, self.plans = problem, objective, tuple(plans)
        self.decided = decided

    def keep(self, place: int) -> None:
        """Put the best plan first."""
        rest = [plan for one, plan in enumerate(self.plans) if one != place]
        self.plans = (self.plans[place], *rest)

    def values(self, problem: Problem, checked: bool = False) -> Floats:
        """What every plan takes there; infinite where it can't run."""
        if checked:
            return values_in(problem, self.objective, self.plans)
        return values_on(problem, self.objective, problem.platform, self.plans)

    def at(self, assumption: Assumption, value: float) -> Floats:
        """What every plan takes with one assumption changed."""
        try:
            changed = assumption.applied(self.problem, value)
        except (InfeasibleError, InputError):
            return np.full(len(self.plans), np.inf)
        return self.values(changed, checked=assumption.forbids)

    def search(
        self, assumption: Assumption, value: float, seconds: float, stop: ShouldStop
    ) -> None:
        """Let what a short search finds there compete, too."""
        try:
            changed = assumption.applied(self.problem, value)
        except (InfeasibleError, InputError):
            return
        start = self.plans[int(np.argmin(self.at(assumption, value)))]
        found = contestants_at(
            changed, changed.platform, self.objective, seconds, stop,
            None if assumption.forbids else start,
        )  # fmt: skip
        kept = self.plans[0]
        dressed = (replace(one.deciding_as(kept), variants=one.variants) for one in found)
        self.plans = distinct([*self.plans, *dressed])
