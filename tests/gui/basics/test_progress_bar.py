"""Progress that is painted with the next frame, and its words where they have room."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.progress_bar import ProgressBar


class Counted(QWidget):
    """Counts how often it is painted."""

    painted = 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.painted += 1


def test_progress_paints_nothing_before_the_window_does(qtbot: QtBot) -> None:
    window, beside, bar = QWidget(), Counted(), ProgressBar()
    beside.setFixedSize(50, 20)
    bar.setRange(0, 100)
    layout = QVBoxLayout(window)
    layout.addWidget(bar)
    layout.addWidget(beside)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: beside.painted > 0)
    empty = bar.grab().toImage()
    before = beside.painted
    beside.update()
    for value in (20, 50, 80):
        bar.setValue(value)
    assert beside.painted == before
    qtbot.waitUntil(lambda: beside.painted > before)
    assert bar.grab().toImage() != empty
    assert bar.value() == 80
    assert bar.updatesEnabled()


def test_words_that_have_no_room_are_left_out_from_the_front(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.setRange(0, 100)
    bar.setValue(24)
    bar.say("best 12 min 16 s", "16 s left")
    texts = []
    for width in (400, 170, 50):
        bar.resize(width, 20)
        texts.append(bar.text())
    assert texts == ["best 12 min 16 s  ·  16 s left  ·  24 %", "16 s left  ·  24 %", "24 %"]
    bar.say()
    bar.resize(400, 20)
    assert bar.text() == "24 %"
