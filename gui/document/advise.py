"""Asks the engine for advice and keeps the answer beside the question that it answers.

The search runs in the search process, the explanation and the best single moves on threads. Small
workloads are answered anew after every edit; large ones when the user asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from advisor.advice.explain import Explanation, explain
from advisor.allocation.moves import Move, best_moves
from advisor.allocation.recommendation import Recommendation
from advisor.project.project import Project
from advisor.search import advise
from gui.basics.jobs import LatestWins, SearchProcess
from gui.document.document import Document, Outcome

SMALL = 60
AUTOMATIC_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Advice:
    """A recommendation, the outcome of the plan that it was compared with, and its reasons."""

    outcome: Outcome
    recommendation: Recommendation
    explanation: Explanation

    def answers(self, project: Project) -> bool:
        """Whether this is the answer to the question that `project` asks."""
        return same_question(self.outcome.project, project)


def same_question(one: Project, other: Project) -> bool:
    """Whether two projects differ in their plan and pins at most."""
    return (
        one.platform is other.platform
        and one.workload is other.workload
        and (one.objective, one.reading) == (other.objective, other.reading)
    )


class Advisor(QObject):
    """Searches, explains and lists single moves for the document's project."""

    progress = Signal(object)  # Progress: best so far
    advised = Signal(object)  # Advice
    moves_changed = Signal(object)  # tuple of Move, for the present outcome
    busy = Signal(bool)
    failed = Signal(object)  # PlacewiseError

    def __init__(
        self, document: Document, search: SearchProcess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("advisor")
        self._document = document
        self._search = search
        self._asked: Outcome | None = None
        self.advice: Advice | None = None
        self.moves: tuple[Move, ...] = ()
        self._explaining = LatestWins(self, "explanation")
        self._moving = LatestWins(self, "best moves")
        search.progress.connect(self.progress)
        search.busy.connect(self.busy)
        search.done.connect(self._explain)
        search.failed.connect(self.failed)
        self._explaining.done.connect(self._receive)
        self._explaining.failed.connect(self.failed)
        self._moving.done.connect(self._receive_moves)
        document.outcome_changed.connect(self._follow)
        document.loaded.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether a search runs."""
        return self._search.is_busy

    def start(self, seconds: float = 10.0, strategy: str = "auto") -> None:
        """Search for a better plan than the present one; nothing without a prediction."""
        outcome = self._document.outcome
        if outcome is None or outcome.project is not self._document.project:
            return
        self._asked = outcome
        self._search.start(
            advise,
            problem=outcome.problem,
            objective=outcome.project.objective,
            strategy=strategy,
            seconds=seconds,
            start=outcome.project.plan,
        )

    def cancel(self) -> None:
        """Stop the search; its best so far becomes the advice."""
        self._search.cancel()

    def apply(self) -> None:
        """Adopt the recommended plan, one undo step."""
        if self.advice is not None and self.advice.answers(self._document.project):
            plan = self.advice.recommendation.plan
            self._document.adopt(plan, "Apply the recommendation")

    def apply_move(self, move: Move) -> None:
        """Make one of the single moves, one undo step."""
        self._document.move_tasks(frozenset({move.task}), move.machine)

    def close(self) -> None:
        """End all work."""
        self._explaining.close()
        self._moving.close()

    def _forget(self, _project: object) -> None:
        self._search.cancel()
        self._asked = None
        self.advice = None
        self.moves = ()

    def _follow(self, outcome: Outcome) -> None:
        """A new prediction: new moves, and a new answer or the old one seen from the new plan."""
        project = outcome.project
        self._moving.request(
            lambda stop: (
                outcome,
                best_moves(outcome.problem, project.plan, project.objective, should_stop=stop),
            )
        )
        if self.advice is not None and self.advice.answers(project):
            self._asked = outcome
            self._explain(self.advice.recommendation)
        elif len(project.workload.tasks) <= SMALL:
            self.start(AUTOMATIC_SECONDS)

    def _explain(self, recommendation: object) -> None:
        outcome = self._asked
        if outcome is None or not isinstance(recommendation, Recommendation):
            return
        current = outcome.project.plan
        self._explaining.request(
            lambda stop: Advice(
                outcome,
                recommendation,
                explain(outcome.problem, recommendation, current, should_stop=stop),
            )
        )

    def _receive(self, advice: object) -> None:
        if isinstance(advice, Advice) and advice.answers(self._document.project):
            self.advice = advice
            self.advised.emit(advice)

    def _receive_moves(self, result: object) -> None:
        if isinstance(result, tuple) and result[0] is self._document.outcome:
            self.moves = result[1]
            self.moves_changed.emit(self.moves)
