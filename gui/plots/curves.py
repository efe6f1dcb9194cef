"""Curves, points and bars of a study over two axes of numbers, drawn by pyqtgraph.

An axis is logarithmic by itself when all its values are positive and span more than two decades.
Curves differ by colour and dash, points by symbol, so that they can be told apart without colour.
pyqtgraph's own menu and picture export are not used: the export fails on current Qt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from advisor.studies.study import Series
from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.chart import DIMMED, Plot, placeholder
from gui.plots.curve_axis import EDGE, QuantityAxis
from gui.plots.curve_items import SeriesItems
from gui.plots.curve_values import Drawn, drawn, extent, logarithms, table, told, whole
from gui.plots.curve_view import CurveView
from gui.plots.legend import Entry, legend_height, paint_legend
from gui.plots.legend_row import LegendRow
from gui.plots.series_colours import series_colours
from gui.plots.span import Span
from gui.plots.zoom_keys import kept_from_shortcuts, take_key
from machines.arrays import Floats

_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_SYMBOLS = ("o", "s", "t1", "d", "t", "+")
_NEAR = 12.0
_DECADES = 2.0
_NARROWEST = 1e-6  # of everything


class CurvePlot(Plot):
    """One pair of axes with its series."""

    scales_changed = Signal()  # which axes are logarithmic, or can be

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.series: tuple[Series, ...] = ()
        self._drawn: tuple[Drawn, ...] = ()
        self._items: list[SeriesItems] = []
        self._hidden: set[str] = set()
        self._wanted: list[bool | None] = [None, None]
        self.axes = QuantityAxis("bottom"), QuantityAxis("left")
        self.view_box = CurveView()
        self.canvas = pg.PlotWidget(
            self, viewBox=self.view_box, axisItems={"bottom": self.axes[0], "left": self.axes[1]}
        )
        self.canvas.setObjectName(f"{name}_canvas")
        self.canvas.setAccessibleName(title)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for the whole plot
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.canvas.viewport().installEventFilter(self)
        self.plot: pg.PlotItem = self.canvas.getPlotItem()
        self.plot.hideButtons()
        for axis in self.axes:
            axis.setZValue(-1)  # the grid lies behind
        self.legend = LegendRow(f"{name}_legend", self)
        self.legend.chosen.connect(self.toggle)
        theme().changed.connect(self._dress)
        self._dress()
        self.fit()

    def set_series(self, series: Sequence[Series]) -> None:
        """Show `series`; all share the axes of the first. A part that was zoomed to stays."""
        kept, scales = self._kept(), self._scales()
        self.series = tuple(series)
        self._drawn = drawn(self.series)
        self.setAccessibleDescription(
            "; ".join(f"{one.name}: {len(one.y)} values" for one in self.series)
        )
        self._make_items()
        self._dress()
        self._look_at(kept if scales == self._scales() else None)
        self.scales_changed.emit()

    def toggle(self, name: str) -> None:
        """Hide the series of this name, or show it again."""
        kept = self._kept()
        self._hidden ^= {name}
        self._dress()
        self._look_at(kept)

    def is_log(self, across: bool) -> bool:
        """Whether the axis is logarithmic: as the user wants it, else by its values."""
        wanted = self._wanted[across]
        low, high = extent(self._drawn, across)
        if not self.can_be_log(across):
            return False
        return math.log10(high / low) > _DECADES if wanted is None else wanted

    def can_be_log(self, across: bool) -> bool:
        """Whether all values along the axis are positive, and no bar stands on zero."""
        bars = any(one.kind == "bars" for one in self.series)
        return extent(self._drawn, across)[0] > 0 and not bars

    def set_log(self, across: bool, log: bool) -> None:
        """Make an axis logarithmic, or linear."""
        if log != self.is_log(across):
            self._wanted[across] = log
            self._look_at(None)
            self.scales_changed.emit()

    def table(self) -> Table:
        """One row a point: series, x and y with their units, and what is known beside them."""
        return table(self.series)

    @property
    def view(self) -> tuple[Span, Span]:
        """What is looked at, along and across; logarithms on a logarithmic axis."""
        along, across = self.view_box.viewRange()
        return Span(*along), Span(*across)

    @property
    def is_fitted(self) -> bool:
        """Whether everything is in view."""
        return all(
            max(abs(seen.low - all_.low), abs(seen.high - all_.high)) <= 1e-9 * all_.length
            for seen, all_ in zip(self.view, self._wholes(), strict=True)
        )

    def fit(self) -> None:
        """Show everything."""
        self._look_at(None)

    def zoom(self, factor: float, *, across: bool = False) -> None:
        """Enlarge one axis around the middle."""
        self.view_box.scaleBy(**{"y" if across else "x": 1 / factor})

    def pan(self, along: float, across: float) -> None:
        """Move by shares of what is in view."""
        right, up = (view.length * by for view, by in zip(self.view, (along, across), strict=True))
        self.view_box.translateBy(x=right, y=up)

    def area(self) -> QRectF:
        """Where the plane between the axes lies in the canvas."""
        self._settle()
        return QRectF(self.view_box.sceneBoundingRect())

    def position_of(self, x: float, y: float) -> QPointF:
        """The point of the canvas that shows these values."""
        found = self._placed(False, np.array([x])), self._placed(True, np.array([y]))
        return QPointF(*(float(one[0]) for one in found))

    def hint_at(self, position: QPointF) -> str:
        """What is known of the nearest point of the canvas; points go before curves."""
        best, text = _NEAR, ""
        for one in self._shown():
            x, y = self._placed(False, one.x), self._placed(True, one.y + one.below)
            away = np.hypot(x - position.x(), y - position.y())
            if one.series.kind == "points":
                away = away - _NEAR / 2
            away = np.where(np.isfinite(away), away, np.inf)
            if away.size and away.min() < best:
                best = float(away.min())
                together = np.flatnonzero(away <= best + 1.0)
                text = told(one.series, together if one.series.labels else together[:1])
        return text

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return self.size().expandedTo(QSize(60 * GRID, 40 * GRID))

    def minimumSizeHint(self) -> QSize:
        """Room for axes and a little in between."""
        return QSize(36 * GRID, 20 * GRID)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend and plot into `rect` as vectors, bright; hidden series are left out."""
        painter.save()
        painter.setFont(self.small_font())
        entries = [entry for entry in self.legend.entries if entry.shown]
        paint_legend(painter, rect, entries)
        top = legend_height(entries, rect, QFontMetricsF(painter.font()))
        inside = QRectF(0.0, 0.0, rect.width(), max(rect.height() - top, 1.0))
        scene, opacity = self.canvas.scene(), self.plot.opacity()
        items = [item for item in scene.items() if hasattr(item, "setExportMode")]
        self.plot.setOpacity(1.0)
        self.plot.setGeometry(inside)
        self._settle()
        for item in items:
            item.setExportMode(True, {"antialias": True})
        scene.prepareForPaint()
        scene.render(painter, inside.translated(rect.left(), rect.top() + top), inside)
        for item in items:
            item.setExportMode(False)
        self.plot.setGeometry(QRectF(self.canvas.rect()))
        self.plot.setOpacity(opacity)
        painter.restore()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        self.legend.opacity = DIMMED if dimmed else 1.0
        self.legend.update()
        self.plot.setOpacity(self.legend.opacity)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F fits, + and − zoom (with Alt across), arrows pan."""
        if not take_key(self, event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the plot's keys from the board's shortcuts while it has the focus."""
        if kept_from_shortcuts(event):
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Answer the pointer that rests on the canvas; show everything after a double click."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self.fit()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            hint = self.hint_at(QPointF(event.pos()))
            if hint:
                QToolTip.showText(event.globalPos(), hint, self)
            else:
                QToolTip.hideText()
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The legend takes what it needs, the canvas the rest."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Without series, say so."""
        del event
        if not self._drawn:
            painter = QPainter(self)
            placeholder(painter, QRectF(self.rect()), "Nothing to draw yet.")
            painter.end()

    def _make_items(self) -> None:
        """Items for all series; those of before are used again as long as they fit."""
        fit = len(self._items) == len(self._drawn) and all(
            items.fits(one.series) for items, one in zip(self._items, self._drawn, strict=True)
        )
        if not fit:
            for items in self._items:
                items.remove()
            self._items = [SeriesItems(self.plot, one.series) for one in self._drawn]

    def _dress(self) -> None:
        """Colours, dashes and symbols of all series, and of the axes."""
        colours, font = theme().colours, self.small_font()
        self.canvas.setBackground(None)
        self.legend.setFont(font)
        for axis in self.axes:
            axis.dress(font, colours.line, colours.muted, colours.text)
        if self.series:
            first = self.series[0]
            self.axes[0].measure(first.x_label, first.x_unit)
            self.axes[1].measure(first.y_label, first.y_unit)
        entries = _entries(self.series, self._hidden)
        self.legend.set_entries(entries)
        for items, one, entry in zip(self._items, self._drawn, entries, strict=True):
            items.show(one, entry)
        line = QFontMetricsF(font).height()
        self.plot.layout.setContentsMargins(GRID, line + GRID, EDGE, GRID / 2)
        self.canvas.setVisible(bool(self._drawn))
        self._lay_out()

    def _lay_out(self) -> None:
        metrics = QFontMetricsF(self.legend.font())
        top = math.ceil(legend_height(self.legend.entries, QRectF(self.rect()), metrics))
        self.legend.setGeometry(0, 0, self.width(), top)
        self.canvas.setGeometry(0, top, self.width(), max(self.height() - top, 1))
        self.update()

    def _settle(self) -> None:
        """Lay the plot out now; labels may change their width, and once more the layout."""
        for _ in range(2):
            self.plot.layout.activate()

    def _shown(self) -> tuple[Drawn, ...]:
        """The series that are not hidden."""
        return tuple(one for one in self._drawn if one.series.name not in self._hidden)

    def _scales(self) -> tuple[bool, bool]:
        return self.is_log(False), self.is_log(True)

    def _wholes(self) -> tuple[Span, Span]:
        shown = self._shown() or self._drawn
        along, across = (whole(shown, which, self.is_log(which)) for which in (False, True))
        return along, across

    def _kept(self) -> tuple[Span, Span] | None:
        return None if self.is_fitted else self.view

    def _look_at(self, part: tuple[Span, Span] | None) -> None:
        """Show a part, as far as it is there, or everything."""
        log_x, log_y = self._scales()
        self.plot.setLogMode(x=log_x, y=log_y)
        along, across = self._wholes()
        self.view_box.setLimits(
            xMin=along.low, xMax=along.high, minXRange=_NARROWEST * along.length,
            yMin=across.low, yMax=across.high, minYRange=_NARROWEST * across.length,
        )  # fmt: skip
        right, up = part or (along, across)
        self.view_box.setRange(xRange=(right.low, right.high), yRange=(up.low, up.high), padding=0)

    def _placed(self, across: bool, values: Floats) -> Floats:
        """Pixels of the canvas; NaN where a logarithmic axis has no place for a value."""
        area, view = self.area(), self.view[across]
        if self.is_log(across):
            values = logarithms(values)
        share = (values - view.low) / view.length
        if across:
            return np.asarray(area.bottom() - share * area.height())
        return np.asarray(area.left() + share * area.width())


def _entries(series: Sequence[Series], hidden: set[str]) -> list[Entry]:
    """The legend of the series that have values: colour, and dash or symbol."""
    entries, lines, points = [], 0, 0
    for one, colour in zip(series, series_colours(series), strict=True):
        dash = symbol = None
        if one.kind == "line":
            dash, lines = _DASHES[lines % len(_DASHES)], lines + 1
        elif one.kind == "points":
            symbol, points = Symbols[_SYMBOLS[points % len(_SYMBOLS)]], points + 1
        if one.y:
            entries.append(Entry(one.name, colour, dash, symbol, one.name not in hidden))
    return entries
