"""The schedule as tables: every task and every transfer, sorted and filtered at will.

The tables follow the document's selection and set it; copies and exports keep full precision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
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

from advisor.quantities import count, duration, size, slowdown
from gui.data_table import Column, DataTable
from gui.document import Document, Outcome, Selection
from gui.plots.panel import Exports
from gui.theme import GRID


class OutcomeTable(DataTable):
    """A table of the latest prediction that follows the document."""

    def __init__(self, document: Document, name: str, title: str) -> None:
        super().__init__(name, title)
        self.document = document
        self._shown: Outcome | None = None
        document.changed.connect(self._dim_if_old)
        document.outcome_changed.connect(self._take)
        document.selection_changed.connect(self._follow)
        self.rows_selected.connect(self.choose)
        if document.outcome is not None:
            self._take(document.outcome)

    def columns_for(self, outcome: Outcome) -> list[Column]:
        """The columns of a prediction."""
        raise NotImplementedError

    def chosen_in(self, selection: Selection) -> frozenset[int]:
        """Which rows a selection means."""
        raise NotImplementedError

    def choose(self, rows: tuple[int, ...]) -> None:
        """Make these rows the document's selection."""
        raise NotImplementedError

    def _take(self, outcome: Outcome) -> None:
        self._shown = outcome
        self.set_columns(self.columns_for(outcome))
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

    def columns_for(self, outcome: Outcome) -> list[Column]:
        """One row a task, in the workload's order."""
        project, found = outcome.project, outcome.prediction
        names = [machine.name for machine in project.platform.machines]
        return [
            Column("task", "Name of the task", [task.name for task in project.workload.tasks]),
            Column("kind", "Group of like tasks", [task.group for task in project.workload.tasks]),
            Column("machine", "Where it runs", [names[at] for at in found.plan.allocation]),
            _seconds("start", "Start, from the start of the first task", found.start_s),
            _seconds("end", "End, from the start of the first task", found.end_s),
            _seconds("dedicated", "Time on its machine alone", found.task_dedicated_s),
            _factor("slowdown", "Slowdown s = time ÷ dedicated time; 1: no contention",
                    found.task_s, found.task_dedicated_s),
            _seconds("time", "Time on its machine under contention", found.task_s),
            _critical("On the critical path: without slack", found.critical),
        ]  # fmt: skip

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

    def columns_for(self, outcome: Outcome) -> list[Column]:
        """One row a flow, in the workload's order; on one machine it costs nothing."""
        project, found = outcome.project, outcome.prediction
        flows = project.workload.flows
        names = [machine.name for machine in project.platform.machines]
        places = np.array(found.plan.allocation, dtype=np.intp)
        first = places[project.workload.sources].tolist()
        second = places[project.workload.targets].tolist()
        sizes = np.array([flow.size_bytes for flow in flows], dtype=np.float64)
        return [
            Column("from", "Task that sends", [flow.source for flow in flows]),
            Column("to", "Task that waits for it", [flow.target for flow in flows]),
            Column("from machine", "Where the sender runs", [names[at] for at in first]),
            Column("to machine", "Where the receiver runs", [names[at] for at in second]),
            Column("data", "All bytes of its data sets", sizes, size, "B"),
            _seconds("dedicated", "Transfer time on an empty link", found.flow_dedicated_s),
            _factor("slowdown", "Slowdown s = time ÷ dedicated time; 1: no contention",
                    found.flow_s, found.flow_dedicated_s),
            _seconds("time", "Transfer time under contention", found.flow_s),
            _critical("On the critical path", found.critical_flows),
        ]  # fmt: skip

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
        self.exports = Exports(self, "schedule", None, lambda: self.current.chosen_table())
        self.stack = QStackedWidget()
        header = QHBoxLayout()
        header.setContentsMargins(GRID, GRID // 2, GRID, 0)
        header.setSpacing(GRID)
        self._choice = QButtonGroup(self)
        for place, (table, text) in enumerate(
            ((self.tasks, "Tasks"), (self.transfers, "Transfers"))
        ):
            self.stack.addWidget(table)
            button = QToolButton()
            button.setObjectName(f"schedule_{text.lower()}")
            button.setText(text)
            button.setToolTip(f"Show the {text.lower()}")
            button.setAccessibleName(f"Show the {text.lower()}")
            button.setCheckable(True)
            button.setAutoRaise(True)
            self._choice.addButton(button, place)
            header.addWidget(button)
            table.columns_model.modelReset.connect(self._count)
        self._choice.button(0).setChecked(True)
        self._choice.idClicked.connect(self._show)
        header.addWidget(self.filter, 1)
        header.addWidget(self.shown)
        export = QToolButton()
        export.setObjectName("schedule_export")
        export.setText("Export")
        export.setAccessibleName("Export the table")
        export.setToolTip("The selected rows, or all, with full precision")
        export.setAutoRaise(True)
        export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        export.setMenu(self.exports.menu(export))
        header.addWidget(export)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(header)
        body.addWidget(self.stack, 1)
        self._count()

    @property
    def current(self) -> OutcomeTable:
        """The table in sight."""
        return self.transfers if self.stack.currentIndex() else self.tasks

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


def _seconds(heading: str, hint: str, values: NDArray[np.float64]) -> Column:
    return Column(heading, f"{hint} (s)", values, duration, "s")


def _factor(
    heading: str, hint: str, time_s: NDArray[np.float64], alone_s: NDArray[np.float64]
) -> Column:
    """Time over time alone; 1 where both are 0."""
    factors = np.divide(time_s, alone_s, out=np.ones_like(time_s), where=alone_s > 0)
    return Column(heading, hint, factors, slowdown)


def _critical(hint: str, flags: NDArray[np.bool_]) -> Column:
    return Column("critical", hint, flags, lambda flag: "● critical" if flag else "")
