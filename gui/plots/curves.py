"""Curves, points and bars of a study over two axes of numbers, with intervals of confidence.

An axis is logarithmic by itself when all its values are positive and span more than two decades.
Curves differ by colour and dash, points by symbol, so that they can be told apart without colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from advisor.quantities import exact
from advisor.studies.study import Series
from gui.figures import Table
from gui.plots.axes import Axis, LogAxis
from gui.plots.chart import placeholder
from gui.plots.legend import Entry, legend_height, paint_legend
from gui.plots.plane import Plane, paint_ticks_below, paint_ticks_beside
from gui.plots.series_colours import series_colours
from gui.plots.span import Span
from gui.plots.symbols import symbol
from gui.theme import GRID, theme

_DASHES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_POINT, _NEAR = 10.0, 12.0
_DECADES = 2.0
_MARGIN = 0.04

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A series as arrays, with its look."""

    series: Series
    x: Floats
    y: Floats
    half: Floats
    entry: Entry


class CurvePlot(Plane):
    """One pair of axes with its series."""

    scales_changed = Signal()  # which axes are logarithmic, or can be

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.series: tuple[Series, ...] = ()
        self._drawn: tuple[_Drawn, ...] = ()
        self._wanted: list[bool | None] = [None, None]
        theme().changed.connect(self._dress)

    def set_series(self, series: Sequence[Series]) -> None:
        """Show `series`; all share the axes of the first. A part that was zoomed to stays."""
        self.series = tuple(series)
        self.setAccessibleDescription(
            "; ".join(f"{one.name}: {len(one.y)} values" for one in self.series)
        )
        self._dress()
        self.scales_changed.emit()

    def is_log(self, across: bool) -> bool:
        """Whether the axis is logarithmic: as the user wants it, else by its values."""
        wanted = self._wanted[across]
        low, high = self._extent(across)
        if not self.can_be_log(across):
            return False
        return math.log10(high / low) > _DECADES if wanted is None else wanted

    def can_be_log(self, across: bool) -> bool:
        """Whether all values along the axis are positive, and no bar stands on zero."""
        bars = any(one.kind == "bars" for one in self.series)
        return self._extent(across)[0] > 0 and not bars

    def set_log(self, across: bool, log: bool) -> None:
        """Make an axis logarithmic, or linear."""
        if log != self.is_log(across):
            self._wanted[across] = log
            self.fit()
            self.scales_changed.emit()

    def table(self) -> Table:
        """One row a point: series, x and y with their units, and what is known beside them."""
        first = self.series[0] if self.series else None
        x = _labelled(first.x_label, first.x_unit) if first else "x"
        y = _labelled(first.y_label, first.y_unit) if first else "y"
        intervals = any(one.half_width for one in self.series)
        labels = any(one.labels for one in self.series)
        headings = ["series", x, y, *["± (95 %)"] * intervals, *["what"] * labels]
        rows = []
        for one in self.series:
            half = one.half_width or ("",) * len(one.y)
            what = one.labels or ("",) * len(one.y)
            for place, (at, value) in enumerate(zip(one.x, one.y, strict=True)):
                more = [*[half[place]] * intervals, *[what[place]] * labels]
                rows.append((one.name, at, value, *more))
        return Table(tuple(headings), tuple(rows))

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return self.size().expandedTo(QSize(60 * GRID, 40 * GRID))

    def whole(self) -> tuple[Span, Span]:
        """All values, with a margin; the logarithms on a logarithmic axis."""
        along, across = (self._span(which) for which in (False, True))
        return along, across

    def area(self) -> QRectF:
        """Where the plane lies in the widget."""
        return self._layout(QRectF(self.rect()))[2]

    def position_of(self, x: float, y: float) -> QPointF:
        """The point of the widget that shows these values."""
        along, up, _ = self._layout(QRectF(self.rect()))
        return QPointF(along.position(x), up.position(y))

    def hint_at(self, position: QPointF) -> str:
        """What is known of the nearest point; points go before curves. In the legend: all names."""
        if not self._drawn:
            return ""
        along, up, area = self._layout(QRectF(self.rect()))
        if position.y() < area.top() - _NEAR:
            return "\n".join(one.series.name for one in self._drawn)
        best, text = _NEAR, ""
        for one in self._drawn:
            away = np.hypot(_placed(along, one.x) - position.x(), _placed(up, one.y) - position.y())
            if one.series.kind == "points":
                away = away - _NEAR / 2
            away = np.where(np.isfinite(away), away, np.inf)
            if away.size and away.min() < best:
                best = float(away.min())
                together = np.flatnonzero(away <= best + 1.0)
                text = _told(one.series, together if one.series.labels else together[:1])
        return text

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend, axes and series."""
        if not self.series:
            placeholder(painter, rect, "Nothing to draw yet.")
            return
        along, up, area = self._layout(rect)
        paint_legend(painter, rect, [one.entry for one in self._drawn])
        paint_ticks_beside(painter, up, area, rect.left() + GRID)
        paint_ticks_below(painter, along, area)
        painter.save()
        painter.setClipRect(area.adjusted(-1, -6, 6, 1))
        reached: dict[float, float] = {}
        for one in self._drawn:
            if one.series.kind == "bars":
                self._paint_bars(painter, one, (along, up), reached)
        for one in self._drawn:
            if one.series.kind == "line":
                self._paint_line(painter, one, (along, up))
        for one in self._drawn:
            _paint_intervals(painter, one, (along, up))
            if one.series.kind == "points":
                _paint_points(painter, one, (along, up))
        painter.restore()

    def _dress(self) -> None:
        """Arrays, colours, dashes and symbols of all series."""
        drawn, lines, points = [], 0, 0
        for one, colour in zip(self.series, series_colours(self.series), strict=True):
            if one.kind == "line":
                entry = Entry(one.name, colour, dash=_DASHES[lines % len(_DASHES)])
                lines += 1
            elif one.kind == "points":
                entry = Entry(one.name, colour, symbol=symbol(points))
                points += 1
            else:
                entry = Entry(one.name, colour)
            half = np.array(one.half_width or (0.0,) * len(one.y))
            drawn.append(_Drawn(one, np.array(one.x, float), np.array(one.y, float), half, entry))
        self._drawn = tuple(one for one in drawn if len(one.y))
        self.update()

    def _extent(self, across: bool) -> tuple[float, float]:
        """The least and the greatest value along an axis; (0, 0) where there are none."""
        arrays = [one.y if across else one.x for one in self._drawn]
        values = np.concatenate(arrays) if arrays else np.zeros(0)
        values = values[np.isfinite(values)]
        return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)

    def _span(self, across: bool) -> Span:
        low, high = self._extent(across)
        if across:
            ends = [one.y + one.half for one in self._drawn]
            high = max([high, *(float(end[np.isfinite(end)].max(initial=high)) for end in ends)])
        bars = [one for one in self._drawn if one.series.kind == "bars"]
        if self.is_log(across):
            low, high = math.log10(low), math.log10(high)
        elif across:
            low, high = min(low, 0.0), max(high, _highest(bars))
        if high - low <= 1e-12 * max(abs(low), abs(high)):
            low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
        if bars and not across:
            return Span(low - _bar_width(bars), high + _bar_width(bars))
        margin = _MARGIN * (high - low)
        stands = across and low == 0.0 and not self.is_log(across)
        return Span(low if stands else low - margin, high + margin)

    def _layout(self, rect: QRectF) -> tuple[Axis, Axis, QRectF]:
        """Both axes in pixels, and the area between them."""
        metrics = QFontMetricsF(self.small_font())
        line = metrics.height()
        entries = [one.entry for one in self._drawn]
        legend = legend_height(entries, rect, metrics)
        top = rect.top() + GRID + legend + line + 4
        bottom = max(rect.bottom() - 2 * line - GRID, top + 2 * line)
        along, across = self.view
        up = self._axis(True, across, bottom, top)
        widths = [metrics.horizontalAdvance(label) for _, label in up.ticks(36.0)]
        left = rect.left() + GRID + max(widths, default=0.0) + 8
        right = max(rect.right() - 2 * GRID, left + 60)
        area = QRectF(left, top, right - left, bottom - top)
        return self._axis(False, along, left, right), up, area

    def _axis(self, across: bool, span: Span, start: float, end: float) -> Axis:
        first = self.series[0] if self.series else None
        name = (first.y_label if across else first.x_label) if first else ""
        unit = (first.y_unit if across else first.x_unit) if first else ""
        if self.is_log(across):
            return LogAxis(name, unit, 10**span.low, 10**span.high, start, end)
        return Axis(name, unit, span.low, span.high, start, end)

    def _paint_line(self, painter: QPainter, one: _Drawn, axes: tuple[Axis, Axis]) -> None:
        pen = QPen(one.entry.colour, 2, one.entry.dash or Qt.PenStyle.SolidLine)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        x, y = _placed(axes[0], one.x), _placed(axes[1], one.y)
        for piece in np.split(np.arange(len(x)), np.flatnonzero(~np.isfinite(x + y))):
            kept = piece[np.isfinite(x[piece] + y[piece])]
            points = [QPointF(*point) for point in np.column_stack([x[kept], y[kept]]).tolist()]
            painter.drawPolyline(QPolygonF(points))

    def _paint_bars(
        self,
        painter: QPainter,
        one: _Drawn,
        axes: tuple[Axis, Axis],
        reached: dict[float, float],
    ) -> None:
        """Bars of one series, stacked on those before it."""
        along, up = axes
        half = _bar_width([one]) / 2
        painter.setPen(QPen(QColor(theme().colours.surface), 1))
        painter.setBrush(one.entry.colour)
        for at, value in zip(one.x.tolist(), one.y.tolist(), strict=True):
            base = reached.get(at, 0.0)
            reached[at] = base + value
            corner = QPointF(along.position(at - half), up.position(base))
            other = QPointF(along.position(at + half), up.position(base + value))
            painter.drawRect(QRectF(corner, other).normalized())


def _paint_points(painter: QPainter, one: _Drawn, axes: tuple[Axis, Axis]) -> None:
    path = one.entry.symbol
    if path is None:
        return
    painter.setPen(QPen(QColor(theme().colours.surface), 1.5 / _POINT))
    painter.setBrush(one.entry.colour)
    x, y = _placed(axes[0], one.x), _placed(axes[1], one.y)
    for at, height in zip(x.tolist(), y.tolist(), strict=True):
        if math.isfinite(at + height):
            painter.save()
            painter.translate(at, height)
            painter.scale(_POINT, _POINT)
            painter.drawPath(path)
            painter.restore()


def _paint_intervals(painter: QPainter, one: _Drawn, axes: tuple[Axis, Axis]) -> None:
    """The 95 % intervals: a line with caps; one that reaches below zero leaves a log axis."""
    if not one.series.half_width:
        return
    along, up = axes
    painter.setPen(QPen(one.entry.colour, 1.5))
    for at, value, half in zip(one.x.tolist(), one.y.tolist(), one.half.tolist(), strict=True):
        x, low = along.position(at), value - half
        bottom = up.position(low) if low > 0 or not isinstance(up, LogAxis) else up.start
        top = up.position(value + half)
        painter.drawLine(QPointF(x, bottom), QPointF(x, top))
        for y in (bottom, top):
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 4, y))


def _placed(axis: Axis, values: Floats) -> Floats:
    """Pixels of values; NaN where a logarithmic axis has no place for them."""
    if isinstance(axis, LogAxis):
        positive = np.where(values > 0, values, np.nan)
        share = np.log10(positive / axis.low) / math.log10(axis.high / axis.low)
    else:
        share = (values - axis.low) / (axis.high - axis.low)
    return np.asarray(axis.start + share * (axis.end - axis.start))


def _told(series: Series, places: NDArray[np.intp]) -> str:
    """The tooltip of points that lie on one another."""
    place, interval = int(places[0]), ""
    if series.half_width:
        interval = f" ± {exact(series.half_width[place], series.y_unit)} (95 %)"
    at = series.x[place]
    x = at if isinstance(at, str) else exact(at, series.x_unit)
    lines = [series.name, f"{series.x_label}: {x}"]
    lines.append(f"{series.y_label}: {exact(series.y[place], series.y_unit)}{interval}")
    if series.labels:
        lines[1:1] = [series.labels[one] for one in places.tolist()]
    return "\n".join(lines)


def _bar_width(bars: Sequence[_Drawn]) -> float:
    places = np.unique(np.concatenate([one.x for one in bars]))
    return 0.7 * float(np.diff(places).min()) if len(places) > 1 else 0.7


def _highest(bars: Sequence[_Drawn]) -> float:
    """The top of the highest stack of bars."""
    tops: dict[float, float] = {}
    for one in bars:
        for at, value in zip(one.x.tolist(), one.y.tolist(), strict=True):
            tops[at] = tops.get(at, 0.0) + value
    return max(tops.values(), default=0.0)


def _labelled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
