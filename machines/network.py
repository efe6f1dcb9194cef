"""Interconnects of a parallel machine: node numbers, hops, routes and channels.

`Mesh` is the k-ary n-mesh and, with `wrap`, the torus; `Hypercube` and `Crossbar` stand beside
it. What every one of them offers is the protocol `Network`; networks of switches are in `fat_tree`
and `dragonfly`, all kinds by name in `shapes`, loads of channels in `traffic`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np

from machines.arrays import Ints
from machines.checks import whole
from machines.errors import InputError

Channel = tuple[int, int]


class Network(Protocol):
    """What the message models ask of an interconnect.

    Routing is oblivious: the next node depends on where a message is and where it goes alone.

    Attributes
    ----------
    size : int
        Number of nodes, numbered 0 … size − 1.
    dims : tuple of int
        Nodes along each dimension; the first is the fastest in the node numbers.
    kind : str
        "mesh", "torus", "hypercube", "crossbar", "fat tree" or "dragonfly".
    channels : tuple of (int, int)
        All directed channels (u, v), in increasing order of u, then of v. Switches that are no
        nodes are numbered from `size` on.
    """

    @property
    def size(self) -> int: ...  # noqa: D102

    @property
    def dims(self) -> tuple[int, ...]: ...  # noqa: D102

    @property
    def kind(self) -> str: ...  # noqa: D102

    @property
    def channels(self) -> tuple[Channel, ...]: ...  # noqa: D102

    def distance(self, i: int, j: int) -> int:
        """Hops from node `i` to node `j`: the channels of its route."""
        ...

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean hops over all ordered pairs of nodes, i = j left out if `distinct`."""
        ...

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from `i` to `j`, in order; empty when i = j."""
        ...

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """For each pair the node after `here` on the way to `target`; equal: itself."""
        ...


@dataclass(frozen=True, init=False)
class Mesh:
    """A mesh of dims[0] × dims[1] × … nodes; a torus with `wrap`.

    Nodes are numbered row by row with the first dimension fastest:
    node = x₀ + dims[0]·(x₁ + dims[1]·(x₂ + …)).

    Attributes
    ----------
    dims : tuple of int
        Nodes along each dimension, ≥ 1.
    wrap : bool
        Whether each dimension closes to a ring.

    Raises
    ------
    InputError
        No dimension, or one that is not a whole number ≥ 1.
    """

    dims: tuple[int, ...]
    wrap: bool

    def __init__(self, dims: Iterable[int], wrap: bool = False) -> None:
        sizes = tuple(whole("dims", k, low=1, where="Mesh") for k in dims)
        if not sizes:
            raise InputError("dims must name at least one dimension", where="Mesh", value=sizes)
        object.__setattr__(self, "dims", sizes)
        object.__setattr__(self, "wrap", bool(wrap))

    @property
    def size(self) -> int:
        """Number of nodes."""
        return math.prod(self.dims)

    @property
    def kind(self) -> str:
        """What such networks are called: "torus" with `wrap`, else "mesh"."""
        return "torus" if self.wrap else "mesh"

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All directed channels (u, v), by u, then by v; a ring of two nodes has one each way."""
        return _mesh_channels(self)

    def distance(self, i: int, j: int) -> int:
        """Hops of the shortest way from node `i` to node `j`.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        ends = zip(self._position("i", i), self._position("j", j), self.dims, strict=True)
        return sum(abs(int(_steps(x, y, k, self.wrap))) for x, y, k in ends)

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean hops over all ordered pairs of nodes.

        Per dimension of k nodes the hops over the k² pairs sum to k(k² − 1)/3, on a ring to
        k·floor(k²/4).

        Parameters
        ----------
        distinct : bool
            Leave out the pairs of a node with itself.

        Returns
        -------
        float
            Hops; Moritz & Frank 2001, Eq. (11) counts src = dst.

        Raises
        ------
        InputError
            `distinct` on a single node, where there is no pair.
        """
        mean = sum(
            (k * (k * k // 4) if self.wrap else k * (k * k - 1) // 3) / k**2 for k in self.dims
        )
        return without_own(mean, self, "Mesh") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from `i` to `j`, in order.

        Dimension-order routing, first dimension first; on a torus the shorter way round, on a tie
        the increasing one. Empty when i = j.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        return walked(self, i, j, "Mesh")

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """For each pair the node after `here` on the way to `target`; equal: itself."""
        after, stride = np.array(here), 1
        for k in self.dims:
            x = here // stride % k
            step = np.sign(_steps(x, target // stride % k, k, self.wrap))
            # a dimension moves only where none before it did
            after += np.where(after == here, ((x + step) % k - x) * stride, 0)
            stride *= k
        return after

    def _position(self, name: str, node: int) -> list[int]:
        rest, position = node_number(name, node, self.size, "Mesh"), []
        for k in self.dims:
            rest, along = divmod(rest, k)
            position.append(along)
        return position


@dataclass(frozen=True)
class Hypercube:
    """A hypercube of 2^dimension nodes, numbered so that neighbours differ in one bit.

    Attributes
    ----------
    dimension : int
        Neighbours of each node, 1 … 40.
    """

    dimension: int

    def __post_init__(self) -> None:
        whole("dimension", self.dimension, low=1, where="Hypercube")
        if self.dimension > 40:
            raise InputError(
                "dimension is too large", where="Hypercube", value=self.dimension, remedy="≤ 40"
            )

    @property
    def size(self) -> int:
        """Number of nodes."""
        return int(2**self.dimension)

    @property
    def dims(self) -> tuple[int, ...]:
        """Two nodes along each dimension; dimension 0 is the lowest bit."""
        return (2,) * self.dimension

    @property
    def kind(self) -> str:
        """What such networks are called: "hypercube"."""
        return "hypercube"

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All directed channels (u, v), by u, then by v."""
        return _mesh_channels(Mesh(self.dims))

    def distance(self, i: int, j: int) -> int:
        """Hops from node `i` to node `j`: bits in which they differ; InputError: no such node."""
        ends = (
            node_number(name, node, self.size, "Hypercube") for name, node in (("i", i), ("j", j))
        )
        first, second = ends
        return (first ^ second).bit_count()

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean hops over all ordered pairs, dimension/2; i = j left out if `distinct`."""
        mean = self.dimension / 2
        return without_own(mean, self, "Hypercube") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from `i` to `j`: e-cube routing, lowest bit first.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        return walked(self, i, j, "Hypercube")

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """For each pair the node after `here` on the way to `target`; equal: itself."""
        differing = here ^ target
        return here ^ (differing & -differing)


@dataclass(frozen=True)
class Crossbar:
    """A network in which every ordered pair of nodes has a channel of its own.

    Attributes
    ----------
    size : int
        Number of nodes, ≥ 1.
    """

    size: int

    def __post_init__(self) -> None:
        whole("size", self.size, low=1, where="Crossbar")

    @property
    def dims(self) -> tuple[int, ...]:
        """One dimension of all nodes."""
        return (self.size,)

    @property
    def kind(self) -> str:
        """What such networks are called: "crossbar"."""
        return "crossbar"

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All directed channels (u, v), by u, then by v."""
        nodes = range(self.size)
        return tuple((u, v) for u in nodes for v in nodes if u != v)

    def distance(self, i: int, j: int) -> int:
        """Hops from node `i` to node `j`: one, or none to itself; InputError: no such node."""
        return len(self.route(i, j))

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean hops over all ordered pairs, (P − 1)/P; i = j left out if `distinct`."""
        mean = (self.size - 1) / self.size
        return without_own(mean, self, "Crossbar") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The one channel (i, j); empty when i = j.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        return walked(self, i, j, "Crossbar")

    def next_nodes(self, here: Ints, target: Ints) -> Ints:  # noqa: ARG002
        """For each pair the node after `here` on the way to `target`: the target."""
        return target


def node_number(name: str, node: int, size: int, where: str) -> int:
    """A node that there is; InputError otherwise."""
    number = whole(name, node, where=where)
    if number >= size:
        raise InputError(
            f"{name} is not a node", where=where, value=node, remedy=f"Allowed: 0 to {size - 1}"
        )
    return number


def walked(network: Network, i: int, j: int, where: str) -> list[Channel]:
    """The channels from `i` to `j`, step by step."""
    nodes = [node_number("i", i, network.size, where)]
    target = node_number("j", j, network.size, where)
    while nodes[-1] != target:
        nodes.append(int(network.next_nodes(np.int64(nodes[-1]), np.int64(target))))  # type: ignore[arg-type]
    return list(pairwise(nodes))


def without_own(mean: float, network: Network, where: str) -> float:
    """A mean over all ordered pairs, without those of a node with itself."""
    if network.size == 1:
        raise InputError("a single node has no distinct pair", where=where, value=network.dims)
    return mean * network.size / (network.size - 1)


def _steps(x: int | Ints, y: int | Ints, k: int, wrap: bool) -> int | Ints:
    """Signed hops from x to y along a line or ring of k nodes."""
    if not wrap:
        return y - x
    up = (y - x) % k
    return up - k * (2 * up > k)


@lru_cache(maxsize=16)
def _mesh_channels(mesh: Mesh) -> tuple[Channel, ...]:
    nodes, stride, found = np.arange(mesh.size), 1, []
    for k in mesh.dims:
        x = nodes // stride % k
        for step in (-1, 1):
            there = x + step
            joined = np.full(mesh.size, k > 1) if mesh.wrap else (there >= 0) & (there < k)
            after = nodes + (there % k - x) * stride
            found.append(np.stack([nodes[joined], after[joined]], axis=1))
        stride *= k
    # a ring of two nodes reaches its neighbour either way round
    return tuple((int(u), int(v)) for u, v in np.unique(np.concatenate(found), axis=0))
