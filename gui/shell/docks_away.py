"""Docks that make room for what stands alone, and come back as they lay, one at a time.

All of them at once keep Qt's layout busy for longer than two frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.shell.dock_shares import in_front


class DocksAway:
    """Puts the docks of a window away and brings them back.

    `docks`: by name. `version`: of the layouts that the window saves. `state`: how they lay before
    they were put away; None: they are all back.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], version: int) -> None:
        self._window, self._docks, self._version = window, docks, version
        self.state: QByteArray | None = None
        self._front: list[QDockWidget] = []  # none of a window that was not shown yet
        self._open: list[QDockWidget] = []
        self._left: deque[QDockWidget] = deque()

    def put(self) -> None:
        """Hide all; once more, those that have come back so far."""
        if self.state is None:
            self.state = self._window.saveState(self._version)
            self._open = [dock for dock in self._docks.values() if not dock.isHidden()]
            self._front = [dock for dock in self._open if in_front(self._window, dock)]
        self._left = deque(self._open if self._front else ())
        for dock in self._docks.values():
            dock.hide()

    def bring_next(self) -> bool:
        """Show the next one; False: all are back."""
        if self._left:
            self._left.popleft().show()
            return True
        if self.state is not None and not self._front:
            self._window.restoreState(self.state, self._version)
        for dock in self._front:
            dock.raise_()
        self.forget()
        return False

    def forget(self) -> None:
        """They are where somebody else has put them."""
        self.state = None
        self._front.clear()
        self._left.clear()
