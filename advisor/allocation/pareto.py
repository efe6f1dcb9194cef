"""Which plans are worth a look when two measures count: the Pareto front.

A plan is on the front if no other one is at least as good in both measures and better in one
(V. Pareto 1906). Less is better in both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from advisor.basics.rounding import ALIKE

Pair = tuple[float, float]


def pareto_front(values: Sequence[Pair]) -> list[bool]:
    """For every pair of measures whether no other pair dominates it.

    One dominates another when it is nowhere worse and somewhere better, beyond rounding. A pair
    with a NaN, of which a measure is not known, is off the front and dominates none.
    """
    known = [pair for pair in values if not any(map(math.isnan, pair))]
    return [
        not any(map(math.isnan, one)) and not any(_dominates(other, one) for other in known)
        for one in values
    ]


def steps(front: Sequence[Pair]) -> list[Pair]:
    """The corners of the line that parts what a front dominates, from the left.

    Parameters
    ----------
    front : sequence of (x, y)
        Its members, in any order.
    """
    corners: list[Pair] = []
    for x, y in sorted(set(front)):
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    return corners


def _dominates(one: Pair, other: Pair) -> bool:
    slack = [ALIKE * max(abs(a), abs(b)) for a, b in zip(one, other, strict=True)]
    nowhere_worse = all(a <= b + s for a, b, s in zip(one, other, slack, strict=True))
    return nowhere_worse and any(a < b - s for a, b, s in zip(one, other, slack, strict=True))
