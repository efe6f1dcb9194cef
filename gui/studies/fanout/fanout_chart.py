"""The map of fan-outs: N over g/L, each region with its fan-out written in it.

Colours go from light to dark with the fan-out and mean nothing alone. Pointer and arrow keys read
out a point; a ring marks the user's own case.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import count, number, raised
from advisor.basics.units import durations
from advisor.trees.fanout_map import FanoutMap
from advisor.trees.tree_costs import US
from gui.basics.figures import Table
from gui.basics.theme import theme
from gui.plots.map_drawing import MapAxis, MapPicture
from gui.plots.plot_legend import Entry
from gui.plots.region_map import Point, RegionMap
from gui.plots.regions import UNKNOWN

BALANCED, OPTIMAL = "best balanced tree", "front-end of the optimum"
SHOWN = (BALANCED, OPTIMAL)

_EMPTY = "The map of fan-outs comes with the answer."
_DARKEST = 8.0  # 2 to the power of it has the strongest colour
_LINE = 18.0  # pixels that a tick needs


class FanoutChart(RegionMap):
    """A region map whose points are cells, each of one N and one ratio."""

    chooses = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("fanout_map_chart", "Map of the best fan-out", _EMPTY, parent)
        self.map: FanoutMap | None = None
        self.shown = BALANCED

    def show_fanout_map(self, found: FanoutMap) -> None:
        """Show another map; what is read out stays if it has the same points."""
        before, self.map = self.map, found
        if before is not None and before.balanced.shape != found.balanced.shape:
            self._move_cursor(None)
        self._show()

    def show_fanouts(self, shown: str) -> None:
        """Of which tree: one of `SHOWN`."""
        self.shown = shown
        self._show()

    def colour(self, region: int) -> QColor:
        """That of the fan-out."""
        return fanout_colour(0 if region == UNKNOWN else int(self.texts(region)[0]))

    def texts(self, region: int) -> tuple[str, ...]:
        """The fan-out alone."""
        if region == UNKNOWN or self.picture is None:
            return super().texts(region)
        return (self.picture.labels[region],)

    def entries(self) -> list[Entry]:
        """None: every region has its number."""
        return []

    def hint_at(self, position: QPointF) -> str:
        """The point in words."""
        point = self.point_at(position)
        return "" if point is None else self.text_of(point)

    def text_of(self, point: Point) -> str:
        """A point in words."""
        found, picture = self.map, self.picture
        if found is None or picture is None:
            return ""
        cell = picture.cell(*point)
        at = f"N = {found.back_ends[cell[0]]:,}, g/L = {number(float(found.ratio[cell[1]]))}"
        latencies = [float(found.latency[cell]), float(found.optimal_latency[cell])]
        best, least = durations(*(one * US for one in latencies))
        text = f"{at}: balanced {found.balanced[cell]}-way {best}"
        if not found.optimal[cell]:
            return text
        children = count(int(found.optimal[cell]), "child", "children")
        return f"{text}; optimum {least}, {children} of the front-end"

    def table(self) -> Table:
        """One row a point."""
        headings = (
            "back-ends N", "g/L", "fan-out of the best balanced tree", "its latency (s)",
            "children of the optimum's front-end", "its latency (s)",
        )  # fmt: skip
        found = self.map
        if found is None:
            return Table(headings, ())
        rows = []
        for row, column in np.ndindex(found.balanced.shape):
            known = found.optimal[row, column] > 0
            cells = (
                int(found.back_ends[row]),
                float(found.ratio[column]),
                int(found.balanced[row, column]),
                float(found.latency[row, column]) * US,
                int(found.optimal[row, column]) if known else None,
                float(found.optimal_latency[row, column]) * US if known else None,
            )
            rows.append(cells)
        return Table(headings, tuple(rows))

    def _show(self) -> None:
        found = self.map
        if found is None:
            return
        balanced = self.shown == BALANCED
        values = found.balanced if balanced else found.optimal
        known = np.unique(values[values > 0])
        regions = np.where(values > 0, np.searchsorted(known, values), UNKNOWN)
        title = f"back-ends N; fan-out of the {self.shown}, {found.operation}"
        self.show_map(
            MapPicture(
                MapAxis("gap over latency g/L", "", found.ratio, log=True),
                MapAxis(title, "", found.back_ends.astype(np.float64), log=True, ticks=_powers),
                regions.astype(np.int32),
                (found.latency if balanced else found.optimal_latency) * US,
                tuple(str(one) for one in known.tolist()),
                (found.here[1], float(found.here[0])),
                "latency",
                "your case",
                cells=True,
            )
        )


def fanout_colour(fanout: int) -> QColor:
    """The stronger the larger the fan-out."""
    if fanout < 1:
        return QColor(theme().colours.raised)
    return theme().ramp(min(math.log2(fanout) / _DARKEST, 1.0))


def _powers(low: float, high: float, length: float) -> list[tuple[float, str]]:
    """Ticks at powers of 2, as many as there is room for."""
    step = math.log10(2.0)
    every = max(1, math.ceil(_LINE * (high - low) / step / max(length, 1.0)))
    first, last = math.ceil(low / step), math.floor(high / step)
    powers = range(-(-max(first, 1) // every) * every, last + 1, every)
    return [(power * step, f"2{raised(power)}") for power in powers]
