"""The schedule as tables: tasks, flows, transfers and what they share, sorted and filtered.

The tables follow the document's selection and set it; copies and exports keep full precision.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

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
from advisor.basics.quantities import count, slowdown
from gui.basics.event_loop_slices import at_once
from gui.basics.figures import Table
from gui.basics.theme import GRID
from gui.board.board_folds import Folds
from gui.document.document import Document, Outcome, Selection
from gui.panels.network_tables import ResourceTable, TransferTable
from gui.panels.outcome_table import OutcomeTable, amounts, critical, ratio, seconds
from gui.plots.plot_panel import Exports
from gui.tables.table_columns import Column, Texts

_TABS = (  # as on the button, what one row is, and what is shown
    ("Tasks", "task", "Show the tasks"),
    ("Flows", "flow", "Show the flows between tasks"),
    ("Transfers", "transfer", "Show the transfers between machines over time"),
    ("Network", "part", "Show links, switches and stores with their utilisation"),
)
_FLOWS, _SHARED = 1, (2, 3)
_SLACK = "Slack: how much later it could end without a longer makespan, all durations unchanged"
_SLOWDOWN = "Slowdown s = time ÷ dedicated time; 1: no contention"


class TaskTable(OutcomeTable):
    """Task, machine, start, end, dedicated time, slowdown, critical."""

    slack = False  # whether it has a column of it

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

    def set_slack(self, shown: bool) -> None:
        """Show a column of slack, or not."""
        if shown != self.slack:
            self.slack = shown
            if self.document.outcome is not None:
                self._take(self.document.outcome)

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a task."""
        found = outcome.prediction
        places = np.array(found.plan.allocation, dtype=np.intp)
        start_s, end_s = found.start_s, found.end_s
        alone_s, time_s = found.task_dedicated_s, found.task_s
        return [
            *fixed,
            Column("machine", "Where it runs", _machines(outcome, places)),
            seconds("start", "Start, from the start of the first task", start_s, end_s),
            seconds("end", "End, from the start of the first task", end_s, start_s),
            seconds("dedicated", "Time on its machine alone", alone_s, time_s),
            Column("slowdown", _SLOWDOWN, ratio(time_s, alone_s), slowdown),
            seconds("time", "Time on its machine under contention", time_s, alone_s),
            critical("On the critical path: without slack", found.critical),
            *([seconds("slack", _SLACK, outcome.slack_s)] if self.slack else []),
            Column("cores", "Cores that it holds: its processors", outcome.costs.task_cores),
        ]

    def chosen_in(self, outcome: Outcome, selection: Selection) -> frozenset[int]:
        """The selected tasks."""
        del outcome
        return selection.tasks

    def choice(self, outcome: Outcome, rows: tuple[int, ...]) -> Selection:
        """These tasks."""
        del outcome
        return Selection(tasks=frozenset(rows))


