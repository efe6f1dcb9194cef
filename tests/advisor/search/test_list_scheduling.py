"""List schedulers: the published examples, replay by prediction, limits of the machines."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search.list_scheduling import cpop, heft, max_min, min_min, peft
from machines import Direction, InfeasibleError, Link, Machine, Platform
from tests.advisor.published_problems import ARABNEJAD, TOPCUOGLU, published
from tests.advisor.random_problems import random_problem
from tests.benchmarks.plain_heft import graph_of, heft_makespan

SEEDS = st.integers(0, 2**32 - 1)
SCHEDULERS = [heft, cpop, peft, min_min, max_min]


@pytest.mark.parametrize(
    ("scheduler", "makespan_s"), [(heft, 80), (cpop, 86), (peft, 85), (min_min, 76), (max_min, 97)]
)
def test_the_example_of_topcuoglu_comes_out(
    scheduler: Callable[[Problem], Plan], makespan_s: float
) -> None:
    assert predict(TOPCUOGLU, scheduler(TOPCUOGLU)).makespan_s == makespan_s


@pytest.mark.parametrize(
    ("scheduler", "makespan_s"),
    [(heft, 133), (cpop, 167), (peft, 122), (min_min, 122), (max_min, 124)],
)
def test_the_example_of_arabnejad_comes_out(
    scheduler: Callable[[Problem], Plan], makespan_s: float
) -> None:
    assert predict(ARABNEJAD, scheduler(ARABNEJAD)).makespan_s == makespan_s


def test_heft_places_the_example_of_topcuoglu_as_published() -> None:
    plan = heft(TOPCUOGLU)
    assert [task + 1 for task in plan.order or ()] == [1, 3, 4, 2, 5, 6, 9, 7, 8, 10]
    assert [machine + 1 for machine in plan.allocation] == [3, 1, 3, 2, 3, 2, 3, 1, 2, 2]


@settings(max_examples=15, deadline=None)
@given(SEEDS)
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_plans_are_feasible_and_above_the_bound(
    scheduler: Callable[[Problem], Plan], seed: int
) -> None:
    problem = random_problem(seed)
    prediction = predict(problem, scheduler(problem))
    assert prediction.makespan_s >= prediction.lower_bounds_s["makespan"] * (1 - 1e-9)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_heft_agrees_with_the_plain_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = [(i, j) for j in range(2, 21) for i in range(1, j) if rng.random() < 0.15] or [(1, 2)]
    problem = published(
        ",".join(" ".join(str(value) for value in rng.uniform(1, 9, 4)) for _ in range(20)),
        ",".join(f"{i} {j} {rng.uniform(1, 9)}" for i, j in edges),
    )
    flows = problem.costs.flows
    reference = heft_makespan(
        graph_of(problem.costs), flows.startup_s[0].tolist(), flows.per_byte_s[0].tolist()
    )
    assert predict(problem, heft(problem)).makespan_s == pytest.approx(reference, rel=1e-12)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_machines_without_memory_left_are_passed_over(
    scheduler: Callable[[Problem], Plan],
) -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(3))
    fast = Machine("fast", speed=10.0, memory_bytes=10, memory="reserved")
    slow = tuple(Machine(f"slow{i}", memory_bytes=10, memory="reserved") for i in range(2))
    problem = Problem.of(Platform("small", (fast, *slow)), Workload("w", tasks))
    assert sorted(scheduler(problem).allocation) == [0, 1, 2]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_task_that_fits_nowhere_beside_the_others_is_named(
    scheduler: Callable[[Problem], Plan],
) -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(2))
    problem = Problem.of(
        Platform("p", (Machine("M", memory_bytes=10, memory="reserved"),)), Workload("w", tasks)
    )
    with pytest.raises(InfeasibleError, match=r'task "t1".*no machine'):
        scheduler(problem)


def test_cpop_sends_a_task_of_the_critical_path_elsewhere_where_it_must() -> None:
    platform = Platform(
        "p",
        (Machine("quick", speed=9.0, memory_bytes=10, memory="reserved"), Machine("slow")),
        (Link("quick", "slow", Direction(0.0, 1.0), Direction(0.0, 1.0)),),
    )
    tasks = (Task("a", work=9.0, memory_bytes=6), Task("b", work=9.0, memory_bytes=6))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("a", "b"),)))
    assert cpop(problem).allocation == (0, 1)


def test_cpop_prefers_a_machine_that_takes_the_whole_critical_path() -> None:
    platform = Platform(
        "p",
        (Machine("quick", speed=9.0), Machine("slow")),
        (Link("quick", "slow", Direction(0.0, 1.0), Direction(0.0, 1.0)),),
    )
    tasks = (Task("a", work=9.0), Task("b", work=9.0, allowed=("slow",)))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("a", "b"),)))
    assert cpop(problem).allocation == (1, 1)
