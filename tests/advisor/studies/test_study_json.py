"""Answers of studies as JSON objects."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from advisor.allocation.problem import Problem
from advisor.export.json_answer import as_json
from advisor.studies import STUDIES, Check, Note, Series, StudyResult, Table
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.facts import LESS, Fact
from advisor.studies.study_json import study_report
from tests.conftest import two_machines


def slowed() -> Problem:
    project = two_machines(contenders=2)
    return Problem.of(project.platform, project.workload)


def test_studies_are_reported_with_their_pictures() -> None:
    problem = slowed()
    study = STUDIES["decision-map"]
    result = study.run(DecisionMapParameters(problem, points=3))
    report = json.loads(as_json(study_report(study, result, problem)))
    assert len(report["map"]["region"]) == 3
    assert report["map"]["plans"][0]["allocation"] == {"A": "M2", "B": "M1"}
    study = STUDIES["allocation"]
    result = study.run(AllocationParameters(problem))
    report = json.loads(as_json(study_report(study, result, problem)))
    assert report["recommendation"]["allocation"] == {"A": "M2", "B": "M1"}
    assert report["tables"][0]["columns"][1] == {"name": "makespan", "unit": "s"}


def small(**changes: Any) -> StudyResult:
    """An answer with one of everything, written by hand."""
    line = Series("a", (1.0, 2.0), (3.0, 4.0), "size", "B", "time", "s")
    bars = Series("b", ("x", "y"), (5.0, 6.0), "style", "", "time", "s", "bars")
    table = Table("T", (("name", ""), ("time", "s")), (("x", 5.0), ("y", None)))
    notes = (Note(True, "Fine.", "Paper 1999"), Note(False, "Doubtful."))
    result = StudyResult(
        "Use x.",
        "It is faster than y.",
        "y",
        (Fact("time", 5.0, "s", 6.0, LESS), Fact("least", 1.0, "s", most=2.0)),
        ("Because.",),
        (line, bars),
        (table,),
        notes,
    )
    return replace(result, **changes)


def reported(result: StudyResult, check: Check | None = None) -> Any:
    study = STUDIES["sharing"]
    return json.loads(as_json(study_report(study, result, check=check)))


def test_an_answer_is_reported_word_by_word_and_number_by_number() -> None:
    assert reported(small()) == {
        "study": "sharing",
        "sentence": "Use x. It is faster than y.",
        "headline": "Use x.",
        "alternative": "It is faster than y.",
        "against": "y",
        "facts": [
            {"name": "time", "value": 5.0, "unit": "s", "against": 6.0, "difference": -1.0,
             "better": "less"},
            {"name": "least", "value": 1.0, "unit": "s", "most": 2.0, "against": None,
             "difference": None, "better": ""},
        ],
        "reasons": ["Because."],
        "complete": True,
        "series": [
            {"name": "a", "kind": "line", "x_label": "size", "x_unit": "B", "x": [1.0, 2.0],
             "y_label": "time", "y_unit": "s", "y": [3.0, 4.0]},
            {"name": "b", "kind": "bars", "x_label": "style", "x_unit": "", "x": ["x", "y"],
             "y_label": "time", "y_unit": "s", "y": [5.0, 6.0]},
        ],
        "tables": [
            {"title": "T",
             "columns": [{"name": "name", "unit": ""}, {"name": "time", "unit": "s"}],
             "rows": [["x", 5.0], ["y", None]]},
        ],
        "notes": [
            {"inside_domain": True, "text": "Fine.", "source": "Paper 1999",
             "kind": "validity"},
            {"inside_domain": False, "text": "Doubtful.", "source": "",
             "kind": "validity"},
        ],
    }  # fmt: skip


def test_a_stopped_answer_says_so() -> None:
    assert reported(small(complete=False))["complete"] is False


def test_half_widths_are_reported_where_they_are_known() -> None:
    points = Series("s", (1.0,), (2.0,), "x", "", "y", "", "points", half_width=(0.25,))
    bare = replace(points, half_width=())
    known, unknown = reported(small(series=(points, bare)))["series"]
    assert known["half_width"] == [0.25]
    assert "half_width" not in unknown


def test_a_check_is_reported_beside_the_answer() -> None:
    points = Series("simulated", (1.0,), (2.0,), "x", "", "y", "", "points", half_width=(0.5,))
    table = Table("Check", (("case", ""),), (("one",),))
    check = Check("Simulated.", (points,), table, (Note(True, "Left out."),), complete=False)
    found = reported(small(), check)["check"]
    assert (found["sentence"], found["complete"]) == ("Simulated.", False)
    assert found["series"][0]["half_width"] == [0.5]
    assert found["table"]["rows"] == [["one"]]
    assert [note["text"] for note in found["notes"]] == ["Left out."]
    assert "check" not in reported(small())


def test_a_plan_is_reported_only_with_what_it_is_a_plan_of() -> None:
    problem = slowed()
    study = STUDIES["allocation"]
    result = study.run(AllocationParameters(problem))
    assert result.recommendation is not None
    assert "recommendation" not in study_report(study, result)
    found: Any = study_report(study, result, problem)["recommendation"]
    assert found["value_s"] == result.recommendation.value_s
    assert found["strategy"] == result.recommendation.strategy


def test_what_a_study_adds_comes_last_and_from_its_own_answer() -> None:
    own = replace(STUDIES["sharing"], report=lambda result, _problem: {"more": result.sentence})
    found = study_report(own, small())
    assert list(found)[-1] == "more"
