"""Which links a message takes between two machines.

A linked pair uses its link; any other pair the route of least total startup, at equal startup the
one of least total time per byte, then the one through earlier machines.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from machines.arrays import Ints
from machines.platform import Direction, Link, Platform

# Costs are compared as whole steps, 2^45 to the largest, so that equal sums are equal in any
# order of addition and no route can turn in a circle.
_STEPS = 2.0**45
_UNREACHABLE = 2**61


@dataclass(frozen=True)
class Hop:
    """One link of a route.

    Attributes
    ----------
    link : int
        Position in the platform's links.
    forward : bool
        From the link's first machine to its second.
    """

    link: int
    forward: bool

    def direction(self, platform: Platform) -> Direction:
        """The way of the link that this hop takes."""
        link = platform.links[self.link]
        return link.to_second if self.forward else link.to_first


Route = tuple[Hop, ...]


def routes(platform: Platform) -> dict[tuple[int, int], Route]:
    """The links from every machine to every other that it can reach.

    Parameters
    ----------
    platform : Platform

    Returns
    -------
    dict
        (p, q), machine positions, p ≠ q → the hops from p to q in order; pairs that can't exchange
        data are absent. Least sum of startup_s (of the lower protocol piece), then of
        1/bandwidth, by Floyd–Warshall (Floyd 1962) over both, O(machines³).
    """
    hops = _hops(platform)
    count = len(platform.machines)
    if len(hops) == count * (count - 1):
        return {pair: (hop,) for pair, hop in hops.items()}
    following = _next_machines(platform, hops)
    found: dict[tuple[int, int], Route] = {}
    for p in range(count):
        for q in range(count):
            if (p, q) in hops:
                found[p, q] = (hops[p, q],)
            elif p != q and following[p, q] >= 0:
                found[p, q] = _walk(p, q, following, hops)
    return found


def _hops(platform: Platform) -> dict[tuple[int, int], Hop]:
    """Ordered pairs of linked machines → their link."""
    found: dict[tuple[int, int], Hop] = {}
    for position, link in enumerate(platform.links):
        first, second = _ends(platform, link)
        found[first, second] = Hop(position, forward=True)
        found[second, first] = Hop(position, forward=False)
    return found


def _ends(platform: Platform, link: Link) -> tuple[int, int]:
    return platform.index[link.first], platform.index[link.second]


def _next_machines(platform: Platform, hops: dict[tuple[int, int], Hop]) -> Ints:
    """The machine after p on the way to q, −1 where there is none, shape (machines, machines)."""
    directions = {pair: hop.direction(platform) for pair, hop in hops.items()}
    count = len(platform.machines)
    startup = _steps({pair: way.startup_s for pair, way in directions.items()}, count, least=0)
    per_byte = _steps({pair: _per_byte(way) for pair, way in directions.items()}, count)
    following = np.full((count, count), -1)
    for p, q in hops:
        following[p, q] = q
    for k in range(count):
        startup_via = startup[:, k, None] + startup[k]
        per_byte_via = per_byte[:, k, None] + per_byte[k]
        better = (startup_via < startup) | ((startup_via == startup) & (per_byte_via < per_byte))
        startup = np.where(better, startup_via, startup)
        per_byte = np.where(better, per_byte_via, per_byte)
        following = np.where(better, following[:, k, None], following)
    return following


def _per_byte(way: Direction) -> float:
    return min(1.0 / way.bandwidth, sys.float_info.max)


def _steps(costs: dict[tuple[int, int], float], count: int, least: int = 1) -> Ints:
    """Costs of the linked pairs in whole steps, 0 on the diagonal, else unreachable."""
    steps = np.full((count, count), _UNREACHABLE)
    np.fill_diagonal(steps, 0)
    largest = max(costs.values(), default=0.0)
    for pair, cost in costs.items():
        steps[pair] = max(round(cost / largest * _STEPS) if largest > 0 else 0, least)
    return steps


def _walk(p: int, q: int, following: Ints, hops: dict[tuple[int, int], Hop]) -> Route:
    route = []
    while p != q:
        after = int(following[p, q])
        route.append(hops[p, after])
        p = after
    return tuple(route)
