"""Links as steps of a route, and their costs in whole steps that add up exactly."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from machines.arrays import Ints
from machines.platform import Direction, Platform

# Costs are compared as whole steps, 2^45 to the largest, so that equal sums are equal in any
# order of addition and no route can turn in a circle.
STEPS = 2.0**45
UNREACHABLE = 2**61

Pair = tuple[int, int]


@dataclass(frozen=True)
class Hop:
    """One link of a route.

    Attributes
    ----------
    link : int
        Position in the platform's links.
    forward : bool
        From the link's first end to its second.
    """

    link: int
    forward: bool

    def direction(self, platform: Platform) -> Direction:
        """The way of the link that this hop takes."""
        link = platform.links[self.link]
        return link.to_second if self.forward else link.to_first

    def ends(self, platform: Platform) -> tuple[str, str]:
        """Names of where it comes from and where it goes."""
        link = platform.links[self.link]
        return (link.first, link.second) if self.forward else (link.second, link.first)


Route = tuple[Hop, ...]


def vertices(platform: Platform) -> dict[str, int]:
    """Name → position among all that links join: hosts first, then switches."""
    names = (*platform.hosts, *(switch.name for switch in platform.switches))
    return {name: position for position, name in enumerate(names)}


def hops_of(platform: Platform) -> dict[Pair, Hop]:
    """Ordered pairs of linked vertices → their link."""
    position_of = vertices(platform)
    found: dict[Pair, Hop] = {}
    for position, link in enumerate(platform.links):
        first, second = position_of[link.first], position_of[link.second]
        found[first, second] = Hop(position, forward=True)
        found[second, first] = Hop(position, forward=False)
    return found


def step_costs(
    platform: Platform, hops: Mapping[Pair, Hop]
) -> tuple[dict[Pair, int], dict[Pair, int]]:
    """(startup, time per byte) of the linked pairs in whole steps, the second at least one."""
    ways = {pair: hop.direction(platform) for pair, hop in hops.items()}
    startup = _steps({pair: way.startup_s for pair, way in ways.items()}, least=0)
    return startup, _steps({pair: _per_byte(way) for pair, way in ways.items()}, least=1)


def cost_matrix(costs: Mapping[Pair, int], count: int) -> Ints:
    """Costs of linked pairs, 0 on the diagonal, else `UNREACHABLE`; shape (count, count)."""
    matrix = np.full((count, count), UNREACHABLE)
    np.fill_diagonal(matrix, 0)
    for pair, cost in costs.items():
        matrix[pair] = cost
    return matrix


def _per_byte(way: Direction) -> float:
    return min(1.0 / way.bandwidth, sys.float_info.max)


def _steps(costs: dict[Pair, float], least: int) -> dict[Pair, int]:
    largest = max(costs.values(), default=0.0)
    if largest <= 0:
        return dict.fromkeys(costs, least)
    return {pair: max(round(cost / largest * STEPS), least) for pair, cost in costs.items()}
