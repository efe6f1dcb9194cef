"""The second best plan is that of all allocations and orders, by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.search import advise
from advisor.search.exact_search import MOST_TIES
from machines import InfeasibleError
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_problem
from tests.advisor.scalable_problems import random_scalable

ALIKE = 1e-9


def contended(seed: int) -> Problem:
    return random_executed(seed, most_tasks=4)


def classical(seed: int) -> Problem:
    return random_problem(seed, most_tasks=4, sharing="none")


def values_of(problem: Problem, objective: str) -> dict[tuple[int, ...], float]:
    """The least that every allocation reaches in any order."""
    tasks, machines = problem.costs.task_s.shape
    pairs = list(zip(problem.costs.sources, problem.costs.targets, strict=True))
    orders = [
        order
        for order in itertools.permutations(range(tasks))
        if all(order.index(a) < order.index(b) for a, b in pairs)
    ]
    return {
        home: min(reached_s(problem, objective, Plan(home, order)) for order in orders)
        for home in itertools.product(range(machines), repeat=tasks)
    }


def second(found: Recommendation) -> float:
    """What the runner-up takes; inf where there is none but ties."""
    if found.runner_up is None or found.runner_up[0] == "tie":
        return float("inf")
    _, plan = found.runner_up
    return next(value for _, one, value in found.alternatives if one is plan)


@pytest.mark.parametrize("objective", [MAKESPAN, TOTAL])
@pytest.mark.parametrize("make", [contended, classical])
def test_of_few_tasks_it_is_the_second_of_all(
    make: Callable[[int], Problem], objective: str, compiled: None
) -> None:
    assert kernels.loaded()
    compared = 0
    for seed in range(14):
        try:
            problem = make(seed)
            found = advise(problem, objective)
        except InfeasibleError:
            continue
        if not found.proved_optimal or len(found.ties) >= MOST_TIES:
            continue
        values = sorted(values_of(problem, objective).values())
        worse = [one for one in values if np.isfinite(one) and one > values[0] * (1 + ALIKE)]
        if worse:
            assert second(found) == pytest.approx(worse[0], rel=1e-9), seed
            compared += 1
    assert compared > 4


def test_of_scalable_tasks_another_number_of_processors_may_be_it(compiled: None) -> None:
    compared = 0
    for seed in range(12):
        problem = random_scalable(seed)
        found = advise(problem)
        counts = found.plan.processors
        if counts is None:
            continue
        for task in problem.workload.scalable:
            for step in (-1, 1):
                other = [*counts]
                other[task] += step
                plan = Plan(found.plan.allocation, found.plan.order, processors=tuple(other))
                value_s = neighbour_s(problem, plan)
                if value_s > found.value_s * (1 + ALIKE):
                    assert second(found) <= value_s * (1 + ALIKE), seed
                    compared += 1
    assert compared > 5


def neighbour_s(problem: Problem, plan: Plan) -> float:
    try:
        return reached_s(problem, MAKESPAN, plan.settled(problem.workload, problem.platform))
    except InfeasibleError:
        return float("inf")
