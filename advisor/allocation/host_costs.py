"""Platform → arrays: what a message costs between every two hosts, over the links of its route.

Hosts are machines and stores (`Platform.hosts`). Each link's cost is multiplied by its own
slowdown. On a stretch between machines a message flows at once: startups add up and its bytes move
at the least bandwidth there. In the classical timeline a machine that relays takes it in whole, so
that stretches add up; in the executed one it flows through, and passes the inner networks at both
ends (`machines.sharing`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.timeline_modes import FAIR
from advisor.models.contention import link_slowdown
from machines import InputError, Platform
from machines.arrays import Floats, Indices
from machines.route_costs import added, largest, narrowest, relayed
from machines.routes import Routes, routes
from machines.runtime import RTT
from machines.sharing import Resource, crossings, inner_startup_s, resources


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
    """Costs under contention and alone.

    Attributes
    ----------
    contended, dedicated : HostCosts
    thresholds : array (bins - 1,)
        Message sizes between the bins.
    slowdowns : array (links,)
    table : Routes
    notes : tuple of str
        Limits of validity of the slowdowns.
    platform : Platform
        Whose they are.
    """

    contended: HostCosts
    dedicated: HostCosts
    thresholds: Floats
    slowdowns: Floats
    table: Routes
    notes: tuple[str, ...]
    platform: Platform


def host_costs(
    platform: Platform, reading: str, sharing: str, known: BothHostCosts | None = None
) -> BothHostCosts:
    """Costs of every ordered pair of hosts.

    Parameters
    ----------
    platform : Platform
    reading : {"exact", "published"}
        Contention model.
    sharing : {"fair", "none"}
        Timeline.
    known : BothHostCosts, optional
        In the same timeline, perhaps under other loads: its routes, and what is not loaded
        otherwise, are taken over, which of thousands of hosts is nearly all.

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
    if known is not None and _joined_alike(known.platform, platform):
        limits, table, alone = known.thresholds, known.table, known.dedicated
        if np.array_equal(slowdowns, known.slowdowns):
            return replace(known, notes=notes, platform=platform)
    else:
        limits, table = thresholds(platform), routes(platform)
        alone = None
    direct = _direction_costs(platform, limits)
    if alone is None:
        alone = _summed(platform, table, direct, np.ones_like(slowdowns), sharing)
    is_loaded = bool(np.any(slowdowns != 1.0))
    contended = _summed(platform, table, direct, slowdowns, sharing) if is_loaded else alone
    return BothHostCosts(contended, alone, limits, slowdowns, table, notes, platform)


def _joined_alike(one: Platform, other: Platform) -> bool:
    """Whether two platforms have the same hosts and network, but for slowdowns of links."""
    return (
        (one.switches, one.stores) == (other.switches, other.stores)
        and len(one.machines) == len(other.machines)
        and len(one.links) == len(other.links)
        and all(
            here.name == there.name and here.network == there.network
            for here, there in zip(one.machines, other.machines, strict=True)
        )
        and all(
            here is there or replace(here, slowdown=there.slowdown) == there
            for here, there in zip(one.links, other.links, strict=True)
        )
    )


def thresholds(platform: Platform) -> Floats:
    """The message sizes at which some link changes protocol, ascending."""
    return np.unique(
        [
            way.above.threshold_bytes
            for link in platform.links
            for way in (link.to_second, link.to_first)
            if way.above is not None
        ]
    ).astype(np.float64)


def _direction_costs(platform: Platform, limits: Floats) -> Floats:
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


def _by_hop(direct: Floats, slowdowns: Floats) -> Floats:
    """Costs of the directions of links, slowed, by the codes of hops: (2, bins, hops)."""
    with np.errstate(over="ignore"):
        loaded = direct * slowdowns[:, None, None, None]
    return loaded.transpose(2, 3, 0, 1).reshape(2, direct.shape[3], -1)


def _summed(
    platform: Platform, table: Routes, direct: Floats, slowdowns: Floats, sharing: str
) -> HostCosts:
    """Costs of every pair over its route."""
    startups, bytes_s = _by_hop(direct, slowdowns)
    through = narrowest if sharing == FAIR else relayed
    startup_s = np.array([added(table, cost) for cost in startups])
    per_byte_s = np.array([through(platform, table, cost) for cost in bytes_s])
    if sharing == FAIR:
        inner = inner_startups_s(platform)
        apart = ~np.eye(table.hosts, dtype=np.bool_)
        startup_s += apart * np.add.outer(inner, inner)
        startup_s[np.isinf(per_byte_s)] = np.inf
    joined = (np.diff(table.begin) > 0).reshape(table.hosts, table.hosts)
    for p, q in np.argwhere(joined & ~np.isfinite(startup_s + per_byte_s).all(axis=0)).tolist():
        raise InputError(
            "numbers too large: the time of a message overflows",
            where=f"link {platform.links[table[p, q][0].link].name}",
            remedy="Give smaller startups, a larger bandwidth or a smaller slowdown",
        )
    slowdown = np.where(np.isfinite(per_byte_s[0]), largest(table, np.repeat(slowdowns, 2)), 1.0)
    np.fill_diagonal(slowdown, 1.0)
    return HostCosts(startup_s, per_byte_s, slowdown)


def inner_startups_s(platform: Platform) -> Floats:
    """Startup of the network inside every host, seconds."""
    inner = [inner_startup_s(machine) for machine in platform.machines]
    return np.array([*inner, *[0.0] * len(platform.stores)])


# Platform → what its routes share, in arrays for the executed timeline.


@dataclass(frozen=True, eq=False)
class SharedRoutes:
    """Resources of h hosts (machines, then stores), and which of them each route crosses.

    Attributes
    ----------
    resources : tuple of Resource
        What transfers share (`machines.sharing`).
    capacity : array (resources,)
        Bytes/s that contenders leave of each.
    first_pass, passed, pair : int32 arrays
        As of `advisor.kernels.executed.Executed`.
    weight : array (h·h,)
        1, or 1 / startup of the route, to that of the quickest.
    """

    resources: tuple[Resource, ...]
    capacity: Floats
    first_pass: Indices
    passed: Indices
    pair: Indices
    weight: Floats


def shared_routes(platform: Platform, between: BothHostCosts) -> SharedRoutes:
    """What is shared on a platform whose routes cost what `between` says."""
    found, table = resources(platform), between.table
    first, passed = crossings(platform, found, table)
    slowdowns = [1.0 if one.link is None else between.slowdowns[one.link] for one in found]
    weight = np.ones(table.hosts * table.hosts)
    if platform.runtime.fairness == RTT:
        weight = _by_startup(between.contended.startup_s[0].ravel())
    return SharedRoutes(
        resources=found,
        capacity=np.array([one.capacity for one in found]) / np.array(slowdowns),
        first_pass=first,
        passed=passed,
        pair=np.repeat(np.arange(weight.size), np.diff(first)).astype(np.int32),
        weight=weight,
    )


def _by_startup(startup_s: Floats) -> Floats:
    """1 / startup of every route, to that of the least above 0; routes without one count as it."""
    above = startup_s[np.isfinite(startup_s) & (startup_s > 0)]
    if not above.size:
        return np.ones_like(startup_s)
    least = float(above.min())
    weight: Floats = least / np.clip(startup_s, least, None)
    return np.where(weight > 0, weight, 1.0)
