"""A communication and a network as the arrays that mappings are measured and searched on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.kernels.mapping import Landscape
from advisor.messages.mapping.communication import Communication
from advisor.messages.mapping.orders import Mapping, fits
from machines.arrays import Floats, Ints
from machines.network import Network
from machines.traffic import Routes, channel_loads, routes_of


@dataclass(frozen=True, eq=False)
class MappingProblem:
    """What does not change from mapping to mapping.

    Attributes
    ----------
    communication : Communication
        Of n ≤ P processes.
    routes : Routes
        Of a network of P nodes.
    """

    communication: Communication
    routes: Routes

    @property
    def network(self) -> Network:
        """The nodes and channels."""
        return self.routes.network

    def hop_bytes(self, mapping: Mapping) -> float:
        """Σ bytes · hops over all flows."""
        at = np.asarray(mapping)
        flows = self.communication
        hops = self.routes.hops[at[flows.sources], at[flows.targets]]
        return float(flows.size_bytes @ hops)

    def loads(self, mapping: Mapping) -> Floats:
        """Bytes over every channel, (channels,)."""
        return channel_loads(self.routes, self.communication.traffic(mapping, self.network.size))

    def shared_channels(self, mapping: Mapping) -> int:
        """How many channels lie on the routes of two flows or more."""
        at = np.asarray(mapping)
        flows = self.communication
        used = np.zeros((self.network.size, self.network.size))
        used[at[flows.sources], at[flows.targets]] = 1.0
        return int((channel_loads(self.routes, used) > 1.5).sum())

    @cached_property
    def landscape(self) -> Landscape:
        """The arrays of the kernels."""
        flows, nodes = self.communication, self.network.size
        short, long = np.int32, np.int64
        pairs = flows.sources.astype(long) * flows.processes + flows.targets
        back = flows.targets.astype(long) * flows.processes + flows.sources
        # both ends know of a flow, and one entry serves both directions of a pair
        either, place = np.unique(np.concatenate([pairs, back]), return_inverse=True)
        sent = np.bincount(place[: len(pairs)], flows.size_bytes, len(either))
        received = np.bincount(place[len(pairs) :], flows.size_bytes, len(either))
        ends = np.array(self.network.channels, long).reshape(-1, 2)
        return Landscape(
            hops=np.ascontiguousarray(self.routes.hops, short),
            offsets=np.array(self.routes.offsets, long),
            route=np.array(self.routes.channels, short),
            first=_offsets(either // flows.processes, flows.processes),
            partner=(either % flows.processes).astype(short),
            sent=sent,
            received=received,
            near_first=_offsets(ends[:, 0], nodes),
            near=ends[:, 1].astype(short),
        )


def mapping_problem(communication: Communication, network: Network) -> MappingProblem:
    """A communication to be mapped onto a network.

    Raises
    ------
    InputError
        More processes than nodes, or a network too large for a table of its routes.
    """
    fits(network, communication.processes)
    return MappingProblem(communication, routes_of(network))


def _offsets(owners: Ints, count: int) -> Ints:
    """Where the entries of each of `count` owners begin, in entries sorted by owner."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
