"""The status bar: makespan, size, reading; and the background job with Cancel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStatusBar, QWidget

from advisor.allocation.costs import EXACT
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import SHARING_WORDS, timeline_sentence
from advisor.basics.quantities import count, duration, exact
from gui.basics.progress_bar import ProgressBar
from gui.basics.steady import BETWEEN, SteadyLine, SteadyParts
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome
from machines.errors import PlacewiseError

READING_NAMES = {EXACT: "load by exact sharing", "published": "load by the published formula"}
_MESSAGE_MS = 8000
_JOB_LETTERS = 50
_APPEAR_MS = 300  # what is done sooner is not worth a flicker


@dataclass(frozen=True)
class _Job:
    text: str
    cancel: Callable[[], object] | None
    cancels: str
    fraction: float | None = None
    above: bool = False


def left(progress: Progress) -> str:
    """How long a search still takes: "6 s left"; empty before that can be told."""
    if progress.left_s is None:
        return ""
    minutes, seconds = divmod(max(1, math.ceil(progress.left_s)), 60)
    return f"{minutes} min {seconds} s left" if minutes else f"{seconds} s left"


def so_far(progress: Progress) -> str:
    """The best so far, how many were tried and how long it still takes."""
    best, tried = f"best {duration(progress.value_s)}", f"{count(progress.tried, 'plan')} tried"
    return ", ".join(filter(None, (best, tried, left(progress))))


class StatusLine(QStatusBar):
    """What holds for the whole project, in one line."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setAccessibleName("Status")
        self.setSizeGripEnabled(False)
        self._document = document
        self._jobs: dict[str, _Job] = {}
        self._of_plan, self._of_study, self._dimmed = ("", ""), "", False
        self._appear = QTimer(self, singleShot=True, interval=_APPEAR_MS)
        self._appear.timeout.connect(self._reveal)
        self.figures = SteadyParts("status_figures")
        self.figures.setContentsMargins(GRID, 0, GRID, 0)
        self.addWidget(self.figures, 1)
        self.job = SteadyLine("status_job")
        self.job.setFixedWidth(_JOB_LETTERS * self.fontMetrics().averageCharWidth())
        self.bar = ProgressBar()
        self.bar.setObjectName("status_progress")
        self.bar.setAccessibleName("Progress of the background job")
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(14 * GRID)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("status_cancel")
        self.cancel_button.setToolTip("Stop and keep the best so far")
        self.cancel_button.clicked.connect(self._run_cancel)
        for widget in (self.job, self.bar, self.cancel_button):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # progress and Cancel each have their place
            policy.setHorizontalPolicy(QSizePolicy.Policy.Fixed)
            widget.setSizePolicy(policy)
            self.addPermanentWidget(widget)
        self._show_job()
        document.outcome_changed.connect(self._show_outcome)
        document.outcome_failed.connect(self._show_failure)
        document.changed.connect(self._dim)
        document.replaced.connect(self._clear)

    def show_study(self, text: str) -> None:
        """Speak of the study in sight; empty: of the plan again."""
        if bool(text) != bool(self._of_study):
            self.figures.begin_anew()
        self._of_study = text
        self._show_figures()

    def tell(self, text: str) -> None:
        """Show a passing message."""
        self.showMessage(text, _MESSAGE_MS)

    def start_job(
        self,
        name: str,
        text: str,
        cancel: Callable[[], object] | None,
        cancels: str = "",
        *,
        above: bool = False,
    ) -> None:
        """Show a background job after a moment; `cancel` stops it, `cancels` says what that means.

        Of several jobs the one that was started last is shown, or one that is `above` others.
        """
        self._jobs.pop(name, None)
        self._jobs[name] = _Job(
            text, cancel, cancels or "Stop and keep the best so far", above=above
        )
        self._show_job()

    def show_progress(self, name: str, progress: Progress) -> None:
        """Best so far, how many were tried, how far the job is and how long it still takes."""
        if name in self._jobs:
            self._jobs[name] = replace(
                self._jobs[name],
                text=f"Search: {so_far(progress)}",
                fraction=min(1.0, max(0.0, progress.fraction)),
            )
            self._show_job()

    def show_share(self, name: str, fraction: float) -> None:
        """How far a job is."""
        if name in self._jobs:
            fraction = min(1.0, max(0.0, fraction))
            self._jobs[name] = replace(self._jobs[name], fraction=fraction)
            self._show_job()

    def show_state(self, name: str, text: str, fraction: float) -> None:
        """How far a job is, in words and as a share."""
        if name in self._jobs:
            self._jobs[name] = replace(self._jobs[name], text=text)
            self.show_share(name, fraction)

    def end_job(self, name: str) -> None:
        """That job does not run any more."""
        if self._jobs.pop(name, None) is not None:
            self._show_job()

    @property
    def _shown(self) -> _Job:
        jobs = list(self._jobs.values())
        return next((job for job in reversed(jobs) if job.above), jobs[-1])

    def _show_job(self) -> None:
        if not self._jobs:
            self._appear.stop()
            for widget in (self.job, self.bar, self.cancel_button):
                widget.hide()
            return
        job = self._shown
        self.job.setText(job.text)
        self.bar.setValue(round(1000 * (job.fraction or 0.0)))
        self.cancel_button.setToolTip(job.cancels)
        if self.job.isVisible():
            self._reveal()
        elif not self._appear.isActive():
            self._appear.start()

    def _reveal(self) -> None:
        job = self._shown
        self.job.show()
        self.bar.setVisible(job.fraction is not None)
        self.cancel_button.setVisible(job.cancel is not None)

    def _run_cancel(self) -> None:
        cancel = self._shown.cancel if self._jobs else None
        if cancel is not None:
            cancel()

    def _show_outcome(self, outcome: Outcome) -> None:
        prediction, project = outcome.prediction, outcome.project
        objective = project.objective
        name = "makespan" if objective == MAKESPAN else "total time"
        parts = [
            f"{name} {duration(prediction.value_s(objective))}",
            f"{count(len(project.workload.tasks), 'task')} on "
            f"{count(len(project.platform.machines), 'machine')}",
            READING_NAMES[project.reading],
            SHARING_WORDS[project.sharing].removesuffix(" schedule"),  # whole in the tooltip
        ]
        self._of_plan = (
            BETWEEN.join(parts),
            (
                f"Makespan: {exact(prediction.makespan_s, 's')}\n"
                f"Total time: {exact(prediction.total_s, 's')}\n"
                f"Proved lower bound of the {name}: "
                f"{exact(prediction.lower_bounds_s[objective], 's')}\n"
                f"{timeline_sentence(project.sharing)}"
            ),
        )
        self._dimmed = False
        self._show_figures()

    def _show_failure(self, error: PlacewiseError) -> None:
        self._of_plan = f"No prediction: {error}", str(error)
        self._dimmed = False
        self._show_figures()

    def _dim(self, _project: object) -> None:
        self._dimmed = True
        self._show_figures()

    def _clear(self, _project: object) -> None:
        """Other tasks or machines: no figure of the old ones is left."""
        self._of_plan = "", ""
        self._show_figures()

    def _show_figures(self) -> None:
        """Of the study in sight, else of the plan."""
        text, hint = (self._of_study, self._of_study) if self._of_study else self._of_plan
        self.figures.setText(text)
        self.figures.setToolTip(hint)
        self.figures.setEnabled(bool(self._of_study) or not self._dimmed)
