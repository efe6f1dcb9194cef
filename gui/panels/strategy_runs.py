"""Strategies that search one after the other, each by itself, in a process of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.basics.quantities import duration
from advisor.search import STRATEGIES, advise
from gui.basics.jobs import ProcessEnded, SearchProcess
from gui.document.document import Document
from machines.errors import PlacewiseError

SEARCH_SECONDS = 2.0


class StrategyRuns(QObject):
    """The strategies that wait, and the one that searches.

    Attributes
    ----------
    refusals : list of (title, reason)
        Strategies that found nothing, since others were asked for last.
    """

    found = Signal(object)  # (title of the strategy, Plan)
    refused = Signal()
    busy = Signal(object)  # bool
    told = Signal(object)  # (share done in per cent, text with %p)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("strategy_runs")
        self._document = document
        self._waiting: deque[str] = deque()
        self.refusals: list[tuple[str, str]] = []
        self._searching: tuple[str, Problem] | None = None
        self._search: SearchProcess | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a strategy searches."""
        return self._searching is not None

    def add(self, names: Sequence[str]) -> None:
        """Search with these, after those that wait already."""
        self._waiting.extend(name for name in names if name not in self._waiting)
        if self._searching is None:
            self.refusals.clear()
            self.refused.emit()
            self._next()

    def cancel(self) -> None:
        """Stop the search and keep its best so far; those that wait are dropped."""
        self._waiting.clear()
        if self._search is not None:
            self._search.cancel()

    def forget(self) -> None:
        """Other tasks or machines: what still searches is of no use."""
        self._waiting.clear()
        if self._search is not None:
            self._search.drop()
        self.refusals.clear()
        self.refused.emit()

    def close(self) -> None:
        """End the search process."""
        self._waiting.clear()
        self._searching = None
        if self._search is not None:
            self._search.close()

    def _next(self) -> None:
        outcome = self._document.outcome
        if not self._waiting or outcome is None:
            self._waiting.clear()
            self._searching = None
            self.busy.emit(False)
            return
        if self._search is None:
            self._search = self._made_search()
        name = self._waiting.popleft()
        self._searching = (name, outcome.problem)
        self.busy.emit(True)
        self.told.emit((0, f"{STRATEGIES[name].title}: starting"))
        self._search.start(
            advise,
            problem=outcome.problem,
            objective=self._document.project.objective,
            strategy=name,
            seconds=SEARCH_SECONDS,  # and no start: what each strategy finds by itself
        )

    def _made_search(self) -> SearchProcess:
        search = SearchProcess(self, "comparison search")
        search.progress.connect(self._tell)
        search.done.connect(self._take)
        search.failed.connect(self._fail)
        search.cancelled.connect(self._next)
        return search

    def _tell(self, progress: object) -> None:
        if isinstance(progress, Progress) and self._searching is not None:
            title = STRATEGIES[self._searching[0]].title
            text = f"{title}: {duration(progress.value_s)} after {progress.tried:,}  %p %"
            self.told.emit((round(100 * progress.fraction), text))

    def _take(self, result: object) -> None:
        if isinstance(result, Recommendation) and self._searching is not None:
            name, problem = self._searching
            project = self._document.project
            if problem.workload is project.workload and problem.platform is project.platform:
                self.found.emit((STRATEGIES[name].title, result.plan))
            else:
                self._refuse("answered for the project as it was before; add it again.")
        self._next()

    def _fail(self, error: PlacewiseError) -> None:
        told = error.last if isinstance(error, ProcessEnded) else None
        if isinstance(told, Progress):
            self._refuse(f"{error.what}; its best so far is pinned. Add it again to search on.")
            self._take(told.recommendation(self._document.project.objective))
            return
        self._refuse(str(error))
        self._next()

    def _refuse(self, why: str) -> None:
        if self._searching is not None:
            self.refusals.append((STRATEGIES[self._searching[0]].title, why))
            self.refused.emit()
