"""Refinement of executed plans: it keeps its word, its seed, its limits and its starts."""

from __future__ import annotations

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import backlog, solution
from advisor.kernels import paths_kernel as paths
from advisor.kernels import shared_refine_kernel as kernel
from advisor.search import advise
from advisor.search import exact_search as exact
from advisor.search.incumbent import StepBudget
from advisor.search.list_scheduling import heft
from advisor.search.network_aware_refine import refine_shared
from machines import Direction, InfeasibleError, Link, Machine, Platform
from machines.platform import Switch
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed

Found = list[tuple[Plan, float]]


def layers(runtime: Runtime = Runtime(), width: int = 4) -> Problem:  # noqa: B008 - frozen
    """Three layers of tasks whose flows all cross one bus."""
    rng = np.random.default_rng(3)
    way = Direction(0.01, 50.0)
    machines = tuple(Machine(f"M{q}", speed=1.0 + 0.5 * q) for q in range(3))
    links = tuple(Link(one.name, "bus", way, way) for one in machines)
    tasks = tuple(Task(f"t{i}", work=float(rng.integers(2, 9))) for i in range(3 * width))
    flows = tuple(
        Flow(
            f"t{layer * width + i}",
            f"t{(layer + 1) * width + j}",
            ((1, float(rng.integers(20, 90))),),
        )
        for layer in range(2)
        for i in range(width)
        for j in (i, (i + 1) % width)
    )
    platform = Platform("p", machines, links, switches=(Switch("bus", 50.0),), runtime=runtime)
    return Problem.of(platform, Workload("w", tasks, flows))


def refined(
    problem: Problem, starts: list[Plan], budget: int, seed: int = 0
) -> tuple[Found, StepBudget]:
    found: Found = []
    effort = StepBudget(budget, lambda: False)
    refine_shared(problem, starts, effort, seed, lambda *better: found.append(better), 0.0)
    return found, effort


@pytest.mark.parametrize("fetch", ["ahead", "slot"])
@pytest.mark.parametrize("order", ["plan", "ready"])
def test_it_reports_ever_better_plans_that_keep_their_word(fetch: str, order: str) -> None:
    problem = layers(Runtime(fetch=fetch, order=order))
    start = heft(problem)
    found, effort = refined(problem, [start], 2_000_000)
    values = [value for _, value in found]
    assert values == sorted(set(values), reverse=True)
    assert effort.spent >= 2_000_000
    for plan, value in found:
        assert predict(problem, plan).makespan_s == value
    assert values[-1] < predict(problem, start).makespan_s


def test_it_is_the_same_for_a_seed() -> None:
    problem = layers()
    one, other = (refined(problem, [heft(problem)], 1_000_000, seed=3) for _ in range(2))
    assert one[0] == other[0]
    assert one[1].spent == other[1].spent


def test_it_does_nothing_when_stopped_and_ends_at_its_target() -> None:
    problem = layers()
    found: Found = []
    refine_shared(
        problem,
        [heft(problem)],
        StepBudget(10**9, lambda: True),
        0,
        lambda *b: found.append(b),
        0.0,
    )
    assert not found
    effort = StepBudget(10**9, lambda: False)
    refine_shared(problem, [heft(problem)], effort, 0, lambda *b: found.append(b), 1e6)
    assert len(found) == 1
    assert effort.spent < 10**6


def test_memory_and_forbidden_machines_are_respected() -> None:
    way = Direction(0.0, 10.0)
    machines = (
        Machine("quick", speed=9.0, memory_bytes=20, memory="reserved"),
        Machine("a"),
        Machine("b"),
    )
    links = (Link("quick", "a", way, way), Link("quick", "b", way, way), Link("a", "b", way, way))
    tasks = (
        *(Task(f"t{i}", work=9.0, memory_bytes=6) for i in range(8)),
        Task("bound", work=1.0, allowed=("b",)),
    )
    flows = tuple(Flow("t0", f"t{i}", ((1, 1.0),)) for i in range(1, 8))
    problem = Problem.of(Platform("p", machines, links), Workload("w", tasks, flows))
    found, _ = refined(problem, [heft(problem), Plan((0,) * 8 + (2,))], 600_000)
    for plan, value in found:
        assert predict(problem, plan).makespan_s == value
        assert plan.allocation[8] == 2
        assert plan.allocation[:8].count(0) <= 3


@pytest.mark.parametrize("seed", range(12))
def test_small_cases_reach_the_proved_optimum(seed: int) -> None:
    try:
        problem = random_executed(seed, most_tasks=5)
    except InfeasibleError:
        return
    if not exact.fits(problem, MAKESPAN):
        return
    best = exact.solve(problem, MAKESPAN, np.inf, StepBudget(10**9, lambda: False))
    if not best.plans:
        return
    found = advise(problem, strategy="refine", seconds=0.1)
    assert found.value_s == pytest.approx(best.lower_bound_s, rel=1e-9)


def annealed(slack: float) -> list[object]:
    """All that a short annealing leaves behind."""
    problem = layers(width=3)
    instance, executed = problem.instance, problem.executed
    bond = np.full(instance.source.size, 0.6)
    search = solution.new_search(instance, paths.tails(instance), bond, 5)
    state, spent = backlog.new_backlog(executed), np.zeros(3, np.int64)
    search.now.allocation[:] = np.arange(instance.task_s.shape[0]) % 3
    value = kernel.begin(instance, executed, state, search, False)
    values = kernel.anneal(
        instance, executed, state, search, 80, 2.0, 0.05, (value, value, value), slack, spent
    )
    best = search.best
    return [
        values,
        spent.tolist(),
        best.order.tolist(),
        best.allocation.tolist(),
        best.why.tolist(),
    ]


@pytest.mark.parametrize("slack", [-1.0, 0.1])
def test_plain_kernels_anneal_as_compiled_ones(slack: float) -> None:
    kernels.load()
    compiled = annealed(slack)
    kernels.unload()
    try:
        assert annealed(slack) == compiled
    finally:
        kernels.load()
    assert (compiled[1][1] > 0) == (slack >= 0.0)
