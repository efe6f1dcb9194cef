"""What a plan is judged by: its last end, or the sum of all its times.

From which difference on one plan is better than another: the spread of what it is known from.

Seconds are never known better than the model that slows them by what others do: its readings were
measured within 3 % (page on slowdown). A smaller difference between two plans is within that
error; such plans are alike, however exactly their predictions were computed.
"""

from __future__ import annotations

MAKESPAN = "makespan"
TOTAL = "total"
OBJECTIVES = (MAKESPAN, TOTAL)


SPREAD = 0.03  # share of the longer time: the exact reading beside measured slowdowns, and reruns
WITHIN = f"within the model's {100 * SPREAD:g} %"


def alike(one_s: float, other_s: float) -> bool:
    """Whether two values differ by no more than the model's own error."""
    return abs(one_s - other_s) <= SPREAD * max(abs(one_s), abs(other_s))
