"""The plans that compete in *What if*, and what they take once an assumption changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from advisor.advice.assumptions import TIME, Assumption
from advisor.advice.contest import (
    contestants_at,
    distinct,
    values_here,
    values_in,
)
from advisor.advice.kept_decisions import deciding_as, too_many_variants
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.variant_arrays import VariantArrays
from advisor.basics.stop_rule import ShouldStop
from machines import InfeasibleError, InputError
from machines.arrays import Floats


class Contest:
    """The plans that compete; the first is the one that is kept.

    `decided`: programs and numbers of processors are as that one has them.
    """

    def __init__(
        self, problem: Problem, objective: str, plans: Sequence[Plan], *, decided: bool = False
    ) -> None:
        self.problem, self.objective, self.plans = problem, objective, tuple(plans)
        self.decided = decided
        self._known: dict[tuple[str, float], dict[int, float]] = {}  # by plan's identity
        self._orders: dict[int, list[Plan]] = {}  # other orders of a plan, by its identity
        self._asked = list(plans)  # so that identities stay theirs

    def keep(self, place: int) -> None:
        """Put the best plan first."""
        rest = [plan for one, plan in enumerate(self.plans) if one != place]
        self.plans = (self.plans[place], *rest)

    def values(self) -> Floats:
        """What every plan takes at the present values."""
        return values_here(self.problem, self.objective, self.plans)

    def at(self, assumption: Assumption, value: float) -> Floats:
        """What every plan takes with one assumption changed; each is valued once."""
        key = (assumption.key, value) if value != assumption.present else ("", 0.0)
        known = self._known.setdefault(key, {})
        new = tuple(plan for plan in self.plans if id(plan) not in known)
        if new:
            self._asked += new
            values = self._valued(assumption, value, new).tolist()
            known.update(zip(map(id, new), values, strict=True))
        return np.array([known[id(plan)] for plan in self.plans])

    def _valued(self, assumption: Assumption, value: float, plans: tuple[Plan, ...]) -> Floats:
        """What plans take with one assumption changed, each in the best order known."""
        orders = [(plan, *self._orders.get(id(plan), ())) for plan in plans]
        values = self._of_each(assumption, value, tuple(chain.from_iterable(orders)))
        firsts = np.cumsum([0, *map(len, orders[:-1])])
        return np.minimum.reduceat(values, firsts)

    def _of_each(self, assumption: Assumption, value: float, plans: tuple[Plan, ...]) -> Floats:
        """The same, each in its own order; infinite where they can't run."""
        open_variants = bool(self.problem.workload.variable)
        try:
            if open_variants and not assumption.forbids:
                arrays = self._under(assumption, value)
                return np.array([arrays.reached_s(plan, self.objective) for plan in plans])
            same = value == assumption.present
            changed = self.problem if same else assumption.applied(self.problem, value)
        except (InfeasibleError, InputError):
            return np.full(len(plans), np.inf)
        # arrays of variants say what can't run
        valued = values_in if assumption.forbids and not open_variants else values_here
        return valued(changed, self.objective, plans)

    def _under(self, assumption: Assumption, value: float) -> VariantArrays:
        """The arrays of all variants with a time, the data or a load changed."""
        if value == assumption.present:
            return self._arrays
        if assumption.kind == TIME:
            return self._arrays.slower(assumption.places, value)
        return self._arrays.changed(lambda layer: assumption.applied(layer, value))

    @cached_property
    def _arrays(self) -> VariantArrays:
        return VariantArrays(self.problem)

    def search(
        self, assumption: Assumption, value: float, seconds: float, stop: ShouldStop
    ) -> None:
        """Let what a short search finds there compete, too."""
        if too_many_variants(self.problem):
            return
        try:
            changed = assumption.applied(self.problem, value)
        except (InfeasibleError, InputError):
            return
        start = self.plans[int(np.argmin(self.at(assumption, value)))]
        found = contestants_at(
            changed, changed.platform, self.objective, seconds, stop,
            None if assumption.forbids else start,
        )  # fmt: skip
        for one in found:
            self._add(deciding_as(one, self.plans[0]))

    def _add(self, plan: Plan) -> None:
        """Let a plan compete; the order of an allocation that is known may be better elsewhere."""
        known = distinct([*self.plans, plan])
        if len(known) > len(self.plans):
            self.plans = known
            return
        (same,) = (one for one in self.plans if distinct([one, plan]) == (one,))
        if same is not self.plans[0] and plan.order != same.order:  # the first is kept as it is
            self._orders.setdefault(id(same), []).append(plan)
            for values in self._known.values():
                values.pop(id(same), None)
