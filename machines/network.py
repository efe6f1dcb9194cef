"""Interconnects of a parallel machine: node numbers, hops and routes.

`Mesh` is the k-ary n-mesh and, with `wrap`, the torus; every network offers `size`, `distance`,
`mean_distance` and `route`, which is all that the message models ask.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from machines.checks import whole
from machines.errors import InputError

Channel = tuple[int, int]


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

    def distance(self, i: int, j: int) -> int:
        """Hops of the shortest way from node `i` to node `j`.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        ends = zip(self._position("i", i), self._position("j", j), self.dims, strict=True)
        return sum(abs(_step(x, y, k, self.wrap)) for x, y, k in ends)

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
        if not distinct:
            return mean
        if self.size == 1:
            raise InputError("a single node has no distinct pair", where="Mesh", value=self.dims)
        return mean * self.size / (self.size - 1)

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from `i` to `j`, in order.

        Dimension-order routing, first dimension first; on a torus the shorter way round, on a tie
        the increasing one. Empty when i = j.

        Raises
        ------
        InputError
            A node outside 0 … size − 1.
        """
        nodes = list(self._walk(self._position("i", i), self._position("j", j)))
        return list(pairwise(nodes))

    def _walk(self, source: list[int], target: list[int]) -> Iterator[int]:
        here = list(source)
        yield self._number(here)
        for dimension, k in enumerate(self.dims):
            step = _step(here[dimension], target[dimension], k, self.wrap)
            for _ in range(abs(step)):
                here[dimension] = (here[dimension] + (1 if step > 0 else -1)) % k
                yield self._number(here)

    def _position(self, name: str, node: int) -> list[int]:
        rest = whole(name, node, where="Mesh")
        if rest >= self.size:
            raise InputError(
                f"{name} is not a node",
                where="Mesh",
                value=node,
                remedy=f"Allowed: 0 to {self.size - 1}",
            )
        position = []
        for k in self.dims:
            rest, along = divmod(rest, k)
            position.append(along)
        return position

    def _number(self, position: list[int]) -> int:
        node = 0
        for along, k in zip(reversed(position), reversed(self.dims), strict=True):
            node = node * k + along
        return node


def _step(x: int, y: int, k: int, wrap: bool) -> int:
    """Signed hops from x to y along a line or ring of k nodes."""
    if not wrap:
        return y - x
    up = (y - x) % k
    return up if 2 * up <= k else up - k
