"""Where plans are equal: the borders of a decision map, solved for and not read off its grid.

Marching squares: on every edge of the grid whose ends have different best plans the load is solved
for at which both reach the same; a cell's crossings are joined in its middle, three plans' where
all three are equal. What a plan reaches changes continuously with the loads, mostly piecewise
linearly, so that a secant that keeps its bracket (Anderson & Björck 1973) takes a few steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.basics.shards import each
from advisor.basics.stop_rule import ShouldStop
from advisor.studies.decision_map.map_picture import UNKNOWN, Cell, around
from machines.arrays import Floats, Indices
from machines.stopping import Stopped, stoppable

Point = tuple[float, float]  # in steps of the grid: column, row
Edge = tuple[Point, Point]  # of the grid, from left to right or upwards
ValuesAt = Callable[[Point], Floats]  # what every plan of the map reaches there

_STEPS = 40  # of a secant at most
_NEAR = 1e-7  # share of an edge
_PLANS = 4  # that may follow each other on one edge
_INSIDE = 1e-3  # a joint keeps this share from the sides of its cell
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # (column, row), counterclockwise


class Crossing(NamedTuple):
    """Where on an edge, as a share of it, one plan gives way to another."""

    at: float
    before: int
    after: int


@dataclass
class Borders:
    """The borders of a map whose grid is complete."""

    region: Indices  # shape (rows, columns); which plan is best at every grid point
    values_at: ValuesAt  # what every plan reaches at a point, in steps of the grid
    stop: ShouldStop  # asked before every edge
    tell: Callable[[float], None]  # told the share done

    def __post_init__(self) -> None:
        self._solver = _Solver(self.region, self.values_at)
        self._edges: dict[Edge, tuple[Crossing, ...]] = {}

    def cells(self) -> tuple[Cell, ...]:
        """All cells in which plans give way to others; none when stopped."""
        region = self.region
        mixed = [
            (row, column)
            for row, column in np.ndindex(region.shape[0] - 1, region.shape[1] - 1)
            if len(np.unique(region[row : row + 2, column : column + 2])) > 1
        ]
        self._solve(list(dict.fromkeys(edge for cell in mixed for edge, _ in _sides(*cell))))
        found = []
        for cell in mixed:
            if self.stop():
                return ()
            found.append(self._cell(*cell))
        return tuple(found)

    def _solve(self, edges: Sequence[Edge]) -> None:
        """Find all crossings of these edges, or those until stopped."""
        with stoppable(self.stop), suppress(Stopped):
            for place, crossings in each(self._solver.crossings, edges):
                self.tell(len(self._edges) / len(edges))
                self._edges[edges[place]] = crossings

    def _cell(self, row: int, column: int) -> Cell:
        """The crossings around a cell, counterclockwise, and where they are joined."""
        found: list[tuple[float, int]] = []
        for side, (edge, turned) in enumerate(_sides(row, column)):
            for one in self._edges[edge]:
                share, after = (1.0 - one.at, one.before) if turned else (one.at, one.after)
                found.append((side + share, after))
        found.sort(key=lambda one: one[0])
        places, regions = tuple(at for at, _ in found), tuple(after for _, after in found)
        return Cell(row, column, self._joint(row, column, places, regions), places, regions)

    def _joint(
        self, row: int, column: int, places: tuple[float, ...], regions: tuple[int, ...]
    ) -> Point:
        """Where a cell's crossings meet, as shares of it."""
        points = np.array([around(place) for place in places])
        x, y = points.mean(axis=0).tolist()
        if len(places) == 3 and len(set(regions)) == 3 and UNKNOWN not in regions:
            at = [(column + u, row + v) for u, v in points.tolist()]
            values = np.array([self._solver.values(one) for one in at])
            x, y = _meeting(points, values[:, list(regions)], (x, y))
        return (min(max(x, _INSIDE), 1.0 - _INSIDE), min(max(y, _INSIDE), 1.0 - _INSIDE))


