"""Borders of a map that were solved for: lines, pieces of cells, and what lies where.

A cell that borders cross is divided into sectors around the point where they meet; each sector
belongs to one region. Where a region lies between two others, its two sectors are one band right
through the cell. Coordinates are shares of the map's width and height.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gui.plots.regions import Regions
from machines.arrays import Floats

Point = tuple[float, float]
_CORNERS: tuple[Point, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class Sectors(NamedTuple):
    """A cell that borders cross.

    `row`, `column`: of the cell in the grid of samples.
    `places`: where they cross its sides, rising: to 1 along the lower side, to 2 up the right one,
        to 3 back along the upper one, to 4 down the left one.
    """

    row: int
    column: int
    joint: Point  # (x, y); where its borders meet, as shares of the cell
    places: tuple[float, ...]
    regions: tuple[int, ...]  # what lies after each of them, up to the next


class Piece(NamedTuple):
    """A part of a cell that belongs to one region."""

    region: int
    corners: tuple[Point, ...]


def lines(cells: Iterable[Sectors], shape: tuple[int, int]) -> Floats:
    """Borders in the cells, array (pieces, 4).

    From where they meet to where they leave the cell; along a band from side to side.
    """
    found = [
        (*_share(cell, start, shape), *_share(cell, end, shape))
        for cell in cells
        for start, end in _borders(cell)
    ]
    return np.array(found, dtype=np.float64).reshape(-1, 4)


def pieces(cells: Iterable[Sectors], shape: tuple[int, int]) -> tuple[Piece, ...]:
    """The parts of all cells that borders cross."""
    return tuple(
        Piece(region, tuple(_share(cell, one, shape) for one in corners))
        for cell in cells
        for region, corners in _parts(cell)
    )


def divided(regions: Regions, cells: Sequence[Sectors], height: int, width: int) -> Regions:
    """Classes on a finer grid whose outermost points are half a step inside the map.

    `regions`: shape (rows, columns); region of every sampled point. `cells`: all cells whose
    corners differ. `height`, `width`: points of the finer grid. Returns: shape (height, width).
    """
    rows, columns = regions.shape
    y, x = ((np.arange(fine) + 0.5) / fine for fine in (height, width))
    row, column = (
        np.minimum((at * (coarse - 1)).astype(np.intp), max(coarse - 2, 0))
        for at, coarse in ((y, rows), (x, columns))
    )
    classes = np.array(regions[np.ix_(row, column)], dtype=np.int32)
    for cell in cells:
        here = np.flatnonzero(row == cell.row), np.flatnonzero(column == cell.column)
        v, u = y[here[0]] * (rows - 1) - cell.row, x[here[1]] * (columns - 1) - cell.column
        across, up = np.meshgrid(u, v)
        classes[np.ix_(*here)] = region_in(cell, across, up)
    return classes


def region_in(cell: Sectors, u: Floats, v: Floats) -> Regions:
    """What lies at points of a cell, given as shares of it."""
    band = _band(cell)
    if band is not None:
        return _beside(cell, band, u, v)
    x, y = cell.joint
    starts = [_angle(cell.joint, _side(place)) for place in cell.places]
    turned = np.mod(np.arctan2(v - y, u - x) - starts[0], 2 * math.pi)
    begins = np.mod(np.array(starts) - starts[0], 2 * math.pi)
    place = np.searchsorted(begins, turned, side="right") - 1
    return np.asarray(np.array(cell.regions, dtype=np.int32)[place])


def _band(cell: Sectors) -> int | None:
    """The first of the two sectors of a region that lies between two others."""
    if len(cell.regions) != 4:
        return None
    one, other, again, another = cell.regions
    if one == again and other != another:
        return 0
    return 1 if other == another and one != again else None


def _borders(cell: Sectors) -> list[tuple[Point, Point]]:
    band = _band(cell)
    if band is None:
        return [(cell.joint, _side(place)) for place in cell.places]
    return [_chord(cell, (band + turn) % 4) for turn in (1, 3)]


def _parts(cell: Sectors) -> list[tuple[int, tuple[Point, ...]]]:
    """(region, corners) of what a cell is divided into."""
    rims = [(region, _rim(start, end)) for region, start, end in _stretches(cell)]
    band = _band(cell)
    if band is None:
        return [(region, (cell.joint, *rim)) for region, rim in rims]
    region, rim = rims[band]
    through = (region, (*rim, *rims[band + 2][1]))
    return [through, *(rims[(band + turn) % 4] for turn in (1, 3))]


def _rim(start: float, end: float) -> tuple[Point, ...]:
    """Along the sides of a cell from one place to another, with the corners between."""
    corners = range(math.floor(start) + 1, math.ceil(end))
    return (_side(start), *(_CORNERS[place % 4] for place in corners), _side(end))


def _chord(cell: Sectors, sector: int) -> tuple[Point, Point]:
    """The line from where a sector begins at the sides to where it ends there."""
    return _side(cell.places[sector]), _side(cell.places[(sector + 1) % len(cell.places)])


def _beside(cell: Sectors, band: int, u: Floats, v: Floats) -> Regions:
    """As `region_in`, where a band goes through: what is not beyond its two borders."""
    found = np.full(np.broadcast(u, v).shape, cell.regions[band], dtype=np.int32)
    for sector in ((band + turn) % 4 for turn in (1, 3)):
        (x, y), (x_end, y_end) = _chord(cell, sector)
        beyond = (x_end - x) * (v - y) - (y_end - y) * (u - x) < 0.0
        found[beyond] = cell.regions[sector]
    return found


def _stretches(cell: Sectors) -> list[tuple[int, float, float]]:
    """(region, from, to) around a cell; the last goes on after its first corner."""
    ends = (*cell.places[1:], cell.places[0] + 4.0)
    return list(zip(cell.regions, cell.places, ends, strict=True))


def _side(place: float) -> Point:
    """The point of a cell's sides at a place, as shares of the cell."""
    side, share = math.floor(place), place - math.floor(place)
    (x, y), (x_next, y_next) = _CORNERS[side % 4], _CORNERS[(side + 1) % 4]
    return x + share * (x_next - x), y + share * (y_next - y)


def _angle(joint: Point, point: Point) -> float:
    return math.atan2(point[1] - joint[1], point[0] - joint[0])


def _share(cell: Sectors, point: Point, shape: tuple[int, int]) -> Point:
    """A point of a cell as shares of the map, sampled by rows and columns of this shape."""
    rows, columns = shape
    return (cell.column + point[0]) / (columns - 1), (cell.row + point[1]) / (rows - 1)
