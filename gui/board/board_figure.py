"""The board in a file: the legend, and below it the whole view in front."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, QSizeF
from PySide6.QtGui import QPainter

from gui.board.board_legend import Legend
from gui.board.graph_view import GraphView
from gui.board.schedule_view import ScheduleView


@dataclass(frozen=True, eq=False)
class BoardFigure:
    """Legend and view, or stills of them."""

    legend: Legend
    view: ScheduleView | GraphView

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw both into `rect`."""
        legend = QRectF(rect.topLeft(), QSizeF(rect.width(), self._legend_height(rect.width())))
        self.legend.render_to(painter, legend)
        self.view.render_to(painter, rect.adjusted(0, legend.height(), 0, 0))

    def figure_size(self) -> QSize:
        """The size in which every row and card can be read."""
        size = self.view.figure_size()
        return size + QSize(0, self._legend_height(size.width()))

    def _legend_height(self, width: float) -> int:
        return self.legend.heightForWidth(round(width))
