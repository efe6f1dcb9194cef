"""Offers made visible: chips with a value, ghosts of a task, hatching where it may not go."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter

from gui.basics.ink import CENTRE, LEFT, Ink, thin
from gui.basics.pill import PAD, paint_pill
from gui.basics.verdicts import verdict_colours
from gui.board.offers import Offer


def chip_size(ink: Ink, text: str, bold: bool, small: bool = False) -> tuple[float, float]:
    """Width and height of a chip that holds `text`."""
    font = _font(ink, bold, small)
    height = (ink.small_line if small else ink.line) + (2.0 if small else PAD)
    return ink.width(text, font) + 2 * PAD, height


def paint_chip(painter: QPainter, ink: Ink, rect: QRectF, offer: Offer, text: str) -> None:
    """A machine's offer, in a pill; the best one is bold with a heavier edge."""
    fill, colour = verdict_colours(ink, offer.verdict)
    small = rect.height() < ink.line + PAD - 0.5
    font = _font(ink, offer.best, small)
    paint_pill(painter, ink, rect, text, fill, colour, font, offer.best)


def paint_ghost(painter: QPainter, ink: Ink, rect: QRectF, text: str, aimed: bool) -> None:
    """Where a task would lie: a dashed outline, filled lightly in the lane aimed at."""
    fill = QColor(ink.accent)
    fill.setAlphaF(0.22 if aimed else 0.06)
    painter.setBrush(fill)
    painter.setPen(thin(ink.accent, 2.0, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(rect, 4, 4)
    inner = rect.adjusted(PAD, 0, -4, 0)
    if text and inner.width() >= ink.width(text, ink.small):
        ground = QRectF(0, 0, ink.width(text, ink.small) + PAD, ink.small_line)
        ground.moveCenter(QPointF(inner.left() + ground.width() / 2 - PAD / 2, rect.center().y()))
        painter.fillRect(ground, ink.board)  # names of bars may lie below
        ink.write(painter, inner, text, ink.text, ink.small, LEFT)


def paint_hatch(painter: QPainter, ink: Ink, rect: QRectF) -> None:
    """A lane that can't take the tasks."""
    veil = QColor(ink.board)
    veil.setAlphaF(0.75)
    painter.fillRect(rect, veil)
    painter.setBrushOrigin(QPointF(0, 0))
    painter.fillRect(rect, QBrush(ink.hatch, Qt.BrushStyle.BDiagPattern))


def paint_badge(
    painter: QPainter, ink: Ink, rect: QRectF, text: str, fill: QColor, colour: QColor
) -> None:
    """A small filled pill with a text, for slowdowns and counts."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    ink.write(painter, rect, text, colour, ink.small, CENTRE)


def _font(ink: Ink, bold: bool, small: bool) -> QFont:
    if small:
        return ink.small_bold if bold else ink.small
    return ink.bold if bold else ink.normal
