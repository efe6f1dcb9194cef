"""The chart of a map of fan-outs: N over g/L, each region with its fan-out written in it.

Colours go from light to dark with the fan-out and mean nothing alone. Pointer and arrow keys read
out a point; a ring marks the user's own case.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import count, duration, number
from advisor.trees.costs import US
from advisor.trees.fanout_map import FanoutMap
from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.axes import log_ticks
from gui.plots.chart import Chart, elided, placeholder, readable_on
from gui.plots.regions import boundary
from gui.studies.fanout.regions import Room, rooms
from machines.arrays import Ints

BALANCED, OPTIMAL = "best balanced tree", "front-end of the optimum"
SHOWN = (BALANCED, OPTIMAL)
Cell = tuple[int, int]

_EMPTY = "The map of fan-outs comes with the answer."
_DARKEST = 8.0  # 2 to the power of it has the strongest colour
_HERE = "your case"
_CENTRE = Qt.AlignmentFlag.AlignCenter
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class FanoutChart(Chart):
    """The painted map; `hovered` tells the point that is read out."""

    hovered = Signal(object)  # (row, column) | None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("fanout_map_chart", "Map of the best fan-out", parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.map: FanoutMap | None = None
        self.shown = BALANCED
        self.cursor_cell: Cell | None = None
        self._rooms: tuple[Room, ...] = ()

    def show_map(self, found: FanoutMap) -> None:
        """Show another map; what is read out stays if it still exists."""
        self.map = found
        if self.cursor_cell is not None:
            rows, columns = found.balanced.shape
            self._read(self.cursor_cell if self._inside(self.cursor_cell, rows, columns) else None)
        self._find_rooms()

    def show_fanouts(self, shown: str) -> None:
        """Of which tree: one of `SHOWN`."""
        self.shown = shown
        self._find_rooms()

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

    def text_of(self, cell: Cell) -> str:
        """A point in words."""
        found = self.map
        if found is None:
            return ""
        at = f"N = {found.back_ends[cell[0]]:,}, g/L = {number(float(found.ratio[cell[1]]))}"
        best = duration(float(found.latency[cell]) * US)
        text = f"{at}: balanced {found.balanced[cell]}-way {best}"
        if not found.optimal[cell]:
            return text
        children = count(int(found.optimal[cell]), "child", "children")
        least = duration(float(found.optimal_latency[cell]) * US)
        return f"{text}; optimum {least}, {children} of the front-end"

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and a few numbers."""
        return QSize(40 * GRID, 20 * GRID)

    def cell_at(self, position: QPointF) -> Cell | None:
        """The point of the map under a point of the widget."""
        area = self._area(QRectF(self.rect()))
        if self.map is None or not area.contains(position):
            return None
        rows, columns = self.map.balanced.shape
        column = int((position.x() - area.left()) / area.width() * columns)
        row = rows - 1 - int((position.y() - area.top()) / area.height() * rows)
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def centre_of(self, cell: Cell) -> QPointF:
        """The middle of a point's cell in the widget."""
        return (
            QPointF() if self.map is None else self._centre(cell, self._area(QRectF(self.rect())))
        )

    def hint_at(self, position: QPointF) -> str:
        """The tooltip: the point in words."""
        cell = self.cell_at(position)
        return "" if cell is None else self.text_of(cell)

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw regions with their numbers, boundaries, axes and the user's case."""
        if self.map is None:
            placeholder(painter, rect, _EMPTY)
            return
        values = self._values(self.map)
        area = self._area(rect)
        painter.drawImage(area, _coloured(values))
        painter.setPen(QPen(QColor(theme().colours.surface), 1))
        lines = boundary(values.astype(np.int32)).tolist()
        painter.drawLines([_line(piece, area) for piece in lines])
        self._paint_numbers(painter, values.shape, area)
        self._paint_axes(painter, self.map, area)
        painter.setClipRect(area.adjusted(-8, -8, 8, 8))
        self._paint_cursor(painter, area)
        self._paint_here(painter, self.map, area)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out the point under the pointer."""
        self._read(self.cell_at(event.position()))

    def leaveEvent(self, event: object) -> None:
        """Stop reading out."""
        del event
        if not self.hasFocus():
            self._read(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor of the keyboard."""
        self._read(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the cursor from the user's case on, Esc lets go."""
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Down: (-1, 0),
            Qt.Key.Key_Up: (1, 0),
        }
        key = event.key()
        if self.map is not None and key in steps:
            rows, columns = self.map.balanced.shape
            row, column = self.cursor_cell or _nearest(self.map)
            up, right = steps[Qt.Key(key)]
            moved = (row + up, column + right)
            self._read(moved if self._inside(moved, rows, columns) else (row, column))
        elif key == Qt.Key.Key_Escape and self.cursor_cell is not None:
            self._read(None)
        else:
            super().keyPressEvent(event)

    def _values(self, found: FanoutMap) -> Ints:
        """The fan-outs as they are seen: rows downwards."""
        return (found.balanced if self.shown == BALANCED else found.optimal)[::-1]

    def _find_rooms(self) -> None:
        self._rooms = () if self.map is None else rooms(self._values(self.map))
        self.update()

    def _inside(self, cell: Cell, rows: int, columns: int) -> bool:
        return 0 <= cell[0] < rows and 0 <= cell[1] < columns

    def _read(self, cell: Cell | None) -> None:
        self.cursor_cell = cell
        self.hovered.emit(cell)
        self.update()

    def _area(self, rect: QRectF) -> QRectF:
        line = QFontMetricsF(self.small_font()).height()
        return rect.adjusted(6 * GRID, line + GRID, -2 * GRID, -2 * line - GRID)

    def _centre(self, cell: Cell, area: QRectF) -> QPointF:
        assert self.map is not None
        rows, columns = self.map.balanced.shape
        return QPointF(
            area.left() + (cell[1] + 0.5) / columns * area.width(),
            area.bottom() - (cell[0] + 0.5) / rows * area.height(),
        )

    def _paint_numbers(self, painter: QPainter, shape: Cell, area: QRectF) -> None:
        """The fan-out in each region that has room for it."""
        metrics = QFontMetricsF(painter.font())
        high, wide = area.height() / shape[0], area.width() / shape[1]
        for room in self._rooms:
            text = str(room.value) if room.value else "computing…"
            left, top = area.left() + room.left * wide, area.top() + room.top * high
            box = QRectF(left, top, room.columns * wide, room.rows * high)
            if metrics.horizontalAdvance(text) + 4 <= box.width() and (
                metrics.ascent() <= box.height()
            ):
                painter.setPen(readable_on(fanout_colour(room.value)))
                painter.drawText(box, _CENTRE | Qt.TextFlag.TextDontClip, text)

    def _paint_axes(self, painter: QPainter, found: FanoutMap, area: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        painter.setPen(QColor(theme().colours.muted))
        low, high = float(found.ratio[0]), float(found.ratio[-1])
        for value, label in log_ticks(low, high, "", area.width()):
            x = _across(found, value, area)
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
            painter.drawText(QRectF(x - 40, area.bottom() + 4, 80, line), _CENTRE, label)
        every = max(1, math.ceil(1.2 * line * found.back_ends.size / area.height()))
        for row in range(every - 1, found.back_ends.size, every):
            y = self._centre((row, 0), area).y()
            painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.left(), y))
            label = f"2{str(row + 1).translate(_RAISED)}"
            box = QRectF(area.left() - 6 * GRID, y - line / 2, 6 * GRID - 6, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, label)
        painter.setPen(QColor(theme().colours.text))
        below = QRectF(area.left(), area.bottom() + 4 + line, area.width(), line)
        painter.drawText(below, _CENTRE, "gap over latency g/L")
        above = QRectF(area.left() - 5 * GRID, area.top() - line - 4, area.width(), line)
        title = f"back-ends N; fan-out of the {self.shown}, {found.operation}"
        left = Qt.AlignmentFlag.AlignLeft
        painter.drawText(above, left, elided(title, metrics, above.width()))

    def _paint_cursor(self, painter: QPainter, area: QRectF) -> None:
        if self.cursor_cell is None:
            return
        at = self._centre(self.cursor_cell, area)
        painter.setPen(QPen(QColor(theme().colours.text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()))
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))

    def _paint_here(self, painter: QPainter, found: FanoutMap, area: QRectF) -> None:
        """A ring at the user's case, at the edge if it lies outside."""
        colours = theme().colours
        N, ratio = found.here
        rows = found.back_ends.size
        up = min(max((math.log2(N) - 0.5) / rows, 0.0), 1.0)
        here = QPointF(_across(found, ratio, area), area.bottom() - up * area.height())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, pen in ((colours.surface, 5), (colours.text, 2)):
            painter.setPen(QPen(QColor(colour), pen))
            painter.drawEllipse(here, 6, 6)
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        metrics = QFontMetricsF(bold)
        width = metrics.horizontalAdvance(_HERE) + 4
        right = here.x() + 10 + width < area.right()
        y = min(max(here.y() - 10, area.top()), area.bottom() - 20)
        chip = QRectF(here.x() + 10 if right else here.x() - 10 - width, y, width, 20)
        behind = QColor(colours.surface)
        behind.setAlpha(215)
        painter.fillRect(chip, behind)
        painter.drawText(chip, _CENTRE, _HERE)


