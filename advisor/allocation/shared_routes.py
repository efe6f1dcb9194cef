"""Platform → what its routes cost and what they share, in arrays for the executed timeline.

A transfer takes the startups of its route one after the other and moves its bytes at the least
bandwidth of the route: nothing is stored on the way. Contenders and stated slowdowns of a link
stretch its startup and take from its bandwidth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.host_costs import direction_costs, thresholds_of
from advisor.models.contention import link_slowdown
from machines import Platform
from machines.arrays import Floats, Indices, Ints
from machines.routes import Route, routes
from machines.runtime import RTT
from machines.sharing import Resource, crossed, resources


@dataclass(frozen=True, eq=False)
class SharedRoutes:
    """Routes between h hosts (machines, then stores), by protocol bin, and their resources.

    Attributes
    ----------
    resources : tuple of Resource
        What transfers share (`machines.sharing`).
    capacity : array (resources,)
        Bytes/s that contenders leave of each.
    startup_s, per_byte_s : array (bins, h, h)
        Startups of a route together; a byte at its narrowest place; 0 on the diagonal, inf
        without a route. Contended.
    startup_dedicated_s, per_byte_dedicated_s : array (bins, h, h)
        The same without contenders.
    first_pass, passed, pair : int32 arrays
        As of `advisor.kernels.executed.Executed`.
    weight : array (h·h,)
        1, or 1 / startup of the route, to that of the quickest.
    """

    resources: tuple[Resource, ...]
    capacity: Floats
    startup_s: Floats
    per_byte_s: Floats
    startup_dedicated_s: Floats
    per_byte_dedicated_s: Floats
    first_pass: Indices
    passed: Indices
    pair: Indices
    weight: Floats


def shared_routes(platform: Platform, reading: str) -> SharedRoutes:
    """Arrays of a platform under a contention reading."""
    hosts, found = len(platform.hosts), routes(platform)
    shared = resources(platform)
    slowdowns = np.array([link_slowdown(platform, link, reading).value for link in platform.links])
    direct = direction_costs(platform, thresholds_of(platform))
    pairs = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
    hops = _Hops.of(platform, [found[p, q] for p, q in pairs.tolist()])
    startup_s, per_byte_s = hops.along(direct * slowdowns[:, None, None, None], pairs, hosts)
    alone_startup_s, alone_per_byte_s = hops.along(direct, pairs, hosts)
    first_pass, passed = _passes(platform, shared, found, hosts)
    weight = np.ones(hosts * hosts)
    if platform.runtime.fairness == RTT:
        weight = _by_startup(startup_s[0].ravel())
    return SharedRoutes(
        resources=shared,
        capacity=np.array(
            [one.capacity / (1.0 if one.link is None else slowdowns[one.link]) for one in shared]
        ),
        startup_s=startup_s,
        per_byte_s=per_byte_s,
        startup_dedicated_s=alone_startup_s,
        per_byte_dedicated_s=alone_per_byte_s,
        first_pass=first_pass,
        passed=passed,
        pair=np.repeat(np.arange(hosts * hosts), np.diff(first_pass)).astype(np.int32),
        weight=weight,
    )


@dataclass(frozen=True, eq=False)
class _Hops:
    """The hops of all routes, one after the other: links, directions, and where routes begin."""

    link: Ints
    forward: Ints
    first: Ints
    narrow: Floats  # seconds per byte of the slowest switch on each route

    @classmethod
    def of(cls, platform: Platform, ways: list[Route]) -> _Hops:
        hops = [hop for way in ways for hop in way]
        lengths = np.array([len(way) for way in ways], dtype=np.int64)
        shared = {one.name: 1.0 / one.bandwidth for one in platform.switches if one.bandwidth}
        narrow = np.zeros(len(ways))
        if shared:
            for row, way in enumerate(ways):
                ends = (shared.get(hop.ends(platform)[1], 0.0) for hop in way)
                narrow[row] = max(ends, default=0.0)
        return cls(
            np.array([hop.link for hop in hops], dtype=np.int64),
            np.array([hop.forward for hop in hops], dtype=np.int64),
            np.cumsum(lengths) - lengths,
            narrow,
        )

    def along(self, direct: Floats, pairs: Ints, hosts: int) -> tuple[Floats, Floats]:
        """Startups added and seconds per byte at the narrowest place; (bins, hosts, hosts)."""
        bins = direct.shape[3]
        sums = np.full((2, bins, hosts, hosts), np.inf)
        sums[:, :, np.arange(hosts), np.arange(hosts)] = 0.0
        if pairs.size:
            each = direct[self.link, self.forward]
            with np.errstate(over="ignore"):
                startup_s = np.add.reduceat(each[:, 0], self.first)
            per_byte_s = np.maximum.reduceat(each[:, 1], self.first)
            sums[0][:, pairs[:, 0], pairs[:, 1]] = startup_s.T
            narrowest = np.maximum(per_byte_s, self.narrow[:, None])
            sums[1][:, pairs[:, 0], pairs[:, 1]] = narrowest.T
        return sums[0], sums[1]


def _passes(
    platform: Platform,
    shared: tuple[Resource, ...],
    found: dict[tuple[int, int], Route],
    hosts: int,
) -> tuple[Indices, Indices]:
    """Resources of every ordered pair of hosts, laid out one after the other."""
    passed: list[int] = []
    first = np.zeros(hosts * hosts + 1, dtype=np.int32)
    for p in range(hosts):
        for q in range(hosts):
            if (p, q) in found:
                passed += crossed(platform, shared, found[p, q])
            first[p * hosts + q + 1] = len(passed)
    return first, np.array(passed, dtype=np.int32)


def _by_startup(startup_s: Floats) -> Floats:
    """1 / startup of every route, to that of the least above 0; routes without one count as it."""
    above = startup_s[np.isfinite(startup_s) & (startup_s > 0)]
    if not above.size:
        return np.ones_like(startup_s)
    least = float(above.min())
    weight: Floats = least / np.clip(startup_s, least, None)
    return np.where(weight > 0, weight, 1.0)
