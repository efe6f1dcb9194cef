"""What a judge says of a plan on a platform: its value, and the best of its contestants."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from advisor.allocation.plan import Plan
from advisor.basics.rounding import ALIKE
from machines import InputError, Platform


@dataclass(frozen=True)
class PlanVerdict:
    """The value of one plan on a platform, and the best plan there with its value.

    The best is the plan itself when none is better by more than rounding.
    """

    value_s: float
    best: Plan
    best_s: float

    @property
    def beaten(self) -> bool:
        """Whether another allocation is better."""
        return self.lost(ALIKE)

    @property
    def lost_s(self) -> float:
        """What staying with the plan costs there."""
        return self.value_s - self.best_s

    def lost(self, slack: float) -> bool:
        """Whether another allocation is better by more than that share."""
        return self.best_s < self.value_s * (1.0 - slack)


@dataclass(frozen=True)
class Judge:
    """Values a plan against its contestants on any platform.

    `judge`: ``judge(platform, plan) -> PlanVerdict``.
    """

    judge: Callable[[Platform, Plan], PlanVerdict]
    exact: bool  # the contestants are all allocations
    contestants: str  # in words: "all 4 allocations", "12 candidate plans"
    cost: float  # rough seconds of one verdict

    def compared(self, loads: str) -> str:
        """A sentence of what was compared, and under which loads."""
        if self.exact:
            return f"Compared {self.contestants}, varying {loads}."
        return f"Other loads: compared {self.contestants}, not all allocations, varying {loads}."

    def __call__(self, platform: Platform, plan: Plan) -> PlanVerdict:
        """The verdict on `plan` on `platform`; nothing can run where overlays can't keep up."""
        try:
            return self.judge(platform, plan)
        except InputError:
            return PlanVerdict(math.inf, plan, math.inf)
