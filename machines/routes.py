"""Which links a message takes between two hosts: machines and stores.

A linked pair uses its link; any other pair the route of least total startup, at equal startup the
one of least total time per byte. Routes pass through switches and through machines, never through
stores. Without switches, of equal routes the one through earlier machines is taken; with them,
equal routes are spread over (`machines.spreading`).
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Flags, Ints
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

    Floyd–Warshall (Floyd 1962) over startup and time per byte; no search where all are linked.
    """

    def __init__(self, graph: Graph) -> None:
        self._following = np.full((graph.hosts, graph.hosts), -1)
        self._following[graph.source, graph.target] = np.arange(graph.source.size)
        if graph.source.size < graph.hosts * (graph.hosts - 1):
            self._search(graph)

    def _search(self, graph: Graph) -> None:
        startup = _matrix(graph, graph.startup)
        per_byte = _matrix(graph, graph.per_byte)
        following = self._following
        for k in range(graph.machines):
            startup_via = startup[:, k, None] + startup[k]
            per_byte_via = per_byte[:, k, None] + per_byte[k]
            equal = startup_via == startup
            better = (startup_via < startup) | (equal & (per_byte_via < per_byte))
            startup = np.where(better, startup_via, startup)
            per_byte = np.where(better, per_byte_via, per_byte)
            following = np.where(better, following[:, k, None], following)
        self._following = following

    def reaches(self, sources: Ints, targets: Ints) -> Flags:
        found: Flags = self._following[sources, targets] >= 0
        return found

    def begin(self, _sources: Ints, targets: Ints) -> Ints:
        return targets

    def choose(self, at: Ints, _sources: Ints, targets: Ints, memory: Ints) -> tuple[Ints, Ints]:
        return self._following[at, targets], memory


def _matrix(graph: Graph, costs: Ints) -> Ints:
    """Costs of linked pairs, 0 on the diagonal, else unreachable; shape (hosts, hosts)."""
    matrix = np.full((graph.hosts, graph.hosts), UNREACHABLE)
    np.fill_diagonal(matrix, 0)
    matrix[graph.source, graph.target] = costs
    return matrix
