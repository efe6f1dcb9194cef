"""The best plan known is the answer, and of those alike the one that moves least."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from advisor.advice.explain import explain
from advisor.advice.known import best_known, least_moves, moves, valued
from advisor.advice.savings import saving
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, SPREAD, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.workload import Task, Workload
from advisor.decisions.instructions import steps
from advisor.search import advise
from advisor.search.list_scheduling import heft
from machines import Direction, Link, Machine, Platform
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan, random_problem
from tests.conftest import cluster, two_machines

WIRE = Direction(0.0, 1e9)


def alone(*seconds: tuple[float, float]) -> Problem:
    """Independent tasks with their seconds on M1 and on M2; the total adds them."""
    platform = Platform("two", (Machine("M1"), Machine("M2")), (Link("M1", "M2", WIRE, WIRE),))
    tasks = tuple(
        Task(f"t{i}", seconds=(("M1", first), ("M2", second)))
        for i, (first, second) in enumerate(seconds)
    )
    return Problem.of(platform, Workload("alone", tasks))


@pytest.fixture(autouse=True, scope="module")
def hurry() -> Iterator[None]:
    """Flips are looked for as on a machine that is ten times as slow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("advisor.advice.competition._BUDGET_S", 0.25)
        yield


def poor(problem: Problem, plan: Plan, objective: str = MAKESPAN) -> Recommendation:
    value_s = predict(problem, plan).value_s(objective)
    return Recommendation(plan, objective, value_s, 0.0, False, "heft")


def test_a_gain_within_the_models_error_moves_nothing() -> None:
    problem = alone((100.0, 97.5))
    found = explain(problem, advise(problem, TOTAL), Plan((0,)))
    assert found.advised.allocation == (0,)
    assert found.recommendation.plan.allocation == (1,)
    assert found.recommendation.value_s == pytest.approx(97.5)
    assert found.headline == (
        "Keep t0 on M1: the best plan known saves 2.50 s (2.5 %), a tie within the "
        "model's 3 % (total 1 min 40.0 s)."
    )
    assert found.proof.startswith(
        "The best plan known, 1 min 37.5 s against 1 min 40.0 s, changes 1 task more: 2.5 % less"
    )


def test_a_gain_beyond_it_does() -> None:
    problem = alone((100.0, 96.5))
    found = explain(problem, advise(problem, TOTAL), Plan((0,)))
    assert found.advised == found.recommendation.plan
    assert found.headline == "Move t0 to M2: saves 3.50 s (3.5 %)."


def test_only_the_moves_that_matter_are_advised() -> None:
    problem = alone((100.0, 50.0), (10.0, 9.8), (10.0, 9.9))  # of 120 s: 50.0, 0.2 and 0.1 s
    found = explain(problem, advise(problem, TOTAL), Plan((0, 0, 0)))
    assert found.recommendation.value_s == pytest.approx(69.7)
    assert found.advised.allocation == (1, 0, 0)
    assert found.headline == "Move t0 to M2: saves 50.0 s (42 %)."
    assert "changes 2 tasks more: 0.43 % less" in found.proof
    assert found.against_runner_up is not None
    assert found.against_runner_up.sentence.startswith("Ties with the best plan known")


def test_of_ties_the_one_that_moves_least_is_recommended_as_best() -> None:
    problem = alone((10.0, 10.0), (10.0, 5.0))
    recommendation = replace(
        poor(problem, Plan((0, 1)), TOTAL), proved_optimal=True, ties=((1, 1),), lower_bound_s=15.0
    )
    found = explain(problem, recommendation, Plan((1, 0)))
    assert found.recommendation.plan.allocation == (1, 1)
    assert found.recommendation.ties == ((0, 1),)
    assert found.headline == "Move t1 to M2: saves 5.00 s (25 %)."
    assert found.proof.startswith("Proved best")


def test_a_pinned_plan_that_is_better_is_the_answer() -> None:
    project = cluster(machines=3, width=5, stages=3)
    problem = Problem.of(project.platform, project.workload)
    best = advise(problem, seconds=0.1)
    worse = advise(problem, strategy="min-min")
    assert best.value_s < worse.value_s
    found = explain(problem, worse, project.plan, known=[best.plan])
    assert found.recommendation.value_s <= best.value_s
    beaten = [value_s for _, _, value_s in found.recommendation.alternatives]
    assert worse.value_s in beaten
    assert found.recommendation.lower_bound_s <= found.recommendation.value_s


def test_a_present_plan_that_is_better_than_the_answer_is_kept() -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload)
    found = explain(problem, poor(problem, Plan((0, 0))), Plan((1, 0)))
    assert found.recommendation.value_s == pytest.approx(38.0)
    assert found.headline.startswith("Keep A on M2, B on M1: ")


def test_a_plan_that_cannot_run_is_no_answer() -> None:
    project = two_machines()
    tasks = (replace(project.workload.tasks[0], allowed=("M1",)), project.workload.tasks[1])
    problem = Problem.of(project.platform, replace(project.workload, tasks=tasks))
    recommendation = advise(problem)
    assert best_known(problem, recommendation, [Plan((1, 1)), None]) is recommendation


def test_memory_bars_plans_from_the_contest() -> None:
    """All on the quicker machine would be less, and is no plan."""
    quick = Machine("M2", memory_bytes=100, memory="reserved")
    platform = Platform("two", (Machine("M1"), quick), (Link("M1", "M2", WIRE, WIRE),))
    tasks = tuple(
        Task(f"t{i}", seconds=(("M1", 9.0), ("M2", 5.0)), memory_bytes=60) for i in range(3)
    )
    problem = Problem.of(platform, Workload("full", tasks))
    for objective in OBJECTIVES:
        found = explain(problem, advise(problem, objective), Plan((0, 0, 0)))
        assert sorted(found.advised.allocation) == [0, 0, 1]


