"""Of equal plans the simplest is advised: fewer machines, fewer moves, less total."""

from __future__ import annotations

from itertools import pairwise

import pytest

from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Direction, InfeasibleError, Link, Machine, Platform
from tests.advisor.random_executed import random_executed

WAY = Direction(1e-3, 1e9)


def long_and_short(machines: int, cores: int) -> Problem:
    """A long task beside short ones, which end before it wherever they run."""
    sites = tuple(Machine(f"M{q}", cores) for q in range(machines))
    links = tuple(Link(a.name, b.name, WAY, WAY) for i, a in enumerate(sites) for b in sites[:i])
    tasks = (Task("long", work=100.0), *(Task(f"s{i}", work=1.0 + i) for i in range(10)))
    flows = tuple(Flow(a.name, b.name, ((1, 1e3),)) for a, b in pairwise(tasks[1:]))
    return Problem.of(Platform("p", sites, links), Workload("w", tasks, flows))


def test_what_one_machine_does_as_soon_is_not_spread() -> None:
    found = advise(long_and_short(4, 2), seconds=0.2)
    assert found.value_s == pytest.approx(100.0)
    assert len({*found.plan.allocation}) == 1


def test_of_as_many_machines_the_one_where_the_tasks_are_is_kept() -> None:
    problem = long_and_short(4, 2)
    for machine in range(4):
        start = Plan((machine,) * 11)
        assert advise(problem, seconds=0.2, start=start).plan.allocation == start.allocation


def test_a_simpler_plan_is_no_worse_and_the_other_is_a_tie_or_an_alternative(
    compiled: None,
) -> None:
    swapped = 0
    for seed in range(40):
        try:
            problem = random_executed(seed, most_tasks=5)
            found = advise(problem, seconds=0.1)
        except InfeasibleError:
            continue
        assert reached_s(problem, "makespan", found.plan) == pytest.approx(found.value_s, rel=1e-9)
        assert found.plan.allocation not in found.ties
        equal = [plan for _, plan, value_s in found.alternatives if value_s <= found.value_s]
        swapped += bool(equal)
        machines = len({*found.plan.allocation})
        assert all(machines <= len({*plan.allocation}) for plan in equal)
    assert swapped > 5
