"""What a map of two parameters shows: what is best at every sampled point, and its fine picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gui.plots.axis_ticks import Ticks
from gui.plots.border_lines import Piece, Sectors, divided, lines, pieces, region_in
from gui.plots.regions import Patch, Regions, boundary, patches, refined
from gui.plots.span import Span
from machines.arrays import Floats

FINE = 240
_SURE, _FADED = 0.9, 0.7  # odds from which a colour is full, and how far it fades at even odds
_STEPS = 40  # of a cursor from one end to the other


@dataclass(frozen=True)
class MapAxis:
    """A parameter: its title, unit and sampled values, rising, evenly spread on its scale."""

    name: str
    unit: str
    values: Floats
    log: bool = False  # whether that scale is logarithmic
    ticks: Ticks | None = None  # ticks of its own, as in `gui.plots.axis_item`

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

    `regions`: shape (len(y), len(x)); which label is best at every sampled point, −1 where not
        computed yet.
    `cells`: whether a sample stands for its surroundings only, and nothing lies between two of
        them.
    `sectors`: where borders cross the grid of samples, all of them; empty: that is not known, and
        they are drawn half way between samples.
    `classes`, `lines`, `pieces`, `patches`: the finer picture of the regions, rows upwards, the
        lines between them, what belongs to each of the cells that borders cross, and what hangs
        together; made here, so that a worker thread can make them.
    """

    x: MapAxis
    y: MapAxis
    regions: Regions
    values_s: Floats  # shape (len(y), len(x)); what the best one reaches there
    labels: tuple[str, ...]
    present: tuple[float, float]  # (x, y); where the open project, or the user's case, lies
    value_name: str = "makespan"
    word: str = "now"  # what is written there
    cells: bool = False
    sectors: tuple[Sectors, ...] = ()
    odds: Floats | None = None  # shape (len(y), len(x)); that what is best is best; None: not known
    classes: Regions = field(init=False)
    lines: Floats = field(init=False)
    pieces: tuple[Piece, ...] = field(init=False)
    patches: tuple[Patch, ...] = field(init=False)

    def __post_init__(self) -> None:
        regions, down, across = self.regions, 1, 1
        if self.cells:
            down, across = (-(-FINE // size) for size in regions.shape)
        elif self.sectors:
            regions = divided(regions, self.sectors, FINE, FINE)
        else:
            regions = refined(regions, FINE, FINE)
        classes = regions.repeat(down, axis=0).repeat(across, axis=1)
        object.__setattr__(self, "classes", classes)
        solved = lines(self.sectors, self.regions.shape) if self.sectors else boundary(regions)
        object.__setattr__(self, "lines", solved)
        object.__setattr__(self, "pieces", pieces(self.sectors, self.regions.shape))
        object.__setattr__(self, "patches", patches(regions, down, across))

    @property
    def faded(self) -> Floats | None:
        """How far the colour of each point of the fine picture fades: 0 sure, 0.7 even odds."""
        if self.odds is None:
            return None
        rows, columns = self.odds.shape
        at = [np.linspace(0, size - 1, FINE) for size in (rows, columns)]
        across = np.array([np.interp(at[1], np.arange(columns), line) for line in self.odds])
        fine = np.array([np.interp(at[0], np.arange(rows), line) for line in across.T]).T
        found: Floats = _FADED * np.clip((_SURE - fine) / (_SURE - 0.5), 0.0, 1.0)
        return found

    @property
    def spans(self) -> tuple[Span, Span]:
        """Everything, along and across; logarithms on a logarithmic axis."""
        return self.x.span(self.cells), self.y.span(self.cells)

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of the nearest sampled point."""
        return self.y.nearest(y), self.x.nearest(x)

    def at(self, x: float, y: float) -> tuple[int, float]:
        """(label position or −1, value) at a point; the value between samples is interpolated."""
        if self.cells:
            cell = self.cell(x, y)
            return int(self.regions[cell]), float(self.values_s[cell])
        u, v = (
            min(max((axis.at(value) - span.low) / span.length, 0.0), 1.0)
            for axis, value, span in zip((self.x, self.y), (x, y), self.spans, strict=True)
        )
        return self._region(u, v), self._value(u, v)

    def _region(self, u: float, v: float) -> int:
        """What is drawn at a point, given as shares of the map."""
        rows, columns = self.regions.shape
        column, row = min(int(u * (columns - 1)), columns - 2), min(int(v * (rows - 1)), rows - 2)
        for cell in self.sectors:
            if (cell.row, cell.column) == (row, column):
                here = np.array([u * (columns - 1) - column]), np.array([v * (rows - 1) - row])
                return int(region_in(cell, *here)[0])
        if self.sectors:
            return int(self.regions[row, column])
        return int(self.regions[round(v * (rows - 1)), round(u * (columns - 1))])

    def _value(self, u: float, v: float) -> float:
        """Between the four samples around, of those that are known."""
        rows, columns = self.regions.shape
        x, y = u * (columns - 1), v * (rows - 1)
        column, row = min(int(x), columns - 2), min(int(y), rows - 2)
        right, up = x - column, y - row
        weights = np.outer((1.0 - up, up), (1.0 - right, right))
        around = self.values_s[row : row + 2, column : column + 2]
        known = np.isfinite(around) & (weights > 0.0)
        weight = weights[known].sum()
        return float((weights[known] * around[known]).sum() / weight) if weight > 0 else math.nan

    def alike(self, other: MapPicture | None) -> bool:
        """Whether both have the same axes, whatever is drawn between them."""
        return other is not None and (self.x.name, self.y.name, self.spans) == (
            other.x.name, other.y.name, other.spans,
        )  # fmt: skip


def axis_title(axis: MapAxis) -> str:
    """The axis label of a parameter: "name (unit)"."""
    return f"{axis.name} ({axis.unit})" if axis.unit else axis.name
