"""Orders in which everything comes after what it needs."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any


def after_needs(keys: Sequence[Any], needs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Positions in an order in which each comes after those that it needs.

    `keys`: of all that may come next the least comes first; ties by position.
    `needs`: pairs (first, then); pairs of positions; a pair may be there several times.
    Returns all positions; only those before a cycle where there is one.
    """
    following: list[list[int]] = [[] for _ in keys]
    waiting = [0] * len(keys)
    for first, then in needs:
        following[first].append(then)
        waiting[then] += 1
    ready = [(keys[one], one) for one, count in enumerate(waiting) if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        _, one = heapq.heappop(ready)
        order.append(one)
        for other in following[one]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, (keys[other], other))
    return tuple(order)
