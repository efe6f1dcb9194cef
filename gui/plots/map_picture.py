"""What a map of two parameters shows: what is best at every sampled point, and its fine picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gui.plots.axes import Ticks
from gui.plots.regions import Patch, Regions, boundary, patches, refined
from gui.plots.span import Span
from machines.arrays import Floats

FINE = 240
_STEPS = 40  # of a cursor from one end to the other


@dataclass(frozen=True)
class MapAxis:
    """A parameter: its title, unit and sampled values, rising, evenly spread on its scale.

    Attributes
    ----------
    log : bool
        Whether that scale is logarithmic.
    ticks : callable or None
        Ticks of its own, as in `gui.plots.axis_item`.
    """

    name: str
    unit: str
    values: Floats
    log: bool = False
    ticks: Ticks | None = None

    def at(self, value: float) -> float:
        """The coordinate on the scale."""
        return math.log10(value) if self.log else value

    def value(self, coordinate: float) -> float:
        """What lies there."""
        return 10.0**coordinate if self.log else coordinate

    def nearest(self, value: float) -> int:
        """The place of the sample next to a value."""
        values = np.log10(self.values) if self.log else self.values
        return int(np.argmin(np.abs(values - self.at(value))))

    def span(self, cells: bool) -> Span:
        """From the first sample to the last, with `cells` half a step further."""
        low, high = self.at(float(self.values[0])), self.at(float(self.values[-1]))
        beyond = 0.5 * (high - low) / max(len(self.values) - 1, 1) if cells else 0.0
        return Span(low - beyond, high + beyond)

    def stepped(self, value: float, steps: int, cells: bool) -> float:
        """A cursor's next place: the next sample, or a share of the axis."""
        if cells:
            place = min(max(self.nearest(value) + steps, 0), len(self.values) - 1)
            return float(self.values[place])
        span = self.span(cells)
        at = self.at(value) + steps * span.length / _STEPS
        return self.value(min(max(at, span.low), span.high))


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
        Where the open project, or the user's case, lies.
    word : str
        What is written there.
    cells : bool
        Whether a sample stands for its surroundings only, and nothing lies between two of them.
    classes, lines, patches
        The finer picture of the regions, rows upwards, the lines between them, and what of them
        hangs together; made here, so that a worker thread can make them.
    """

    x: MapAxis
    y: MapAxis
    regions: Regions
    values_s: Floats
    labels: tuple[str, ...]
    present: tuple[float, float]
    value_name: str = "makespan"
    word: str = "now"
    cells: bool = False
    classes: Regions = field(init=False)
    lines: Floats = field(init=False)
    patches: tuple[Patch, ...] = field(init=False)

    def __post_init__(self) -> None:
        regions, down, across = self.regions, 1, 1
        if self.cells:
            down, across = (-(-FINE // size) for size in regions.shape)
        else:
            regions = refined(regions, FINE, FINE)
        classes = regions.repeat(down, axis=0).repeat(across, axis=1)
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "lines", boundary(regions))
        object.__setattr__(self, "patches", patches(regions, down, across))

    @property
    def spans(self) -> tuple[Span, Span]:
        """Everything, along and across; logarithms on a logarithmic axis."""
        return self.x.span(self.cells), self.y.span(self.cells)

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of the nearest sampled point."""
        return self.y.nearest(y), self.x.nearest(x)

    def at(self, x: float, y: float) -> tuple[int, float]:
        """(label position or −1, value) at the nearest sampled point."""
        cell = self.cell(x, y)
        return int(self.regions[cell]), float(self.values_s[cell])

    def alike(self, other: MapPicture | None) -> bool:
        """Whether both have the same axes, whatever is drawn between them."""
        return other is not None and (self.x.name, self.y.name, self.spans) == (
            other.x.name, other.y.name, other.spans,
        )  # fmt: skip


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
