"""What change of load would make another allocation best, found by search.

Along one load parameter the platform is changed step by step, away from the present value and
in both directions, until a plan is beaten; bisection then narrows the place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.advice.contest import (
    Judge,
    PlanVerdict,
    candidates,
    contestants_at,
    distinct,
    exact_judge,
    pool_judge,
)
from advisor.allocation.labels import label
from advisor.allocation.loads import CONTENDERS, LINK_SLOWDOWN, LoadParameter, parameters_of
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.stopping import ShouldStop

_BUDGET_S = 2.5  # rough seconds that all verdicts together may take
_SEARCHES = 12  # short searches for contestants
_FINE = (10, 46)  # values looked at and halvings on either side …
_COARSE = (5, 10)  # … and on larger workloads


@dataclass(frozen=True)
class Flip:
    """The nearest value of a load parameter at which another allocation becomes best.

    Attributes
    ----------
    parameter : LoadParameter
        What changes.
    value, present : float
        Where the other allocation takes over, and the value now.
    sentence : str
        "Below 1.17 CPU-bound contenders on M1 (now 2), both on M1 is best."
    plan : Plan
        What is best beyond.
    exact : bool
        All allocations were compared, not a pool of candidates.
    """

    parameter: LoadParameter
    value: float
    present: float
    sentence: str
    plan: Plan
    exact: bool


@dataclass(frozen=True)
class Flips:
    """All flips found, nearest first, and in a sentence among what they were looked for."""

    flips: tuple[Flip, ...]
    sentence: str


def find_flips(
    problem: Problem,
    recommendation: Recommendation,
    prediction: Prediction,
    current: Plan | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Flips:
    """Search every load parameter, below and above its present value.

    Parameters
    ----------
    problem, recommendation, prediction
        The question, its answer and the prediction of the recommended plan.
    current : Plan, optional
        One more contestant.
    should_stop, on_progress
        Asked before every evaluation; told the share done.

    Returns
    -------
    Flips
        Those found until stopped.
    """
    if problem.workload.scalable:
        return _at_these_counts(
            problem, recommendation, prediction, current, should_stop, on_progress
        )
    stop = should_stop or (lambda: False)
    plan, objective = recommendation.plan, recommendation.objective
    parameters = _by_weight(problem, prediction)
    judge = exact_judge(problem, objective)
    if judge is None:
        pool = candidates(problem, recommendation, current)
        probe = pool_judge(problem, objective, pool)
        parameters, (looks, _) = _affordable(parameters, probe.cost)
        pool = _with_searches(problem, objective, pool, parameters if looks else (), stop)
        judge = pool_judge(problem, objective, pool, stop)
    parameters, (looks, halvings) = _affordable(parameters, judge.cost)
    if not parameters:
        return Flips((), "The workload is too large to search for the loads that flip the plan.")
    if not stop() and judge(problem.platform, plan).beaten:
        return Flips((), "Another allocation is better already at the present load.")
    found = []
    for done, parameter in enumerate(parameters):
        if on_progress is not None:
            on_progress(done / len(parameters))
        walk = _Walk(problem, plan, parameter, judge, stop, looks, halvings)
        for end in (parameter.low, parameter.high):
            flip = walk.towards(end)
            found += [flip] if flip is not None else []
    found.sort(key=_distance)
    stopped = " The search was stopped." if stop() else ""
    return Flips(
        tuple(found),
        f"Looked at {len(parameters)} load {'parameter' if len(parameters) == 1 else 'parameters'}"
        f", comparing {judge.contestants}.{stopped}",
    )


def _at_these_counts(
    problem: Problem,
    recommendation: Recommendation,
    prediction: Prediction,
    current: Plan | None,
    should_stop: ShouldStop | None,
    on_progress: Callable[[float], None] | None,
) -> Flips:
    """The flips of the allocation while every scalable task keeps its number of processors."""
    counts = recommendation.plan.processors
    here = problem.at(counts)

    def fits(plan: Plan | None) -> bool:
        return plan is not None and plan.processors == counts

    same = replace(
        recommendation,
        alternatives=tuple(one for one in recommendation.alternatives if fits(one[1])),
    )
    kept = current if fits(current) else None
    found = find_flips(here, same, prediction, kept, should_stop, on_progress)
    flips = tuple(replace(flip, plan=replace(flip.plan, processors=counts)) for flip in found.flips)
    return Flips(flips, f"{found.sentence} Numbers of processors were kept.")


@dataclass(frozen=True)
class _Walk:
    """The search along one parameter."""

    problem: Problem
    plan: Plan
    parameter: LoadParameter
    judge: Judge
    stop: ShouldStop
    looks: int
    halvings: int

    def towards(self, end: float) -> Flip | None:
        """The nearest flip between the present value and `end`; None if there is none."""
        platform, reading = self.problem.platform, self.problem.reading
        present = self.parameter.value(platform, reading)
        kept = present
        if math.isclose(end, present):
            return None
        for look in range(1, self.looks + 1):
            # quadratic spacing: near changes of load are the likely ones
            value = present + (end - present) * (look / self.looks) ** 2
            verdict = self._verdict(value)
            if verdict is None:
                return None
            if verdict.beaten:
                return self._narrowed(kept, value, verdict, present)
            kept = value
        return None

    def _narrowed(
        self, kept: float, lost: float, verdict: PlanVerdict, present: float
    ) -> Flip | None:
        for _ in range(self.halvings):
            middle = 0.5 * (kept + lost)
            found = self._verdict(middle)
            if found is None:
                return None
            if found.beaten:
                lost, verdict = middle, found
            else:
                kept = middle
        sentence = self._sentence(lost, present, verdict.best)
        return Flip(self.parameter, lost, present, sentence, verdict.best, self.judge.exact)

    def _verdict(self, value: float) -> PlanVerdict | None:
        if self.stop():
            return None
        platform = self.parameter.applied(self.problem.platform, value, self.problem.reading)
        verdict = self.judge(platform, self.plan)
        return None if self.stop() else verdict

    def _sentence(self, value: float, present: float, best: Plan) -> str:
        name = label(self.problem, best.allocation, self.plan.allocation)
        side = "Below" if value < present else "Above"
        if abs(value - present) <= 1e-6 * max(abs(present), 1.0):
            now = f"the present {self.parameter.sentence(present)}"
            return f"{side} {now}, even by little, another is best: {name}."
        there = self.parameter.sentence(value)
        return f"{side} {there} (now {present:.3g}), another is best: {name}."


def _distance(flip: Flip) -> tuple[float, str]:
    """How far away a flip is, in units of the parameter's range."""
    span = flip.parameter.high - flip.parameter.low
    return abs(flip.value - flip.present) / span, flip.parameter.key


