"""Asks the engine for advice and keeps the answer beside the question that it answers.

The search runs in the search process, the explanation and the best single moves on threads. Small
workloads are answered anew after every edit; large ones when the user asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject, Qt, Signal

from advisor.advice.explain import Explanation, explain
from advisor.advice.known import Valued, best_known
from advisor.allocation.moves import Move, best_moves
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.search import advise
from gui.basics.background_jobs import LatestWins, OnProgress, ProcessEnded, SearchProcess
from gui.basics.settings import SEARCH_S
from gui.document.document import Document, Outcome
from gui.document.same_question import same_question
from machines.errors import PlacewiseError, capital

SMALL = 60
AUTOMATIC_SECONDS = 1.0


class Phase(Enum):
    """How far an answer is."""

    IDLE = "nothing is asked"
    WAITING = "predicting the present plan first"
    SEARCHING = "plans are tried"
    EXPLAINING = "explaining the plan found"


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


class Advisor(QObject):
    """Searches, explains and lists single moves for the document's project.

    `seconds`: effort of a search that the user asks for.
    `advice`: the last answer, perhaps to a question before the present one.
    `found`: the best known for the question that was asked last, explained or not.
    `note`: what happened to the last search, if it did not go as it should.
    `error`: why there is no answer.
    """

    progress = Signal(object)  # Progress: best so far
    explained = Signal(object)  # float: share of the reasons that is worked out
    advised = Signal(object)  # Advice
    moves_changed = Signal(object)  # tuple of Move, for the present outcome
    phase_changed = Signal(object)  # Phase
    failed = Signal(object)  # PlacewiseError

    def __init__(
        self, document: Document, search: SearchProcess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("advisor")
        self._document, self._search = document, search
        self._asked: Outcome | None = None
        self._asked_s = self.seconds = float(SEARCH_S)
        self._wanted_s: float | None = None  # a search that waits for a prediction
        self._hopeless: Project | None = None  # it has no prediction
        self._turn = 0  # of the searches for one question: each takes other random moves
        self._told: Progress | None = None
        self._enough = False  # of reasons
        self._met: tuple[Project | None, tuple[Plan, ...]] = (None, ())
        self.advice: Advice | None = None
        self.found: Recommendation | None = None
        self.note = ""
        self.error: PlacewiseError | None = None
        self.moves: tuple[Move, ...] = ()
        self._explaining = LatestWins(self, "explanation")
        self._moving = LatestWins(self, "best moves")
        self._offered = LatestWins(self, "offered plans")
        self._phase = self.phase
        self._connect()

    def _connect(self) -> None:
        document, search, explaining = self._document, self._search, self._explaining
        search.progress.connect(self._hear)
        search.done.connect(self._take_found)
        search.failed.connect(self._fail)
        search.cancelled.connect(self._take_nothing)
        explaining.progress.connect(self.explained)
        explaining.done.connect(self._receive)
        explaining.failed.connect(self._fail)
        # after what `done` brings about: between both nothing seems to be under way
        explaining.busy.connect(self._step, Qt.ConnectionType.QueuedConnection)
        self._moving.done.connect(self._receive_moves)
        self._offered.done.connect(self._take_offer)
        document.changed.connect(self._expect)
        document.outcome_changed.connect(self._follow)
        document.outcome_failed.connect(self._give_up)
        document.replaced.connect(self._forget)

    @property
    def phase(self) -> Phase:
        """How far the answer to the present question is."""
        if self._search.is_busy:
            return Phase.SEARCHING
        if self._explaining.is_busy:
            return Phase.EXPLAINING
        project, outcome = self._document.project, self._document.outcome
        predicted = outcome is not None and outcome.project is project
        waits = not predicted and project is not self._hopeless and self._due_s is not None
        return Phase.WAITING if waits else Phase.IDLE

    @property
    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return self.phase is not Phase.IDLE

    def start(self, seconds: float | None = None, strategy: str = "auto") -> None:
        """Continue the search from the best plan known, once there is a prediction.

        `seconds`: the effort; left out, the user's own.
        """
        seconds = self.seconds if seconds is None else seconds
        outcome = self._document.outcome
        if outcome is None or outcome.project is not self._document.project:
            self._wanted_s = seconds
            self._step()
            return
        known = self._known(outcome.project)
        self._turn = 0 if known is None else self._turn + 1
        self._asked, self._asked_s, self._wanted_s = outcome, seconds, None
        self.found, self._told, self.note, self.error = known, None, "", None
        self._explaining.cancel()
        self._search.start(
            advise,
            problem=outcome.problem,
            objective=outcome.project.objective,
            strategy=strategy,
            seconds=seconds,
            seed=self._turn,
            start=outcome.project.plan if known is None else known.plan,
        )
        self._step()

    def cancel(self) -> None:
        """Stop; the best so far becomes the advice, with the reasons that are known by then."""
        self._wanted_s, self._enough = None, True
        self._search.cancel()
        self._step()

    @property
    def best(self) -> Recommendation | None:
        """The best known for the present question, at once while a search runs."""
        return self._known(self._document.project)

    @property
    def better(self) -> Valued | None:
        """The plan to apply and its value; None: nothing better than the present one is known.

        The recommended one, else the best known; while a search runs its best so far.
        """
        project, outcome, advice = self._document.project, self._document.outcome, self.advice
        if outcome is None or outcome.project is not project or self.error is not None:
            return None
        offered = [] if self.best is None else [Valued(self.best.plan, self.best.value_s)]
        if not self.is_busy and advice is not None and advice.answers(project):
            offered.insert(0, Valued(advice.plan, advice.explanation.advised_s))
        least_s = outcome.prediction.value_s(project.objective) * (1.0 - ALIKE)
        return next((one for one in offered if one.value_s < least_s), None)

    def apply(self) -> None:
        """Adopt what is better, one undo step."""
        better = self.better
        if better is None:
            return
        advised = self.advice is not None and better.plan is self.advice.plan
        what = "best so far" if self.is_busy else "recommendation" if advised else "best plan known"
        assert self._document.outcome is not None  # else nothing is better
        plan = ordered(self._document.outcome.problem, better.plan)
        self._document.adopt(plan, f"Apply the {what}")

    @property
    def known(self) -> tuple[Plan, ...]:
        """The plans known for the present question: present, pinned, recommended, offered."""
        project, best = self._document.project, self._known(self._document.project)
        plans = self._known_for(project)
        return tuple(dict.fromkeys(plans if best is None else (*plans, best.plan)))

    def offer(self, plans: Iterable[Plan]) -> None:
        """Take plans that were met elsewhere; if one is better it becomes the answer."""
        project, advice = self._document.project, self.advice
        self._met = project, (*self._met_for(project), *plans)
        if advice is not None and advice.answers(project):
            problem, met = advice.outcome.problem, self._met[1]
            self._offered.request(
                lambda _stop: (advice, best_known(problem, advice.recommendation, met))
            )

    def apply_move(self, move: Move) -> None:
        """Make one of the single moves, one undo step."""
        self._document.move_tasks(frozenset({move.task}), move.machine, move.choices)

    def close(self) -> None:
        """End all work."""
        for jobs in (self._explaining, self._moving, self._offered):
            jobs.close()

    def _step(self, _busy: object = None) -> None:
        """Tell how far the answer is, if that has changed."""
        if self.phase is not self._phase:
            self._phase = self.phase
            self.phase_changed.emit(self._phase)

    def _is_asked(self, project: Project) -> bool:
        return self._asked is not None and same_question(self._asked.project, project)

    def _known(self, project: Project) -> Recommendation | None:
        """The best recommendation for the question of `project`, found by any search so far."""
        known = [self.found] if self._is_asked(project) else []
        if self._is_asked(project) and self._search.is_busy and self._told is not None:
            known.append(self._told.recommendation(project.objective))
        if self.advice is not None and self.advice.answers(project):
            known.append(self.advice.recommendation)
        return min(filter(None, known), key=lambda one: one.value_s, default=None)

    def _known_for(self, project: Project) -> tuple[Plan, ...]:
        return (project.plan, *(pin.plan for pin in project.pins), *self._met_for(project))

    def _met_for(self, project: Project) -> tuple[Plan, ...]:
        """The offered plans, if the question is still that for which they were met."""
        asked, plans = self._met
        return plans if asked is not None and same_question(asked, project) else ()

    @property
    def _due_s(self) -> float | None:
        """Effort of the search that begins with the next prediction; None: none does."""
        project = self._document.project
        if self._wanted_s is not None:
            return self._wanted_s
        asked = self._is_asked(project) or (
            self.advice is not None and self.advice.answers(project)
        )
        small = len(project.workload.tasks) <= SMALL
        return AUTOMATIC_SECONDS if small and not asked else None

    def _expect(self, project: Project) -> None:
        """Another question: what is under way for the old one is dropped and asked anew."""
        asked = self._asked
        if asked is not None and not same_question(asked.project, project):
            answered = self.advice is not None and self.advice.answers(asked.project)
            if self._search.is_busy or (self._explaining.is_busy and not answered):
                self._wanted_s = self._asked_s
            self._drop()
        self._step()

    def _drop(self) -> None:
        """Nobody wants to know any more what was asked."""
        self._asked = self.found = self._told = None
        self.note, self.error = "", None
        self._search.drop()
        self._explaining.cancel()

    def _forget(self, _project: object) -> None:
        """Other tasks or machines: nothing of the old answer is left."""
        self._drop()
        self._moving.cancel()
        self._offered.cancel()
        self._wanted_s = self._hopeless = None
        self._met = None, ()
        self.advice = None
        self.moves = ()
        self._step()

    def _follow(self, outcome: Outcome) -> None:
        """A new prediction: new moves, and a new answer or the old one seen from the new plan."""
        project, due_s = outcome.project, self._due_s
        self.error = self._hopeless = None
        self._moving.request(
            lambda stop: (
                outcome,
                best_moves(outcome.problem, project.plan, project.objective, should_stop=stop),
            )
        )
        if due_s is not None:
            self.start(due_s)
            return
        known = self._known(project)
        if known is not None or self._is_asked(project):
            self._asked = outcome
        if known is not None and not self._search.is_busy:
            self.found = known
            self._explain()
        self._step()

    def _give_up(self, error: PlacewiseError) -> None:
        """There is no prediction, so that nothing can be searched."""
        self._hopeless, self._wanted_s, self.error = self._document.project, None, error
        self._step()

    def _hear(self, told: object) -> None:
        if isinstance(told, Progress):
            self._told = told
            self.progress.emit(told)

    def _take_nothing(self) -> None:
        """The search was stopped before there was anything to keep."""
        if self._asked is not None and self.found is None:
            self.note = "The search stopped before it found a plan."
        self._step()

    def _take_found(self, found: object) -> None:
        if isinstance(found, Recommendation):
            self.found = found if self.found is None else found.after(self.found)
            self._explain()
        self._step()

    def _fail(self, error: PlacewiseError) -> None:
        """What a search had found that was ended from outside is kept, with what happened."""
        if isinstance(error, ProcessEnded) and self._asked is not None:
            told, kept = error.last, self.found
            if isinstance(told, Progress):
                kept = told.recommendation(self._asked.project.objective)
            if kept is not None:
                self.note = f"{capital(error.what)}; its best so far is kept. "
                self.note += "Press Advise to search on."
                self._take_found(kept)
                return
        self.error = error
        self.failed.emit(error)
        self._step()

    def _explain(self) -> None:
        outcome, found = self._asked, self.found
        if outcome is None or found is None:
            return
        project, self._enough = outcome.project, False
        known = self._known_for(project)

        def job(stop: ShouldStop, tell: OnProgress) -> Advice:
            enough: ShouldStop = lambda: stop() or self._enough  # noqa: E731
            made = explain(outcome.problem, found, project.plan, enough, tell, known=known)
            return Advice(outcome, made.recommendation, made)

        self._explaining.request_reporting(job)

    def _receive(self, advice: object) -> None:
        if isinstance(advice, Advice) and advice.answers(self._document.project):
            self.advice, self.found = advice, advice.recommendation
            self.advised.emit(advice)

    def _take_offer(self, result: object) -> None:
        """Explain the answer anew if an offered plan is better."""
        advice, found = result if isinstance(result, tuple) else (None, None)
        if advice is self.advice and found is not self.advice.recommendation:
            self.found = found
            if not self._search.is_busy:
                self._explain()
        self._step()

    def _receive_moves(self, result: object) -> None:
        if isinstance(result, tuple) and result[0] is self._document.outcome:
            self.moves = result[1]
            self.moves_changed.emit(self.moves)
