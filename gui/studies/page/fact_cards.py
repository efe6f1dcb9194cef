"""The figures of an answer as cards in a row, each with its signed difference.

Better is ▼ or ▲ in green, worse in vermilion, by which way the figure is better; a reading that is
neither better nor worse has its difference in the text's colour. All of an old answer is muted.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from advisor.studies.facts import BETTER, MOST_FACTS, NEITHER, SAME, WORSE, Fact
from gui.basics.theme import GRID, theme
from gui.studies.page.few_lines import FewLines

_LARGER_PT = 2
_LEAST = 16 * GRID


class FactCards(QWidget):
    """At most `MOST_FACTS` cards, and what their differences are against."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_facts")
        self.setAccessibleName("Figures of the answer")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        self.cards = [_Card(place) for place in range(MOST_FACTS)]
        for card in self.cards:
            row.addWidget(card, 1)
        self.against = FewLines("study_against", "muted", 3)
        self.against.setAccessibleName("What the signed differences compare with")
        self.against.setFixedWidth(14 * GRID)
        row.addWidget(self.against)
        self.clear()
        theme().changed.connect(self._recolour)

    def show_facts(self, facts: Sequence[Fact], against: str) -> None:
        """Show these figures; `against` names the alternative, if there is one."""
        self._facts = tuple(facts)
        for place, card in enumerate(self.cards):
            card.show_fact(facts[place] if place < len(facts) else None, against)
        self.against.setText(f"▼▲ against {against}" if against else "")
        self.setVisible(bool(facts))
        self._make_room()

    def clear(self) -> None:
        """Show none."""
        self.show_facts((), "")

    def minimumSizeHint(self) -> QSize:
        """Any width: cards without room go."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow page the last cards go."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        room = self.width() - (0 if self.against.isHidden() else self.against.width())
        for place, card in enumerate(self.cards):
            room -= card.least_width + GRID
            card.setVisible(place < len(self._facts) and (place == 0 or room >= 0))

    def _recolour(self) -> None:
        for card in self.cards:
            card.write()


class _Card(QFrame):
    """Name, value and difference of one figure."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.setObjectName(f"study_fact_{place}")
        self.setProperty("role", "fact")
        self.name = FewLines(f"study_fact_{place}_name", "muted", 1)
        self.value = QLabel()
        self.value.setObjectName(f"study_fact_{place}_value")
        font = self.value.font()
        font.setPointSizeF(font.pointSizeF() + _LARGER_PT)
        font.setBold(True)
        self.value.setFont(font)
        self.change = QLabel()
        self.change.setObjectName(f"study_fact_{place}_change")
        self.change.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        below = QHBoxLayout()
        below.setSpacing(GRID)
        below.addWidget(self.value)
        below.addWidget(self.change, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        column.setSpacing(0)
        column.addWidget(self.name)
        column.addLayout(below)
        self._fact: Fact | None = None

    @property
    def least_width(self) -> int:
        """Room for the value and its difference."""
        parts = self.value.sizeHint().width() + self.change.sizeHint().width()
        return max(parts + 3 * GRID, _LEAST)

    def show_fact(self, fact: Fact | None, against: str) -> None:
        """Show a figure, or nothing."""
        self._fact = fact
        if fact is None:
            return
        self.name.setText(fact.name)
        self.value.setText(fact.text)
        self.write()
        change = fact.difference_text
        beside = f", {change} against {against}" if change else ""
        self.setAccessibleName(fact.name)
        self.setAccessibleDescription(f"{fact.text}{beside}")
        full = f"{fact.name}: {fact.value!r}" + ("" if fact.most is None else f" to {fact.most!r}")
        unit = f" {fact.unit}" if fact.unit else ""
        other = "" if fact.against is None else f"\n{against}: {fact.against!r}{unit}"
        self.setToolTip(f"{full}{unit}{other}")

    def changeEvent(self, event: QEvent) -> None:
        """Mute the difference with the rest, or no more."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.write()

    def write(self) -> None:
        """Write the difference in the colour of what it is."""
        fact = self._fact
        if fact is None:
            return
        colours = theme().colours
        colour = {BETTER: colours.better, WORSE: colours.worse, SAME: colours.muted}
        self.change.setText(signed(fact))
        shown = colour.get(fact.verdict, colours.text) if self.isEnabled() else colours.muted
        self.change.setStyleSheet(f"color: {shown}")


def signed(fact: Fact) -> str:
    """The difference with its arrow: "▼ −69"; ▲ is up, ▼ is down."""
    change, text = fact.difference, fact.difference_text
    if not change or fact.verdict in (SAME, NEITHER):
        return text
    return f"{'▲' if change > 0.0 else '▼'} {text}"
