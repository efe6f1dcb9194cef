"""Processors and allocation together: the optimum where it is known, and honest claims."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress
from advisor.allocation.workload import Flow, Task, Workload
from advisor.scaling.law import Scaling
from advisor.search import STRATEGIES, advise, count_proof
from advisor.search.incumbent import StepBudget
from advisor.search.trial_evaluator import TrialEvaluator
from machines import Contender, InfeasibleError, InputError, Machine, Platform
from tests.advisor.scalable_problems import least, linked, random_scalable

SHORT_S = 0.05
AMDAHL = Scaling(sigma=0.2)


def alone(cores: int, *tasks: Task) -> Problem:
    return Problem.of(Platform("p", (Machine("M", cores=cores),)), Workload("w", tasks))


def campaign(tasks: int = 10) -> Problem:
    """More numbers than can be enumerated: independent tasks, and one after all of them."""
    solvers = tuple(
        Task(f"solve{i}", work=20.0 + 7.0 * i, scaling=Scaling(sigma=0.02 + 0.01 * i, kappa=1e-3))
        for i in range(tasks)
    )
    join = Task("join", work=5.0)
    flows = tuple(Flow(one.name, "join", ((1, 1e5),)) for one in solvers)
    platform = linked(Machine("big", cores=16), Machine("fast", cores=6, speed=2.0))
    return Problem.of(platform, Workload("campaign", (*solvers, join), flows))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(16))
def test_small_cases_reach_the_optimum_of_all_numbers_and_allocations(
    seed: int, objective: str
) -> None:
    problem = random_scalable(seed)
    optimum = least(problem, objective)
    found = advise(problem, objective, seconds=SHORT_S)
    assert found.value_s == pytest.approx(optimum, rel=1e-9)
    assert found.proved_optimal
    assert found.lower_bound_s <= found.value_s
    assert problem.lower_bounds_s[objective] <= optimum * (1 + 1e-9)
    assert predict(problem, found.plan).value_s(objective) == pytest.approx(found.value_s)


@pytest.mark.parametrize("seed", range(16, 24))
def test_the_search_without_proof_finds_the_optimum_of_small_cases_too(seed: int) -> None:
    problem = random_scalable(seed)
    found = advise(problem, strategy="refine", seconds=SHORT_S)
    assert found.value_s == pytest.approx(least(problem), rel=1e-9)


def test_two_tasks_that_share_a_machine_take_half_of_it_each() -> None:
    # one after the other on 8 cores: 2 · 30 s; beside each other on 4: 40 s
    tasks = tuple(Task(name, work=100.0, scaling=AMDAHL) for name in "ab")
    found = advise(alone(8, *tasks), seconds=SHORT_S)
    assert found.plan.processors == (4, 4)
    assert found.value_s == pytest.approx(40.0)
    assert found.proved_optimal
    single = advise(alone(8, tasks[0]), seconds=SHORT_S)
    assert single.plan.processors == (8,)
    assert single.value_s == pytest.approx(30.0)


def test_a_retrograde_task_stops_at_its_peak_however_large_the_machine() -> None:
    scaling = Scaling(sigma=0.02, kappa=0.01)  # peak at sqrt(0.98/0.01) = 9.9
    found = advise(alone(1000, Task("a", work=100.0, scaling=scaling)), seconds=SHORT_S)
    assert found.plan.processors == (10,)
    assert found.proved_optimal


def test_a_chain_takes_each_task_at_its_best_and_is_proved() -> None:
    platform = linked(Machine("wide", cores=300), Machine("fast", cores=4, speed=3.0))
    tasks = (
        Task("prepare", work=60.0, scaling=Scaling(sigma=0.5)),
        Task("solve", work=600.0, scaling=Scaling(sigma=0.001)),
    )
    flow = Flow("prepare", "solve", ((1, 1e6),))
    problem = Problem.of(platform, Workload("w", tasks, (flow,)))
    for objective in OBJECTIVES:
        found = advise(problem, objective, seconds=SHORT_S)
        assert found.plan.allocation == (1, 0)
        assert found.plan.processors == (4, 300)
        assert found.proved_optimal


def test_a_better_number_between_those_that_were_priced_is_not_denied() -> None:
    # slowdown grows with the cores held, so that the best number is no end of the range
    crowd = tuple(Contender(f"c{i}", 0.6, 0.2) for i in range(12))
    platform = Platform("p", (Machine("M", cores=300, contenders=crowd),))
    task = Task("a", work=1e4, scaling=Scaling(sigma=1e-4))
    problem = Problem.of(platform, Workload("w", (task,)))
    found = advise(problem, TOTAL, seconds=SHORT_S)
    (times,) = problem.processor_times
    true_s = min(problem.at((p,)).costs.task_s[0, 0] for p in range(1, 301))
    assert not times.every
    assert found.lower_bound_s <= true_s <= found.value_s <= 1.01 * true_s
    assert found.proved_optimal == (found.value_s <= found.lower_bound_s * (1 + 1e-9))


def test_many_numbers_are_searched_and_the_answer_is_better_than_any_rule() -> None:
    problem = campaign()
    found = advise(problem, seconds=0.15)
    assert not count_proof.fits(_desk(problem))
    by_rule = {name: value_s for name, _, value_s in found.alternatives}
    assert found.value_s < by_rule["fewest processors"]
    assert found.value_s < by_rule["most processors"]
    assert found.lower_bound_s <= found.value_s
    assert found.value_s < by_rule["heft"]
    assert found.gap < 0.35
    assert predict(problem, found.plan).makespan_s == pytest.approx(found.value_s)


def test_the_same_seed_gives_the_same_answer() -> None:
    one, other = (advise(campaign(6), seconds=SHORT_S, seed=3) for _ in range(2))
    assert one.plan == other.plan
    assert one.steps == other.steps


def test_processors_of_no_use_are_given_back() -> None:
    tasks = (Task("long", work=100.0), Task("short", work=60.0, scaling=Scaling(sigma=0.1)))
    found = advise(alone(8, *tasks), strategy="refine", seconds=SHORT_S)
    assert found.value_s == 100.0
    assert found.plan.processors is None  # one each, as both have by themselves


@pytest.mark.parametrize("strategy", ["heft", "cpop", "peft", "min-min", "max-min", "refine"])
def test_each_strategy_chooses_numbers_for_itself(strategy: str) -> None:
    problem = campaign(4)
    found = advise(problem, strategy=strategy, seconds=SHORT_S)
    assert found.value_s < predict(problem, Plan((0,) * 5)).makespan_s
    assert predict(problem, found.plan).makespan_s == pytest.approx(found.value_s)


@pytest.mark.parametrize("strategy", ["chain", "cut", "exact"])
def test_a_strategy_that_does_not_apply_is_refused(strategy: str) -> None:
    assert strategy in STRATEGIES
    with pytest.raises(InputError, match="does not apply"):
        advise(campaign(), strategy=strategy, seconds=SHORT_S)


def test_the_answer_is_never_worse_than_the_present_plan() -> None:
    problem = campaign()
    good = advise(problem, seconds=0.15).plan
    kept = advise(problem, seconds=0.001, start=good)
    assert kept.value_s <= predict(problem, good).makespan_s * (1 + 1e-12)


def test_a_search_that_is_stopped_at_once_still_answers_with_the_present_plan() -> None:
    problem = campaign()
    present = Plan((0,) * 11, processors=(3,) * 10 + (1,))
    found = advise(problem, start=present, should_stop=lambda: True)
    assert found.value_s <= predict(problem, present).makespan_s


def test_progress_tells_plans_that_can_be_predicted() -> None:
    problem = campaign(6)
    told: list[Progress] = []
    advise(problem, seconds=0.3, on_progress=told.append)
    assert told
    for one in told:
        assert predict(problem, one.plan).makespan_s == pytest.approx(one.value_s)
        assert one.lower_bound_s <= one.value_s
        assert 0.0 <= one.fraction <= 1.0


def test_progress_of_a_total_has_the_processors_too() -> None:
    problem = campaign(6)
    told: list[Progress] = []
    found = advise(problem, TOTAL, seconds=0.3, on_progress=told.append)
    for one in told:
        assert predict(problem, one.plan).total_s == pytest.approx(one.value_s)
    assert found.plan.processors is not None


def test_a_task_that_fits_nowhere_is_infeasible() -> None:
    with pytest.raises(InfeasibleError, match="fits on no machine"):
        alone(4, Task("a", work=1.0, cores=8, scaling=Scaling(sigma=0.1, least=8)))


def test_ties_hold_at_the_processors_of_the_plan() -> None:
    machines = (Machine("M1", cores=4), Machine("M2", cores=4))
    tasks = tuple(Task(name, work=10.0, scaling=AMDAHL) for name in "ab")
    problem = Problem.of(linked(*machines), Workload("w", tasks))
    found = advise(problem, TOTAL, seconds=SHORT_S)
    for tie in found.ties:
        value_s = predict(problem, replace(found.plan, allocation=tie, order=None)).total_s
        assert value_s == pytest.approx(found.value_s)
    assert found.objective != MAKESPAN


def _desk(problem: Problem) -> TrialEvaluator:
    return TrialEvaluator(problem, StepBudget(1, lambda: False))
