"""Advice: the published answers, never worse than what is known, limits, determinism."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.loads import find_parameter
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.search import STRATEGIES, advise, cut, incumbent, total
from advisor.search import list_scheduling as lists
from advisor.search.incumbent import StepBudget
from advisor.search.list_scheduling import heft
from machines import Direction, InfeasibleError, InputError, Link, Machine, Platform
from tests.advisor.random_problems import random_plan, random_problem
from tests.conftest import cluster, two_machines

WAY = Direction(0.0, 1.0)
SHORT_S = 0.1


def problem_of(project: Project) -> Problem:
    return Problem.of(project.platform, project.workload)


def diamond(machines: int = 3) -> Problem:
    """Twelve tasks that split and join, on linked machines of one core."""
    rng = np.random.default_rng(5)
    names = [f"M{q}" for q in range(machines)]
    links = tuple(Link(a, b, WAY, WAY) for i, a in enumerate(names) for b in names[:i])
    tasks = tuple(
        Task(f"t{i}", seconds=tuple((name, float(rng.integers(1, 20))) for name in names))
        for i in range(12)
    )
    flows = tuple(
        Flow(f"t{i}", f"t{j}", ((1, float(rng.integers(1, 15))),))
        for i in range(12)
        for j in range(i + 1, 12)
        if rng.random() < 0.25
    )
    platform = Platform("p", tuple(Machine(name) for name in names), links)
    return Problem.of(platform, Workload("diamond", tasks, flows))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_two_dedicated_machines_run_both_tasks_on_the_first(objective: str) -> None:
    best = advise(problem_of(two_machines()), objective)
    assert (best.plan.allocation, best.value_s, best.ties) == ((0, 0), 16.0, ())
    assert best.proved_optimal
    assert best.ties_complete
    assert best.gap == 0.0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_two_contenders_send_the_first_task_away(objective: str) -> None:
    best = advise(problem_of(two_machines(contenders=2)), objective)
    assert (best.plan.allocation, best.value_s, best.ties) == ((1, 0), 38.0, ())
    assert best.proved_optimal


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("strategy", ["auto", "chain", "exact"])
def test_a_slow_link_as_well_leaves_two_equal_allocations(objective: str, strategy: str) -> None:
    project = two_machines(contenders=2)
    links = tuple(replace(link, slowdown=3.0) for link in project.platform.links)
    platform = replace(project.platform, links=links)
    best = advise(Problem.of(platform, project.workload), objective, strategy)
    assert best.value_s == 48.0
    assert {best.plan.allocation, *best.ties} == {(0, 0), (1, 1)}
    assert best.ties_complete


def test_ties_of_a_plan_at_the_bound_are_those_that_were_met() -> None:
    """One long task on either of two equal machines, and many that fit beside it."""
    tasks = (Task("long", work=100.0), *(Task(f"t{i:02}", work=1.0) for i in range(40)))
    machines = (Machine("M1", cores=2), Machine("M2", cores=2))
    wire = Direction(0.0, 1e9)
    platform = Platform("pair", machines, (Link("M1", "M2", wire, wire),))
    elsewhere = Plan((0,) * 41)
    best = advise(Problem.of(platform, Workload("w", tasks)), seconds=0.1, start=elsewhere)
    assert best.proved_optimal
    assert best.value_s == 100.0
    assert {best.plan.allocation, *best.ties} >= {elsewhere.allocation}
    assert not best.ties_complete


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(6))
def test_advice_is_never_worse_than_heft_or_the_present_plan(objective: str, seed: int) -> None:
    made = random_problem(seed + 100, most_tasks=20, shared=False)
    start = random_plan(made, seed)
    best = advise(made, objective, seconds=SHORT_S, start=start)
    for plan in (start, heft(made)):
        assert best.value_s <= predict(made, plan).value_s(objective) * (1 + 1e-12)
    assert best.value_s == predict(made, best.plan).value_s(objective)
    assert best.lower_bound_s <= best.value_s


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_that_applies_gives_what_its_plan_reaches(
    strategy: str, objective: str
) -> None:
    problem = problem_of(two_machines(contenders=2)) if strategy == "chain" else diamond(2)
    if strategy in {"cut", "elimination"} and objective == MAKESPAN:
        with pytest.raises(InputError, match="the objective total"):
            advise(problem, objective, strategy)
        return
    if STRATEGIES[strategy].goal is not None and objective == TOTAL:
        with pytest.raises(InputError, match="for the makespan alone"):
            advise(problem, objective, strategy)
        return
    best = advise(problem, objective, strategy, seconds=0.3 if strategy == "exact" else SHORT_S)
    assert best.value_s == predict(problem, best.plan).value_s(objective)
    assert best.lower_bound_s <= best.value_s
    assert best.objective == objective
    assert best.plan.strategy == best.strategy
    values = [value for _, _, value in best.alternatives]
    assert values == sorted(values)
    assert all(value >= best.value_s for value in values)


@pytest.mark.parametrize(
    ("objective", "problem"),
    [
        (MAKESPAN, diamond()),
        (TOTAL, diamond()),
        (MAKESPAN, problem_of(cluster(width=4, stages=3))),
        (TOTAL, problem_of(cluster(width=4, stages=3))),
    ],
)
def test_the_same_seed_gives_the_same_advice_and_effort(
    objective: str, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incumbent, "PLACEMENTS_PER_SECOND", 10_000)
    kernels.load()
    one, two = (advise(problem, objective, seconds=30.0, seed=7) for _ in range(2))
    assert not any("clock" in warning for warning in (*one.warnings, *two.warnings))
    assert (one.plan, one.value_s, one.steps) == (two.plan, two.value_s, two.steps)
    assert (one.lower_bound_s, one.ties) == (two.lower_bound_s, two.ties)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_search_that_is_stopped_at_once_still_gives_a_plan(objective: str) -> None:
    problem = problem_of(cluster(width=4, stages=3))
    best = advise(problem, objective, should_stop=lambda: True)
    assert best.value_s == predict(problem, best.plan).value_s(objective)
    assert best.steps <= 5 * len(problem.workload.tasks)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_progress_never_gets_worse(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incumbent, "PROGRESS_S", 0.0)
    problem = problem_of(cluster(width=4, stages=3))
    told: list[Progress] = []
    best = advise(problem, objective, seconds=SHORT_S, on_progress=told.append)
    values = [progress.value_s for progress in told]
    assert len(values) > 5
    assert values == sorted(values, reverse=True)
    assert best.value_s <= values[-1]
    for progress in (told[0], told[-1]):
        assert progress.value_s == predict(problem, progress.plan).value_s(objective)
        assert progress.lower_bound_s <= progress.value_s
        assert progress.strategy in STRATEGIES
    fractions = [progress.fraction for progress in told]
    assert fractions == sorted(fractions)
    assert [progress.tried for progress in told] == sorted(progress.tried for progress in told)


def test_the_share_of_the_effort_never_falls_though_some_is_left_for_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(incumbent, "PROGRESS_S", 0.0)
    project = cluster(machines=2, width=3, stages=3)
    told: list[Progress] = []
    advise(Problem.of(project.platform, project.workload, sharing=FAIR), seconds=SHORT_S,
           on_progress=told.append)  # fmt: skip
    fractions = [progress.fraction for progress in told]
    assert len(fractions) > 5
    assert fractions == sorted(fractions)
    assert all(0.0 <= share <= 1.0 for share in fractions)
    assert all(one.left_s is None or one.left_s >= 0.0 for one in told)


def test_the_time_left_is_what_the_rest_takes_at_the_pace_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = {"wall": 100.0, "worked": 5.0}
    hands = SimpleNamespace(monotonic=lambda: clock["wall"], thread_time=lambda: clock["worked"])
    monkeypatch.setattr(incumbent, "time", hands)
    budget, told = StepBudget(1_000, lambda: False), incumbent.TimeLimit(20.0, None)
    assert told.far(budget) == (0.0, None)
    clock["wall"] = 102.0  # heuristics have made their plans
    assert told.far(budget) == (0.0, None)
    clock["wall"], budget.spent = 103.0, 50
    assert told.far(budget) == (0.05, None)
    clock["wall"], budget.spent = 107.0, 250  # a fifth in 4 s: three quarters take 15 s
    assert told.far(budget) == (0.25, pytest.approx(15.0))
    budget.budget = 300  # held down for a while: a share is one of the whole
    assert told.far(budget)[0] == 0.25
    clock["worked"] = 5.0 + 10.0  # half of what the clock allows: that is nearer to the end
    assert told.far(budget)[0] == 0.5


def test_progress_is_told_some_ten_times_a_second() -> None:
    told: list[Progress] = []
    best = advise(problem_of(cluster(width=4, stages=3)), seconds=SHORT_S, on_progress=told.append)
    assert 1 <= len(told) <= 2 + 11 * best.seconds_spent


def test_a_proof_that_does_not_end_leaves_effort_to_improve() -> None:
    # eight tasks: a proof is tried first, and does not end where transfers share links
    project = load_example("survey")
    platform = project.platform
    for load in ("contenders:n3", "link slowdown:n1–hub"):
        platform = find_parameter(platform, load).applied(platform, 10.0)
    problem = project.problem().on(platform)
    best = advise(problem, strategy="refine", seconds=1.0)
    assert advise(problem, seconds=1.0).value_s <= best.value_s * 1.01


def test_an_unknown_strategy_or_objective_is_refused_naming_what_is_allowed() -> None:
    problem = problem_of(two_machines())
    with pytest.raises(InputError, match=r"magic.*auto, chain, cut, elimination, exact, heft"):
        advise(problem, strategy="magic")
    with pytest.raises(InputError, match=r"speed.*makespan, total"):
        advise(problem, "speed")
    with pytest.raises(InputError, match="seconds"):
        advise(problem, seconds=0.0)


def many(tasks: int) -> Problem:
    platform = Platform("p", tuple(Machine(f"M{q}") for q in range(3)))
    return Problem.of(platform, Workload("w", tuple(Task(f"t{i}", work=1.0) for i in range(tasks))))


@pytest.mark.parametrize(
    ("strategy", "objective", "why"),
    [
        ("chain", MAKESPAN, "chain does not apply: the workload is not a chain.*auto"),
        ("cut", TOTAL, "cut does not apply: it needs two machines.*auto"),
        ("exact", TOTAL, "exact does not apply: the case is too large.*auto"),
    ],
)
def test_a_strategy_that_does_not_apply_is_refused(strategy: str, objective: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        advise(many(30), objective, strategy, seconds=0.05)


def narrow_chain() -> Problem:
    """Two tasks that both prefer a machine which holds one of them."""
    machines = (Machine("quick", speed=9.0, memory_bytes=10, memory="reserved"), Machine("slow"))
    tasks = tuple(Task(name, work=9.0, memory_bytes=6) for name in "ab")
    platform = Platform("p", machines, (Link("quick", "slow", WAY, WAY),))
    return Problem.of(platform, Workload("w", tasks, (Flow("a", "b", ((1, 1.0),)),)))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_shortest_path_that_breaks_memory_is_passed_over(objective: str) -> None:
    best = advise(narrow_chain(), objective)
    assert best.value_s == 11.0
    assert {best.plan.allocation, *best.ties} == {(0, 1), (1, 0)}
    assert best.proved_optimal
    assert any("shortest path exceeds" in warning for warning in best.warnings)
    with pytest.raises(InputError, match="fits into memory"):
        advise(narrow_chain(), objective, "chain")


def test_a_minimum_cut_that_breaks_memory_is_passed_over() -> None:
    with pytest.raises(InputError, match="cut does not apply"):
        advise(narrow_chain(), TOTAL, "cut")


def test_no_tie_breaks_memory() -> None:
    # both least cuts cost 2; that with both tasks on M1 does not fit
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(2))
    machines = (Machine("M0"), Machine("M1", memory_bytes=10, memory="reserved"))
    best = advise(Problem.of(Platform("p", machines), Workload("w", tasks)), TOTAL, "cut")
    assert best.value_s == 2.0
    assert (1, 1) not in best.ties


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("strategy", ["auto", "refine", "heft"])
def test_machines_out_of_reach_are_left_out(objective: str, strategy: str) -> None:
    machines = (Machine("M0"), Machine("M1"), Machine("island", speed=1.5))
    tasks = tuple(Task(f"t{i}", work=3.0) for i in range(10))
    home = Task("home", seconds=(("M0", 1.0),))
    flows = tuple(Flow("home", task.name, ((1, 1.0),)) for task in tasks)
    platform = Platform("p", machines, (Link("M0", "M1", WAY, WAY),))
    problem = Problem.of(platform, Workload("w", (home, *tasks), flows))
    best = advise(problem, objective, strategy, seconds=0.05)
    assert 2 not in best.plan.allocation
    assert best.value_s == predict(problem, best.plan).value_s(objective)


@pytest.mark.parametrize("count", [2, 30])
def test_where_nothing_fits_it_is_said(count: int) -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(count))
    platform = Platform("p", (Machine("M0", memory_bytes=10, memory="reserved"),))
    problem = Problem.of(platform, Workload("w", tasks))
    with pytest.raises(InfeasibleError, match="no feasible plan"):
        advise(problem, seconds=0.05)


def test_an_infeasible_present_plan_is_no_obstacle() -> None:
    best = advise(narrow_chain(), start=Plan((0, 0)))
    assert best.value_s == 11.0


def test_a_present_plan_that_is_best_stays() -> None:
    best = advise(problem_of(two_machines()), start=Plan((0, 0)))
    assert best.strategy == "start"
    assert best.proved_optimal


def test_only_the_extreme_cuts_are_listed_and_it_is_said() -> None:
    machines = (Machine("M0"), Machine("M1"))
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(3))
    best = advise(Problem.of(Platform("p", machines), Workload("w", tasks)), TOTAL)
    assert best.strategy == "cut"
    assert {best.plan.allocation, *best.ties} == {(0, 0, 0), (1, 1, 1)}
    assert not best.ties_complete
    assert any("extreme minimum cuts" in warning for warning in best.warnings)


def test_a_chain_without_a_path_is_infeasible() -> None:
    tasks = (Task("a", seconds=(("M1", 1.0),)), Task("b", seconds=(("M2", 1.0),)))
    apart = Workload("w", tasks, (Flow("a", "b", ((1, 8.0),)),))
    problem = Problem.of(Platform("p", (Machine("M1"), Machine("M2"))), apart)
    for objective in OBJECTIVES:
        with pytest.raises(InfeasibleError):
            advise(problem, objective, seconds=0.05)


def test_wide_graphs_leave_the_slow_list_schedulers_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "_WIDE", 10)
    best = advise(many(30), seconds=0.02)
    assert not {"min-min", "max-min"} & {name for name, _, _ in best.alternatives}


@pytest.mark.parametrize("seed", range(5))
def test_descent_finds_the_minimum_cut_or_more(seed: int) -> None:
    problem = random_problem(seed, most_tasks=12, shared=False)
    values: list[float] = []
    rest = StepBudget(20_000, lambda: False)
    starts = [Plan(heft(problem).allocation)]
    found: Callable[[Plan, float], None] = lambda _, value: values.append(value)  # noqa: E731
    total.descend(problem, starts, rest, seed, found, problem.lower_bounds_s[TOTAL])
    assert values == sorted(values, reverse=True)
    assert values[-1] >= problem.lower_bounds_s[TOTAL] * (1 - 1e-9)
    assert values[-1] <= predict(problem, starts[0]).total_s
    result = cut.solve(problem) if cut.applies(problem) else None
    if result is not None:
        assert values[-1] >= predict(problem, Plan(result.least)).total_s * (1 - 1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_tasks_that_take_no_time_at_all_are_placed(objective: str) -> None:
    machines = (Machine("M0"), Machine("M1"))
    tasks = tuple(Task(f"t{i}", work=0.0) for i in range(3))
    best = advise(Problem.of(Platform("p", machines), Workload("w", tasks)), objective)
    assert best.value_s == 0.0
    assert best.proved_optimal
    assert best.gap == 0.0


@pytest.mark.parametrize("strategy", ["auto", "refine"])
def test_a_start_of_another_workload_is_an_error(strategy: str) -> None:
    problem = random_problem(3)
    tasks = len(problem.workload.tasks)
    with pytest.raises(InputError, match="another workload"):
        advise(problem, strategy=strategy, seconds=0.1, start=Plan((0,) * (tasks + 1)))
