"""The bar above the picture of a tree: which tree is shown, how it is reshaped and exported."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QMenu, QSpinBox, QToolButton, QWidget

from gui.icons import icon
from gui.studies.step_buttons import StepButtons, tool_button
from gui.theme import GRID, theme

PROCESS, LEVEL = "process", "level"

_LETTERS = 14  # of a name that are always seen
_SPIN = 10 * GRID


class TreeBar(QWidget):
    """The controls of a `TreeView`."""

    fanout_wanted = Signal(object)  # int, of what `scope` says

    def __init__(self, undo_stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree_bar")
        self.trees = QComboBox()
        self.trees.setObjectName("tree_choice")
        self.trees.setAccessibleName("Tree that is shown")
        self.trees.setToolTip("Which of the compared trees is shown; the best one by itself")
        self.trees.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.trees.setMinimumContentsLength(_LETTERS)
        steps = StepButtons("tree", undo_stack, "a change of your own tree", self)
        self.undo, self.redo = steps.undo, steps.redo
        self.best = tool_button(
            "tree_best", "Back to best", "Give your own tree up and show the best one (one step)"
        )
        self.fanout = QSpinBox()
        self.fanout.setObjectName("tree_fanout")
        self.fanout.setAccessibleName("Largest fan-out below")
        self.fanout.setToolTip(
            "Arrange the back-ends below anew, as a balanced tree of at most this fan-out"
        )
        self.fanout.setKeyboardTracking(False)
        self.fanout.setMinimum(2)
        self.fanout.setMaximumWidth(_SPIN)
        self.fanout.valueChanged.connect(self.fanout_wanted.emit)
        self.scope = QComboBox()
        self.scope.setObjectName("tree_scope")
        self.scope.setAccessibleName("Whose fan-out")
        self.scope.setToolTip("Of the chosen process, or of all processes of its level")
        self.scope.addItem("below process", PROCESS)
        self.scope.addItem("below level", LEVEL)
        self.split = tool_button("tree_split", "Split level", "")
        self.merge = tool_button(
            "tree_merge",
            "Merge level",
            "Remove the internal processes of this level; their children go to their parents",
        )
        self.fit = tool_button("tree_fit", "Fit", "Show the whole tree (F)")
        self.export = tool_button(
            "tree_export", "Export…", "Write the tree as a topology file that MRNet reads"
        )
        self.picture = tool_button(
            "tree_picture",
            "Picture",
            "Copy or export the picture (SVG, PDF, PNG) and the processes (CSV)",
        )
        self.picture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._lay_out()
        theme().changed.connect(self._draw)
        self._draw()

    def set_menu(self, menu: QMenu) -> None:
        """What can be done with the picture."""
        self.picture.setMenu(menu)

    def offer(self, names: Sequence[str], best: int, shown: int) -> None:
        """List the trees; the best one says so."""
        self.trees.clear()
        for place, name in enumerate(names):
            self.trees.addItem(f"{name} (best)" if place == best else name, name)
        self.trees.setCurrentIndex(shown)

    def show_fanout(self, fanout: int, most: int) -> None:
        """Show the fan-out of the chosen process; 0 for a back-end."""
        with QSignalBlocker(self.fanout):
            self.fanout.setMaximum(max(most, 2))
            self.fanout.setValue(max(fanout, 2))
        for widget in (self.fanout, self.scope):
            widget.setEnabled(fanout > 0 and most > 1)

    @property
    def whole_level(self) -> bool:
        """Whether the fan-out is that of a level."""
        return str(self.scope.currentData()) == LEVEL

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, GRID // 2, GRID, 0)
        row.setSpacing(GRID // 2)
        label = QLabel("&Fan-out")
        label.setBuddy(self.fanout)
        choice: tuple[QWidget, ...] = (self.trees, self.undo, self.redo, self.best)
        shape: tuple[QWidget, ...] = (label, self.fanout, self.scope, self.split, self.merge)
        for widget in choice:
            row.addWidget(widget)
        row.addSpacing(GRID)
        for widget in shape:
            row.addWidget(widget)
        row.addStretch(1)
        for button in (self.fit, self.export, self.picture):
            row.addWidget(button)

    def _draw(self) -> None:
        self.fit.setIcon(icon("fit"))
