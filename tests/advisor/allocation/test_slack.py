"""Slack: schedules whose slack is known by hand, and what a task that ends later really does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.slack import slack_s
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, Machine, Platform, Store
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan


def pair(cores: int = 1, runtime: Runtime | None = None, *, store: bool = False) -> Platform:
    """P and Q, 1 s for 100 bytes between them."""
    way = Direction(0.0, 100.0)
    links = [Link("P", "Q", way, way)]
    links += [Link("S", "P", way, way)] if store else []
    return Platform(
        "pair",
        (Machine("P", cores), Machine("Q")),
        tuple(links),
        stores=(Store("S"),) if store else (),
        runtime=runtime or Runtime(),
    )


def found(
    platform: Platform, workload: Workload, plan: Plan, sharing: str = FAIR
) -> dict[str, float]:
    problem = Problem.of(platform, workload, sharing=sharing)
    slack = slack_s(problem, predict(problem, plan))
    return {task.name: float(s) for task, s in zip(workload.tasks, slack, strict=True)}


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_a_task_that_nothing_waits_for_may_end_with_the_makespan(sharing: str) -> None:
    workload = Workload("two", (Task("long", work=10.0), Task("short", work=3.0)))
    assert found(pair(), workload, Plan((0, 1)), sharing) == {"long": 0.0, "short": 7.0}


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_slack_ends_where_a_reader_on_another_machine_needs_the_data(sharing: str) -> None:
    # A ends at 2, is there at 3, C takes Q's core when B ends at 8: it may be 5 s later
    workload = Workload(
        "join",
        (Task("A", work=2.0), Task("B", work=8.0), Task("C", work=1.0)),
        (Flow("A", "C", ((1, 100),)), Flow("B", "C", ())),
    )
    assert found(pair(), workload, Plan((0, 1, 1)), sharing) == {"A": 5.0, "B": 0.0, "C": 0.0}


def test_the_next_task_on_the_same_core_takes_slack_over() -> None:
    # on P: A 1 s, then B 2 s; on Q 10 s: both on P may end 7 s later, one for the other
    workload = Workload(
        "row", tuple(Task(name, work=s) for name, s in zip("ABC", (1, 2, 10), strict=True))
    )
    assert found(pair(), workload, Plan((0, 0, 1))) == {"A": 7.0, "B": 7.0, "C": 0.0}


def test_of_two_cores_the_next_task_takes_the_one_that_is_free_longest() -> None:
    # two cores: A 1 s and B 4 s at once, C 6 s after B by its data: C takes A's core at 4
    workload = Workload(
        "cores",
        (Task("A", work=1.0), Task("B", work=4.0), Task("C", work=6.0)),
        (Flow("B", "C", ()),),
    )
    assert found(pair(2), workload, Plan((0, 0, 0))) == {"A": 3.0, "B": 0.0, "C": 0.0}


def test_data_that_a_task_fetches_in_its_slot_do_not_gate_it() -> None:
    # B takes Q's core when A ends at 1, and fetches 2 s before it starts: A has no slack at all
    slot = pair(runtime=Runtime(fetch="slot"))
    workload = Workload(
        "slot",
        (Task("A", work=1.0), Task("B", work=1.0), Task("C", work=2.0)),
        (Flow("A", "B", ((1, 200),)),),
    )
    assert found(slot, workload, Plan((0, 1, 0))) == {"A": 0.0, "B": 0.0, "C": 1.0}


def test_a_file_from_outside_gives_no_task_slack_or_takes_it() -> None:
    workload = Workload(
        "outside",
        (Task("A", work=1.0, reads=("f",)), Task("B", work=5.0)),
        files=(DataFile("f", 100.0),),
    )
    assert found(pair(store=True), workload, Plan((0, 1))) == {"A": 3.0, "B": 0.0}


def carried_on(problem: Problem, prediction: Prediction, late: int, by_s: float) -> float:
    """The last end when one task ends later: each keeps its machine, order and seconds.

    One-core machines; tasks in the order in which they started.
    """
    costs, place = problem.costs, prediction.plan.allocation
    lasts, end = prediction.end_s - prediction.start_s, np.zeros(len(place))
    lasts[late] += by_s
    free = [0.0] * len(problem.platform.machines)
    for task in np.lexsort((np.arange(len(place)), prediction.start_s)).tolist():
        mine = np.flatnonzero(costs.targets == task)
        there = end[costs.sources[mine]] + prediction.flow_s[mine]
        begin = max([free[place[task]], *there.tolist()])
        end[task] = begin + lasts[task]
        free[place[task]] = end[task]
    return float(end.max())


@given(st.integers(0, 10**6))
def test_ending_later_by_its_slack_delays_nothing_and_by_more_it_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks = tuple(Task(f"t{i}", work=float(rng.integers(1, 9))) for i in range(8))
    flows = tuple(
        Flow(f"t{i}", f"t{j}", ((1, float(rng.integers(0, 500))),))
        for i in range(8)
        for j in range(i + 1, 8)
        if rng.random() < 0.25
    )
    problem = Problem.of(pair(), Workload("random", tasks, flows), sharing=NONE)
    prediction = predict(problem, Plan(tuple(rng.integers(0, 2, 8).tolist()), tuple(range(8))))
    end_s = prediction.makespan_s
    assert carried_on(problem, prediction, 0, 0.0) <= end_s * (1 + 1e-9)
    for task, slack in enumerate(slack_s(problem, prediction).tolist()):
        assert carried_on(problem, prediction, task, slack) <= end_s * (1 + 1e-9)
        if not prediction.critical[task] or carried_on(problem, prediction, 0, 0.0) == end_s:
            assert carried_on(problem, prediction, task, slack + 0.5) > end_s * (1 + 1e-9)


@given(st.integers(0, 10**6))
def test_slack_is_0_on_the_critical_path_and_never_beyond_the_makespan(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_executed(seed)
    prediction = predict(problem, random_plan(problem, rng))
    slack = slack_s(problem, prediction)
    assert (slack[prediction.critical] == 0.0).all()
    assert (slack >= 0.0).all()
    assert (prediction.end_s + slack <= prediction.makespan_s * (1 + 1e-9)).all()


def test_slack_scales_with_time() -> None:
    workload = Workload("two", (Task("A", work=10.0), Task("B", work=3.0)))
    slow = replace(pair(), machines=(Machine("P", speed=0.5), Machine("Q", speed=0.5)))
    assert found(slow, workload, Plan((0, 1)))["B"] == pytest.approx(14.0)


def test_what_begins_later_holds_up_the_next_in_the_machines_order() -> None:
    # P takes X (after Y of Q, at 3) and then Z, which has no slack: Y may end no later, though X
    # itself has 9 s; X may run on beside Z on the other core
    workload = Workload(
        "order",
        (Task("Y", work=2.0), Task("X", work=1.0), Task("Z", work=10.0)),
        (Flow("Y", "X", ((1, 100),)),),
    )
    plan = Plan((1, 0, 0), (0, 1, 2))
    assert found(pair(2), workload, plan) == {"Y": 0.0, "X": 9.0, "Z": 0.0}
