"""What a mapping looks like: nodes in the plane, processes on them, loads of the channels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.mapping_measures import Measures
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.process_communication import Communication
from machines.arrays import Floats
from machines.interconnect import Interconnect
from machines.multicore import cores_of, counts_of, nodes_of
from machines.network import Network

_GAP = 0.75
_CORE, _APART = 0.6, 0.4  # from core to core of a node, and more to the next node
_WIDE = 1.6


@dataclass(frozen=True, eq=False)
class MappedOrder:
    """One mapping under the name of its order, and what it costs."""

    name: str
    mapping: Mapping
    measures: Measures


@dataclass(frozen=True, eq=False)
class MappingPicture:
    """All orders that were compared on one network.

    `problem`: what is mapped, and the routes of the network's P nodes, so that other mappings can
        be measured.
    `positions`: shape (P, 2); where to draw each node; neighbours along the first two dimensions
        are 1 apart.
    `threads`: cores that each process takes.
    """

    net: Interconnect  # whose message costs the LoGPC times are of
    problem: MappingProblem
    objective: str  # what was to be small
    orders: tuple[MappedOrder, ...]  # the first is the default order
    best: int  # position in `orders`
    positions: Floats
    threads: int = 1

    @property
    def network(self) -> Network:
        """The nodes; its `channels` are those of the loads in `Measures`."""
        return self.problem.network

    @property
    def communication(self) -> Communication:
        """Who sends how much to whom."""
        return self.problem.communication

    @property
    def chosen(self) -> MappedOrder:
        """The best order."""
        return self.orders[self.best]


def node_positions(network: Network, sharing: int = 1) -> Floats:
    """Where to draw the nodes, (P, 2): x to the right, y down.

    Meshes as they are, further dimensions as copies beside and below each other; a crossbar's
    nodes on a circle. Hosts at switches lie in rows of those that share one. The cores of a node
    make a block in its place; `sharing` places of each core lie side by side.
    """
    cores = cores_of(network)
    if cores == 1:
        return _plane(network)
    columns = math.ceil(math.sqrt(cores) / sharing) * sharing
    block = np.array([columns, -(-cores // columns)])
    core = np.arange(cores)
    inside = _CORE * np.column_stack([core % columns, core // columns])
    pitch = _CORE * block + _APART
    nodes = nodes_of(network)
    if nodes.kind == "crossbar":
        node, wide = np.arange(nodes.size), _columns(nodes.size, pitch)
        outer = np.column_stack([node % wide, node // wide]).astype(float)
    else:
        outer = _plane(nodes)
    places: Floats = outer[:, None, :] * pitch + inside[None, :, :]
    return places[core < np.array(counts_of(network))[:, None]]


def _plane(network: Network) -> Floats:
    nodes = np.arange(network.size)
    if network.kind == "crossbar":
        angle = 2.0 * math.pi * nodes / network.size
        radius = max(network.size, 2) / (2.0 * math.pi)
        return radius * np.column_stack([np.sin(angle), -np.cos(angle)])
    places = np.zeros((network.size, 2))
    extent, stride = np.ones(2), 1
    for axis, k in enumerate(network.dims):
        columns = (k, 1)[axis] if axis < 2 else _columns(k, extent)
        rows = -(-k // columns)
        along = nodes // stride % k
        places += np.column_stack([along % columns, along // columns]) * extent
        # copies keep a gap, so that they are told apart
        grown = (True, True) if axis == 1 else (columns > 1, rows > 1)
        extent = extent * (columns, rows) + _GAP * np.array(grown) * (axis > 0)
        stride *= k
    return places


def _columns(copies: int, extent: Floats) -> int:
    """How many copies go side by side, so that all together are about as wide as a window."""

    def distance(columns: int) -> float:
        width, height = extent * (columns, -(-copies // columns))
        return abs(math.log(width / height / _WIDE))

    return min(range(1, copies + 1), key=distance)
