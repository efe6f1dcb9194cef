"""The plan that is good in most draws: sample-average annealing (Kleywegt et al. 2002).

Plans are valued by a `Goal` on common draws. Annealing moves a task to another machine or place in
the order, from the best of the plans that the ordinary search met. The best few are then ranked on
fresh draws, on which the recommended plan is left only for one that is better beyond the error.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np

from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.quantities import duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.odds.bands import standard_error
from advisor.odds.drawn_plan import Sampler, drawn_makespans
from advisor.odds.draws import BATCH, draws_of
from advisor.odds.goals import DEADLINE, EXPECTED, LEAST, MONEY, P90, REGRET, Goal
from advisor.search.allocation_search import AllocationSearch
from advisor.search.list_scheduling import heft
from advisor.search.strategy import Role, Strategy, nowhere
from machines import InfeasibleError, InputError
from machines.arrays import Floats

ROBUST = "robust"
DEADLINE_FORM = f"deadline:SECONDS:SHARE:{'|'.join(LEAST)}"
_DEADLINE = re.compile(
    rf"deadline:([0-9.]+(?:e[+-]?[0-9]+)?)(?::(0?\.[0-9]+))?(?::({'|'.join(LEAST)}))?"
)
_TRIALS, _EVENTS = 150, 3_000_000  # plans, and their events in all draws, a second of budget
_MOST_EVENTS = 20_000
_FEW, _FRESH = 6, 1024  # plans that are ranked once more, and on how many draws
_EVERY_SET, _MOST_SETS = 6, 60  # machines of which every set is tried, and sets of one size
_HOT, _COLD = 0.02, 0.0005  # share of the value that a move may lose, at first and last


@dataclass(frozen=True)
class RobustPlan:
    """What was found, on draws that the search did not see.

    Attributes
    ----------
    plan, value : Plan, float
        The best, and its figure.
    plain_value : float
        That of the plan of the ordinary search.
    error : float
        Standard error of the difference of both.
    met, plain_met : float
        Share of draws in which either ends by the deadline.
    tried : int
    draws, seed : int
        How many of those draws, and which.
    """

    plan: Plan
    value: float
    plain_value: float
    error: float
    met: float
    plain_met: float
    tried: int
    draws: int
    seed: int


def robust(
    problem: Problem,
    goal: Goal,
    found: Recommendation,
    seconds: float = 2.0,
    seed: int = 0,
    should_stop: ShouldStop = lambda: False,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> RobustPlan:
    """Search from what an ordinary search found.

    Parameters
    ----------
    goal : Goal
    found : Recommendation
        Its plan and alternatives are where the search begins.
    seconds : float
        Gives the number of plans that are tried.
    seed : int
        Of draws and moves.
    should_stop, on_progress : callable
        Asked whether to end with the best so far; told the share of the trials.

    Raises
    ------
    InputError
        The workload is too large for it.
    InfeasibleError
        No plan that was met ends by the deadline often enough.
    """
    events = len(problem.workload.tasks) + len(problem.workload.edges)
    if events > _MOST_EVENTS:
        raise InputError("too large for a robust search", where="tasks and transfers", value=events,
                         remedy=f"Allowed: {_MOST_EVENTS:,}")  # fmt: skip
    trials = max(1, round(seconds * min(_TRIALS, _EVENTS / (BATCH * events))))
    search = _Search(problem, goal, seed)
    plain = _ordered(problem, found.plan)
    others = _on_few_machines(problem) if goal.name == DEADLINE else []
    others += [plan for _, plan, _ in found.alternatives]
    for plan in (plain, *others[: max(_FEW, trials)]):
        if should_stop():
            break
        search.value(_ordered(problem, plan))
    search.anneal(trials, should_stop, on_progress)
    return _ranked(problem, goal, plain, search, seed)


def recommended(problem: Problem, plain: Recommendation, found: RobustPlan) -> Recommendation:
    """The recommendation of a robust plan; the plain one is among its alternatives."""
    if found.plan.allocation == plain.plan.allocation and found.value >= found.plain_value:
        return plain
    return replace(
        plain,
        plan=found.plan,
        value_s=reached_s(problem, MAKESPAN, found.plan),
        proved_optimal=False,
        strategy=ROBUST,
        ties=(),
        alternatives=((plain.strategy, plain.plan, plain.value_s), *plain.alternatives),
    )


def by_deadline(name: str) -> Strategy | None:
    """The strategy that a name such as "deadline:3600:0.95:money" stands for; None: for none.

    Seconds by which the plan is to end, the share of runs that are to (0.95 if left out), and what
    it is to spend least of (money if left out).
    """
    match = _DEADLINE.fullmatch(name)
    if match is None:
        return None
    deadline_s, chance = float(match[1]), float(match[2] or 0.95)
    if not 0.0 < deadline_s < math.inf or not 0.0 < chance < 1.0:
        return None
    goal = Goal(DEADLINE, deadline_s, chance, match[3] or MONEY)
    title = f"By {duration(deadline_s)}, least {goal.least}"
    what = f"The least {goal.least} of plans that end in time in {percent(chance)} of runs,"
    return _strategy(goal, title, what, name)


def _strategy(goal: Goal, title: str, what: str, name: str = "") -> Strategy:
    def search(_found: AllocationSearch) -> bool:
        """Never by itself: `portfolio.advise` searches first, and from its plans on."""
        return False

    return Strategy(
        name or f"robust-{goal.name}",
        title,
        f"{what} where numbers are not known exactly, by annealing on draws",
        Role.ROBUST,
        nowhere,
        search,
        source="Kleywegt, Shapiro & Homem-de-Mello 2002",
        by_name=True,
        goal=goal,
    )


STRATEGIES = (
    _strategy(Goal(EXPECTED), "Robust: mean", "The least mean makespan"),
    _strategy(
        Goal(P90), "Robust: 9 of 10", "The makespan that nine of ten runs stay below, the least"
    ),
    _strategy(
        Goal(REGRET), "Robust: regret", "The least loss against the best plan in the worst draw"
    ),
)


def _on_few_machines(problem: Problem) -> list[Plan]:
    """A list schedule on each set of machines; where these are many, on each alone and on pairs."""
    machines = range(len(problem.platform.machines))
    most = len(machines) if len(machines) <= _EVERY_SET else 2
    found = []
    for size in range(1, most + 1):
        for kept in islice(combinations(machines, size), _MOST_SETS):
            task_s = np.full_like(problem.instance.task_s, np.inf)
            task_s[:, kept] = problem.instance.task_s[:, kept]
            there = replace(problem, instance=problem.instance._replace(task_s=task_s))
            with contextlib.suppress(InfeasibleError):
                found.append(heft(there))
    return found


def _ordered(problem: Problem, plan: Plan) -> Plan:
    """The plan with the order in which its machines take their tasks."""
    _, order = placement(problem, plan)
    return replace(plan, order=tuple(order.tolist()), strategy=ROBUST)


class _Search:
    """Plans and their values on one batch of draws."""

    def __init__(self, problem: Problem, goal: Goal, seed: int) -> None:
        self.problem, self.goal = problem, goal
        self.random = np.random.default_rng([seed, 1])
        self._sampler = Sampler(problem, draws_of(problem, BATCH, seed + 1))
        self.best_s: Floats | None = None
        self.known: dict[Plan, tuple[float, Floats]] = {}
        can = np.isfinite(problem.instance.task_s)
        self._machines = [np.flatnonzero(row).tolist() for row in can]
        self._edges = problem.costs.sources, problem.costs.targets

    def value(self, plan: Plan) -> float:
        """The figure of a plan; inf where it can't run."""
        if plan not in self.known:
            try:
                drawn_s = self._sampler.makespans_s(plan)
            except InfeasibleError:
                return math.inf
            known_s = self.best_s
            self.best_s = drawn_s if known_s is None else np.minimum(known_s, drawn_s)
            self.known[plan] = self.goal.value(self.problem, plan, drawn_s), drawn_s
        value, drawn_s = self.known[plan]
        if self.goal.name == REGRET:
            return self.goal.value(self.problem, plan, drawn_s, self.best_s)
        return value

    def anneal(
        self, trials: int, should_stop: ShouldStop, on_progress: Callable[[float], None]
    ) -> None:
        """Try that many plans, each a move away from the last that was taken."""
        if not self.known:
            return
        here = min(self.known, key=self.value)
        here_value = self.value(here)
        for trial in range(trials):
            if should_stop():
                return
            on_progress(trial / trials)
            there = self._moved(here)
            if there is None:
                continue
            value = self.value(there)
            heat = _HOT * (_COLD / _HOT) ** (trial / trials) * abs(here_value)
            worse = value - here_value
            if worse <= 0.0 or self.random.random() < math.exp(-worse / max(heat, 1e-300)):
                here, here_value = there, value

    def best(self, count: int) -> list[Plan]:
        """The best plans, best first."""
        return sorted(self.known, key=self.value)[:count]

    def _moved(self, plan: Plan) -> Plan | None:
        """One task elsewhere on its machine's list, or on another machine."""
        task = int(self.random.integers(len(plan.allocation)))
        machines = self._machines[task]
        allocation = list(plan.allocation)
        if len(machines) > 1 and self.random.random() < 0.6:
            others = [one for one in machines if one != allocation[task]]
            allocation[task] = int(self.random.choice(others))
        order = list(plan.order or ())
        order.remove(task)
        place = {one: at for at, one in enumerate(order)}
        sources, targets = self._edges
        low = 1 + max((place[int(one)] for one in sources[targets == task]), default=-1)
        high = min((place[int(one)] for one in targets[sources == task]), default=len(order))
        order.insert(int(self.random.integers(low, high + 1)), task)
        return replace(plan, allocation=tuple(allocation), order=tuple(order))


