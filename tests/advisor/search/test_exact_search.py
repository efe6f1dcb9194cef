"""Exact search against every allocation in every order; budget, memory, plain and compiled."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import exact_kernel as kernel
from advisor.kernels import paths_kernel as paths
from advisor.kernels import schedule_kernel as schedule
from advisor.search import advise
from advisor.search import exact_search as exact
from advisor.search.incumbent import StepBudget
from machines import Direction, Link, Machine, Platform
from tests.conftest import two_machines

Allocation = tuple[int, ...]


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    """Every test begins with the plain kernels, and leaves what it found."""
    before = kernels.loaded()
    kernels.unload()
    yield
    kernels.unload()
    if before:
        kernels.load()


def effort(budget: int = 10**9, should_stop: Callable[[], bool] = lambda: False) -> StepBudget:
    return StepBudget(budget, should_stop)


def small(seed: int, *, shared: bool = False) -> Problem:
    """3 to 5 tasks on 2 or 3 machines; whole seconds from 1, so that values tie."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 4))
    cores = rng.integers(2, 4, count) if shared else np.ones(count, int)
    machines = tuple(Machine(f"M{q}", cores=int(cores[q])) for q in range(count))
    links = tuple(
        Link(a.name, b.name, Direction(1.0, 1.0), Direction(0.0, 2.0))
        for a, b in itertools.combinations(machines, 2)
        if rng.random() < 0.9
    )
    tasks = tuple(
        Task(
            f"t{i}",
            seconds=tuple((machine.name, float(rng.integers(1, 7))) for machine in machines),
            cores=int(rng.integers(1, 3)) if shared else 1,
        )
        for i in range(rng.integers(3, 6 if count == 2 else 5))
    )
    flows = tuple(
        Flow(a.name, b.name, ((1, float(rng.integers(1, 5))),))
        for a, b in itertools.combinations(tasks[::-1] if rng.random() < 0.3 else tasks, 2)
        if rng.random() < 0.4
    )
    return Problem.of(Platform("p", machines, links), Workload("w", tasks, flows), sharing=NONE)


def every_makespan(problem: Problem) -> dict[Allocation, float]:
    """The least makespan of every allocation over all orders of placement."""
    instance = problem.instance
    tasks, machines = instance.task_s.shape
    pairs = list(zip(instance.source, instance.target, strict=True))
    orders = [
        np.array(order, np.int32)
        for order in itertools.permutations(range(tasks))
        if all(order.index(a) < order.index(b) for a, b in pairs)
    ]
    return {
        allocation: min(
            float(schedule.makespan(instance, np.array(allocation, np.int32), order))
            for order in orders
        )
        for allocation in itertools.product(range(machines), repeat=tasks)
    }


@pytest.mark.parametrize("shared", [False, True])
def test_branch_and_bound_is_the_best_of_all_allocations_and_orders(shared: bool) -> None:
    problems = [small(seed, shared=shared) for seed in range(12)]
    kernels.load()
    expected = [every_makespan(problem) for problem in problems]
    compiled = [exact.solve(problem, MAKESPAN, np.inf, effort()) for problem in problems]
    kernels.unload()
    for problem, values, fast in zip(problems, expected, compiled, strict=True):
        least = min(values.values())
        result = exact.solve(problem, MAKESPAN, np.inf, effort())
        assert result == fast
        assert result.proved
        assert result.lower_bound_s == pytest.approx(least)
        assert predict(problem, result.plans[0]).makespan_s == pytest.approx(least)
        ties = {a for a, value in values.items() if value <= least * (1 + 1e-9)}
        assert result.ties_complete == (len(ties) <= exact.MOST_TIES)
        found = {plan.allocation for plan in result.plans}
        assert found == ties or (found < ties and not result.ties_complete)


def test_a_known_value_that_is_best_is_proved_and_its_allocations_listed() -> None:
    problem = small(4)
    best = exact.solve(problem, MAKESPAN, np.inf, effort())
    again = exact.solve(problem, MAKESPAN, best.lower_bound_s, effort())
    assert again.proved
    assert again.lower_bound_s == best.lower_bound_s
    assert {p.allocation for p in again.plans} == {p.allocation for p in best.plans}


def test_a_search_that_may_not_go_on_proves_nothing() -> None:
    problem = small(4)
    assert exact.solve(problem, MAKESPAN, np.inf, effort(0)) == exact.ExactResult()
    stopped = exact.solve(problem, MAKESPAN, np.inf, effort(should_stop=lambda: True))
    assert stopped == exact.ExactResult()


def test_a_search_that_is_cut_short_hands_over_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact, "_SLICE", 8)
    problem = small(4)
    result = exact.solve(problem, MAKESPAN, np.inf, effort(8 * 3 * 2 * 3 * 5))
    assert not result.proved
    assert len(result.plans) == 1
    assert predict(problem, result.plans[0]).makespan_s > 0.0


def test_without_a_feasible_schedule_nothing_is_proved() -> None:
    tasks = (Task("a", seconds=(("M1", 1.0),)), Task("b", seconds=(("M2", 1.0),)))
    apart = Workload("w", tasks, (Flow("a", "b", ((1, 8.0),)),))
    problem = Problem.of(Platform("p", (Machine("M1"), Machine("M2"))), apart)
    for objective in (MAKESPAN, TOTAL):
        assert exact.solve(problem, objective, np.inf, effort()) == exact.ExactResult()


