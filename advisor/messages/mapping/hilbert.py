"""Hilbert curves through every point of a grid.

Rectangles of any size get a curve of their own, whose steps join neighbours but for one diagonal
where an odd side leaves no other way. Other grids take the points of the enclosing cube in its
order: from neighbour to neighbour when all sides are one power of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

Point = tuple[int, ...]


def hilbert_points(dims: Sequence[int]) -> list[Point]:
    """All points of the grid 0 ≤ x[axis] < dims[axis], along the curve."""
    sides = [axis for axis, k in enumerate(dims) if k > 1]
    if len(sides) != 2:
        return _enclosed(dims)
    across, along = sorted(sides, key=lambda axis: dims[axis])
    points = []
    for at in _rectangle(0j, complex(dims[along]), complex(0, dims[across])):
        point = [0] * len(dims)
        point[along], point[across] = int(at.real), int(at.imag)
        points.append(tuple(point))
    return points


def _rectangle(corner: complex, main: complex, side: complex) -> Iterator[complex]:
    """Points of the rectangle spanned from a corner, ending at the far end of `main`.

    A long rectangle is cut across its main side; else the curve goes up the first half of
    `main`, along the far part of `side`, and comes back down: Hilbert's step for any sides.
    """
    length, width = int(abs(main)), int(abs(side))
    ahead, up = main / length, side / width
    if width == 1 or length == 1:
        step = ahead if width == 1 else up
        yield from (corner + step * count for count in range(max(length, width)))
        return
    half, rise = length // 2, width // 2
    if 2 * length > 3 * width:
        half += half % 2 and length > 2  # even parts join by a straight step
        first = half * ahead
        yield from _rectangle(corner, first, side)
        yield from _rectangle(corner + first, main - first, side)
        return
    rise += rise % 2 and width > 2
    low, first = rise * up, half * ahead
    yield from _rectangle(corner, low, first)
    yield from _rectangle(corner + low, main, side - low)
    end = corner + (main - ahead) + (low - up)
    yield from _rectangle(end, -low, first - main)


def _enclosed(dims: Sequence[int]) -> list[Point]:
    """Points in the order of the curve through the smallest enclosing cube of 2^bits a side."""
    bits = max(k - 1 for k in dims).bit_length()
    return sorted(product(*(range(k) for k in dims)), key=lambda point: _rank(point, bits))


def _rank(point: Point, bits: int) -> int:
    """Where the curve meets a point. Skilling, "Programming the Hilbert curve", 2004."""
    x = list(point)
    high = 1 << max(bits - 1, 0)
    bit = high
    while bit > 1:  # undo the turns of the coarser levels
        low = bit - 1
        for axis in range(len(x)):
            if x[axis] & bit:
                x[0] ^= low
            else:
                swapped = (x[0] ^ x[axis]) & low
                x[0] ^= swapped
                x[axis] ^= swapped
        bit >>= 1
    for axis in range(1, len(x)):
        x[axis] ^= x[axis - 1]
    turn, bit = 0, high
    while bit > 1:
        turn ^= (bit - 1) if x[-1] & bit else 0
        bit >>= 1
    rank = 0
    for level in reversed(range(bits)):
        for along in x:
            rank = rank << 1 | ((along ^ turn) >> level & 1)
    return rank
