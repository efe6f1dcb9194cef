"""The check with SimGrid: the plan simulated by another program, beside what is predicted."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from advisor.allocation.timeline_modes import NONE
from advisor.basics.units import Unit
from gui.basics.theme import GRID
from gui.basics.widget_labels import said
from gui.document.checker import Check, Checker
from gui.document.document import Document, Selection
from gui.plots.plot_panel import Exports
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts
from machines.errors import PlacewiseError, capital, readable

_EMPTY = "SimGrid simulates the current plan; its times appear here beside the predicted ones."
_RUNNING = "SimGrid simulates the plan …"
_ALONE = (
    "This prediction is the contention-free schedule; SimGrid models "
    "contention. Plan › Timeline › Contention-aware schedule predicts what it simulates."
)
_OLD = "The plan has changed since it was checked."


class CheckPanel(QWidget):
    """A sentence, what it means, and every task's predicted and simulated end."""

    def __init__(self, document: Document, checker: Checker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("check")
        self.setAccessibleName("Check with SimGrid")
        self._document, self._checker = document, checker
        self.sentence = said("check_sentence", "headline")
        self.notes = said("check_notes", "muted")
        self.start = QPushButton("Check with SimGrid")
        self.start.setObjectName("check_start")
        self.start.setToolTip("Simulate the current plan with SimGrid")
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("check_cancel")
        self.cancel.setToolTip("Stop SimGrid; the previous check stays")
        self.table = DataTable("check_table", "Predicted and simulated ends of all tasks")
        self.exports = Exports(self, "check", None, self.table.chosen_table)
        self._lay_out()
        self.start.clicked.connect(lambda _checked=False: checker.start())
        self.cancel.clicked.connect(lambda _checked=False: checker.cancel())
        self.table.rows_selected.connect(self._choose)
        checker.busy.connect(lambda _busy: self._refresh())
        checker.checked.connect(self._show)
        checker.failed.connect(lambda _error: self._refresh())
        checker.cleared.connect(lambda: self._show(None))
        document.changed.connect(lambda _project: self._refresh())
        document.outcome_changed.connect(lambda _outcome: self._refresh())
        document.selection_changed.connect(self._follow)
        self._show(checker.check)

    def _lay_out(self) -> None:
        export = QToolButton()
        export.setObjectName("check_export")
        export.setText("Export")
        export.setAccessibleName("Export")
        export.setToolTip("Copy or export the selected rows, or all, with full precision")
        export.setAutoRaise(True)
        export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        export.setMenu(self.exports.menu(export))
        self.table.addActions(self.exports.actions)
        self.export = export
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.sentence, 1)
        for widget in (self.start, self.cancel, export):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        body = QVBoxLayout(self)
        body.setContentsMargins(GRID, GRID, GRID, GRID)
        body.setSpacing(GRID)
        body.addLayout(head)
        body.addWidget(self.notes)
        body.addWidget(self.table, 1)
        body.addStretch(0)

    def _show(self, check: Check | None) -> None:
        """Show a result; None: there is none."""
        self.table.set_columns(() if check is None else _columns(check))
        self._refresh()
        self._follow(self._document.selection)

    def _refresh(self) -> None:
        """Say what there is, and what can be done."""
        checker, project = self._checker, self._document.project
        check, busy = checker.check, checker.is_busy
        old = check is not None and not check.answers(project)
        if check is not None:
            text, notes = check.found.sentence, _notes(check)
            if old:
                notes.insert(0, _OLD)
        elif checker.error is not None and not busy:
            text, notes = _told(checker.error)
        else:
            text, notes = _EMPTY, []
        if busy:
            notes.insert(0, _RUNNING)
        self.sentence.setText(text)
        self.sentence.setEnabled(check is None or not (old or busy))
        self.notes.setText("\n".join(filter(None, notes)))
        self.notes.setVisible(bool(self.notes.text()))
        self.table.columns_model.set_dimmed(old or busy)
        self.table.setVisible(check is not None)
        self.export.setVisible(check is not None)
        outcome = self._document.outcome
        self.start.setVisible(not busy)
        self.start.setText("Check again" if check is not None else "Check with SimGrid")
        self.start.setEnabled(outcome is not None and outcome.project is project)
        self.cancel.setVisible(busy)

    def _current(self) -> bool:
        """Whether the rows are the tasks of the document."""
        check, workload = self._checker.check, self._document.project.workload
        return check is not None and check.outcome.project.workload is workload

    def _choose(self, rows: tuple[int, ...]) -> None:
        """Select these tasks, if the workload still has them."""
        if self._current():
            self._document.select(Selection(tasks=frozenset(rows)))

    def _follow(self, selection: Selection) -> None:
        wanted = selection.tasks if self._current() else frozenset()
        if wanted != frozenset(self.table.selected()):
            self.table.select_rows(wanted)


def _columns(check: Check) -> list[Column]:
    """Task, machine, both ends and by how much the simulated one is later; one unit."""
    found = check.found
    machines = [machine.name for machine in check.outcome.project.platform.machines]
    places = np.array(found.prediction.plan.allocation, dtype=np.intp)
    unit = Unit.of_times(found.prediction.end_s, found.end_s)
    apart_s = found.difference_s

    apart = unit if found.agrees else Unit.of_times(apart_s)
    predicted_s = found.prediction.end_s
    return [
        Column("task", "Name of the task", Texts(found.names)),
        Column("machine", "Where it runs", Texts(machines, places)),
        Column("predicted end", "As Placewise predicts (s)", predicted_s, unit.text, "s"),
        Column("simulated end", f"As {found.simulator} simulates (s)", found.end_s, unit.text, "s"),
        Column("difference", "Simulated minus predicted end (s)", apart_s, apart.signed, "s"),
    ]


def _notes(check: Check) -> list[str]:
    """What a difference means, what SimGrid was not told, and how far the prediction holds."""
    found = check.found
    reason = found.reason
    if reason and found.prediction.sharing == NONE:
        reason = _ALONE
    return [reason, *found.notes, *found.prediction.warnings]


def _told(error: PlacewiseError) -> tuple[str, list[str]]:
    """What went wrong, where, and what to do."""
    where = ": ".join(readable(str(one)) for one in (error.where, error.value) if one)
    notes = [f"Asked: {where}." if where else "", f"{error.remedy}." if error.remedy else ""]
    return f"{capital(error.what)}.", notes
