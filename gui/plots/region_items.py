"""What is drawn of a map of regions: an image, its boundaries, labels, the present point, a cursor.

Image, boundaries and cursor are pyqtgraph's. Labels and the ring are plain items of Qt in pixels:
labels are moved to where their regions have room, and the ring may stand over the edge of the map.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPen
from PySide6.QtWidgets import (
    QGraphicsEllipseItem,
    QGraphicsItem,
    QGraphicsRectItem,
    QGraphicsSimpleTextItem,
)

from gui.basics.theme import theme
from gui.plots.chart import readable_on
from gui.plots.curve_items import Line
from gui.plots.map_picture import MapPicture
from gui.plots.regions import Patch, Regions, label_place
from machines.arrays import Flags

Colour = Callable[[int], QColor]
Texts = Callable[[int], tuple[str, ...]]
_RADIUS, _GAP = 6.0, 4.0
_ABOVE = 5


class RegionItems:
    """The items of one map, made once.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem
        Where they are drawn.
    colour : callable
        The colour of a region.
    texts : callable
        What may be written into it, the longest first.
    """

    def __init__(self, plot: pg.PlotItem, colour: Colour, texts: Texts) -> None:
        self._plot, self._colour, self._texts = plot, colour, texts
        self._view = plot.getViewBox()
        self._picture: MapPicture | None = None
        self._present = (0.0, 0.0)
        self._font = QFont()
        self._labels: list[QGraphicsSimpleTextItem] = []
        self._image = pg.ImageItem(axisOrder="row-major")
        self._lines = Line(connect="pairs")
        self._cursor = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0)
        for item in (self._image, self._lines, *self._cursor):
            plot.addItem(item, ignoreBounds=True)
        self._mark = Mark(plot)
        self._moved = True  # labels and ring are put in place before the next paint
        self._view.sigRangeChanged.connect(self._move)
        self._view.sigResized.connect(self._move)
        plot.scene().sigPrepareForPaint.connect(self._place)

    def show_map(self, picture: MapPicture) -> None:
        """Draw another map; `dress` gives it its colours."""
        self._picture, self._present = picture, picture.present

    def dress(self, font: QFont) -> None:
        """Draw in the theme's colours and in this font."""
        picture, colours = self._picture, theme().colours
        if picture is None:
            return
        self._font = font
        along, across = picture.spans
        self._image.setImage(coloured(picture.classes, self._colour), autoLevels=False)
        self._image.setRect(QRectF(along.low, across.low, along.length, across.length))
        x, y = picture.lines.reshape(-1, 2).T
        pen = pg.mkPen(colours.surface if picture.cells else colours.text)
        self._lines.show_values(along.low + x * along.length, across.low + y * across.length, pen)
        for line in self._cursor:
            line.setPen(pg.mkPen(colours.muted, style=Qt.PenStyle.DashLine))
        self._mark.dress(picture.word, font)
        self._move()

    def move_present(self, point: tuple[float, float]) -> None:
        """Put the ring elsewhere."""
        self._present = point
        self._move()

    def show_cursor(self, point: tuple[float, float] | None) -> None:
        """Draw lines through a point, or none."""
        for line, at in zip(self._cursor, point or (0.0, 0.0), strict=True):
            line.setVisible(point is not None)
            line.setValue(at)

    def _move(self, *_: object) -> None:
        self._moved = True
        self._plot.scene().update()

    def _place(self) -> None:
        """Put labels and ring where they belong in what is in view."""
        picture, area = self._picture, self._view.rect()
        if picture is None or not self._moved or area.width() < 1 or area.height() < 1:
            return
        self._moved = False
        for label in self._labels:
            self._plot.scene().removeItem(label)
        self._labels = []
        self._mark.put(self._pixel(*self._inside(picture)), area, self._view.pos())
        free = self._free(picture)
        for patch in picture.patches:
            self._write(picture, patch, free)

    def _inside(self, picture: MapPicture) -> tuple[float, float]:
        """The coordinates of the present point, at the edge of the map if it lies outside."""
        found = [
            min(max(axis.at(value), span.low), span.high)
            for axis, value, span in zip(
                (picture.x, picture.y), self._present, picture.spans, strict=True
            )
        ]
        return found[0], found[1]

    def _pixel(self, x: float, y: float) -> QPointF:
        """A point of the view box."""
        (left, right), (low, high) = self._view.viewRange()
        area = self._view.rect()
        return QPointF(
            (x - left) / (right - left) * area.width(), (high - y) / (high - low) * area.height()
        )

    def _free(self, picture: MapPicture) -> Flags:
        """The points of the fine picture that are in view, and not under the ring and its word."""
        rows, columns = picture.classes.shape
        along, across = picture.spans
        ring = self._mark.box.adjusted(-4.0, -4.0, 4.0, 4.0)
        corner, end = self._pixel(along.low, across.high), self._pixel(along.high, across.low)
        x = corner.x() + (np.arange(columns) + 0.5) / columns * (end.x() - corner.x())
        y = end.y() - (np.arange(rows) + 0.5) / rows * (end.y() - corner.y())
        area = self._view.rect()
        seen = ((y > 0) & (y < area.height()))[:, None] & (x > 0) & (x < area.width())
        hidden = ((y > ring.top()) & (y < ring.bottom()))[:, None] & (
            (x > ring.left()) & (x < ring.right())
        )
        return np.asarray(seen & ~hidden)

    def _write(self, picture: MapPicture, patch: Patch, free: Flags) -> None:
        """The longest text that has room in a patch of a region."""
        high, wide = patch.mask.shape
        rows, columns = picture.classes.shape
        along, across = picture.spans
        area, metrics = self._view.rect(), QFontMetricsF(self._font)
        (left, right), (low, top) = self._view.viewRange()
        per_x = (right - left) / along.length * columns / area.width()  # points a pixel
        per_y = (top - low) / across.length * rows / area.height()
        needed = round((metrics.ascent() + 2) * per_y)
        if high < needed:
            return
        mask = patch.mask & free[patch.top : patch.top + high, patch.left : patch.left + wide]
        for text in self._texts(patch.region):
            width = metrics.horizontalAdvance(text)
            place = label_place(mask, round((width + _GAP) * per_x), needed)
            if place is None:
                continue
            label = QGraphicsSimpleTextItem(text, self._view)
            label.setFont(self._font)
            label.setBrush(QBrush(readable_on(self._colour(patch.region))))
            at = self._pixel(
                along.low + (patch.left + place[0] * wide) / columns * along.length,
                across.low + (patch.top + place[1] * high) / rows * across.length,
            )
            size = label.boundingRect()
            label.setPos(at.x() - size.width() / 2, at.y() - size.height() / 2)
            self._labels.append(label)
            return


