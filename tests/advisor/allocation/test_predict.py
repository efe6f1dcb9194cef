"""Plan → Prediction, previews of moves, and why something can't run."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.feasibility import check_feasible, why_not
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import CAUSES, COMPUTING, IDLE, LINK_WAIT, PROCESSOR_WAIT, TRANSFERRING
from machines import Contender, Direction, InfeasibleError, InputError, Link, Machine, Platform
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan, random_problem

SEEDS = st.integers(0, 2**32 - 1)


def figueira(m1_slowdown: float = 1.0, link_slowdown: float = 1.0) -> Problem:
    """Figueira & Berman 1996, Tables 1 to 3."""
    way = Direction(0.0, 1.0)
    platform = Platform(
        "two",
        (Machine("M1", slowdown=m1_slowdown), Machine("M2")),
        (Link("M1", "M2", way, way, slowdown=link_slowdown),),
    )
    tasks = (
        Task("A", seconds=(("M1", 12.0), ("M2", 18.0))),
        Task("B", seconds=(("M1", 4.0), ("M2", 30.0))),
    )
    flow = Flow("A", "B", seconds=((("M1", "M2"), 7.0), (("M2", "M1"), 8.0)))
    return Problem.of(platform, Workload("w", tasks, (flow,)))


@pytest.mark.parametrize(
    ("slowdowns", "makespans_s"),
    [
        ((1.0, 1.0), {(0, 0): 16, (0, 1): 49, (1, 0): 30, (1, 1): 48}),
        ((3.0, 1.0), {(0, 0): 48, (0, 1): 73, (1, 0): 38, (1, 1): 48}),
        ((3.0, 3.0), {(0, 0): 48, (0, 1): 87, (1, 0): 54, (1, 1): 48}),
    ],
)
def test_the_tables_of_figueira_and_berman_come_out(
    slowdowns: tuple[float, float], makespans_s: dict[tuple[int, int], float]
) -> None:
    problem = figueira(*slowdowns)
    for allocation, makespan_s in makespans_s.items():
        prediction = predict(problem, Plan(allocation))
        assert prediction.makespan_s == pytest.approx(makespan_s)
        assert prediction.total_s == pytest.approx(makespan_s)


def test_every_second_of_a_loaded_plan_has_its_cause() -> None:
    prediction = predict(figueira(3.0, 2.0), Plan((1, 0)))
    causes = {COMPUTING: 22.0, PROCESSOR_WAIT: 8.0, TRANSFERRING: 8.0, LINK_WAIT: 8.0}
    assert prediction.breakdown_s == causes
    assert prediction.critical_breakdown_s == causes
    assert list(prediction.breakdown_s) == [cause for cause in CAUSES if cause in causes]
    assert prediction.start_s.tolist() == [0, 34]
    assert prediction.task_s.tolist() == [18, 12]
    assert prediction.task_dedicated_s.tolist() == [18, 4]
    assert prediction.flow_s.tolist() == [16]
    assert prediction.flow_dedicated_s.tolist() == [8]
    assert prediction.critical.all()
    assert prediction.critical_flows.all()
    assert prediction.utilisation == pytest.approx([12 / 46, 18 / 46])
    assert prediction.lower_bounds_s[MAKESPAN] <= prediction.makespan_s


def test_the_critical_path_passes_through_the_core_that_it_waited_for() -> None:
    tasks = (Task("a", work=2.0), Task("b", work=3.0), Task("c", work=1.0), Task("d", work=1.0))
    problem = Problem.of(
        Platform("p", (Machine("M"), Machine("N"))), Workload("w", tasks, (Flow("a", "c"),))
    )
    prediction = predict(problem, Plan((0, 0, 0, 1), (0, 1, 2, 3)))
    assert prediction.critical.tolist() == [True, True, True, False]
    assert not prediction.critical_flows.any()
    assert prediction.utilisation == pytest.approx([1.0, 1 / 6])


def added_up(problem: Problem, prediction: Prediction) -> float:
    """Checks what holds on either timeline; returns where the critical path begins."""
    makespan_s = prediction.makespan_s
    assert sum(prediction.breakdown_s.values()) == pytest.approx(prediction.total_s)
    assert sum(prediction.critical_breakdown_s.values()) == pytest.approx(makespan_s)
    assert set(prediction.critical_breakdown_s) <= set(CAUSES)
    assert prediction.end_s == pytest.approx(prediction.start_s + prediction.task_s)
    assert ((prediction.utilisation >= 0) & (prediction.utilisation <= 1 + 1e-12)).all()
    way = sorted(np.flatnonzero(prediction.critical), key=lambda task: prediction.end_s[task])
    assert prediction.end_s[way[-1]] == makespan_s
    return float(prediction.start_s[prediction.critical].min())


@given(SEEDS, SEEDS)
def test_the_parts_of_a_prediction_add_up(seed: int, other: int) -> None:
    problem = random_problem(seed, sharing=NONE)
    prediction = predict(problem, random_plan(problem, other))
    begin_s = added_up(problem, prediction)
    if begin_s > 0:  # of a task that waited for a file from outside
        first = np.flatnonzero(prediction.critical & (prediction.start_s == begin_s))
        outside = problem.costs.outside
        assert outside is not None
        assert begin_s in outside.of(np.array(prediction.plan.allocation)).arrival_s[first]
    spans = prediction.task_s[prediction.critical].sum()
    spans += prediction.flow_s[prediction.critical_flows].sum()
    assert begin_s + spans == pytest.approx(prediction.makespan_s)


@given(SEEDS, SEEDS)
def test_the_parts_of_an_executed_prediction_add_up(seed: int, other: int) -> None:
    problem = random_problem(seed)
    prediction = predict(problem, random_plan(problem, other))
    begin_s = added_up(problem, prediction)
    moved, marks = prediction.transfers, prediction.critical_transfers
    assert moved is not None
    assert marks is not None
    spans = prediction.task_s[prediction.critical].sum()
    spans += (moved.arrived_s - moved.left_s)[marks].sum()
    if begin_s > 0:  # of a task that waited for a file from outside
        first = np.flatnonzero(marks & (moved.left_s == 0.0))
        assert begin_s in moved.arrived_s[first]
        begin_s = 0.0
    assert begin_s + spans == pytest.approx(prediction.makespan_s)


@given(SEEDS, SEEDS)
def test_no_moment_of_an_executed_plan_is_without_a_cause(seed: int, other: int) -> None:
    problem = random_executed(seed, most_tasks=7, most_machines=4)
    prediction = predict(problem, random_plan(problem, other))
    makespan_s = prediction.makespan_s
    assert sum(prediction.critical_breakdown_s.values()) == pytest.approx(makespan_s)
    assert prediction.critical_breakdown_s.get(IDLE, 0.0) <= 1e-9 * makespan_s
    assert prediction.endless_s is not None
    for use in prediction.resources:
        assert (use.load <= 1 + 1e-9).all()


@given(SEEDS, SEEDS, st.integers(1, 3), st.sampled_from(OBJECTIVES))
def test_a_preview_is_what_the_move_would_give(
    seed: int, other: int, count: int, objective: str
) -> None:
    problem = random_problem(seed, sharing=NONE)
    plan = random_plan(problem, other)
    tasks = list(range(len(plan.allocation)))[-count:]
    shown = preview(problem, plan, tasks, objective)
    for machine, value_s in enumerate(shown.values_s):
        try:
            moved = predict(problem, plan.moved(tasks, machine))
        except InfeasibleError:
            assert value_s == np.inf
            assert shown.reasons[machine]
        else:
            exactly = 0.0 if objective == MAKESPAN else 1e-12
            assert value_s == pytest.approx(moved.value_s(objective), rel=exactly, abs=0.0)
            assert shown.reasons[machine] == ""
            assert shown.start_s[machine] == moved.start_s[tasks[0]]
            assert shown.end_s[machine] == moved.end_s[tasks[0]]
    if shown.best is not None:
        assert shown.values_s[shown.best] == shown.values_s.min()


def limited() -> Problem:
    """Tasks a → b, b holds two cores; M1 has one core and little memory, M3 no link."""
    way = Direction(0.0, 1.0)
    platform = Platform(
        "p",
        (
            Machine("M1", memory_bytes=10, memory="reserved"),
            Machine("M2", cores=2),
            Machine("M3", cores=2),
        ),
        (Link("M1", "M2", way, way),),
    )
    tasks = (
        Task("a", work=1.0, memory_bytes=6),
        Task("b", work=1.0, cores=2),
        Task("c", work=1.0, memory_bytes=6),
    )
    return Problem.of(platform, Workload("w", tasks, (Flow("a", "b", ((1, 5.0),)),)))


def test_what_is_out_of_the_question_says_why() -> None:
    problem = limited()
    assert why_not(problem, 1, 0) == "b needs 2 cores, M1 has 1"
    assert why_not(problem, 1, 1) == ""
    shown = preview(problem, Plan((0, 1, 1)), [1])
    assert shown.reasons[0] == "b needs 2 cores, M1 has 1"
    assert shown.reasons[1] == ""
    assert shown.reasons[2] == "flow a → b: M1 can't send these data to M3"
    assert shown.best == 1
    memory = preview(problem, Plan((0, 1, 1)), [2])
    assert memory.reasons[0] == 'machine "M1": its tasks need 12 B of memory, it has 10 B'
    nowhere = preview(problem, Plan((0, 2, 1)), [2])
    assert nowhere.best is None
    assert all(nowhere.reasons)


@pytest.mark.parametrize(
    ("allocation", "message"),
    [
        ((0, 0, 1), r'task "b": b needs 2 cores, M1 has 1'),
        ((0, 1, 0), r'machine "M1": its tasks need 12 B of memory, it has 10 B'),
        ((0, 2, 1), r"flow a → b: M1 can't send these data to M3"),
    ],
)
def test_a_plan_that_cannot_run_is_refused(allocation: tuple[int, ...], message: str) -> None:
    with pytest.raises(InfeasibleError, match=message):
        predict(limited(), Plan(allocation))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan((0, 1)), "another workload or platform"),
        (Plan((0, 1, 3)), "another workload or platform"),
        (Plan((0, 1, -1)), "another workload or platform"),
        (Plan((0, 1, 1), (0, 1)), "name every task once"),
        (Plan((0, 1, 1), (0, 1, 1)), "name every task once"),
        (Plan((0, 1, 1), (1, 0, 2)), "flow a → b: the order puts a task before"),
    ],
)
def test_a_plan_for_something_else_is_refused(plan: Plan, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_feasible(limited(), plan)
    with pytest.raises(InputError, match=message):
        preview(limited(), plan, [0])


@settings(max_examples=20, deadline=None)
@given(SEEDS, SEEDS, st.sampled_from([0.01, 3.0]))
def test_scaling_all_speeds_scales_the_schedule(seed: int, other: int, factor: float) -> None:
    problem = random_problem(seed)
    quick = tuple(replace(task, reads=(), writes=()) for task in problem.workload.tasks)
    slow = tuple(replace(task, work=task.work * factor) for task in quick if task.work is not None)
    alone, slower = (Problem.of(problem.platform, Workload("w", tasks)) for tasks in (quick, slow))
    plan = random_plan(alone, other)
    assert predict(slower, plan).end_s == pytest.approx(predict(alone, plan).end_s * factor)


def test_contention_lengthens_and_never_shortens_a_lone_chain() -> None:
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(3))
    flows = tuple(Flow(a.name, b.name) for a, b in pairwise(tasks))
    values = []
    for count in range(3):
        busy = tuple(Contender(f"job{i}", 1.0) for i in range(count))
        problem = Problem.of(
            Platform("p", (Machine("M", contenders=busy),)), Workload("w", tasks, flows)
        )
        values.append(predict(problem, Plan((0, 0, 0))).value_s(TOTAL))
    assert values == pytest.approx([3.0, 6.0, 9.0])
