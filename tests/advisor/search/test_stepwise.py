"""What holds of every heuristic from the literature, and what each may not do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Task, Workload
from advisor.search import STRATEGIES, advise
from advisor.search.batch import duplex, sufferage
from advisor.search.dynamic_levels import bil, dls, etf, gdl
from advisor.search.fast_lists import fcp, flb, lookahead
from advisor.search.immediate import mct, met, olb
from advisor.search.list_scheduling import heft
from advisor.search.strategy import Role
from machines import InfeasibleError, Machine, Platform
from tests.advisor.random_problems import random_problem
from tests.advisor.search.placements import placements
from tests.random_plans import random_plan

HEURISTICS = (mct, met, olb, duplex, sufferage, etf, dls, gdl, bil, fcp, flb, lookahead)
SEEDS = st.integers(0, 2**32 - 1)
Heuristic = Callable[[Problem], Plan]
each = pytest.mark.parametrize("heuristic", HEURISTICS, ids=lambda one: one.__name__)


def test_the_heuristics_run_only_where_they_are_asked_for_by_name() -> None:
    by_name = {name for name, one in STRATEGIES.items() if one.by_name and one.goal is None}
    assert by_name == {one.__name__ for one in HEURISTICS}
    problem = random_problem(4, most_tasks=20)
    for name in by_name:
        one = STRATEGIES[name]
        assert (one.role, one.refusal) == (Role.HEURISTIC, "")
        assert not any(one.suits(problem, objective) for objective in ("makespan", "total"))
        assert one.source


def test_the_automatic_choice_tries_none_of_them() -> None:
    machines = tuple(Machine(f"M{q}") for q in range(2))
    tasks = tuple(Task(f"t{i}", work=i + 1.0) for i in range(10))
    found = advise(Problem.of(Platform("p", machines), Workload("w", tasks)), seconds=0.02)
    tried = {found.strategy, *(name for name, _, _ in found.alternatives)}
    assert "heft" in tried
    assert not any(one.by_name for name, one in STRATEGIES.items() if name in tried)


@settings(max_examples=10, deadline=None)
@given(SEEDS)
@each
def test_plans_are_feasible_and_above_the_bound(heuristic: Heuristic, seed: int) -> None:
    problem = random_problem(seed)
    prediction = predict(problem, heuristic(problem))
    assert prediction.makespan_s >= prediction.lower_bounds_s["makespan"] * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(4))
@each
def test_every_kind_of_platform_is_planned_for(heuristic: Heuristic, seed: int) -> None:
    platform, workload, _ = random_plan(seed)
    problem = Problem.of(platform, workload)
    assert np.isfinite(predict(problem, heft(problem)).makespan_s)
    assert np.isfinite(predict(problem, heuristic(problem)).makespan_s)


@settings(max_examples=10, deadline=None)
@given(SEEDS)
@each
def test_a_prediction_reproduces_the_schedule(heuristic: Heuristic, seed: int) -> None:
    problem = random_problem(seed, sharing=NONE)
    plan = heuristic(problem)
    start_s = predict(problem, plan).start_s
    for partial, task, on in placements(problem, plan):
        assert partial.start[task, on] == pytest.approx(start_s[task], abs=1e-9)


@each
def test_names_change_nothing(heuristic: Heuristic) -> None:
    platform, workload, _ = random_plan(7)
    names = {task.name: f"x{len(workload.tasks) - i}" for i, task in enumerate(workload.tasks)}
    renamed = replace(
        workload,
        tasks=tuple(replace(task, name=names[task.name]) for task in workload.tasks),
        flows=tuple(
            replace(flow, source=names[flow.source], target=names[flow.target])
            for flow in workload.flows
        ),
    )
    plan, other = (heuristic(Problem.of(platform, one)) for one in (workload, renamed))
    assert (plan.allocation, plan.order) == (other.allocation, other.order)


@each
def test_on_one_machine_nothing_waits(heuristic: Heuristic) -> None:
    tasks = tuple(Task(f"t{i}", work=i + 1.0) for i in range(5))
    problem = Problem.of(Platform("p", (Machine("M"),)), Workload("w", tasks))
    assert predict(problem, heuristic(problem)).makespan_s == 15.0


@each
def test_machines_without_memory_left_are_passed_over(heuristic: Heuristic) -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(3))
    fast = Machine("fast", speed=10.0, memory_bytes=10, memory="reserved")
    slow = tuple(Machine(f"slow{i}", memory_bytes=10, memory="reserved") for i in range(2))
    problem = Problem.of(Platform("small", (fast, *slow)), Workload("w", tasks))
    assert sorted(heuristic(problem).allocation) == [0, 1, 2]


@each
def test_what_fits_nowhere_beside_the_others_is_refused(heuristic: Heuristic) -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(2))
    problem = Problem.of(
        Platform("p", (Machine("M", memory_bytes=10, memory="reserved"),)), Workload("w", tasks)
    )
    with pytest.raises(InfeasibleError, match="machine"):
        heuristic(problem)
