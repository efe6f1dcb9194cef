"""Which loads are varied to see what flips a plan: those that weigh most in it first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from advisor.advice.limits import limit_of
from advisor.allocation.loads import (
    BANDWIDTH,
    CONTENDERS,
    LINK_SLOWDOWN,
    LoadParameter,
    parameters_of,
)
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem

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
