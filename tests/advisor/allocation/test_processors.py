"""Plans with numbers of processors: prediction, bounds, edits, words and files."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.explain import explain, headline, proof_sentence
from advisor.allocation.comparison import compare
from advisor.allocation.feasibility import check_feasible, why_not
from advisor.allocation.measures import MEASURES, front
from advisor.allocation.moves import best_moves
from advisor.allocation.objectives import OBJECTIVES, TOTAL
from advisor.allocation.plan import Plan, from_names
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.processor_times import processor_times
from advisor.allocation.processors import from_counts
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.export_record import Planned
from advisor.export.json_answer import plan_report
from advisor.export.registry import EXPORTS
from advisor.project import project_edits as edits
from advisor.project.project import Pin, Project
from advisor.project.project_file import dump_project, parse_project
from advisor.scaling.law import Scaling
from advisor.search import advise
from machines import Contender, InfeasibleError, InputError, Machine, Platform
from tests.advisor.scalable_problems import linked, random_scalable

AMDAHL = Scaling(sigma=0.2)


def project(**scaling: int) -> Project:
    """prepare → solve; solve takes 100 s on one core and scales, nodes have 8 and 4 cores."""
    tasks = (
        Task("prepare", work=5.0),
        Task("solve", 100.0, cores=scaling.get("least", 1), scaling=replace(AMDAHL, **scaling)),
        Task("watch", seconds=(("small", 3.0), ("big", 3.0)), cores=2),
    )
    flow = Flow("prepare", "solve", ((1, 1e6),))
    platform = linked(Machine("big", cores=8), Machine("small", cores=4))
    return Project(platform, Workload("w", tasks, (flow,)), Plan((0, 0, 1)))


def problem_of(one: Project) -> Problem:
    return Problem.of(one.platform, one.workload, one.reading)


def test_a_plan_without_numbers_takes_the_cores_of_each_task() -> None:
    problem = problem_of(project())
    assert predict(problem, Plan((0, 0, 1))).makespan_s == pytest.approx(105.0)
    assert predict(problem, Plan((0, 0, 1), processors=(1, 1, 2))).makespan_s == pytest.approx(105)


def test_time_falls_by_the_speedup_and_cores_are_held() -> None:
    problem = problem_of(project())
    found = predict(problem, Plan((0, 0, 1), processors=(1, 4, 2)))
    assert found.task_s.tolist() == pytest.approx([5.0, 40.0, 3.0])  # S(4; 0.2) = 2.5
    busy = (5.0 * 1 + 40.0 * 4) / (8 * 45.0)
    assert found.utilisation[0] == pytest.approx(busy)
    assert sum(found.breakdown_s.values()) == pytest.approx(found.total_s)


def test_a_problem_without_scalable_tasks_is_its_own_at_any_numbers_it_has() -> None:
    tasks = (Task("a", work=1.0, cores=2),)
    problem = Problem.of(Platform("p", (Machine("M", cores=2),)), Workload("w", tasks))
    assert problem.at(None) is problem
    assert problem.at((2,)) is problem
    with pytest.raises(InputError, match="does not scale"):
        problem.at((1,))
    with pytest.raises(InputError, match="another workload"):
        problem.at((2, 2))


def test_numbers_are_priced_as_a_workload_that_states_them() -> None:
    for seed in range(12):
        problem = random_scalable(seed)
        counts = [2 if task.scaling else task.cores for task in problem.workload.tasks]
        try:
            here = problem.at(counts)
        except InfeasibleError:
            continue
        stated = Problem.of(problem.platform, problem.workload.at(counts))
        assert np.array_equal(here.costs.task_s, stated.costs.task_s)
        assert np.array_equal(here.costs.task_cores, stated.costs.task_cores)
        assert here.rank_order.tolist() == stated.rank_order.tolist()
        assert not here.workload.scalable
        for one in problem.processor_times:
            row = one.processors.tolist().index(2)
            assert np.array_equal(one.task_s[row], here.costs.task_s[one.task])
            assert np.array_equal(one.dedicated_s[row], here.costs.task_dedicated_s[one.task])


def test_too_many_processors_for_the_machine_are_infeasible_and_say_why() -> None:
    problem = problem_of(project())
    plan = Plan((0, 1, 1), processors=(1, 8, 2))
    with pytest.raises(InfeasibleError, match="solve needs 8 cores, small has 4"):
        check_feasible(problem, plan)
    with pytest.raises(InfeasibleError, match="fits on no machine"):
        predict(problem, Plan((0, 0, 1), processors=(1, 9, 2)))


@pytest.mark.parametrize("objective", ["makespan", "total"])
def test_a_preview_takes_all_cores_of_a_machine_that_has_too_few(objective: str) -> None:
    one = project()
    problem, plan = problem_of(one), Plan((0, 0, 1), processors=(1, 8, 2))
    offered = preview(problem, plan, (1, 2), objective)
    assert offered.processors == (8, 4)
    assert offered.reasons == ("", "")
    for machine in range(2):
        after = plan.moved((1, 2), machine).settled(one.workload, one.platform)
        assert after.counts(one.workload) == {"solve": offered.processors[machine]}
        found = predict(problem, after)
        assert found.value_s(objective) == pytest.approx(offered.values_s[machine])
        assert found.start_s[1] == pytest.approx(offered.start_s[machine])
        assert found.end_s[1] == pytest.approx(offered.end_s[machine])


def test_a_preview_refuses_a_machine_with_less_than_the_fewest() -> None:
    problem = problem_of(project(least=6))
    offered = preview(problem, Plan((0, 0, 1), processors=(1, 8, 2)), (1,))
    assert "needs 6 cores" in offered.reasons[1]
    assert np.isinf(offered.values_s[1])


def test_a_single_move_says_on_how_many_processors() -> None:
    one = project()
    crowded = replace(
        one, platform=linked(Machine("big", cores=8, speed=0.1), Machine("small", cores=4))
    )
    problem, plan = problem_of(crowded), Plan((0, 0, 1), processors=(1, 8, 2))
    move = next(move for move in best_moves(problem, plan) if move.task == 1)
    assert move.sentence.startswith("Move solve to small, on 4 processors: saves ")
    after = plan.moved((1,), 1).settled(crowded.workload, crowded.platform)
    assert predict(problem, after).makespan_s == pytest.approx(move.value_s)


def test_problems_at_numbers_are_remembered_by_several_threads_at_once() -> None:
    problem = problem_of(project())
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda k: problem.at((1, 1 + k % 7, 2)), range(400)))
    assert [one.workload.tasks[1].cores for one in found] == [1 + k % 7 for k in range(400)]


def test_why_not_asks_for_the_fewest_processors_that_a_task_takes() -> None:
    problem = problem_of(project(least=6))
    assert why_not(problem, 1, 0) == ""
    assert "needs 6 cores" in why_not(problem, 1, 1)
    assert why_not(problem_of(project()), 1, 1) == ""


@given(st.integers(0, 10_000))
def test_no_numbers_undercut_the_bound_nor_the_floor_of_a_task(seed: int) -> None:
    problem = random_scalable(seed)
    rng = np.random.default_rng(seed)
    machines = problem.platform.machines
    for _ in range(8):
        allocation, counts = [], []
        for task in problem.workload.tasks:
            place = int(rng.integers(len(machines)))
            most = machines[place].cores
            if task.scaling is None:
                place = place if task.cores <= most else int(
                    np.argmax([machine.cores for machine in machines]))  # fmt: skip
                counts.append(task.cores)
            else:
                counts.append(int(rng.integers(1, min(most, task.scaling.most or most) + 1)))
            allocation.append(place)
        found = predict(problem, Plan(tuple(allocation), processors=tuple(counts)))
        for objective in OBJECTIVES:
            assert found.value_s(objective) >= found.lower_bounds_s[objective] * (1 - 1e-9)
        for one in problem.processor_times:
            place = allocation[one.task]
            assert found.task_s[one.task] >= one.floor_s[place] * (1 - 1e-12)
            held = found.task_s[one.task] * counts[one.task]
            assert held >= one.core_s[place] * (1 - 1e-12)


def test_floors_hold_between_the_numbers_that_are_priced() -> None:
    crowd = (Contender("a", 0.7, 0.2), Contender("b", 0.4))
    platform = Platform("p", (Machine("M", cores=400, contenders=crowd),))
    task = Task("t", work=100.0, scaling=Scaling(sigma=0.001, kappa=1e-5))
    (one,) = processor_times(platform, Workload("w", (task,)), "exact")
    assert not one.every
    problem = Problem.of(platform, Workload("w", (task,)))
    true_s = np.array([problem.at((p,)).costs.task_s[0, 0] for p in range(1, 401, 3)])
    assert true_s.min() >= one.floor_s[0] * (1 - 1e-12)
    assert one.task_s.min() <= true_s.min() * 1.01
    assert 400 in one.processors
    assert {316, 317} <= set(one.processors.tolist())  # around the peak, sqrt(0.999/1e-5) = 316.07


def test_a_number_that_is_slower_everywhere_than_a_smaller_one_is_not_tried() -> None:
    platform = Platform("p", (Machine("M", cores=40),))
    task = Task("t", work=100.0, scaling=Scaling(sigma=0.02, kappa=0.01))  # peak 9.9
    (one,) = processor_times(platform, Workload("w", (task,)), "exact")
    assert one.processors.tolist() == list(range(1, 41))
    assert one.processors[one.efficient].tolist() == list(range(1, 11))


def test_one_edit_sets_a_number_and_is_undone_by_the_project_before() -> None:
    before = project()
    after = edits.with_processors(before, 1, 4)
    assert after.plan.processors == (1, 4, 2)
    assert after.plan.allocation == before.plan.allocation
    assert edits.with_processors(after, 1, 1) == before
    for position, count, match in (
        (1, 9, "fewer cores"), (1, 0, "cores"), (0, 2, "does not scale"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=match):
            edits.with_processors(before, position, count)


def test_edits_carry_numbers_along() -> None:
    set_ = edits.with_processors(project(), 1, 6)
    pinned = replace(set_, pins=(Pin("kept", set_.plan),))
    fewer = edits.with_machine(pinned, 0, replace(pinned.platform.machines[0], cores=3))
    assert fewer.plan.allocation == (0, 0, 1)
    assert fewer.plan.processors == (1, 3, 2)
    assert fewer.pins[0].plan.processors == (1, 3, 2)
    moved = edits.remove_machine(pinned, 0)
    assert moved.plan.allocation == (0, 0, 0)
    assert moved.plan.processors == (1, 4, 2)
    added = edits.add_task(pinned, Task("more", work=1.0, cores=3))
    assert added.plan.processors == (1, 6, 2, 3)
    assert edits.remove_tasks(pinned, [0]).plan.processors == (6, 2)
    wider = edits.with_task(pinned, 2, replace(pinned.workload.tasks[2], cores=3))
    assert wider.plan.processors == (1, 6, 3)
    stated = edits.with_task(pinned, 1, replace(pinned.workload.tasks[1], cores=2))
    assert stated.plan.processors is None
    rigid = edits.with_task(pinned, 1, replace(pinned.workload.tasks[1], scaling=None))
    assert rigid.plan.processors is None
    for one in (fewer, moved, added, wider, stated, rigid):
        check_feasible(problem_of(one), one.plan)


def test_plans_of_ordinary_workloads_stay_as_they_are() -> None:
    ordinary = Workload("w", (Task("a", work=1.0),))
    plan = Plan((0,))
    assert plan.settled(ordinary, Platform("p", (Machine("M"),))) is plan
    assert "processors" not in plan_report(
        Problem.of(Platform("p", (Machine("M"),)), ordinary), plan
    )


def test_a_project_file_keeps_numbers() -> None:
    one = edits.with_processors(project(), 1, 6)
    one = replace(one, pins=(Pin("as it was", Plan((0, 0, 0))),))
    text = dump_project(one)
    assert parse_project(text) == one
    assert json.loads(text)["plan"]["processors"] == {"solve": 6}
    assert "processors" not in json.loads(text)["pins"][0]


@pytest.mark.parametrize(
    ("counts", "match"),
    [
        ({"unknown": 2}, "unknown task"),
        ({"prepare": 2}, "does not scale"),
        ({"solve": 2.5}, "no number of processors"),
        ({"solve": True}, "no number of processors"),
        ({"solve": 0}, "cores"),
    ],
)
def test_numbers_that_a_task_does_not_take_are_refused(
    counts: dict[str, object], match: str
) -> None:
    one = project()
    names = one.plan.named(one.workload, one.platform)
    with pytest.raises(InputError, match=match):
        from_names(names, one.workload, one.platform, processors=counts)
    assert from_counts(one.workload, {"solve": 1}) is None


def test_reports_and_exports_state_the_numbers() -> None:
    one = edits.with_processors(project(), 1, 6)
    problem = problem_of(one)
    found = predict(problem, one.plan)
    plan = json.loads(EXPORTS["json"].render(Planned(problem, one.plan, found)))
    assert plan["processors"] == {"solve": 6}
    schedule = EXPORTS["csv"].render(Planned(problem, one.plan, found)).splitlines()
    assert next(row for row in schedule if "solve" in row).split(",")[-2] == "6"
    trace = json.loads(EXPORTS["trace"].render(Planned(problem, one.plan, found)))["traceEvents"]
    assert next(row for row in trace if row["name"] == "solve")["args"]["cores"] == 6


def test_the_headline_says_how_many_processors_and_what_changes() -> None:
    one = project()
    problem = problem_of(one)
    found = advise(problem, seconds=0.05)
    chosen = predict(problem, found.plan)
    assert "solve on 8 processors" in headline(problem, "makespan", chosen)
    assert "all allocations and numbers of processors" in proof_sentence(problem, found)
    change = headline(problem, "makespan", chosen, replace(found.plan, processors=None))
    assert change.startswith("Run solve on 8 processors (now 1): saves")
    elsewhere = replace(found.plan, allocation=(0, 1, 1), order=None, processors=(1, 4, 2))
    both = headline(problem, "makespan", chosen, elsewhere)
    assert " to big and run solve on 8 processors (now 4): saves" in both
    kept = headline(problem, "makespan", chosen, found.plan)
    assert kept.startswith("Keep ")


def test_flips_keep_the_numbers_and_say_so() -> None:
    one = project()
    problem = problem_of(one)
    found = advise(problem, TOTAL, seconds=0.05)
    reasons = explain(problem, found)
    assert "Processor counts were kept." in reasons.flips_searched
    for flip in reasons.flips:
        platform = flip.parameter.applied(one.platform, flip.value, one.reading)
        there = Problem.of(platform, one.workload)
        beaten = predict(there, found.plan).total_s
        assert predict(there, flip.plan).total_s <= beaten * (1 + 1e-9)


def test_plans_of_one_allocation_compare_by_their_numbers() -> None:
    problem = problem_of(project())
    rows = compare(problem, [(str(p), Plan((0, 0, 1), processors=(1, p, 2))) for p in (1, 2, 8)])
    assert front(rows, MEASURES["total"]) == [False, False, True]
    assert rows[2].makespan_difference_s == pytest.approx(30.0 - 100.0)
