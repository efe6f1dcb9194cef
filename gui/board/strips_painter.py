"""Painting of loads over time: filled step curves under lanes and in the section below them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from advisor.basics import causes, quantities
from gui.basics.ink import RIGHT, Ink, thin
from gui.basics.theme import theme
from gui.board.frame import Frame
from gui.board.labels import name_line
from gui.board.merging import Pixels
from gui.board.strips import HELD_MEMORY, Strip
from machines.arrays import Floats

DISCLOSURE = 16.0
SECTION = "Links, switches, stores"
_PAD = 10.0
_SHADE = 0.45  # opacity between the mean of a column and its largest load


class Place(NamedTuple):
    """A strip on screen: which one, whose (a machine, or -1: the section's), and where."""

    strip: int
    machine: int
    y: float
    height: float


def row_height(ink: Ink) -> float:
    """Height of one strip with its gap."""
    return ink.small_line + 4.0


def head_height(ink: Ink) -> float:
    """Height of the section's heading."""
    return ink.small_line + 8.0


def paint_strip(
    painter: QPainter, ink: Ink, frame: Frame, place: Place, strip: Strip, name: str
) -> None:
    """Name and busy share in the header's column, the curve in the ground."""
    head = QRectF(_PAD, place.y, frame.header - 2 * _PAD, place.height)
    share = quantities.percent(strip.use.busy_share)
    ink.write(painter, head, share, ink.muted, ink.small, RIGHT)
    room = head.adjusted(6, 0, -ink.width(share, ink.small) - 6, 0)
    ink.write(painter, room, name, ink.text, ink.small, elide=Qt.TextElideMode.ElideMiddle)
    width = int(frame.ground_width) + 1
    area = QRectF(frame.header, place.y + 1, width, max(2.0, place.height - 3))
    mean, most = strip.columns(frame.time(frame.header), 1.0 / frame.px_per_s, width)
    colours = theme().cause(causes.LINK_SHARING), theme().cause(causes.LINK_WAIT)
    if strip.kind == HELD_MEMORY:
        colours = ink.muted, ink.edge
    pixels = curve_pixels(mean, most, int(area.height()), *colours)
    image = QImage(
        pixels.data, width, pixels.shape[0], 4 * width, QImage.Format.Format_ARGB32_Premultiplied
    )
    painter.drawImage(area, image, QRectF(0, 0, width, pixels.shape[0]))
    painter.setPen(thin(ink.edge))
    painter.drawLine(QLineF(area.left(), area.bottom(), area.right(), area.bottom()))


def curve_pixels(mean: Floats, most: Floats, height: int, colour: QColor, peak: QColor) -> Pixels:
    """Premultiplied ARGB pixels of a filled curve: full to the mean, pale to the largest load.

    `mean`, `most`: shape (columns,).
    `height`: rows; any load at all shows in the lowest.
    `colour`, `peak`: up to the mean; from there on, translucent.
    Returns: shape (height, columns); Its top edge is darker, so that it shows on light ground too.
    """
    level = (height - 0.5 - np.arange(height))[:, None] / height
    lowest = (level < 1.0 / height) & (most > 1e-9)
    full, pale = (level <= mean) | (lowest & (mean > 1e-9)), (level <= most) | lowest
    pixels = np.where(pale, np.uint32(_premultiplied(peak, _SHADE)), np.uint32(0))
    pixels = np.where(full, np.uint32(_premultiplied(colour, 1.0)), pixels)
    edge = full & ~np.vstack([np.zeros((1, full.shape[1]), dtype=np.bool_), full[:-1]])
    pixels = np.where(edge, np.uint32(_premultiplied(colour.darker(150), 1.0)), pixels)
    return np.ascontiguousarray(pixels, dtype=np.uint32)


def paint_heading(
    painter: QPainter, ink: Ink, frame: Frame, unfolded: bool, busiest: Strip | None, stated: bool
) -> None:
    """The section's heading: what it holds, and while it is folded what is busiest.

    `stated`: transfers take time where nothing is busy.
    """
    top = frame.height - frame.footer
    row = QRectF(0, top, frame.width, head_height(ink))
    painter.setPen(thin(ink.edge))
    painter.drawLine(QLineF(0, top, frame.width, top))
    paint_disclosure(painter, ink, section_disclosure(ink, frame), unfolded)
    text = row.adjusted(_PAD + DISCLOSURE, 0, -_PAD, 0)
    ink.write(painter, text, SECTION, ink.text, ink.small_bold)
    if busiest is None:
        said = "transfers take the times that they state" if stated else "none is used"
    else:
        share = quantities.percent(busiest.use.busy_share)
        said = f"busiest: {busiest.use.name}, {share} utilised"
    text.setLeft(text.left() + ink.width(SECTION, ink.small_bold) + 2 * _PAD)
    ink.write(painter, text, said, ink.muted, ink.small)


def paint_more(painter: QPainter, ink: Ink, frame: Frame, y: float, text: str) -> None:
    """How many more there are."""
    row = QRectF(_PAD + 6, y, frame.width - 2 * _PAD, row_height(ink))
    ink.write(painter, row, text, ink.muted, ink.small)


def section_disclosure(ink: Ink, frame: Frame) -> QRectF:
    """The mark at the section's heading."""
    top = frame.height - frame.footer
    return QRectF(_PAD - 4, top, DISCLOSURE, head_height(ink))


def lane_disclosure(ink: Ink, card: QRectF) -> QRectF:
    """The mark before the name on a machine's card."""
    name = name_line(ink, card)
    return QRectF(card.left() + 4, name.top(), DISCLOSURE, name.height())


def paint_disclosure(painter: QPainter, ink: Ink, rect: QRectF, unfolded: bool) -> None:
    """A triangle: to the right while folded, down while unfolded."""
    at = rect.center()
    corners = [(-2.5, -4.5), (-2.5, 4.5), (3.5, 0.0)]
    if unfolded:
        corners = [(-4.5, -2.5), (4.5, -2.5), (0.0, 3.5)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.muted)
    painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))


def _premultiplied(colour: QColor, opacity: float) -> int:
    parts = (colour.red(), colour.green(), colour.blue())
    red, green, blue = (round(part * opacity) for part in parts)
    return round(255 * opacity) << 24 | red << 16 | green << 8 | blue
