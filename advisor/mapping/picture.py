"""What a mapping looks like: nodes in the plane, processes on them, loads of the channels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.mapping.communication import Communication
from advisor.mapping.measures import Measures
from advisor.mapping.orders import Mapping
from machines.network import Network


@dataclass(frozen=True, eq=False)
class MappedOrder:
    """One mapping under the name of its order, and what it costs."""

    name: str
    mapping: Mapping
    measures: Measures


@dataclass(frozen=True, eq=False)
class MappingPicture:
    """All orders that were compared on one network.

    Attributes
    ----------
    network : Network
        Of P nodes; its `channels` are those of the loads in `Measures`.
    communication : Communication
        What is mapped.
    objective : str
        What was to be small.
    orders : tuple of MappedOrder
        The first is the default order.
    best : int
        Position in `orders`.
    positions : float array, (P, 2)
        Where to draw each node; neighbours along the first two dimensions are 1 apart.
    """

    network: Network
    communication: Communication
    objective: str
    orders: tuple[MappedOrder, ...]
    best: int
    positions: NDArray[np.float64]

    @property
    def chosen(self) -> MappedOrder:
        """The best order."""
        return self.orders[self.best]


def node_positions(network: Network) -> NDArray[np.float64]:
    """Where to draw the nodes, (P, 2): x to the right, y down.

    Meshes as they are, further dimensions as copies side by side and below each other; a
    crossbar's nodes on a circle.
    """
    nodes = np.arange(network.size)
    if network.kind == "crossbar":
        angle = 2.0 * math.pi * nodes / network.size
        radius = max(network.size, 2) / (2.0 * math.pi)
        return radius * np.column_stack([np.sin(angle), -np.cos(angle)])
    places = np.zeros((network.size, 2))
    extent = np.ones(2)
    stride = 1
    for axis, k in enumerate(network.dims):
        side = axis % 2
        places[:, side] += nodes // stride % k * extent[side]
        # copies keep a gap, so that they are told apart
        extent[side] = extent[side] * k + (0.0 if axis < 2 and k == 1 else 0.75)
        stride *= k
    return places
