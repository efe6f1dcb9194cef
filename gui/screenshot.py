"""``python -m gui.screenshot FOLDER``: pictures of the window for the documentation.

Every picture is the real window with an example open, after its predictions and advice arrived.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from gui.app import make_window
from gui.document import Selection
from gui.main_window import MainWindow
from gui.theme import theme

_SETTLE_MS = 1500
_PATIENCE_MS = 60_000


@dataclass(frozen=True)
class Picture:
    """Name of the file, example, theme, and what to do before the shutter opens."""

    name: str
    example: str
    mode: str = "light"
    size: tuple[int, int] = (1440, 900)
    prepare: Callable[[MainWindow], object] = lambda _window: None


def _select_machine(window: MainWindow) -> None:
    window.document.select(Selection(machine=0))


PICTURES = (
    Picture("start", "", prepare=lambda window: window.show_start_page(True)),
    Picture("allocation", "two-machines-loaded", prepare=_select_machine),
    Picture("allocation-dark", "two-machines-loaded", "dark", prepare=_select_machine),
    Picture("campaign", "campaign", prepare=lambda window: window.show_dock("breakdown")),
    Picture("mosaic", "mosaic-small", prepare=lambda window: window.show_dock("schedule")),
    Picture("evidence", "two-machines-loaded", prepare=lambda w: w.show_page("evidence")),
)


class Photographer(QObject):
    """Takes the pictures one after the other in one window."""

    def __init__(self, window: MainWindow, folder: Path, application: QApplication) -> None:
        super().__init__(window)
        self._window, self._folder, self._application = window, folder, application
        self._waiting = list(PICTURES)
        self._timer = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._timer.timeout.connect(self._shoot)
        window.document.outcome_changed.connect(lambda _outcome: self._timer.start())
        window.advisor.advised.connect(lambda _advice: self._timer.start())

    def next(self) -> None:
        """Prepare the next picture, or end."""
        if not self._waiting:
            self._application.exit(0)
            return
        picture, window = self._waiting[0], self._window
        theme().set_mode(picture.mode)
        window.resize(*picture.size)
        window.document.undo_stack.setClean()
        if picture.example:
            window.files.example(picture.example)
        else:
            self._timer.start()

    def _shoot(self) -> None:
        picture = self._waiting[0]
        if self._window.advisor.is_busy:
            self._timer.start()
            return
        picture.prepare(self._window)
        self._waiting.pop(0)
        QTimer.singleShot(_SETTLE_MS, self, lambda: self._save(picture))

    def _save(self, picture: Picture) -> None:
        self._window.grab().save(str(self._folder / f"{picture.name}.png"))
        self.next()


def main(folder: Path) -> int:
    """Write all pictures into `folder`; 1 when they did not get ready in time."""
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)  # noqa: S101, RUF100 - nobody else makes one
    window = make_window(application)
    photographer = Photographer(window, folder, application)
    window.show()
    QTimer.singleShot(0, photographer, photographer.next)
    QTimer.singleShot(_PATIENCE_MS, window, lambda: application.exit(1))
    status = application.exec()
    window.document.undo_stack.setClean()
    window.close()
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")))
