"""What is drawn of a map of regions: an image, its boundaries, labels, the present point, a cursor.

Image, boundaries and cursor are pyqtgraph's. Labels and the ring are plain items of Qt in pixels:
labels are moved to where their regions have room, and the ring may stand over the edge of the map.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import (
    QGraphicsEllipseItem,
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsRectItem,
    QGraphicsSimpleTextItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from gui.basics.theme import theme
from gui.plots.curve_items import Line
from gui.plots.map_drawing import MapPicture
from gui.plots.painted_chart import readable_on
from gui.plots.regions import Patch, Regions, label_place
from machines.arrays import Flags

Colour = Callable[[int], QColor]
Texts = Callable[[int], tuple[str, ...]]
_RADIUS, _GAP = 6.0, 4.0
_APART = 16.0  # of a region's label from the word of the mark: side by side they read as one
_ABOVE = 5


class RegionItems:
    """The items of one map, made once.

    `plot`: where they are drawn. `colour`: the colour of a region. `texts`: what may be written
    into it, the longest first.
    """

    def __init__(self, plot: pg.PlotItem, colour: Colour, texts: Texts) -> None:
        self._plot, self._colour, self._texts = plot, colour, texts
        self._view = plot.getViewBox()
        self._picture: MapPicture | None = None
        self._present = (0.0, 0.0)
        self._font = QFont()
        self._labels: list[QGraphicsSimpleTextItem] = []
        self._image = pg.ImageItem(axisOrder="row-major")
        self._image.setZValue(-2)
        self._fade = pg.ImageItem(axisOrder="row-major")  # over the regions, below lines
        self._fade.setZValue(-0.5)
        self._pieces: list[_Fill] = []
        self._lines = Line(connect="pairs")
        self._cursor = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0)
        for item in (self._image, self._fade, self._lines, *self._cursor):
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
        self._fill(picture)
        self._veil(picture)
        x, y = picture.lines.reshape(-1, 2).T
        pen = pg.mkPen(colours.surface if picture.cells else colours.text)
        self._lines.show_values(along.low + x * along.length, across.low + y * across.length, pen)
        for line in self._cursor:
            line.setPen(pg.mkPen(colours.muted, style=Qt.PenStyle.DashLine))
        self._mark.dress(picture.word, font)
        self._move()

    def _veil(self, picture: MapPicture) -> None:
        """Let colours fade to the plot's own where the odds are even."""
        faded, along, across = picture.faded, *picture.spans
        self._fade.setVisible(faded is not None)
        if faded is None:
            return
        ground = QColor(theme().colours.surface)
        veil = np.empty((*faded.shape, 4), dtype=np.uint8)
        veil[:, :, :3] = ground.red(), ground.green(), ground.blue()
        veil[:, :, 3] = np.round(255.0 * faded)
        self._fade.setImage(veil, autoLevels=False)
        self._fade.setRect(QRectF(along.low, across.low, along.length, across.length))

    def _fill(self, picture: MapPicture) -> None:
        """Cells that borders cross are filled up to these, and not in steps of the image."""
        along, across = picture.spans
        paths: dict[int, QPainterPath] = {}
        for region, corners in picture.pieces:
            path = paths.setdefault(region, QPainterPath())
            path.addPolygon(
                QPolygonF(
                    [
                        QPointF(along.low + x * along.length, across.low + y * across.length)
                        for x, y in corners
                    ]
                )
            )
            path.closeSubpath()
        while len(self._pieces) < len(paths):
            self._pieces.append(_Fill())
            self._plot.addItem(self._pieces[-1], ignoreBounds=True)
        for item in self._pieces:
            item.hide()
        for item, (region, path) in zip(self._pieces, paths.items(), strict=False):
            item.setPath(path)
            item.setBrush(self._colour(region))
            item.show()

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
        if picture is None or not self._moved or area.isEmpty():
            return
        self._moved = False
        for label in self._labels:
            self._plot.scene().removeItem(label)
        self._labels = []
        self._view.updateMatrix()
        pixels, _ = self._image.itemTransform(self._view)  # from points of the fine picture
        points, _ = pixels.inverted()
        self._mark.put(pixels.map(self._present_point(picture)), area, self._view.pos())
        free = np.zeros(picture.classes.shape, dtype=np.bool_)
        taken = self._mark.box.adjusted(-_APART, 0, _APART, 0)
        for rect, is_free in ((area, True), (taken, False)):
            part = points.mapRect(rect).toRect()
            rows = slice(max(part.top(), 0), max(part.bottom() + 1, 0))
            free[rows, max(part.left(), 0) : max(part.right() + 1, 0)] = is_free
        for patch in picture.patches:
            self._write(patch, free, pixels)

    def _present_point(self, picture: MapPicture) -> QPointF:
        """Where the present point lies in the fine picture, or at its edge."""
        axes = zip((picture.x, picture.y), self._present, picture.spans, strict=True)
        shares = [(axis.at(value) - span.low) / span.length for axis, value, span in axes]
        x, y = (min(max(share, 0.0), 1.0) for share in shares)
        rows, columns = picture.classes.shape
        return QPointF(x * columns, y * rows)

    def _write(self, patch: Patch, free: Flags, pixels: QTransform) -> None:
        """The longest text that has room in a patch of a region."""
        high, wide = patch.mask.shape
        metrics = QFontMetricsF(self._font)
        needed = round((metrics.ascent() + 2) / abs(pixels.m22()))
        if high < needed:
            return
        mask = patch.mask & free[patch.top : patch.top + high, patch.left : patch.left + wide]
        for text in self._texts(patch.region):
            width = round((metrics.horizontalAdvance(text) + _GAP) / pixels.m11())
            place = label_place(mask, width, needed)
            if place is not None:
                label = QGraphicsSimpleTextItem(text, self._view)
                label.setFont(self._font)
                label.setBrush(readable_on(self._colour(patch.region)))
                at = QPointF(patch.left + place[0] * wide, patch.top + place[1] * high)
                label.setPos(pixels.map(at) - label.boundingRect().center())
                self._labels.append(label)
                return


class _Fill(QGraphicsPathItem):
    """Pieces of one colour that lie close to each other: smoothed edges would leave seams."""

    def __init__(self) -> None:
        super().__init__()
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setZValue(-1)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Without smoothed edges."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        super().paint(painter, option, widget)


class Mark:
    """A ring with a word beside it, over everything else.

    `box`: what it covers of the view box.
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


def coloured(classes: Regions, colour: Colour) -> NDArray[np.uint8]:
    """The classes as an image of one pixel a point."""
    known, place = np.unique(classes, return_inverse=True)
    colours = [colour(one) for one in known.tolist()]
    palette = np.array([(c.red(), c.green(), c.blue()) for c in colours], dtype=np.uint8)
    return np.asarray(palette[place.reshape(classes.shape)])
