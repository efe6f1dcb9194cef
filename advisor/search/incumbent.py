"""A search for a plan while it runs: the best plan of every strategy, and what is left to spend.

What a search may work is counted in steps, so that the same command gives the same plan. The clock
is for a step that hangs: it counts the processor time of the search's own thread, which other
programs on a busy machine do not use up, and ends the search after ten times the effort that was
asked for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.allocation.feasibility import check_feasible
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
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
class Incumbent:
    """What was found so far; the searches for allocations, for numbers and for all are such.

    Attributes
    ----------
    found : dict of str to (Plan, float)
        The best plan of every strategy and what it takes, in the order in which they came.
    bound_s : float
        What no plan undercuts.
    proved : bool
        No plan is better than the best.
    per_plan : int
        Steps of a plan that is looked at.
    """

    problem: Problem
    asked: Asked
    guard_s: float | None = field(default=None, kw_only=True)
    found: dict[str, tuple[Plan, float]] = field(default_factory=dict, kw_only=True)
    proved: bool = field(default=False, kw_only=True)
    warnings: list[str] = field(default_factory=list, kw_only=True)

    def __post_init__(self) -> None:
        self.watch = watch_of(self.asked, self.guard_s)
        self.objective = self.asked.objective
        self.bound_s = self.problem.lower_bounds_s[self.objective]
        self.effort = StepBudget(budget(self.asked.seconds), self.watch.stopped, self.tell)
        self.per_plan = max(1, len(self.problem.workload.tasks))

    @property
    def best(self) -> tuple[Plan, float]:
        """The best of all, and what it takes; there is one."""
        return min(self.found.values(), key=lambda one: one[1])

    @property
    def best_s(self) -> float:
        """The least value that was found; inf before any."""
        return min((value_s for _, value_s in self.found.values()), default=math.inf)

    @property
    def plans(self) -> list[Plan]:
        """One of every strategy that found any, best first."""
        return [plan for plan, _ in self.ranked()]

    def keep(self, plan: Plan, value_s: float, *, even: bool = False) -> None:
        """Keep a plan that is better than its strategy's best; `even`: that is as good, too."""
        _, known_s = self.found.get(plan.strategy, (plan, math.inf))
        if value_s < known_s or (even and math.isfinite(value_s) and value_s <= known_s):
            self.found[plan.strategy] = plan, value_s

    def is_feasible(self, plan: Plan) -> bool:
        """Whether a plan can run; one that is of another problem is an error."""
        try:
            check_feasible(self.problem, plan)
        except InfeasibleError:
            return False
        return True

    def going(self) -> bool:
        """Whether there may be a better plan, and effort to find it."""
        return self.best_s > self.bound_s * (1.0 + ALIKE) and self.effort.left()

    def is_proved(self, value_s: float) -> bool:
        """Whether no plan is better than one of that value."""
        return self.proved or value_s <= self.bound_s * (1.0 + ALIKE)

    def ranked(self) -> list[tuple[Plan, float]]:
        """The best plan of every strategy, best first."""
        return sorted(self.found.values(), key=lambda one: one[1])

    def tell(self) -> None:
        """Report the best so far, some ten times a second."""
        if self.asked.on_progress is None or not self.found or not self.watch.report_is_due():
            return
        plan, value_s = self.best
        tried, far = self.effort.spent // self.per_plan, self.watch.far(self.effort)
        bound_s = min(self.bound_s, value_s)
        self.asked.on_progress(Progress(plan, value_s, bound_s, plan.strategy, tried, *far))

    def recommendation(self) -> Recommendation:
        """The best that was found."""
        if not self.found:
            raise InfeasibleError("no feasible plan was found", where="search",
                                  remedy="Add memory or links, or allow more machines")  # fmt: skip
        (plan, value_s), *others = self.ranked()
        proved = self.is_proved(value_s)
        notes = (*self.problem.settled(plan).costs.warnings, *self.warnings)
        return Recommendation(
            plan=plan,
            objective=self.objective,
            value_s=value_s,
            lower_bound_s=value_s if proved else min(self.bound_s, value_s),
            proved_optimal=proved,
            strategy=plan.strategy,
            ties_complete=False,
            alternatives=tuple((other.strategy, other, other_s) for other, other_s in others),
            warnings=(*dict.fromkeys(notes), *self.watch.notes),
            steps=self.effort.spent,
            seconds_spent=self.watch.seconds,
        )


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
