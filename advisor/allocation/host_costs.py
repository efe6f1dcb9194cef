"""Platform → arrays: what a message costs between every two hosts, over the links of its route.

Hosts are machines and stores (`Platform.hosts`). Each link's cost is multiplied by its own
slowdown. On a stretch between machines a message flows at once: startups add up and its bytes move
at the least bandwidth there; a machine that relays takes it in whole, so that stretches add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from advisor.models.contention import link_slowdown
from machines import InputError, Platform
from machines.arrays import Floats
from machines.routes import Route, routes, stretches


@dataclass(frozen=True, eq=False)
class HostCosts:
    """What one message costs between every two hosts; 0 on the diagonal, inf without route.

    Bin b holds messages between two consecutive protocol thresholds of the platform.
    """

    startup_s: Floats  # (bins, hosts, hosts)
    per_byte_s: Floats  # (bins, hosts, hosts)
    slowdown: Floats  # (hosts, hosts), of stated seconds

    def first(self, count: int) -> HostCosts:
        """Those between the first `count` hosts: the machines."""
        here = slice(0, count)
        return HostCosts(
            self.startup_s[:, here, here], self.per_byte_s[:, here, here], self.slowdown[here, here]
        )


@dataclass(frozen=True, eq=False)
class BothHostCosts:
    """Costs under contention and alone, the thresholds of their bins, and notes of slowdowns."""

    contended: HostCosts
    dedicated: HostCosts
    thresholds: Floats
    notes: tuple[str, ...]


def host_costs(platform: Platform, reading: str) -> BothHostCosts:
    """Costs of every ordered pair of hosts.

    Raises
    ------
    InputError
        A delay table that is too short, or numbers too large.
    """
    found = [link_slowdown(platform, link, reading) for link in platform.links]
    notes = tuple(
        f"{link.name}: {note}"
        for link, slowdown in zip(platform.links, found, strict=True)
        for note in slowdown.notes
    )
    slowdowns = np.array([slowdown.value for slowdown in found])
    limits = thresholds_of(platform)
    ways = {
        pair: stretches(platform, route) if len(route) > 1 else (route,)
        for pair, route in routes(platform).items()
    }
    direct = direction_costs(platform, limits)
    alone = _summed(platform, ways, direct, np.ones_like(slowdowns))
    return BothHostCosts(_summed(platform, ways, direct, slowdowns), alone, limits, notes)


def thresholds_of(platform: Platform) -> Floats:
    """The message sizes at which some link changes protocol, ascending."""
    return np.unique(
        [
            way.above.threshold_bytes
            for link in platform.links
            for way in (link.to_second, link.to_first)
            if way.above is not None
        ]
    ).astype(np.float64)


def direction_costs(platform: Platform, limits: Floats) -> Floats:
    """(startup, seconds per byte) of every link to first and to second: (links, 2, 2, bins)."""
    probes = [*limits.tolist(), np.inf]
    costs = np.array(
        [
            [[way.at(size) for size in probes] for way in (link.to_first, link.to_second)]
            for link in platform.links
        ],
        dtype=np.float64,
    ).reshape(-1, 2, len(probes), 2)
    with np.errstate(over="ignore"):
        costs[..., 1] = 1.0 / costs[..., 1]
    return costs.transpose(0, 1, 3, 2)


def _summed(
    platform: Platform,
    ways: Mapping[tuple[int, int], tuple[Route, ...]],
    direct: Floats,
    slowdowns: Floats,
) -> HostCosts:
    """Costs of every pair: the stretches of its route added."""
    count = len(platform.hosts)
    sums = np.full((*direct.shape[2:], count, count), np.inf)
    sums[:, :, np.arange(count), np.arange(count)] = 0.0
    factor = np.ones((count, count))
    limited = {
        switch.name: 1.0 / switch.bandwidth
        for switch in platform.switches
        if switch.bandwidth is not None
    }
    with np.errstate(over="ignore"):
        loaded = direct * slowdowns[:, None, None, None]
        for (p, q), parts in ways.items():
            sums[:, :, p, q] = sum(_stretch(platform, part, loaded, limited) for part in parts)
            factor[p, q] = max(slowdowns[hop.link] for part in parts for hop in part)
    for (p, q), parts in ways.items():
        if not np.isfinite(sums[:, :, p, q]).all():
            raise InputError(
                "numbers too large: a message takes for ever",
                where=f"link {platform.links[parts[0][0].link].name}",
                remedy="Give smaller startups, a larger bandwidth or a smaller slowdown",
            )
    return HostCosts(sums[0], sums[1], factor)


def _stretch(
    platform: Platform, part: Route, loaded: Floats, limited: Mapping[str, float]
) -> Floats:
    """Startup and seconds per byte of a stretch by bin, shape (2, bins)."""
    first: Floats = loaded[part[0].link, int(part[0].forward)]
    if len(part) == 1:
        return first
    costs = first.copy()
    for hop in part[1:]:
        step = loaded[hop.link, int(hop.forward)]
        costs[0] += step[0]
        switch_s = limited.get(hop.ends(platform)[0], 0.0)
        costs[1] = np.maximum(costs[1], np.maximum(step[1], switch_s))
    return costs
