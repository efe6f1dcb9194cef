"""Simulated beside predicted: what is said where they agree, and where they don't."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.simgrid import check
from advisor.export.simgrid.check import SimulatedPlan, check_with_simgrid, compared
from advisor.export.simgrid.simgrid_python import Found
from machines import Direction, Link, Machine, Platform
from tests.simgrid_python import simgrid_here

WAY = Direction(1.0, 10.0)
PLATFORM = Platform("p", (Machine("A"), Machine("B")), (Link("A", "B", WAY, WAY),))
WORKLOAD = Workload(
    "w", (Task("first", 10.0), Task("last", 5.0)), (Flow("first", "last", ((1, 40.0),)),)
)
PLAN = Plan((0, 1))


def problem() -> Problem:
    return Problem.of(PLATFORM, WORKLOAD)


def result(*ends: float) -> dict[str, Any]:
    """What a script writes of such ends."""
    tasks = {
        task.name: {"machine": "A", "start_s": end_s - 5.0, "end_s": end_s}
        for task, end_s in zip(WORKLOAD.tasks, ends, strict=True)
    }
    moved = {"item": "first → last", "from": "A", "to": "B", "start_s": 10.0, "end_s": 15.0}
    return {
        "simulator": "SimGrid 3.32.0",
        "makespan_s": max(ends),
        "tasks": tasks,
        "transfers": [moved | {"bytes": 40.0}],
    }


def beside(*ends: float, sharing: str = FAIR) -> SimulatedPlan:
    asked = Problem.of(PLATFORM, WORKLOAD, sharing=sharing)
    return compared(asked, predict(asked, PLAN), result(*ends))


def test_two_that_agree_say_so() -> None:
    found = beside(10.0, 20.00001)
    assert found.agrees
    assert found.sentence == (
        "SimGrid 3.32.0 agrees: the plan takes 20.0 s, and every task ends when it is predicted to."
    )
    assert found.reason == ""
    assert found.transfers[0].item == "first → last"
    np.testing.assert_allclose(found.difference_s, [0.0, 1e-5], atol=1e-12)


def test_a_longer_simulation_says_by_how_much_and_which_task() -> None:
    found = beside(10.0, 30.0)
    assert not found.agrees
    assert found.sentence == (
        "SimGrid 3.32.0: the plan takes 30.0 s, 10.0 s, 50 % more than the predicted 20.0 s. "
        "1 task of 2 ends at another time, last at 30.0 s in place of 20.0 s."
    )
    assert found.reason.startswith("Both follow the same rules: they should not differ.")


def test_a_shorter_simulation_says_less() -> None:
    assert "5.00 s, 25 % less than the predicted 20.0 s. 2 tasks of 2 end" in beside(9, 15).sentence


def test_tasks_that_end_at_other_times_below_the_same_makespan_are_said() -> None:
    found = beside(12.0, 20.0)
    assert "takes 20.0 s, as predicted, but tasks within it end at other times" in found.sentence


def test_a_prediction_in_which_nothing_is_shared_says_that_it_is_one() -> None:
    assert "--sharing fair predicts what it simulates" in beside(10.0, 30.0, sharing=NONE).reason


def test_a_plan_of_no_time_divides_by_nothing() -> None:
    workload = Workload("w", (Task("t", 0.0),))
    one = Problem.of(PLATFORM, workload)
    wrong = {"t": {"machine": "A", "start_s": 0.0, "end_s": 3.0}}
    found = compared(
        one, predict(one, Plan((0,))), result(1, 1) | {"tasks": wrong, "makespan_s": 3.0}
    )
    assert "the plan takes 3.00 s, 3.00 s more than the predicted 0 s" in found.sentence


def test_a_plan_is_checked_by_simgrid() -> None:
    simgrid_here()
    shares: list[float] = []
    found = check_with_simgrid(problem(), PLAN, shares.append)
    assert found is not None
    assert found.agrees
    assert found.simulator.startswith("SimGrid ")
    assert found.end_s.tolist() == [10.0, 20.0]
    assert all(0.0 < share <= 1.0 for share in shares)


@pytest.mark.parametrize("found", [None, Found("python", "4.1")], ids=["asking", "simulating"])
def test_a_check_can_be_stopped(found: Found | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "find_simgrid", lambda _should_stop: found)
    monkeypatch.setattr(check, "run_script", lambda *_: None)
    assert check_with_simgrid(problem(), PLAN) is None
