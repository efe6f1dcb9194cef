"""The bar above a picture that is edited: what is shown, undo, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from gui.basics.icons import icon
from gui.basics.theme import GRID, theme
from gui.basics.wheel import ChoiceBox
from gui.studies.picture.step_buttons import StepButtons, tool_button


@dataclass(frozen=True)
class PictureWords:
    """What the view of a picture and its bar say; `name` is what object names begin with."""

    name: str
    title: str
    hint: str
    costs: str
    choice: str
    choice_hint: str
    step: str
    best_hint: str
    fit_hint: str
    export: str
    export_hint: str
    picture_hint: str


class PictureBar(QWidget):
    """The controls that all edited pictures have; those of one picture stand in the middle."""

    def __init__(
        self,
        words: PictureWords,
        undo_stack: QUndoStack,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        name = words.name
        self.setObjectName(f"{name}_bar")
        self.choice = ChoiceBox()
        self.choice.setObjectName(f"{name}_choice")
        self.choice.setAccessibleName(words.choice)
        self.choice.setToolTip(words.choice_hint)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        steps = StepButtons(name, undo_stack, words.step, self)
        self.undo, self.redo = steps.undo, steps.redo
        self.best = tool_button(f"{name}_best", "To best", words.best_hint)
        self.fit = tool_button(f"{name}_fit", "Fit", words.fit_hint)
        self.export = tool_button(f"{name}_export", words.export, words.export_hint)
        self.picture = tool_button(f"{name}_picture", "Picture", words.picture_hint)
        self.picture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._lay_out()
        theme().changed.connect(self._draw)
        self._draw()

    def set_menu(self, menu: QMenu) -> None:
        """What can be done with the picture."""
        self.picture.setMenu(menu)

    def offer(self, names: Sequence[str], best: int, shown: int) -> None:
        """List the cases; the best one says so."""
        self.choice.clear()
        for place, name in enumerate(names):
            self.choice.addItem(f"{name} (best)" if place == best else name, name)
        self.choice.setCurrentIndex(shown)

    def put_in(self, widgets: Sequence[QWidget]) -> None:
        """Put the picture's own controls in the middle."""
        self._middle.addSpacing(GRID)
        for widget in widgets:
            self._middle.addWidget(widget)

    def _lay_out(self) -> None:
        row, self._middle = QHBoxLayout(self), QHBoxLayout()
        for layout in (row, self._middle):
            layout.setSpacing(GRID // 2)
        row.setContentsMargins(GRID, GRID // 2, GRID, 0)
        for widget in (self.choice, self.undo, self.redo, self.best):
            row.addWidget(widget)
        row.addLayout(self._middle)
        row.addStretch(1)
        for button in (self.fit, self.export, self.picture):
            row.addWidget(button)

    def _draw(self) -> None:
        self.fit.setIcon(icon("fit"))
