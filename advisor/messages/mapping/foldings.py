"""Foldings: how a grid of processes can lie on a network of other dimensions.

Each axis of the grid is cut into digits, one for each dimension of the network, and the digits that
share a dimension lie inside each other. Along an axis the digits count as reflected numbers do
(one changes at a time), or on a torus as modular ones, which close into a ring. All ways to cut
and to nest are looked at, cheapest first by the hops of neighbours on average.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.grids import Grid
from advisor.messages.mapping.orders import Mapping
from machines.arrays import Ints

_MOST_KEPT = 200  # foldings that are worth measuring
_MOST_CUTS = 20_000

Cut = tuple[tuple[int, ...], ...]  # [axis][dimension] → processes along it


@dataclass(frozen=True)
class _Folding:
    """One way: the cut, the order of the digits of each axis, the nesting in each dimension."""

    cut: Cut
    order: tuple[tuple[int, ...], ...]
    nesting: tuple[tuple[int, ...], ...]

    def hops(self) -> float:
        """Mean hops between neighbours, each axis by how many neighbours it has."""
        total = 0.0
        for axis, digits in enumerate(self.cut):
            size = math.prod(digits)
            below = 1
            for dimension in self.order[axis]:
                k = digits[dimension]
                steps = (size // below - size // (below * k)) / size
                total += steps * self.stride(axis, dimension)
                below *= k
        return total

    def stride(self, axis: int, dimension: int) -> int:
        """Distance in a dimension when this axis's digit there changes by one."""
        stride = 1
        for inner in self.nesting[dimension]:
            if inner == axis:
                return stride
            stride *= self.cut[inner][dimension]
        raise AssertionError(axis)  # every nesting holds every axis


def foldings(grid: Grid, dims: tuple[int, ...], *, wrap: bool) -> Iterator[Mapping]:
    """Mappings that fold a grid onto a mesh or torus, the most promising first.

    Parameters
    ----------
    grid : Grid
    dims : tuple of int
        Of the network.
    wrap : bool
        Whether its dimensions close to rings.
    """
    found = sorted(_all(grid.sizes, dims), key=_Folding.hops)
    seen: set[Mapping] = set()
    for folding in found[:_MOST_KEPT]:
        for modular in (False, True) if wrap else (False,):
            mapping = _mapping(grid, dims, folding, modular=modular)
            if mapping not in seen:
                seen.add(mapping)
                yield mapping


def _all(sizes: tuple[int, ...], dims: tuple[int, ...]) -> Iterator[_Folding]:
    """Every folding of every cut that fits."""
    axes, dimensions = range(len(sizes)), range(len(dims))
    for cut in itertools.islice(_cuts(sizes, dims), _MOST_CUTS):
        orders = [_distinct(dimensions, cut[axis]) for axis in axes]
        nestings = [
            _distinct(axes, tuple(cut[axis][dimension] for axis in axes))
            for dimension in dimensions
        ]
        for order in itertools.product(*orders):
            for nesting in itertools.product(*nestings):
                yield _Folding(cut, order, nesting)


def _cuts(sizes: tuple[int, ...], dims: tuple[int, ...]) -> Iterator[Cut]:
    """Ways to write each size as a product over the dimensions, within what each can hold."""
    if not sizes:
        yield ()
        return
    for digits in _products(sizes[0], dims):
        left = tuple(k // digit for k, digit in zip(dims, digits, strict=True))
        for rest in _cuts(sizes[1:], left):
            yield (digits, *rest)


def _products(size: int, dims: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Digits, one for each dimension and none above its size, whose product is `size`."""
    if not dims:
        if size == 1:
            yield ()
        return
    for digit in range(1, min(size, dims[0]) + 1):
        if size % digit == 0:
            for rest in _products(size // digit, dims[1:]):
                yield (digit, *rest)


def _distinct(places: range, digits: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Orders of the places that differ where digits above 1 stand."""
    large = [place for place in places if digits[place] > 1]
    small = tuple(place for place in places if digits[place] <= 1)
    return [(*order, *small) for order in itertools.permutations(large)]


def _mapping(grid: Grid, dims: tuple[int, ...], folding: _Folding, *, modular: bool) -> Mapping:
    """Node of every process."""
    node = np.zeros(len(grid.points), np.int64)
    strides = np.cumprod([1, *dims[:-1]])
    for axis in range(len(grid.sizes)):
        left: Ints = grid.points[:, axis].copy()
        digits = folding.cut[axis]
        ahead = np.zeros_like(left)  # the number that the higher digits make
        for dimension in reversed(folding.order[axis]):
            k = digits[dimension]
            below = _below(folding.order[axis], dimension, digits)
            digit = left // below % k
            if modular:
                place = (digit - ahead) % k
            else:
                place = np.where(ahead % 2 == 0, digit, k - 1 - digit)
            ahead = ahead * k + digit
            node += place * folding.stride(axis, dimension) * strides[dimension]
    return tuple(node.tolist())


def _below(order: tuple[int, ...], dimension: int, digits: tuple[int, ...]) -> int:
    """Product of the digits that count faster."""
    return math.prod(digits[one] for one in order[: order.index(dimension)])
