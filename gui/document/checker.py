"""Lets SimGrid carry out the current plan, beside what is predicted, off the window's thread.

SimGrid runs in a process of its own, which ends with the check: when it is cancelled, when another
one is asked for and when the window closes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.document.document import Document, Outcome
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from advisor.export.simgrid.check import SimulatedPlan


@dataclass(frozen=True, eq=False)
class Check:
    """What SimGrid makes of a plan, and the outcome that it was checked against."""

    outcome: Outcome
    found: SimulatedPlan

    def answers(self, project: Project) -> bool:
        """Whether this is about the plan that `project` has now."""
        checked = self.outcome.project
        return (
            checked.platform is project.platform
            and checked.workload is project.workload
            and checked.plan == project.plan
            and (checked.reading, checked.sharing) == (project.reading, project.sharing)
        )


class Checker(QObject):
    """Checks the document's plan; one at a time, the latest wins."""

    busy = Signal(bool)
    progress = Signal(object)  # float: share of the tasks that have ended
    checked = Signal(object)  # Check
    failed = Signal(object)  # PlacewiseError: no SimGrid, or it could not
    cleared = Signal()  # another project: nothing was checked

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checker")
        self._document = document
        self.check: Check | None = None
        self.error: PlacewiseError | None = None
        self._jobs = LatestWins(self, "simgrid check")
        self._jobs.busy.connect(self.busy)
        self._jobs.progress.connect(self.progress)
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._fail)
        document.replaced.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether SimGrid runs."""
        return self._jobs.is_busy

    def start(self) -> None:
        """Check the current plan; nothing without a prediction."""
        outcome = self._document.outcome
        if outcome is None or outcome.project is not self._document.project:
            return
        self._jobs.request_reporting(lambda stop, tell: _checked(outcome, stop, tell))

    def cancel(self) -> None:
        """Stop SimGrid; the previous check stays."""
        self._jobs.cancel()

    def close(self) -> None:
        """End all work."""
        self._jobs.close()

    def _take(self, check: object) -> None:
        if isinstance(check, Check):
            self.check, self.error = check, None
            self.checked.emit(check)

    def _fail(self, error: PlacewiseError) -> None:
        self.check, self.error = None, error
        self.failed.emit(error)

    def _forget(self, _project: object) -> None:
        self._jobs.cancel()
        self.check, self.error = None, None
        self.cleared.emit()


def _checked(outcome: Outcome, should_stop: ShouldStop, tell: OnProgress) -> Check | None:
    """Run on the worker thread."""
    from advisor.export.simgrid.check import check_with_simgrid  # noqa: PLC0415 - rarely used

    found = check_with_simgrid(outcome.problem, outcome.project.plan, tell, should_stop)
    return None if found is None else Check(outcome, found)