def _by_weight(problem: Problem, prediction: Prediction) -> tuple[LoadParameter, ...]:
    """Contenders and link slowdowns; those of the busiest machines and links first."""
    platform, workload = problem.platform, problem.workload
    weight = dict.fromkeys((machine.name for machine in platform.machines), 0.0)
    weight |= dict.fromkeys((link.name for link in platform.links), 0.0)
    names = {link.ends: link.name for link in platform.links}
    place = [platform.machines[machine].name for machine in prediction.plan.allocation]
    for task, seconds in enumerate(prediction.task_s.tolist()):
        weight[place[task]] += seconds
    ends = zip(workload.sources.tolist(), workload.targets.tolist(), strict=True)
    for (source, target), seconds in zip(ends, prediction.flow_s.tolist(), strict=True):
        name = names.get(frozenset((place[source], place[target])))
        if name is not None:
            weight[name] += seconds
    kinds = (CONTENDERS, LINK_SLOWDOWN)
    found = [one for one in parameters_of(platform) if one.kind in kinds]
    return tuple(sorted(found, key=lambda one: -weight[one.subject]))


def _affordable(
    parameters: tuple[LoadParameter, ...], cost: float
) -> tuple[tuple[LoadParameter, ...], tuple[int, int]]:
    """As many parameters, looked at as finely, as the budget allows."""
    verdicts = _BUDGET_S / cost
    effort = _FINE if verdicts >= 2 * sum(_FINE) * len(parameters) else _COARSE
    return parameters[: int(verdicts / (2 * sum(effort)))], effort


def _with_searches(
    problem: Problem,
    objective: str,
    pool: tuple[Plan, ...],
    parameters: tuple[LoadParameter, ...],
    stop: ShouldStop,
) -> tuple[Plan, ...]:
    """The pool and what short searches find best at the ends of the parameters' ranges."""
    found = list(pool)
    ends = [(one, end) for one in parameters for end in (one.low, one.high)]
    for parameter, end in ends[:_SEARCHES]:
        if stop():
            break
        platform = parameter.applied(problem.platform, end, problem.reading)
        found += contestants_at(problem, platform, objective, _BUDGET_S / 5 / _SEARCHES)
    return distinct(found)
