"""Curves, points and bars of a study on common axes, drawn by pyqtgraph in our colours.

pyqtgraph's own context menu is off: its picture export fails on current Qt. Series differ by
colour, dash and symbol, so that they can be told apart without colour.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGraphicsOpacityEffect, QVBoxLayout, QWidget

from advisor.studies.study import Series
from gui.figures import Table
from gui.plots.chart import DIMMED, Plot
from gui.theme import CAUSE_COLOURS, GRID, theme

_LIGHT = ("#0072B2", "#B34700", "#00664B", "#8A3D77", "#7A5900", "#1B1D21")
_DARK = ("#56B4E9", "#FF9A5C", "#4FD1A5", "#E29CC9", "#F0E442", "#E6E6E6")
_SYMBOLS = ("o", "s", "t", "d", "+", "x")
_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_MOST_SYMBOLS = 60


class CurvePlot(Plot):
    """One pair of axes with its series; zooms with the wheel, fits with a double click."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.series: tuple[Series, ...] = ()
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.setAccessibleName(title)
        self.plot.getPlotItem().hideButtons()
        self.plot.viewport().installEventFilter(self)
        self.legend = self.plot.addLegend(offset=(-GRID, GRID))
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(self.plot)
        theme().changed.connect(self._draw)

    def set_series(self, series: Sequence[Series]) -> None:
        """Show `series`; all share the axes of the first."""
        self.series = tuple(series)
        self.setAccessibleDescription(
            "; ".join(f"{one.name}: {len(one.y)} values" for one in self.series)
        )
        self._draw()
        self.fit()

    def fit(self) -> None:
        """Show everything."""
        self.plot.getPlotItem().autoRange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit on a double click."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self.fit()
            return True
        return super().eventFilter(watched, event)

    def table(self) -> Table:
        """One row a point: series, x and y with their units."""
        first = self.series[0] if self.series else None
        x = _labelled(first.x_label, first.x_unit) if first else "x"
        y = _labelled(first.y_label, first.y_unit) if first else "y"
        return Table(
            ("series", x, y),
            tuple(
                (one.name, at, value)
                for one in self.series
                for at, value in zip(one.x, one.y, strict=True)
            ),
        )

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return self.size().expandedTo(QSize(60 * GRID, 40 * GRID))

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the plot into `rect`."""
        self.plot.render(painter, rect, self.plot.viewport().rect())

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        if dimmed == (self.graphicsEffect() is not None):
            return
        effect = QGraphicsOpacityEffect(self) if dimmed else None
        if effect is not None:
            effect.setOpacity(DIMMED)
        self.setGraphicsEffect(effect)  # type: ignore[arg-type]

    def _draw(self) -> None:
        colours = theme().colours
        item = self.plot.getPlotItem()
        item.clear()
        self.plot.setBackground(colours.surface)
        self.legend.setLabelTextColor(colours.text)
        behind = QColor(colours.surface)
        behind.setAlpha(220)  # curves may pass behind the legend
        self.legend.setBrush(pg.mkBrush(behind))
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(colours.muted))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.enableAutoSIPrefix(side == "left")
        item.showGrid(x=True, y=True, alpha=0.15)
        if not self.series:
            return
        first = self.series[0]
        item.setLabel("bottom", _labelled(first.x_label, first.x_unit))
        item.setLabel("left", first.y_label, units=first.y_unit or None)
        names = _names(self.series)
        item.getAxis("bottom").setTicks([list(enumerate(names))] if names else None)
        reached: dict[float, float] = {}
        for place, one in enumerate(self.series):
            x = np.arange(len(one.x), dtype=np.float64) if names else np.array(one.x, np.float64)
            if one.kind == "bars":
                self._add_bars(one, x, reached, place)
            else:
                self._add_curve(one, x, place)

    def _add_bars(
        self, one: Series, x: np.ndarray, reached: dict[float, float], place: int
    ) -> None:
        """Bars of one series, stacked on those before it."""
        below = [reached.get(at, 0.0) for at in x.tolist()]
        width = 0.7 * (float(np.diff(np.sort(x)).min()) if len(x) > 1 else 1.0)
        brush = pg.mkBrush(_colour(one.name, place))
        bars = pg.BarGraphItem(
            x=x, y0=np.array(below), height=np.array(one.y), width=width, brush=brush,
            pen=pg.mkPen(theme().colours.surface), name=one.name,
        )  # fmt: skip
        self.plot.addItem(bars)
        for at, value, base in zip(x.tolist(), one.y, below, strict=True):
            reached[at] = base + value

    def _add_curve(self, one: Series, x: np.ndarray, place: int) -> None:
        colour = _colour(one.name, place)
        points = one.kind == "points"
        pen = None if points else pg.mkPen(colour, width=2, style=_DASHES[place % len(_DASHES)])
        symbol = _SYMBOLS[place % len(_SYMBOLS)] if points or len(x) <= _MOST_SYMBOLS else None
        self.plot.plot(
            x, np.array(one.y, np.float64), pen=pen, symbol=symbol, symbolSize=7,
            symbolBrush=pg.mkBrush(colour), symbolPen=pg.mkPen(colour), name=one.name,
        )  # fmt: skip


def _names(series: Sequence[Series]) -> tuple[str, ...]:
    """The names along the x axis, when it has names instead of numbers."""
    first = series[0].x
    return tuple(str(name) for name in first) if first and isinstance(first[0], str) else ()


def _colour(name: str, place: int) -> QColor:
    """The fixed colour of a cause, else the next of a readable row."""
    if name in CAUSE_COLOURS:
        return QColor(CAUSE_COLOURS[name])
    row = _DARK if theme().dark else _LIGHT
    return QColor(row[place % len(row)])


def _labelled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
