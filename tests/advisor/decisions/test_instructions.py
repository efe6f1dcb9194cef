"""Headlines that instruct: what goes where, how many and of what kind."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.comparison import plan_label
from advisor.allocation.objectives import SPREAD, alike
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.task import Variant
from advisor.allocation.workload import Task, Workload
from advisor.decisions.instructions import instruction, start, steps
from machines import Direction, Link, Machine, Platform
from tests.advisor.random_problems import random_plan, random_problem

KINDS = ("filter",) * 5 + ("merge",) * 2 + ("split",)
WIRE = Direction(0.0, 1e9)


def eight(machines: int = 4) -> Problem:
    """Five filters, two merges, one split, on up to four machines."""
    names = [f"M{q + 1}" for q in range(machines)]
    links = tuple(Link(a, b, WIRE, WIRE) for a in names for b in names if a < b)
    tasks = tuple(Task(f"{kind}_{i}", work=1.0, kind=kind) for i, kind in enumerate(KINDS))
    platform = Platform("eight", tuple(map(Machine, names)), links)
    return Problem.of(platform, Workload("eight", tasks))


@pytest.mark.parametrize(
    ("now", "then", "words"),
    [
        ((0,) * 8, (1, *(0,) * 7), "Move filter_0 to M2"),
        ((0,) * 8, (1, 1, *(0,) * 6), "Move filter_0 and filter_1 to M2"),
        ((0,) * 8, (1, 2, *(0,) * 6), "Move filter_0 to M2, filter_1 to M3"),
        ((0,) * 8, (*(1,) * 7, 0), "Move 7 tasks to M2 (5 filter, 2 merge)"),
        ((0,) * 8, (1,) * 8, "Move all 8 tasks to M2 (5 filter, 2 merge, 1 split)"),
        (
            (0,) * 8,
            (*(1,) * 5, 2, 2, 0),
            "Move 5 tasks to M2 (5 filter) and 2 to M3 (merge_5, merge_6)",
        ),
        (
            (0,) * 8,
            (*(1,) * 5, 2, 2, 3),
            "Move 5 tasks to M2 (5 filter), 2 to M3 (merge_5, merge_6) and 1 more to M4",
        ),
        ((0,) * 8, (0,) * 8, "Start the tasks in another order"),
    ],
)
def test_changes_read_as_commands(now: tuple[int, ...], then: tuple[int, ...], words: str) -> None:
    assert instruction(eight(), Plan(then), Plan(now)) == words


def test_without_a_present_plan_it_says_what_runs_where() -> None:
    problem = eight()
    assert start(problem, Plan((1,) * 8)) == "Run all on M2"
    assert start(problem, Plan((*(1,) * 5, 2, 2, 3))) == (
        "Run 5 tasks on M2 (5 filter), 2 on M3 (merge_5, merge_6) and 1 more on M4"
    )
    assert start(problem, Plan((0, 0, 0, 0, 1, 1, 2, 3))).endswith("2 more on 2 other machines")


def test_a_task_that_is_alone_of_its_kind_is_named_and_numbered_ones_are_tasks() -> None:
    names = ("task 1", "task 2", "task 3", "task 4", "report", "solve_1", "solve_2")
    machines = (Machine("M1"), Machine("M2"))
    problem = Problem.of(
        Platform("two", machines), Workload("w", tuple(Task(name, work=1.0) for name in names))
    )
    assert start(problem, Plan((0, 0, 0, 0, 0, 1, 1))) == (
        "Run 5 tasks on M1 (4 tasks, report) and 2 on M2 (solve_1, solve_2)"
    )


def test_tasks_of_no_common_kind_are_named() -> None:
    tasks = tuple(Task(name, work=1.0) for name in ("read", "fit", "plot", "check", "mail"))
    platform = eight().platform
    problem = Problem.of(platform, Workload("five", tasks))
    told = instruction(problem, Plan((1, 1, 1, 1, 0)), Plan((0,) * 5))
    assert told == "Move 4 tasks to M2 (read, fit and 2 more)"


@given(st.integers(0, 10_000))
def test_steps_carried_out_on_the_present_plan_give_the_other(seed: int) -> None:
    problem = random_problem(seed)
    now, then = random_plan(problem, seed), random_plan(problem, seed + 1)
    allocation = list(now.allocation)
    for step in steps(then, now):
        for task in step.tasks:
            assert allocation[task] != step.machine
            allocation[task] = step.machine
    assert tuple(allocation) == then.allocation
    told = instruction(problem, then, now)
    assert told.startswith("Start") == (now.allocation == then.allocation)
    if told.startswith("Move") and "(" in told:
        amounts = re.findall(r"(\d+)(?: tasks?| more)? to ", told)
        assert sum(map(int, amounts)) == sum(len(step.tasks) for step in steps(then, now))


def test_what_differs_by_the_models_error_is_alike() -> None:
    assert alike(100.0, 100.0 * (1 - SPREAD))
    assert not alike(100.0, 96.9)
    assert alike(0.0, 0.0)


def test_another_variant_is_a_command() -> None:
    ways = (Variant("cpu", work=2.0), Variant("gpu", work=1.0))
    tasks = tuple(Task(f"fit {i}", variants=ways) for i in range(4))
    asked = Problem.of(Platform("one", (Machine("M"),)), Workload("w", tasks))
    now, then = Plan((0,) * 4, variants=(0,) * 4), Plan((0,) * 4, variants=(1, 1, 1, 0))
    assert instruction(asked, then, now) == "Run 3 tasks as gpu"
    assert instruction(asked, now, then) == "Run 3 tasks as cpu"
    assert plan_label(asked, replace(now, variants=(0, 1, 0, 0)), now) == "fit 1 as gpu"
