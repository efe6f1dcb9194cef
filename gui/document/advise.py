"""Asks the engine for advice and keeps the answer beside the question that it answers.

The search runs in the search process, the explanation and the best single moves on threads. Small
workloads are answered anew after every edit; large ones when the user asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from advisor.advice.explain import Explanation, explain
from advisor.advice.known import best_known
from advisor.allocation.moves import Move, best_moves
from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation
from advisor.basics.stopping import ShouldStop
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

    @property
    def plan(self) -> Plan:
        """What it says to do: the recommended plan, or one alike to it that changes less."""
        return self.explanation.advised

    def answers(self, project: Project) -> bool:
        """Whether this is the answer to the question that `project` asks."""
        return same_question(self.outcome.project, project)


def same_question(one: Project, other: Project) -> bool:
    """Whether two projects differ in their plan and pins at most."""
    return (
        one.platform is other.platform
        and one.workload is other.workload
        and (one.objective, one.reading, one.sharing)
        == (other.objective, other.reading, other.sharing)
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
        self._met: tuple[Project | None, tuple[Plan, ...]] = (None, ())
        self.advice: Advice | None = None
        self.moves: tuple[Move, ...] = ()
        self._explaining = LatestWins(self, "explanation")
        self._moving = LatestWins(self, "best moves")
        self._offered = LatestWins(self, "offered plans")
        search.progress.connect(self.progress)
        search.busy.connect(self.busy)
        search.done.connect(self._explain)
        search.failed.connect(self.failed)
        self._explaining.done.connect(self._receive)
        self._explaining.failed.connect(self.failed)
        self._moving.done.connect(self._receive_moves)
        self._offered.done.connect(self._take_offer)
        document.outcome_changed.connect(self._follow)
        document.loaded.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether a search runs."""
        return self._search.is_busy

    @property
    def is_explaining(self) -> bool:
        """Whether what was found is being explained."""
        return self._explaining.is_busy

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
            self._document.adopt(self.advice.plan, "Apply the recommendation")

    def apply_best(self) -> None:
        """Adopt the best plan known where one alike to it is recommended, one undo step."""
        if self.advice is not None and self.advice.answers(self._document.project):
            self._document.adopt(self.advice.recommendation.plan, "Apply the best plan known")

    @property
    def known(self) -> tuple[Plan, ...]:
        """The plans known for the present question: present, pinned, recommended, offered."""
        project, advice = self._document.project, self.advice
        plans = self._known_for(project)
        if advice is not None and advice.answers(project):
            plans = (*plans, advice.recommendation.plan)
        return tuple(dict.fromkeys(plans))

    def offer(self, plans: Iterable[Plan]) -> None:
        """Take plans that were met elsewhere; if one is better it becomes the answer."""
        project, advice = self._document.project, self.advice
        self._met = project, (*self._met_for(project), *plans)
        if advice is not None and advice.answers(project):
            problem, met = advice.outcome.problem, self._met[1]
            self._offered.request(
                lambda _stop: (advice, best_known(problem, advice.recommendation, met))
            )

    def _known_for(self, project: Project) -> tuple[Plan, ...]:
        return (project.plan, *(pin.plan for pin in project.pins), *self._met_for(project))

    def _met_for(self, project: Project) -> tuple[Plan, ...]:
        """The offered plans, if the question is still that for which they were met."""
        asked, plans = self._met
        return plans if asked is not None and same_question(asked, project) else ()

    def apply_move(self, move: Move) -> None:
        """Make one of the single moves, one undo step."""
        self._document.move_tasks(frozenset({move.task}), move.machine)

    def close(self) -> None:
        """End all work."""
        self._explaining.close()
        self._moving.close()
        self._offered.close()

    def _forget(self, _project: object) -> None:
        self._search.cancel()
        self._asked = None
        self._met = None, ()
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
        project = outcome.project
        known = self._known_for(project)

        def job(stop: ShouldStop) -> Advice:
            found = explain(
                outcome.problem, recommendation, project.plan, should_stop=stop, known=known
            )
            return Advice(outcome, found.recommendation, found)

        self._explaining.request(job)

    def _receive(self, advice: object) -> None:
        if isinstance(advice, Advice) and advice.answers(self._document.project):
            self.advice = advice
            self.advised.emit(advice)

    def _take_offer(self, result: object) -> None:
        """Explain the answer anew if an offered plan is better."""
        advice, found = result if isinstance(result, tuple) else (None, None)
        if advice is self.advice and found is not self.advice.recommendation:
            self._explain(found)

    def _receive_moves(self, result: object) -> None:
        if isinstance(result, tuple) and result[0] is self._document.outcome:
            self.moves = result[1]
            self.moves_changed.emit(self.moves)