def test_a_strategy_that_was_asked_for_keeps_its_plan_and_says_what_is_better() -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload)
    asked = poor(problem, Plan((0, 0)))
    found = explain(problem, asked, keep=True)
    assert found.recommendation is asked
    assert found.flips == ()
    assert "auto would give A on M2, B on M1: 10.0 s (21 %) less" in found.flips_searched


@given(st.integers(0, 10_000), st.sampled_from(OBJECTIVES))
def test_nothing_in_the_answer_is_better_than_the_answer(seed: int, objective: str) -> None:
    problem = random_problem(seed, most_tasks=6)
    current, pin = random_plan(problem, seed), random_plan(problem, seed + 1)
    start = random_plan(problem, seed + 2)
    asked = poor(problem, start, objective)
    found = explain(problem, asked, current, known=[pin])
    best_s = found.recommendation.value_s * (1 + 1e-9)
    mentioned = [start, current, pin, found.advised, *(flip.plan for flip in found.flips)]
    mentioned += [plan for _, plan, _ in (*found.alike, *found.recommendation.alternatives)]
    for plan in mentioned:
        one = valued(problem, objective, plan)
        assert one is None or one.value_s >= best_s * (1 - 2e-9)
    assert predict(problem, found.advised).value_s(objective) == pytest.approx(found.advised_s)
    assert found.advised_s * (1 - SPREAD) <= best_s
    assert "already" not in found.flips_searched
    allocation = list(current.allocation)
    for step in steps(found.advised, current):
        for task in step.tasks:
            allocation[task] = step.machine
    assert tuple(allocation) == found.advised.allocation


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_of_all_plans_the_least_total_is_the_answer_and_less_is_moved_only_if_alike(
    seed: int,
) -> None:
    problem = random_problem(seed, most_tasks=5)
    assume(problem.instance.task_s.any())
    tasks, machines = problem.costs.task_s.shape
    current = random_plan(problem, seed)
    every = (
        valued(problem, TOTAL, Plan(one))
        for one in itertools.product(range(machines), repeat=tasks)
    )
    all_values = [one for one in every if one is not None]
    least_s = min(one.value_s for one in all_values)
    found = explain(problem, poor(problem, all_values[-1].plan, TOTAL), current)
    assert found.recommendation.value_s == pytest.approx(least_s, rel=1e-9, abs=1e-12)
    now = valued(problem, TOTAL, current)
    if now is not None and now.value_s * (1 - SPREAD) <= least_s:
        assert found.advised.allocation == current.allocation
        assert found.headline.startswith("Keep")
    fewest = moves(problem, found.advised, current)
    assert fewest <= moves(problem, found.recommendation.plan, current)


def test_fewer_moves_stop_when_asked_to() -> None:
    problem = alone((100.0, 50.0), (10.0, 9.8), (10.0, 9.9))
    best = poor(problem, Plan((1, 1, 1)), TOTAL)
    kept = least_moves(problem, best, Plan((0, 0, 0)), should_stop=lambda: True)
    assert kept.plan.allocation == (1, 1, 1)


def test_flips_say_what_staying_costs_as_computed_by_hand() -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload)
    found = explain(problem, advise(problem))
    costs = {
        (flip.parameter.key, flip.value > flip.present): (flip.at, flip.lost_s)
        for flip in found.flips
    }
    assert costs == {
        # A on M2 and B on M1 take 18 s' + 8 x + 4 s; both on M1 16 s, both on M2 48 s'
        ("contenders:M1", False): (0.0, pytest.approx(18 + 8 + 4 - 16)),
        ("contenders:M1", True): (7.0, pytest.approx(18 + 8 + 4 * 8 - 48)),
        ("contenders:M2", True): (2.0, pytest.approx(18 * 3 + 8 + 12 - 48)),
        ("link slowdown:M1–M2", True): (3.5, pytest.approx(18 + 8 * 3.5 + 12 - 48)),
    }


@pytest.mark.parametrize("placements", [0, 2_000_000])
def test_fewer_moves_stay_within_what_they_may_cost(
    placements: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = cluster(machines=3, width=6, stages=4)
    problem = Problem.of(project.platform, project.workload)
    size = 20 * (len(project.workload.tasks) + len(project.workload.edges)) + 1_000
    called: list[Plan] = []

    def counted(problem: Problem, objective: str, plan: Plan) -> float:
        called.append(plan)
        return reached_s(problem, objective, plan)

    monkeypatch.setattr("advisor.advice.known.reached_s", counted)
    monkeypatch.setattr("advisor.advice.known._PLACEMENTS", placements)
    best = poor(problem, heft(problem))
    least_moves(problem, best, Plan((0,) * len(project.workload.tasks)))
    present = 1  # the value of the current plan, without an order
    assert len(called) <= present + placements // size
    assert (len(called) > present) == (placements > 0)


@given(st.integers(0, 10_000))
def test_savings_by_cause_sum_on_the_executed_timeline(seed: int) -> None:
    problem = random_executed(seed, most_tasks=7)
    one, other = (predict(problem, random_plan(problem, seed + i)) for i in (0, 1))
    for objective in OBJECTIVES:
        found = saving("it", objective, one, other)
        expected = other.value_s(objective) - one.value_s(objective)
        assert sum(gain for _, gain in found.by_cause_s) == pytest.approx(expected, abs=1e-7)