def fanout_colour(fanout: int) -> QColor:
    """The stronger the larger the fan-out."""
    if fanout < 1:
        return QColor(theme().colours.raised)
    return theme().ramp(min(math.log2(fanout) / _DARKEST, 1.0))


def _coloured(values: Ints) -> QImage:
    """An image of one pixel a point."""
    known, place = np.unique(values, return_inverse=True)
    palette = np.array([fanout_colour(one).rgb() for one in known.tolist()], dtype=np.uint32)
    pixels = np.ascontiguousarray(palette[place.reshape(values.shape)])
    height, width = pixels.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def _line(piece: list[float], area: QRectF) -> QLineF:
    x1, y1, x2, y2 = piece
    width, height = area.width(), area.height()
    left, top = area.left(), area.top()
    return QLineF(left + x1 * width, top + y1 * height, left + x2 * width, top + y2 * height)


def _column(found: FanoutMap, ratio: float) -> float:
    """The column of a ratio, not rounded, inside the map."""
    low, high = float(found.ratio[0]), float(found.ratio[-1])
    share = math.log(min(max(ratio, low), high) / low) / math.log(high / low)
    return share * (found.ratio.size - 1)


def _across(found: FanoutMap, ratio: float, area: QRectF) -> float:
    return area.left() + (_column(found, ratio) + 0.5) / found.ratio.size * area.width()


def _nearest(found: FanoutMap) -> Cell:
    """The point of the map nearest to the user's case."""
    row = round(math.log2(found.here[0])) - 1
    return min(max(row, 0), found.back_ends.size - 1), round(_column(found, found.here[1]))
