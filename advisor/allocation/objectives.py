"""What a plan is judged by: its last end, or the sum of all its times.

From which difference on one plan is better than another: the spread of what it is known from.

Seconds are never known better than the model that slows them by what others do: its readings were
measured within 3 % (page on slowdown). A smaller difference between two plans is within that
error; such plans are alike, however exactly their predictions were computed.
"""

from __future__ import annotations

import math

from advisor.basics.quantities import percent
from advisor.basics.rounding import ALIKE

MAKESPAN = "makespan"
TOTAL = "total"
OBJECTIVES = (MAKESPAN, TOTAL)
NO_TIME = "no task takes any time"
NO_BOUND = "no useful bound"
_USELESS_GAP = 1.0

SPREAD = 0.03  # share of the longer time: the exact reading beside measured slowdowns, and reruns
WITHIN = f"within the model's {100 * SPREAD:g} %"


def alike(one_s: float, other_s: float) -> bool:
    """Whether two values differ by no more than the model's own error; what can't run never."""
    return abs(one_s - other_s) <= SPREAD * max(abs(one_s), abs(other_s)) < math.inf


def certainty(gap: float, proved: bool = False, value_s: float = 1.0) -> str:
    """How sure a value is, from its gap to a proved bound: "at most 8.2 % above the best".

    A bound that the value is twice as far from says nothing of the plan, nor does a value of 0.
    """
    if value_s <= 0.0:
        return NO_TIME
    if proved or gap <= ALIKE:
        return "proved best"
    return NO_BOUND if gap > _USELESS_GAP else f"at most {percent(gap)} above the best"
