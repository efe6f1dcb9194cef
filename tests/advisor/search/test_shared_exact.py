"""Branch and bound on the executed timeline: the best of all allocations and orders carried out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from advisor.search import exact_search as exact
from advisor.search.incumbent import StepBudget
from machines import Direction, InfeasibleError, Link, Machine, Platform
from machines.platform import Switch
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed


def small(seed: int) -> Problem | None:
    """A case that can be enumerated and whose machines start tasks in order, or None."""
    try:
        problem = random_executed(seed, most_tasks=4)
    except InfeasibleError:
        return None
    return problem if exact.fits(problem, MAKESPAN) else None


def every_makespan(problem: Problem) -> dict[tuple[int, ...], float]:
    """The least executed makespan of every allocation over all orders."""
    tasks, machines = problem.costs.task_s.shape
    pairs = list(zip(problem.costs.sources, problem.costs.targets, strict=True))
    orders = [
        np.array(order, np.int32)
        for order in itertools.permutations(range(tasks))
        if all(order.index(a) < order.index(b) for a, b in pairs)
    ]
    return {
        home: min(
            executed_makespan(problem.executed, np.array(home, np.int32), order) for order in orders
        )
        for home in itertools.product(range(machines), repeat=tasks)
    }


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_it_is_the_best_of_all_allocations_and_orders_and_lists_all_that_tie(first: int) -> None:
    kernels.load()
    for seed in range(first, first + 10):
        problem = small(seed)
        if problem is None:
            continue
        values = every_makespan(problem)
        least = min(values.values())
        result = exact.solve(problem, MAKESPAN, np.inf, StepBudget(10**9, lambda: False))
        if not np.isfinite(least):
            assert not result.plans
            continue
        assert result.proved
        assert result.lower_bound_s == pytest.approx(least, rel=1e-9)
        assert predict(problem, result.plans[0]).makespan_s == pytest.approx(least, rel=1e-9)
        ties = {home for home, value in values.items() if value <= least * (1 + 1e-9)}
        if result.ties_complete:
            assert {plan.allocation for plan in result.plans} == ties
        else:
            assert {plan.allocation for plan in result.plans} < ties


@pytest.mark.parametrize("seed", range(12))
def test_plain_kernels_search_as_compiled_ones(seed: int) -> None:
    problem = small(seed)
    if problem is None:
        return
    kernels.load()
    compiled = exact.solve(problem, MAKESPAN, np.inf, StepBudget(10**9, lambda: False))
    kernels.unload()
    try:
        assert exact.solve(problem, MAKESPAN, np.inf, StepBudget(10**9, lambda: False)) == compiled
    finally:
        kernels.load()


@pytest.mark.parametrize("seed", range(20, 32))
def test_advice_proves_its_plan_best(seed: int) -> None:
    problem = small(seed)
    if problem is None:
        return
    least = min(every_makespan(problem).values())
    if not np.isfinite(least):
        return
    best = advise(problem, seconds=0.1)
    assert best.value_s == pytest.approx(least, rel=1e-9)
    assert best.proved_optimal
    assert predict(problem, best.plan).makespan_s == best.value_s


def test_what_shares_a_bus_is_better_left_together() -> None:
    # a transfer alone takes 4 s: all may go over links of their own, and end at 1 + 4 + 4 = 9 s;
    # on one bus two would be there at 9 s only, so that at least two stay
    way = Direction(0.0, 25.0)
    names = ["M0", "M1", "M2", "M3"]
    machines = tuple(Machine(name) for name in names)
    tasks = (Task("a", work=1.0, allowed=("M0",)), *(Task(f"t{i}", work=4.0) for i in range(3)))
    flows = tuple(Flow("a", f"t{i}", ((1, 100.0),)) for i in range(3))
    workload = Workload("w", tasks, flows)
    pairs = tuple(Link("M0", other, way, way) for other in names[1:])
    apart = Problem.of(Platform("p", machines, pairs), workload)
    bus = tuple(Link(name, "bus", way, way) for name in names)
    joined = Problem.of(Platform("p", machines, bus, switches=(Switch("bus", 25.0),)), workload)
    homes = []
    for problem in (apart, joined):
        best = advise(problem, seconds=0.1)
        assert best.proved_optimal
        assert best.value_s == pytest.approx(9.0)
        homes.append({tie.count(0) for tie in (best.plan.allocation, *best.ties)})
    assert homes == [{1, 2, 3}, {3}]


def test_machines_that_start_what_is_ready_are_not_enumerated() -> None:
    platform = Platform("p", (Machine("M"),), runtime=Runtime(order="ready"))
    problem = Problem.of(platform, Workload("w", (Task("a", work=1.0),)))
    assert not exact.fits(problem, MAKESPAN)
    assert exact.fits(Problem.of(platform, problem.workload, sharing="none"), MAKESPAN)


def test_a_known_value_cuts_the_search() -> None:
    problem = next(p for p in map(small, range(100)) if p is not None)
    effort = StepBudget(10**9, lambda: False)
    free = exact.solve(problem, MAKESPAN, np.inf, effort)
    known = exact.solve(problem, MAKESPAN, free.lower_bound_s, StepBudget(10**9, lambda: False))
    assert known.proved
    assert {plan.allocation for plan in known.plans} == {plan.allocation for plan in free.plans}
