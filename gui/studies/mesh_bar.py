"""The bar above the picture of a mapping: which order is shown, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from gui.icons import icon
from gui.theme import GRID, theme

_NOTHING = "a change of your own mapping"


class MappingBar(QWidget):
    """The controls of a `MappingView`."""

    def __init__(self, undo_stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapping_bar")
        self.orders = QComboBox()
        self.orders.setObjectName("mapping_order")
        self.orders.setAccessibleName("Order that is shown")
        self.orders.setToolTip("Which of the compared orders is shown; the best one by itself")
        self.orders.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.undo = _button("mapping_undo", "Undo", "")
        self.redo = _button("mapping_redo", "Redo", "")
        self.best = _button(
            "mapping_best",
            "Back to best",
            "Give your own mapping up and show the best order (one step)",
        )
        self.fit = _button("mapping_fit", "Fit", "Show the whole network (F)")
        self.export = _button(
            "mapping_export",
            "Export mapping…",
            "Write the mapping for mpirun, mpiexec or srun, or as CSV",
        )
        self.picture = _button(
            "mapping_picture",
            "Picture",
            "Copy or export the picture (SVG, PDF, PNG) and the loads of the channels (CSV)",
        )
        self.picture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._lay_out()
        self._follow(undo_stack)
        theme().changed.connect(self._draw)
        self._draw()
        for button, name in ((self.undo, self._name_undo), (self.redo, self._name_redo)):
            button.setEnabled(False)
            name("")

    def set_menu(self, menu: QMenu) -> None:
        """What can be done with the picture."""
        self.picture.setMenu(menu)

    def offer(self, names: Sequence[str], best: int, shown: int) -> None:
        """List the orders; the best one says so."""
        self.orders.clear()
        for place, name in enumerate(names):
            self.orders.addItem(f"{name} (best)" if place == best else name, name)
        self.orders.setCurrentIndex(shown)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, GRID // 2, GRID, 0)
        row.setSpacing(GRID // 2)
        for widget in (self.orders, self.undo, self.redo, self.best):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.fit, self.export, self.picture):
            row.addWidget(widget)

    def _follow(self, undo_stack: QUndoStack) -> None:
        self.undo.clicked.connect(undo_stack.undo)
        self.redo.clicked.connect(undo_stack.redo)
        # what they tell is used, not the stack: it tells once more while it is destroyed
        undo_stack.canUndoChanged.connect(self.undo.setEnabled)
        undo_stack.canRedoChanged.connect(self.redo.setEnabled)
        undo_stack.undoTextChanged.connect(self._name_undo)
        undo_stack.redoTextChanged.connect(self._name_redo)

    def _name_undo(self, step: str) -> None:
        self.undo.setToolTip(f"Undo {step or _NOTHING} (Ctrl+Z)")

    def _name_redo(self, step: str) -> None:
        self.redo.setToolTip(f"Redo {step or _NOTHING} (Ctrl+Shift+Z)")

    def _draw(self) -> None:
        for button, name in ((self.undo, "undo"), (self.redo, "redo"), (self.fit, "fit")):
            button.setIcon(icon(name))


def _button(name: str, text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setAccessibleName(text)
    button.setToolTip(hint)
    button.setAutoRaise(True)
    return button