class Mark:
    """A ring with a word beside it, over everything else.

    Attributes
    ----------
    box : QRectF
        What it covers of the view box.
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        side = 2 * _RADIUS
        circle = -_RADIUS, -_RADIUS, side, side
        self._ring = QGraphicsEllipseItem(*circle, plot)
        self._inner = QGraphicsEllipseItem(*circle, self._ring)
        self._chip = QGraphicsRectItem(self._ring)
        self._word = QGraphicsSimpleTextItem(self._chip)
        self._ring.setZValue(_ABOVE)
        # the word's ground lies under the ring
        self._chip.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent)
        self.box = QRectF()

    def dress(self, word: str, font: QFont) -> None:
        """Write this word, in the theme's colours."""
        colours, bold = theme().colours, QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        behind = QColor(colours.surface)
        behind.setAlpha(215)  # boundaries may pass behind the word
        self._ring.setPen(QPen(QColor(colours.surface), 5))
        self._inner.setPen(QPen(QColor(colours.text), 2))
        self._chip.setPen(QPen(Qt.PenStyle.NoPen))
        self._chip.setBrush(behind)
        self._word.setFont(bold)
        self._word.setText(word)
        self._word.setBrush(QColor(colours.text))
        self._chip.setRect(self._word.boundingRect().adjusted(-_GAP, 0, _GAP, 0))

    def put(self, at: QPointF, area: QRectF, corner: QPointF) -> None:
        """Stand at a point of the view box, whose corner is given; not where that is not seen."""
        near = area.adjusted(-1.0, -1.0, 1.0, 1.0)
        self._ring.setVisible(near.contains(at))
        self._ring.setPos(at + corner)
        size = self._chip.rect()
        right = at.x() + _RADIUS + 2 * _GAP + size.width() < area.right()
        x = _RADIUS + 2 * _GAP if right else -_RADIUS - _GAP - size.width()
        y = min(max(at.y() - size.height() / 2, area.top()), area.bottom() - size.height())
        self._chip.setPos(x, y - at.y())
        chip = self._chip.rect().translated(at.x() + x, y)
        ring = QRectF(at.x() - _RADIUS, at.y() - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
        self.box = chip.united(ring)


def coloured(classes: Regions, colour: Colour) -> np.ndarray:
    """The classes as an image of one pixel a point."""
    known, place = np.unique(classes, return_inverse=True)
    palette = np.array([colour(one).getRgb()[:3] for one in known.tolist()], dtype=np.uint8)
    return np.asarray(palette[place.reshape(classes.shape)])
