"""What crosses the selected link, switch or store and when: below its sheet in the inspector."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.allocation.prediction import Transfers, crossing_links, links_of
from advisor.basics.quantities import count, duration, percent, slowdown
from advisor.basics.units import Unit
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome, Selection
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts
from machines.arrays import Ints

_SHOWN_ROWS = 8  # of the table before it scrolls
_MOST_ROWS = 2_000  # that are listed: naming more would hold up the window


class Traffic(QWidget):
    """How busy the selected part is, and a table of its transfers; hidden where it has none."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("traffic")
        self._document = document
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("role", "muted")
        self.table = DataTable("traffic.table", "What crosses it, and when")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID // 2, 0, 0)
        column.addWidget(self.words)
        column.addWidget(self.table)
        document.outcome_changed.connect(self._show)
        document.selection_changed.connect(self._show)
        self._show()

    def _show(self, _change: object = None) -> None:
        outcome, chosen = self._document.outcome, self._document.selection
        links = () if outcome is None else _links(outcome, chosen)
        self.setVisible(bool(links) and outcome is not None)
        if outcome is None or not links or outcome.prediction.transfers is None:
            self.hide()
            return
        moved = crossing_links(outcome.problem, outcome.prediction.transfers, links)
        self.words.setText(_busy(outcome, _resources(outcome, chosen, links), moved))
        listed = moved[:_MOST_ROWS]
        if moved.size > listed.size:
            self.words.setText(
                f"{self.words.text()}\nThe first {_MOST_ROWS:,} of {moved.size:,} transfers; the "
                "table Transfers has all."
            )
        self.table.set_columns(_columns(outcome, outcome.prediction.transfers, listed))
        rows = min(_SHOWN_ROWS, self.table.columns_model.rowCount())
        self.table.setVisible(rows > 0)
        height = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(
            height + (rows + 1) * self.table.verticalHeader().defaultSectionSize()
        )


def _links(outcome: Outcome, chosen: Selection) -> tuple[int, ...]:
    """Links of the selected part that transfers may cross."""
    platform = outcome.problem.platform
    if chosen.link is not None:
        return (chosen.link,) if chosen.link < len(platform.links) else ()
    if chosen.switch is not None and chosen.switch < len(platform.switches):
        return links_of(outcome.problem, platform.switches[chosen.switch].name)
    if chosen.store is not None and chosen.store < len(platform.stores):
        return links_of(outcome.problem, platform.stores[chosen.store].name)
    return ()


def _resources(outcome: Outcome, chosen: Selection, links: tuple[int, ...]) -> list[int]:
    """Positions of the shared resources that the selected part is, or that its links are."""
    return [
        place
        for place, one in enumerate(outcome.problem.shared.resources)
        if one.link in links or (chosen.switch is not None and one.switch == chosen.switch)
    ]


def _busy(outcome: Outcome, places: list[int], moved: Ints) -> str:
    """How much moved through each resource, and how busy that kept it."""
    prediction = outcome.prediction
    if not moved.size:
        return "Nothing crosses it in this plan."
    every = (prediction.resources[place] for place in places)
    used = [one for one in every if one.size_bytes > 0]
    if used:
        amounts = Unit.of("B", *(one.size_bytes for one in used))
        lines = (
            f"{one.name}: {amounts.text(one.size_bytes)}, {percent(one.busy_share)} utilised"
            for one in used
        )
        return "\n".join((f"In the {duration(prediction.makespan_s)} of the plan:", *lines))
    return f"{count(moved.size, 'transfer')}: they don't share it, its bandwidth caps each alone."


def _columns(outcome: Outcome, moved: Transfers, rows: Ints) -> list[Column]:
    problem = outcome.problem
    hosts = list(problem.platform.hosts)
    names = [moved.name(problem.workload, row) for row in rows.tolist()]
    lasted = moved.arrived_s[rows] - moved.left_s[rows]
    alone = moved.dedicated_s[rows]
    factor = np.divide(lasted, alone, out=np.ones_like(lasted), where=alone > 0)
    left_s, arrived_s, sizes = moved.left_s[rows], moved.arrived_s[rows], moved.size_bytes[rows]
    times, amounts = Unit.of_times(left_s, arrived_s), Unit.of("B", sizes)
    return [
        Column("moves", "File, or the flow whose data it is", Texts.grouped(names)),
        Column("to", "Machine that it goes to", Texts(hosts, moved.target[rows])),
        Column("departs", "Departure (s)", left_s, times.text, "s"),
        Column("arrives", "Arrival (s)", arrived_s, times.text, "s"),
        Column("data", "Its bytes", sizes, amounts.text, "B"),
        Column("× alone", "Its time over that on an idle network", factor, slowdown),
        Column("from", "Machine or store that it comes from", Texts(hosts, moved.source[rows])),
    ]
