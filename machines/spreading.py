"""Routes through switches, spread over all that are equally short.

Which of several equal ways a message takes depends on its source and target alone, so that a pair
always takes one route and the pairs together use them all. A switch from which all of them lead
up, away from the machines, chooses by the digits of the target's number: D-mod-k routing (Zahavi
2010), under which shifted traffic meets nowhere in a fat tree. Elsewhere the sum of both numbers
chooses, as it does on the way to a target with several links, so that all of these are used.
Hosts are numbered in the order of the switches that they hang on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from machines.arrays import Flags, Ints
from machines.errors import InputError
from machines.hops import UNREACHABLE, Graph

_MOST_WORK = 1_000_000_000  # looks at a hop for a target: some 20 s
_CELLS = 1 << 17  # of arrays (hops, targets) that are searched at once: 1 MiB each


class Spreading:
    """The ways of every pair, and which it takes.

    Hosts that hang on one link only are ends of routes. What remains is the core, where all
    shortest ways from every vertex to every other are kept: those from v to t are
    ``ways[begin[i] : begin[i + 1]]``, i = v core + t, in the order of the vertices that they lead
    to.
    """

    def __init__(self, graph: Graph) -> None:
        core = _core_of(graph)
        startup, per_byte = _least(core)
        self._begin, self._ways = _ways(core, startup, per_byte)
        self._core = core
        self._level = _levels(graph)
        self._climbs = self._all_up()
        self._number = _numbers(graph)
        self._hosts = graph.hosts

    def _all_up(self) -> Flags:
        """Whether all ways from v to t lead up."""
        size = self._core.vertex.size
        levels = self._level[self._core.vertex]
        found = np.zeros(size * size, dtype=np.bool_)
        cells = np.flatnonzero(np.diff(self._begin))
        if cells.size:
            after = self._level[self._core.graph.target[self._ways]]
            lowest = np.minimum.reduceat(after, self._begin[cells])
            found[cells] = lowest > levels[cells // size]
        return found

    def _cells(self, at: Ints, targets: Ints) -> Ints:
        """Where the ways between two vertices of the core are kept."""
        place = self._core.place
        cells: Ints = place[at] * self._core.vertex.size + place[targets]
        return cells

    def reaches(self, sources: Ints, targets: Ints) -> Flags:
        """Whether there is a way between two hosts that are not linked."""
        first, last = self._core.stem[sources], self._core.stem[targets]
        cells = self._cells(first, last)
        found: Flags = (first == last) | (self._begin[cells + 1] > self._begin[cells])
        return found

    def begin(self, sources: Ints, targets: Ints) -> Ints:
        """The number whose digits choose on the way up, to be used up there."""
        alone = self._core.off[targets] >= 0
        return self._number[targets] + np.where(alone, 0, self._number[sources])

    def choose(self, at: Ints, sources: Ints, targets: Ints, memory: Ints) -> tuple[Ints, Ints]:
        """The hop from `at`: down to the target, up from a source, else one of the ways."""
        stem = self._core.stem
        codes = np.where(at == stem[targets], self._core.to[targets], self._core.off[at])
        inside = np.flatnonzero((at != stem[targets]) & (at == stem[at]))
        cells = self._cells(at[inside], stem[targets[inside]])
        first = self._begin[cells]
        count = self._begin[cells + 1] - first
        climbs = self._climbs[cells] & (at[inside] >= self._hosts)
        both = self._number[sources[inside]] + self._number[targets[inside]]
        digits = memory[inside]
        codes[inside] = self._ways[first + np.where(climbs, digits, both) % count]
        memory = memory.copy()
        memory[inside] = np.where(climbs, digits // count, digits)
        return codes, memory


@dataclass(frozen=True, eq=False)
class _Core:
    """What is left without the hosts that hang on one link.

    `off`, `to`: shape (vertices,); the hop from a host to its stem, and back; −1 in the core.
    """

    graph: Graph
    vertex: Ints  # the vertices of the core, ascending
    place: Ints  # shape (vertices,); their places in it, −1 for others
    stem: Ints  # shape (vertices,); what a host hangs on; of the core's vertices, themselves
    off: Ints
    to: Ints
    hops: Ints  # the hops within the core, by source, then target


def _core_of(graph: Graph) -> _Core:
    degree = np.bincount(graph.source, minlength=graph.vertices)
    relays = _relays(graph)
    hanging = (
        (graph.source < graph.hosts)
        & (degree[graph.source] == 1)
        & (degree[graph.target] > 1)
        & relays[graph.target]
    )
    stem = np.arange(graph.vertices)
    off, to = np.full(graph.vertices, -1), np.full(graph.vertices, -1)
    codes = np.flatnonzero(hanging)
    stem[graph.source[codes]] = graph.target[codes]
    off[graph.source[codes]] = codes
    to[graph.source[codes]] = codes ^ 1
    inside = stem == np.arange(graph.vertices)
    hops = np.flatnonzero(inside[graph.source] & inside[graph.target])
    hops = hops[np.lexsort((graph.target[hops], graph.source[hops]))]
    vertex = np.flatnonzero(inside)
    place = np.full(graph.vertices, -1)
    place[vertex] = np.arange(vertex.size)
    return _Core(graph, vertex, place, stem, off, to, hops)


def _relays(graph: Graph) -> Flags:
    """Whether a message may pass through a vertex: machines and switches, not stores."""
    position = np.arange(graph.vertices)
    found: Flags = (position < graph.machines) | (position >= graph.hosts)
    return found


def _least(core: _Core) -> tuple[Ints, Ints]:
    """Least (startup, time per byte) from each vertex of the core to each, in whole steps."""
    size = core.vertex.size
    startup = np.full((size, size), UNREACHABLE)
    per_byte = np.full((size, size), UNREACHABLE)
    width = max(1, _CELLS // max(core.hops.size, 1))
    for first in range(0, size, width):
        targets = np.arange(first, min(first + width, size))
        startup[:, targets], per_byte[:, targets] = _least_to(core, targets)
    return startup, per_byte


def _least_to(core: _Core, targets: Ints) -> tuple[Ints, Ints]:
    """Least costs to some targets (Bellman 1958): in each round all routes are one hop longer."""
    shape = (core.vertex.size, targets.size)
    home = (targets, np.arange(targets.size))
    startup, per_byte = np.full(shape, UNREACHABLE), np.full(shape, UNREACHABLE)
    startup[home] = per_byte[home] = 0
    graph = core.graph
    source = core.place[graph.source[core.hops]]
    starts = np.flatnonzero(np.diff(source, prepend=-1))
    segment = np.cumsum(np.diff(source, prepend=source[:1]) > 0)
    work = 0
    while core.hops.size:
        work += core.hops.size * core.vertex.size  # of all targets together
        if work > _MOST_WORK:
            raise InputError(
                "routes between so many switches in a row take too long to find",
                value=f"{core.vertex.size:,} machines and switches, {core.hops.size // 2:,} links",
                remedy="State a switch for each group of machines, with the bandwidth of the whole",
            )
        first, second = _via(core, startup, per_byte, targets)
        best = np.minimum.reduceat(first, starts)
        second = np.where(first == best[segment], second, UNREACHABLE)
        following, rest = startup.copy(), per_byte.copy()
        following[source[starts]] = np.minimum(best, UNREACHABLE)
        rest[source[starts]] = np.minimum(np.minimum.reduceat(second, starts), UNREACHABLE)
        following[home] = rest[home] = 0
        if np.array_equal(following, startup) and np.array_equal(rest, per_byte):
            break
        startup, per_byte = following, rest
    return startup, per_byte


def _via(core: _Core, startup: Ints, per_byte: Ints, targets: Ints) -> tuple[Ints, Ints]:
    """Costs of going on by each hop of the core, shape (hops, targets)."""
    graph = core.graph
    after = core.place[graph.target[core.hops]]
    blocked = ~_relays(graph)[core.vertex][after, None] & (after[:, None] != targets)
    first = np.where(blocked, UNREACHABLE, graph.startup[core.hops, None] + startup[after])
    second = np.where(blocked, UNREACHABLE, graph.per_byte[core.hops, None] + per_byte[after])
    return first, second


def _ways(core: _Core, startup: Ints, per_byte: Ints) -> tuple[Ints, Ints]:
    """All hops on shortest routes, from each vertex of the core to each (see `Spreading`)."""
    size = core.vertex.size
    counts = np.zeros((size, size), dtype=np.int64)
    found: list[Ints] = []
    source = core.place[core.graph.source[core.hops]]
    bounds = np.searchsorted(source, np.arange(size + 1))
    targets = np.arange(size)
    for v in range(size):
        out = replace(core, hops=core.hops[bounds[v] : bounds[v + 1]])
        first, second = _via(out, startup, per_byte, targets)
        short = (first == startup[v]) & (second == per_byte[v]) & (startup[v] < UNREACHABLE)
        short[:, v] = False
        counts[v] = short.sum(axis=0)
        found.append(out.hops[np.nonzero(short.T)[1]])
    ways = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.cumsum(counts)]), ways


def _levels(graph: Graph) -> Ints:
    """Links to the nearest machine: 0 for machines, 1 for the switches that they hang on."""
    level = np.where(np.arange(graph.vertices) < graph.machines, 0, graph.vertices)
    for height in range(1, graph.vertices):
        reached = graph.target[level[graph.source] == height - 1]
        reached = reached[level[reached] > height]
        if not reached.size:
            break
        level[reached] = height
    return level


def _numbers(graph: Graph) -> Ints:
    """The hosts' numbers in the order of the first switch that each hangs on; others last."""
    hangs_on = np.full(graph.vertices, graph.vertices)
    up = graph.target >= graph.hosts
    np.minimum.at(hangs_on, graph.source[up], graph.target[up])
    order = np.argsort(hangs_on[: graph.hosts], kind="stable")
    number = np.empty(graph.hosts, dtype=np.int64)
    number[order] = np.arange(graph.hosts)
    return number