def test_memory_is_respected() -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(2))
    machines = (Machine("quick", speed=9.0, memory_bytes=10, memory="reserved"), Machine("slow"))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    for objective in (MAKESPAN, TOTAL):
        result = exact.solve(problem, objective, np.inf, effort())
        assert {plan.allocation for plan in result.plans} == {(0, 1), (1, 0)}


@pytest.mark.parametrize("seed", range(10))
def test_the_least_total_is_found_with_all_ties_and_the_second_best(seed: int) -> None:
    problem = small(seed)
    tasks, machines = problem.instance.task_s.shape
    values = {
        allocation: float(schedule.total(problem.instance, np.array(allocation, np.int32)))
        for allocation in itertools.product(range(machines), repeat=tasks)
    }
    least = min(values.values())
    result = exact.solve(problem, TOTAL, np.inf, effort())
    assert result.proved
    assert result.lower_bound_s == least
    assert {p.allocation for p in result.plans} == {a for a, v in values.items() if v == least}
    assert result.runner_up is not None
    assert values[result.runner_up.allocation] == min(v for v in values.values() if v > least)


def test_where_all_allocations_tie_there_is_no_second_best() -> None:
    machines = tuple(Machine(f"M{q}") for q in range(2))
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(6))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    result = exact.solve(problem, TOTAL, np.inf, effort())
    assert len(result.plans) == exact.MOST_TIES
    assert not result.ties_complete
    assert result.runner_up is None


def test_an_enumeration_ends_with_its_budget() -> None:
    machines = tuple(Machine(f"M{q}") for q in range(2))
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(10))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    assert exact.solve(problem, TOTAL, np.inf, effort(100)) == exact.ExactResult()


def test_large_cases_are_not_tried() -> None:
    machines = tuple(Machine(f"M{q}") for q in range(2))
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(25))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    for objective in (MAKESPAN, TOTAL):
        assert not exact.fits(problem, objective)
        assert exact.solve(problem, objective, np.inf, effort()) == exact.ExactResult()


def test_slices_of_one_search_visit_what_it_visits_at_once() -> None:
    instance = small(7).instance
    tails = paths.tails(instance)
    whole = kernel.new_branching(instance, tails, np.inf, 4)
    assert kernel.branch(instance, whole, 10**6, False)
    parts = kernel.new_branching(instance, tails, np.inf, 4)
    while not kernel.branch(instance, parts, 7, False):
        pass
    assert parts.control.tolist() == whole.control.tolist()
    assert parts.upper == whole.upper
    kernel.warm_up()


def test_tasks_of_several_cores_fit_a_machine_of_more_cores_than_tasks() -> None:
    machines = (Machine("large", cores=8), Machine("small"))
    tasks = tuple(Task(f"t{i}", work=4.0, cores=4) for i in range(2))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    result = exact.solve(problem, MAKESPAN, np.inf, effort())
    assert result.proved
    assert result.lower_bound_s == 4.0


def test_a_task_that_takes_no_time_may_run_before_a_long_one_of_lower_position() -> None:
    way = Direction(0.0, 1.0)
    platform = Platform("p", (Machine("M1"), Machine("M2")), (Link("M1", "M2", way, way),))
    tasks = (
        Task("long", seconds=(("M1", 10.0),)),
        Task("instant", seconds=(("M1", 0.0),)),
        Task("after", seconds=(("M2", 10.0),)),
    )
    workload = Workload("w", tasks, (Flow("instant", "after"),))
    problem = Problem.of(platform, workload)
    result = exact.solve(problem, MAKESPAN, np.inf, effort())
    assert min(every_makespan(problem).values()) == 10.0
    assert result.lower_bound_s == 10.0


def test_the_published_example_is_solved() -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload)
    for objective in (MAKESPAN, TOTAL):
        result = exact.solve(problem, objective, np.inf, effort())
        assert [plan.allocation for plan in result.plans] == [(1, 0)]
        assert result.lower_bound_s == 38.0


def bag(seed: int, tasks: int = 6) -> Problem:
    """Independent tasks of unlike length on three machines of one core, one with little memory."""
    rng = np.random.default_rng(seed)
    machines = tuple(
        Machine(
            f"M{q}",
            speed=float(rng.uniform(0.5, 2.0)),
            memory_bytes=30 if q == 2 else None,
            memory="reserved",
        )
        for q in range(3)
    )
    works = (
        Task(f"t{i}", work=float(rng.uniform(1, 30)), memory_bytes=int(rng.integers(1, 20)))
        for i in range(tasks)
    )
    return Problem.of(Platform("p", machines), Workload("w", tuple(works)))


@pytest.mark.parametrize("seed", range(4))
def test_independent_tasks_are_proved_by_their_sums(seed: int) -> None:
    problem = bag(seed)
    found = advise(problem, seconds=0.1)
    values = sorted(
        reached_s(problem, MAKESPAN, Plan(home)) for home in itertools.product(range(3), repeat=6)
    )
    assert found.proved_optimal
    assert found.value_s == pytest.approx(values[0], rel=1e-12)


def test_a_proof_that_needs_more_effort_gives_what_is_known() -> None:
    problem = bag(0, tasks=14)
    found = advise(problem, strategy="exact", seconds=0.01)
    assert not found.proved_optimal
    assert any("did not end within 0.01 s" in one for one in found.warnings)
