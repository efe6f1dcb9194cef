"""Foldings: how a grid of processes can lie on a network of other dimensions.

Each axis of the grid is cut into digits, one for each dimension of the network, and the digits that
share a dimension lie inside each other. Along an axis the digits count as reflected numbers do
(one changes at a time), or on a torus as modular ones, which close into a ring. What lies inside
another digit is copied, or on a torus mirrored: two mirrored halves of a ring are near each other
at both ends. All ways to cut and to nest are looked at, cheapest first by the hops of neighbours
on average. Sizes that no product fits are cut as the next larger ones that do.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.grids import Grid
from advisor.messages.mapping.orders import Mapping
from machines.arrays import Ints

_MOST_KEPT = 200  # foldings that are worth measuring
_MOST = 20_000  # … and that are looked at

Cut = tuple[tuple[int, ...], ...]  # [axis][dimension] → processes along it


@dataclass(frozen=True)
class _Folding:
    """One way: the cut, the order of the digits of each axis, the nesting in each dimension."""

    cut: Cut
    order: tuple[tuple[int, ...], ...]
    nesting: tuple[tuple[int, ...], ...]

    def hops(
        self, dims: tuple[int, ...], *, wrap: bool, costs: Sequence[float | None] = ()
    ) -> float:
        """Mean hops between neighbours, each axis by how many neighbours it has.

        `costs`: hops between any two places that differ in a dimension; None: their distance.
        """
        total = 0.0
        for axis, digits in enumerate(self.cut):
            size = math.prod(digits)
            below = 1
            for dimension in self.order[axis]:
                k = digits[dimension]
                steps = (size // below - size // (below * k)) / size
                stride, around = self.stride(axis, dimension), dims[dimension]
                hops = float(stride)
                if costs and (cost := costs[dimension]) is not None:
                    hops = cost
                elif wrap and k > 1 and 4 * stride > around:  # mirrored copies meet around the ring
                    apart = range(1, 2 * stride, 2)
                    hops = sum(min(one, around - one) for one in apart) / stride
                total += steps * hops
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


def foldings(
    grid: Grid,
    dims: tuple[int, ...],
    *,
    wrap: bool,
    should_stop: ShouldStop = lambda: False,
) -> Iterator[Mapping]:
    """Mappings that fold a grid onto a mesh or torus, the most promising first.

    `dims`: of the network. `wrap`: whether its dimensions close to rings. `should_stop`: asked
    before each of them.
    """
    seen: set[Mapping] = set()
    for way in foldings_of(grid.sizes, dims, wrap=wrap, should_stop=should_stop):
        mapping = tuple(way(grid.points).tolist())
        if mapping not in seen:
            seen.add(mapping)
            yield mapping


def foldings_of(
    sizes: tuple[int, ...],
    dims: tuple[int, ...],
    *,
    wrap: bool,
    should_stop: ShouldStop = lambda: False,
    costs: Sequence[float | None] = (),
) -> Iterator[Callable[[Ints], Ints]]:
    """What `foldings` looks at, each from points of the grid, (n, axes), to their nodes.

    `costs`: hops between places that differ in a dimension, where they follow from its level.
    """
    looked = itertools.takewhile(lambda _: not should_stop(), _all(sizes, dims))
    priced = [
        (one.hops(dims, wrap=wrap, costs=costs), one) for one in itertools.islice(looked, _MOST)
    ]
    for _, folding in heapq.nsmallest(_MOST_KEPT, priced, key=lambda pair: pair[0]):
        for modular, mirrored in itertools.product((False, True) if wrap else (False,), repeat=2):
            if should_stop():
                return
            yield partial(_nodes, dims, folding, modular, mirrored)


def _all(sizes: tuple[int, ...], dims: tuple[int, ...]) -> Iterator[_Folding]:
    """Every folding of every cut that fits."""
    axes, dimensions = range(len(sizes)), range(len(dims))
    exact = next(_cuts(sizes, dims, exact=True), None) is not None
    for cut in _cuts(sizes, dims, exact=exact):
        orders = [_distinct(dimensions, cut[axis]) for axis in axes]
        nestings = [
            _distinct(axes, tuple(cut[axis][dimension] for axis in axes))
            for dimension in dimensions
        ]
        for order in itertools.product(*orders):
            for nesting in itertools.product(*nestings):
                yield _Folding(cut, order, nesting)


def _cuts(sizes: tuple[int, ...], dims: tuple[int, ...], *, exact: bool) -> Iterator[Cut]:
    """Ways to write each size as a product over the dimensions, within what each can hold."""
    if not sizes:
        yield ()
        return
    for digits in _products(sizes[0], dims, exact=exact):
        left = tuple(k // digit for k, digit in zip(dims, digits, strict=True))
        for rest in _cuts(sizes[1:], left, exact=exact):
            yield (digits, *rest)


def _products(size: int, dims: tuple[int, ...], *, exact: bool) -> Iterator[tuple[int, ...]]:
    """Digits, one for each dimension and none above its size, whose product is `size` or enough."""
    if not dims:
        if size == 1:
            yield ()
        return
    for digit in range(1, min(size, dims[0]) + 1):
        if size % digit == 0 or not exact:
            for rest in _products(-(-size // digit), dims[1:], exact=exact):
                yield (digit, *rest)


def _distinct(places: range, digits: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Orders of the places that differ where digits above 1 stand."""
    large = [place for place in places if digits[place] > 1]
    small = tuple(place for place in places if digits[place] <= 1)
    return [(*order, *small) for order in itertools.permutations(large)]


def _nodes(
    dims: tuple[int, ...], folding: _Folding, modular: bool, mirrored: bool, points: Ints
) -> Ints:
    """Node of every process."""
    places = [_places(points, folding, axis, modular=modular) for axis in range(points.shape[1])]
    node = np.zeros(len(points), np.int64)
    for dimension, stride in enumerate(np.cumprod([1, *dims[:-1]])):
        along, size = np.zeros_like(node), 1
        for axis in folding.nesting[dimension]:
            place, inside = places[axis][dimension], along
            if mirrored:
                inside = np.where(place % 2 == 0, along, size - 1 - along)
            along = place * size + inside
            size *= folding.cut[axis][dimension]
        node += along * stride
    return node


def _places(points: Ints, folding: _Folding, axis: int, *, modular: bool) -> dict[int, Ints]:
    """Where the processes are along an axis, digit by digit: dimension → (processes,)."""
    digits, places = folding.cut[axis], {}
    left: Ints = points[:, axis]
    ahead = np.zeros_like(left)  # the number that the higher digits make
    for dimension in reversed(folding.order[axis]):
        k = digits[dimension]
        digit = left // _below(folding.order[axis], dimension, digits) % k
        if modular:
            places[dimension] = (digit - ahead) % k
        else:
            places[dimension] = np.where(ahead % 2 == 0, digit, k - 1 - digit)
        ahead = ahead * k + digit
    return places


def _below(order: tuple[int, ...], dimension: int, digits: tuple[int, ...]) -> int:
    """Product of the digits that count faster."""
    return math.prod(digits[one] for one in order[: order.index(dimension)])
