"""Arrays → schedule: order, data, cores, idle time, tasks that take no time, infeasibility."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.costs import EXACT, Costs, FlowCosts
from advisor.allocation.host_costs import host_costs
from advisor.allocation.needs import Needs
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import (
    flow_seconds,
    makespan,
    mean_flow_seconds,
    prepare,
    previews,
    rank_order,
    schedule,
    total,
)
from advisor.allocation.timeline_modes import NONE
from machines import Machine, Platform
from tests.advisor.random_problems import random_plan, random_problem

SEEDS = st.integers(0, 2**32 - 1)


def costs(
    task_s: list[list[float]],
    flows: dict[tuple[int, int], float] | None = None,
    *,
    cores: list[int] | None = None,
    needs: list[int] | None = None,
    memory: tuple[list[float], list[float]] | None = None,
) -> Costs:
    """Costs with flows that take as many seconds as they have bytes, between any two machines."""
    flows = flows or {}
    tasks, machines = len(task_s), len(task_s[0])
    ends = np.array(list(flows), dtype=np.int32).reshape(-1, 2)
    size = np.array([list(flows.values())]).T.reshape(-1, 1)
    flow_costs = FlowCosts(
        messages=(size > 0).astype(float),
        size_bytes=size,
        startup_s=np.zeros((1, machines, machines)),
        per_byte_s=np.ones((1, machines, machines)),
        table=np.full(len(flows), -1, np.int32),
        tables=np.zeros((0, machines, machines)),
    )
    task_memory, machine_memory = memory or ([0.0] * tasks, [np.inf] * machines)
    return Costs(
        task_s=np.array(task_s, dtype=float),
        task_dedicated_s=np.array(task_s, dtype=float),
        sources=ends[:, 0],
        targets=ends[:, 1],
        flows=flow_costs,
        flows_dedicated=flow_costs,
        task_cores=np.array(needs or [1] * tasks, np.int32),
        machine_cores=np.array(cores or [1] * machines, np.int32),
        task_memory=np.array(task_memory),
        machine_memory=np.array(machine_memory),
        needs=Needs((), np.zeros((tasks, 0)), np.zeros((0, machines), np.int32), np.zeros(0)),
        topological_order=np.arange(tasks, dtype=np.int32),
        between=host_costs(Platform("no network", (Machine("M"),)), EXACT, NONE),
    )


def starts(
    given_costs: Costs, allocation: list[int], order: list[int] | None = None
) -> list[float]:
    instance = prepare(given_costs)
    ordered = np.array(order or range(len(allocation)), np.int32)
    return schedule(instance, np.array(allocation, np.int32), ordered)[0].tolist()


def test_a_task_waits_for_its_slowest_input() -> None:
    three = costs([[1, 1], [2, 2], [1, 1]], {(0, 2): 9.0, (1, 2): 3.0})
    assert starts(three, [0, 1, 0]) == [0, 0, 5]
    assert starts(three, [1, 0, 0]) == [0, 0, 10]


def test_a_flow_on_one_machine_costs_nothing() -> None:
    assert starts(costs([[3, 3], [1, 1]], {(0, 1): 9.0}), [1, 1]) == [0, 3]


def test_a_later_task_fills_the_idle_time_that_is_long_enough() -> None:
    after_a_flow = costs([[2, 2], [5, 5], [3, 3], [8, 8], [1, 1]], {(0, 1): 8.0})
    assert starts(after_a_flow, [0, 1, 1, 1, 1]) == [0, 10, 0, 15, 3]


def test_idle_time_is_taken_exactly_and_split() -> None:
    gaps = {(0, 1): 8.0, (0, 3): 3.0}
    after_a_flow = costs([[2, 2], [5, 5], [5, 5], [2, 2], [1, 1], [3, 3]], gaps)
    assert starts(after_a_flow, [0, 1, 1, 1, 1, 1]) == [0, 10, 0, 5, 7, 15]
    assert starts(after_a_flow, [0, 1, 1, 1, 1, 1], [0, 1, 3, 2, 5, 4]) == [0, 10, 0, 5, 15, 7]


def test_a_machine_of_two_cores_runs_two_tasks_at_a_time() -> None:
    assert starts(costs([[4], [2], [3]], cores=[2]), [0, 0, 0]) == [0, 0, 2]


def test_a_task_of_two_cores_waits_until_both_are_free() -> None:
    mixed = costs([[4], [2], [3], [1]], cores=[2], needs=[1, 1, 2, 1])
    assert starts(mixed, [0, 0, 0, 0]) == [0, 0, 4, 2]


def test_a_task_of_no_time_starts_between_runs_and_not_within_one() -> None:
    back_to_back = costs([[5, 5], [5, 5], [3, 3], [0, 0]], {(2, 3): 0.0})
    assert starts(back_to_back, [0, 0, 1, 0]) == [0, 5, 0, 5]


def test_a_run_does_not_span_the_instant_of_a_task_of_no_time() -> None:
    instant_first = costs([[4, 4], [0, 0], [5, 5], [3, 3]], {(0, 1): 0.0})
    for cores in ([1, 1], [2, 2]):
        several = costs([[4, 4], [0, 0], [5, 5], [3, 3]], {(0, 1): 0.0}, cores=cores)
        needs = [1, 1, 1, 1] if cores == [1, 1] else [2, 2, 2, 2]
        whole = Costs(**{**vars(several), "task_cores": np.array(needs, np.int32)})
        assert starts(whole, [0, 1, 1, 1]) == [0, 4, 4, 0], cores
    assert starts(instant_first, [0, 1, 1, 1], [0, 1, 3, 2]) == [0, 4, 4, 0]


def test_thousands_of_tasks_of_no_time_share_one_instant() -> None:
    many = costs([[0.0]] * 3000)
    assert set(starts(many, [0] * 3000)) == {0.0}


def test_an_allocation_takes_for_ever_where_it_is_infeasible() -> None:
    allocation, order = np.array([0, 1], np.int32), np.array([0, 1], np.int32)
    barred = prepare(costs([[1, 1], [1, np.inf]]))
    assert makespan(barred, allocation, order) == np.inf
    cores = prepare(costs([[1, 1], [1, 1]], cores=[2, 1], needs=[1, 2]))
    assert makespan(cores, allocation, order) == np.inf
    memory = prepare(costs([[1, 1], [1, 1]], memory=([6.0, 6.0], [10.0, 5.0])))
    assert makespan(memory, allocation, order) == np.inf
    together = np.zeros(2, np.int32)
    assert makespan(memory, together, order) == total(memory, together) == np.inf
    enough = prepare(costs([[1, 1], [1, 1]], memory=([6.0, 4.0], [10.0, 5.0])))
    assert makespan(enough, together, order) == 2


def test_data_without_a_route_take_for_ever() -> None:
    split = costs([[1, 1], [1, 1]], {(0, 1): 4.0})
    split.flows.startup_s[0, 0, 1] = split.flows.per_byte_s[0, 0, 1] = np.inf
    instance, order = prepare(split), np.array([0, 1], np.int32)
    assert makespan(instance, np.array([0, 1], np.int32), order) == np.inf
    assert makespan(instance, np.array([1, 0], np.int32), order) == 6
    assert mean_flow_seconds(instance).tolist() == [4.0]


def test_a_flow_without_data_needs_no_route() -> None:
    split = costs([[1, 1], [1, 1]], {(0, 1): 0.0})
    split.flows.startup_s[:] = split.flows.per_byte_s[:] = np.inf
    instance, order = prepare(split), np.array([0, 1], np.int32)
    assert makespan(instance, np.array([0, 1], np.int32), order) == 2


def test_the_rank_order_is_topological_and_breaks_ties_by_position() -> None:
    equal = costs([[1.0], [0.0], [0.0], [1.0], [0.0]], {(4, 2): 0.0, (2, 1): 0.0})
    equal = Costs(**{**vars(equal), "topological_order": np.array([0, 3, 4, 2, 1], np.int32)})
    assert rank_order(prepare(equal)).tolist() == [0, 3, 4, 2, 1]


def test_an_instance_survives_pickling() -> None:
    instance = random_problem(5).instance
    copy = pickle.loads(pickle.dumps(instance))
    assert all(np.array_equal(one, other) for one, other in zip(instance, copy, strict=True))


def naive_schedule(problem: Problem, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """The definition, spelled out: try every time at which something ends."""
    c = problem.costs
    order = plan.order or rank_order(problem.instance).tolist()
    flow_s = flow_seconds(
        c.flows, np.array(plan.allocation)[c.sources], np.array(plan.allocation)[c.targets]
    )
    start, end = np.zeros(len(order)), np.zeros(len(order))
    placed: list[int] = []
    for task in order:
        machine = plan.allocation[task]
        arrivals = [end[c.sources[f]] + flow_s[f] for f in np.flatnonzero(c.targets == task)]
        fetched = 0.0 if c.outside is None else c.outside.arrival_s[task, machine]
        ready = max([fetched, *arrivals])
        beside = [other for other in placed if plan.allocation[other] == machine]
        spare = c.machine_cores[machine] - c.task_cores[task]
        duration = c.task_s[task, machine]
        runs = [(start[o], end[o], c.task_cores[o]) for o in beside]
        times = sorted({ready, *(t for _, t, _ in runs if t > ready)})
        start[task] = next(t for t in times if _free(runs, t, duration, spare))
        end[task] = start[task] + duration
        placed.append(task)
    return start, end


def _free(runs: list[tuple[float, float, int]], time: float, duration: float, spare: int) -> bool:
    until = time + duration
    edges = sorted({t for run in runs for t in run[:2] if time < t < until} | {time, until})
    inside = edges[1:-1] if duration > 0 else [time]
    for t in inside:
        through = sum(cores for a, b, cores in runs if a < t < b)
        instants = [cores for a, b, cores in runs if a == t == b and duration > 0]
        if through + max([0, *instants]) > spare:
            return False
    between = [(a + b) / 2 for a, b in pairwise(edges)]
    return all(sum(cores for a, b, cores in runs if a < t < b) <= spare for t in between)


@given(SEEDS, SEEDS)
def test_every_task_starts_as_early_as_data_and_cores_allow(seed: int, other: int) -> None:
    problem = random_problem(seed, most_tasks=14)
    plan = random_plan(problem, other)
    order = problem.rank_order if plan.order is None else np.array(plan.order, np.int32)
    start, end = schedule(problem.instance, np.array(plan.allocation, np.int32), order)
    naive_start, naive_end = naive_schedule(problem, plan)
    np.testing.assert_allclose(start, naive_start, rtol=1e-12)
    np.testing.assert_allclose(end, naive_end, rtol=1e-12)


@given(SEEDS, SEEDS)
def test_a_schedule_replays_in_the_order_of_its_starts(seed: int, other: int) -> None:
    problem = random_problem(seed)
    plan = random_plan(problem, other)
    order = problem.rank_order if plan.order is None else np.array(plan.order, np.int32)
    allocation = np.array(plan.allocation, np.int32)
    start, end = schedule(problem.instance, allocation, order)
    by_start = np.lexsort((np.argsort(order), end, start)).astype(np.int32)
    again, _ = schedule(problem.instance, allocation, by_start)
    assert again.tolist() == start.tolist()


@given(SEEDS, SEEDS, st.data())
def test_previews_equal_full_evaluations(seed: int, other: int, data: st.DataObject) -> None:
    problem = random_problem(seed)
    plan = random_plan(problem, other)
    moved = data.draw(
        st.lists(st.integers(0, len(plan.allocation) - 1), min_size=1, max_size=3, unique=True)
    )
    instance = problem.instance
    order = problem.rank_order if plan.order is None else np.array(plan.order, np.int32)
    allocation = np.array(plan.allocation, np.int32)
    makespans, totals, start_s, end_s = previews(
        instance, allocation, order, np.array(moved, np.int32)
    )
    for machine in range(len(problem.platform.machines)):
        trial = np.array(plan.moved(moved, machine).allocation, np.int32)
        assert makespans[machine] == makespan(instance, trial, order)
        assert totals[machine] == pytest.approx(total(instance, trial), rel=1e-12)
        if np.isfinite(makespans[machine]):
            start, end = schedule(instance, trial, order)
            assert (start_s[machine], end_s[machine]) == (start[moved[0]], end[moved[0]])
        else:
            assert start_s[machine] == end_s[machine] == np.inf


def test_a_duration_lost_in_rounding_holds_nothing() -> None:
    huge = costs([[1e300], [1.0], [2.0], [1e300]], cores=[2])
    assert starts(huge, [0, 0, 0, 0]) == [0, 0, 1, 3]
    alone = costs([[1e300], [1.0], [0.0]])
    assert starts(alone, [0, 0, 0]) == [0, 1e300, 0]


def test_mean_flow_seconds_cover_bins_and_stated_seconds() -> None:
    problem = random_problem(11)
    instance, machines = problem.instance, len(problem.platform.machines)
    pairs = [(p, q) for p in range(machines) for q in range(machines) if p != q]
    count = len(problem.workload.flows)
    each = [
        flow_seconds(problem.costs.flows, np.full(count, p), np.full(count, q)) for p, q in pairs
    ]
    assert machines > 1
    assert mean_flow_seconds(instance) == pytest.approx(np.mean(each, axis=0)[instance.flow])
