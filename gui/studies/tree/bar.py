"""The bar above the picture of a tree: which tree is shown, how it is reshaped and exported."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QWidget

from gui.basics.theme import GRID
from gui.studies.picture.picture_bar import PictureBar, PictureWords
from gui.studies.picture.step_buttons import tool_button

PROCESS, LEVEL = "process", "level"

_LETTERS = 14  # of a name that are always seen
_SPIN = 10 * GRID


WORDS = PictureWords(
    name="tree",
    title="Tree",
    hint="Drag a process to another parent, or press Enter on it. Arrows: choose; wheel: zoom; "
    "F: fit; double click: open a bundle.",
    costs="What the tree costs",
    choice="Tree that is shown",
    choice_hint="Which of the compared trees is shown; the best one by itself",
    step="a change of your own tree",
    best_hint="Give your own tree up and show the best one (one step)",
    fit_hint="Show the whole tree (F)",
    export="Export…",
    export_hint="Write the tree as a topology file that MRNet reads",
    picture_hint="Copy or export the picture (SVG, PDF, PNG) and the processes (CSV)",
)


class TreeBar(PictureBar):
    """The controls of a `TreeView`."""

    fanout_wanted = Signal(object)  # int, of what `scope` says

    def __init__(
        self, words: PictureWords, undo_stack: QUndoStack, parent: QWidget | None = None
    ) -> None:
        super().__init__(words, undo_stack, parent)
        self.choice.setMinimumContentsLength(_LETTERS)
        self.fanout = QSpinBox()
        self.fanout.setObjectName("tree_fanout")
        self.fanout.setAccessibleName("Largest fan-out below")
        self.fanout.setToolTip(
            "Arrange the back-ends below anew, as a balanced tree of at most this fan-out"
        )
        self.fanout.setKeyboardTracking(False)
        self.fanout.setMinimum(2)
        self.fanout.setMaximumWidth(_SPIN)
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
        label = QLabel("&Fan-out")
        label.setBuddy(self.fanout)
        self.put_in((label, self.fanout, self.scope, self.split, self.merge))
        self.fanout.valueChanged.connect(self.fanout_wanted.emit)

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
