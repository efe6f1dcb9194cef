"""A map of two parameters, coloured by what is best where, with the present point.

Every region has a letter, a label where there is room, and a place in the legend; colour alone
means nothing. Click, drag or the arrow keys and Enter choose a point.
"""

from __future__ import annotations

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

from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.axes import Axis
from gui.plots.chart import Chart, elided, placeholder
from gui.plots.map_picture import MapAxis, MapPicture, axis_title, letter
from gui.plots.regions import UNKNOWN, Regions, label_place
from machines.arrays import Floats

NOW = "now"
_MOST_LEGEND = 12
_STEPS = 40
# not red against green, which say worse and better elsewhere
_HUES = (215, 40, 285, 175, 60, 250, 320, 195, 20, 270, 75, 300)


class RegionMap(Chart):
    """The painted map; `chosen` tells a point that the user picked."""

    hovered = Signal(object)  # (x, y) | None
    chosen = Signal(object)  # (x, y)

    def __init__(self, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._empty = empty
        self.picture: MapPicture | None = None
        self.present = (0.0, 0.0)
        self._cursor: tuple[float, float] | None = None
        self._pressed = False
        self._image: QImage | None = None
        theme().changed.connect(self._forget_image)

    def show_map(self, picture: MapPicture | None) -> None:
        """Show `picture`; ``None``: the sentence of the empty map."""
        self.picture = picture
        if picture is not None:
            self.present = picture.present
        self._forget_image()

    def move_present(self, point: tuple[float, float]) -> None:
        """The project lies elsewhere on the same map now."""
        self.present = point
        self.update()

    def table(self) -> Table:
        """One row a sampled point: x, y, the best plan and its value."""
        picture = self.picture
        if picture is None:
            return Table(("x", "y", "best", "value"), ())
        rows = tuple(
            (
                float(x),
                float(y),
                picture.labels[region] if region >= 0 else "",
                float(picture.values_s[row, column]),
            )
            for row, y in enumerate(picture.y.values)
            for column, x in enumerate(picture.x.values)
            for region in (int(picture.regions[row, column]),)
        )
        return Table(
            (axis_title(picture.x), axis_title(picture.y), "best", f"{picture.value_name} (s)"),
            rows,
        )

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and a few labels."""
        return QSize(40 * GRID, 16 * GRID)

    def point_at(self, position: QPointF) -> tuple[float, float] | None:
        """Parameter values at a point of the widget; ``None`` outside the map."""
        if self.picture is None:
            return None
        across, up = self._axes(self.picture, QRectF(self.rect()))
        area = QRectF(across.start, up.end, across.end - across.start, up.start - up.end)
        if not area.adjusted(-6, -6, 6, 6).contains(position):
            return None
        return across.value(position.x()), up.value(position.y())

    def position_of(self, x: float, y: float) -> QPointF:
        """The point of the widget that shows these parameter values."""
        if self.picture is None:
            return QPointF()
        across, up = self._axes(self.picture, QRectF(self.rect()))
        return QPointF(across.position(x), up.position(y))

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw regions, boundaries, labels, axes, legend and the points."""
        picture = self.picture
        if picture is None:
            placeholder(painter, rect, self._empty)
            return
        colours = theme().colours
        across, up = self._axes(picture, rect)
        area = QRectF(across.start, up.end, across.end - across.start, up.start - up.end)
        if self._image is None:
            self._image = _coloured(picture.classes, len(picture.labels))
        painter.drawImage(area, self._image)
        painter.setPen(QPen(QColor(colours.text), 1))
        painter.drawLines(_lines_in(picture.lines, area))
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(area)
        self._paint_axes(painter, across, up, area)
        here = QPointF(across.position(self.present[0]), up.position(self.present[1]))
        self._paint_labels(painter, picture, area, here)
        legend = QRectF(
            area.right() + 2 * GRID,
            area.top(),
            rect.right() - area.right() - 3 * GRID,
            area.height(),
        )
        self._paint_legend(painter, picture, legend)
        painter.setClipRect(area.adjusted(-8, -8, 8, 8))
        self._paint_points(painter, area, (across, up), here)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to choose a point."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self.point_at(event.position()) is not None
            self._move_cursor(self.point_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out the point under the pointer."""
        self._move_cursor(self.point_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the point where the button is released."""
        if event.button() == Qt.MouseButton.LeftButton and self._pressed:
            self._pressed = False
            point = self.point_at(event.position())
            if point is not None:
                self.chosen.emit(point)

    def leaveEvent(self, event: object) -> None:
        """Stop reading out."""
        del event
        if not self.hasFocus():
            self._move_cursor(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor of the keyboard."""
        self._move_cursor(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the cursor, Enter chooses its point, Esc lets go."""
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Down: (0, -1),
            Qt.Key.Key_Up: (0, 1),
        }
        picture, key = self.picture, event.key()
        if picture is not None and key in steps:
            x, y = self._cursor or self.present
            right, up = steps[Qt.Key(key)]
            self._move_cursor((_stepped(picture.x, x, right), _stepped(picture.y, y, up)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cursor is not None:
            self.chosen.emit(self._cursor)
        elif key == Qt.Key.Key_Escape and (self._pressed or self._cursor is not None):
            self._pressed = False
            self._move_cursor(None)
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, point: tuple[float, float] | None) -> None:
        if point != self._cursor:
            self._cursor = point
            self.hovered.emit(point)
            self.update()

    def _forget_image(self) -> None:
        self._image = None
        self.update()

    def _axes(self, picture: MapPicture, rect: QRectF) -> tuple[Axis, Axis]:
        """The axes in pixels; the legend stands at the right where there is room."""
        metrics = QFontMetricsF(self.small_font())
        line = metrics.height()
        names = [f"A  {label}" for label in picture.labels[:_MOST_LEGEND]]
        wanted = max((metrics.horizontalAdvance(name) for name in names), default=0.0) + 5 * GRID
        legend = min(wanted, rect.width() * 0.32)
        left = rect.left() + GRID + max(metrics.horizontalAdvance("00.00"), 3 * GRID) + 4
        bottom = rect.bottom() - 2 * line - GRID
        right = max(rect.right() - legend - 2 * GRID, left + 60)
        top = rect.top() + line + GRID
        x, y = picture.x, picture.y
        return (
            Axis(x.name, x.unit, float(x.values[0]), float(x.values[-1]), left, right),
            Axis(y.name, y.unit, float(y.values[0]), float(y.values[-1]), bottom, top),
        )

    def _paint_axes(self, painter: QPainter, across: Axis, up: Axis, area: QRectF) -> None:
        colours = theme().colours
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        painter.setPen(QColor(colours.muted))
        for value, label in across.ticks(56.0):
            x = across.position(value)
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
            box = QRectF(x - 40, area.bottom() + 4, 80, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
        for value, label in up.ticks(36.0):
            y = up.position(value)
            painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.left(), y))
            box = QRectF(area.left() - 86, y - line / 2, 80, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, label)
        painter.setPen(QColor(colours.text))
        below = QRectF(area.left(), area.bottom() + 4 + line, area.width(), line)
        painter.drawText(
            below, Qt.AlignmentFlag.AlignCenter, elided(across.title, metrics, below.width())
        )
        above = QRectF(area.left() - 5 * GRID, area.top() - line - 4, area.width() + 5 * GRID, line)
        painter.drawText(
            above, Qt.AlignmentFlag.AlignLeft, elided(up.title, metrics, above.width())
        )

    def _paint_labels(
        self, painter: QPainter, picture: MapPicture, area: QRectF, here: QPointF
    ) -> None:
        """The label in its region, or its letter where that does not fit; clear of `here`."""
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(theme().colours.text))
        rows, columns = picture.classes.shape
        height = round((metrics.height() + 4) / area.height() * rows)
        across, down = columns / area.width(), rows / area.height()
        x, y = (here.x() - area.left()) * across, (here.y() - area.top()) * down
        free = np.ones_like(picture.classes, dtype=bool)
        free[
            max(round(y - 14 * down), 0) : max(round(y + 12 * down), 0),
            max(round(x - 12 * across), 0) : max(round(x + 44 * across), 0),
        ] = False
        for region in np.unique(picture.classes).tolist():
            mask = (picture.classes == region) & free
            full = "computing…" if region == UNKNOWN else picture.labels[region]
            short = "…" if region == UNKNOWN else letter(region)
            for text in (f"{short}  {full}" if region != UNKNOWN else full, short):
                width = round((metrics.horizontalAdvance(text) + 8) / area.width() * columns)
                place = label_place(mask, width, height)
                if place is not None:
                    middle = QPointF(
                        area.left() + place[0] * area.width(), area.top() + place[1] * area.height()
                    )
                    box = QRectF(middle.x() - 400, middle.y() - 20, 800, 40)
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                    break

    def _paint_legend(self, painter: QPainter, picture: MapPicture, box: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        line = metrics.height() + 6
        room = max(1, min(_MOST_LEGEND, int(box.height() / line)))
        present = [int(r) for r in np.unique(picture.regions) if r >= 0]
        for place, region in enumerate(present[:room]):
            y = box.top() + place * line
            swatch = QRectF(box.left(), y + (line - 12) / 2, 12, 12)
            painter.fillRect(swatch, region_colour(region))
            painter.setPen(QPen(QColor(theme().colours.muted), 1))
            painter.drawRect(swatch)
            painter.setPen(QColor(theme().colours.text))
            text = f"{letter(region)}  {picture.labels[region]}"
            if place == room - 1 and len(present) > room:
                text = f"… and {len(present) - room + 1} more"
            row = QRectF(swatch.right() + 6, y, box.right() - swatch.right() - 6, line)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(row, flags, elided(text, metrics, row.width()))
            self.place(row, picture.labels[region])

    def _paint_points(
        self, painter: QPainter, area: QRectF, axes: tuple[Axis, Axis], here: QPointF
    ) -> None:
        """A ring at the present point, a cross at the cursor."""
        colours = theme().colours
        across, up = axes
        if self._cursor is not None:
            at = QPointF(across.position(self._cursor[0]), up.position(self._cursor[1]))
            painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()))
            painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))
        painter.setPen(QPen(QColor(colours.surface), 5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(here, 6, 6)
        painter.setPen(QPen(QColor(colours.text), 2))
        painter.drawEllipse(here, 6, 6)
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        width = QFontMetricsF(bold).horizontalAdvance(NOW) + 4
        x = here.x() + 10 if here.x() + 10 + width < area.right() else here.x() - 10 - width
        y = min(max(here.y() - 10, area.top()), area.bottom() - 22)
        chip = QRectF(x, y, width, 20)
        behind = QColor(colours.surface)
        behind.setAlpha(200)  # boundaries may pass behind the word
        painter.fillRect(chip.adjusted(-2, 2, 0, -2), behind)
        painter.drawText(chip, Qt.AlignmentFlag.AlignVCenter, NOW)


def region_colour(position: int) -> QColor:
    """A quiet colour, far in hue from those of the neighbouring positions."""
    if position < 0:
        return QColor(theme().colours.raised)
    dark = theme().dark
    light = (62, 78)[position % 2] if dark else (214, 198)[position % 2]
    return QColor.fromHsl(_HUES[position % len(_HUES)], 70 if dark else 120, light)


def _coloured(classes: Regions, count: int) -> QImage:
    """The classes as an image of one pixel a point."""
    palette = np.array(
        [region_colour(region).rgb() for region in range(-1, max(count, 1))], dtype=np.uint32
    )
    pixels = np.ascontiguousarray(palette[classes + 1])
    height, width = pixels.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def _lines_in(lines: Floats, area: QRectF) -> list[QLineF]:
    scale = np.array([area.width(), area.height(), area.width(), area.height()])
    offset = np.array([area.left(), area.top(), area.left(), area.top()])
    return [QLineF(*piece) for piece in (lines * scale + offset).tolist()]


def _stepped(axis: MapAxis, value: float, steps: int) -> float:
    low, high = float(axis.values[0]), float(axis.values[-1])
    return min(max(value + steps * (high - low) / _STEPS, low), high)
