"""Which links a message takes between two hosts: machines and stores.

A linked pair uses its link; any other pair the route of least total startup, at equal startup the
one of least total time per byte. Routes pass through switches and through machines, never through
stores. Without switches, of equal routes the one through earlier machines is taken; with them,
equal routes are spread over (`machines.spreading`).
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Flags, Indices, Ints
from machines.errors import InputError
from machines.hops import UNREACHABLE, Graph, Hop, Route, graph_of
from machines.platform import Platform
from machines.spreading import Spreading
from machines.walks import Routes, walked

__all__ = ["Hop", "Route", "Routes", "fits_tables", "routes", "stretches"]


_MOST_BYTES = 3 * 2**28  # of the tables of a platform and a workload on it
_PAIR, _BIN, _CELL = 70, 32, 28  # bytes of two hosts, more for each piece of a protocol; of a task


def fits_tables(platform: Platform, tasks: int = 0) -> None:
    """InputError if tables over all pairs of hosts, and all tasks on machines, would be too large.

    Parameters
    ----------
    platform : Platform
    tasks : int
        That may run on each machine.
    """
    hosts, machines = len(platform.hosts), len(platform.machines)
    pieces = 1 + len({
        way.above.threshold_bytes
        for link in platform.links
        for way in (link.to_second, link.to_first)
        if way.above is not None
    })  # fmt: skip
    pair = _PAIR + _BIN * pieces
    needed = pair * hosts**2 + _CELL * tasks * machines
    if needed > _MOST_BYTES:
        raise InputError(
            f"{machines:,} machines" + (f" and {tasks:,} tasks" if tasks else "")
            + f" need tables of some {needed / 2**30:.1f} GiB",
            where=f'platform "{platform.name}"',
            value=machines,
            remedy=f"At most {_MOST_BYTES / 2**30:g} GiB, some "
            f"{int((_MOST_BYTES / pair) ** 0.5):,} machines with few tasks: leave out machines, or "
            "make alike ones the cores of one",
        )  # fmt: skip


def routes(platform: Platform) -> Routes:
    """The links from every host to every other that it can reach.

    Parameters
    ----------
    platform : Platform

    Returns
    -------
    Routes
        A mapping of (p, q), host positions (`Platform.hosts`: machines, then stores), p ≠ q, to
        the hops from p to q in order; pairs that can't exchange data are absent. Least sum of
        startup_s (of the lower protocol piece), then of 1/bandwidth.

    Raises
    ------
    InputError
        So many hosts that tables over all pairs of them would be too large.
    """
    fits_tables(platform)
    graph = graph_of(platform)
    return walked(graph, Spreading(graph) if platform.switches else _First(graph))


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


class _First:
    """Without switches: of equal routes always the one through earlier machines.

    Floyd–Warshall (Floyd 1962) over startup and time per byte, among the hosts that lie on a
    circle or between two: what else there is hangs on these as trees do, and has one way. No
    search where all are linked.
    """

    def __init__(self, graph: Graph) -> None:
        self._following = np.full((graph.hosts, graph.hosts), -1, dtype=np.int32)
        if graph.source.size < graph.hosts * (graph.hosts - 1):
            core, hanging = _without_trees(graph)
            self._following[np.ix_(core, core)] = self._searched(graph, core)
            for code in reversed(hanging):
                self._hang(int(graph.source[code]), int(graph.target[code]), code)
        else:
            self._following[graph.source, graph.target] = np.arange(graph.source.size)

    def _hang(self, host: int, stem: int, code: int) -> None:
        """A host whose only link left is to `stem`, whose ways are known."""
        following = self._following
        following[:, host] = following[:, stem]
        following[stem, host] = code ^ 1
        following[host] = np.where(following[stem] >= 0, code, -1)
        following[host, stem], following[host, host] = code, -1

    def _searched(self, graph: Graph, core: Ints) -> Indices:
        """The first hops between the hosts of the core."""
        place = np.full(graph.vertices, -1)
        place[core] = np.arange(core.size)
        codes = np.flatnonzero((place[graph.source] >= 0) & (place[graph.target] >= 0))
        ends = place[graph.source[codes]], place[graph.target[codes]]
        following = np.full((core.size, core.size), -1, dtype=np.int32)
        following[ends] = codes
        startup, per_byte = (
            _matrix(core.size, ends, costs[codes]) for costs in (graph.startup, graph.per_byte)
        )
        for k in np.flatnonzero(core < graph.machines).tolist():
            startup_via = startup[:, k, None] + startup[k]
            per_byte_via = per_byte[:, k, None] + per_byte[k]
            equal = startup_via == startup
            better = (startup_via < startup) | (equal & (per_byte_via < per_byte))
            startup = np.where(better, startup_via, startup)
            per_byte = np.where(better, per_byte_via, per_byte)
            following = np.where(better, following[:, k, None], following)
        return following

    def reaches(self, sources: Ints, targets: Ints) -> Flags:
        found: Flags = self._following[sources, targets] >= 0
        return found

    def begin(self, _sources: Ints, targets: Ints) -> Ints:
        return targets

    def choose(self, at: Ints, _sources: Ints, targets: Ints, memory: Ints) -> tuple[Ints, Ints]:
        return self._following[at, targets].astype(np.int64), memory


def _without_trees(graph: Graph) -> tuple[Ints, list[int]]:
    """The hosts that are left when those on one link are taken off again and again.

    Returns `hanging`: the hop from each host that was taken off to what it hung on, in that order.
    """
    links: list[dict[int, int]] = [{} for _ in range(graph.hosts)]
    ends = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    for code, (source, target) in enumerate(ends):
        links[source][target] = code
    waiting = [host for host, ways in enumerate(links) if len(ways) == 1]
    hanging: list[int] = []
    left = np.ones(graph.hosts, dtype=np.bool_)
    for host in waiting:
        if len(links[host]) != 1:
            continue
        ((stem, code),) = links[host].items()
        if stem >= graph.machines:  # a store passes nothing on
            continue
        links[host], left[host] = {}, False
        del links[stem][host]
        hanging.append(code)
        if len(links[stem]) == 1:
            waiting.append(stem)
    return np.flatnonzero(left & np.array([bool(ways) for ways in links])), hanging


def _matrix(size: int, ends: tuple[Ints, Ints], costs: Ints) -> Ints:
    """Costs of linked pairs, 0 on the diagonal, else unreachable; shape (size, size)."""
    matrix = np.full((size, size), UNREACHABLE)
    np.fill_diagonal(matrix, 0)
    matrix[ends] = costs
    return matrix
