"""A process that is carried to another node: what it would bring there, and how that is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from gui.basics.ink import CENTRE, LEFT, Ink, thin
from gui.basics.theme import GRID

BETTER, SAME, WORSE, REFUSED = "better", "same", "worse", "refused"


@dataclass(frozen=True)
class Offer:
    """What putting a process on a node would bring."""

    process: int
    node: int
    verdict: str  # `BETTER`, `SAME` or `WORSE`, in the objective; `REFUSED` where it can't go
    lines: tuple[str, ...]  # the objective's change first; then what else is to be known


@dataclass(frozen=True)
class Hand:
    """A process in hand, the node that it comes from and the one that it would go to."""

    process: int
    origin: int
    aim: int | None = None
    offer: Offer | None = None


def paint_cursor(painter: QPainter, ink: Ink, node: QRectF) -> None:
    """The keyboard's focus."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(thin(ink.accent, 2.0))
    painter.drawRoundedRect(node.adjusted(-4, -4, 4, 4), 6, 6)


def paint_ends(painter: QPainter, ink: Ink, origin: QRectF, aim: QRectF | None) -> None:
    """The node that a process leaves, dashed, and the one that it would go to, filled."""
    painter.setBrush(ink.board)
    painter.setPen(thin(ink.accent, 2.0, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(origin, 4, 4)
    if aim is not None:
        wash = ink.faded(ink.accent, 0.25)
        painter.setBrush(wash)
        painter.setPen(thin(ink.accent, 2.0))
        painter.drawRoundedRect(aim.adjusted(-2, -2, 2, 2), 5, 5)


def paint_name(painter: QPainter, ink: Ink, node: QRectF, text: str) -> None:
    """A process on a node where it is not yet, if it can be read."""
    if ink.width(text, ink.small) <= node.width() - 4 and node.height() >= ink.small_line - 2:
        ink.write(painter, node, text, ink.text, ink.small, CENTRE)


def paint_hand(painter: QPainter, ink: Ink, at: QPointF, text: str) -> None:
    """What is carried, at the pointer."""
    width = ink.width(text, ink.bold) + 2 * GRID
    rect = QRectF(at.x() + 6, at.y() - ink.line - GRID, width, ink.line + 4)
    painter.setBrush(ink.accent)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(rect, 4, 4)
    ink.write(painter, rect, text, ink.on_accent, ink.bold, CENTRE)


def paint_offer(painter: QPainter, ink: Ink, at: QPointF, offer: Offer, area: QRectF) -> None:
    """What the drop would bring, beside the pointer and inside the picture."""
    fill, colour = {
        BETTER: (ink.better_surface, ink.better),
        WORSE: (ink.worse_surface, ink.worse),
        REFUSED: (ink.worse_surface, ink.worse),
    }.get(offer.verdict, (ink.surface, ink.text))
    fonts = [ink.bold, *[ink.small] * (len(offer.lines) - 1)]
    width = max(map(ink.width, offer.lines, fonts)) + 2 * GRID
    height = ink.line * len(offer.lines) + GRID
    x = min(at.x() + 18, area.right() - width - 2)
    y = at.y() + 14 if at.y() + 14 + height < area.bottom() else at.y() - height - 2 * ink.line
    rect = QRectF(max(x, area.left()), max(y, area.top()), width, height)
    painter.setBrush(fill)
    painter.setPen(thin(colour))
    painter.drawRoundedRect(rect, 6, 6)
    for place, (text, font) in enumerate(zip(offer.lines, fonts, strict=True)):
        line = QRectF(rect.left() + GRID, rect.top() + 4 + place * ink.line, width, ink.line)
        ink.write(painter, line, text, ink.text if place else colour, font, LEFT)
