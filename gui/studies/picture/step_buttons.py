"""The undo and redo buttons of a picture's bar, and how its other buttons look."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QToolButton

from gui.basics.icons import icon
from gui.basics.theme import theme


class StepButtons(QObject):
    """Two buttons that follow an undo stack.

    `name`: what their object names begin with. `undo_stack`: the steps. `nothing`: what a step is,
    where there is none: "a change of …". `parent`: the bar.
    """

    def __init__(self, name: str, undo_stack: QUndoStack, nothing: str, parent: QObject) -> None:
        super().__init__(parent)
        self._nothing = nothing
        self.undo = tool_button(f"{name}_undo", "Undo", "")
        self.redo = tool_button(f"{name}_redo", "Redo", "")
        self.undo.clicked.connect(undo_stack.undo)
        self.redo.clicked.connect(undo_stack.redo)
        # what they tell is used, not the stack: it tells once more while it is destroyed
        undo_stack.canUndoChanged.connect(self.undo.setEnabled)
        undo_stack.canRedoChanged.connect(self.redo.setEnabled)
        undo_stack.undoTextChanged.connect(self._name_undo)
        undo_stack.redoTextChanged.connect(self._name_redo)
        theme().changed.connect(self._draw)
        self._draw()
        for button, tell in ((self.undo, self._name_undo), (self.redo, self._name_redo)):
            button.setEnabled(False)
            tell("")

    def _name_undo(self, step: str) -> None:
        self.undo.setToolTip(f"Undo {step or self._nothing} (Ctrl+Z)")

    def _name_redo(self, step: str) -> None:
        self.redo.setToolTip(f"Redo {step or self._nothing} (Ctrl+Shift+Z)")

    def _draw(self) -> None:
        self.undo.setIcon(icon("undo"))
        self.redo.setIcon(icon("redo"))


def tool_button(name: str, text: str, hint: str) -> QToolButton:
    """A flat button of a bar."""
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setAccessibleName(text)
    button.setToolTip(hint)
    button.setAutoRaise(True)
    return button
