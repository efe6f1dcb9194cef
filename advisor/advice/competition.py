"""What competes with a plan while loads are varied, and how finely they are looked at.

Where no judge over all allocations is quick, candidates compete: what the search met, and what
short searches find best at the ends of the loads' ranges and half way there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from advisor.advice.contest import (
    candidates,
    contestants_on,
    exact_judge,
    pool_judge,
)
from advisor.advice.judged_plan import Judge
from advisor.advice.limits import limit_of
from advisor.allocation.loads import (
    BANDWIDTH,
    CONTENDERS,
    LINK_SLOWDOWN,
    LoadParameter,
    parameters_of,
)
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.stop_rule import ShouldStop

_BUDGET_S = 2.5  # rough seconds that all verdicts together may take
_SEARCHES = 12  # short searches for contestants at the ends, and as many between
SEARCH_S = _BUDGET_S / 5 / _SEARCHES
_FINE = (10, 46)  # values looked at and halvings on either side …
_COARSE = (5, 10)  # … and on larger workloads


@dataclass(frozen=True)
class Contest:
    """What is varied, and what competes there with the plan.

    `looks`, `halvings`: how finely they are looked at.
    """

    problem: Problem  # with all that the plan decides beside the allocation
    best: Plan  # the best plan at the present load, of all that compete
    judge: Judge
    parameters: tuple[LoadParameter, ...]  # empty: the workload is too large
    looks: int
    halvings: int
    kept: Plan | None = None  # its other decisions are those of all plans; None: there are none
    objective: str = MAKESPAN
    pool: tuple[Plan, ...] = ()  # of a judge that compares candidates

    def joined_by(self, plans: Iterable[Plan], should_stop: ShouldStop) -> Contest:
        """The contest with more candidates, in other orders too; itself where none is new."""
        pool = _joined(self.pool, plans)
        if len(pool) == len(self.pool):
            return self
        judge = pool_judge(self.problem, self.objective, pool, should_stop)
        return replace(self, judge=judge, pool=pool)


def contest_of(
    problem: Problem,
    recommendation: Recommendation,
    prediction: Prediction,
    known: Iterable[Plan] = (),
    should_stop: ShouldStop = lambda: False,
) -> Contest:
    """Gather what competes with the recommended plan; the best at the present load is told.

    `problem`, `recommendation`, `prediction`: the question, its answer and the prediction of the
        recommended plan.
    `known`: more contestants; with scalable tasks only those at the recommended numbers.
    `should_stop`: asked before every evaluation.
    """
    plan, objective = recommendation.plan, recommendation.objective
    kept, settled = None, problem.settled(plan)
    if settled is not problem:
        kept, problem = plan, settled
        known = [one for one in known if one.decides_as(plan)]
        same = [one for one in recommendation.alternatives if one[1].decides_as(plan)]
        recommendation = replace(recommendation, alternatives=tuple(same))
    parameters = varied(problem, prediction, objective)
    pool: tuple[Plan, ...] = ()
    judge = exact_judge(problem, objective)
    if judge is None:
        pool = candidates(problem, recommendation, None, known)
        probe = pool_judge(problem, objective, pool)
        parameters, (looks, _) = _affordable(parameters, probe.cost)
        few = parameters if looks else ()
        pool = _with_searches(problem, objective, pool, few, should_stop)
        judge = pool_judge(problem, objective, pool, should_stop)
    parameters, (looks, halvings) = _affordable(parameters, judge.cost)
    best = plan
    if parameters and not should_stop():
        best = judge(problem.platform, plan).best
        best = best if kept is None else best.deciding_as(kept)
    return Contest(problem, best, judge, parameters, looks, halvings, kept, objective, pool)


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
    """The pool and what short searches find best at the ends of all ranges and half way there."""
    for share in (1.0, 0.5):
        platforms = []
        for load, end in [(one, end) for one in parameters for end in (one.low, one.high)]:
            present = load.value(problem.platform, problem.reading)
            value = present + share * (end - present)
            if not math.isclose(value, present):
                platforms.append(load.applied(problem.platform, value, problem.reading))
        found = contestants_on(problem, platforms[:_SEARCHES], objective, SEARCH_S, stop, pool)
        pool = _joined(pool, found)
    return pool


def _joined(pool: tuple[Plan, ...], plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """The pool and those plans whose allocation, or its order, is new."""
    found = {(one.allocation, one.order): one for one in pool}
    for one in plans:
        found.setdefault((one.allocation, one.order), one)
    return tuple(found.values())


_LARGE = 200_000  # tasks times machines from which on no load is varied anyway


def varied(
    problem: Problem, prediction: Prediction, objective: str = MAKESPAN
) -> tuple[LoadParameter, ...]:
    """Bandwidths that limit, then contenders and link slowdowns, those of the busiest first."""
    platform = problem.platform
    weight = dict.fromkeys((machine.name for machine in platform.machines), 0.0)
    weight |= dict.fromkeys((link.name for link in platform.links), 0.0)
    place = [platform.machines[machine].name for machine in prediction.plan.allocation]
    for task, seconds in enumerate(prediction.task_s.tolist()):
        weight[place[task]] += seconds
    for name, seconds in _link_seconds(problem, prediction):
        weight[name] += seconds
    kinds = (CONTENDERS, LINK_SLOWDOWN)
    known = parameters_of(platform)
    found = [one for one in known if one.kind in kinds]
    ranked = sorted(found, key=lambda one: -weight[one.subject])
    if objective != MAKESPAN or len(platform.machines) * prediction.task_s.size > _LARGE:
        return tuple(ranked)
    return (*_limiting(problem, prediction, known), *ranked)


def _link_seconds(problem: Problem, prediction: Prediction) -> Iterator[tuple[str, float]]:
    """How long each link is busy, by name, in parts that add up."""
    platform, workload = problem.platform, problem.workload
    if prediction.resources:
        for resource, use in zip(problem.shared.resources, prediction.resources, strict=True):
            if resource.link is not None:
                name = platform.links[resource.link].name
                yield name, use.busy_share * prediction.makespan_s
        return
    names = {link.ends: link.name for link in platform.links}
    place = [platform.machines[machine].name for machine in prediction.plan.allocation]
    ends = zip(workload.sources.tolist(), workload.targets.tolist(), strict=True)
    for (source, target), seconds in zip(ends, prediction.flow_s.tolist(), strict=True):
        link = names.get(frozenset((place[source], place[target])))
        if link is not None:
            yield link, seconds


def _limiting(
    problem: Problem, prediction: Prediction, known: tuple[LoadParameter, ...]
) -> Iterator[LoadParameter]:
    """Bandwidths of what limits the plan; of links upwards only, as their slowdowns are varied."""
    limit = limit_of(problem, prediction)
    for position in () if limit is None else limit.resources:
        resource = problem.shared.resources[position]
        for one in known:
            if one.kind != BANDWIDTH:
                continue
            if resource.switch is not None and one.subject == resource.name:
                yield one
            elif (
                resource.link is not None
                and one.subject == problem.platform.links[resource.link].name
            ):
                yield replace(one, low=one.value(problem.platform))
