"""Plans as tables: what is written is read, and what does not fit is refused with its place."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given

from advisor.allocation.plan import Plan
from advisor.decisions.plan_table import KEYS, decisions_table, plan_from, plan_table
from machines import InputError
from tests.advisor.decided import everything, plans


@given(plans())
def test_a_plan_with_all_its_decisions_comes_back_from_json(plan: Plan) -> None:
    problem, _ = everything()
    table = plan_table(plan, problem.workload, problem.platform)
    assert set(table) <= set(KEYS)
    again = plan_from(json.loads(json.dumps(table)), problem.workload, problem.platform)
    assert again.alike(plan)
    assert (again.order, again.strategy) == (plan.order, plan.strategy)


def test_an_order_and_the_strategy_come_back() -> None:
    problem, plan = everything()
    ordered = replace(
        plan, order=tuple(problem.workload.topological_order.tolist()), strategy="by hand"
    )
    table = plan_table(ordered, problem.workload, problem.platform)
    assert table["order"] == [problem.workload.tasks[one].name for one in ordered.order or ()]
    assert plan_from(table, problem.workload, problem.platform) == ordered


def test_what_is_not_decided_is_left_out() -> None:
    problem, plan = everything()
    bare = replace(plan.bare(), order=None)
    table = plan_table(bare, problem.workload, problem.platform)
    assert set(table) == {"allocation", "strategy"}
    assert decisions_table(bare, problem.workload) == {}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"allocation": ["n1"]}, "allocation must be a table"),
        ({"allocation": {"nobody": "n1"}}, "unknown task in the allocation"),
        ({"allocation": {"fft": "n1"}}, "leaves a task out"),
        ({"order": ["nobody"]}, "unknown task in the order"),
        ({"order": ["fft"]}, "every task once"),
        ({"processors": 3}, "processors must be a table"),
        ({"choices": {"nobody": {"style": "synchronous-short"}}}, "unknown task"),
        ({"choices": {"report": {"style": "synchronous-short"}}}, "no program"),
        ({"choices": {"fft": {"block": 3}}}, "no such choice"),
        ({"choices": {"fft": {"style": "quick"}}}, "unknown message style"),
        ({"choices": {"fft": "quick"}}, "table of keys"),
        ({"choices": ["fft"]}, "choices must be a table"),
        ({"choices": {"fft": {"mapping": [0, 0, 1.5]}}}, "node must be a whole number"),
        ({"overlays": {"nobody": {"tree": "8x8"}}}, "unknown overlay"),
        ({"overlays": ["monitor"]}, "overlays must be a table"),
        ({"overlays": {"monitor": {"tree": "3x3"}}}, "do not need this tree|back-ends"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, object], words: str) -> None:
    problem, plan = everything()
    table = plan_table(plan, problem.workload, problem.platform) | changed
    with pytest.raises(InputError, match=words):
        plan_from(table, problem.workload, problem.platform)


def test_an_order_puts_no_task_before_one_that_feeds_it() -> None:
    problem, plan = everything()
    table = plan_table(plan, problem.workload, problem.platform)
    order = [task.name for task in problem.workload.tasks]
    with pytest.raises(InputError, match="before its input"):
        plan_from(table | {"order": order[::-1]}, problem.workload, problem.platform)
    where = dict(table["allocation"]) | {"fft": "nowhere"}
    with pytest.raises(InputError, match="unknown machine in the allocation"):
        plan_from(table | {"allocation": where}, problem.workload, problem.platform)


def test_a_table_without_an_allocation_is_none() -> None:
    problem, _ = everything()
    with pytest.raises(InputError, match="allocation"):
        plan_from({}, problem.workload, problem.platform)
