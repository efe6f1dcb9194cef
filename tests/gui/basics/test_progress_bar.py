"""Progress that is painted with the next frame."""

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
