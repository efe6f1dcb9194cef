"""How much of every pixel is covered by many pieces of rows: pure arrays, one pass over the edges.

A piece covers from its start on and uncovers from its end on; summed up along a row this gives the
share of every pixel, whatever the number of pieces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Floats

Shares = NDArray[np.float32]


def shares(
    row: NDArray[np.integer], x0: Floats, x1: Floats, shape: tuple[int, int], weight: float = 1.0
) -> Shares:
    """Covered share of every pixel.

    `row`: shape (pieces,); row of pixels of each piece.
    `x0`, `x1`: shape (pieces,); its edges in pixels; what lies outside is cut off.
    `shape`: rows and columns of pixels.
    `weight`: what a piece covers of the height of its row of pixels.
    Returns: shape (rows, columns); 0..1 for pieces that do not overlap.
    """
    rows, columns = shape
    wide = columns + 2  # an edge on the last column reaches one further
    base, steps = row * wide, np.zeros(rows * wide)
    for edge, sign in ((x0, weight), (x1, -weight)):
        at = np.clip(edge, 0.0, columns)
        cell = at.astype(np.intp)
        at -= cell
        cell += base
        steps += sign * np.bincount(cell, minlength=rows * wide)
        beyond = sign * np.bincount(cell, at, rows * wide)
        steps -= beyond
        steps[1:] += beyond[:-1]
    return steps.reshape(rows, wide).cumsum(axis=1)[:, :columns].astype(np.float32)
