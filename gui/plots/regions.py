"""Regions of a map as pictures need them: fine classes, boundary lines, room for labels.

Pure arrays. A map is sampled on a coarse grid of points, the first and last on its edges;
between the points the region with the greatest interpolated membership is shown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from machines.arrays import Flags, Floats, Indices, Ints

Regions = Indices
UNKNOWN = -1
_CLEAR = (4.0, 2.0, 1.0)  # times its size: the free room round a label that is looked for


class Patch(NamedTuple):
    """Points of one region that hang together: those of `mask`, from a row and a column on."""

    region: int
    top: int
    left: int
    mask: Flags


def refined(regions: Regions, height: int, width: int) -> Regions:
    """Classes on a finer grid: arg max of the bilinear membership of every region.

    `regions`: shape (rows, columns); region of every sampled point; `UNKNOWN` where it is not
        computed yet.
    `height`, `width`: points of the finer grid, the outermost on the edges of the coarse one.
    Returns: shape (height, width).
    """
    down = _weights(regions.shape[0], height)
    across = _weights(regions.shape[1], width).T
    best = np.full((height, width), -1.0)
    classes = np.full((height, width), UNKNOWN, dtype=np.int32)
    for region in np.unique(regions):
        membership = down @ (regions == region).astype(np.float64) @ across
        better = membership > best + 1e-12
        classes[better] = region
        best[better] = membership[better]
    return classes


def boundary(classes: Regions) -> Floats:
    """Line pieces between points of different classes.

    Returns: shape (pieces, 4); x1, y1, x2, y2 as shares of width and height; runs in one line are
    joined.
    """
    rows, columns = classes.shape
    pieces: list[tuple[float, float, float, float]] = []
    for row, first, last in _runs(classes[1:] != classes[:-1]):
        y = (row + 1) / rows
        pieces.append((first / columns, y, last / columns, y))
    for column, first, last in _runs((classes[:, 1:] != classes[:, :-1]).T):
        x = (column + 1) / columns
        pieces.append((x, first / rows, x, last / rows))
    return np.array(pieces, dtype=np.float64).reshape(-1, 4)


def patches(regions: Regions, down: int = 1, across: int = 1) -> tuple[Patch, ...]:
    """What hangs together of each region; every point of it becomes `down` × `across` points."""
    from scipy import ndimage  # noqa: PLC0415 - not needed while the window opens

    found = []
    for region in np.unique(regions).tolist():
        marked, _ = ndimage.label(regions == region)
        for number, (rows, columns) in enumerate(ndimage.find_objects(marked), 1):
            mask = (marked[rows, columns] == number).repeat(down, axis=0).repeat(across, axis=1)
            found.append(Patch(region, rows.start * down, columns.start * across, mask))
    return tuple(found)


def label_place(mask: Flags, width: int, height: int) -> tuple[float, float] | None:
    """Centre of a box of `width` × `height` points inside `mask`, clear of its edge if it can be.

    Returns (x, y) or None; As shares of the map; ``None`` where no such box fits.
    """
    rows, columns = mask.shape
    if mask.all():
        return (0.5, 0.5) if width <= columns and height <= rows else None
    sums = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    sums[1:, 1:] = mask.cumsum(axis=0).cumsum(axis=1)
    for times in _CLEAR:
        place = _box_place(sums, max(round(times * width), 1), max(round(times * height), 1))
        if place is not None:
            return place[0] / columns, place[1] / rows
    return None


def _box_place(sums: Ints, width: int, height: int) -> tuple[float, float] | None:
    """Centre of such a box: of all that fit the one nearest to their middle."""
    rows, columns = sums.shape
    if width >= columns or height >= rows:
        return None
    inside = (
        sums[height:, width:]
        - sums[:-height, width:]
        - sums[height:, :-width]
        + sums[:-height, :-width]
    ) == width * height
    if not inside.any():
        return None
    y, x = np.nonzero(inside)
    far = (x - x.mean()) ** 2 + (y - y.mean()) ** 2
    best = int(np.argmin(far))
    return float(x[best]) + width / 2, float(y[best]) + height / 2


def _weights(coarse: int, fine: int) -> Floats:
    """Linear interpolation from `coarse` points to `fine` points, as a matrix (fine, coarse)."""
    at = np.linspace(0.0, coarse - 1.0, fine)
    left = np.minimum(at.astype(np.intp), max(coarse - 2, 0))
    share = at - left
    weights = np.zeros((fine, coarse))
    points = np.arange(fine)
    weights[points, left] = 1.0 - share
    weights[points, np.minimum(left + 1, coarse - 1)] += share
    return weights


def _runs(differs: Flags) -> list[tuple[int, int, int]]:
    """(line, first, end) of every run of True along the lines of `differs`."""
    padded = np.zeros((differs.shape[0], differs.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = differs
    change = np.diff(padded, axis=1)
    lines, first = np.nonzero(change == 1)
    _, end = np.nonzero(change == -1)
    return list(zip(lines.tolist(), first.tolist(), end.tolist(), strict=True))
