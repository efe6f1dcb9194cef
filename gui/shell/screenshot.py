"""``python -m gui.shell.screenshot FOLDER``: the pictures of the README, light and dark.

Opens the window on the example of Figueira & Berman, waits for advice and map and grabs it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.basics.background_jobs import LatestWins
from gui.basics.theme import theme
from gui.shell.app import Startup, make_window

EXAMPLE = "two-machines-loaded"
SIZE = (1280, 800)
_SETTLING_MS = 3000


def main(arguments: list[str]) -> int:
    """Write ``board-light.png`` and ``board-dark.png`` into the folder; exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m gui.shell.screenshot FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["placewise"])
    window = make_window(application, example=EXAMPLE)
    theme().set_mode("light")
    window.resize(*SIZE)
    Startup(window)
    window.show()

    def grab_dark() -> None:
        window.grab().save(str(folder / "board-dark.png"))
        application.quit()

    def grab_light() -> None:
        busy = any(jobs.is_busy for jobs in window.findChildren(LatestWins))
        if busy or window.advisor.is_busy or window.advisor.advice is None:
            QTimer.singleShot(_SETTLING_MS, grab_light)
            return
        window.grab().save(str(folder / "board-light.png"))
        theme().set_mode("dark")
        QTimer.singleShot(500, grab_dark)

    QTimer.singleShot(_SETTLING_MS, grab_light)
    application.exec()
    window.end_jobs()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
