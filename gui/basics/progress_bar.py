"""A progress bar that is painted with the next frame.

Qt's own repaints whenever its value changes, and with it all else that waits to be painted.
"""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """How much is done."""

    def setValue(self, value: int) -> None:
        """Show the value, soon."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)
