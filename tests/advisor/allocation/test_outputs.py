"""Outputs that stay in memory until their last reader there has ended: against plain twins."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.explain import explain
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.outputs import freeing_order
from advisor.allocation.peaks import peaks
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.task import Flow, Task
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import DataFile, Workload
from advisor.project.project import new_project
from advisor.search import advise
from machines import Direction, InfeasibleError, InputError, Link, Machine, Platform, Runtime
from tests.advisor.allocation.plain_execution import Plain, Stuck
from tests.advisor.random_outputs import Placed, orders, random_outputs, with_outputs
from tests.advisor.random_variants import every_plan, random_variants
from tests.random_plans import random_plan

BOTH = pytest.mark.parametrize("sharing", [FAIR, NONE])
SEEDS = st.integers(0, 2**31 - 1)
TASKS = (
    Task("A", 1.0, memory_bytes=2), Task("B", 2.0, memory_bytes=3),
    Task("C", 1.0, memory_bytes=4), Task("D", 5.0, memory_bytes=4),
)  # fmt: skip
FLOWS = (Flow("A", "B", ((1, 3.5),)), Flow("A", "D", ((1, 3.0),)))  # 4 and 3 whole bytes


def one_machine(sharing: str, holds: str = "outputs", memory: int | None = 10) -> Problem:
    platform = Platform("p", (Machine("M", 2, memory_bytes=memory, holds=holds),))
    return Problem.of(platform, Workload("w", TASKS, FLOWS), sharing=sharing)


def memory_of(problem: Problem, found: Prediction) -> tuple[float, float]:
    """The most that is held, and what there is."""
    (peak,) = (one for one in peaks(problem, found) if one.kind == "memory")
    assert peak.held == peak.level.max()
    return peak.held, peak.count


@BOTH
def test_what_is_made_stays_until_its_last_reader_there_has_ended(sharing: str) -> None:
    """A makes 7 bytes: 4 wait for B, which needs 3, and 3 for D, which needs 4; C needs 4."""
    problem, plan = one_machine(sharing), Plan((0,) * 4, (0, 1, 2, 3))
    found = predict(problem, plan)
    assert found.start_s.tolist() == [0.0, 1.0, 3.0, 4.0]
    assert memory_of(problem, found) == (10.0, 10.0)
    without = one_machine(sharing, "tasks")
    assert predict(without, plan).makespan_s < found.makespan_s
    assert memory_of(without, predict(without, plan))[0] == 7.0


@BOTH
def test_a_plan_whose_reader_is_behind_what_waits_for_its_memory_says_so(sharing: str) -> None:
    problem, plan = one_machine(sharing), Plan((0,) * 4, (0, 2, 1, 3))
    message = (
        'task "C": it needs 4 B of memory, and outputs that wait for their readers hold 7 B of the '
        "10 B of M. Put those that read them before it"
    )
    with pytest.raises(InfeasibleError, match=message):
        predict(problem, plan)
    for objective in OBJECTIVES:
        assert reached_s(problem, objective, plan) == np.inf
    assert predict(problem, Plan((0,) * 4)).makespan_s < np.inf  # its own order frees memory


@BOTH
def test_the_advice_is_never_a_plan_that_sticks(sharing: str) -> None:
    for objective in OBJECTIVES:
        found = advise(one_machine(sharing), objective, seconds=0.1, clocked=False)
        assert predict(one_machine(sharing), found.plan).makespan_s < np.inf
    with pytest.raises(InfeasibleError, match="no feasible plan"):
        advise(one_machine(sharing, memory=7), seconds=0.1, clocked=False)


@BOTH
def test_an_output_that_is_read_elsewhere_alone_does_not_stay(sharing: str) -> None:
    way = Direction(0.0, 1e9)
    machines = tuple(Machine(name, 2, memory_bytes=10, holds="outputs") for name in "MN")
    platform = Platform("p", machines, (Link("M", "N", way, way),))
    problem = Problem.of(platform, Workload("w", TASKS, FLOWS), sharing=sharing)
    found = predict(problem, Plan((0, 1, 0, 1), (0, 2, 1, 3)))
    assert found.start_s[2] == 0.0
    held = {one.machine: one.held for one in peaks(problem, found) if one.kind == "memory"}
    assert held == {0: 6.0, 1: 7.0}


@BOTH
def test_a_file_that_several_read_stays_once(sharing: str) -> None:
    tasks = (
        Task("A", 1.0, memory_bytes=2, writes=("f",)),
        *(Task(n, 1.0, reads=("f",)) for n in "BC"),
    )
    platform = Platform("p", (Machine("M", 1, memory_bytes=6, holds="outputs"),))
    workload = Workload("w", tasks, files=(DataFile("f", 5.0),))
    problem = Problem.of(platform, workload, sharing=sharing)
    found = predict(problem, Plan((0, 0, 0), (0, 1, 2)))
    assert found.end_s.tolist() == [1.0, 2.0, 3.0]
    (peak,) = (one for one in peaks(problem, found) if one.kind == "memory")
    assert peak.level.tolist() == [5.0, 5.0, 5.0, 0.0]


def test_a_reserved_memory_holds_no_outputs() -> None:
    with pytest.raises(InputError, match='machine "M": memory that is reserved'):
        Machine("M", memory_bytes=5, memory="reserved", holds="outputs")


def test_what_no_machine_is_short_of_costs_no_arrays() -> None:
    assert not one_machine(FAIR, "tasks").costs.needs.outputs_stay
    assert not one_machine(FAIR, memory=10**6).costs.needs.outputs_stay
    assert one_machine(FAIR).costs.needs.outputs_stay


@given(SEEDS)
def test_a_plain_twin_gives_the_same_times_or_sticks_too(seed: int) -> None:
    platform, workload, plan = random_plan(seed)
    try:
        problem = Problem.of(*with_outputs(seed, platform, workload))
        twin = Plain(problem, plan).run()
    except InfeasibleError:
        return
    except Stuck:
        with pytest.raises(InfeasibleError, match="outputs that wait for their readers hold"):
            predict(problem, plan)
        return
    found = predict(problem, plan)
    tasks = range(len(workload.tasks))
    assert found.end_s == pytest.approx([twin.end_s[task] for task in tasks], rel=1e-6)
    for one in peaks(problem, found):
        assert one.held <= one.count * (1 + 1e-12)


@given(SEEDS)
def test_a_plain_placement_gives_the_same_times_or_sticks_too(seed: int) -> None:
    problem = random_outputs(seed, most_tasks=7)
    rng = np.random.default_rng(seed)
    allocation = tuple(rng.integers(len(problem.platform.machines), size=len(problem.costs.task_s)))
    order = tuple(freeing_order(problem, np.array(allocation, np.int32)).tolist())
    some = [order, *itertools.islice(orders(problem), 30)]
    for plan in (Plan(tuple(map(int, allocation)), one) for one in some):
        twin = Placed(problem, plan).run()
        if twin is None:
            assert reached_s(problem, MAKESPAN, plan) == np.inf
            continue
        found = predict(problem, plan)
        spans = [twin.span[task] for task in range(len(allocation))]
        assert np.column_stack((found.start_s, found.end_s)) == pytest.approx(np.array(spans))
        for one in peaks(problem, found):
            assert one.held <= one.count


def best_s(problem: Problem, objective: str = MAKESPAN) -> float:
    """Of all allocations and orders."""
    machines, tasks = range(len(problem.platform.machines)), len(problem.workload.tasks)
    return min(
        reached_s(problem, objective, Plan(allocation, order))
        for allocation in itertools.product(machines, repeat=tasks)
        for order in orders(problem)
    )


@BOTH
def test_the_advice_is_the_best_of_all_plans_and_no_bound_is_above(
    sharing: str, compiled: None
) -> None:
    for seed in range(30):
        problem = random_outputs(seed, most_tasks=4, sharing=sharing)
        least_s = best_s(problem)
        if least_s == np.inf:
            with pytest.raises(InfeasibleError):
                advise(problem, seconds=0.2, clocked=False)
            continue
        found = advise(problem, seconds=0.2, clocked=False)
        assert found.value_s == pytest.approx(least_s, rel=1e-9), seed
        assert found.lower_bound_s <= least_s * (1 + 1e-9), seed
        total_s = best_s(problem, TOTAL)
        found = advise(problem, TOTAL, seconds=0.2, clocked=False)
        assert found.lower_bound_s <= total_s * (1 + 1e-9) <= found.value_s * (1 + 2e-9), seed


@BOTH
def test_the_advice_in_variants_is_the_best_of_all_plans(sharing: str, compiled: None) -> None:
    for seed in range(12):
        problem = random_variants(seed, most_tasks=3, sharing=sharing)
        machines = tuple(replace(one, holds="outputs") for one in problem.platform.machines)
        flows = tuple(
            replace(one, data_sets=((1, one.size_bytes % 7 + 1),)) for one in problem.workload.flows
        )
        workload = problem.workload.repriced(problem.workload.tasks, flows)
        platform = replace(problem.platform, machines=machines)
        problem = Problem.of(platform, workload, sharing=sharing)
        for objective in OBJECTIVES:
            least_s = min(reached_s(problem, objective, plan) for plan in every_plan(problem))
            found = advise(problem, objective, seconds=0.05, clocked=False)
            assert found.lower_bound_s <= least_s * (1 + 1e-9), seed
            if objective == MAKESPAN:
                assert found.value_s == pytest.approx(least_s, rel=1e-9), seed


@BOTH
def test_more_memory_never_makes_the_best_plan_worse_and_outputs_never_better(
    sharing: str, compiled: None
) -> None:
    for seed in range(20):
        problem = random_outputs(seed, most_tasks=4, sharing=sharing)
        machines = problem.platform.machines
        more = tuple(replace(one, memory_bytes=(one.memory_bytes or 0) + 5) for one in machines)
        bare = tuple(replace(one, holds="tasks") for one in machines)
        platforms = [replace(problem.platform, machines=one) for one in (bare, more, machines)]
        values = [best_s(problem.on(one)) for one in platforms]
        assert values[0] <= values[2] * (1 + 1e-9)
        assert values[1] <= values[2] * (1 + 1e-9)


@given(SEEDS)
def test_in_one_order_tasks_are_never_earlier_where_outputs_stay(seed: int) -> None:
    """On one machine of one core there is no gap to fill."""
    problem = random_outputs(seed, most_tasks=6)
    one = replace(problem.platform.machines[0], cores=1)
    platform = Platform("p", (one,))
    plan = Plan((0,) * len(problem.workload.tasks), next(orders(problem)))
    without = replace(platform, machines=(replace(one, holds="tasks"),))
    kept_s, bare_s = (reached_s(problem.on(here), MAKESPAN, plan) for here in (platform, without))
    assert bare_s <= kept_s


@pytest.mark.parametrize("order", ["plan", "ready"])
def test_a_drag_says_where_outputs_would_fill_the_memory(order: str) -> None:
    way = Direction(0.0, 1e9)
    machines = (
        Machine("M", 2, memory_bytes=10, holds="outputs"),
        Machine("N", 2, memory_bytes=7, holds="outputs"),
    )
    platform = Platform("p", machines, (Link("M", "N", way, way),), runtime=Runtime(order=order))
    problem = Problem.of(platform, Workload("w", TASKS, FLOWS))
    plan = Plan((0, 0, 0, 1), (0, 1, 2, 3))
    found = preview(problem, plan, (0, 1, 3), exact=True)
    assert found.values_s[0] == predict(problem, Plan((0,) * 4, (0, 1, 2, 3))).makespan_s
    assert found.values_s[1] == np.inf
    assert found.reasons[0] == ""
    assert "outputs that wait for their readers hold" in found.reasons[1]


@pytest.mark.parametrize("order", ["plan", "ready"])
def test_an_answer_has_odds_where_a_plan_sticks_in_all_runs_or_none(order: str) -> None:
    problem = one_machine(FAIR)
    problem = problem.on(replace(problem.platform, runtime=Runtime(order=order)))
    found = explain(
        problem, advise(problem, seconds=0.1, clocked=False), Plan((0,) * 4, (0, 2, 1, 3))
    )
    assert (found.odds is None) == (order == "ready")
    assert found.odds is None or (np.isfinite(found.odds.band.p90_s) and not found.odds.dispatch)


def test_a_new_project_begins_with_a_plan_that_does_not_stick() -> None:
    """The outputs of A and what D needs exceed a machine of 7, but not two of them."""
    way = Direction(0.0, 1e9)
    small = tuple(Machine(name, 2, memory_bytes=7, holds="outputs") for name in "MN")
    for machines in (small, (replace(small[0], memory_bytes=10), small[1])):
        platform = Platform("p", machines, (Link("M", "N", way, way),))
        project = new_project(platform, Workload("w", TASKS, FLOWS))
        alone = len(set(project.plan.allocation)) == 1
        assert alone == (machines[0].memory_bytes == 10)
        assert predict(project.problem(), project.plan).makespan_s < np.inf
