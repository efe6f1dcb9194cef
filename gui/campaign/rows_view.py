"""Rows of a campaign in a table: filtered by text and by what columns have, sorted, opened.

Columns, filters and sorting are worked out on a thread; the table shows what came last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.basics.stop_rule import ShouldStop
from advisor.campaigns.results import TITLED, Filters, Results
from gui.basics.background_jobs import LatestWins
from gui.basics.literal_menu import mark
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.basics.widget_labels import button
from gui.campaign.arranged import ArrangedModel
from gui.plots.plot_panel import Exports
from gui.tables.data_table import DataTable
from gui.tables.plain_cells import PlainCells
from gui.tables.table_columns import Column, sorted_rows
from machines.errors import visible
from machines.stopping import stoppable

Sorting = tuple[int, Qt.SortOrder]
_CHOICES = (  # columns that are chosen by value, and what all of them are called
    ("study", "All studies"),
    ("platform", "All platforms"),
    ("strategy", "All strategies"),
    ("generator", "All generators"),
)
_OF_FILES = "files"  # what has no generator
_OWN = "their own"  # what has no platform
_NONE_SAID = {"generator": _OF_FILES, "platform": _OWN, "strategy": "none", "study": ""}


@dataclass(frozen=True, eq=False)
class _Arranged:
    """What the table shows."""

    results: Results
    columns: tuple[Column, ...]
    rows: NDArray[np.intp]
    choices: dict[str, tuple[str, ...]]
    failed: int


class RowsView(QWidget):
    """A table of rows under its filters.

    `name`, `title`: object name and what it is for screen readers.
    `columns`: makes the columns of results.
    `failed`: whether only rows without an answer are shown.
    `empty`: what is said where there is none.
    """

    open_asked = Signal(object)  # Row

    def __init__(
        self,
        name: str,
        title: str,
        columns: Callable[[Results], tuple[Column, ...]],
        *,
        failed: bool = False,
        empty: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._columns_of, self._failed = columns, failed
        self._results: Results | None = None
        self._shown: _Arranged | None = None
        self._old = True
        self.model = ArrangedModel()
        self.table = DataTable(f"{name}_table", title, model=self.model)
        self.table.setItemDelegate(PlainCells(self.model, self.table))
        self.table.setToolTip("Double-click a row, or press Enter on it, to open its case")
        self.open_action = QAction("Open case", self)
        self.open_action.triggered.connect(lambda _checked=False: self._open_selected())
        self.table.addAction(self.open_action)
        self.exports = Exports(self, title.lower(), None, self.table.chosen_table)
        self.table.addActions(self.exports.actions)
        mark(self.table.actions())
        self._lay_out(name, title, empty)
        self._jobs = LatestWins(self, f"{name} rows")
        self._jobs.done.connect(self._take)
        self.model.sorting_asked.connect(self._arrange)
        self.table.row_activated.connect(self._open)
        self.table.rows_selected.connect(lambda rows: self.open_button.setEnabled(len(rows) == 1))

    @property
    def is_busy(self) -> bool:
        """Whether the table does not show yet what is wished."""
        return self._old or self._jobs.is_busy

    def show_results(self, results: Results) -> None:
        """Show other rows, or more of them; worked out once somebody looks."""
        self._results, self._old = results, True
        if self.isVisible():
            self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Work out what was put off while it was hidden."""
        super().showEvent(event)
        if self._old:
            self._arrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    # making

    def _lay_out(self, name: str, title: str, empty: str) -> None:
        self.filter = QLineEdit()
        self.filter.setObjectName(f"{name}_filter")
        self.filter.setPlaceholderText("Filter by words")
        self.filter.setToolTip("Rows that have each of the words in one of their texts")
        self.filter.setAccessibleName(f"Filter: {title}")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(28 * GRID)
        self.filter.textChanged.connect(lambda _text: self._arrange())
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.filter, 1)
        self.choosers: dict[str, QComboBox] = {}
        for column, everything in _CHOICES:
            self.choosers[column] = self._chooser(name, column, everything)
            row.addWidget(self.choosers[column])
        self.failed_only = QCheckBox("Failed only")
        self.failed_only.setObjectName(f"{name}_failed")
        self.failed_only.setToolTip("Rows that have no answer")
        self.failed_only.setVisible(False)
        self.failed_only.toggled.connect(lambda _on: self._arrange())
        row.addWidget(self.failed_only)
        self.amount = QLabel()
        self.amount.setObjectName(f"{name}_amount")
        self.amount.setProperty("role", "muted")
        row.addWidget(self.amount)
        row.addStretch(0)
        self.open_button = button(
            "Open case", f"{name}_open",
            "Open the row on the board with its plan; a study's on its page (Enter)",
        )  # fmt: skip
        self.open_button.setEnabled(False)
        self.open_button.clicked.connect(lambda _checked=False: self._open_selected())
        row.addWidget(self.open_button)
        self.empty = QLabel(empty)
        self.empty.setObjectName(f"{name}_empty")
        self.empty.setProperty("role", "muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, GRID, 0, 0)
        column_.setSpacing(GRID)
        column_.addLayout(row)
        column_.addWidget(self.table, 1)
        column_.addWidget(self.empty, 1)
        self._show_empty(True)

    def _chooser(self, name: str, column: str, everything: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(f"{name}_{column}")
        box.setAccessibleName(column.capitalize())
        box.setToolTip(f"Show the rows of one {column}, or of all")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setMaximumWidth(24 * GRID)
        box.addItem(everything)
        box.setVisible(False)
        box.currentIndexChanged.connect(lambda _index: self._arrange())
        return box

    # arranging

    @property
    def _filters(self) -> Filters:
        among = tuple(
            (column, (str(box.currentData()),))
            for column, box in self.choosers.items()
            if box.currentIndex() > 0
        )
        failed = self._failed or (self.failed_only.isChecked() and self.failed_only.isVisible())
        return Filters(among, words=self.filter.text(), answered=False if failed else None)

    def _arrange(self) -> None:
        """Work out what is wished; what was wished before is of no use."""
        results, before = self._results, self._shown
        if results is None or not self.isVisible():
            return
        self._old = False
        filters, sorting, columns = self._filters, self.model.sorting, self._columns_of
        only_failed = self._failed
        headings = [one.heading for one in self.model.columns]
        known = before.columns if before is not None and before.results is results else None

        def job(should_stop: ShouldStop) -> _Arranged:
            with stoppable(should_stop):
                made = columns(results) if known is None else known
                rows = np.flatnonzero(results.matching(filters))
                if sorting is not None:
                    place = _place_of(headings[sorting[0]], made)
                    rows = rows if place < 0 else sorted_rows(made, rows, (place, sorting[1]))
                places = np.flatnonzero(~results.answered)
                offered = results.where(places) if only_failed else results
                choices = {name: tuple(map(str, offered.distinct(name))) for name, _ in _CHOICES}
                failed = len(places)
            return _Arranged(results, made, rows, choices, failed)

        self._jobs.request(job)

    def _take(self, arranged: object) -> None:
        if not isinstance(arranged, _Arranged):
            return
        self._shown = arranged
        self._offer(arranged)
        self.model.give(arranged.rows)
        self.table.set_columns(arranged.columns)
        total = arranged.failed if self._failed else len(arranged.results)
        shown = len(arranged.rows)
        self.amount.setText(count(total, "case") if shown == total else f"{shown:,} of {total:,}")
        self._show_empty(total == 0)

    def _offer(self, arranged: _Arranged) -> None:
        """What can be chosen; a choice stays while it is there."""
        for column, box in self.choosers.items():
            values = sorted(arranged.choices[column])
            present = [str(box.itemData(place)) for place in range(1, box.count())]
            if values != present:
                chosen = box.currentData() if box.currentIndex() > 0 else None
                box.blockSignals(True)
                while box.count() > 1:
                    box.removeItem(1)
                for value in values:
                    said = visible(TITLED[column](value) if column in TITLED else value)
                    box.addItem(said or _NONE_SAID[column], value)
                box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
                box.blockSignals(False)
            box.setVisible(len(values) > 1)
        self.failed_only.setVisible(arranged.failed > 0 and not self._failed)

    def _show_empty(self, empty: bool) -> None:
        self.empty.setVisible(empty)
        for widget in (self.table, self.filter, self.amount, self.open_button):
            widget.setVisible(not empty)

    # opening

    def _open_selected(self) -> None:
        for position in self.table.selected()[:1]:
            self._open(position)

    def _open(self, position: object) -> None:
        if self._shown is not None and isinstance(position, int):
            self.open_asked.emit(self._shown.results.rows[position])


def _place_of(heading: str, columns: tuple[Column, ...]) -> int:
    return next((at for at, one in enumerate(columns) if one.heading == heading), -1)
