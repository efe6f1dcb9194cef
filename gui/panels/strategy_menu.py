"""The menu of strategies to compare, and the question of the one that has to end by a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from advisor.basics import entries
from advisor.odds.goals import LEAST
from advisor.search import STRATEGIES
from gui.basics.error_messages import sentence
from gui.basics.literal_menu import Menu, literal
from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from machines.errors import InputError, PlacewiseError

Add = Callable[[Sequence[str]], object]


def strategy_menu(add: Add, parent: QWidget) -> QMenu:
    """All strategies, by what they are for."""
    menu = Menu("", parent)
    everything = menu.addAction("All strategies")
    everything.setObjectName("strategy_all")
    everything.setToolTip(
        "One after the other, without those from the literature; Cancel keeps the plans found"
    )
    usual = tuple(name for name, one in STRATEGIES.items() if not one.by_name)
    everything.triggered.connect(lambda _on=False: add(usual))
    menu.addSeparator()
    by_name = Menu("From the literature", menu)
    by_name.setObjectName("strategies_by_name")
    for name, strategy in STRATEGIES.items():
        below = by_name if strategy.by_name and strategy.goal is None else menu
        action = below.addAction(literal(strategy.title))
        action.setToolTip("\n".join(filter(None, (strategy.help, strategy.source))))
        action.setObjectName(f"strategy_{name}")
        action.triggered.connect(lambda _on=False, name=name: add([name]))
    deadline = menu.addAction("By a deadline…")
    deadline.setObjectName("strategy_deadline")
    deadline.setToolTip("The plan of least money, energy or carbon that ends in time")
    deadline.triggered.connect(lambda _on=False: DeadlineDialog(add, parent).open())
    menu.addSeparator()
    menu.addMenu(by_name)
    return menu


class DeadlineDialog(InReadingOrder, QDialog):
    """By when, in which share of the runs, and what a plan is to spend least of."""

    def __init__(self, add: Add, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("deadline_dialog")
        self.setWindowTitle("Plan by a deadline")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add = add
        self.deadline = QLineEdit()
        self.deadline.setPlaceholderText("e.g. 1 h 20 min")
        self.chance = QLineEdit("95")
        self.least = ChoiceBox()
        self.least.addItems([one.capitalize() for one in LEAST])
        self.wrong = QLabel()
        self.wrong.setObjectName("deadline_wrong")
        self.wrong.setProperty("role", "error")
        self.wrong.setWordWrap(True)
        form = QFormLayout()
        for name, title, field in (
            ("deadline", "Ends within", self.deadline),
            ("chance", "In % of runs", self.chance),
            ("least", "At the least", self.least),
        ):
            field.setObjectName(f"deadline_{name}")
            field.setAccessibleName(title)
            form.addRow(title, field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        body = QVBoxLayout(self)
        body.addLayout(form)
        body.addWidget(self.wrong)
        body.addWidget(buttons)
        self.setMinimumWidth(48 * GRID)

    def _take(self) -> None:
        try:
            deadline_s = entries.real(self.deadline.text(), "s")
            percent = entries.real(self.chance.text().removesuffix("%"), "", "a share, e.g. 95")
            if deadline_s <= 0.0:
                raise InputError("a deadline must be above 0", value=self.deadline.text())
            if not 1.0 <= percent <= 99.0:
                raise InputError("this share is out of range", value=self.chance.text(),
                                 remedy="Write 1 to 99")  # fmt: skip
        except PlacewiseError as error:
            self.wrong.setText(sentence(error))
            return
        least = LEAST[self.least.currentIndex()]
        self.accept()
        self._add([f"deadline:{deadline_s:.9g}:{percent / 100:g}:{least}"])
