"""An engine that polls, hands out one task after the other, and starts tasks in cycles."""

from __future__ import annotations

import pytest

from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import COMPUTING, STARTING
from advisor.search import advise
from machines import Direction, Link, Machine, Platform, Runtime


def predicted(runtime: Runtime, *flows: tuple[str, str]) -> Prediction:
    """a, b and c take 3 s each, on a machine with a core for each."""
    tasks = tuple(Task(name, 3.0) for name in "abc")
    workload = Workload("w", tasks, tuple(Flow(one, other) for one, other in flows))
    problem = Problem.of(Platform("p", (Machine("M", 3),), runtime=runtime), workload)
    return predict(problem, Plan((0, 0, 0), (0, 1, 2)))


@pytest.mark.parametrize(
    ("runtime", "starts"),
    [
        ({"begin_s": 7.0}, [7.0, 7.0, 10.0]),
        ({"poll_s": 5.0}, [0.0, 0.0, 5.0]),
        ({"submit_s": 2.0}, [2.0, 4.0, 7.0]),
        ({"cycle_s": 4.0}, [0.0, 0.0, 4.0]),
        ({"submit_s": 2.0, "cycle_s": 4.0}, [4.0, 4.0, 12.0]),
        ({"poll_s": 5.0, "submit_s": 2.0, "cycle_s": 4.0}, [4.0, 4.0, 12.0]),
        ({"begin_s": 1.0, "poll_s": 5.0, "submit_s": 0.5}, [1.5, 2.0, 5.5]),
        ({"poll_s": 5.0, "task_overhead_s": 2.5}, [0.0, 0.0, 10.0]),
    ],
)
def test_when_a_and_b_start_and_c_that_waits_for_a(
    runtime: dict[str, float], starts: list[float]
) -> None:
    found = predicted(Runtime(**runtime), ("a", "c"))
    assert found.start_s == pytest.approx(starts)
    assert found.makespan_s == pytest.approx(starts[2] + 3.0 + runtime.get("task_overhead_s", 0.0))


@pytest.mark.parametrize(
    ("runtime", "ends"),
    [
        ({}, [3.0, 6.0, 9.0]),
        ({"reclaim_s": 4.0}, [3.0, 7.0, 11.0]),
        ({"reclaim_s": 3.0}, [3.0, 6.0, 9.0]),
        ({"reclaim_s": 4.0, "task_overhead_s": 1.0}, [4.0, 8.0, 12.0]),
        ({"reclaim_s": 4.0, "cycle_s": 5.0}, [3.0, 7.0, 13.0]),
    ],
)
def test_a_slot_is_free_again_when_the_engine_reclaims_it(
    runtime: dict[str, float], ends: list[float]
) -> None:
    """a, b and c of 3 s one after the other on one core; c reads from b."""
    tasks = tuple(Task(name, 3.0) for name in "abc")
    workload = Workload("w", tasks, (Flow("b", "c"),))
    problem = Problem.of(Platform("p", (Machine("M"),), runtime=Runtime(**runtime)), workload)
    found = predict(problem, Plan((0, 0, 0), (0, 1, 2)))
    assert found.end_s == pytest.approx(ends)
    assert sum(found.critical_breakdown_s.values()) == pytest.approx(found.makespan_s)
    assert executed_makespan(problem.executed, *placement(problem, found.plan)) == found.makespan_s


def test_another_machine_reads_before_the_slot_is_free() -> None:
    wire = Direction(0.0, 1e9)
    machines = (Machine("M"), Machine("N"))
    runtime = Runtime(reclaim_s=10.0)
    platform = Platform("p", machines, (Link("M", "N", wire, wire),), runtime=runtime)
    tasks = tuple(Task(name, 3.0) for name in "abc")
    problem = Problem.of(platform, Workload("w", tasks, (Flow("a", "b"), Flow("a", "c"))))
    found = predict(problem, Plan((0, 1, 0), (0, 1, 2)))
    assert found.start_s == pytest.approx([0.0, 3.0, 10.0])


