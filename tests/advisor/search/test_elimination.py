"""Totals by elimination: beside all allocations, on better machines, where it does not suit."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.objectives import TOTAL
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import schedule_kernel as schedule
from advisor.search import advise, elimination
from advisor.search.incumbent import StepBudget
from machines import Contender, Direction, InputError, Link, Machine, Platform
from tests.advisor.random_problems import random_problem


def endless() -> StepBudget:
    return StepBudget(1 << 40, lambda: False)


def total(problem: Problem, allocation: tuple[int, ...]) -> float:
    return float(schedule.total(problem.instance, np.array(allocation, np.int32)))


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_best_of_all_allocations(seed: int) -> None:
    problem = random_problem(seed, most_tasks=6, shared=False)
    tasks, machines = problem.costs.task_s.shape
    every = itertools.product(range(machines), repeat=tasks)
    least = min(total(problem, allocation) for allocation in every)
    found = elimination.solve(problem, endless())
    assert (found is None) <= (least == np.inf)
    if found is not None and np.isfinite(value := total(problem, found)):
        # else the memory of several tasks is exceeded, which is looked at afterwards
        assert value == pytest.approx(least, rel=1e-12)


def made(
    seed: int, *, per_byte_s: float = 1e-6, contenders: int = 2, spare: bool = False,
    flows: float = 0.25, scale: float = 1.0,
) -> Problem:  # fmt: skip
    """Ten tasks on three machines: more allocations than are all tried."""
    rng = np.random.default_rng(seed)
    busy = tuple(Contender(f"job {one}", 1.0) for one in range(contenders))
    machines = [Machine(f"M{one}", contenders=busy if one == 1 else ()) for one in range(3)]
    both = Direction(1e-3 * scale, 1 / (per_byte_s * scale))
    named = [one.name for one in machines]
    links = [Link(*pair, both, both) for pair in itertools.combinations(named, 2)]
    tasks = tuple(
        Task(f"t{one}", seconds=tuple((name, scale * rng.uniform(1, 9)) for name in named))
        for one in range(10)
    )
    drawn = [
        (pair, rng.random(), float(rng.integers(1, 9)) * 1e6)
        for pair in itertools.combinations(range(10), 2)
    ]
    edges = tuple(
        Flow(f"t{one}", f"t{other}", ((1, size),))
        for (one, other), kept, size in drawn if kept < flows
    )  # fmt: skip
    if spare:
        machines.append(Machine("M3"))
        links += [Link(name, "M3", both, both) for name in named]
        tasks = tuple(replace(task, seconds=(*task.seconds, ("M3", 9.0 * scale))) for task in tasks)
    platform = Platform("p", tuple(machines), tuple(links))
    return Problem.of(platform, Workload("w", tasks, edges))


@pytest.mark.parametrize(
    "better",
    [
        lambda seed: made(seed, per_byte_s=5e-7),
        lambda seed: made(seed, contenders=1),
        lambda seed: made(seed, flows=0.2),
        lambda seed: made(seed, spare=True),
    ],
    ids=["bandwidth", "contender", "flow", "machine"],
)
def test_a_better_platform_never_makes_the_total_worse(better: Callable[[int], Problem]) -> None:
    for seed in range(12):
        before, after = advise(made(seed), TOTAL), advise(better(seed), TOTAL)
        assert before.proved_optimal
        assert after.proved_optimal
        assert after.value_s <= before.value_s * (1 + 1e-12), seed


def test_the_unit_of_time_changes_nothing() -> None:
    for seed in range(6):
        small, large = advise(made(seed), TOTAL), advise(made(seed, scale=1e6), TOTAL)
        assert large.value_s == pytest.approx(1e6 * small.value_s, rel=1e-9)


def test_a_tree_of_hundreds_of_tasks_is_proved() -> None:
    names = [f"M{one}" for one in range(5)]
    way = Direction(0.1, 1e6)
    links = tuple(Link(*pair, way, way) for pair in itertools.combinations(names, 2))
    tasks = tuple(Task(f"t{one}", work=1.0 + one % 7) for one in range(300))
    flows = tuple(Flow(f"t{(one - 1) // 3}", f"t{one}", ((1, 1e6),)) for one in range(1, 300))
    machines = tuple(Machine(name, speed=1.0 + 0.3 * at) for at, name in enumerate(names))
    problem = Problem.of(Platform("p", machines, links), Workload("w", tasks, flows))
    best = advise(problem, TOTAL)
    assert best.proved_optimal
    assert best.plan.allocation == (4,) * 300  # on the quickest nothing is sent


def test_where_all_depend_on_all_it_does_not_apply() -> None:
    names = [f"M{one}" for one in range(8)]
    tasks = tuple(Task(f"t{one}", work=1.0) for one in range(20))
    flows = tuple(
        Flow(f"t{one}", f"t{other}", ((1, 8.0),))
        for one, other in itertools.combinations(range(20), 2)
    )
    way = Direction(0.1, 1e6)
    links = tuple(Link(*pair, way, way) for pair in itertools.combinations(names, 2))
    platform = Platform("p", tuple(map(Machine, names)), links)
    problem = Problem.of(platform, Workload("w", tasks, flows))
    assert elimination.order_of(problem) is None
    with pytest.raises(InputError, match=r"elimination does not apply.*nearly a tree"):
        advise(problem, TOTAL, "elimination")


def test_an_effort_that_is_over_proves_nothing() -> None:
    assert elimination.solve(made(0), StepBudget(3, lambda: False)) is None
