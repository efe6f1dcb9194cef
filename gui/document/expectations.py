"""What to expect of the present plan where numbers are not known exactly, worked out beside."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from advisor.advice.how_sure import Odds, odds_of
from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document, Outcome


class Expectations(QObject):
    """The odds of the newest outcome; none while they are worked out, or where all is exact."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: tuple[Outcome, Odds | None] | None = None
        self._jobs = LatestWins(self, "what to expect")
        self._jobs.done.connect(self._take)
        document.outcome_changed.connect(self._ask)
        document.replaced.connect(self._forget)

    def close_jobs(self) -> None:
        """End the background work."""
        self._jobs.close()

    @property
    def odds(self) -> Odds | None:
        """Of the outcome that the document has now."""
        known = self._known
        return known[1] if known is not None and known[0] is self._document.outcome else None

    @property
    def is_busy(self) -> bool:
        """Whether they are being worked out."""
        return self._jobs.is_busy

    def _ask(self, outcome: object) -> None:
        if isinstance(outcome, Outcome):
            self._jobs.request(lambda stop: (outcome, _odds(outcome, stop)))

    def _take(self, found: object) -> None:
        if isinstance(found, tuple):
            self._known = found
            self.changed.emit()

    def _forget(self, _project: object) -> None:
        self._jobs.cancel()
        self._known = None


def _odds(outcome: Outcome, stop: ShouldStop) -> Odds | None:
    """None where all is exact, or nothing takes time."""
    if not outcome.problem.instance.task_s.any():
        return None
    plan, point_s = outcome.prediction.plan, outcome.prediction.makespan_s
    return odds_of(outcome.problem, plan, point_s, should_stop=stop)
