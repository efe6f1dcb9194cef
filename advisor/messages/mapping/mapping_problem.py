"""A communication and a network as the arrays that mappings are measured and searched on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.kernels.mapping_kernel import Landscape
from advisor.messages.mapping.orders import Mapping, fits
from advisor.messages.mapping.process_communication import Communication
from machines.arrays import Flags, Floats, Indices, Ints
from machines.interconnect import LogGP
from machines.multicore import cores_of, node_at, unequal
from machines.network import Network
from machines.route_tables import Shorts
from machines.traffic import Routes, channel_loads, routes_of


@dataclass(frozen=True, eq=False)
class MappingProblem:
    """What does not change from mapping to mapping.

    `routes`: of a network of P nodes; with several cores a node, of P places: the cores of all
        nodes.
    `memory`: what messages cost between cores of one node, in the unit of the network's costs;
        None: as on the network.
    `sockets`: of every node, whose cores are those of the first, then of the next, and so on.
    `across`: what messages between sockets of one node cost.
    """

    communication: Communication  # of n ≤ P processes
    routes: Routes
    memory: LogGP | None = None
    sockets: int = 1
    across: LogGP | None = None

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """A pickle holds no arrays that follow from the rest."""
        return MappingProblem, (
            self.communication, self.routes, self.memory, self.sockets, self.across,
        )  # fmt: skip

    @property
    def network(self) -> Network:
        """The nodes, or places, and the channels."""
        return self.routes.network

    @property
    def cores(self) -> int:
        """Places of every node; of unequal ones the most."""
        return cores_of(self.network)

    def inside(self, mapping: Mapping) -> Flags:
        """Which flows stay on one node, (flows,)."""
        node = node_at(self.network, mapping)
        flows = self.communication
        return np.asarray(node[flows.sources] == node[flows.targets])

    def socket_of(self, mapping: Mapping | Ints) -> Ints:
        """The socket of places, counted on each node from 0 on."""
        node = node_at(self.network, mapping)
        if unequal(self.network):
            counts = np.array(self.network.counts)[node]
            core = np.asarray(mapping) - self.network.first[node]
        else:
            counts, core = np.array(self.cores), np.asarray(mapping) - node * self.cores
        found: Ints = core * self.sockets // counts
        return found

    def apart(self, mapping: Mapping) -> Flags:
        """Which flows stay on one node and cross its sockets, (flows,)."""
        socket, flows = self.socket_of(mapping), self.communication
        differ: Flags = socket[flows.sources] != socket[flows.targets]
        crossing: Flags = self.inside(mapping) & differ
        return crossing

    def between_sockets(self, mapping: Mapping) -> float:
        """Bytes that cross the sockets of a node."""
        if self.sockets == 1:
            return 0.0
        return float(self.communication.size_bytes[self.apart(mapping)].sum())

    def between_nodes(self, mapping: Mapping) -> float:
        """Bytes that leave a node."""
        return float(self.communication.size_bytes[~self.inside(mapping)].sum())

    def hop_bytes(self, mapping: Mapping) -> float:
        """Σ bytes · hops over all flows."""
        at = np.asarray(mapping)
        flows = self.communication
        return float(flows.size_bytes @ self.routes.between(at[flows.sources], at[flows.targets]))

    def loads(self, mapping: Mapping) -> Floats:
        """Bytes over every channel, (channels,)."""
        return channel_loads(self.routes, self.communication.traffic(mapping, self.network.size))

    @cached_property
    def landscape(self) -> Landscape:
        """The arrays of the kernels."""
        flows = self.communication
        short, long = np.int32, np.int64
        pairs = flows.sources.astype(long) * flows.processes + flows.targets
        back = flows.targets.astype(long) * flows.processes + flows.sources
        # both ends know of a flow, and one entry serves both directions of a pair
        either, place = np.unique(np.concatenate([pairs, back]), return_inverse=True)
        sent = np.bincount(place[: len(pairs)], flows.size_bytes, len(either))
        received = np.bincount(place[len(pairs) :], flows.size_bytes, len(either))
        near_first, near = _nearest(self.routes.hops)
        return Landscape(
            hops=self.routes.hops,
            row=self.routes.row,
            ways=self.routes.ways,
            out=self.routes.out,
            heads=self.routes.heads,
            host=node_at(self.network, np.arange(self.network.size)).astype(short),
            first=_offsets(either // flows.processes, flows.processes),
            partner=(either % flows.processes).astype(short),
            sent=sent,
            received=received,
            near_first=near_first,
            near=near,
        )


def mapping_problem(
    communication: Communication, network: Network, memory: LogGP | None = None,
    sockets: int = 1, across: LogGP | None = None,
) -> MappingProblem:  # fmt: skip
    """A communication to be mapped onto a network, or onto the cores of its nodes (`MultiCore`)."""
    fits(network, communication.processes)
    return MappingProblem(communication, routes_of(network), memory, sockets, across)


def _nearest(hops: Shorts) -> tuple[Ints, Indices]:
    """(where those of each place begin, places): its own node's and those at the fewest hops."""
    near, counts = [], []
    for place, row in enumerate(hops):
        close = row <= row[row > 0].min(initial=np.iinfo(row.dtype).max)
        close[place] = False
        near.append(np.flatnonzero(close).astype(np.int32))
        counts.append(len(near[-1]))
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(near)


def _offsets(owners: Ints, count: int) -> Ints:
    """Where the entries of each of `count` owners begin, in entries sorted by owner."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
