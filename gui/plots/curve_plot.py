"""Curves, points and bars of a study over two axes of numbers, drawn by pyqtgraph.

An axis is logarithmic by itself when all its values are positive and span more than two decades,
one of them dwarfs the rest, or they count by their ratios.
Curves differ by colour and dash, points by symbol, so that they can be told apart without colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QWidget

from advisor.studies.study import Series
from gui.basics.figures import Table
from gui.plots.broken_axis import DWARFS
from gui.plots.curve_items import SeriesItems
from gui.plots.curve_values import Drawn, drawn, extent, middle, table, told, whole
from gui.plots.plot_canvas import Canvas
from gui.plots.plot_legend import Entry
from gui.plots.series_colours import series_colours
from gui.plots.span import Span

_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_SYMBOLS = ("o", "s", "t1", "d", "t", "+")
# not imported from the part that has them: another thread, in the middle of importing pyqtgraph,
# would wait for that part while this one waits for pyqtgraph, and Python refuses both
_SHAPES = pg.graphicsItems.ScatterPlotItem.Symbols
_NEAR = 12.0
_DECADES = 2.0
_RATIO = 3.0  # below, what counts by ratios looks the same on a linear axis


class CurvePlot(Canvas):
    """One pair of axes with its series."""

    legend_toggles = True
    scales_changed = Signal()  # which axes are logarithmic, or can be

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, "Nothing to draw yet.", parent)
        self.series: tuple[Series, ...] = ()
        self._drawn: tuple[Drawn, ...] = ()
        self._items: list[SeriesItems] = []
        self._hidden: set[str] = set()
        self._first: tuple[str, ...] = ()
        self._wanted: list[bool | None] = [None, None]
        self.legend.chosen.connect(self.toggle)
        self.build()
        self.dress()
        self.fit()

    @property
    def is_filled(self) -> bool:
        """Whether any series has values."""
        return bool(self._drawn)

    def set_series(self, series: Sequence[Series], first: Sequence[str] = ()) -> None:
        """Show `series`; all share the axes of the first. A part that was zoomed to stays.

        The names `first` have the first colours, whether they are here or in a plot beside it.
        """
        kept, scales = self.part(), self._scales()
        self.series, self._first = tuple(series), tuple(first)
        self._drawn = drawn(self.series)
        self.setAccessibleDescription(
            "; ".join(f"{one.name}: {len(one.y)} values" for one in self.series)
        )
        self._make_items()
        self.dress()
        self.look_at(kept if scales == self._scales() else None)
        self.scales_changed.emit()

    def toggle(self, name: str) -> None:
        """Hide the series of this name, or show it again."""
        kept = self.part()
        self._hidden ^= {name}
        self.dress()
        self.look_at(kept)

    def is_log(self, across: bool) -> bool:
        """Whether the axis is logarithmic: as the user wants it, else by its values."""
        wanted = self._wanted[across]
        low, high = extent(self._drawn, across)
        if not self.can_be_log(across):
            return False
        if wanted is not None:
            return wanted
        by_ratio = any(one.y_by_ratio if across else one.by_ratio for one in self.series)
        stated = by_ratio and high > _RATIO * low
        dwarfed = across and high > DWARFS * middle(self._drawn)
        return stated or dwarfed or math.log10(high / low) > _DECADES

    def can_be_log(self, across: bool) -> bool:
        """Whether all values along the axis are positive, and no bar stands on zero."""
        bars = any(one.kind == "bars" for one in self.series)
        return extent(self._drawn, across)[0] > 0 and not bars

    def set_log(self, across: bool, log: bool) -> None:
        """Make an axis logarithmic, or linear."""
        if log != self.is_log(across):
            self._wanted[across] = log
            self.look_at(None)
            self.scales_changed.emit()

    def table(self) -> Table:
        """One row a point: series, x and y with their units, and what is known beside them."""
        return table(self.series)

    def hint_at(self, position: QPointF) -> str:
        """What is known of the nearest point of the canvas; points go before curves."""
        best, text = _NEAR, ""
        for one in self._shown():
            x, y = self.placed(False, one.x), self.placed(True, one.y + one.below)
            away = np.hypot(x - position.x(), y - position.y())
            if one.series.kind == "points":
                away = away - _NEAR / 2
            away = np.where(np.isfinite(away), away, np.inf)
            if away.size and away.min() < best:
                best = float(away.min())
                together = np.flatnonzero(away <= best + 1.0)
                text = told(one.series, together if one.series.labels else together[:1])
        return text

    def wholes(self) -> tuple[Span, Span]:
        """All values that are shown, with a margin."""
        shown = self._shown() or self._drawn
        along, across = (whole(shown, which, self.is_log(which)) for which in (False, True))
        return along, across

    def look_at(self, part: tuple[Span, Span] | None) -> None:
        """Show a part, as far as it is there, or everything; on the scales that are wanted."""
        log_x, log_y = self._scales()
        self.plot.setLogMode(x=log_x, y=log_y)
        super().look_at(part)

    def entries(self) -> list[Entry]:
        """The series that have values."""
        return _entries(self.series, self._hidden, self._first)

    def recolour(self) -> None:
        """Colours, dashes and symbols of all series, and the names of the axes."""
        if self.series:
            first = self.series[0]
            self.axes[0].measure(first.x_label, first.x_unit)
            self.axes[1].measure(first.y_label, first.y_unit)
        for items, one, entry in zip(self._items, self._drawn, self.legend.entries, strict=True):
            items.show(one, entry)

    def _make_items(self) -> None:
        """Items for all series; earlier ones are reused as long as they fit."""
        fit = len(self._items) == len(self._drawn) and all(
            items.fits(one.series) for items, one in zip(self._items, self._drawn, strict=True)
        )
        if not fit:
            for items in self._items:
                items.remove()
            self._items = [SeriesItems(self.plot, one.series) for one in self._drawn]

    def _shown(self) -> tuple[Drawn, ...]:
        """The series that are not hidden."""
        return tuple(one for one in self._drawn if one.series.name not in self._hidden)

    def _scales(self) -> tuple[bool, bool]:
        return self.is_log(False), self.is_log(True)


def _entries(series: Sequence[Series], hidden: set[str], first: Sequence[str]) -> list[Entry]:
    """The legend of the series that have values: colour, and dash or symbol."""
    entries, lines, points = [], 0, 0
    for one, colour in zip(series, series_colours(series, first), strict=True):
        dash = symbol = None
        if one.kind == "line":
            dash, lines = _DASHES[lines % len(_DASHES)], lines + 1
        elif one.kind == "points":
            symbol, points = _SHAPES[_SYMBOLS[points % len(_SYMBOLS)]], points + 1
        if one.y:
            entries.append(Entry(one.name, colour, dash, symbol, one.name not in hidden))
    return entries
