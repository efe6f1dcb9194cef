"""Regions of a map as pictures need them: fine classes, boundary lines, room for labels.

Pure arrays. A map is sampled on a coarse grid of points, the first and last on its edges;
between the points the region with the greatest interpolated membership is shown.
"""

from __future__ import annotations

import numpy as np

from machines.arrays import Flags, Floats, Indices

Regions = Indices
UNKNOWN = -1


def refined(regions: Regions, height: int, width: int) -> Regions:
    """Classes on a finer grid: arg max of the bilinear membership of every region.

    Parameters
    ----------
    regions : int array (rows, columns)
        Region of every sampled point; `UNKNOWN` where it is not computed yet.
    height, width : int
        Points of the finer grid, the outermost on the edges of the coarse one.

    Returns
    -------
    int array (height, width)
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

    Returns
    -------
    array (pieces, 4)
        x1, y1, x2, y2 as shares of width and height; runs in one line are joined.
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


def label_place(mask: Flags, width: int, height: int) -> tuple[float, float] | None:
    """Centre of a box of `width` × `height` points inside `mask`, as far inside as there is.

    Returns
    -------
    (x, y) or None
        As shares of the map; ``None`` where no such box fits.
    """
    rows, columns = mask.shape
    width, height = max(width, 1), max(height, 1)
    if width > columns or height > rows:
        return None
    sums = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    sums[1:, 1:] = mask.cumsum(axis=0).cumsum(axis=1)
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
    return (float(x[best]) + width / 2) / columns, (float(y[best]) + height / 2) / rows


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
