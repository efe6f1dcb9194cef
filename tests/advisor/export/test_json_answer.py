"""Answers as JSON objects."""

from __future__ import annotations

import json
import math

import pytest

from advisor.advice.explain import explain
from advisor.allocation.comparison import compare
from advisor.allocation.measures import MEASURES
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.export.json_answer import (
    advice_report,
    as_json,
    comparison_report,
    plan_report,
    prediction_report,
)
from advisor.search import advise
from tests.conftest import two_machines


def slowed() -> Problem:
    project = two_machines(contenders=2)
    return Problem.of(project.platform, project.workload)


def test_infinity_and_nan_become_null() -> None:
    text = as_json({"a": math.inf, "b": [math.nan, 1.0], "c": {"d": -math.inf}})
    assert json.loads(text) == {"a": None, "b": [None, 1.0], "c": {"d": None}}


def test_a_long_report_is_joined_piece_by_piece_to_the_same_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = {"tasks": [{"name": f"é{i}", "start_s": i / 3, "of": []} for i in range(40)]}
    monkeypatch.setattr("advisor.export.json_answer._JOINED", 7)
    assert as_json(report) == json.dumps(report, ensure_ascii=False, indent=2)


def test_advice_has_every_promised_key() -> None:
    problem = slowed()
    recommendation = advise(problem)
    prediction = predict(problem, recommendation.plan)
    explanation = explain(problem, recommendation)
    sources = {"workload": "w.toml", "platform": "p.toml"}
    report = advice_report(problem, recommendation, prediction, explanation, sources)
    promised = (
        "objective value_s lower_bound_s gap proved_optimal strategy allocation order ties "
        "breakdown_s warnings seconds_spent"
    )
    assert set(promised.split()) <= set(report)
    assert report["allocation"] == {"A": "M2", "B": "M1"}
    assert report["order"] == ["A", "B"]
    assert report["value_s"] == pytest.approx(38.0)
    assert report["sources"] == sources
    assert json.loads(as_json(report))["explanation"]["flips"][0]["allocation"]


def test_what_is_not_proved_lists_no_ties() -> None:
    problem = slowed()
    recommendation = advise(problem, strategy="heft")
    report = advice_report(problem, recommendation, predict(problem, recommendation.plan))
    assert ("ties" in report) == recommendation.proved_optimal
    assert "explanation" not in report
    assert "sources" not in report


def test_a_prediction_has_every_promised_key() -> None:
    problem = slowed()
    report = prediction_report(problem, predict(problem, Plan((1, 0))))
    assert report["makespan_s"] == pytest.approx(38.0)
    assert report["total_s"] == pytest.approx(38.0)
    tasks = report["tasks"]
    assert isinstance(tasks, dict)
    assert tasks["B"] == pytest.approx(
        {
            "machine": "M1",
            "start_s": 26.0,
            "end_s": 38.0,
            "dedicated_s": 4.0,
            "slowdown": 3.0,
            "critical": True,
            "slack_s": 0.0,
        }
    )
    assert report["flows"] == [{"from": "A", "to": "B", "dedicated_s": 8.0, "slowdown": 1.0}]
    breakdown = report["breakdown_s"]
    assert isinstance(breakdown, dict)
    assert sum(breakdown.values()) == pytest.approx(38.0)


def test_a_plan_names_its_order_even_when_it_is_the_default() -> None:
    problem = slowed()
    assert plan_report(problem, Plan((0, 0)))["order"] == ["A", "B"]
    assert plan_report(problem, Plan((0, 0), order=(0, 1)))["order"] == ["A", "B"]


SPENT = (
    "machines_used", "processors_used", "money", "energy_j", "without_price", "without_watts",
)  # fmt: skip


def test_a_comparison_lists_its_plans() -> None:
    problem = slowed()
    rows = compare(problem, [("one", Plan((0, 0))), ("two", Plan((1, 0)))])
    report = json.loads(as_json(comparison_report(problem, rows, "makespan")))
    assert [plan["name"] for plan in report["plans"]] == ["one", "two"]
    assert report["plans"][1]["makespan_difference_s"] == pytest.approx(-10.0)
    assert report["pareto"] == "total"
    assert [plan["on_pareto_front"] for plan in report["plans"]] == [False, True]
    assert report["plans"][0]["pareto_fronts"] == ["machines", "processors"]
    assert report["plans"][1]["pareto_fronts"] == ["total", "machines", "processors"]
    second = {key: report["plans"][1][key] for key in SPENT}
    assert second == {
        "machines_used": 2,
        "processors_used": 2,
        "money": None,
        "energy_j": None,
        "without_price": ["M1", "M2"],
        "without_watts": ["M1", "M2"],
    }
    against = json.loads(
        as_json(comparison_report(problem, rows, "makespan", MEASURES["machines"]))
    )
    assert [plan["on_pareto_front"] for plan in against["plans"]] == [True, True]
