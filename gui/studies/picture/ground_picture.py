"""A picture that is looked at closely: its ground is painted once, what moves on top of it.

The ground lies in a pixmap until what is shown, the part of it in view, or the theme changes.
"""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.basics.figures import FIGURE
from gui.basics.ink import Ink
from gui.basics.theme import GRID, theme
from gui.plots.painted_chart import DIMMED, Chart
from gui.studies.picture.layer import Layer


class GroundPicture(Chart):
    """Base of pictures with a view that is zoomed and panned.

    `ink`: colours and fonts of the theme.
    """

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setMinimumSize(40 * GRID, 24 * GRID)
        self.ink = Ink(self.font())
        self._fits = True
        self._ground = Layer(self)
        theme().changed.connect(self._take_theme)

    @property
    def legend_height(self) -> float:
        """Of the strip below the picture."""
        return self.ink.small_line + GRID

    @property
    def area(self) -> QRectF:
        """The canvas without its legend."""
        return self.area_in(QRectF(self.rect()))

    def area_in(self, rect: QRectF) -> QRectF:
        """Where the picture lies in a rectangle; its legend is below."""
        return rect.adjusted(0, GRID / 2, 0, -self.legend_height)

    def legend_in(self, rect: QRectF) -> QRectF:
        """Where the legend lies in a rectangle."""
        bottom = self.area_in(rect).bottom()
        return QRectF(rect.left(), bottom, rect.width(), rect.bottom() - bottom)

    def fit(self) -> None:
        """Show everything, also after a change of size."""
        self._fits = True
        self.fit_view()
        self.redraw()

    def fit_view(self) -> None:
        """Take the view in which everything is seen."""
        raise NotImplementedError

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom so that `at` stays where it is."""
        raise NotImplementedError

    def pan(self, dx: float, dy: float) -> None:
        """Move the ground by so many pixels."""
        raise NotImplementedError

    def look(self) -> None:
        """Show the view that was chosen, and keep it."""
        self._fits = False
        self.redraw()

    def redraw(self) -> None:
        """Paint the ground anew."""
        self._ground.forget()
        self.update()

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return QSize(*FIGURE)

    def still(self) -> Self:
        """As every chart's; fonts are for one thread each."""
        made = super().still()
        made.ink = Ink(self.font())
        return made

    def render_ground(self, painter: QPainter) -> None:
        """What lies still; all of it, if nothing else is said."""
        self.render_to(painter, QRectF(self.rect()))

    def paint_on_top(self, painter: QPainter) -> None:
        """What changes more often than the ground."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground from its pixmap, the rest on top."""
        del event
        ground = self._ground.painted(self.ink.board, self.render_ground)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.dimmed:
                painter.fillRect(self.rect(), self.ink.board)
                painter.setOpacity(DIMMED)
            painter.drawPixmap(0, 0, ground)
            painter.setOpacity(1.0)
            painter.setClipRect(self.area)
            self.paint_on_top(painter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit again, unless the user has chosen what to see."""
        super().resizeEvent(event)
        if self._fits:
            self.fit()
        self.redraw()

    def _take_theme(self) -> None:
        self.ink = Ink(self.font())
        self.redraw()
