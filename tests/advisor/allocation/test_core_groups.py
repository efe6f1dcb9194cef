"""Which cores tasks hold explains how long they take."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.core_groups import held_cores, unequal_groups
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from machines import CoreGroup, Machine, Platform

GROUPS = (CoreGroup("E", 3, 0.5), CoreGroup("P", 2))


def test_the_first_tasks_hold_the_fast_cores_and_the_next_what_is_left() -> None:
    platform = Platform("one", (Machine("M", 5, core_groups=GROUPS),))
    tasks = tuple(Task("abc"[at], work=2.0, cores=at + 1) for at in range(3))
    problem = Problem.of(platform, Workload("w", tasks))
    found = held_cores(problem, predict(problem, Plan((0, 0, 0), (0, 1, 2))))
    # c needs three cores: those that a leaves after 2 s are too few, b ends with one of each
    assert found[:2].tolist() == [[1, 0], [1, 1]]
    assert found.sum(axis=1).tolist() == [1, 2, 3]


@pytest.mark.parametrize("seed", range(12))
def test_a_task_takes_as_long_as_the_cores_that_it_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    machines = (Machine("M", 5, core_groups=GROUPS), Machine("N", 2))
    cores = rng.integers(1, 3, 14).tolist()
    tasks = tuple(
        Task(f"t{at}", work=float(rng.integers(1, 9)), cores=one) for at, one in enumerate(cores)
    )
    problem = Problem.of(Platform("two", machines), Workload("w", tasks))
    plan = Plan(tuple(rng.integers(0, 2, 14).tolist()), tuple(rng.permutation(14).tolist()))
    prediction = predict(problem, plan)
    found = held_cores(problem, prediction)
    assert [one.name for one in unequal_groups(machines[0])] == ["P", "E"]
    for at, machine in enumerate(plan.allocation):
        if machine:
            assert found[at].tolist() == [0, 0]
            continue
        taken_s = prediction.end_s[at] - prediction.start_s[at]
        speed = found[at] @ [1.0, 0.5] / cores[at]
        assert taken_s == pytest.approx((tasks[at].work or 0.0) / speed)
