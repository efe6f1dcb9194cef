"""Many small heaps in one pool of arrays: skew heaps (Sleator & Tarjan 1986).

A heap is the position of its least element, or -1; an element is a position in `key`, `left` and
`right`. Of equal keys the lower position comes first, so that the order never depends on history.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

INLINED = ("before",)
BORROWING = ("before", "melded", "without_least")


def before(key: Array, one: int, other: int) -> bool:
    """Whether an element comes out before another."""
    if key[one] == key[other]:
        return one < other
    return bool(key[one] < key[other])


def melded(key: Array, left: Array, right: Array, one: int, other: int) -> int:
    """The heap of two heaps' elements; O(log n) amortised."""
    if one < 0:
        return other
    if other < 0:
        return one
    if before(key, other, one):
        one, other = other, one
    root = one
    while True:
        rest = right[one]
        right[one] = left[one]
        if rest < 0:
            left[one] = other
            return root
        if before(key, other, rest):
            rest, other = other, rest
        left[one] = rest
        one = rest


def without_least(key: Array, left: Array, right: Array, root: int) -> int:
    """The heap without its first element, which becomes one of its own."""
    rest = melded(key, left, right, left[root], right[root])
    left[root] = right[root] = -1
    return rest


def warm_up() -> None:
    """Compile for the array types in use."""
    key, left, right = np.zeros(2), np.full(2, -1), np.full(2, -1)
    without_least(key, left, right, melded(key, left, right, 0, 1))
