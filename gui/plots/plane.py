"""A painted plot over two axes that zooms and pans: with wheel, drag, double click and keys.

As on the board, the wheel zooms along at the pointer, with Ctrl across, with Shift it pans; F or a
double click shows everything, + and − zoom, arrows pan.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.plots.axes import Axis
from gui.plots.chart import Chart, elided
from gui.plots.span import Span
from gui.theme import GRID, theme

STEP = 1.25
_PAN = 0.15
Key = Qt.Key
_PANS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}
_KEYS = {*_PANS, Key.Key_F, Key.Key_Plus, Key.Key_Equal, Key.Key_Minus}
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


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
            self.pan(-(turn.x() or turn.y()) / 120 * _PAN, 0.0)
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
        key = event.key()
        across = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if key in _PANS:
            right, up = _PANS[Key(key)]
            self.pan(_PAN * right, _PAN * up)
        elif key == Key.Key_F:
            self.fit()
        elif key in (Key.Key_Plus, Key.Key_Equal):
            self.zoom(STEP, across=across)
        elif key == Key.Key_Minus:
            self.zoom(1 / STEP, across=across)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the plot's keys from the board's shortcuts while it has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in _KEYS
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
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


def paint_ticks_beside(painter: QPainter, axis: Axis, area: QRectF, left: float) -> None:
    """Grid lines and ticks of the axis along the left of `area`; its name stands above."""
    colours, metrics = theme().colours, QFontMetricsF(painter.font())
    line = metrics.height()
    for value, label in axis.ticks(36.0):
        y = axis.position(value)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.right(), y))
        painter.setPen(QColor(colours.muted))
        painter.drawText(QRectF(left, y - line / 2, area.left() - 6 - left, line), _RIGHT, label)
    painter.setPen(QColor(colours.text))
    above = QRectF(left, area.top() - line - 6, area.right() - left, line)
    painter.drawText(above, _LEFT, elided(axis.title, metrics, above.width()))


def _share(distance: float, length: float) -> float:
    return min(max(distance / length, 0.0), 1.0) if length > 0 else 0.5
