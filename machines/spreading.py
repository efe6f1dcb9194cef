"""Routes through switches, spread over all that are equally short.

Which of several equal ways a message takes depends on its source and target alone, so that a pair
always takes one route and the pairs together use them all. A switch that sends up a tree chooses
by the target's digits: D-mod-k (Zahavi 2012, "Fat-tree routing and node ordering"), under which
all that goes to one target meets on the way up, and a shift of all hosts meets nowhere. Elsewhere
source and target both count.
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Ints
from machines.hops import Hop, Pair, Route, cost_matrix, hops_of, step_costs, vertices
from machines.platform import Platform


def spread_routes(platform: Platform) -> dict[Pair, Route]:
    """Hops of every ordered pair of hosts that can exchange data (see `machines.routes`)."""
    net = _Net(platform)
    count = len(platform.hosts)
    found: dict[Pair, Route] = {}
    for p in range(count):
        for q in range(count):
            if p != q and (route := net.route(p, q)) is not None:
                found[p, q] = route
    return found


class _Net:
    """The platform's graph with all least costs."""

    def __init__(self, platform: Platform) -> None:
        self.hops: dict[Pair, Hop] = hops_of(platform)
        self.hosts = len(platform.hosts)
        self.relays = [
            *range(len(platform.machines)),
            *range(self.hosts, self.hosts + len(platform.switches)),
        ]
        count = len(vertices(platform))
        self.near: list[list[int]] = [[] for _ in range(count)]
        for p, q in sorted(self.hops):
            self.near[p].append(q)
        startup, per_byte = step_costs(platform, self.hops)
        self.costs = {pair: (startup[pair], per_byte[pair]) for pair in self.hops}
        self.startup, self.per_byte = _least(
            cost_matrix(startup, count), cost_matrix(per_byte, count), self.relays
        )
        self.passing = set(self.relays)
        self.level = _levels(self.near, self.hosts)
        self.rank = _ranks(self.near, self.hosts)

    def route(self, p: int, q: int) -> Route | None:
        if (p, q) in self.hops:
            return (self.hops[p, q],)
        route = []
        digits = self.rank[q]
        vertex = p
        while vertex != q:
            ways = self._ways(vertex, q)
            if not ways:
                return None
            if vertex >= self.hosts and all(self.level[w] > self.level[vertex] for w in ways):
                digits, digit = divmod(digits, len(ways))
            else:
                digit = (self.rank[p] + self.rank[q]) % len(ways)
            route.append(self.hops[vertex, ways[digit]])
            vertex = ways[digit]
        return tuple(route)

    def _ways(self, vertex: int, target: int) -> list[int]:
        """The neighbours that lie on a shortest way."""
        left = (int(self.startup[vertex, target]), int(self.per_byte[vertex, target]))
        found = []
        for after in self.near[vertex]:
            if after != target and after not in self.passing:
                continue
            startup, per_byte = self.costs[vertex, after]
            via = (
                startup + int(self.startup[after, target]),
                per_byte + int(self.per_byte[after, target]),
            )
            if via == left:
                found.append(after)
        return found


def _least(startup: Ints, per_byte: Ints, relays: list[int]) -> tuple[Ints, Ints]:
    """Least costs between all vertices through the relays (Floyd 1962), startup first."""
    for k in relays:
        startup_via = startup[:, k, None] + startup[k]
        per_byte_via = per_byte[:, k, None] + per_byte[k]
        better = (startup_via < startup) | ((startup_via == startup) & (per_byte_via < per_byte))
        startup = np.where(better, startup_via, startup)
        per_byte = np.where(better, per_byte_via, per_byte)
    return startup, per_byte


def _levels(near: list[list[int]], hosts: int) -> list[int]:
    """Links to the nearest host: 0 for hosts, 1 for the switches that hosts hang on."""
    level = [0 if vertex < hosts else len(near) for vertex in range(len(near))]
    front = list(range(hosts))
    while front:
        following = []
        for vertex in front:
            for after in near[vertex]:
                if level[after] > level[vertex] + 1:
                    level[after] = level[vertex] + 1
                    following.append(after)
        front = following
    return level


def _ranks(near: list[list[int]], hosts: int) -> list[int]:
    """Numbers of the hosts in the order of the switches that they hang on."""
    order = sorted(range(hosts), key=lambda host: (min(near[host], default=0), host))
    rank = [0] * hosts
    for number, host in enumerate(order):
        rank[host] = number
    return rank
