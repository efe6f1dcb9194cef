"""A progress bar that is painted with the next frame, and says as much as it has room for.

Qt's own repaints whenever its value changes, and with it all else that waits to be painted; its
text goes on in a line that is cut.
"""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from gui.basics.theme import GRID

_BETWEEN = "  ·  "


class ProgressBar(QProgressBar):
    """How much is done, in per cent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFormat("%p %")
        self._words: tuple[str, ...] = ()

    def setValue(self, value: int) -> None:
        """Show the value, soon."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)

    def say(self, *words: str) -> None:
        """Words before the share; where there is no room the first ones are left out."""
        self._words = words
        self.update()

    def text(self) -> str:
        """What is written on it."""
        room, parts = self.width() - GRID, [*self._words, super().text()]
        while len(parts) > 1 and self._width(parts) > room:
            del parts[0]
        return _BETWEEN.join(parts)

    def _width(self, parts: list[str]) -> int:
        return self.fontMetrics().horizontalAdvance(_BETWEEN.join(parts))
