"""A job of a study with its progress bar: the latest one wins, Cancel keeps the best so far.

The bar appears when a job takes longer than a moment, so that quick answers don't flicker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from advisor.basics.stop_rule import ShouldStop
from advisor.studies.study import CheckProgress, StudyProgress
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.progress_bar import ProgressBar
from gui.basics.theme import GRID

_PATIENCE_MS = 150
_LEAST_WIDTH = 6 * GRID  # room for the share alone


class Running(QWidget):
    """Runs ``call(on_progress=…, should_stop=…)`` off the window's thread."""

    done = Signal(object)  # what the newest call returned, stopped by `cancel` or not
    failed = Signal(object)  # PlacewiseError
    partial = Signal(object)  # what it has so far
    busy = Signal(bool)

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.progress = ProgressBar()
        self.progress.setObjectName(f"{name}_progress")
        self.progress.setAccessibleName(f"{title}, progress")
        self.progress.setRange(0, 100)
        self.progress.setMinimumWidth(_LEAST_WIDTH)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName(f"{name}_cancel")
        self.cancel_button.setToolTip("Stop, and keep the results so far")
        self.cancel_button.clicked.connect(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self.progress, 1)
        row.addWidget(self.cancel_button)
        self._stopping = False
        self._told: object = None
        self._jobs = LatestWins(self, title)
        self._jobs.done.connect(self.done)
        self._jobs.failed.connect(self.failed)
        self._jobs.progress.connect(self._show)
        self._jobs.busy.connect(self._follow)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self.show)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """Whether the newest call has not answered yet."""
        return self._jobs.is_busy

    def start(self, call: Callable[..., object]) -> None:
        """Run `call`; an unfinished one gives way."""
        self._stopping = False
        self._told = None
        self.progress.setValue(0)
        self.progress.say()
        self.progress.setToolTip("Starting …")

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> object:
            partial: object = None

            def tell(progress: StudyProgress | CheckProgress) -> None:
                # the newest report replaces those not seen yet: it carries the last partial result
                nonlocal partial
                partial = progress.partial or partial
                on_progress(replace(progress, partial=partial))  # type: ignore[arg-type]

            return call(on_progress=tell, should_stop=lambda: self._stopping or should_stop())

        self._jobs.request_reporting(job)

    def cancel(self) -> None:
        """Stop the call; it hands over what it has."""
        self._stopping = True

    def drop(self) -> None:
        """Stop the call; nobody wants its result."""
        self._jobs.cancel()

    def close_jobs(self) -> None:
        """Stop everything, for good."""
        self._jobs.close()

    def _follow(self, busy: bool) -> None:
        if busy:
            self._patience.start()
        else:
            self._patience.stop()
            self.hide()
        self.busy.emit(busy)

    def _show(self, progress: object) -> None:
        if isinstance(progress, StudyProgress | CheckProgress):
            self.progress.setValue(round(100 * progress.fraction))
            self.progress.say(progress.sentence)
            self.progress.setToolTip(progress.sentence)
            if progress.partial is not None and progress.partial is not self._told:
                self._told = progress.partial
                self.partial.emit(progress.partial)
