"""Lower bounds: below every plan, tight where theory says so, indifferent to names and units."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.allocation.bounds import bounds_of
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import prepare, total
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import paths_kernel as paths
from machines import Direction, Link, Machine, Platform
from tests.advisor.random_problems import random_plan, random_problem

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, SEEDS)
def test_no_plan_is_below_a_bound(seed: int, other: int) -> None:
    problem = random_problem(seed, sharing=NONE)
    prediction = predict(problem, random_plan(problem, other))
    assert prediction.makespan_s >= prediction.lower_bounds_s["makespan"] * (1 - 1e-9)
    assert prediction.total_s >= prediction.lower_bounds_s["total"] * (1 - 1e-9)


@given(SEEDS, st.sampled_from([2.0**-10, 8.0, 2.0**20]))
@example(1601, 2.0**-10)  # a machine with nothing but tasks of no length
def test_scaling_all_seconds_scales_the_bounds(seed: int, factor: float) -> None:
    costs = random_problem(seed).costs
    flows = replace(
        costs.flows,
        startup_s=costs.flows.startup_s * factor,
        per_byte_s=costs.flows.per_byte_s * factor,
        tables=costs.flows.tables * factor,
    )
    outside = costs.outside
    if outside is not None:
        outside = replace(
            outside, arrival_s=outside.arrival_s * factor, total_s=outside.total_s * factor
        )
    longer = replace(costs, task_s=costs.task_s * factor, flows=flows, outside=outside)
    slower = bounds_of(prepare(longer))
    for objective, bound in bounds_of(prepare(costs)).items():
        assert slower[objective] == bound * factor  # a power of two rounds nothing


@given(SEEDS)
def test_renumbering_the_tasks_changes_no_bound(seed: int) -> None:
    problem = random_problem(seed)
    shuffled = list(problem.workload.tasks)
    np.random.default_rng(seed).shuffle(shuffled)
    again = Problem.of(problem.platform, replace(problem.workload, tasks=tuple(shuffled)))
    for objective, bound in problem.lower_bounds_s.items():
        assert again.lower_bounds_s[objective] == pytest.approx(bound, rel=1e-3)


def chain(lengths: list[list[float]]) -> Problem:
    """A chain of tasks on machines joined at 2 s a flow."""
    names = [f"M{q}" for q in range(len(lengths[0]))]
    way = Direction(2.0, 1e9)
    links = tuple(Link(a, b, way, way) for i, a in enumerate(names) for b in names[:i])
    tasks = tuple(
        Task(f"t{i}", seconds=tuple(zip(names, row, strict=True))) for i, row in enumerate(lengths)
    )
    flows = tuple(Flow(a.name, b.name, ((1, 1e-9),)) for a, b in pairwise(tasks))
    return Problem.of(
        Platform("p", tuple(Machine(name) for name in names), links), Workload("w", tasks, flows)
    )


def test_both_bounds_of_a_chain_are_its_optimum() -> None:
    problem = chain([[5, 1, 9], [2, 7, 3], [8, 1, 1], [3, 4, 2]])
    best = min(
        predict(problem, Plan(allocation)).makespan_s for allocation in product(range(3), repeat=4)
    )
    assert problem.lower_bounds_s == {
        "makespan": pytest.approx(best),
        "total": pytest.approx(best),
    }


@pytest.mark.parametrize("seed", range(6))
def test_the_total_of_a_forest_is_exact(seed: int) -> None:
    problem = random_problem(seed, most_tasks=6)
    for ends in ("source", "target"):
        seen: set[str] = set()
        kept = tuple(
            flow
            for flow in problem.workload.flows
            if getattr(flow, ends) not in seen and not seen.add(getattr(flow, ends))
        )
        forest = Problem.of(problem.platform, replace(problem.workload, flows=kept))
        machines = range(len(problem.platform.machines))
        best = min(
            total(forest.instance, np.array(allocation, np.int32))
            for allocation in product(machines, repeat=len(problem.workload.tasks))
        )
        assert forest.lower_bounds_s["total"] == pytest.approx(best)


def independent(works: list[float], speeds: list[float], cores: int = 1) -> Problem:
    machines = tuple(Machine(f"M{q}", cores, speed) for q, speed in enumerate(speeds))
    tasks = tuple(Task(f"t{i}", work=work) for i, work in enumerate(works))
    return Problem.of(Platform("p", machines), Workload("w", tasks))


def test_independent_tasks_share_all_cores() -> None:
    assert independent([1.0] * 30, [1.0, 2.0], 5).lower_bounds_s["makespan"] == pytest.approx(2.0)


def test_the_largest_task_is_a_bound() -> None:
    assert independent([1.0, 12.0], [1.0, 2.0]).lower_bounds_s["makespan"] == 6.0


def test_prices_approach_the_fractional_optimum_of_unrelated_machines() -> None:
    work = np.array([[1.0, 9.0], [2.0, 2.0], [9.0, 1.0], [4.0, 3.0]])
    bound, share = paths.fair_share(work, np.ones(2), 200)
    assert bound == pytest.approx(share.sum())
    assert 0.999 * 25 / 7 <= bound <= 25 / 7 + 1e-12


def test_what_comes_before_and_after_adds_to_the_shared_work() -> None:
    tasks = [Task("first", work=5.0), *(Task(f"t{i}", work=1.0) for i in range(8))]
    tasks.append(Task("last", work=3.0))
    flows = [
        *(Flow("first", f"t{i}") for i in range(8)),
        *(Flow(f"t{i}", "last") for i in range(8)),
    ]
    problem = Problem.of(
        Platform("p", (Machine("M", cores=2),)), Workload("w", tuple(tasks), tuple(flows))
    )
    assert problem.lower_bounds_s["makespan"] == pytest.approx(5 + 8 / 2 + 3)


def test_many_distinct_times_are_thinned_out() -> None:
    seconds = np.random.default_rng(3).uniform(1, 9, (100, 1))
    assert chain(seconds.tolist()).lower_bounds_s["makespan"] == pytest.approx(seconds.sum())


def test_inputs_that_share_a_machine_come_one_after_the_other() -> None:
    tasks = (*(Task(f"t{i}", work=4.0) for i in range(3)), Task("join", work=1.0))
    flows = tuple(Flow(f"t{i}", "join", ((1, 10.0),)) for i in range(3))
    way = Direction(0.0, 1.0)
    platform = Platform("p", (Machine("M"), Machine("N")), (Link("M", "N", way, way),))
    problem = Problem.of(platform, Workload("w", tasks, flows))
    fork = Problem.of(
        platform,
        Workload("w", tasks, tuple(replace(f, source=f.target, target=f.source) for f in flows)),
    )
    assert problem.lower_bounds_s["makespan"] == pytest.approx(13.0)
    assert fork.lower_bounds_s["makespan"] == pytest.approx(13.0)


def test_no_plan_at_all_is_bounded_by_infinity() -> None:
    tasks = (Task("a", seconds=(("M", 1.0),)), Task("b", seconds=(("N", 1.0),)))
    problem = Problem.of(
        Platform("apart", (Machine("M"), Machine("N"))),
        Workload("w", tasks, (Flow("a", "b", ((1, 1.0),)),)),
    )
    assert problem.lower_bounds_s == {"makespan": np.inf, "total": np.inf}


def test_a_workload_of_no_time_has_bounds_of_zero() -> None:
    assert independent([0.0, 0.0], [1.0, 2.0]).lower_bounds_s == {"makespan": 0.0, "total": 0.0}
