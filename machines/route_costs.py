"""What routes cost, from what their hops cost: arrays over all pairs of hosts at once.

Hop costs are given by `Hop.code`; the results have rows of sources and columns of targets, 0 on
the diagonal and inf where there is no route.
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Floats, Ints
from machines.hops import graph_of
from machines.platform import Platform
from machines.sharing import inner_bandwidth
from machines.walks import Routes


def added(table: Routes, cost: Floats) -> Floats:
    """Costs of each route's hops added, shape (hosts, hosts): its startup.

    Parameters
    ----------
    table : Routes
    cost : ndarray, shape (hops,)
        Of every hop, by its code.
    """
    return _placed(table, _over(np.add, cost[table.codes], _first(table)))


def largest(table: Routes, cost: Floats) -> Floats:
    """The largest of each route's hops, shape (hosts, hosts)."""
    return _placed(table, _over(np.maximum, cost[table.codes], _first(table)))


def narrowest(platform: Platform, table: Routes, per_byte_s: Floats) -> Floats:
    """Seconds per byte at the slowest place of each route, where all flows at once.

    A link, a switch, or the network inside the machine at either end (`machines.sharing`).

    Parameters
    ----------
    platform : Platform
    table : Routes
        Its routes.
    per_byte_s : ndarray, shape (hops,)
        Of every hop's link, by its code.
    """
    found = largest(table, np.maximum(per_byte_s, _behind(platform)))
    inside = np.zeros(table.hosts)
    for position, machine in enumerate(platform.machines):
        inside[position] = 1.0 / (inner_bandwidth(machine) or np.inf)
    if inside.any():
        np.maximum(found, np.maximum.outer(inside, inside), out=found)
        np.fill_diagonal(found, 0.0)
    return found


def relayed(platform: Platform, table: Routes, per_byte_s: Floats) -> Floats:
    """Seconds per byte where machines relay whole messages: those of stretches added.

    A stretch between machines takes its slowest link or switch (see `machines.routes.stretches`).
    """
    cost = np.maximum(per_byte_s, _behind(platform))[table.codes]
    first = _first(table)
    begins = np.zeros(table.codes.size, dtype=np.bool_)
    begins[1:] = (graph_of(platform).target < len(platform.machines))[table.codes[:-1]]
    begins[first] = True
    stretch = np.flatnonzero(begins)
    stretches = _over(np.maximum, cost, stretch)
    return _placed(table, _over(np.add, stretches, np.searchsorted(stretch, first)))


def _behind(platform: Platform) -> Floats:
    """Seconds per byte of the switch that each hop leads to; 0 elsewhere."""
    if not platform.switches:
        return np.zeros(2 * len(platform.links))
    graph = graph_of(platform)
    behind = np.zeros(graph.vertices)
    for at, switch in enumerate(platform.switches):
        if switch.bandwidth is not None:
            behind[graph.hosts + at] = 1.0 / switch.bandwidth
    cost: Floats = behind[graph.target]
    return cost


def _first(table: Routes) -> Ints:
    """Where the hops of the routes begin that there are."""
    first: Ints = table.begin[:-1][np.diff(table.begin) > 0]
    return first


def _over(combine: np.ufunc, values: Floats, first: Ints) -> Floats:
    if not first.size:
        return np.zeros(0)
    with np.errstate(over="ignore"):
        result: Floats = combine.reduceat(values, first)
    return result


def _placed(table: Routes, values: Floats) -> Floats:
    result = np.full(table.hosts * table.hosts, np.inf)
    result[np.diff(table.begin) > 0] = values
    square = result.reshape(table.hosts, table.hosts)
    np.fill_diagonal(square, 0.0)
    return square
