"""What pyqtgraph draws of one series: a line, points or bars, and its 95 % intervals.

A line whose points have labels, each an answer of its own, has marks at them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from advisor.studies.study import Series
from gui.plots.curve_values import Drawn, logarithms
from gui.plots.plot_legend import Entry
from machines.arrays import Floats

_POINT, _MARK, _CAP = 10, 7, 8.0  # pixels
_ABOVE = {"band": 0, "bars": 1, "line": 2, "points": 4}
_INTERVALS = _MARKS = 3
_FAR = 1e-30  # times a value: below every logarithmic axis
_FULL, _DASHED = 3.5, 2.0  # pixels: a dashed line that lies on a full one leaves it in sight


class _Path(pg.PlotCurveItem):  # type: ignore[misc] # pyqtgraph has no types
    """A path through values that knows logarithmic axes and is drawn in pixels."""

    def __init__(self, **options: object) -> None:
        self._values: tuple[Floats, ...] = ()
        self._log = (False, False)
        super().__init__(**options)

    def setLogMode(self, xState: bool, yState: bool) -> None:
        """Take logarithms."""
        self._log = xState, yState
        self._place()

    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        """Draw in pixels."""
        del opt, widget
        if self._values:
            _draw(p, self.getPath(), self.opts["pen"], self.opts["brush"])

    def _place(self) -> None:
        """Give pyqtgraph the path of the values, if there are any."""
        raise NotImplementedError


class Line(_Path):
    """A curve through points; it breaks where there is no number."""

    def __init__(self, connect: str = "finite") -> None:
        super().__init__(connect=connect, antialias=True)

    def show_values(self, x: Floats, y: Floats, pen: QPen) -> None:
        """Draw these points."""
        self._values = x, y
        self.setPen(pen)
        self._place()

    def _place(self) -> None:
        if self._values:
            self.setData(
                *(
                    logarithms(values) if log else values
                    for values, log in zip(self._values, self._log, strict=True)
                )
            )


class Band(_Path):
    """The area between two curves; what is below zero leaves a logarithmic axis."""

    def show_values(self, x: Floats, low: Floats, high: Floats, colour: QColor) -> None:
        """Fill from `low` to `high`."""
        known = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
        self._values = x[known], low[known], high[known]
        self.setPen(pg.mkPen(None))
        self.setBrush(pg.mkBrush(colour))
        self._place()

    def _place(self) -> None:
        if not self._values:
            return
        x, low, high = self._values
        if self._log[1]:
            low, high = logarithms(np.where(low > 0, low, _FAR * high)), logarithms(high)
        if self._log[0]:
            x = logarithms(x)
        self.setData(np.concatenate((x, x[::-1])), np.concatenate((high, low[::-1])))


class Intervals(pg.ErrorBarItem):  # type: ignore[misc]
    """Intervals that know logarithmic axes and whose caps are as wide at any zoom."""

    def __init__(self) -> None:
        self._values: tuple[Floats, Floats, Floats] | None = None
        self._log = (False, False)
        super().__init__()

    def show_values(self, x: Floats, y: Floats, half: Floats, pen: QPen) -> None:
        """Draw y ± half."""
        self._values = x, y, half
        self.setData(pen=pen)
        self._place()

    def setLogMode(self, xState: bool, yState: bool) -> None:
        """Take logarithms; an interval that reaches below zero leaves the axis."""
        self._log = xState, yState
        self._place()

    def viewTransformChanged(self) -> None:
        """Keep the width of the caps."""
        super().viewTransformChanged()
        self.setData(beam=_CAP * (self.pixelWidth() or 0.0))

    def paint(self, p: QPainter, *_: object) -> None:
        """Draw in pixels."""
        if self.path is None:
            self.drawPath()
        _draw(p, self.path, self.opts["pen"])

    def _place(self) -> None:
        if self._values is None:
            return
        x, y, half = self._values
        low, high = y - half, y + half
        if self._log[0]:
            x = logarithms(x)
        if self._log[1]:
            ends = (np.where(low > 0, low, _FAR * y), y, high)
            low, y, high = (logarithms(end) for end in ends)
        self.setData(x=x, y=y, bottom=y - low, top=high - y)


class SeriesItems:
    """The items of one series; made once for its kind, then updated."""

    def __init__(self, plot: pg.PlotItem, series: Series) -> None:
        self._plot, self._shape = plot, _shape(series)
        self.item = _ITEMS[series.kind]()
        self.item.setZValue(_ABOVE[series.kind])
        self.intervals = Intervals() if series.half_width else None
        if self.intervals is not None:
            self.intervals.setZValue(_INTERVALS)
        self.marks = pg.PlotDataItem() if _is_marked(series) else None
        if self.marks is not None:
            self.marks.setZValue(_MARKS)
        for item in self._all():
            plot.addItem(item)

    def fits(self, series: Series) -> bool:
        """Whether these items can show `series` as well."""
        return self._shape == _shape(series)

    def show(self, drawn: Drawn, entry: Entry) -> None:
        """Draw these values as the legend says."""
        brush = pg.mkBrush(entry.colour)
        if isinstance(self.item, Band):
            self.item.show_values(drawn.x, drawn.lower, drawn.y, entry.colour)
        elif isinstance(self.item, Line):
            width = _FULL if entry.dash == Qt.PenStyle.SolidLine else _DASHED
            pen = pg.mkPen(entry.colour, width=width, style=entry.dash)
            self.item.show_values(drawn.x, drawn.y, pen)
        elif isinstance(self.item, pg.BarGraphItem):
            at = {"x": drawn.x, "y0": drawn.below, "height": drawn.y, "width": drawn.width}
            self.item.setOpts(**at, brush=brush, pen=None)
        else:
            _dot(self.item, drawn, entry.symbol, _POINT, brush)
        if self.marks is not None:
            _dot(self.marks, drawn, "o", _MARK, brush)
        if self.intervals is not None:
            pen = pg.mkPen(entry.colour, width=1.5)
            self.intervals.show_values(drawn.x, drawn.y, drawn.half, pen)
        for item in self._all():
            item.setOpacity(1.0 if entry.shown else 0.0)  # error bars show themselves again

    def remove(self) -> None:
        """Take the items from the plot."""
        for item in self._all():
            self._plot.removeItem(item)

    def _all(self) -> list[pg.GraphicsObject]:
        return [item for item in (self.item, self.intervals, self.marks) if item is not None]


def _shape(series: Series) -> tuple[str, bool, bool]:
    return series.kind, bool(series.half_width), _is_marked(series)


def _is_marked(series: Series) -> bool:
    return series.kind == "line" and bool(series.labels)


def _dot(item: pg.PlotDataItem, drawn: Drawn, symbol: object, size_px: int, brush: QBrush) -> None:
    look = {"symbol": symbol, "symbolSize": size_px, "symbolBrush": brush}
    item.setData(drawn.x, drawn.y, pen=None, symbolPen=None, **look)


def _no_bars() -> pg.BarGraphItem:
    return pg.BarGraphItem(x=(), height=(), width=1.0)


_ITEMS: dict[str, Callable[[], pg.GraphicsObject]] = {
    "band": Band,
    "line": Line,
    "points": pg.PlotDataItem,
    "bars": _no_bars,
}


def _draw(painter: QPainter, path: QPainterPath, pen: QPen, brush: QBrush | None = None) -> None:
    """Draw a path of the data's coordinates in pixels.

    A pen that keeps its width while the data are scaled is unknown to many viewers of SVG.
    """
    placed = painter.worldTransform().map(path)
    painter.save()
    painter.resetTransform()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    if brush is not None:
        painter.setBrush(brush)
    painter.drawPath(placed)
    painter.restore()
