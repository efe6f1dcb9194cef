"""What others cost is the difference to the same plan with nobody else there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.advice.others import others_of
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from machines import Contender, Direction, Link, Machine, Platform


def asked(*contenders: Contender, cores: int = 8, tasks: int = 8) -> tuple[Problem, Plan]:
    platform = Platform("p", (Machine("M", cores, contenders=contenders), Machine("idle")))
    workload = Workload("w", tuple(Task(f"t{one}", 10.0) for one in range(tasks)))
    return Problem.of(platform, workload), Plan((0,) * tasks)


def test_contenders_on_cores_that_own_tasks_fill_are_charged_all_that_they_take() -> None:
    """8 tasks of 10 s and 4 contenders on 8 cores take 15 s, without them 10 s."""
    problem, plan = asked(*(Contender(f"c{one}", 1.0) for one in range(4)))
    found = others_of(problem, predict(problem, plan), "makespan")
    assert found.cost_s == pytest.approx(5.0)
    assert found.brief == "4 contenders: +5.00 s"
    assert found.sentence == (
        "Others (4 contenders on M) cost 5.00 s (33 %): without them this plan takes 10.0 s, "
        "not 15.0 s."
    )


def test_contenders_beside_free_cores_cost_nothing_and_nobody_is_said_to_be_there() -> None:
    problem, plan = asked(Contender("c", 1.0), tasks=1)
    found = others_of(problem, predict(problem, plan), "makespan")
    assert (found.cost_s, found.brief) == (0.0, "1 contender: nothing")
    problem, plan = asked()
    found = others_of(problem, predict(problem, plan), "makespan")
    assert (found.cost_s, found.brief, found.sentence) == (0.0, "nothing", "")


def test_stated_slowdowns_of_machines_and_links_are_others_too() -> None:
    problem, plan = asked(cores=1, tasks=2)
    first, second = problem.platform.machines
    wire = Direction(1.0, 1e6)
    link = Link("M", "idle", wire, wire, slowdown=2.0)
    platform = replace(
        problem.platform, machines=(replace(first, slowdown=1.5), second), links=(link,)
    )
    loaded = Problem.of(platform, problem.workload)
    found = others_of(loaded, predict(loaded, plan), "total")
    assert found.cost_s == pytest.approx(10.0)
    assert "other load on M, M–idle" in found.sentence
