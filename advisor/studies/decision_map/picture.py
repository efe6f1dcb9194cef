"""The decision map: the best allocation at every point of a grid of two loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.loads import LoadParameter
from advisor.allocation.plan import Plan
from advisor.allocation.sharing import NONE
from machines.arrays import Floats, Indices

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class DecisionMap:
    """The best allocation at every point of a grid of two loads.

    Attributes
    ----------
    x, y : LoadParameter
        The axes.
    x_values : array (columns,)
    y_values : array (rows,)
        The loads at the grid points.
    region : int32 array (rows, columns)
        Position in `plans` of what is best there; −1 where nothing can run or nothing is known yet.
    plans, labels : tuples of equal length
        The distinct allocations that are best somewhere, the present best first.
    values_s : array (rows, columns)
        The objective of the best; NaN where unknown.
    present : (float, float)
        The present loads.
    exact : bool
        All allocations were compared, not a pool of candidates.
    complete : bool
        Every point was computed.
    sharing : {"fair", "none"}
        On which timeline the values are.
    """

    objective: str
    x: LoadParameter
    y: LoadParameter
    x_values: Floats
    y_values: Floats
    region: Indices
    plans: tuple[Plan, ...]
    labels: tuple[str, ...]
    values_s: Floats
    present: tuple[float, float]
    exact: bool
    complete: bool
    sharing: str = NONE

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
