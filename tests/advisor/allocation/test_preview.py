"""Previews of executed plans: estimated for a frame, or as they would be predicted."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest

from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import execution_kernel as execution
from advisor.scaling.law import Scaling
from machines import Direction, InfeasibleError, Link, Machine, Platform
from tests.advisor.random_executed import random_executed


def some(seed: int) -> tuple[Problem, Plan] | None:
    """A problem and a plan for it that can run, or None."""
    try:
        problem = random_executed(seed, most_tasks=6)
        rng = np.random.default_rng(seed)
        rows = [np.flatnonzero(np.isfinite(row)) for row in problem.instance.task_s]
        order = tuple(problem.rank_order.tolist()) if seed % 2 else None
        plan = Plan(tuple(int(rng.choice(row)) for row in rows), order)
        predict(problem, plan)
    except InfeasibleError:
        return None
    return problem, plan


def value_of(problem: Problem, plan: Plan, task: int, machine: int, objective: str) -> float:
    try:
        return predict(problem, plan.moved((task,), machine)).value_s(objective)
    except InfeasibleError:
        return float("inf")


@pytest.mark.parametrize("objective", [MAKESPAN, TOTAL])
@pytest.mark.parametrize("seed", range(12))
def test_asked_for_exactly_it_is_what_predict_gives(seed: int, objective: str) -> None:
    made = some(seed)
    if made is None:
        return
    problem, plan = made
    found = preview(problem, plan, [0], objective, exact=True)
    assert found.exact
    for machine, value in enumerate(found.values_s):
        there = value_of(problem, plan, 0, machine, objective)
        assert value == pytest.approx(there, rel=1e-12)
        assert bool(found.reasons[machine]) == np.isinf(there)
        if np.isfinite(there):
            prediction = predict(problem, plan.moved((0,), machine))
            assert found.start_s[machine] == prediction.start_s[0]
            assert found.end_s[machine] == prediction.end_s[0]


@pytest.mark.parametrize("seed", range(12))
def test_estimates_say_so_and_are_right_where_the_task_is_now(seed: int) -> None:
    made = some(seed)
    if made is None:
        return
    problem, plan = made
    guess, exact = (preview(problem, plan, [0], exact=exact) for exact in (False, True))
    assert not guess.exact
    home = plan.allocation[0]
    assert guess.values_s[home] == pytest.approx(exact.values_s[home])
    assert (np.isinf(guess.values_s) == np.isinf(exact.values_s)).all()
    assert guess.reasons == exact.reasons


@pytest.mark.parametrize("objective", [MAKESPAN, TOTAL])
@pytest.mark.parametrize("seed", range(12))
def test_with_the_makespan_known_it_gives_the_same_and_carries_nothing_out(
    seed: int, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = some(seed)
    if made is None:
        return
    problem, plan = made
    without = preview(problem, plan, [0], objective)
    now = predict(problem, plan)
    executions = Mock(side_effect=AssertionError("carried out"))
    monkeypatch.setattr(execution, "makespan", executions)
    monkeypatch.setattr(execution, "execute", executions)
    found = preview(problem, plan, [0], objective, now=now)
    assert found.values_s.tolist() == without.values_s.tolist()
    assert found.start_s.tolist() == without.start_s.tolist()
    assert found.end_s.tolist() == without.end_s.tolist()
    assert (found.reasons, found.best, found.exact) == (without.reasons, without.best, False)


def test_where_a_move_changes_the_processors_the_known_makespan_is_not_of_that_plan() -> None:
    scaling = Scaling(sigma=0.02, kappa=0.001)
    tasks = (Task("wide", work=8.0, cores=4, scaling=scaling), Task("next", work=2.0))
    flows = (Flow("wide", "next", ((1, 100.0),)),)
    machines = (Machine("M", cores=4), Machine("N", cores=2))
    way = Direction(0.0, 100.0)
    platform = Platform("p", machines, (Link("M", "N", way, way),))
    problem, plan = Problem.of(platform, Workload("w", tasks, flows)), Plan((0, 0))
    now = predict(problem, plan)
    known, unknown = preview(problem, plan, [0], now=now), preview(problem, plan, [0])
    assert unknown.processors == (4, 2)
    assert known.values_s.tolist() == unknown.values_s.tolist()


def test_stopped_it_keeps_the_estimates_that_are_left() -> None:
    problem, plan = next(
        made for made in map(some, range(200)) if made and len(made[0].platform.machines) == 3
    )
    asked = []

    def stop_at_the_second() -> bool:
        asked.append(1)
        return len(asked) > 1

    found = preview(problem, plan, [0], exact=True, should_stop=stop_at_the_second)
    guess, exact = (preview(problem, plan, [0], exact=exact) for exact in (False, True))
    assert not found.exact
    assert found.values_s[0] == exact.values_s[0]
    assert found.values_s[1:].tolist() == guess.values_s[1:].tolist()


def test_without_sharing_it_is_exact_at_once() -> None:
    made = some(3) or some(4) or some(5)
    assert made is not None
    problem, plan = made
    alone = Problem.of(problem.platform, problem.workload, sharing=NONE)
    found = preview(alone, plan, [0])
    assert found.exact
    home = plan.allocation[0]
    assert found.values_s[home] == predict(alone, plan).makespan_s


@pytest.mark.parametrize("exact", [False, True])
def test_machines_without_memory_left_are_out_of_the_question(exact: bool) -> None:
    tasks = tuple(Task(name, work=1.0, memory_bytes=6) for name in "abc")
    machines = (
        Machine("M"),
        Machine("N", memory_bytes=10, memory="reserved"),
        Machine("O", memory_bytes=5, memory="reserved"),
    )
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    found = preview(problem, Plan((0, 1, 0)), [0], exact=exact)
    assert np.isfinite(found.values_s).tolist() == [True, False, False]
    assert "memory" in found.reasons[1]
    assert found.best == 0
