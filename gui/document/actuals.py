"""What happened in the project's runs beside what is predicted, kept up to date off the thread.

Board and panels show the same: one run, or the middle one of all. Every new prediction, so every
edit and every calibration that is applied, is set beside it anew; the latest wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.stop_rule import ShouldStop
from advisor.runs.actual import Actual, middle
from advisor.runs.run_record import Run
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document, Outcome
from machines import Platform
from machines.errors import PlacewiseError
from machines.stopping import Stopped, stoppable

if TYPE_CHECKING:
    from advisor.runs.difference import Difference

ALL = ""  # instead of a run's name


@dataclass(frozen=True, eq=False)
class Review:
    """Runs set beside a prediction.

    `difference`: its makespan against the predicted one, split into causes. `refused`: pairs (str,
    PlacewiseError); runs that could not be matched, by name.
    """

    outcome: Outcome
    actuals: tuple[Actual, ...]  # those runs of the project that could be matched
    shown: int  # position in `actuals` of the one that is looked at
    difference: Difference | None = None
    unsplit: PlacewiseError | None = None  # why there is no difference
    refused: tuple[tuple[str, PlacewiseError], ...] = ()

    @property
    def actual(self) -> Actual | None:
        """The run that is looked at."""
        return self.actuals[self.shown] if self.actuals else None


class Actuals(QObject):
    """The runs of the document's project.

    `chosen`: name of the run that is looked at; `ALL`: the middle one of all. `review`: the newest;
    None: the project has no runs, or no prediction yet. `error`: why there is none.
    """

    reviewed = Signal(object)  # Review | None
    failed = Signal(object)  # PlacewiseError
    busy = Signal(bool)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("actuals")
        self._document = document
        self.chosen = ALL
        self.review: Review | None = None
        self.error: PlacewiseError | None = None
        self._known: dict[int, tuple[Run, Workload, Platform, Actual]] = {}  # of the worker alone
        self._jobs = LatestWins(self, "actuals")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._fail)
        self._jobs.busy.connect(self.busy)
        document.outcome_changed.connect(self._follow)
        document.changed.connect(self._drop_if_none)
        document.replaced.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether a review is on its way."""
        return self._jobs.is_busy

    def choose(self, name: str) -> None:
        """Look at the run of that name, or at the middle one of `ALL`."""
        if name != self.chosen:
            self.chosen = name
            if self._document.outcome is not None:
                self._follow(self._document.outcome)

    def answers(self) -> bool:
        """Whether the review is about the project as it is now."""
        review = self.review
        return review is not None and review.outcome.project is self._document.project

    def close(self) -> None:
        """End all work."""
        self._jobs.close()

    def _follow(self, outcome: Outcome) -> None:
        runs, chosen = outcome.project.runs, self.chosen
        if runs:
            self._jobs.request(lambda stop: self._reviewed(outcome, chosen, stop))

    def _drop_if_none(self, project: object) -> None:
        if not self._document.project.runs and (self.review or self.error):
            self._forget(project)

    def _forget(self, _project: object) -> None:
        self._jobs.cancel()
        self.review = self.error = None
        self.chosen = ALL
        self.reviewed.emit(None)

    def _take(self, review: object) -> None:
        if (
            isinstance(review, Review)
            and review.outcome.project.runs == self._document.project.runs
        ):
            self.review, self.error = review, None
            self.reviewed.emit(review)

    def _fail(self, error: PlacewiseError) -> None:
        self.review, self.error = None, error
        self.reviewed.emit(None)
        self.failed.emit(error)

    # on the worker's thread

    def _reviewed(self, outcome: Outcome, chosen: str, stop: ShouldStop) -> Review | None:
        runs, problem = outcome.project.runs, outcome.problem
        actuals: list[Actual] = []
        refused: list[tuple[str, PlacewiseError]] = []
        for run in runs:
            try:
                actuals.append(self._matched(run, problem))
            except PlacewiseError as error:
                refused.append((run.name, error))
            if stop():
                return None
        self._known = {one: self._known[one] for one in map(id, runs) if one in self._known}
        shown = _position(actuals, chosen)
        review = Review(outcome, tuple(actuals), shown, refused=tuple(refused))
        if not actuals:
            return review
        try:
            with stoppable(stop):
                return replace(review, difference=_difference(outcome, actuals[shown]))
        except Stopped:
            return None
        except PlacewiseError as error:
            return replace(review, unsplit=error)

    def _matched(self, run: Run, problem: Problem) -> Actual:
        from advisor.runs.matching import matched  # noqa: PLC0415 - where there are runs

        workload, platform = problem.workload, problem.platform
        known = self._known.get(id(run))
        if known is not None and all(
            one is other for one, other in zip(known, (run, workload, platform), strict=False)
        ):
            return known[3]
        found = matched(run, problem)
        self._known[id(run)] = run, workload, platform, found
        return found


def _difference(outcome: Outcome, actual: Actual) -> Difference:
    from advisor.runs.difference import difference  # noqa: PLC0415 - where there are runs

    return difference(outcome.problem, outcome.project.plan, actual)


def _position(actuals: list[Actual], chosen: str) -> int:
    """Of the run of that name, or of the middle one."""
    names = [one.run.name for one in actuals]
    if chosen in names:
        return names.index(chosen)
    return middle(actuals) if actuals else 0
