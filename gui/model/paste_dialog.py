"""The dialog about a table of tasks: its columns, its first rows, and what will happen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.basics.table_titles import ROLES
from advisor.project.opening import first_workload
from advisor.project.task_table import Proposal
from advisor.project.task_table_edits import Applied, applied
from gui.basics.error_messages import sentence
from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.document.document import Document
from machines.errors import PlacewiseError

_ROWS = 1_000  # shown
_MOST_ERRORS = 3
_WIDEST = 32  # columns, in steps of the grid


class PasteDialog(InReadingOrder, QDialog):
    """Columns' meanings and cells can be changed; *Add* is one undo step, *Cancel* nothing."""

    def __init__(
        self, document: Document, proposal: Proposal, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("paste_dialog")
        self.setWindowTitle("Table of tasks")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._document, self._proposal = document, proposal
        self._applied: Applied | None = None
        self.table = QTableWidget(min(_ROWS, len(proposal.cells)) + 1, len(proposal.columns), self)
        self.roles: list[ChoiceBox] = []
        self.replacing = QCheckBox("Replace the present tasks")
        self.replacing.setObjectName("paste_replacing")
        self.replacing.setToolTip("Remove all tasks and flows that are not in the table")
        fresh = document.project.workload.tasks == first_workload().tasks
        self.replacing.setChecked(fresh)
        self.what, self.notes = _label("paste_what", ""), _label("paste_notes", "muted")
        self.errors = _label("paste_errors", "error")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add = QPushButton("Add")
        self.add.setObjectName("paste_add")
        self.add.setToolTip("Take the table: one undo step")
        self.buttons.addButton(self.add, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._fill()
        self.table.itemChanged.connect(self._edit)
        self.replacing.toggled.connect(lambda _on: self._check())
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        self._check()

    def _lay_out(self) -> None:
        body = QVBoxLayout(self)
        body.setSpacing(GRID)
        rows = count(len(self._proposal.cells), "row")
        head = _label("paste_head", "headline")
        head.setText(f"{rows}, {count(len(self._proposal.columns), 'column')}")
        hint = _label("paste_hint", "muted")
        hint.setText("Under each title, choose what the column holds; cells can be edited.")
        for widget in (head, hint):
            body.addWidget(widget)
        body.addWidget(self.table, 1)
        below: tuple[QWidget, ...] = (self.notes, self.replacing, self.what, self.errors)
        for part in (*below, self.buttons):
            body.addWidget(part)
        self.resize(120 * GRID, 62 * GRID)

    def _fill(self) -> None:
        """Titles, a choice for each column, and the first rows."""
        proposal, table = self._proposal, self.table
        table.setObjectName("paste_table")
        table.setAccessibleName("First rows of the table")
        table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setHorizontalHeaderLabels([one.title for one in proposal.columns])
        table.setVerticalHeaderLabels(["", *map(str, range(1, table.rowCount()))])
        for place, column in enumerate(proposal.columns):
            choice = ChoiceBox()
            choice.setObjectName(f"paste_role_{place}")
            choice.setAccessibleName(f"{column.title} is taken for")
            choice.setToolTip(f"What the column “{column.title}” is taken for")
            for role, title in ROLES.items():
                choice.addItem(title, role)
            self.roles.append(choice)
            table.setCellWidget(0, place, choice)
            choice.activated.connect(partial(self._choose, place))
            for row in range(1, table.rowCount()):
                table.setItem(row, place, QTableWidgetItem(proposal.cells[row - 1][place]))
            wanted = max(choice.sizeHint().width(), table.sizeHintForColumn(place) + GRID)
            table.setColumnWidth(place, min(max(12 * GRID, wanted), _WIDEST * GRID))
            below_choice = QTableWidgetItem()
            below_choice.setFlags(Qt.ItemFlag.NoItemFlags)
            table.setItem(0, place, below_choice)
        table.setRowHeight(0, self.roles[0].sizeHint().height() + GRID // 2)

    def _edit(self, item: QTableWidgetItem) -> None:
        self._proposal = self._proposal.with_cell(item.row() - 1, item.column(), item.text())
        self._check()

    def _choose(self, place: int, _item: int) -> None:
        self._proposal = self._proposal.taken_as(place, str(self.roles[place].currentData()))
        self._check()

    def _check(self) -> None:
        """State what will happen, or what hinders it."""
        proposal = self._proposal
        for choice, column in zip(self.roles, proposal.columns, strict=True):
            choice.setCurrentIndex(choice.findData(column.role))
        problems = [sentence(error) for error in proposal.errors]
        self._applied = None
        if not problems:
            try:
                self._applied = applied(
                    self._document.project, proposal, replacing=self.replacing.isChecked()
                )
            except PlacewiseError as error:
                problems = [sentence(error)]
        more = len(problems) - _MOST_ERRORS
        self.errors.setText(
            "\n".join([*problems[:_MOST_ERRORS], *([f"… and {more} more"] if more > 0 else [])])
        )
        self.errors.setVisible(bool(problems))
        self.what.setText("" if self._applied is None else self._applied.text)
        self.notes.setText(" ".join(proposal.notes))
        self.notes.setVisible(bool(proposal.notes))
        self.add.setEnabled(self._applied is not None)

    def _take(self) -> None:
        if self._applied is not None:
            self._document.apply(
                self._applied.project, "Paste table of tasks", replaces=self.replacing.isChecked()
            )
            self.accept()


def _label(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label
