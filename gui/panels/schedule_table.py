"""The schedule as tables: every task and every transfer, sorted and filtered at will.

The tables follow the document's selection and set it; copies and exports keep full precision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, duration, size, slowdown
from gui.basics.figures import Table
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome, Selection
from gui.plots.panel import Exports
from gui.tables.columns import Column, Texts
from gui.tables.data_table import DataTable
from machines.arrays import Flags, Floats

_SLOWDOWN = "Slowdown s = time ÷ dedicated time; 1: no contention"


class OutcomeTable(DataTable):
    """A table of the latest prediction that follows the document.

    What depends on the workload alone is derived once, off the window's thread.
    """

    def __init__(self, document: Document, name: str, title: str) -> None:
        super().__init__(name, title)
        self.document = document
        self._shown: Outcome | None = None
        self._workload: Workload | None = None
        self._fixed: list[Column] = []
        self._jobs = LatestWins(self, name)
        self._jobs.done.connect(self._take_fixed)
        document.changed.connect(self._dim_if_old)
        document.outcome_changed.connect(self._take)
        document.selection_changed.connect(self._follow)
        self.rows_selected.connect(self.choose)
        if document.outcome is not None:
            self._take(document.outcome)

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """The columns that do not change with the plan."""
        raise NotImplementedError

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """All columns of a prediction, `fixed` among them."""
        raise NotImplementedError

    def chosen_in(self, selection: Selection) -> frozenset[int]:
        """Which rows a selection means."""
        raise NotImplementedError

    def choose(self, rows: tuple[int, ...]) -> None:
        """Make these rows the document's selection."""
        raise NotImplementedError

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    def _take(self, outcome: Outcome) -> None:
        workload = outcome.project.workload
        if workload is self._workload:
            self._show(outcome)
        else:
            self._jobs.request(lambda _stop: (workload, self.fixed_columns(workload)))

    def _take_fixed(self, found: object) -> None:
        if isinstance(found, tuple):
            self._workload, self._fixed = found
            outcome = self.document.outcome
            if outcome is not None and outcome.project.workload is self._workload:
                self._show(outcome)

    def _show(self, outcome: Outcome) -> None:
        self._shown = outcome
        self.set_columns(self.columns_for(outcome, self._fixed))
        self._dim_if_old()
        self._follow(self.document.selection)

    def _dim_if_old(self, _project: object = None) -> None:
        old = self._shown is not None and self._shown.project is not self.document.project
        self.columns_model.set_dimmed(old)

    def _follow(self, selection: Selection) -> None:
        wanted = self.chosen_in(selection)
        if wanted != frozenset(self.selected()):
            self.select_rows(wanted)


