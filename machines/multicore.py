"""A network whose nodes are hosts of several cores, each a place for one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

import numpy as np

from machines.arrays import Indices, Ints
from machines.checks import whole
from machines.errors import InputError
from machines.network import Channel, Network, node_number, without_own


@dataclass(frozen=True)
class MultiCore:
    """A network of places: the cores of its first node, then those of the next, and so on.

    Places of one node are no hop apart: they talk through memory. All others take the routes of
    their nodes, so `channels` are those of `network`.

    Attributes
    ----------
    network : Network
        The nodes, a place each.
    cores : int
        Of every node, ≥ 2; of unequal ones the most.
    counts : tuple of int
        Cores of each node, where they are unequal; empty: all have `cores`.

    Raises
    ------
    InputError
        Nodes of several cores already, fewer than two cores, or not one count for each node.
    """

    network: Network
    cores: int
    counts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        whole("cores", self.cores, low=2, where="cores")
        if isinstance(self.network, MultiCore):
            raise InputError("these nodes have cores already", where="cores", value=self.cores)
        if self.counts and len(self.counts) != self.network.size:
            raise InputError(
                f"{len(self.counts)} nodes have cores, and the network has {self.network.size}",
                where="cores", remedy="Give the cores of each node, or one number for all",
            )  # fmt: skip
        for node, count in enumerate(self.counts):
            whole("cores", count, low=0, high=self.cores, where=f"node {node}")

    @property
    def size(self) -> int:
        """Number of places."""
        return sum(self.counts) if self.counts else self.cores * self.network.size

    @cached_property
    def first(self) -> Ints:
        """Where the places of each unequal node begin, (nodes + 1,)."""
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    @property
    def dims(self) -> tuple[int, ...]:
        """The most cores of a node, then nodes along each dimension."""
        return (self.cores, *self.network.dims)

    @property
    def kind(self) -> str:
        """That of the network."""
        return self.network.kind

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Those of the network: its ends are nodes and switches, not places."""
        return self.network.channels

    def distance(self, i: int, j: int) -> int:
        """Hops from place `i` to place `j`: those of their nodes; InputError: no such place."""
        return self.network.distance(self._node("i", i), self._node("j", j))

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean hops over all ordered pairs of places, i = j left out if `distinct`.

        Of unequal nodes as if all had the same.
        """
        mean = self.network.mean_distance()
        return without_own(mean, self, "cores") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The channels from the node of place `i` to that of place `j`; empty on one node."""
        return self.network.route(self._node("i", i), self._node("j", j))

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """As the network's: `here` and `target` are nodes, not places."""
        return self.network.next_nodes(here, target)

    def _node(self, name: str, place: int) -> int:
        return int(node_at(self, node_number(name, place, self.size, "cores")))


def with_cores(network: Network, cores: int | Sequence[int]) -> Network:
    """The network with so many cores a node, or with those of each: itself with one."""
    if isinstance(cores, int):
        return MultiCore(network, cores) if cores > 1 else network
    if len(set(cores)) == 1 and len(cores) == network.size:
        return with_cores(network, cores[0])
    return MultiCore(network, max([2, *cores]), tuple(cores))


def cores_of(network: Network) -> int:
    """Cores of every node; of unequal ones the most."""
    return network.cores if isinstance(network, MultiCore) else 1


def counts_of(network: Network) -> tuple[int, ...]:
    """Cores of each node."""
    if isinstance(network, MultiCore) and network.counts:
        return network.counts
    return (cores_of(network),) * nodes_of(network).size


def node_at(network: Network, places: int | Ints | Indices | Sequence[int]) -> Ints:
    """The nodes of places."""
    if unequal(network):
        return np.asarray(np.searchsorted(network.first, places, side="right") - 1)
    return np.floor_divide(places, cores_of(network))


def places_at(network: Network, node: int) -> range:
    """The places of a node."""
    if unequal(network):
        return range(int(network.first[node]), int(network.first[node + 1]))
    cores = cores_of(network)
    return range(node * cores, (node + 1) * cores)


def unequal(network: Network) -> TypeGuard[MultiCore]:
    """Whether its nodes have not all as many cores."""
    return isinstance(network, MultiCore) and bool(network.counts)


def nodes_of(network: Network) -> Network:
    """The network of the nodes themselves."""
    return network.network if isinstance(network, MultiCore) else network
