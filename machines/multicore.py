"""A network whose nodes are hosts of several cores, each a place for one process."""

from __future__ import annotations

from dataclasses import dataclass

from machines.arrays import Ints
from machines.checks import whole
from machines.errors import InputError
from machines.network import Channel, Network, node_number, without_own


@dataclass(frozen=True)
class MultiCore:
    """A network of places: place p is core p mod cores of node p // cores.

    Places of one node are no hop apart: they talk through memory. All others take the routes of
    their nodes, so `channels` are those of `network`.

    Attributes
    ----------
    network : Network
        The nodes, a place each.
    cores : int
        Of every node, ≥ 2.

    Raises
    ------
    InputError
        Nodes of several cores already, or fewer than two cores.
    """

    network: Network
    cores: int

    def __post_init__(self) -> None:
        whole("cores", self.cores, low=2, where="cores")
        if isinstance(self.network, MultiCore):
            raise InputError("these nodes have cores already", where="cores", value=self.cores)

    @property
    def size(self) -> int:
        """Number of places."""
        return self.cores * self.network.size

    @property
    def dims(self) -> tuple[int, ...]:
        """Cores of a node, then nodes along each dimension."""
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
        """Mean hops over all ordered pairs of places, i = j left out if `distinct`."""
        mean = self.network.mean_distance()
        return without_own(mean, self, "cores") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The channels from the node of place `i` to that of place `j`; empty on one node."""
        return self.network.route(self._node("i", i), self._node("j", j))

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """As the network's: `here` and `target` are nodes, not places."""
        return self.network.next_nodes(here, target)

    def _node(self, name: str, place: int) -> int:
        return node_number(name, place, self.size, "cores") // self.cores


def with_cores(network: Network, cores: int) -> Network:
    """The network with so many cores a node: itself with one."""
    return MultiCore(network, cores) if cores > 1 else network


def cores_of(network: Network) -> int:
    """Cores of every node."""
    return network.cores if isinstance(network, MultiCore) else 1


def nodes_of(network: Network) -> Network:
    """The network of the nodes themselves."""
    return network.network if isinstance(network, MultiCore) else network
