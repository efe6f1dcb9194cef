"""An engine that polls, hands out one task after the other, and starts tasks in cycles."""

from __future__ import annotations

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import COMPUTING, STARTING
from machines import Machine, Platform, Runtime


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


def test_what_the_engine_takes_is_told_as_starting_tasks() -> None:
    found = predicted(Runtime(poll_s=5.0, submit_s=0.5), ("a", "c"))
    assert found.critical_breakdown_s == pytest.approx({COMPUTING: 6.0, STARTING: 2.5})
    assert found.engine_s == pytest.approx([0.5, 1.0, 2.0])
    assert found.lower_bounds_s["makespan"] == pytest.approx(found.makespan_s)


def test_handing_out_bounds_any_plan() -> None:
    found = predicted(Runtime(submit_s=10.0))
    assert found.makespan_s == pytest.approx(33.0)
    assert found.lower_bounds_s["makespan"] == pytest.approx(33.0)
