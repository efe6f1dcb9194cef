"""Platform → what its routes share, in arrays for the executed timeline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.host_costs import BothHostCosts
from machines import Platform
from machines.arrays import Floats, Indices
from machines.runtime import RTT
from machines.sharing import Resource, crossings, resources


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
