"""Which channels messages take, one after the other: by tables or, in fat trees, by levels.

Routing is oblivious, so a route is known from the next channel for each place and target. What
knows it (`Ways`) tells routes, hops and loads of any pairs, without a table of all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from machines.arrays import Floats, Indices, Ints
from machines.fat_tree import FatTree, levels_of
from machines.multicore import node_at, nodes_of
from machines.network import Network
from machines.route_tables import Shorts

_PAIRS = 1 << 15  # whose routes are followed in one go


@dataclass(frozen=True, eq=False)
class Ways(ABC):
    """The routes between the nodes of a network of P nodes.

    Attributes
    ----------
    network : Network
        Whose routes these are; with several cores a node its places are asked for.
    out : int32 array, (vertices,)
        The position in `Network.channels` of the first channel out of each vertex.
    heads : int32 array, (channels,)
        The vertex at the end of each channel.
    """

    network: Network
    out: Indices
    heads: Indices

    @abstractmethod
    def lengths(self, at: Ints | Indices, goal: Ints | Indices) -> Shorts:
        """Hops from nodes to nodes, which are broadcast against each other."""

    @abstractmethod
    def steps(self, at: Ints | Indices, goal: Ints | Indices) -> Indices:
        """The channels that messages at nodes or switches take next, to other nodes."""

    def of(self, i: int, j: int) -> Indices:
        """Positions of the channels from node `i` to node `j`, in order."""
        return self.taken(np.array([i]), np.array([j]))[1]

    def taken(self, sources: Ints | Indices, targets: Ints | Indices) -> tuple[Ints, Indices]:
        """(position in the lists, channel) of every hop of the routes between some pairs.

        In the order of the lists, and each route in the order of its hops.
        """
        at, goal = node_at(self.network, sources), node_at(self.network, targets)
        lengths = self.lengths(at, goal).astype(np.int64)
        ends = np.cumsum(lengths)
        hops = int(ends[-1]) if len(ends) else 0
        pairs, channels = np.empty(hops, np.int64), np.empty(hops, np.int32)
        for part in _parts(len(lengths)):
            places = np.arange(part.start, part.stop)
            begin, end = ends[part.start] - lengths[part.start], ends[part.stop - 1]
            pairs[begin:end] = np.repeat(places, lengths[part])
            going = places[lengths[part] > 0]
            self._walk(at[going], goal[going], ends[going] - lengths[going], channels)
        return pairs, channels

    def _walk(
        self, at: Ints | Indices, goal: Ints | Indices, place: Ints, channels: Indices
    ) -> None:
        """Write down the channels from nodes to others, each route's from a place on."""
        while len(goal):
            channel = self.steps(at, goal)
            channels[place] = channel
            at = self.heads[channel]
            still = at != goal
            at, goal, place = at[still], goal[still], place[still] + 1

    def loads(
        self, sources: Ints | Indices, targets: Ints | Indices, amounts: Floats
    ) -> tuple[Floats, Ints]:
        """What the routes between some pairs put on each channel, and how many take it.

        Parameters
        ----------
        sources, targets : array of int, shape (n,)
        amounts : array, shape (n,)
            Of each route, in any unit.
        """
        loads, routes = np.zeros(len(self.heads)), np.zeros(len(self.heads), np.int64)
        for part in _parts(len(amounts)):
            pairs, channels = self.taken(sources[part], targets[part])
            np.add.at(loads, channels, amounts[part][pairs])  # one after another, as a whole would
            routes += np.bincount(channels, minlength=len(routes))
        return loads, routes

    def between(self, sources: int | Ints | Indices, targets: int | Ints | Indices) -> Shorts:
        """Hops from nodes to nodes, which are broadcast against each other."""
        return self.lengths(node_at(self.network, sources), node_at(self.network, targets))


def _parts(pairs: int) -> Iterator[slice]:
    """Pairs in parts of a few milliseconds each, between which other threads run."""
    for first in range(0, pairs, _PAIRS):
        yield slice(first, min(first + _PAIRS, pairs))


@dataclass(frozen=True, eq=False)
class TreeRoutes(Ways):
    """The routes of a fat tree by the levels of its switches: D-mod-k, as `FatTree.route`.

    Memory grows with hosts and channels, not with pairs.
    """

    @cached_property
    def levels(self) -> Ints:
        """(levels, 4): first switch, hosts below one, switches above the same hosts, links down."""
        tree = nodes_of(self.network)
        assert isinstance(tree, FatTree)
        rows = [
            (level.first, level.hosts, level.ways, down)
            for level, down in zip(levels_of(tree), tree.dims, strict=True)
        ]
        levels = np.array(rows, np.int64)
        levels.flags.writeable = False
        return levels

    def lengths(self, at: Ints | Indices, goal: Ints | Indices) -> Shorts:
        """Twice the level of the first switch above both hosts."""
        found = np.not_equal(at, goal).astype(np.int16)
        for hosts in self.levels[:-1, 1].tolist():
            found += np.not_equal(np.floor_divide(at, hosts), np.floor_divide(goal, hosts))
        doubled: Shorts = found * np.int16(2)
        return doubled

    def steps(self, at: Ints | Indices, goal: Ints | Indices) -> Indices:
        """Down towards hosts below, else up the link that the target chooses."""
        way = np.zeros(len(at), np.int64)
        for n, (first, hosts, ways, down) in enumerate(self.levels.tolist()):
            last = n + 1 == len(self.levels)
            end = len(self.out) if last else int(self.levels[n + 1, 0])
            here = np.flatnonzero((at >= first) & (at < end))
            aim = goal[here]
            below = aim // hosts == (at[here] - first) // ways
            links = 1 if last else int(self.levels[n + 1, 2]) // ways
            way[here] = np.where(below, aim % hosts * down // hosts, down + aim // ways % links)
        found: Indices = self.out[at] + way.astype(np.int32)
        return found

    def __reduce__(self) -> tuple[object, tuple[Network]]:
        """A pickle holds the network alone."""
        return tree_routes, (self.network,)


def tree_routes(network: Network) -> TreeRoutes:
    """The routes of a fat tree, or of places on its hosts."""
    ends = np.array(nodes_of(network).channels, dtype=np.int64)
    vertices = int(ends.max()) + 1
    out = np.searchsorted(ends[:, 0], np.arange(vertices)).astype(np.int32)
    heads = ends[:, 1].astype(np.int32)
    for array in (out, heads):
        array.flags.writeable = False
    return TreeRoutes(network, out, heads)
