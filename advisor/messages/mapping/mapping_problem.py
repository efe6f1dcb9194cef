"""A communication and a network as the arrays that mappings are measured and searched on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.kernels.mapping_ground import Channels, Landscape, Near, Work
from advisor.messages.mapping.computing import Computing
from advisor.messages.mapping.near_places import near_places
from advisor.messages.mapping.orders import Mapping, fits
from advisor.messages.mapping.process_communication import Communication
from machines.arrays import Flags, Floats, Indices, Ints
from machines.interconnect import LogGP
from machines.multicore import cores_of, counts_of, node_at, unequal
from machines.network import Network
from machines.route_tables import Shorts
from machines.traffic import Routes, routes_of, ways_of
from machines.ways import TreeRoutes, Ways


@dataclass(frozen=True, eq=False)
class MappingProblem:
    """What does not change from mapping to mapping.

    `routes`: of a network of P nodes; with several cores a node, of P places: the cores of all
        nodes, each as many times as processes may share it.
    `memory`: what messages cost between cores of one node, in the unit of the network's costs;
        None: as on the network.
    `sockets`: of every node, whose cores are those of the first, then of the next, and so on.
    `across`: what messages between sockets of one node cost.
    `sharing`: processes that a core may take, whose places follow each other.
    `computing`: between exchanges; None: nothing.
    """

    communication: Communication  # of n ≤ P processes
    routes: Ways
    memory: LogGP | None = None
    sockets: int = 1
    across: LogGP | None = None
    sharing: int = 1
    computing: Computing | None = None

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """A pickle holds no arrays that follow from the rest."""
        return MappingProblem, (
            self.communication, self.routes, self.memory, self.sockets, self.across,
            self.sharing, self.computing,
        )  # fmt: skip

    @property
    def network(self) -> Network:
        """The nodes, or places, and the channels."""
        return self.routes.network

    @property
    def cores(self) -> int:
        """Places of every node; of unequal ones the most."""
        return cores_of(self.network)

    @cached_property
    def tables(self) -> Routes:
        """The routes of all pairs, for models that ask for all of them; InputError: too many."""
        return self.routes if isinstance(self.routes, Routes) else routes_of(self.network)

    def inside(self, mapping: Mapping) -> Flags:
        """Which flows stay on one node, (flows,)."""
        node = node_at(self.network, mapping)
        flows = self.communication
        return np.asarray(node[flows.sources] == node[flows.targets])

    def core_of(self, places: Mapping | Ints) -> Ints:
        """The core of places, of the cores of all nodes in turn."""
        return np.asarray(places) // self.sharing

    def computing_time(self, mapping: Mapping) -> float:
        """The longest that any core computes, in the unit of message costs."""
        return 0.0 if self.computing is None else self.computing.time(self.core_of(mapping))

    @cached_property
    def least_computing(self) -> float:
        """What no mapping can beat in `computing_time`."""
        return 0.0 if self.computing is None else self.computing.least(self.sharing)

    def socket_of(self, mapping: Mapping | Ints) -> Ints:
        """The socket of places, counted on each node from 0 on."""
        node = node_at(self.network, mapping)
        if unequal(self.network):
            counts = np.array(self.network.counts)[node]
            place = np.asarray(mapping) - self.network.first[node]
        else:
            counts, place = np.array(self.cores), np.asarray(mapping) - node * self.cores
        found: Ints = place // self.sharing * self.sockets // (counts // self.sharing)
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
        at, flows = np.asarray(mapping), self.communication
        return self.routes.loads(at[flows.sources], at[flows.targets], flows.size_bytes)[0]

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
        routes, places = self.routes, np.arange(self.network.size)
        begin = np.concatenate([[0], np.cumsum(counts_of(self.network), dtype=long)])
        near = near_places(routes, begin)
        tables = routes if isinstance(routes, Routes) else _NONE
        levels = routes.levels if isinstance(routes, TreeRoutes) else _NO_LEVELS
        return Landscape(
            net=Channels(
                away=tables.away,
                row=tables.row,
                ways=tables.ways,
                levels=levels,
                out=routes.out,
                heads=routes.heads,
                host=node_at(self.network, places).astype(short),
            ),
            near=Near(begin, near.first, near.start, near.before, near.count, near.own),
            work=Work(self.core_of(places).astype(short), self.work, self.pace),
            first=_offsets(either // flows.processes, flows.processes),
            partner=(either % flows.processes).astype(short),
            sent=sent,
            received=received,
        )

    @property
    def work(self) -> Floats:
        """What each process keeps a core busy, (n,)."""
        if self.computing is None:
            return np.zeros(self.communication.processes)
        return self.computing.work

    @property
    def pace(self) -> Floats:
        """Time for one unit of work, of every core."""
        if self.computing is None:
            return np.ones(-(-self.network.size // self.sharing))
        return 1.0 / self.computing.speed


class _NoTables(NamedTuple):
    away: Shorts
    row: Indices
    ways: Shorts


def _frozen(shape: tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
    array = np.zeros(shape, kind)
    array.flags.writeable = False
    return array


_NONE = _NoTables(_frozen((0, 0), np.int16), _frozen((0,), np.int32), _frozen((0, 0), np.int16))
_NO_LEVELS = _frozen((0, 4), np.int64)


def mapping_problem(
    communication: Communication, network: Network, memory: LogGP | None = None,
    sockets: int = 1, across: LogGP | None = None, sharing: int = 1,
    computing: Computing | None = None,
) -> MappingProblem:  # fmt: skip
    """A communication to be mapped onto a network, or onto the cores of its nodes (`MultiCore`).

    `network`: with `sharing` s, each core is s places.
    """
    fits(network, communication.processes)
    return MappingProblem(
        communication, ways_of(network), memory, sockets, across, sharing, computing
    )


def _offsets(owners: Ints, count: int) -> Ints:
    """Where the entries of each of `count` owners begin, in entries sorted by owner."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