def test_what_the_engine_takes_is_told_as_starting_tasks() -> None:
    found = predicted(Runtime(poll_s=5.0, submit_s=0.5), ("a", "c"))
    assert found.critical_breakdown_s == pytest.approx({COMPUTING: 6.0, STARTING: 2.5})
    assert found.engine_s == pytest.approx([0.5, 1.0, 2.0])
    assert found.lower_bounds_s["makespan"] == pytest.approx(found.makespan_s)


def test_handing_out_bounds_any_plan() -> None:
    found = predicted(Runtime(submit_s=10.0))
    assert found.makespan_s == pytest.approx(33.0)
    assert found.lower_bounds_s["makespan"] == pytest.approx(33.0)


def late(up_s: float, runtime: Runtime | None = None) -> Problem:
    """a, b and c of 3 s each, c after a, on N and on M, whose worker is up later."""
    tasks = tuple(Task(name, 3.0) for name in "abc")
    machines = (Machine("N"), Machine("M", up_s=up_s))
    platform = Platform("p", machines, runtime=runtime or Runtime())
    return Problem.of(platform, Workload("w", tasks, (Flow("a", "c"),)))


@pytest.mark.parametrize(
    ("up_s", "allocation", "starts"),
    [
        (0.0, (0, 1, 1), [0.0, 0.0, 3.0]),
        (2.0, (0, 1, 1), [0.0, 2.0, 5.0]),
        (8.0, (0, 1, 0), [0.0, 8.0, 3.0]),
        (8.0, (0, 0, 1), [0.0, 3.0, 8.0]),
        (8.0, (0, 0, 0), [0.0, 3.0, 6.0]),
    ],
)
def test_no_task_starts_before_its_machines_worker_is_up(
    up_s: float, allocation: tuple[int, ...], starts: list[float]
) -> None:
    problem = late(up_s)
    found = predict(problem, Plan(allocation, (0, 1, 2)))
    assert found.start_s == pytest.approx(starts)
    assert found.lower_bounds_s["makespan"] <= found.makespan_s


def test_an_engine_that_takes_its_time_and_a_late_worker_both_count() -> None:
    problem = late(8.0, Runtime(submit_s=1.0, cycle_s=5.0))
    found = predict(problem, Plan((0, 1, 1), (0, 1, 2)))
    assert found.start_s == pytest.approx([5.0, 8.0, 11.0])
    assert found.engine_s is not None
    assert found.engine_s[1] == pytest.approx(8.0)


def test_where_every_worker_is_late_the_bound_knows_it() -> None:
    platform = Platform("p", (Machine("M", 3, up_s=6.0), Machine("N", 3, up_s=4.0)))
    problem = Problem.of(platform, Workload("w", (Task("a", 3.0), Task("b", 3.0))))
    found = predict(problem, Plan((1, 1), (0, 1)))
    assert found.makespan_s == pytest.approx(7.0)
    assert found.lower_bounds_s["makespan"] == pytest.approx(7.0)


def test_a_search_leaves_a_worker_that_is_late_alone() -> None:
    problem = late(30.0)
    assert advise(problem).plan.allocation == (0, 0, 0)
    assert set(advise(late(0.0)).plan.allocation) == {0, 1}


def test_a_bound_knows_that_tasks_hold_their_cores_from_tick_to_tick() -> None:
    tasks = tuple(Task(name, 1.1) for name in "abc")
    runtime = Runtime(cycle_s=2.0, reclaim_s=2.0)
    problem = Problem.of(Platform("p", (Machine("M"),), runtime=runtime), Workload("w", tasks))
    found = predict(problem, Plan((0, 0, 0), (0, 1, 2)))
    assert found.makespan_s == pytest.approx(5.1)
    assert found.lower_bounds_s["makespan"] == pytest.approx(4.0)  # without ticks 3.3
