"""A search for an allocation while it goes on: what was found, and what is left to spend.

The strategies offer their plans to it.

The clock of a search: it ends one that takes far too long, and says when to report.

What a search may work is counted in steps, so that the same command gives the same plan. The guard
is for a step that hangs: it counts the processor time of the search's own thread, which other
programs on a busy machine do not use up, and ends the search after ten times the effort that was
asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from advisor.allocation.evaluation import reached_s
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from machines import InfeasibleError


@dataclass(frozen=True)
class Asked:
    """What `advise` was asked for."""

    objective: str
    strategy: str
    seconds: float
    seed: int
    start: Plan | None
    on_progress: Callable[[Progress], None] | None
    should_stop: ShouldStop | None
    clocked: bool = True


def watch_of(asked: Asked, guard_s: float | None = None) -> TimeLimit:
    """The clock of what was asked for; `guard_s` None: ten times the effort, steps decide."""
    guard_s = _GUARD * asked.seconds if guard_s is None else guard_s
    return TimeLimit(guard_s, asked.should_stop, asked.clocked)


@dataclass
class _Found:
    plan: Plan
    value_s: float


@dataclass
class AllocationSearch:
    """One search: what was found, and what is left to spend."""

    problem: Problem
    asked: Asked
    guard_s: float | None = None
    found: dict[str, _Found] = field(default_factory=dict)
    ties: tuple[tuple[int, ...], ...] = ()
    ties_complete: bool = True
    proved: bool = False
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.watch = watch_of(self.asked, self.guard_s)
        self.objective = self.asked.objective
        self.bound_s = self.problem.lower_bounds_s[self.objective]
        self.effort = StepBudget(budget(self.asked.seconds), self.watch.stopped, self.tell)

    def recommendation(self) -> Recommendation:
        """The best that was found."""
        ranked = sorted(self.found.items(), key=lambda item: item[1].value_s)
        if not ranked:
            raise InfeasibleError("no feasible allocation was found", where="search",
                                  remedy="Add memory or links, or allow more machines")  # fmt: skip
        strategy, best = ranked[0]
        bound_s = best.value_s if self.proved else min(self.bound_s, best.value_s)
        proved = self.proved or best.value_s <= self.bound_s * (1 + ALIKE)
        if proved and not self.proved:  # by the bound: plans as good were met, not looked for
            good = [one for _, one in ranked if one.value_s <= best.value_s * (1 + ALIKE)]
            self.ties = tuple(dict.fromkeys(one.plan.allocation for one in good))
            self.ties_complete = False
        notes = list(dict.fromkeys((*self.problem.costs.warnings, *self.warnings)))
        return Recommendation(
            plan=replace(best.plan, strategy=strategy),
            objective=self.objective,
            value_s=best.value_s,
            lower_bound_s=bound_s,
            proved_optimal=proved,
            strategy=strategy,
            ties=tuple(tie for tie in self.ties if tie != best.plan.allocation),
            ties_complete=self.ties_complete,
            alternatives=tuple((name, one.plan, one.value_s) for name, one in ranked[1:]),
            warnings=(*notes, *self.watch.notes),
            steps=self.effort.spent,
            seconds_spent=self.watch.seconds,
        )

    @property
    def plans(self) -> list[Plan]:
        """One of every strategy that found any, best first."""
        return [one.plan for _, one in sorted(self.found.items(), key=lambda i: i[1].value_s)]

    @property
    def best_s(self) -> float:
        """The least value that was found; inf before any."""
        return min((one.value_s for one in self.found.values()), default=np.inf)

    def offer(self, plan: Plan) -> float:
        """Keep a feasible plan if it is its strategy's best; returns its value.

        Where transfers share, a plan is carried out in its own order and in that of the starts of
        the classical timeline; the better is kept. So it is where a plan's own order sticks, as
        outputs stay in memory.
        """
        value_s = self._value(plan)
        sticks = self.problem.costs.needs.outputs_stay and not np.isfinite(value_s)
        if (self.problem.sharing == FAIR or sticks) and plan.order is not None:
            by_starts = replace(plan, order=None)
            other_s = self._value(by_starts)
            if other_s < value_s:
                plan, value_s = by_starts, other_s
        known = self.found.get(plan.strategy)
        if np.isfinite(value_s) and (known is None or value_s < known.value_s):
            self.found[plan.strategy] = _Found(plan, value_s)
        return value_s

    def offer_better(self, plan: Plan, _value_s: float) -> None:
        """Keep a plan that a search found on its way, and tell."""
        self.offer(plan)
        self.tell()

    def offer_if_feasible(self, plan: Plan) -> None:
        """Keep the plan unless it can't run."""
        try:
            check_feasible(self.problem, plan)
        except InfeasibleError:
            return
        self.offer(plan)

    def tell(self) -> None:
        """Report the best so far, some ten times a second."""
        if self.asked.on_progress is None or not self.found or not self.watch.report_is_due():
            return
        strategy, best = min(self.found.items(), key=lambda item: item[1].value_s)
        placed = max(1, len(self.problem.workload.tasks))
        self.asked.on_progress(
            Progress(best.plan, best.value_s, min(self.bound_s, best.value_s), strategy,
                     self.effort.spent // placed, *self.watch.far(self.effort))
        )  # fmt: skip

    def _value(self, plan: Plan) -> float:
        return reached_s(self.problem, self.objective, plan)

    def prove(self, plan: Plan, ties: tuple[tuple[int, ...], ...], complete: bool) -> None:
        """Keep a plan that is proved best, with what ties with it."""
        self.offer(plan)
        self.proved, self.ties, self.ties_complete = True, ties, complete

    def memory_suffices(self, allocation: tuple[int, ...]) -> bool:
        """Whether no machine holds more than its memory."""
        costs = self.problem.costs
        used = np.bincount(allocation, costs.task_memory, len(costs.machine_memory))
        return bool((used <= costs.machine_memory).all())


PROGRESS_S = 0.1  # between two reports
_GUARD = 10.0  # times the effort, of a processor: a step hangs
_PACED = 0.01  # share of the effort that shows a pace


@dataclass
class TimeLimit:
    """Begins to run when it is made.

    Attributes
    ----------
    guard_s : float
        Processor time of this thread after which it ends whatever it has left to spend.
    should_stop : callable or None
        Asked by `stopped`, too.
    clocked : bool
        Whether the clock ends it at all.
    guarded : bool
        Whether the clock has ended the search: another run may find another plan.
    """

    guard_s: float
    should_stop: ShouldStop | None
    clocked: bool = True
    guarded: bool = False

    def __post_init__(self) -> None:
        self._began, self._worked = time.monotonic(), time.thread_time()
        self._told = 0.0
        self._paced: tuple[float, float] | None = None  # seconds and share where steps began

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    def stopped(self) -> bool:
        """Whether the clock or somebody ended the search."""
        self.guarded |= self.clocked and time.thread_time() - self._worked > self.guard_s
        return self.guarded or (self.should_stop is not None and self.should_stop())

    def far(self, effort: StepBudget) -> tuple[float, float | None]:
        """How far the search is: the share that is spent, and how many seconds are left.

        The search ends with its steps or with the clock: what is nearer to its end counts, and
        neither ever falls. Time is foretold by the pace since steps are spent, heuristics spend
        hardly any; None before there is one.
        """
        seconds = self.seconds
        share = effort.share
        if self.clocked:
            worked = (time.thread_time() - self._worked) / self.guard_s
            share = min(1.0, max(share, worked))
        if self._paced is None and effort.share >= _PACED:
            self._paced = seconds, share
        if self._paced is None or share < self._paced[1] + _PACED:
            return share, None
        began, first = self._paced
        return share, (1.0 - share) * (seconds - began) / (share - first)

    def report_is_due(self) -> bool:
        """True some ten times a second at most: then a report is made."""
        now = time.monotonic()
        if now - self._told < PROGRESS_S:
            return False
        self._told = now
        return True

    @property
    def notes(self) -> list[str]:
        """What to know about an answer that the clock ended."""
        if not self.guarded:
            return []
        return [
            f"The clock ended the search before its step budget was used up, after "
            f"{self.guard_s:.3g} s of processor time; another run may find another plan"
        ]


# What a search may spend: a step budget, so that one input and seed give one answer.

PLACEMENTS_PER_SECOND = 30_000_000  # a placement takes some 25 ns compiled


def budget(seconds: float) -> int:
    """Placements of a task that so many seconds stand for."""
    return max(1, int(seconds * PLACEMENTS_PER_SECOND))


@dataclass
class StepBudget:
    """What a search may spend and what it has spent, in placements of a task.

    `should_stop` is asked between slices; `spent` of `budget` is deterministic. The budget may be
    held down for a part of the search, so that something is left for the next; `whole` is all.
    """

    budget: int
    should_stop: ShouldStop
    on_slice: Callable[[], None] = field(default=lambda: None)
    spent: int = 0
    stopped: bool = False
    whole: int = field(init=False)

    def __post_init__(self) -> None:
        self.whole = self.budget

    @property
    def share(self) -> float:
        """What is spent of the whole."""
        return min(1.0, self.spent / self.whole)

    def left(self) -> bool:
        """Whether to go on."""
        if not self.stopped and self.should_stop():
            self.stopped = True
        return not self.stopped and self.spent < self.budget
