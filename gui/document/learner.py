"""What the runs that are looked at teach, worked out off the window's thread while it is wanted.

Each calibration comes with the project that it makes, so that a click is one undo step and takes no
time. The latest wins; calibrations of an older project can't be applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.basics.quantities import duration, few
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.project.run_edits import calibrated as taught_project
from advisor.project.run_edits import grouped as grouped_project
from gui.basics.background_jobs import LatestWins
from gui.document.actuals import ALL, Actuals, Review
from gui.document.document import Document
from gui.document.run_progress_words import all_of
from machines import Platform
from machines.errors import PlacewiseError
from machines.stopping import Stopped, stoppable

if TYPE_CHECKING:
    from advisor.allocation.workload import Workload
    from advisor.learning.calibration import Calibration

_FEW = 3  # names of many tasks


@dataclass(frozen=True, eq=False)
class Offer:
    """A calibration, and what the project is after it.

    `project`: None: it changes nothing, because nothing was learnt or the project says so already.
    """

    calibration: Calibration
    project: Project | None
    refused: PlacewiseError | None = None  # why it can't be applied

    @property
    def known(self) -> bool:
        """Whether the project says already what was learnt."""
        return self.calibration.learnt and self.project is None and self.refused is None


@dataclass(frozen=True, eq=False)
class Short:
    """Tasks that are too short to bother, and the project that groups them where that pays."""

    sentence: str
    project: Project | None


@dataclass(frozen=True, eq=False)
class Calibrations:
    """All that runs teach about the project that they were set beside.

    `short`: tasks shorter than what the runtime takes for each; None: there are none.
    """

    review: Review
    offers: tuple[Offer, ...]
    together: (
        Project | None
    )  # after all calibrations; None: there are not two that change something
    short: Short | None = None
    source: str = ""  # which runs they are learnt from


class Learner(QObject):
    """Calibrations for the review of the moment.

    `calibrations`: the newest. `error`: why there are none.
    """

    learnt = Signal(object)  # Calibrations | None
    busy = Signal(bool)

    def __init__(self, document: Document, actuals: Actuals, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("learner")
        self._document, self._actuals = document, actuals
        self._wanted = False
        self._asked: Review | None = None
        self.calibrations: Calibrations | None = None
        self.error: PlacewiseError | None = None
        self._jobs = LatestWins(self, "calibrations")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._fail)
        self._jobs.busy.connect(self.busy)
        actuals.reviewed.connect(self._follow)

    @property
    def is_busy(self) -> bool:
        """Whether calibrations are on their way."""
        return self._jobs.is_busy

    @property
    def current(self) -> bool:
        """Whether the calibrations are about the project as it is."""
        found = self.calibrations
        return found is not None and found.review.outcome.project is self._document.project

    def want(self, wanted: bool) -> None:
        """Work calibrations out from now on, or no longer."""
        self._wanted = wanted
        self._follow(self._actuals.review)

    def apply(self, project: Project | None, text: str, *, replaces: bool = False) -> None:
        """Take over what a calibration, or all, made of the present project: one undo step.

        With `replaces` its tasks are others.
        """
        if project is not None and self.current:
            self._document.apply(project, text, replaces=replaces)

    def close(self) -> None:
        """End all work."""
        self._jobs.close()

    def _follow(self, review: Review | None) -> None:
        if review is None:
            self._jobs.cancel()
            self._asked = self.calibrations = self.error = None
            self.learnt.emit(None)
        elif self._wanted and review is not self._asked and review.actuals:
            self._asked = review
            whole = self._actuals.chosen == ALL
            self._jobs.request(lambda stop: _lessons(review, whole, stop))

    def _take(self, calibrations: object) -> None:
        if isinstance(calibrations, Calibrations):
            self.calibrations, self.error = calibrations, None
            self.learnt.emit(calibrations)

    def _fail(self, error: PlacewiseError) -> None:
        self.calibrations, self.error = None, error
        self.learnt.emit(None)


def _lessons(review: Review, whole: bool, stop: ShouldStop) -> Calibrations | None:
    """Of all runs, or of the one that is looked at; on the worker's thread."""
    from advisor.learning.calibrations import calibrated, calibrations  # noqa: PLC0415 - where there are runs

    actuals = review.actuals if whole else (review.actuals[review.shown],)
    project, problem = review.outcome.project, review.outcome.problem
    try:
        with stoppable(stop):
            found = calibrations(problem, project.plan, actuals)
            offers = tuple(_offer(project, one) for one in found)
            new = [
                one.calibration
                for one in offers
                if one.project is not None and not one.calibration.doubtful
            ]
            together = None
            if len(new) > 1:
                try:
                    together = _after(project, *calibrated(problem, new))
                except PlacewiseError:
                    together = None  # each for itself says why
            short = _short(review, found, stop)
    except Stopped:
        return None
    source = all_of(len(actuals)) if len(actuals) > 1 else actuals[0].run.name
    return None if stop() else Calibrations(review, offers, together, short, source)


def _short(review: Review, found: Sequence[Calibration], stop: ShouldStop) -> Short | None:
    """Tasks shorter than the runtime's time for each, as the project says or as was learnt."""
    from advisor.advice.grouping import grouped, short_tasks  # noqa: PLC0415 - where there are runs

    project, problem = review.outcome.project, review.outcome.problem
    learnt = [one.platform.runtime.task_overhead_s for one in found if one.learnt]
    overhead_s = project.platform.runtime.task_overhead_s or max(learnt, default=0.0)
    short = short_tasks(problem, project.plan, overhead_s)
    if not short:
        return None
    try:
        grouping = grouped(problem, project.plan, overhead_s, stop)
    except PlacewiseError:
        grouping = None
    if grouping is not None:
        made = grouped_project(project, grouping.workload, grouping.plan, overhead_s)
        return Short(grouping.sentence, made)
    named = few(short, _FEW, lambda task: project.workload.tasks[task].name)
    return Short(
        f"{named} compute for less than the {duration(overhead_s)} that the runtime takes for "
        "each task; no grouping of them pays.",
        None,
    )


def _offer(project: Project, calibration: Calibration) -> Offer:
    if not calibration.learnt:
        return Offer(calibration, None)
    try:
        return Offer(calibration, _after(project, calibration.platform, calibration.workload))
    except PlacewiseError as error:
        return Offer(calibration, None, error)


def _after(project: Project, platform: Platform, workload: Workload) -> Project | None:
    """The project after calibrations; None: it is as it was."""
    if platform == project.platform and workload == project.workload:
        return None
    return taught_project(project, platform, workload)
