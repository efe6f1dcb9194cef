"""The decision map: the best allocation at every point of a grid of two loads."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.advice.assumptions import Assumption
from advisor.allocation.loads import LoadParameter
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import NONE
from machines.arrays import Floats, Indices

UNKNOWN = -1


@dataclass(frozen=True)
class Cell:
    """A cell of the grid in which plans give way to one another.

    `row`, `column`: of its corner with the smallest loads.
    `places`: where borders cross its sides, rising: 0 to 1 along the lower side, to 2 up the right
        one, to 3 back along the upper one, to 4 down the left one.
    """

    row: int
    column: int
    joint: tuple[float, float]  # where the borders in it meet, as shares of the cell along x and y
    places: tuple[float, ...]
    regions: tuple[int, ...]  # what is best after each of them, up to the next


def around(place: float) -> tuple[float, float]:
    """The point of a cell's sides at a place, as shares of the cell."""
    side, share = int(place) % 4, place - int(place)
    return ((share, 0.0), (1.0, share), (1.0 - share, 1.0), (0.0, 1.0 - share))[side]


def region_name(region: int) -> str:
    """What a region is called wherever it is spoken of: 1, 2, … by its place among the plans."""
    return str(region + 1)


@dataclass(frozen=True, eq=False)
class DecisionMap:
    """The best allocation at every point of a grid of two loads.

    `x`, `y`: the axes.
    `region`: shape (rows, columns); position in `plans` of what is best there; −1 where nothing can
        run or nothing is known yet.
    `plans`, `labels`: the distinct allocations that are best somewhere, the present best first.
    `present_s`: what the first plan reaches there, on the platform as it is and not at a grid
        point.
    `cells`: the cells that borders cross, with these solved for; none before the map is complete.
    `unmoved`: so many loads were varied over their ranges without any that makes another plan best;
        0: one does, or the axes were asked for.
    `odds`: that what is best at a point is earlier than any other plan there, with the spread of
        times; None: not known.
    """

    objective: str
    x: LoadParameter | Assumption
    y: LoadParameter | Assumption
    x_values: Floats  # shape (columns,)
    y_values: Floats  # shape (rows,); the loads at the grid points
    region: Indices
    plans: tuple[Plan, ...]
    labels: tuple[str, ...]
    values_s: Floats  # shape (rows, columns); the objective of the best; NaN where unknown
    present: tuple[float, float]  # the present loads
    exact: bool  # all allocations were compared, not a pool of candidates
    complete: bool  # every point was computed
    sharing: str = NONE  # {"fair", "none"}; on which timeline the values are
    present_s: float = math.nan
    cells: tuple[Cell, ...] = ()
    unmoved: int = 0
    odds: Floats | None = None  # shape (rows, columns)

    def at(self, x: float, y: float) -> tuple[Plan, str, float] | None:
        """(plan, its label, its value) at the grid point nearest to (x, y); None where unknown."""
        column = int(np.argmin(np.abs(self.x_values - x)))
        row = int(np.argmin(np.abs(self.y_values - y)))
        region = int(self.region[row, column])
        if region == UNKNOWN:
            return None
        return self.plans[region], self.labels[region], float(self.values_s[row, column])

    def shares(self) -> tuple[float, ...]:
        """Share of the known points at which each plan is best."""
        known = self.region[self.region != UNKNOWN]
        counts = np.bincount(known, minlength=len(self.plans))
        return tuple((counts / max(known.size, 1)).tolist())
