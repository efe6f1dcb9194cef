"""Ports: the circles at the right edge of a task's card, from which flows are drawn."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from gui.basics.ink import Ink, thin
from gui.board.items import ItemView

TIP = "Drag to a task to add a flow; to empty ground for a new task"
REACH_PX = 10.0  # around a port's middle, where a press takes it
_RADIUS_PX = 5.5
_LEAST_PX = 14.0  # height of a card below which it has no port
_DOT_PX = 3.0


def has_room(card: QRectF) -> bool:
    """Whether a card is large enough for a port."""
    return card.height() >= _LEAST_PX


def middle(card: QRectF) -> QPointF:
    """The middle of a card's port."""
    return QPointF(card.right(), card.center().y())


def is_near(card: QRectF, position: QPointF) -> bool:
    """Whether a press at `position` takes the card's port."""
    away = position - middle(card)
    return has_room(card) and away.x() ** 2 + away.y() ** 2 <= REACH_PX**2


def paint_port(painter: QPainter, ink: Ink, card: QRectF, *, hot: bool) -> None:
    """The circle; filled while the pointer is over it."""
    painter.setPen(thin(ink.accent, 2.0))
    painter.setBrush(ink.accent if hot else ink.surface)
    painter.drawEllipse(middle(card), _RADIUS_PX, _RADIUS_PX)


def paint_line(painter: QPainter, ink: Ink, begin: QPointF, end: QPointF) -> None:
    """A flow that is being drawn, to the pointer."""
    path = QPainterPath(begin)
    bend = QPointF(max(30.0, abs(end.x() - begin.x()) / 2), 0)
    path.cubicTo(begin + bend, end - bend, end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(thin(ink.accent, 2.0))
    painter.drawPath(path)
    painter.setBrush(ink.accent)
    painter.drawEllipse(end, _DOT_PX, _DOT_PX)


def ports_of(view: ItemView, tasks: frozenset[int]) -> list[QPointF]:
    """Where the ports of those tasks are."""
    return [middle(view.item_rect(view.item_of(task))) for task in sorted(tasks)]
