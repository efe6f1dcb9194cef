"""The pointer of the tests: it moves over a widget and clicks twice, as with a mouse in a hand.

Qt's own helper moves the one pointer of the screen, and what lies there hears of it: of two windows
that lie on each other, on the display without a screen, the one that was made first.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

LEFT = Qt.MouseButton.LeftButton


def move(widget: QWidget, *path: QPoint) -> None:
    """Move the pointer over a widget, from place to place; its window hears of it."""
    for place in path:
        above = _above(widget, place)
        assert above is None, f"{above} lies over {widget} and takes the pointer"
        if QCursor.pos() == widget.mapToGlobal(place):  # where another test left it: no move
            QTest.mouseMove(widget, place + QPoint(1, 1))
        QTest.mouseMove(widget, place)


def double_click(widget: QWidget, place: QPoint) -> None:
    """Click twice; Qt's own helper never lets go, so that every move after it would drag."""
    QTest.mouseDClick(widget, LEFT, pos=place)
    QTest.mouseRelease(widget, LEFT, pos=place)


def _above(widget: QWidget, place: QPoint) -> object:
    """What would hear of the pointer instead of the widget's window."""
    window, at = widget.window().windowHandle(), widget.mapToGlobal(place)
    if widget.window().windowType() == Qt.WindowType.Popup:
        return None  # all that the pointer does is told to it
    under = (
        one
        for one in QGuiApplication.topLevelWindows()
        if one.isVisible() and one.geometry().contains(at)
    )
    first = next(under, window)
    return None if first is window else first
