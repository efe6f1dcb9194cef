"""Two plans in a file: the sentence about both, and their schedules one above the other."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from gui.basics.figures import FIGURE, TALLEST
from gui.basics.ink import LEFT, Ink
from gui.basics.theme import GRID
from gui.board.plan_view import PlanView


@dataclass(frozen=True, eq=False)
class PlansFigure:
    """A headline, a line below it, and the views of both plans, or stills of them."""

    ink: Ink
    headline: str
    told: str
    views: tuple[PlanView, PlanView]

    def figure_size(self) -> QSize:
        """The size in which the lanes of both can be read."""
        heights = [view.figure_size().height() for view in self.views]
        return QSize(FIGURE[0], min(round(self._text_height()) + GRID + sum(heights), TALLEST))

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw all lanes and all time of both."""
        ink = self.ink
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.topLeft())
        line = ink.line + GRID / 2
        room = QRectF(GRID, 0, rect.width() - 2 * GRID, line)
        ink.write(painter, room, self.headline, ink.text, ink.bold, LEFT)
        room.translate(0, line)
        ink.write(painter, room, self.told, ink.muted, ink.small, LEFT)
        top = self._text_height()
        first, second = (view.figure_size().height() for view in self.views)
        upper = (rect.height() - top - GRID) * first / (first + second)
        below = top + upper + GRID
        self.views[0].render_to(painter, QRectF(0, top, rect.width(), upper))
        self.views[1].render_to(painter, QRectF(0, below, rect.width(), rect.height() - below))
        painter.restore()

    def _text_height(self) -> float:
        """Of the two lines above the schedules."""
        return 2 * (self.ink.line + GRID / 2) + GRID / 2
