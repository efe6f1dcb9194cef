"""A picture has a turn of the event loop to itself, after what was laid out for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from gui.shell.main_window import MainWindow


class Painted(QObject):
    """Counts how often a widget was painted."""

    times = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Count."""
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_the_window_is_painted_in_the_turn_after_the_one_that_changed_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show()
    qtbot.waitExposed(window)
    page = window.panel("allocation")
    painted = Painted()
    page.installEventFilter(painted)
    for _ in range(3):  # also the next time
        qtbot.waitUntil(lambda: not window.painting.isActive())
        painted.times = 0
        page.update()
        QCoreApplication.sendPostedEvents()  # layouts, and the request to paint
        assert painted.times == 0
        qtbot.waitUntil(lambda: painted.times > 0)