class TaskTable(OutcomeTable):
    """Task, machine, start, end, dedicated time, slowdown, critical."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "task_table", "Schedule: tasks")

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """Names and kinds, in the workload's order."""
        kinds = Texts.grouped([task.group for task in workload.tasks]).prepare()
        names = [task.name for task in workload.tasks]
        return [
            Column("task", "Name of the task", Texts(names).prepare()),
            Column("kind", "Group of like tasks", kinds),
        ]

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a task."""
        found = outcome.prediction
        places = np.array(found.plan.allocation, dtype=np.intp)
        slowdowns = _ratio(found.task_s, found.task_dedicated_s)
        return [
            *fixed,
            Column("machine", "Where it runs", _machines(outcome, places)),
            _seconds("start", "Start, from the start of the first task", found.start_s),
            _seconds("end", "End, from the start of the first task", found.end_s),
            _seconds("dedicated", "Time on its machine alone", found.task_dedicated_s),
            Column("slowdown", _SLOWDOWN, slowdowns, slowdown),
            _seconds("time", "Time on its machine under contention", found.task_s),
            _critical("On the critical path: without slack", found.critical),
            Column("cores", "Cores that it holds: its processors", outcome.costs.task_cores),
        ]

    def chosen_in(self, selection: Selection) -> frozenset[int]:
        """The selected tasks."""
        return selection.tasks

    def choose(self, rows: tuple[int, ...]) -> None:
        """Select these tasks."""
        self.document.select(Selection(tasks=frozenset(rows)))


class TransferTable(OutcomeTable):
    """From, to, both machines, bytes, dedicated time, slowdown, critical."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "transfer_table", "Schedule: transfers")

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """Both ends and the bytes, in the workload's order."""
        names = [task.name for task in workload.tasks]
        sizes = workload.edge_bytes
        return [
            Column("from", "Task that sends", Texts(names, workload.sources).prepare()),
            Column("to", "Task that waits for it", Texts(names, workload.targets).prepare()),
            Column("data", "All bytes of its data sets", sizes, size, "B"),
        ]

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a flow; on one machine it costs nothing."""
        found, workload = outcome.prediction, outcome.project.workload
        places = np.array(found.plan.allocation, dtype=np.intp)
        first, second = places[workload.sources], places[workload.targets]
        slowdowns = _ratio(found.flow_s, found.flow_dedicated_s)
        return [
            *fixed,
            Column("from machine", "Where the sender runs", _machines(outcome, first)),
            Column("to machine", "Where the receiver runs", _machines(outcome, second)),
            _seconds("dedicated", "Transfer time on an empty link", found.flow_dedicated_s),
            Column("slowdown", _SLOWDOWN, slowdowns, slowdown),
            _seconds("time", "Transfer time under contention", found.flow_s),
            _critical("On the critical path", found.critical_flows),
        ]

    def chosen_in(self, selection: Selection) -> frozenset[int]:
        """The selected flow."""
        return frozenset() if selection.flow is None else frozenset((selection.flow,))

    def choose(self, rows: tuple[int, ...]) -> None:
        """Select the first of these flows; without rows nothing is selected."""
        self.document.select(Selection(flow=rows[0] if rows else None))


class ScheduleTable(QWidget):
    """Both tables behind one filter, with copies and exports."""

    task_activated = Signal(object)  # task position: double click or Enter on its row

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("schedule_table")
        self.setAccessibleName("Schedule table")
        self.tasks = TaskTable(document)
        self.transfers = TransferTable(document)
        self.tasks.row_activated.connect(self.task_activated)
        self.filter = QLineEdit()
        self.filter.setObjectName("schedule_filter")
        self.filter.setPlaceholderText("Filter by task, kind or machine")
        self.filter.setAccessibleName("Filter the schedule")
        self.filter.setToolTip("Shows the rows that contain this text, whatever its case")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.shown = QLabel()
        self.shown.setObjectName("schedule_count")
        self.shown.setProperty("role", "muted")
        self.exports = Exports(self, "schedule", None, self._chosen_table)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.tasks)
        self.stack.addWidget(self.transfers)
        self._choice = QButtonGroup(self)
        self._lay_out()
        for table in (self.tasks, self.transfers):
            table.columns_model.modelReset.connect(self._count)
        self._choice.idClicked.connect(self._show)
        self._count()

    @property
    def current(self) -> OutcomeTable:
        """The table in sight."""
        return self.transfers if self.stack.currentIndex() else self.tasks

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work of both tables."""
        self.tasks.close()
        self.transfers.close()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(GRID, GRID // 2, GRID, 0)
        header.setSpacing(GRID)
        for place, text in enumerate(("Tasks", "Transfers")):
            button = _button(f"schedule_{text.lower()}", text, f"Show the {text.lower()}")
            button.setCheckable(True)
            button.setChecked(place == 0)
            self._choice.addButton(button, place)
            header.addWidget(button)
        header.addWidget(self.filter, 1)
        header.addWidget(self.shown)
        export = _button("schedule_export", "Export", "The selected rows, or all, as CSV")
        export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        export.setMenu(self.exports.menu(export))
        header.addWidget(export)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(header)
        body.addWidget(self.stack, 1)

    def _chosen_table(self) -> Table:
        return self.current.chosen_table()

    def _show(self, place: int) -> None:
        self.stack.setCurrentIndex(place)
        self._count()

    def _filter(self, text: str) -> None:
        self.tasks.columns_model.set_filter(text)
        self.transfers.columns_model.set_filter(text)
        self._count()

    def _count(self) -> None:
        model = self.current.columns_model
        kind = "transfer" if self.stack.currentIndex() else "task"
        total = len(model.columns[0].values) if model.columns else 0
        shown = model.rowCount()
        text = count(total, kind)
        self.shown.setText(text if shown == total else f"{shown:,} of {text}")


def _button(name: str, text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setToolTip(hint)
    button.setAccessibleName(hint)
    button.setAutoRaise(True)
    return button


def _seconds(heading: str, hint: str, values: Floats) -> Column:
    return Column(heading, f"{hint} (s)", values, duration, "s")


def _ratio(time_s: Floats, alone_s: Floats) -> Floats:
    """Time over time alone; 1 where both are 0."""
    return np.divide(time_s, alone_s, out=np.ones_like(time_s), where=alone_s > 0)


def _machines(outcome: Outcome, places: NDArray[np.intp]) -> Texts:
    return Texts([machine.name for machine in outcome.project.platform.machines], places)


def _critical(hint: str, flags: Flags) -> Column:
    return Column("critical", hint, flags, lambda flag: "● critical" if flag else "")
