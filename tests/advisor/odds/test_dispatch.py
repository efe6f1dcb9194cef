"""How far to keep to a plan, on cases whose best way is known."""

from __future__ import annotations

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.odds import draws_of
from advisor.odds.dispatch import ENGINE, PLACES, PRIORITIES, STRICT, WAYS, Dispatch, dispatched
from machines import Direction, Link, Machine, Platform
from machines.default_spreads import EXACT, Spreads

WAY = Direction(0.0, 1.0)


def found(problem: Problem, plan: Plan) -> Dispatch:
    result = dispatched(problem, plan, draws_of(problem, 64))
    assert result is not None
    return result


def bag(machines: int, *work: float, spread: Spreads = EXACT) -> Problem:
    platform = Platform("p", tuple(Machine(f"m{q}") for q in range(machines)), spread=spread)
    tasks = tuple(Task(chr(97 + at) * 2, work=one) for at, one in enumerate(work))
    return Problem.of(platform, Workload("w", tasks))


def test_on_one_machine_nothing_is_to_be_chosen() -> None:
    told = found(bag(1, 3.0, 2.0, 1.0), Plan((0, 0, 0)))
    assert told.usual_s == dict.fromkeys(WAYS, pytest.approx(6.0))
    assert told.best == STRICT
    assert "as good as the plan" in told.sentence


def test_a_bad_plan_is_left_to_the_engine() -> None:
    told = found(bag(2, 5.0, 5.0, 5.0, 5.0), Plan((0, 0, 0, 0)))
    assert told.usual_s[STRICT] == pytest.approx(20.0)
    assert told.usual_s[PRIORITIES] == told.usual_s[ENGINE] == pytest.approx(10.0)
    assert told.best == PRIORITIES
    assert "left open): 4" in told.sentence  # some 45 % earlier


def test_a_good_plan_on_unequal_machines_is_kept() -> None:
    platform = Platform("p", (Machine("fast", speed=10.0), Machine("slow")), spread=EXACT)
    problem = Problem.of(platform, Workload("w", (Task("aa", work=10.0), Task("bb", work=10.0))))
    told = found(problem, Plan((0, 0)))
    assert told.usual_s[STRICT] == pytest.approx(2.0)
    assert told.usual_s[ENGINE] == pytest.approx(10.0)  # one of them waits for the slow one
    assert told.best == STRICT
    assert told.sentence.startswith("Keep to the plan: left to the engine it takes")


def test_an_order_that_waits_for_late_input_is_left_to_the_machine() -> None:
    # on b, "late" is first in the plan's order and waits 10 s for its input
    platform = Platform(
        "p", (Machine("a"), Machine("b")), (Link("a", "b", WAY, WAY),), spread=EXACT
    )
    tasks = (Task("make", work=10.0, allowed=("a",)), Task("late", work=1.0, allowed=("b",)),
             Task("free", work=10.0, allowed=("b",)))  # fmt: skip
    flows = (Flow("make", "late", ((1, 1.0),)),)
    problem = Problem.of(platform, Workload("w", tasks, flows))
    told = found(problem, Plan((0, 1, 1), order=(0, 1, 2)))
    assert told.usual_s[STRICT] == pytest.approx(22.0)
    assert told.usual_s[PLACES] == pytest.approx(12.0)
    assert told.best == PLACES


def test_what_is_too_large_or_otherwise_timed_is_left_out() -> None:
    problem = bag(2, *([1.0] * 30))
    assert dispatched(problem, Plan((0,) * 30), draws_of(problem, 64)) is not None
    free = Problem.of(problem.platform, problem.workload, sharing="none")
    assert dispatched(free, Plan((0,) * 30), draws_of(free, 64)) is None


def test_the_loss_of_a_machine_is_told_with_what_would_take_it_better() -> None:
    told = found(bag(2, 5.0, 5.0, 5.0, 5.0), Plan((0, 0, 1, 1)))
    assert told.whole_s == dict.fromkeys(WAYS, pytest.approx(10.0))
    assert 15.0 < told.lost_s[STRICT] < 20.0  # 20 s if lost in its first half, else 15 s
    assert "A machine lost on the way makes a run" in told.sentence
    assert found(bag(1, 5.0, 5.0), Plan((0, 0))).lost_s == {}
