"""What a map of two parameters shows: what is best at every sampled point, and its fine picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gui.plots.regions import Regions, boundary, refined
from machines.arrays import Floats

FINE = 240


@dataclass(frozen=True)
class MapAxis:
    """A parameter: its title, unit and sampled values, rising."""

    name: str
    unit: str
    values: Floats


@dataclass(frozen=True, eq=False)
class MapPicture:
    """What a map shows.

    Attributes
    ----------
    regions : int array (len(y), len(x))
        Which label is best at every sampled point, −1 where not computed yet.
    values_s : array (len(y), len(x))
        What the best one reaches there.
    present : (x, y)
        Where the open project lies.
    classes, lines : arrays
        The finer picture of the regions and the lines between them; made here, so that
        a worker thread can make them.
    """

    x: MapAxis
    y: MapAxis
    regions: Regions
    values_s: Floats
    labels: tuple[str, ...]
    present: tuple[float, float]
    value_name: str = "makespan"
    classes: Regions = field(init=False)
    lines: Floats = field(init=False)

    def __post_init__(self) -> None:
        # y rises upwards, rows of a picture run downwards
        classes = refined(self.regions, FINE, FINE)[::-1]
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "lines", boundary(classes))

    def at(self, x: float, y: float) -> tuple[int, float]:
        """(label position or −1, value) at the nearest sampled point."""
        column = int(np.argmin(np.abs(self.x.values - x)))
        row = int(np.argmin(np.abs(self.y.values - y)))
        return int(self.regions[row, column]), float(self.values_s[row, column])


def letter(position: int) -> str:
    """A, B, …, Z, AA, AB, … for the region at `position`."""
    text = ""
    position += 1
    while position > 0:
        position, rest = divmod(position - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def axis_title(axis: MapAxis) -> str:
    """The axis label of a parameter: "name (unit)"."""
    return f"{axis.name} ({axis.unit})" if axis.unit else axis.name
