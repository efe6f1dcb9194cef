"""A painted plot over two axes that zooms and pans: with wheel, drag, double click and keys.

As on the board, the wheel zooms along at the pointer, with Ctrl across, with Shift it pans; F or a
double click shows everything, + and − zoom, arrows pan.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.basics.theme import GRID, theme
from gui.plots.axes import Axis
from gui.plots.chart import Chart, elided
from gui.plots.span import Span
from gui.plots.zoom_keys import PAN, STEP, kept_from_shortcuts, take_key

_CENTRE = Qt.AlignmentFlag.AlignCenter


class Plane(Chart):
    """Base of plots with two axes; subclasses say what the whole is and paint what is in view."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._view: tuple[Span, Span] | None = None
        self._dragged: QPointF | None = None

    def whole(self) -> tuple[Span, Span]:
        """Everything there is, along and across."""
        raise NotImplementedError

    def area(self) -> QRectF:
        """Where the plane lies in the widget."""
        raise NotImplementedError

    @property
    def view(self) -> tuple[Span, Span]:
        """What is looked at, along and across."""
        along, across = self.whole()
        if self._view is None:
            return along, across
        return self._view[0].inside(along), self._view[1].inside(across)

    @property
    def is_fitted(self) -> bool:
        """Whether everything is in view."""
        return self._view is None

    def fit(self) -> None:
        """Show everything."""
        self._view = None
        self.moved()

    def zoom(self, factor: float, at: QPointF | None = None, across: bool = False) -> None:
        """Enlarge one axis around a point, or around the middle."""
        whole, view = self.whole(), self.view
        area = self.area()
        point = area.center() if at is None else at
        if across:
            share = _share(area.bottom() - point.y(), area.height())
            self._show((view[0], view[1].zoomed(factor, share, whole[1])))
        else:
            share = _share(point.x() - area.left(), area.width())
            self._show((view[0].zoomed(factor, share, whole[0]), view[1]))

    def pan(self, along: float, across: float) -> None:
        """Move by shares of what is in view."""
        whole, view = self.whole(), self.view
        self._show((view[0].moved(along, whole[0]), view[1].moved(across, whole[1])))

    def moved(self) -> None:
        """Another part is in view."""
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Room for axes and a little in between."""
        return QSize(36 * GRID, 20 * GRID)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways, or with Shift, pan."""
        turn = event.angleDelta()
        modifiers = event.modifiers()
        if turn.x() or modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-(turn.x() or turn.y()) / 120 * PAN, 0.0)
        else:
            across = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
            self.zoom(STEP ** (turn.y() / 120), event.position(), across)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the plane."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._dragged = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The plane follows the pointer that holds it."""
        if self._dragged is None:
            return
        by, area = event.position() - self._dragged, self.area()
        self._dragged = event.position()
        if not self.is_fitted:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.pan(-by.x() / max(area.width(), 1), by.y() / max(area.height(), 1))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the plane."""
        del event
        self._dragged = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything."""
        del event
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F fits, + and − zoom (with Alt across), arrows pan."""
        if not take_key(self, event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the plot's keys from the board's shortcuts while it has the focus."""
        if kept_from_shortcuts(event):
            event.accept()
            return True
        return super().event(event)

    def _show(self, view: tuple[Span, Span]) -> None:
        self._view = None if view == self.whole() else view
        self.moved()


def paint_ticks_below(painter: QPainter, axis: Axis, area: QRectF) -> None:
    """Grid lines, ticks and the name of the axis along the bottom of `area`."""
    colours, metrics = theme().colours, QFontMetricsF(painter.font())
    line = metrics.height()
    for value, label in axis.ticks():
        x = axis.position(value)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4))
        painter.setPen(QColor(colours.muted))
        half = metrics.horizontalAdvance(label) / 2 + 2
        painter.drawText(QRectF(x - half, area.bottom() + 4, 2 * half, line), _CENTRE, label)
    painter.setPen(QColor(colours.text))
    below = QRectF(area.left(), area.bottom() + 4 + line, area.width(), line)
    painter.drawText(below, _CENTRE, elided(axis.title, metrics, below.width()))


def _share(distance: float, length: float) -> float:
    return min(max(distance / length, 0.0), 1.0) if length > 0 else 0.5
