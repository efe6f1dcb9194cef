"""Strategies that search, each by itself: one after the other in a process of their own.

Where a scheduler's workers compute, several search at the same time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.basics.quantities import count, duration
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.search import advise
from advisor.search.portfolio import Tried, each_strategy
from advisor.search.titles import title_of
from gui.basics.background_jobs import LatestWins, OnProgress, ProcessEnded, SearchProcess
from gui.basics.remote_client import current
from gui.document.document import Document
from gui.document.same_question import same_but_name, same_question
from machines.errors import PlacewiseError

SEARCH_SECONDS = 2.0


class StrategyRuns(QObject):
    """The strategies that wait, and the one that searches.

    `refusals`: strategies that found nothing, since others were asked for last.
    """

    found = Signal(object)  # (title of the strategy, Plan)
    refused = Signal()
    busy = Signal(object)  # bool
    told = Signal(object)  # (share done in per cent, words: the first ones may be left out)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("strategy_runs")
        self._document = document
        self._waiting: deque[str] = deque()
        self.refusals: list[tuple[str, str]] = []
        self._refused: Project | None = None  # what they were about
        document.changed.connect(self._drop_refusals)
        self._searching: tuple[str, Problem] | None = None
        self._search: SearchProcess | None = None
        self._asked: tuple[int, Problem] | None = None  # how many workers search for, and what
        self._taken = 0
        self._jobs = LatestWins(self, "comparison strategies")
        self._jobs.progress.connect(self._take_tried)
        self._jobs.done.connect(self._end_tried)
        self._jobs.failed.connect(self._fail_tried)

    @property
    def is_busy(self) -> bool:
        """Whether a strategy searches."""
        return self._searching is not None or self._asked is not None

    def add(self, names: Sequence[str]) -> None:
        """Search with these, after those that wait already."""
        self._waiting.extend(name for name in names if name not in self._waiting)
        if not self.is_busy:
            self.refusals.clear()
            self.refused.emit()
            self._next()

    def cancel(self) -> None:
        """Stop the search and keep its best so far; those that wait are dropped."""
        self._waiting.clear()
        self._drop_asked()
        if self._search is not None:
            self._search.cancel()

    def forget(self) -> None:
        """Other tasks or machines: what still searches is of no use."""
        self._waiting.clear()
        self._drop_asked()
        if self._search is not None:
            self._search.drop()
        self.refusals.clear()
        self.refused.emit()

    def close(self) -> None:
        """End the search process."""
        self._waiting.clear()
        self._searching = self._asked = None
        self._jobs.close()
        if self._search is not None:
            self._search.close()

    def _next(self) -> None:
        outcome = self._document.outcome
        if not self._waiting or outcome is None:
            self._waiting.clear()
            self._searching = None
            self.busy.emit(False)
            return
        if len(self._waiting) > 1 and current() is not None:
            self._ask(outcome.problem)
            return
        if self._search is None:
            self._search = self._made_search()
        name = self._waiting.popleft()
        self._searching = (name, outcome.problem)
        self.busy.emit(True)
        self.told.emit((0, (f"{title_of(name)}: starting",)))
        self._search.start(
            advise,
            problem=outcome.problem,
            objective=self._document.project.objective,
            strategy=name,
            seconds=SEARCH_SECONDS,  # and no start: what each strategy finds by itself
        )

    def _ask(self, problem: Problem) -> None:
        """Let workers search with all strategies that wait."""
        names, objective = tuple(self._waiting), self._document.project.objective
        self._waiting.clear()
        self._searching, self._asked, self._taken = None, (len(names), problem), 0
        self.busy.emit(True)
        self.told.emit((0, (f"{count(len(names), 'strategy', 'strategies')}: starting",)))

        def job(stop: ShouldStop, tell: OnProgress) -> tuple[Tried, ...]:
            tried: list[Tried] = []
            for one in each_strategy(problem, objective, names, SEARCH_SECONDS, 0, stop):
                tried.append(one)
                tell(tuple(tried))
            return tuple(tried)

        self._jobs.request_reporting(job)

    def _take_tried(self, tried: object) -> None:
        """What has come since it was looked at last."""
        if not isinstance(tried, tuple) or self._asked is None:
            return
        fresh, self._taken = tried[self._taken :], len(tried)
        of, problem = self._asked
        for one in fresh:
            if one.found is not None:
                self._offer(one.strategy, problem, one.found.plan)
            else:
                self._refuse(one.strategy, str(one.refusal))
        self.told.emit((round(100 * len(tried) / of), (f"{len(tried)} of {of} strategies",)))

    def _end_tried(self, tried: object) -> None:
        self._take_tried(tried)
        self._asked = None
        self._next()

    def _fail_tried(self, error: PlacewiseError) -> None:
        self._tell_refusal("Strategies", str(error))
        self._asked = None
        self._next()

    def _drop_asked(self) -> None:
        """Stop what workers search; what they found stays."""
        if self._asked is not None:
            self._jobs.cancel()
            self._asked = None
            self.busy.emit(False)

    def _made_search(self) -> SearchProcess:
        search = SearchProcess(self, "comparison search")
        search.progress.connect(self._tell)
        search.done.connect(self._take)
        search.failed.connect(self._fail)
        search.cancelled.connect(self._next)
        return search

    def _tell(self, progress: object) -> None:
        if isinstance(progress, Progress) and self._searching is not None:
            title = title_of(self._searching[0])
            words = f"{progress.tried:,} tried", f"{title}: best {duration(progress.value_s)}"
            self.told.emit((round(100 * progress.fraction), words))

    def _take(self, result: object) -> None:
        if isinstance(result, Recommendation) and self._searching is not None:
            self._offer(*self._searching, result.plan)
        self._next()

    def _offer(self, name: str, problem: Problem, plan: Plan) -> None:
        """A plan, unless it is about other tasks or machines by now."""
        project = self._document.project
        asked = (problem.platform, project.platform), (problem.workload, project.workload)
        if all(same_but_name(*pair) for pair in asked):
            self.found.emit((title_of(name), plan))
        else:
            self._refuse(name, "answered for an earlier state of the project; add it again.")

    def _fail(self, error: PlacewiseError) -> None:
        told = error.last if isinstance(error, ProcessEnded) else None
        name = "" if self._searching is None else self._searching[0]
        if isinstance(told, Progress):
            why = f"{error.what}; its best so far is pinned. Add it again to continue."
            self._refuse(name, why)
            self._take(told.recommendation(self._document.project.objective))
            return
        self._refuse(name, str(error))
        self._next()

    def _refuse(self, name: str, why: str) -> None:
        if name:
            self._tell_refusal(title_of(name), why)

    def _tell_refusal(self, title: str, why: str) -> None:
        self.refusals.append((title, why))
        self._refused = self._document.project
        self.refused.emit()

    def _drop_refusals(self, project: Project) -> None:
        """Other machines, tasks or readings: what was refused may be found now."""
        if self.refusals and self._refused and not same_question(self._refused, project):
            self.refusals.clear()
            self.refused.emit()
