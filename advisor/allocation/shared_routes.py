"""Platform → what its routes cost and what they share, in arrays for the executed timeline.

A transfer takes the startups of its route one after the other and moves its bytes at the least
bandwidth of the route: nothing is stored on the way. Contenders and stated slowdowns of a link
stretch its startup and take from its bandwidth. What goes to or from a machine with a network
inside also passes that (`machines.sharing`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.pair_costs import direction_costs, thresholds_of
from advisor.models.contention import link_slowdown
from machines import Platform
from machines.arrays import Floats, Indices
from machines.route_costs import added, narrowest
from machines.routes import Routes, routes
from machines.runtime import RTT
from machines.sharing import Resource, crossings, inner_startup_s, resources


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
    table, shared = routes(platform), resources(platform)
    slowdowns = np.array([link_slowdown(platform, link, reading).value for link in platform.links])
    direct = direction_costs(platform, thresholds_of(platform))
    with np.errstate(over="ignore"):
        contended = direct * slowdowns[:, None, None, None]
    startup_s, per_byte_s = _along(platform, table, shared, contended)
    alone_startup_s, alone_per_byte_s = _along(platform, table, shared, direct)
    first_pass, passed = crossings(platform, shared, table)
    weight = np.ones(table.hosts**2)
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
        pair=np.repeat(np.arange(table.hosts**2), np.diff(first_pass)).astype(np.int32),
        weight=weight,
    )


def _along(
    platform: Platform, table: Routes, shared: tuple[Resource, ...], direct: Floats
) -> tuple[Floats, Floats]:
    """Startups added and seconds per byte at the narrowest place; each of (bins, hosts, hosts)."""
    hops = direct.reshape(-1, 2, direct.shape[3])
    bins = range(direct.shape[3])
    startup_s = np.stack([added(table, hops[:, 0, each]) for each in bins])
    per_byte_s = np.stack([narrowest(platform, table, hops[:, 1, each]) for each in bins])
    inner_s, inner_byte_s = np.zeros((2, table.hosts))
    for position, machine in enumerate(platform.machines):
        inner_s[position] = inner_startup_s(machine)
    for one in shared:
        if one.machine is not None:
            inner_byte_s[one.machine] = 1.0 / one.capacity
    between = ~np.eye(table.hosts, dtype=np.bool_)
    startup_s += np.where(between, inner_s[:, None] + inner_s, 0.0)
    inner_pair_s = np.where(between, np.maximum(inner_byte_s[:, None], inner_byte_s), 0.0)
    return startup_s, np.maximum(per_byte_s, inner_pair_s)


def _by_startup(startup_s: Floats) -> Floats:
    """1 / startup of every route, to that of the least above 0; routes without one count as it."""
    above = startup_s[np.isfinite(startup_s) & (startup_s > 0)]
    if not above.size:
        return np.ones_like(startup_s)
    least = float(above.min())
    weight: Floats = least / np.clip(startup_s, least, None)
    return np.where(weight > 0, weight, 1.0)
