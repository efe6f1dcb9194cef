"""What tests do with any picture that is edited: wait, drag, choose."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.studies.picture.edited_view import EditedPictureView
from tests.gui.pointer import move

LEFT = Qt.MouseButton.LeftButton
View = EditedPictureView[Any, Any, Any]
Edits = list[dict[str, str]]


def settled(qtbot: QtBot, view: View) -> None:
    """Until nothing is prepared, edited or priced any more."""
    qtbot.waitUntil(lambda: not view.is_preparing)


def drag(qtbot: QtBot, view: View, start: QPoint, end: QPoint, drop: bool = True) -> None:
    """Press at one place, move to the other, release there."""
    qtbot.mousePress(view.canvas, LEFT, pos=start)
    move(view.canvas, start + QPoint(15, 15), end)
    if drop:
        qtbot.mouseRelease(view.canvas, LEFT, pos=end)
        settled(qtbot, view)


def choose(qtbot: QtBot, view: View, name: str) -> None:
    """Choose a case with the keyboard."""
    combo = view.bar.choice
    combo.setFocus()
    wanted = combo.findData(name)
    while combo.currentIndex() != wanted:
        down = combo.currentIndex() < wanted
        qtbot.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
        settled(qtbot, view)


def wheel(canvas: QWidget, place: QPointF, turns: int) -> None:
    """Turn the wheel forward at a place."""
    for _ in range(turns):
        turn = QWheelEvent(
            place, QPointF(canvas.mapToGlobal(place.toPoint())), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas, turn)


def pull(qtbot: QtBot, canvas: QWidget, start: QPoint, end: QPoint) -> None:
    """Move the ground with the middle button."""
    middle = Qt.MouseButton.MiddleButton
    qtbot.mousePress(canvas, middle, pos=start)
    move(canvas, end)
    qtbot.mouseRelease(canvas, middle, pos=end)


def told_by(view: View) -> Edits:
    """What the view tells the form from now on."""
    told: Edits = []
    view.edited.connect(told.append)
    return told
