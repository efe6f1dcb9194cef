"""Refinement: feasible, never worse, limits of the machines; plain kernels as compiled ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import paths_kernel as paths
from advisor.kernels import refine_kernel as kernel
from advisor.kernels import solution
from advisor.kernels.instance import Instance
from advisor.search import advise
from advisor.search import refine as module
from advisor.search.incumbent import StepBudget
from advisor.search.list_scheduling import heft
from advisor.search.refine import refine
from machines import Direction, Link, Machine, Platform, Resource
from tests.advisor.random_problems import random_problem
from tests.conftest import cluster

Found = list[tuple[Plan, float]]


@pytest.fixture
def plain() -> Iterator[None]:
    """Plain kernels before, and what was found afterwards."""
    before = kernels.loaded()
    kernels.unload()
    yield
    kernels.unload()
    if before:
        kernels.load()


def refined(
    problem: Problem, starts: list[Plan], budget: int, seed: int = 0, target_s: float = 0.0
) -> tuple[Found, StepBudget]:
    """Every plan that was reported, and what was spent."""
    found: Found = []
    effort = StepBudget(budget, lambda: False)
    refine(problem, starts, effort, seed, lambda *better: found.append(better), target_s)
    return found, effort


def shared_cluster() -> Problem:
    project = cluster(width=4, stages=3)
    return Problem.of(project.platform, project.workload, sharing=NONE)


def annealed(instance: Instance, seed: int) -> list[object]:
    """All that a short annealing with kicks leaves behind."""
    tails = paths.tails(instance)
    bond = np.full(instance.source.size, 0.6)
    search = solution.new_search(instance, tails, bond, seed)
    search.now.allocation[:] = np.isfinite(instance.task_s).argmax(axis=1)
    said: list[object] = []
    for _ in range(4):
        value = kernel.begin(instance, search, False)
        value, best = kernel.anneal(instance, search, 150, 2.0, 0.05, value)
        said += [value, best, search.now.order.tolist(), search.best.allocation.tolist()]
        kernel.kick(instance, search, 3)
    return [*said, search.best.start.tolist(), search.best.why.tolist(), search.rng.tolist()]


def annealable() -> list[Problem]:
    """Problems of 5 to 14 tasks, one with little memory."""
    problems = [random_problem(seed, most_tasks=14) for seed in range(30)]
    large = [p for p in problems if len(p.workload.tasks) >= 5 and len(p.platform.machines) > 1]
    machines = tuple(Machine(f"M{q}", memory_bytes=40, memory="reserved") for q in range(3))
    tasks = tuple(Task(f"t{i}", work=1.0 + i, memory_bytes=6) for i in range(6))
    tight = Problem.of(Platform("p", machines), Workload("w", tasks))
    return [*large[:6], tight]


@pytest.mark.usefixtures("plain")
def test_plain_kernels_anneal_as_the_compiled_ones_do() -> None:
    problems = annealable()
    expected = [annealed(problem.instance, seed) for seed, problem in enumerate(problems)]
    kernels.load()
    compiled = [annealed(problem.instance, seed) for seed, problem in enumerate(problems)]
    assert compiled == expected


@pytest.mark.usefixtures("plain")
def test_a_decoded_solution_is_what_the_timeline_makes_of_its_order() -> None:
    for seed, problem in enumerate(annealable()):
        instance = problem.instance
        search = solution.new_search(
            instance, paths.tails(instance), np.full(instance.source.size, 0.5), seed
        )
        search.now.allocation[:] = np.isfinite(instance.task_s).argmax(axis=1)
        value = kernel.begin(instance, search, False)
        _, best = kernel.anneal(instance, search, 100, 1.0, 0.1, value)
        found = search.best
        # the timeline may insert into idle time, never end later
        assert makespan(instance, found.allocation, found.order) <= best * (1 + 1e-12)
        assert found.end.max() == best
        place = np.argsort(found.order)
        assert (place[instance.source] < place[instance.target]).all()
    kernel.warm_up()
    solution.warm_up()


@pytest.mark.usefixtures("plain")
def test_random_numbers_are_even() -> None:
    rng = np.array([12345, 67890], np.int64)
    drawn = np.array([solution.draw(rng) for _ in range(4000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert np.histogram(drawn, 10, (0, 1))[0].min() > 320


@pytest.mark.parametrize("seed", range(3))
def test_refinement_reports_ever_better_plans_that_keep_their_word(seed: int) -> None:
    problem = shared_cluster()
    start = heft(problem)
    found, _ = refined(problem, [start], 2_000_000, seed)
    values = [value for _, value in found]
    assert values == sorted(set(values), reverse=True)
    for plan, value in found[-3:]:
        assert plan.strategy == "refine"
        assert predict(problem, plan).makespan_s <= value * (1 + 1e-12)
    assert values[-1] <= predict(problem, start).makespan_s


def test_refinement_is_the_same_for_a_seed() -> None:
    problem = shared_cluster()
    one, other = (refined(problem, [heft(problem)], 1_000_000, seed=3) for _ in range(2))
    assert one[0] == other[0]
    assert one[1].spent == other[1].spent


def test_refinement_starts_without_a_plan_from_everything_on_one_machine() -> None:
    problem = shared_cluster()
    found, effort = refined(problem, [], 600_000)
    assert found
    assert effort.spent >= 600_000


def test_refinement_ends_at_its_target() -> None:
    problem = shared_cluster()
    found, effort = refined(problem, [heft(problem)], 10**9, target_s=1e6)
    assert len(found) == 1
    assert effort.spent < 10**6


def test_a_stopped_refinement_does_nothing() -> None:
    problem = shared_cluster()
    found: Found = []
    effort = StepBudget(10**9, lambda: True)
    refine(problem, [heft(problem)], effort, 0, lambda *better: found.append(better), 0.0)
    assert (found, effort.spent, effort.stopped) == ([], 0, True)


def test_large_graphs_only_descend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGE", 5)
    problem = shared_cluster()
    start = heft(problem)
    found, _ = refined(problem, [start], 1_000_000)
    assert found[-1][1] <= predict(problem, start).makespan_s


def test_refinement_respects_memory_and_forbidden_machines() -> None:
    machines = (
        Machine("quick", speed=9.0, memory_bytes=20, memory="reserved"),
        Machine("a"),
        Machine("b"),
    )
    way = Direction(0.0, 1.0)
    links = (Link("quick", "a", way, way), Link("quick", "b", way, way), Link("a", "b", way, way))
    tasks = (
        *(Task(f"t{i}", work=9.0, memory_bytes=6) for i in range(8)),
        Task("bound", work=1.0, allowed=("b",)),
    )
    flows = tuple(Flow("t0", f"t{i}", ((1, 1.0),)) for i in range(1, 8))
    problem = Problem.of(Platform("p", machines, links), Workload("w", tasks, flows), sharing=NONE)
    found, _ = refined(problem, [heft(problem), Plan((0,) * 8 + (2,))], 300_000)
    for plan, value in found:
        assert predict(problem, plan).makespan_s <= value * (1 + 1e-12)
        assert plan.allocation[8] == 2
        assert plan.allocation[:8].count(0) <= 3


@pytest.mark.usefixtures("plain")
def test_tasks_of_several_cores_fit_a_machine_of_more_cores_than_tasks() -> None:
    machines = (Machine("large", cores=8), Machine("small"))
    tasks = tuple(Task(f"t{i}", work=4.0, cores=4) for i in range(2))
    instance = Problem.of(Platform("p", machines), Workload("w", tasks)).instance
    search = solution.new_search(instance, np.zeros((2, 2)), np.zeros(0), 1)
    assert kernel.begin(instance, search, False) == 4.0


@pytest.mark.parametrize("seed", range(6))
def test_tasks_that_wait_for_units_find_their_best_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks = tuple(
        Task(f"t{i}", work=float(rng.integers(1, 9)), resources=(("gpu", int(rng.integers(1, 4))),))
        for i in range(6)
    )
    machine = Machine("M", 6, resources=(Resource("gpu", 3),))
    problem = Problem.of(Platform("p", (machine,)), Workload("w", tasks, ()), sharing=NONE)
    plans = (Plan((0,) * 6, order) for order in itertools.permutations(range(6)))
    least_s = min(reached_s(problem, MAKESPAN, plan) for plan in plans)
    found = advise(problem, strategy="refine", seconds=0.2, clocked=False)
    assert found.value_s == pytest.approx(least_s)
