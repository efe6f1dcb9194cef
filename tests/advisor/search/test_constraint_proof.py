"""Proofs by CP-SAT against every allocation in every order, and against branch and bound."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from advisor.search import exact_search as exact
from advisor.search.constraint_proof import Proof, prove
from advisor.search.incumbent import StepBudget
from machines import Direction, InputError, Link, Machine, Platform, Resource
from machines.platform import Switch
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan, random_problem
from tests.advisor.search.test_exact_search import every_makespan, small

pytest.importorskip("ortools", reason="proofs by CP-SAT take the extra placewise[proof]")


def proof(problem: Problem, plan: Plan, seconds: float = 2.0, *, stop: bool = False) -> Proof:
    shared = problem.executed if problem.sharing == FAIR else None
    known = exact.known_schedule(problem, plan)
    return prove(exact.bounding(problem), known, seconds, lambda: stop, executed=shared)


def first_plan(problem: Problem) -> Plan | None:
    """A random plan that can run, as far as some draws show."""
    plans = (random_plan(problem, seed) for seed in range(9))
    return next((one for one in plans if reached_s(problem, MAKESPAN, one) < np.inf), None)


def optimum(problem: Problem) -> float:
    found = exact.solve(problem, MAKESPAN, np.inf, StepBudget(10**9, lambda: False), ties=False)
    return found.lower_bound_s if found.proved else np.inf


@pytest.mark.parametrize("shared", [False, True])
def test_the_bound_is_the_best_of_all_allocations_and_orders(shared: bool) -> None:
    for seed in range(6):
        problem = small(seed, shared=shared)
        values = every_makespan(problem)
        found = proof(problem, Plan(max((v, a) for a, v in values.items() if v < np.inf)[1]))
        assert found.bound_s == pytest.approx(min(values.values()), rel=1e-11)
        best = min(reached_s(problem, MAKESPAN, plan) for plan in found.plans)
        assert best == pytest.approx(min(values.values()))


@pytest.mark.parametrize("sharing", [NONE, FAIR])
def test_the_bound_never_exceeds_the_optimum(sharing: str) -> None:
    proved = 0
    for seed in range(100):
        problem = (
            random_problem(seed, most_tasks=5, sharing=NONE)
            if sharing == NONE
            else random_executed(seed, most_tasks=4)
        )
        plan = first_plan(problem)
        if plan is None:
            continue
        found = proof(problem, plan, 0.5)
        least = min(optimum(problem), reached_s(problem, MAKESPAN, plan))
        assert found.bound_s <= least * (1 + 1e-12), seed
        proved += found.bound_s >= least * (1 - 1e-9)
    assert proved >= (60 if sharing == NONE else 20)


def test_a_bus_over_which_all_data_move_delays_the_bound() -> None:
    """Three tasks of 1 s send 100 bytes each over 10 bytes/s to tasks of 1 s elsewhere."""
    names = [f"M{q}" for q in range(4)]
    way = Direction(0.0, 10.0)
    platform = Platform(
        "bus",
        tuple(Machine(name) for name in names),
        tuple(Link(name, "bus", way, way) for name in names),
        switches=(Switch("bus", 10.0),),
    )
    sources = tuple(Task(f"t{q}", seconds=((names[q], 1.0),)) for q in range(3))
    ends = tuple(Task(f"u{q}", seconds=((names[(q + 1) % 3], 1.0),)) for q in range(3))
    flows = tuple(Flow(f"t{q}", f"u{q}", ((1, 100.0),)) for q in range(3))
    problem = Problem.of(platform, Workload("w", (*sources, *ends), flows))
    plan = Plan((0, 1, 2, 1, 2, 0))
    assert proof(problem, plan).bound_s == pytest.approx(32.0)
    assert reached_s(problem, MAKESPAN, plan) == pytest.approx(32.0)


def odd(seed: int) -> Problem:
    """Seconds that no scale makes whole; memory, GPUs and a licence that tasks hold."""
    rng = np.random.default_rng(seed)
    machines = tuple(
        Machine(f"M{q}", cores=2, speed=float(rng.uniform(0.5, 2.0)), memory_bytes=10,
                resources=(Resource("gpu", 1),))
        for q in range(2)
    )  # fmt: skip
    tasks = tuple(
        Task(
            f"t{i}",
            work=float(rng.uniform(0.1, 3.0)) / 3.0,
            memory_bytes=int(rng.integers(1, 8)),
            resources=((("gpu", 1), ("licence", 1))[: int(rng.integers(0, 3))]),
        )
        for i in range(5)
    )
    flows = (Flow("t0", "t3"), Flow("t1", "t4"))
    platform = Platform("p", machines, resources=(Resource("licence", 1),))
    return Problem.of(platform, Workload("w", tasks, flows), sharing=NONE)


def test_seconds_that_are_not_whole_and_what_tasks_hold_are_bounded_too() -> None:
    for seed in range(8):
        problem = odd(seed)
        least = optimum(problem)
        found = proof(problem, Plan((0,) * 5))
        assert least * (1 - 1e-9) <= found.bound_s <= least
        assert min(reached_s(problem, MAKESPAN, plan) for plan in found.plans) == pytest.approx(
            least
        )


def wide(tasks: int = 30) -> Problem:
    """Three chains on two machines without a link: too many tasks for branch and bound."""
    machines = (Machine("quick", speed=3.0), Machine("slow"))
    work = tuple(Task(f"t{i}", work=float(i % 5 + 1)) for i in range(tasks))
    flows = tuple(Flow(f"t{i}", f"t{i + 3}", ((1, 8.0),)) for i in range(tasks - 3))
    return Problem.of(Platform("p", machines), Workload("w", work, flows), sharing=NONE)


def test_answers_repeat_and_a_stop_leaves_a_bound_that_holds() -> None:
    problem = random_problem(3, most_tasks=9, sharing=NONE)
    plan = first_plan(problem)
    assert plan is not None
    assert proof(problem, plan) == proof(problem, plan)
    stopped = proof(problem, plan, stop=True)
    assert stopped.bound_s <= proof(problem, plan).bound_s


def test_exact_proves_what_is_too_large_for_branch_and_bound() -> None:
    problem = wide()
    assert not exact.fits(problem, MAKESPAN)
    found = advise(problem, strategy="exact", seconds=2.0)
    assert found.proved_optimal
    assert found.value_s == pytest.approx(found.lower_bound_s)


def test_without_the_extra_large_cases_are_refused_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact, "installed", lambda: False)
    with pytest.raises(InputError, match="too large to be solved exactly"):
        advise(wide(), strategy="exact", seconds=0.1)


def test_the_automatic_choice_asks_where_there_is_time() -> None:
    problem = wide(25)
    assert exact.STRATEGY.least_s(problem, MAKESPAN) == 10.0
    assert exact.STRATEGY.least_s(wide(5), MAKESPAN) == 0.0
