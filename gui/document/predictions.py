"""Keeps the document's outcome up to date: every edit asks for a prediction, the latest wins."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document, Outcome
from machines.errors import PlacewiseError
from machines.stopping import Stopped, stoppable

_REMEMBERED = 4  # problems kept, so that a moved task or an undo need not derive arrays again


@dataclass(frozen=True, eq=False)
class _Failure:
    project: Project
    error: PlacewiseError


class Predictions(QObject):
    """Predicts the document's project off the window's thread whenever it changes."""

    busy = Signal(bool)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setObjectName("predictions")
        self._document = document
        self._asked: Project | None = None
        self._problems: deque[Problem] = deque(maxlen=_REMEMBERED)
        self._jobs = LatestWins(self, "prediction")
        self._jobs.done.connect(self._receive)
        self._jobs.busy.connect(self.busy)
        document.changed.connect(self.request)

    def request(self, project: Project) -> None:
        """Ask for the prediction of `project`; older requests are dropped."""
        known, self._asked = self._document.outcome, project
        self._jobs.request(lambda _should_stop: self._outcome(project, known, _should_stop))

    def begin(self) -> None:
        """Ask for what is open, if nobody has: no edit brings the first project."""
        if self._asked is not self._document.project:
            self.request(self._document.project)

    def close(self) -> None:
        """End the worker thread."""
        self._jobs.close()

    def _outcome(
        self, project: Project, known: Outcome | None, should_stop: ShouldStop
    ) -> Outcome | _Failure | None:
        if known is not None and _asked_as(known.project, project) == project:
            return replace(known, project=project)
        try:
            with stoppable(should_stop):
                problem = self._problem(project)
            if should_stop():
                return None
            outcome = Outcome(project, problem, predict(problem, project.plan))
            _ = outcome.overlays  # the window's thread only looks at them
        except Stopped:
            return None
        except PlacewiseError as error:
            return _Failure(project, error)
        return outcome

    def _problem(self, project: Project) -> Problem:
        """The arrays of `project`; runs on the worker thread only."""
        for problem in self._problems:
            if (
                problem.platform is project.platform
                and problem.workload is project.workload
                and problem.reading == project.reading
                and problem.sharing == project.sharing
            ):
                return problem
        problem = project.problem()
        self._problems.append(problem)
        return problem

    def _receive(self, result: Outcome | _Failure | None) -> None:
        if isinstance(result, Outcome):
            self._document.receive(result)
        elif isinstance(result, _Failure):
            self._document.fail(result.project, result.error)


def _asked_as(known: Project, project: Project) -> Project:
    """A known project with what changes no prediction: cases of studies, and what happened."""
    return replace(known, cases=project.cases, runs=project.runs)