def _ranked(problem: Problem, goal: Goal, plain: Plan, search: _Search, seed: int) -> RobustPlan:
    """The best of the plans on fresh draws; the plain one unless another is better for sure."""
    plans = list(dict.fromkeys([plain, *search.best(_FEW)]))
    count, seed = _fresh(problem), seed + 2
    fresh = draws_of(problem, count, seed)
    drawn_s = [drawn_makespans(problem, plan, fresh) for plan in plans]
    best_s = np.min(drawn_s, axis=0)
    values = [
        goal.value(problem, plan, one, best_s) for plan, one in zip(plans, drawn_s, strict=True)
    ]
    chosen = min(range(len(plans)), key=values.__getitem__)
    errors = [
        _error(problem, goal, (plain, drawn_s[0]), (plan, one), best_s)
        for plan, one in zip(plans, drawn_s, strict=True)
    ]
    if goal.name != DEADLINE and values[0] - values[chosen] <= 2.0 * errors[chosen]:
        chosen = 0
    if goal.name == DEADLINE and goal.met(drawn_s[chosen]) < goal.chance:
        raise InfeasibleError(
            "no plan that was found ends by the deadline often enough",
            where="deadline", value=goal.deadline_s,
            remedy=f"The best ends in time in {100 * max(map(goal.met, drawn_s)):.0f} % of runs",
        )  # fmt: skip
    return RobustPlan(
        plan=plans[chosen],
        value=values[chosen],
        plain_value=values[0],
        error=errors[chosen],
        met=goal.met(drawn_s[chosen]),
        plain_met=goal.met(drawn_s[0]),
        tried=len(search.known),
        draws=count,
        seed=seed,
    )


def _error(
    problem: Problem,
    goal: Goal,
    plain: tuple[Plan, Floats],
    other: tuple[Plan, Floats],
    best_s: Floats,
) -> float:
    """Standard error of the difference of two figures, from the batches of draws."""
    parts = [
        goal.value(problem, plain[0], plain[1][at : at + BATCH], best_s[at : at + BATCH])
        - goal.value(problem, other[0], other[1][at : at + BATCH], best_s[at : at + BATCH])
        for at in range(0, best_s.size, BATCH)
    ]
    return standard_error(np.array(parts)) if len(parts) > 1 else math.inf


def _fresh(problem: Problem) -> int:
    """Draws for the last ranking: as many as some seconds allow."""
    events = len(problem.workload.tasks) + len(problem.workload.edges)
    return min(_FRESH, max(4 * BATCH, 1_000_000 // events))
