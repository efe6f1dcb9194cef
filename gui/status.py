"""The status bar: makespan, gap to the bound, reading; and the background job with Cancel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from advisor.costs import EXACT
from advisor.prediction import MAKESPAN
from advisor.quantities import count, duration, exact, percent
from advisor.recommendation import Progress
from gui.document import Document, Outcome
from gui.theme import GRID
from machines.errors import PlacewiseError

READING_NAMES = {EXACT: "exact sharing", "published": "published formula"}
_MESSAGE_MS = 8000


class StatusLine(QStatusBar):
    """What holds for the whole project, in one line."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setAccessibleName("Status")
        self.setSizeGripEnabled(False)
        self._document = document
        self._cancel: Callable[[], object] | None = None
        self.figures = QLabel()
        self.figures.setObjectName("status_figures")
        self.figures.setTextFormat(Qt.TextFormat.PlainText)
        self.figures.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        self.addWidget(self.figures, 1)
        self.job = QLabel()
        self.job.setObjectName("status_job")
        self.bar = QProgressBar()
        self.bar.setObjectName("status_progress")
        self.bar.setAccessibleName("Progress of the background job")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(14 * GRID)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("status_cancel")
        self.cancel_button.setToolTip("Stop and keep the best so far")
        self.cancel_button.clicked.connect(self._run_cancel)
        for widget in (self.job, self.bar, self.cancel_button):
            self.addPermanentWidget(widget)
        self.end_job()
        document.outcome_changed.connect(self._show_outcome)
        document.outcome_failed.connect(self._show_failure)
        document.changed.connect(self._dim)

    def tell(self, text: str) -> None:
        """Show a passing message."""
        self.showMessage(text, _MESSAGE_MS)

    def start_job(self, text: str, cancel: Callable[[], object] | None, cancels: str = "") -> None:
        """Show a background job; `cancel` stops it, `cancels` says what that means."""
        self._cancel = cancel
        self.job.setText(text)
        self.job.show()
        self.cancel_button.setVisible(cancel is not None)
        self.cancel_button.setToolTip(cancels or "Stop and keep the best so far")

    def show_progress(self, progress: Progress) -> None:
        """Best so far, how many were tried, how far the search is."""
        self.job.setText(
            f"Search: best {duration(progress.value_s)}, {count(progress.tried, 'plan')} tried"
        )
        self.bar.setValue(round(1000 * min(1.0, max(0.0, progress.fraction))))
        self.bar.setVisible(True)

    def end_job(self) -> None:
        """No job runs."""
        self._cancel = None
        self.bar.setValue(0)
        for widget in (self.job, self.bar, self.cancel_button):
            widget.hide()

    def _run_cancel(self) -> None:
        if self._cancel is not None:
            self._cancel()

    def _show_outcome(self, outcome: Outcome) -> None:
        prediction, project = outcome.prediction, outcome.project
        objective = project.objective
        name = "makespan" if objective == MAKESPAN else "total time"
        gap = prediction.gap(objective)
        parts = [
            f"{name} {duration(prediction.value_s(objective))}",
            "at the bound" if gap <= 1e-9 else f"gap to bound {percent(gap)}",
            READING_NAMES[project.reading],
            f"{count(len(project.workload.tasks), 'task')} on "
            f"{count(len(project.platform.machines), 'machine')}",
        ]
        self.figures.setText("  ·  ".join(parts))
        self.figures.setEnabled(True)
        self.figures.setToolTip(
            f"Makespan: {exact(prediction.makespan_s, 's')}\n"
            f"Total time: {exact(prediction.total_s, 's')}\n"
            f"Proved lower bound of the {name}: "
            f"{exact(prediction.lower_bounds_s[objective], 's')}"
        )

    def _show_failure(self, error: PlacewiseError) -> None:
        self.figures.setText(f"No prediction: {error}")
        self.figures.setToolTip(str(error))
        self.figures.setEnabled(True)

    def _dim(self, _project: object) -> None:
        self.figures.setEnabled(False)
