"""A rounded label with a value in it: what something offers, how slow it is, what runs there."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from gui.basics.ink import CENTRE, Ink, thin

PAD = 8.0


def paint_pill(
    painter: QPainter,
    ink: Ink,
    rect: QRectF,
    text: str,
    fill: QColor,
    colour: QColor,
    font: QFont,
    heavy: bool = False,
) -> None:
    """A text in a pill with an outline of its colour; the outline is `heavy` for the best one."""
    painter.setBrush(fill)
    painter.setPen(thin(colour, 2.0 if heavy else 1.0))
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    ink.write(painter, rect.adjusted(PAD - 2, 0, 2 - PAD, 0), text, colour, font, CENTRE)
