"""The bar above the picture of a mapping: which order is shown, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from gui.icons import icon
from gui.studies.step_buttons import StepButtons, tool_button
from gui.theme import GRID, theme


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
        steps = StepButtons("mapping", undo_stack, "a change of your own mapping", self)
        self.undo, self.redo = steps.undo, steps.redo
        self.best = tool_button(
            "mapping_best",
            "Back to best",
            "Give your own mapping up and show the best order (one step)",
        )
        self.fit = tool_button("mapping_fit", "Fit", "Show the whole network (F)")
        self.export = tool_button(
            "mapping_export",
            "Export mapping…",
            "Write the mapping for mpirun, mpiexec or srun, or as CSV",
        )
        self.picture = tool_button(
            "mapping_picture",
            "Picture",
            "Copy or export the picture (SVG, PDF, PNG) and the loads of the channels (CSV)",
        )
        self.picture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._lay_out()
        theme().changed.connect(self._draw)
        self._draw()

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

    def _draw(self) -> None:
        self.fit.setIcon(icon("fit"))
