"""Which links a message takes between two hosts: machines and stores.

A linked pair uses its link; any other pair the route of least total startup, at equal startup the
one of least total time per byte. Routes pass through switches and through machines, never through
stores. Without switches, of equal routes the one through earlier machines is taken; with them,
equal routes are spread over (`machines.spreading`).
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Ints
from machines.hops import Hop, Pair, Route, cost_matrix, hops_of, step_costs
from machines.platform import Platform
from machines.spreading import spread_routes

__all__ = ["Hop", "Route", "routes", "stretches"]


def routes(platform: Platform) -> dict[tuple[int, int], Route]:
    """The links from every host to every other that it can reach.

    Parameters
    ----------
    platform : Platform

    Returns
    -------
    dict
        (p, q), host positions (`Platform.hosts`: machines, then stores), p ≠ q → the hops from p
        to q in order; pairs that can't exchange data are absent. Least sum of startup_s (of the
        lower protocol piece), then of 1/bandwidth, by Floyd–Warshall (Floyd 1962) over both.
    """
    if platform.switches:
        return spread_routes(platform)
    hops = hops_of(platform)
    count = len(platform.hosts)
    if len(hops) == count * (count - 1):
        return {pair: (hop,) for pair, hop in hops.items()}
    following = _next_hosts(platform, hops)
    found: dict[tuple[int, int], Route] = {}
    for p in range(count):
        for q in range(count):
            if (p, q) in hops:
                found[p, q] = (hops[p, q],)
            elif p != q and following[p, q] >= 0:
                found[p, q] = _walk(p, q, following, hops)
    return found


def stretches(platform: Platform, route: Route) -> tuple[Route, ...]:
    """A route cut at the machines that relay it.

    Through switches a message flows at once: a stretch takes the startups of its hops and its
    bytes at the least of their bandwidths. A machine takes the whole message before it sends it
    on, so that the times of stretches add up.
    """
    found: list[Route] = []
    begin = 0
    for position, hop in enumerate(route, 1):
        if hop.ends(platform)[1] in platform.index or position == len(route):
            found.append(route[begin:position])
            begin = position
    return tuple(found)


def _next_hosts(platform: Platform, hops: dict[Pair, Hop]) -> Ints:
    """The host after p on the way to q, −1 where there is none, shape (hosts, hosts)."""
    count = len(platform.hosts)
    startup, per_byte = (cost_matrix(costs, count) for costs in step_costs(platform, hops))
    following = np.full((count, count), -1)
    for p, q in hops:
        following[p, q] = q
    for k in range(len(platform.machines)):
        startup_via = startup[:, k, None] + startup[k]
        per_byte_via = per_byte[:, k, None] + per_byte[k]
        better = (startup_via < startup) | ((startup_via == startup) & (per_byte_via < per_byte))
        startup = np.where(better, startup_via, startup)
        per_byte = np.where(better, per_byte_via, per_byte)
        following = np.where(better, following[:, k, None], following)
    return following


def _walk(p: int, q: int, following: Ints, hops: dict[Pair, Hop]) -> Route:
    route = []
    while p != q:
        after = int(following[p, q])
        route.append(hops[p, after])
        p = after
    return tuple(route)
