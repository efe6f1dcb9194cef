"""Words on bars and cards: in the room that they need, readable on every colour beneath."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gui.basics.ink import LEFT, Ink, contrasting

PAD = 8.0  # beside words
NARROW_PAD = 3.0  # where they would be cut otherwise
_PLATE_PAD = 3.0
_EDGE = 4.0  # above a name that has something below it
_BELOW = 10.0  # px beside the two lines that a card with something below its name has
_MIDDLE = Qt.TextElideMode.ElideMiddle  # names differ at their ends

Part = tuple[float, float, QColor]  # (begin, end, colour) of a piece of a bar


def room_for(rect: QRectF, width: float) -> QRectF:
    """Where words so wide go in a bar or card: with narrow edges if wide ones would cut them."""
    pad = PAD if width <= rect.width() - 2 * PAD else NARROW_PAD
    return rect.adjusted(pad, 0, -pad, 0)


def name_line(ink: Ink, card: QRectF) -> QRectF:
    """Where a machine's card has its name: at the top, or in the middle where it is alone."""
    alone = card.height() <= ink.line + ink.small_line + _BELOW
    edge = max(0.0, (card.height() - ink.line) / 2) if alone else _EDGE
    return QRectF(card.left(), card.top() + edge, card.width(), min(ink.line, card.height()))


def write_over(
    painter: QPainter,
    ink: Ink,
    room: QRectF,
    text: str,
    parts: list[Part],
    align: Qt.AlignmentFlag = LEFT,
) -> None:
    """A text as one, in the small font; on a plate where no one colour is readable on all parts."""
    width = min(ink.width(text, ink.small), room.width())
    left = room.left() if align == LEFT else room.right() - width
    under = [fill for begin, end, fill in parts if begin < left + width and end > left]
    colours = [QColor(one) for one in {contrasting(fill).rgb() for fill in under}]
    colour = colours[0] if len(colours) == 1 else ink.text
    if len(colours) > 1:
        high = min(ink.small_line, room.height() - 2)
        plate = QRectF(left, room.center().y() - high / 2, width, high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.surface)
        painter.drawRoundedRect(plate.adjusted(-_PLATE_PAD, 0, _PLATE_PAD, 0), 3, 3)
    ink.write(painter, room, text, colour, ink.small, align, _MIDDLE)
