"""Whatever a plan does not use leaves its order, and so its times, as they are."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from advisor.advice.contest import candidates, values_on
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Contender, Direction, Link, Machine, Platform

_TASKS, _SEEDS = 12, 12
_IDLE = Machine("idle", speed=0.5)


def _problem(seed: int, sharing: str, idle: Machine = _IDLE) -> Problem:
    """Tasks and flows among them, on two machines and one that plans do not use."""
    draw = random.Random(seed)
    machines = (Machine("M1"), Machine("M2", speed=1.5), idle)
    wire = Direction(1e-3, 1e6)
    pairs = (("M1", "M2"), ("M1", "idle"), ("M2", "idle"))
    links = tuple(Link(one, other, wire, wire) for one, other in pairs)
    tasks = tuple(Task(f"t{k}", work=draw.uniform(1.0, 20.0)) for k in range(_TASKS))
    flows = tuple(
        Flow(f"t{one}", f"t{other}", ((1, draw.uniform(1e6, 3e7)),))
        for one in range(_TASKS)
        for other in range(one + 1, _TASKS)
        if draw.random() < 0.15
    )
    return Problem.of(Platform("p", machines, links), Workload("w", tasks, flows), sharing=sharing)


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_load_on_a_machine_without_tasks_changes_nothing(sharing: str) -> None:
    loaded = replace(_IDLE, contenders=tuple(Contender(f"c{k}", 1.0) for k in range(4)))
    reordered = 0
    for seed in range(_SEEDS):
        plan = Plan(tuple(random.Random(seed).choices((0, 1), k=_TASKS)))
        problem, beside = _problem(seed, sharing), _problem(seed, sharing, loaded)
        assert predict(beside, plan).makespan_s == predict(problem, plan).makespan_s
        reordered += beside.rank_order.tolist() != problem.rank_order.tolist()
    assert reordered  # by HEFT, which may use that machine


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_a_plan_has_the_order_in_which_it_is_valued(sharing: str) -> None:
    problem = _problem(1, sharing)
    plan = Plan((0, 1) * (_TASKS // 2))
    found = ordered(problem, plan)
    assert found.order is not None
    assert ordered(problem, found) is found
    assert predict(problem, found).makespan_s == predict(problem, plan).makespan_s
    advice = advise(problem, seconds=0.05)
    for one, value_s in (
        (advice.plan, advice.value_s),
        *((plan, value_s) for _, plan, value_s in advice.alternatives),
    ):
        assert one.order is not None
        assert predict(problem, one).makespan_s == pytest.approx(value_s)


def test_no_figure_of_a_machine_without_tasks_changes_plans_that_compete() -> None:
    """Its speed and its links change the ranks of all tasks, and so orders that are made anew."""
    problem, faster = _problem(1, FAIR), _problem(1, FAIR, replace(_IDLE, speed=8.0))
    given = [Plan(tuple(random.Random(seed).choices((0, 1), k=_TASKS))) for seed in range(_SEEDS)]
    plans = candidates(problem, advise(problem, seconds=0.01), None, given)
    plans = tuple(plan for plan in plans if 2 not in plan.allocation)
    assert len(plans) >= _SEEDS
    for timeline in (problem, faster):
        values_s = values_on(timeline, MAKESPAN, timeline.platform, plans)
        assert values_s.tolist() == values_on(problem, MAKESPAN, problem.platform, plans).tolist()
    anew = [predict(faster, plan).makespan_s for plan in given]
    assert anew != [predict(problem, plan).makespan_s for plan in given]