def _sides(row: int, column: int) -> list[tuple[Edge, bool]]:
    """The edges around a cell, and whether its side goes the other way."""
    corners = [(float(column + dx), float(row + dy)) for dx, dy in _CORNERS]
    return [
        ((corners[0], corners[1]), False),
        ((corners[1], corners[2]), False),
        ((corners[3], corners[2]), True),
        ((corners[0], corners[3]), True),
    ]


@dataclass(frozen=True, eq=False)
class _Solver:
    """Solves for the crossings of edges; what it has valued once it knows."""

    region: Indices
    values_at: ValuesAt
    known: dict[Point, Floats] = field(default_factory=dict)

    def crossings(self, edge: Edge) -> tuple[Crossing, ...]:
        """Where plans give way to one another along an edge."""
        before, after = (int(self.region[int(row), int(column)]) for column, row in edge)
        return self._between(*edge, 0.0, 1.0, before, after, _PLANS)

    def values(self, point: Point) -> Floats:
        """What every plan of the map reaches at a point."""
        if point not in self.known:
            self.known[point] = self.values_at(point)
        return self.known[point]

    def _between(
        self, start: Point, end: Point, low: float, high: float, before: int, after: int, most: int
    ) -> tuple[Crossing, ...]:
        """The crossings of an edge between two shares of it, at which these plans are best."""
        if before == after:
            return ()
        if UNKNOWN in (before, after):
            return (Crossing(0.5 * (low + high), before, after),)

        def difference(share: float) -> float:
            values = self.values(_along(start, end, share))
            return float(values[before] - values[after])

        at = root(difference, low, high)
        values = self.values(_along(start, end, at))
        best = int(np.argmin(values))
        if most > 1 and values[best] < values[[before, after]].min() * (1.0 - ALIKE):
            return (
                *self._between(start, end, low, at, before, best, most - 1),
                *self._between(start, end, at, high, best, after, most - 1),
            )
        return (Crossing(at, before, after),)


def root(difference: Callable[[float], float], low: float, high: float) -> float:
    """Where a difference that rises is 0: a secant that keeps its bracket.

    Where it has one sign only, the end that is nearer to 0: there both plans are as good.
    """
    below, above = difference(low), difference(high)
    if below >= 0.0 or above <= 0.0:
        return low if abs(below) <= abs(above) else high
    alike, at, side = ALIKE * (above - below), low, 0
    for _ in range(_STEPS):
        at = low - below * (high - low) / (above - below)
        value = difference(at)
        if abs(value) <= alike or high - low <= _NEAR:
            break
        if value < 0.0:
            above *= _lessened(value, below) if side < 0 else 1.0
            low, below, side = at, value, -1
        else:
            below *= _lessened(value, above) if side > 0 else 1.0
            high, above, side = at, value, 1
    return at


def _lessened(value: float, before: float) -> float:
    """The factor of the end that stays, once the other one has moved twice."""
    factor = 1.0 - value / before
    return factor if factor > 0.0 else 0.5


def _along(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _meeting(points: Floats, values: Floats, otherwise: Point) -> Point:
    """Where three plans are equal, were their values planes through three points.

    `points`: shape (3, 2). `values`: shape (3 points, 3 plans). `otherwise`: (x, y); the answer
    where they meet nowhere, or outside the cell.
    """
    ones = np.ones((3, 1))
    try:
        planes = np.linalg.solve(np.hstack([ones, points]), values)  # of every plan: 1, x, y
        apart = planes[:, 1:] - planes[:, :1]
        x, y = np.linalg.solve(apart[1:].T, -apart[0]).tolist()
    except np.linalg.LinAlgError:
        return otherwise
    inside = all(math.isfinite(one) and 0.0 <= one <= 1.0 for one in (x, y))
    return (x, y) if inside else otherwise
