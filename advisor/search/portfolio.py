"""Advice: choose what is exact where the structure allows, else search as long as allowed.

A step budget bounds the work, so that the same input and seed give the same answer; the clock only
guards against slow machines, and says so when it had to.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.predict import check_feasible, placement
from advisor.allocation.prediction import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.allocation.timeline import makespan
from advisor.allocation.timeline import total as total_seconds
from advisor.basics.stopping import ShouldStop
from advisor.search import chain, cut, exact, lists, total
from advisor.search.counts import Asked, advise_counts
from advisor.search.refine import Effort, refine
from machines import InfeasibleError, InputError
from machines.checks import number

PLACEMENTS_PER_SECOND = 30_000_000  # a placement takes some 25 ns compiled
_TINY = 8  # tasks up to which branch and bound comes first
_REFINED = 0.7  # of the budget before branch and bound tries to prove
_SAME = 1e-9
_PROGRESS_S = 0.1


@dataclass(frozen=True)
class Strategy:
    """A way to search: name on the command line, title on screen, one sentence."""

    name: str
    title: str
    help: str


STRATEGIES = {
    one.name: one
    for one in (
        Strategy("auto", "Automatic", "Exact where the structure allows, else the best of all"),
        Strategy("chain", "Shortest path", "Exact for a chain of tasks on any machines"),
        Strategy("cut", "Minimum cut", "Exact for two machines and the total"),
        Strategy("exact", "Branch and bound", "Exact for small cases, with all ties"),
        Strategy("heft", "HEFT", "By upward rank, each task where it ends first"),
        Strategy("cpop", "CPOP", "The critical path on one machine"),
        Strategy("peft", "PEFT", "HEFT that looks ahead through an optimistic cost table"),
        Strategy("min-min", "Min-Min", "Of the ready tasks, the one that can end first"),
        Strategy("max-min", "Max-Min", "Of the ready tasks, the one that must end last"),
        Strategy("refine", "Refinement", "Annealing from the others' plans"),
    )
}
_LISTS: dict[str, Callable[[Problem], Plan]] = {
    "heft": lists.heft,
    "cpop": lists.cpop,
    "peft": lists.peft,
    "min-min": lists.min_min,
    "max-min": lists.max_min,
}
_WIDE = 20_000_000  # tasks² · machines from which Min-Min and Max-Min are left out of auto


def advise(
    problem: Problem,
    objective: str = MAKESPAN,
    strategy: str = "auto",
    seconds: float = 2.0,
    seed: int = 0,
    start: Plan | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: ShouldStop | None = None,
) -> Recommendation:
    """Search for the best plan.

    Parameters
    ----------
    problem : Problem
    objective : {"makespan", "total"}
    strategy : str
        A key of `STRATEGIES`.
    seconds : float
        Bounds the search by a step budget; the clock ends it after twice as long.
    seed : int
        Of random moves.
    start : Plan, optional
        The present plan; the answer is never worse.
    on_progress, should_stop : callable, optional
        Told the best so far; asked whether to end with it.

    Returns
    -------
    Recommendation

    Raises
    ------
    InputError
        Unknown objective or strategy, or one that does not apply.
    InfeasibleError
        No feasible plan was found.
    """
    if objective not in OBJECTIVES:
        raise InputError("unknown objective", where="objective", value=objective,
                         remedy="Allowed: " + ", ".join(OBJECTIVES))  # fmt: skip
    if strategy not in STRATEGIES:
        raise InputError("unknown strategy", where="strategy", value=strategy,
                         remedy="Allowed: " + ", ".join(STRATEGIES))  # fmt: skip
    number("seconds", seconds, above=True, where="advise")
    asked = Asked(objective, strategy, seconds, seed, start, on_progress, should_stop)
    if problem.workload.scalable:
        budget = max(1, int(seconds * PLACEMENTS_PER_SECOND))
        return advise_counts(problem, asked, budget, _ordinary)
    return _ordinary(problem, asked, None)


def _ordinary(problem: Problem, asked: Asked, guard_s: float | None) -> Recommendation:
    """Search the allocation of a workload without scalable tasks.

    `guard_s`: seconds of a processor that end the search; None: twice what was asked for.
    """
    run = _Run(problem, asked, 2.0 * asked.seconds if guard_s is None else guard_s)
    if asked.start is not None:
        run.offer_if_feasible(replace(asked.start, strategy="start"))
    if asked.strategy == "auto":
        run.automatic()
    else:
        run.forced(asked.strategy)
    return run.recommendation()


@dataclass
class _Found:
    plan: Plan
    value_s: float


@dataclass
class _Run:
    """One search: what was found, and what is left to spend."""

    problem: Problem
    asked: Asked
    guard_s: float
    found: dict[str, _Found] = field(default_factory=dict)
    ties: tuple[tuple[int, ...], ...] = ()
    ties_complete: bool = True
    proved: bool = False
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.began = time.monotonic()
        self.worked = time.thread_time()  # a busy machine must not end a search earlier
        self.told = 0.0
        self.guarded = False
        self.objective = self.asked.objective
        self.bound_s = self.problem.lower_bounds_s[self.objective]
        budget = max(1, int(self.asked.seconds * PLACEMENTS_PER_SECOND))
        self.effort = Effort(budget, self._stopped, self.tell)

    def automatic(self) -> None:
        """Exact methods that apply, else lists and refinement."""
        if self._chain() or self._cut():
            return
        if len(self.problem.workload.tasks) <= _TINY and self._exact():
            return
        self._lists()
        whole = self.effort.budget
        if exact.fits(self.problem, self.objective):
            self.effort.budget = int(_REFINED * whole)
        self._refine()
        self.effort.budget = whole
        self._exact()

    def forced(self, strategy: str) -> None:
        """One strategy; one that does not apply is refused."""
        if strategy in _LISTS:
            self._list(strategy)
        elif strategy == "refine":
            self._lists()
            self._refine()
        else:
            method, why = {
                "chain": (self._chain, "the workload is not a chain that fits into memory"),
                "cut": (self._cut, "it needs two machines and the objective total"),
                "exact": (self._exact, "the case is too large to be solved exactly in this time"),
            }[strategy]
            if not method():
                raise InputError(f"{strategy} does not apply: {why}", where="strategy",
                                 remedy="Use auto, or another strategy")  # fmt: skip

    def recommendation(self) -> Recommendation:
        """The best that was found."""
        ranked = sorted(self.found.items(), key=lambda item: item[1].value_s)
        if not ranked:
            raise InfeasibleError("no feasible allocation was found", where="search",
                                  remedy="Add memory or links, or allow more machines")  # fmt: skip
        strategy, best = ranked[0]
        bound_s = best.value_s if self.proved else min(self.bound_s, best.value_s)
        proved = self.proved or best.value_s <= self.bound_s * (1 + _SAME)
        if proved and not self.proved:  # by the bound: plans as good were met, not looked for
            good = [one for _, one in ranked if one.value_s <= best.value_s * (1 + _SAME)]
            self.ties = tuple(dict.fromkeys(one.plan.allocation for one in good))
            self.ties_complete = False
        notes = list(dict.fromkeys((*self.problem.costs.warnings, *self.warnings)))
        if self.guarded:
            notes.append("The clock ended the search before its step budget was used up; "
                         "a faster machine may find a better plan")  # fmt: skip
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
            warnings=tuple(notes),
            steps=self.effort.spent,
            seconds_spent=time.monotonic() - self.began,
        )

    def offer(self, plan: Plan) -> float:
        """Keep a feasible plan if it is its strategy's best; returns its value."""
        value_s = self._value(plan)
        known = self.found.get(plan.strategy)
        if np.isfinite(value_s) and (known is None or value_s < known.value_s):
            self.found[plan.strategy] = _Found(plan, value_s)
        return value_s

    def offer_if_feasible(self, plan: Plan) -> None:
        """Keep the plan unless it can't run."""
        try:
            check_feasible(self.problem, plan)
        except InfeasibleError:
            return
        self.offer(plan)

    def tell(self) -> None:
        """Report the best so far, some ten times a second."""
        now = time.monotonic()
        if self.asked.on_progress is None or not self.found or now - self.told < _PROGRESS_S:
            return
        self.told = now
        strategy, best = min(self.found.items(), key=lambda item: item[1].value_s)
        placed = max(1, len(self.problem.workload.tasks))
        self.asked.on_progress(
            Progress(best.plan, best.value_s, self.bound_s, strategy,
                     self.effort.spent // placed, self.effort.spent / self.effort.budget)
        )  # fmt: skip

    def _stopped(self) -> bool:
        if time.thread_time() - self.worked > self.guard_s:
            self.guarded = True
        stop = self.asked.should_stop
        return self.guarded or (stop is not None and stop())

    def _value(self, plan: Plan) -> float:
        allocation, order = placement(self.problem, plan)
        if self.objective == TOTAL:
            return total_seconds(self.problem.instance, allocation)
        return makespan(self.problem.instance, allocation, order)

    def _chain(self) -> bool:
        if not chain.is_chain(self.problem) or not chain.fits(self.problem):
            return False
        result = chain.solve(self.problem)
        if result is None:
            return False
        order = tuple(self.problem.costs.topological_order.tolist())
        feasible = [a for a in result.best if self._memory_suffices(a)]
        if not feasible:
            self.warnings.append("The shortest path exceeds a machine's memory; searched instead")
            return False
        self._prove(Plan(feasible[0], order, "chain"), tuple(feasible), result.complete)
        if result.runner_up is not None and self._memory_suffices(result.runner_up):
            self.offer(Plan(result.runner_up, order, "second shortest path"))
        return True

    def _cut(self) -> bool:
        if self.objective != TOTAL or not cut.applies(self.problem):
            return False
        result = cut.solve(self.problem)
        if result is None:
            return False
        both = dict.fromkeys((result.least, result.most))
        feasible = tuple(one for one in both if self._memory_suffices(one))
        if not feasible:
            self.warnings.append("The minimum cut exceeds a machine's memory; searched instead")
            return False
        self._prove(Plan(feasible[0], None, "cut"), feasible, len(both) == 1)
        if len(both) > 1:
            self.warnings.append("Only the two extreme minimum cuts are listed as ties")
        self._lists()
        return True

    def _exact(self) -> bool:
        self._lists()
        best = min((one.value_s for one in self.found.values()), default=np.inf)
        result = exact.solve(self.problem, self.objective, best, self.effort)
        for plan in result.plans:
            self.offer(plan)
        if result.proved and result.plans:
            self.proved = True
            self.ties = tuple(plan.allocation for plan in result.plans)
            self.ties_complete = result.ties_complete
        if result.runner_up is not None:
            self.offer(result.runner_up)
        self.bound_s = max(self.bound_s, result.lower_bound_s)
        return result.proved

    def _prove(self, plan: Plan, ties: tuple[tuple[int, ...], ...], complete: bool) -> None:
        self.offer(plan)
        self.proved, self.ties, self.ties_complete = True, ties, complete

    def _memory_suffices(self, allocation: tuple[int, ...]) -> bool:
        costs = self.problem.costs
        used = np.bincount(allocation, costs.task_memory, len(costs.machine_memory))
        return bool((used <= costs.machine_memory).all())

    def _lists(self) -> None:
        tasks, machines = self.problem.costs.task_s.shape
        for name in _LISTS:
            if name in {"min-min", "max-min"} and tasks * tasks * machines > _WIDE:
                continue
            if name in self.found or self.effort.stopped:
                continue
            try:
                self._list(name)
            except InfeasibleError as error:
                self.warnings.append(str(error))
            self.effort.left()

    def _list(self, name: str) -> None:
        self.offer(_LISTS[name](self.problem))
        self.effort.spent += len(self.problem.workload.tasks)
        self.tell()

    def _refine(self) -> None:
        starts = [one.plan for _, one in sorted(self.found.items(), key=lambda i: i[1].value_s)]
        method = refine if self.objective == MAKESPAN else total.descend
        method(self.problem, starts, self.effort, self.asked.seed, self._better, self.bound_s)

    def _better(self, plan: Plan, _value_s: float) -> None:
        self.offer(plan)
        self.tell()
