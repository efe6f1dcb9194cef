"""The panel of two plans: which two, the commands on them, their schedules, table and exports."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from advisor.advice.plan_difference import NOW
from advisor.allocation.comparison import Row
from gui.basics.wheel import ChoiceBox
from gui.document.document import Document
from gui.panels.compare_columns import CURRENT, Comparison
from gui.panels.two_plans import Pair, TwoPlans
from gui.plots.plot_panel import PlotPanel


class TwoPlansPanel(PlotPanel):
    """Two rows of a comparison as schedules: the current plan and the best of the others at first.

    `first`, `second`: the plans' names.
    """

    adopt_asked = Signal(object)  # str: name of the plan to make the current one

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        self.plans = TwoPlans(document)
        super().__init__(self.plans, "two_plans_panel", "Two plans", parent=parent)
        self._comparison: Comparison | None = None
        self._chosen = False  # by the user; else the best of the others is shown
        self.adopt = QAction("Adopt", self)
        self.adopt.setToolTip("Make the plan below the current one, all of it (one undo step)")
        self.adopt.triggered.connect(self._adopt)
        self.add_commands([self.adopt])
        self.first = self._chooser("two_plans_now", "The plan above")
        self.second = self._chooser("two_plans_then", "The plan below")
        against = QLabel("against")
        for place, widget in enumerate((self.first, against, self.second), 1):
            self.header.insertWidget(place, widget)
        self.plans.told.connect(lambda _difference: self.refresh_table())
        self._enable()

    def take(self, comparison: Comparison | None, keep: bool = False) -> None:
        """Show rows of a comparison; with `keep` the same two as before, where they are there."""
        self._comparison = comparison
        names = list(self._rows())
        for box in (self.first, self.second):
            shown = box.currentText()
            box.clear()
            box.addItems(names)
            box.setCurrentText(shown)
        kept = {self._before, self._after} <= set(names) and self._before != self._after
        if not (kept and (keep or self._chosen)):
            self._chosen = False
            self._choose(CURRENT, self._best())
        else:
            self._choose(self._before, self._after)

    def choose(self, first: str, second: str) -> None:
        """Set two rows beside each other, by their names."""
        if {first, second} <= set(self._rows()) and first != second:
            self._chosen = True
            self._choose(first, second)

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out what was put off while the panel was hidden."""
        super().showEvent(event)
        self._show_pair()

    _before = _after = ""

    def _choose(self, first: str, second: str) -> None:
        self._before, self._after = first, second
        self.first.setCurrentText(first)
        self.second.setCurrentText(second)
        self._show_pair()

    def _show_pair(self) -> None:
        self._enable()
        rows = self._rows()
        one, other = rows.get(self._before), rows.get(self._after)
        if self._comparison is None or one is None or other is None:
            self.plans.show_pair(None)
        elif self.isVisible():
            first, second = _spoken(self._before), _spoken(self._after)
            pair = Pair(
                self._comparison.outcome, (first, one.prediction), (second, other.prediction)
            )
            self.plans.show_pair(pair)
        self.refresh_table()

    def _picked(self, _index: int) -> None:
        """The user chose in one of the boxes: the same in both trades them."""
        first, second = self.first.currentText(), self.second.currentText()
        if first == second:
            first, second = self._after, self._before
        self.choose(first, second)

    def _rows(self) -> dict[str, Row]:
        """The plans that can run, by name."""
        rows = () if self._comparison is None else self._comparison.rows
        return {name: row for name, row in rows if row is not None}

    def _best(self) -> str:
        """The best of the others by the objective; empty where there is none."""
        if self._comparison is None:
            return ""
        objective = self._comparison.outcome.project.objective
        others = {name: row for name, row in self._rows().items() if name != CURRENT}
        return min(others, key=lambda name: others[name].prediction.value_s(objective), default="")

    def _adopt(self) -> None:
        self.adopt_asked.emit(self._after)

    def _enable(self) -> None:
        there = len(self._rows()) > 1
        for box in (self.first, self.second):
            box.setEnabled(there)
        self.adopt.setEnabled(there and self._after not in {"", CURRENT})

    def _chooser(self, name: str, hint: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setAccessibleName(hint)
        box.setToolTip(f"{hint}; selecting one or two rows of the table chooses, too")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(14)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(self._picked)
        return box


def _spoken(name: str) -> str:
    return NOW if name == CURRENT else name
