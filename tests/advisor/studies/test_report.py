"""Answers of studies as JSON objects."""

from __future__ import annotations

import json

from advisor.allocation.problem import Problem
from advisor.export.report import as_json
from advisor.studies import STUDIES
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.decision_map.parameters import DecisionMapParameters
from advisor.studies.report import study_report
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
