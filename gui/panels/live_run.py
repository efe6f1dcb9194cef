"""A run while it goes on: how far it is beside its prediction, Replan, Cancel, and what failed.

It stays after the run while there are failures to read, until it is closed or another run begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.run_record import TaskRun
from gui.basics.progress_bar import ProgressBar
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.widget_labels import button
from gui.document.run_progress_words import FAILED_SIGN, notes_of, told
from gui.document.runner import Runner, RunState
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts
from machines.errors import visible

if TYPE_CHECKING:
    from gui.document.document import Document

_ROWS = 5  # of the list, before it scrolls
_LINES = 2  # of an output in the list


class LiveRun(QFrame):
    """Follows a runner."""

    def __init__(self, document: Document, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("live_run")
        self.setAccessibleName("The current run")
        self._document, self._runner = document, runner
        self._failed: tuple[TaskRun, ...] = ()
        self.sentence = QLabel()
        self.sentence.setObjectName("live_sentence")
        self.sentence.setProperty("role", "headline")
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.news = SteadyLine("live_news")
        self.notes = SteadyLine("live_notes")
        self.notes.setProperty("role", "muted")
        self.bar = ProgressBar()
        self.bar.setObjectName("live_progress")
        self.bar.setAccessibleName("Progress of the run")
        self.bar.setToolTip("Of the tasks, those that ended or can't run any more")
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(20 * GRID)
        self.replan_button = button(
            "Replan the rest", "live_replan",
            "Plan anew what has not begun, from what the run has taught; what runs stays (Ctrl+F5)",
        )  # fmt: skip
        self.replan_button.clicked.connect(runner.replan)
        self.cancel_button = button(
            "Cancel", "live_cancel", "Stop the run; finished tasks are kept (Shift+F5)"
        )
        self.cancel_button.clicked.connect(runner.cancel)
        self.close_button = button("Close", "live_close", "Put what failed away")
        self.close_button.clicked.connect(self.hide)
        self.failures = DataTable("live_failures", "Failed tasks with the end of their output")
        self.failures.horizontalHeader().setStretchLastSection(True)
        self._lay_out()
        self.hide()
        runner.changed.connect(self._show_state)
        if runner.state is not None:
            self._show_state(runner.state)

    def _show_state(self, state: object) -> None:
        assert isinstance(state, RunState)  # noqa: S101, RUF100 - the signal's
        going = not state.over
        self.setVisible(going or bool(state.failed))
        self.sentence.setText(told(state))
        changed = self._document.project.plan != state.outcome.project.plan
        self.news.setText(state.news)
        self.news.setVisible(bool(state.news) and going)
        self.notes.setText(" · ".join(notes_of(state, changed)))
        self.bar.setValue(round(1000 * state.progress.share) if state.progress else 0)
        for widget in (self.bar, self.replan_button, self.cancel_button):
            widget.setVisible(going)
        self.replan_button.setEnabled(state.may_replan)
        self.close_button.setVisible(not going)
        self.cancel_button.setEnabled(not state.stopping)
        if state.failed is not self._failed:
            self._failed = state.failed
            self.failures.set_columns(failures(state.failed))
            self._fit_failures()
        self.failures.setVisible(bool(state.failed))

    def _fit_failures(self) -> None:
        """As high as its rows, up to some."""
        table = self.failures
        rows = min(len(self._failed), _ROWS) * table.verticalHeader().defaultSectionSize()
        heading = table.horizontalHeader().sizeHint().height()
        table.setFixedHeight(heading + rows + 2 * table.frameWidth())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.sentence, 1)
        for widget in (self.bar, self.replan_button, self.cancel_button, self.close_button):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(head)
        body.addWidget(self.news)
        body.addWidget(self.notes)
        body.addWidget(self.failures)


def failures(failed: tuple[TaskRun, ...]) -> tuple[Column, ...]:
    """A row each task that failed."""
    took = np.array([one.end_s - one.start_s for one in failed])
    return (
        Column(
            "Failed task",
            "Its bar is vermilion and has a cross",
            Texts([f"{FAILED_SIGN} {visible(one.task)}" for one in failed]),
        ),
        Column("Machine", "Where it ran", Texts([visible(one.machine) for one in failed])),
        Column("Ran for (s)", "From its start to its end", took, _seconds, "s"),
        Column(
            "Output",
            "The end of its output; all that is kept of it in the tooltip and in copies",
            Texts([one.output.strip() for one in failed]),
            _end,
            whole=True,
        ),
    )


def _seconds(value: object) -> str:
    return f"{float(value):,.3g}"  # type: ignore[arg-type]


def _end(value: object) -> str:
    """The last lines of an output: what was wrong, and how it ended."""
    lines = [visible(line.strip()) for line in str(value).splitlines() if line.strip()]
    return " · ".join(lines[-_LINES:])
