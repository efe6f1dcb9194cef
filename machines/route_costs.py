"""What routes cost, from what their hops cost: arrays over many pairs of hosts at once.

Hop costs are given by `Hop.code` in the last axis. `Ways` are some routes, whose costs are the last
axis of the result; `added`, `largest`, `narrowest` and `relayed` are of all pairs, with rows of
sources and columns of targets, 0 on the diagonal and inf where there is no route.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats, Indices, Ints
from machines.hops import graph_of
from machines.platform import Platform
from machines.sharing import inner_bandwidth
from machines.walks import Routes


@dataclass(frozen=True, eq=False)
class Ways:
    """The hops of some routes, one route after the other.

    Attributes
    ----------
    source, target : ndarray of int, shape (ways,)
        Hosts at both ends.
    codes : ndarray of int
        All hops; those of way w begin at ``first[w]``.
    """

    source: Ints
    target: Ints
    codes: Ints | Indices
    first: Ints

    @classmethod
    def of(cls, table: Routes, source: Ints, target: Ints) -> Ways:
        """The routes between some pairs of hosts, which all have one."""
        cell = source * table.hosts + target
        begin = table.begin[cell]
        counts = table.begin[cell + 1] - begin
        first = np.cumsum(counts) - counts
        at = np.arange(counts.sum()) + np.repeat(begin - first, counts)
        return cls(source, target, table.codes[at], first)

    def added(self, cost: Floats) -> Floats:
        """Costs of each route's hops added: its startup."""
        return self._over(np.add, cost[..., self.codes], self.first)

    def largest(self, cost: Floats) -> Floats:
        """The largest of each route's hops."""
        return self._over(np.maximum, cost[..., self.codes], self.first)

    def narrowest(self, platform: Platform, per_byte_s: Floats) -> Floats:
        """Seconds per byte at the slowest place of each route, where all flows at once.

        A link, a switch, or the network inside the machine at either end (`machines.sharing`).
        """
        found = self.largest(np.maximum(per_byte_s, _behind(platform)))
        inside = np.zeros(len(platform.hosts))
        for position, machine in enumerate(platform.machines):
            inside[position] = 1.0 / (inner_bandwidth(machine) or np.inf)
        if inside.any():
            found = np.maximum(found, np.maximum(inside[self.source], inside[self.target]))
        return found

    def relayed(self, platform: Platform, per_byte_s: Floats) -> Floats:
        """Seconds per byte where machines relay whole messages: those of stretches added.

        A stretch between machines takes its slowest link or switch (`machines.routes.stretches`).
        """
        cost = np.maximum(per_byte_s, _behind(platform))[..., self.codes]
        begins = np.zeros(self.codes.size, dtype=np.bool_)
        begins[1:] = (graph_of(platform).target < len(platform.machines))[self.codes[:-1]]
        begins[self.first] = True
        stretch = np.flatnonzero(begins)
        stretches = self._over(np.maximum, cost, stretch)
        return self._over(np.add, stretches, np.searchsorted(stretch, self.first))

    @staticmethod
    def _over(combine: np.ufunc, values: Floats, first: Ints) -> Floats:
        if not first.size:
            return np.zeros((*values.shape[:-1], 0))
        with np.errstate(over="ignore"):
            result: Floats = combine.reduceat(values, first, axis=-1)
        return result


def added(table: Routes, cost: Floats) -> Floats:
    """Costs of each route's hops added, shape (hosts, hosts): its startup.

    Parameters
    ----------
    table : Routes
    cost : ndarray, shape (hops,)
        Of every hop, by its code.
    """
    return _placed(table, _all(table).added(cost))


def largest(table: Routes, cost: Floats) -> Floats:
    """The largest of each route's hops, shape (hosts, hosts)."""
    return _placed(table, _all(table).largest(cost))


def narrowest(platform: Platform, table: Routes, per_byte_s: Floats) -> Floats:
    """As of `Ways.narrowest`, shape (hosts, hosts)."""
    return _placed(table, _all(table).narrowest(platform, per_byte_s))


def relayed(platform: Platform, table: Routes, per_byte_s: Floats) -> Floats:
    """As of `Ways.relayed`, shape (hosts, hosts)."""
    return _placed(table, _all(table).relayed(platform, per_byte_s))


def _all(table: Routes) -> Ways:
    """All routes that there are."""
    cells = np.flatnonzero(np.diff(table.begin) > 0)
    return Ways(*divmod(cells, max(table.hosts, 1)), table.codes, table.begin[cells])


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


def _placed(table: Routes, values: Floats) -> Floats:
    result = np.full(table.hosts * table.hosts, np.inf)
    result[np.diff(table.begin) > 0] = values
    square = result.reshape(table.hosts, table.hosts)
    np.fill_diagonal(square, 0.0)
    return square
