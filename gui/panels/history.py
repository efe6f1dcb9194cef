"""The list of changes; a click goes back or forth to one of them."""

from __future__ import annotations

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QUndoView, QWidget


class HistoryView(QUndoView):
    """The undo stack as a list, the saved state marked."""

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(stack, parent)
        self.setObjectName("history_list")
        self.setAccessibleName("History of changes")
        self.setEmptyLabel("As opened")
        self.setToolTip("Click a change to go back or forward to it")
        self.setAlternatingRowColors(True)
