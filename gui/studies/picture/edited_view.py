"""A picture that the user edits: its own undo steps, and the keys for them."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import QWidget

from gui.studies.picture.pictures import PictureView

_UNDO = (QKeySequence("Ctrl+Z"),)
_REDO = (QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))


class EditedPictureView(PictureView):
    """Base of views whose pictures are edited.

    Attributes
    ----------
    undo_stack : QUndoStack
        The edits.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)

    def event(self, event: QEvent) -> bool:
        """Keep undo and redo for this view while the focus is in it."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and QKeySequence(event.keyCombination()) in (*_UNDO, *_REDO)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo."""
        keys = QKeySequence(event.keyCombination())
        if keys in _UNDO:
            self.undo_stack.undo()
        elif keys in _REDO:
            self.undo_stack.redo()
        else:
            super().keyPressEvent(event)
