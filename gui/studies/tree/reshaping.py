"""Reshaping a tree by its chosen process: fan-outs and levels, by controls and the context menu.

The controls stand in the bar. What is wanted is told as `wanted`; the view makes the edit.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QSizePolicy, QWidget

from advisor.trees.tree_edits import merge_level, refan, refan_level, split_level
from gui.basics.literal_menu import Menu, literal
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox, NumberBox
from gui.studies.picture.picture_bar import PictureBar
from gui.studies.picture.step_buttons import tool_button
from gui.studies.tree.tree_canvas import TreeCanvas
from gui.studies.tree.tree_words import name_of

PROCESS, LEVEL = "process", "level"
_OFFERED = (2, 4, 8, 16, 32)


class Reshaping(QObject):
    """What can be done with the process that the canvas's cursor is on."""

    wanted = Signal(object, object, object, object)  # words, Edit, process, whether again

    def __init__(self, canvas: TreeCanvas, bar: PictureBar) -> None:
        super().__init__(bar)
        self._canvas = canvas
        self._asked: int | None = None  # the process whose fan-out is being chosen
        self.number = NumberBox()
        self.number.setObjectName("tree_fanout")
        self.number.setAccessibleName("Largest fan-out below")
        self.number.setToolTip(
            "Rearrange the back-ends below as a balanced tree of at most this fan-out"
        )
        self.number.setKeyboardTracking(False)
        self.number.setMinimum(2)
        self.number.setMaximumWidth(7 * GRID)
        self.scope = ChoiceBox()
        self.scope.setObjectName("tree_scope")
        self.scope.setAccessibleName("Whose fan-out")
        self.scope.setToolTip("Of the chosen process, or of all processes of its level")
        self.scope.addItem("process", PROCESS)
        self.scope.addItem("level", LEVEL)
        self.scope.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.scope.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.split_button = tool_button("tree_split", "Split", "")
        self.merge_button = tool_button(
            "tree_merge",
            "Merge",
            "Remove the internal processes of this level; their children go to their parents",
        )
        self.split_button.setAccessibleName("Split level")
        self.merge_button.setAccessibleName("Merge level")
        label = QLabel("Fan-&out")
        label.setBuddy(self.number)
        bar.put_in((label, self.number, self.scope, self.split_button, self.merge_button))
        canvas.chosen.connect(lambda _process: self.show_chosen())
        self.number.valueChanged.connect(self._refan)
        self.split_button.clicked.connect(self.split)
        self.merge_button.clicked.connect(self.merge)
        self.show_chosen()

    @property
    def process(self) -> int:
        """The chosen process."""
        return self._canvas.cursor_node

    @property
    def depth(self) -> int:
        """Its depth."""
        drawing = self._canvas.drawing
        return 0 if drawing is None else drawing.layout.depth_of(self.process)

    @property
    def fanout(self) -> int:
        """Its fan-out."""
        drawing = self._canvas.drawing
        return 0 if drawing is None else int(drawing.tree.fanouts[self.process])

    @property
    def groups(self) -> int:
        """Into groups of how many the children of its level are split; 0 where they are not."""
        drawing = self._canvas.drawing
        if drawing is None or not self.fanout:
            return 0
        most = int(drawing.tree.fanouts[drawing.layout.level(self.depth)].max())
        return max(math.isqrt(most - 1) + 1, 2) if most > 2 else 0

    @property
    def can_merge(self) -> bool:
        """Whether its level has internal processes: it is one itself."""
        return self.process > 0 and self.fanout > 0

    def show_chosen(self) -> None:
        """Let the controls say what can be done."""
        drawing = self._canvas.drawing
        asked, self._asked = self._asked, None
        if drawing is not None and asked != self.process:
            self._show_fanout(int(drawing.layout.below[self.process]))
        self.split_button.setEnabled(self.groups > 0)
        self.split_button.setToolTip(
            f"A new level below this one: children in groups of at most {self.groups}"
            if self.groups
            else "Choose a level whose processes have more than 2 children"
        )
        self.merge_button.setEnabled(self.can_merge)

    def _show_fanout(self, most: int) -> None:
        """Show the fan-out of the chosen process; a back-end has none."""
        with QSignalBlocker(self.number):
            self.number.setMaximum(max(most, 2))
            self.number.setValue(max(self.fanout, 2))
        for widget in (self.number, self.scope):
            widget.setEnabled(self.fanout > 0 and most > 1)

    def give_up(self) -> None:
        """What is asked for can't be done now: show the fan-out as it is."""
        self._asked = None
        self.show_chosen()

    def refan(self, fanout: int, level: bool) -> None:
        """Arrange anew what is below the process, or below its whole level."""
        process, depth = self.process, self.depth
        if level:
            text = f"fan-out {fanout} below level {depth}"
            self.wanted.emit(text, lambda tree: refan_level(tree, depth, fanout), process, True)
        else:
            text = f"fan-out {fanout} below {self._name()}"
            self.wanted.emit(text, lambda tree: refan(tree, process, fanout), process, True)

    def split(self) -> None:
        """Put a new level below that of the process."""
        depth, groups = self.depth, self.groups
        text = f"splitting level {depth}"
        self.wanted.emit(text, lambda tree: split_level(tree, depth, groups), self.process, False)

    def merge(self) -> None:
        """Remove the internal processes of its level; its parent is chosen then."""
        drawing, depth = self._canvas.drawing, self.depth
        parent = 0 if drawing is None else int(drawing.tree.parent[self.process])
        text = f"merging level {depth}"
        self.wanted.emit(text, lambda tree: merge_level(tree, depth), parent, False)

    def menu(self, parent: QWidget) -> QMenu:
        """The same as a menu."""
        menu = Menu("", parent)
        menu.setObjectName("tree_menu")
        drawing = self._canvas.drawing
        if drawing is None or not self.fanout:
            menu.addAction("Choose a process with children to reshape the tree").setEnabled(False)
            return menu
        below = int(drawing.layout.below[self.process])
        for title, level in (
            (f"Fan-out below {self._name()}", False),
            (f"Fan-out below level {self.depth}", True),
        ):
            choice = Menu(literal(title), menu)
            menu.addMenu(choice)
            for fanout in (each for each in _OFFERED if each < 2 * below or each == 2):
                choice.addAction(str(fanout)).triggered.connect(
                    lambda _checked=False, fanout=fanout, level=level: self.refan(fanout, level)
                )
        groups = f" into groups of {self.groups}" if self.groups else ""
        split = menu.addAction(f"Split level {self.depth}{groups}")
        split.setEnabled(bool(groups))
        split.triggered.connect(lambda _checked=False: self.split())
        merge = menu.addAction(f"Merge level {self.depth} into the one above")
        merge.setEnabled(self.can_merge)
        merge.triggered.connect(lambda _checked=False: self.merge())
        return menu

    def _refan(self, fanout: int) -> None:
        """The number in the bar stays while it is being changed: trees round it down."""
        self._asked = self.process
        self.refan(fanout, level=self.scope.currentData() == LEVEL)

    def _name(self) -> str:
        drawing = self._canvas.drawing
        return "" if drawing is None else name_of(drawing, self.process).lower()
