"""The estimate of an execution: exact where nothing is shared, by hand, and giving up rightly."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.execution import Executed, executed, executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import backlog, estimate, solution
from machines import Direction, InfeasibleError, Link, Machine, Platform
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed


def estimated(instance: Executed, allocation: object, order: object) -> tuple[float, object]:
    """The estimate of a plan, and the trial that it fills."""
    tasks, machines = instance.work_s.shape
    trial = solution.new_trial(tasks)
    trial.allocation[:], trial.order[:] = allocation, order
    room, tail = backlog.new_backlog(instance), np.zeros((tasks, machines))
    estimate.estimate(instance, room, trial, tail, np.inf)  # the room serves again
    return float(estimate.estimate(instance, room, trial, tail, np.inf)), trial


def some_problem(seed: int) -> Problem | None:
    try:
        return random_executed(seed, most_tasks=8)
    except InfeasibleError:
        return None


def some_plan(problem: Problem, seed: int) -> Plan:
    rng = np.random.default_rng(seed)
    rows = [np.flatnonzero(np.isfinite(row)) for row in problem.instance.task_s]
    return Plan(tuple(int(rng.choice(row)) for row in rows), None)


@pytest.mark.parametrize("seed", range(24))
def test_where_nothing_is_shared_the_estimate_is_the_execution(seed: int) -> None:
    problem = some_problem(seed)
    if problem is None:
        return
    hosts = problem.executed.startup_s.shape[1]
    nothing = np.zeros(0, np.int32)
    instance = problem.executed._replace(
        first_pass=np.zeros(hosts * hosts + 1, np.int32),
        passed=nothing,
        pair=nothing,
        rates=np.ones_like(problem.executed.rates),
        draws=np.zeros((0, 0)),
        reclaim_s=(0.0, 0.7, 3.0, 50.0)[seed % 4],
    )
    allocation, order = placement(problem, some_plan(problem, seed))
    makespan_s, run, _ = executed(instance, allocation, order)
    value, trial = estimated(instance, allocation, order)
    assert value == pytest.approx(makespan_s, rel=1e-9)
    if np.isfinite(makespan_s):
        assert trial.start == pytest.approx(run.start_s, rel=1e-9)
        assert trial.end == pytest.approx(run.end_s, rel=1e-9)


def fan(runtime: Runtime, *, file: bool = False) -> Problem:
    """A (1 s) feeds four tasks of 1 s on another machine, over a link of 100 B/s and 0.1 s."""
    way = Direction(0.1, 100.0)
    machines = (Machine("M", speed=1.0), Machine("N"))
    platform = Platform("p", machines, (Link("M", "N", way, way),), runtime=runtime)
    others = [f"t{i}" for i in range(4)]
    if file:
        tasks = (
            Task("A", work=1.0, writes=("f",)),
            *(Task(n, work=1.0, reads=("f",)) for n in others),
        )
        return Problem.of(platform, Workload("w", tasks, (), (DataFile("f", 100.0),)))
    tasks = (Task("A", work=1.0), *(Task(name, work=1.0) for name in others))
    return Problem.of(
        platform, Workload("w", tasks, tuple(Flow("A", n, ((1, 100.0),)) for n in others))
    )


@pytest.mark.parametrize(
    ("runtime", "file", "makespan_s"),
    [
        (Runtime(), False, 9.1),
        (Runtime(), True, 6.1),
        (Runtime(fetch="slot", copies="each"), True, 9.4),
    ],
)
def test_examples_by_hand_come_out(runtime: Runtime, file: bool, makespan_s: float) -> None:
    problem = fan(runtime, file=file)
    allocation, order = placement(problem, Plan((0, 1, 1, 1, 1), None))
    assert estimated(problem.executed, allocation, order)[0] == pytest.approx(makespan_s)


def test_what_sets_out_later_waits_for_what_came_before() -> None:
    # bus of 100 B/s: 500 B from 1 s on, 100 B from 2 s on; the second waits until 6 s
    way = Direction(0.0, 100.0)
    names = ["M0", "M1", "M2", "M3"]
    machines = tuple(Machine(name) for name in names)
    links = (
        Link("M0", "M2", way, way, sharing="shared"),
        Link("M2", "M3", way, way),
        Link("M1", "M0", way, way),
    )
    tasks = tuple(
        Task(name, work=work) for name, work in zip("abcd", (1.0, 2.0, 0.0, 0.0), strict=True)
    )
    flows = (Flow("a", "c", ((1, 500.0),)), Flow("b", "d", ((1, 100.0),)))
    problem = Problem.of(Platform("p", machines, links), Workload("w", tasks, flows))
    _, trial = estimated(problem.executed, np.array([0, 1, 2, 2]), np.arange(4))
    assert trial.end.tolist() == [1.0, 2.0, 6.0, 7.0]


@pytest.mark.parametrize("seed", range(30))
def test_only_what_ends_beyond_the_limit_is_given_up(seed: int) -> None:
    problem = some_problem(seed)
    if problem is None:
        return
    instance = problem.executed
    allocation, order = placement(problem, some_plan(problem, seed))
    value, trial = estimated(instance, allocation, order)
    if not np.isfinite(value) or value == 0.0:
        return
    room, tail = backlog.new_backlog(instance), np.zeros(instance.work_s.shape)
    assert estimate.estimate(instance, room, trial, tail, value) == value
    assert estimate.estimate(instance, room, trial, tail, 0.99 * value) == np.inf


def test_the_median_error_of_random_plans_is_small() -> None:
    errors = []
    for seed in range(150):
        problem = some_problem(seed)
        if problem is None:
            continue
        allocation, order = placement(problem, some_plan(problem, seed))
        value = executed_makespan(problem.executed, allocation, order)
        if np.isfinite(value) and value > 0.0:
            errors.append(abs(estimated(problem.executed, allocation, order)[0] / value - 1.0))
    assert np.median(errors) <= 0.02
    assert np.quantile(errors, 0.9) <= 0.25
