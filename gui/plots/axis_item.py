"""The axis of all plots of pyqtgraph, labelled as our numbers are: "12.4 ms", not "1.24e-02".

Axes have one unit, in their title, but for logarithmic ones over many decades. A plot may give
ticks of its own, as for rows. The title of a vertical axis stands above it, upright.
"""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gui.basics.theme import GRID
from gui.plots.axis_ticks import EDGE, Axis, LogAxis, Ticks
from gui.plots.painted_chart import elided

_ACROSS, _ALONG, _ALONG_LOG = 36.0, 80.0, 64.0  # least distances of ticks
_MOST = 14  # ticks of a linear axis
_SLACK = 10.0  # so much narrower may labels become before the axis does


class QuantityAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """The left or the bottom axis of a plot."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation, maxTickLength=4)
        self.setStyle(tickAlpha=255, tickTextOffset=GRID // 2)
        self.quantity, self.unit = "", ""
        self._ticks: Ticks | None = None
        self._upright = orientation == "left"
        self._metrics = QFontMetricsF(QFont())
        self._text = QColor()

    def measure(self, quantity: str, unit: str, ticks: Ticks | None = None) -> None:
        """Say what is measured along the axis, in which unit, and where its own ticks lie."""
        self.quantity, self.unit, self._ticks = quantity, unit, ticks
        self._make_room()

    def dress(self, font: QFont, line: str, ticks: str, text: str) -> None:
        """Use this font, and these colours for lines, labels and the title."""
        self._metrics, self._text = QFontMetricsF(font), QColor(text)
        self.setTickFont(font)
        self.setPen(pg.mkPen(line))
        self.setTickPen(pg.mkPen(line))
        self.setTextPen(pg.mkPen(ticks))
        if not self._upright:
            self.setHeight(2 * self._metrics.height() + GRID)
        self._make_room()

    @property
    def title(self) -> str:
        """What is measured, with the unit in brackets where the ticks have none."""
        return self._axis().title

    def marks(self) -> list[tuple[float, str]]:
        """(coordinate, label) of the ticks in view; logarithms on a logarithmic axis."""
        if self._ticks is not None:
            low, high = self.range
            return self._ticks(low, high, self._length())
        axis = self._axis()
        if isinstance(axis, Axis):
            spacing = _ACROSS if self._upright else _ALONG
            return axis.ticks(max(spacing, self._length() / _MOST))
        ticks = axis.ticks(_ACROSS if self._upright else _ALONG_LOG)
        return [(math.log10(value), text) for value, text in ticks]

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        """The ticks, all of one level."""
        del minVal, maxVal, size
        return [(1.0, [place for place, _ in self.marks()])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Their labels."""
        del scale, spacing
        texts = dict(self.marks())
        return [texts.get(value, "") for value in values]

    def boundingRect(self) -> QRectF:
        """With room for the title above, and for the halves of labels at both ends."""
        x, y = (0.0, self._metrics.height() + GRID) if self._upright else (EDGE, 0.0)
        plot = self.parentItem()
        right = plot.size().width() if self._upright and plot is not None else 0.0
        rect = QRectF(super().boundingRect()).adjusted(-x, -y, x, y)
        rect.setRight(max(rect.right(), right))
        return rect

    def drawPicture(self, p: QPainter, axisSpec: Any, tickSpecs: Any, textSpecs: Any) -> None:
        """Draw lines, labels and the title, all of them as crisp as can be."""
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        for pen, start, end in (axisSpec, *tickSpecs):
            p.setPen(pen)
            p.drawLine(start, end)
        p.setPen(self.textPen())
        for rect, flags, text in textSpecs:
            if self._upright:
                rect.moveTop(max(rect.top(), -GRID / 2))  # the title begins above that
            p.drawText(rect, int(flags), text)
        line, size = self._metrics.height(), self.size()
        p.setPen(self._text)
        if self._upright:
            room = QRectF(0.0, -line - GRID / 2, self.boundingRect().right(), line)
            side = Qt.AlignmentFlag.AlignLeft
        else:
            room = QRectF(0.0, size.height() - line, size.width(), line)
            side = Qt.AlignmentFlag.AlignHCenter
        p.drawText(room, side, elided(self.title, self._metrics, room.width()))

    def linkedViewChanged(self, view: object, newRange: object = None) -> None:
        """Make room for other labels."""
        super().linkedViewChanged(view, newRange)
        self._make_room()

    def _axis(self) -> Axis | LogAxis:
        low, high = self.range
        if self.logMode:
            return LogAxis(self.quantity, self.unit, 10.0**low, 10.0**high, self._length())
        return Axis(self.quantity, self.unit, low, high, 0.0, self._length())

    def _length(self) -> float:
        return float(self.size().height() if self._upright else self.size().width())

    def _make_room(self) -> None:
        """As wide as the labels need; a little narrower ones change nothing."""
        self.picture = None
        self.update()
        if not self._upright:
            return
        widths = [self._metrics.horizontalAdvance(text) for _, text in self.marks()]
        needed = math.ceil(max(widths, default=0.0)) + 1.5 * GRID
        if not needed <= self.width() <= needed + _SLACK:
            self.setWidth(needed)
