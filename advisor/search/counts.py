"""Numbers of processors and allocation together.

The total, and a chain's makespan, take each task at its best number wherever it is: an ordinary
search. Otherwise tasks compete for cores: few numbers are enumerated, each with branch and bound;
many are searched from starts of one idea each (all few, all many, shares of a machine), by single
and paired changes and annealing, in turn with searches of the allocation at the numbers found.
Numbers are tried on the classical timeline; what a plan is worth is what `predict` gives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from advisor import kernels
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical, checked
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.basics.rounding import ALIKE
from advisor.search import chain_search as chain
from advisor.search import count_proof
from advisor.search.count_moves import Annealing, improved, starts, thrifty
from advisor.search.incumbent import Asked, Incumbent
from advisor.search.strategy import AUTO, Role
from advisor.search.trial_evaluator import Trial, TrialEvaluator
from machines import InfeasibleError, InputError

_ALLOCATED = 0.1  # of the budget, for one search of the allocation
_PROVED = 0.5  # of what is left, to try all numbers
_DESCENTS = 4  # starts that are descended from
_ROUNDS = 4  # of annealing between two searches of the allocation
_CARRIED_OUT = 60_000  # placements that carrying a plan out at other numbers stands for
_SEARCHED = {Role.PORTFOLIO, Role.IMPROVEMENT, Role.PROOF}  # others make plans at given numbers


# an ordinary problem, what is asked of it and seconds until the clock ends it → its answer
Search = Callable[[Problem, Asked, float | None], Recommendation]


def advise_counts(problem: Problem, asked: Asked, role: Role, search: Search) -> Recommendation:
    """The best plan of a workload with scalable tasks.

    Parameters
    ----------
    problem : Problem
    asked : Asked
    role : Role
        Of the strategy that is asked for.
    search : callable
        Searches the allocation of ordinary problems.
    """
    if asked.objective == TOTAL or chain.is_chain(problem):
        return _separate(problem, asked, search)
    kernels.load(asked.should_stop)  # before the clock starts
    run = CountSearch(problem, asked, role, search)
    run.search()
    return run.recommendation()


def _separate(problem: Problem, asked: Asked, search: Search) -> Recommendation:
    """Each task at its best number wherever it is: no other choice depends on it."""

    def dressed(plan: Plan) -> Plan:
        return replace(plan, processors=_best_counts(problem, plan.allocation))

    tell = asked.on_progress
    start = None if asked.start is None else replace(asked.start, processors=None)
    inner = replace(
        asked,
        start=start,
        on_progress=None
        if tell is None
        else lambda told: tell(replace(told, plan=dressed(told.plan))),
    )
    shared = problem.sharing == FAIR and asked.objective == MAKESPAN
    found = search(
        replace(problem.relaxed, sharing=NONE) if shared else problem.relaxed, inner, None
    )
    if shared:
        found = _revalued(problem, asked, found, dressed)
    plan = dressed(found.plan)
    ties = tuple(tie for tie in found.ties if _best_counts(problem, tie) == plan.processors)
    bound_s = min(problem.lower_bounds_s[asked.objective], found.value_s)
    # between the numbers that were priced there may be a better one
    sure = all(
        one.every or np.all(one.task_s.min(axis=0) <= one.floor_s * (1 + ALIKE))
        for one in problem.processor_times
    ) or found.value_s <= bound_s * (1 + ALIKE)
    return replace(
        found,
        plan=plan,
        lower_bound_s=found.lower_bound_s if sure else bound_s,
        proved_optimal=found.proved_optimal and sure,
        ties=ties,
        ties_complete=found.ties_complete and len(ties) == len(found.ties),
        alternatives=tuple((name, dressed(one), value) for name, one, value in found.alternatives),
    )


def _revalued(
    problem: Problem, asked: Asked, found: Recommendation, dressed: Callable[[Plan], Plan]
) -> Recommendation:
    """The answer of the classical timeline at what its plans take when carried out.

    It is proved best where that meets the proved classical makespan.
    """
    plans = [(found.strategy, found.plan), *((name, one) for name, one, _ in found.alternatives)]
    values = [(_value(problem, dressed(one)), name, one) for name, one in plans]
    if asked.start is not None:
        bare = replace(asked.start, processors=None, strategy="start")
        values.append((_value(problem, dressed(bare)), "start", bare))
    values.sort(key=lambda one: one[0])
    value_s, strategy, plan = values[0]
    bound_s = problem.lower_bounds_s[MAKESPAN]
    if found.proved_optimal and chain.one_by_one(problem):
        bound_s = found.lower_bound_s
    reached = value_s <= bound_s * (1 + ALIKE)
    return replace(
        found,
        lower_bound_s=min(bound_s, value_s),
        plan=replace(plan, strategy=strategy),
        strategy=strategy,
        value_s=value_s,
        proved_optimal=found.proved_optimal and reached,
        ties=found.ties if reached else (),
        alternatives=tuple((name, one, value) for value, name, one in values[1:]),
    )


def _value(problem: Problem, plan: Plan) -> float:
    """The makespan as `predict` gives it."""
    return reached_s(problem, MAKESPAN, plan)


def _best_counts(problem: Problem, allocation: tuple[int, ...]) -> tuple[int, ...] | None:
    counts = [task.cores for task in problem.workload.tasks]
    for one in problem.processor_times:
        counts[one.task] = int(one.processors[one.best(allocation[one.task])])
    return canonical(problem.workload, counts)


@dataclass
class CountSearch(Incumbent):
    """One search over numbers and allocations for the makespan."""

    role: Role
    inner: Search
    trial: Trial | None = None  # the best

    def __post_init__(self) -> None:
        super().__post_init__()
        self.desk = TrialEvaluator(self.problem, self.effort)
        self._alone: dict[str, float] = {}  # least classical makespan by name

    def search(self) -> None:
        """From the starts to kicks and, where they are few, to all numbers."""
        if self.asked.start is not None:
            self._offer_if_feasible(replace(self.asked.start, strategy="start"))
        if self.role in _SEARCHED:
            self._searched()
        else:
            self._listed()
        if self.trial is not None:
            trial = thrifty(self.desk, self.trial, lambda: not self.watch.stopped())
            self._keep(trial, self._last, even=True)

    def _searched(self) -> None:
        """Changes of the best starts; then all numbers, if they are few; then annealing."""
        for trial in sorted(self._starts(), key=lambda one: one.key)[:_DESCENTS]:
            self._keep(improved(self.desk, trial, self.going))
        if self.role is not Role.IMPROVEMENT and self._all_tried():
            return
        if self.role is Role.PROOF:
            raise InputError(f"{self.asked.strategy} does not apply: the case is too large to try "
                             "all numbers of processors in this time", where="strategy",
                             remedy="Use auto, or another strategy")  # fmt: skip
        annealing = Annealing(self.desk, np.random.default_rng(self.asked.seed))
        while self.going() and self.trial is not None:
            for turn in range(_ROUNDS):
                if self.going():
                    by_heft = turn % 2 == 0
                    self._keep(annealing.run(self.trial, self.going, by_heft=by_heft))
            if self.going():
                self._allocate(self.trial)

    @property
    def _last(self) -> str:
        """The name of what has the last word among plans of one makespan."""
        return "exact" if self.proved else "refine"

    def ranked(self) -> list[tuple[Plan, float]]:
        """The best plan of every strategy; among equals first what has the last word."""
        return sorted(super().ranked(), key=lambda one: (one[1], one[0].strategy != self._last))

    def _starts(self) -> list[Trial]:
        """HEFT's schedules of all starts, each offered under its name; and the present plan."""
        found: dict[tuple[int, ...], Trial] = {}
        for name, rows in starts(self.problem, self.desk.numbers):
            if rows in found or (self.found and not self.effort.left()):
                continue
            trial = self.desk.heft(rows)
            if trial is not None and np.isfinite(trial.value_s):
                found[rows] = trial
                self._keep(trial, name)
        if self.asked.start is not None and self.found:
            counts = checked(self.problem.workload, self.asked.start.processors)
            allocation, order = placement(self.problem, self.asked.start)
            trial = self.desk.placed(self.desk.rows(counts), allocation, order)
            if np.isfinite(trial.value_s):
                return [*found.values(), trial]
        return list(found.values())

    def _listed(self) -> None:
        """One strategy for ordinary workloads, at the numbers of every start."""
        known = set()
        for _, rows in starts(self.problem, self.desk.numbers):
            if rows not in known and (not self.found or self.effort.left()):
                known.add(rows)
                self._asked_at(rows, self.asked.strategy, self.asked.seconds, None)

    def _asked_at(
        self, rows: tuple[int, ...], strategy: str, seconds: float, start: Plan | None
    ) -> Plan | None:
        """The ordinary search at these numbers; its plan is kept, too."""
        asked = replace(
            self.asked, strategy=strategy, seconds=seconds, start=start, on_progress=None,
            should_stop=self.watch.stopped,
        )  # fmt: skip
        try:
            answer = self.inner(self.problem.at(self.desk.counts(rows)), asked, math.inf)
        except InfeasibleError:
            return None
        self.effort.spent += answer.steps
        plan = self.desk.dressed(answer.plan, rows)
        own = (
            start is not None and plan.strategy == "start"
        )  # what it was given, no idea of its own
        self._offer(replace(plan, strategy="refine") if own else plan, answer.value_s)
        return answer.plan

    def _allocate(self, trial: Trial) -> None:
        """Search the allocation at the trial's numbers, then change the numbers around it."""
        plan = self._asked_at(trial.rows, AUTO, _ALLOCATED * self.asked.seconds, self._bare(trial))
        if plan is not None:
            allocation, order = placement(self.problem.at(self.desk.counts(trial.rows)), plan)
            self._keep(self.desk.placed(trial.rows, allocation, order))
            self._keep(improved(self.desk, self.trial or trial, self.going))

    def _bare(self, trial: Trial) -> Plan:
        return replace(self.desk.plan(trial, "refine"), processors=None)

    def _all_tried(self) -> bool:
        """Try all numbers, if they are few; whether that settled which are best."""
        if not count_proof.fits(self.desk):
            return False
        if self.role is not Role.PROOF:
            left = self.effort.whole - self.effort.spent
            self.effort.budget -= int((1 - _PROVED) * left)
        settled = count_proof.prove(self.desk, self.best_s, self.effort, self._solved)
        self.effort.budget = self.effort.whole
        self.proved = settled and bool(self.found)
        return settled

    def _solved(self, plan: Plan) -> float:
        allocation, order = placement(self.problem, plan)
        rows = self.desk.rows(checked(self.problem.workload, plan.processors))
        self._keep(self.desk.placed(rows, allocation, order), "exact")
        value_s = _value(self.problem, plan)
        self._offer(replace(plan, strategy="exact"), value_s)
        return value_s

    def _keep(self, trial: Trial, name: str = "refine", *, even: bool = False) -> None:
        """Offer a trial's plan; the best one is improved further. `even`: also at the same time."""
        if not np.isfinite(trial.value_s):
            return
        if self.trial is None or trial.key < self.trial.key:
            self.trial = trial
        known = self._alone.get(name, np.inf)
        if trial.value_s < known or (even and trial.value_s <= known):
            self._alone[name] = trial.value_s
            self._offer_valued(self.desk.plan(trial, name), trial.value_s, even=even)

    def _offer_valued(self, plan: Plan, alone_s: float, *, even: bool = False) -> None:
        """Offer a plan of a classical makespan at what it takes, in its own order or by starts."""
        if self.problem.sharing != FAIR:
            self._offer(plan, alone_s, even=even)
            return
        self.effort.spent += _CARRIED_OUT
        for one in (plan, replace(plan, order=None)):
            self._offer(one, _value(self.problem, one), even=even)
            even = False

    def _offer(self, plan: Plan, value_s: float, *, even: bool = False) -> None:
        self.keep(plan, value_s, even=even)
        self.tell()

    def _offer_if_feasible(self, plan: Plan) -> None:
        if self.is_feasible(plan):
            self._offer(plan, _value(self.problem, plan))