class FlowTable(OutcomeTable):
    """From, to, both machines, bytes, dedicated time, slowdown, critical."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "flow_table", "Schedule: flows")

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """Both ends and the bytes, in the workload's order."""
        names = [task.name for task in workload.tasks]
        sizes = workload.edge_bytes
        return [
            Column("from", "Task that sends", Texts(names, workload.sources).prepare()),
            Column("to", "Task that waits for it", Texts(names, workload.targets).prepare()),
            amounts("data", "All bytes of its data sets or files", sizes, "B"),
        ]

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a flow; on one machine it costs nothing."""
        found, workload = outcome.prediction, outcome.project.workload
        places = np.array(found.plan.allocation, dtype=np.intp)
        first, second = places[workload.sources], places[workload.targets]
        alone_s, time_s = found.flow_dedicated_s, found.flow_s
        return [
            *fixed,
            Column("from machine", "Where the sender runs", _machines(outcome, first)),
            Column("to machine", "Where the receiver runs", _machines(outcome, second)),
            seconds("dedicated", "Transfer time on an empty link", alone_s, time_s),
            Column("slowdown", _SLOWDOWN, ratio(time_s, alone_s), slowdown),
            seconds("time", "Transfer time under contention", time_s, alone_s),
            critical("On the critical path", found.critical_flows),
        ]

    def chosen_in(self, outcome: Outcome, selection: Selection) -> frozenset[int]:
        """The selected flow."""
        del outcome
        return frozenset() if selection.flow is None else frozenset((selection.flow,))

    def choice(self, outcome: Outcome, rows: tuple[int, ...]) -> Selection:
        """The first of these flows."""
        del outcome
        return Selection(flow=rows[0])


_Table = TypeVar("_Table", bound=OutcomeTable)


class ScheduleTable(QWidget):
    """All tables behind one filter, with copies and exports.

    `filled`: make what it holds at once; else whoever made it calls `fill`.
    """

    task_activated = Signal(object)  # task position: double click or Enter on its row

    def __init__(
        self, document: Document, parent: QWidget | None = None, *, filled: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("schedule_table")
        self.setAccessibleName("Schedule table")
        self._document = document
        self.tables: tuple[OutcomeTable, ...] = ()
        if filled:
            at_once(self.fill())

    def fill(self) -> Generator[None, None, None]:
        """Make the tables and what is above them, a part at a time, from the outside in."""
        self.filter = QLineEdit()
        self.filter.setObjectName("schedule_filter")
        self.filter.setPlaceholderText("Filter by task, kind, file or machine")
        self.filter.setAccessibleName("Filter the schedule")
        self.filter.setToolTip("Shows the rows that contain this text, ignoring case")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.shown = QLabel()
        self.shown.setObjectName("schedule_count")
        self.shown.setProperty("role", "muted")
        self.exports = Exports(self, "schedule", None, self._chosen_table)
        self.stack = QStackedWidget()
        self._choice = QButtonGroup(self)
        self._lay_out()
        yield
        document = self._document
        self.tasks = self._added(TaskTable(document))
        yield
        self.flows = self._added(FlowTable(document))
        yield
        self.transfers = self._added(TransferTable(document))
        yield
        self.resources = self._added(ResourceTable(document))
        yield
        self.tasks.row_activated.connect(self.task_activated)
        self._choice.idClicked.connect(self._show)
        document.outcome_changed.connect(self._offer)
        if document.outcome is not None:
            self._offer(document.outcome)
        self._count()

    def _added(self, table: _Table) -> _Table:
        self.stack.addWidget(table)
        table.columns_model.modelReset.connect(self._count)
        self.tables += (table,)
        return table

    def follow(self, folds: Folds) -> None:
        """Show slack where the board does."""
        folds.changed.connect(lambda: self.tasks.set_slack(folds.slack))
        self.tasks.set_slack(folds.slack)

    @property
    def current(self) -> OutcomeTable:
        """The table in sight."""
        return self.tables[self.stack.currentIndex()]

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work of the tables."""
        for table in self.tables:
            table.close()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(GRID, GRID // 2, GRID, 0)
        header.setSpacing(GRID)
        for place, (text, _, hint) in enumerate(_TABS):
            button = _button(f"schedule_{text.lower()}", text, hint)
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

    def _offer(self, outcome: Outcome) -> None:
        """Transfers and what they share: only where they share it; else the flows say all."""
        shared = outcome.prediction.transfers is not None
        for place in _SHARED:
            self._choice.button(place).setVisible(shared)
        if not shared and self.stack.currentIndex() in _SHARED:
            self._choice.button(_FLOWS).setChecked(True)
            self._show(_FLOWS)

    def _filter(self, text: str) -> None:
        for table in self.tables:
            table.columns_model.set_filter(text)
        self._count()

    def _count(self) -> None:
        model = self.current.columns_model
        kind = _TABS[self.stack.currentIndex()][1]
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


def _machines(outcome: Outcome, places: NDArray[np.intp]) -> Texts:
    return Texts([machine.name for machine in outcome.project.platform.machines], places)
