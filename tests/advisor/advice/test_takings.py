"""One kind of decision of another plan, all else as it is: what it gives, or why it can't run."""

from __future__ import annotations

import pytest

from advisor.advice.by_decision import gains_by_decision
from advisor.advice.takings import takings
from advisor.allocation.predict import predict
from advisor.decisions.registry import known
from tests.choosing_pin import with_pin


def test_each_kind_that_differs_is_taken_over_alone() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    found = {one.kind.name: one for one in takings(problem, "makespan", now, other, lambda: False)}
    assert list(found) == ["allocation", "style", "block", "tree"]
    for name in ("allocation", "style", "tree"):
        alone = predict(problem, known()[name].taken(now, other))
        assert found[name].value_s == alone.makespan_s
    assert found["block"].value_s is None
    assert "align can't run on alewife" in found["block"].reason


def test_they_are_what_the_gain_by_decision_calls_alone() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    now_s = predict(problem, now).makespan_s
    alone = {
        one.names[0]: one.alone_s
        for one in gains_by_decision(problem, "makespan", now, other)
        if len(one.names) == 1
    }
    assert {"style", "tree"} & set(alone)
    for one in takings(problem, "makespan", now, other, lambda: False):
        if one.kind.name not in alone:  # it saves only with another one
            continue
        saved_s = None if one.value_s is None else now_s - one.value_s
        assert alone[one.kind.name] == (None if saved_s is None else pytest.approx(saved_s))


def test_between_equal_plans_there_is_nothing_to_take_and_a_stop_ends_it() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    assert takings(problem, "makespan", now, now, lambda: False) == ()
    assert takings(problem, "makespan", now, other, lambda: True) == ()
