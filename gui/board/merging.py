"""Narrow bars merged into columns of pixels that keep their mix of colours.

Bars of a row are disjoint, so the covered length up to a pixel is a monotone function: one
interpolation gives the covered share of every pixel, whatever the number of bars.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Flags, Floats, Ints

FAINTEST = 0.35  # opacity of a column that holds anything at all
_SHIFTS = (16, 8, 0)  # red, green, blue in a pixel

Pixels = NDArray[np.uint32]


def coverage(row: Ints, x0: Floats, x1: Floats, rows: int, width: int) -> Floats:
    """Covered share of every pixel.

    `row`: shape (bars,); row of each bar, ascending.
    `x0`, `x1`: shape (bars,); edges in pixels, ascending and disjoint within a row.
    `rows`, `width`: size of the result.
    Returns: shape (rows, width); 0..1.
    """
    if not row.size:
        return np.zeros((rows, width))
    base = (row * width).astype(np.float64)
    knots = np.empty(2 * row.size)
    knots[0::2] = base + np.clip(x0, 0, width)
    knots[1::2] = base + np.clip(x1, 0, width)
    # rounding may put an edge a hair before the one to its left
    np.maximum.accumulate(knots, out=knots)
    covered = np.zeros_like(knots)
    lengths = np.diff(knots)
    lengths[1::2] = 0.0
    np.cumsum(lengths, out=covered[1:])
    edges = np.arange(rows * width + 1, dtype=np.float64)
    return np.diff(np.interp(edges, knots, covered)).reshape(rows, width)


def marks(row: Ints, x: Floats, rows: int, width: int) -> Flags:
    """Pixels that hold the left edge of a bar, bool array (rows, width)."""
    found = np.zeros((rows, width), dtype=np.bool_)
    column = np.floor(x).astype(np.int64)
    inside = (column >= 0) & (column < width)
    found[row[inside], column[inside]] = True
    return found


def blended(layers: list[tuple[Floats, int]], present: Flags) -> Pixels:
    """Premultiplied ARGB pixels of layers with a covered share and a colour each.

    `layers`: shape (rows, width); shares of one pixel add up to at most 1.
    `present`: shape (rows, width); pixels that must show even when almost nothing covers them; they
        take the first colour.
    Returns: shape (rows, width).
    """
    total = np.zeros(present.shape)
    channels = [np.zeros(present.shape) for _ in _SHIFTS]
    for share, colour in layers:
        total += share
        for index, shift in enumerate(_SHIFTS):
            channels[index] += share * (colour >> shift & 255)
    shown = np.where(present | (total > 0.02), np.clip(total, FAINTEST, 1.0), 0.0)
    empty = total < 1e-6
    scale = np.where(empty, 0.0, shown / np.where(empty, 1.0, total))
    pixels = np.rint(shown * 255).astype(np.uint32) << 24
    for channel, shift in zip(channels, _SHIFTS, strict=True):
        value = channel * scale + np.where(empty, shown * (layers[0][1] >> shift & 255), 0.0)
        pixels |= np.rint(np.clip(value, 0, 255)).astype(np.uint32) << shift
    return np.ascontiguousarray(pixels)
