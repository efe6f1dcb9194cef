"""A new engine is a file and a line: its export, its notes and its commands follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.engines.engine import Engine
from advisor.engines.registry import ENGINES
from advisor.export.export_record import Planned
from advisor.export.of_engines import export_of
from advisor.export.registry import EXPORTS, export
from machines import PlacewiseError
from tests.conftest import two_machines
from tests.dummies.engine.walk import ENGINE


def planned(command: str = "") -> Planned:
    project = two_machines()
    tasks = tuple(replace(task, command=command) for task in project.workload.tasks)
    problem = Problem.of(project.platform, replace(project.workload, tasks=tasks))
    plan = Plan((0,) * len(tasks))
    return Planned(problem, plan, predict(problem, plan))


def test_every_engine_has_its_export() -> None:
    assert set(ENGINES) <= set(EXPORTS)


def test_a_new_engine_is_exported_by_its_record_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPORTS, "walk", export_of(ENGINE))
    export("walk", planned("make all"), tmp_path / "plan.walk")
    assert (tmp_path / "plan.walk").read_text() == "M1\t'make all'\n" * 2


def test_tasks_without_a_command_are_named_where_commands_are_run() -> None:
    assert any(
        "No command is stated for A, B" in note for note in export_of(ENGINE).said(planned())
    )
    configures = export_of(replace(ENGINE, has_commands=False))
    assert not configures.said(planned())


def test_a_text_that_lost_a_job_is_not_written(tmp_path: Path) -> None:
    forgetful: Engine = replace(ENGINE, render=lambda jobs: "M1\t''\n")
    with pytest.raises(PlacewiseError, match="does not hold this plan"):
        export_of(forgetful).write(planned(), tmp_path / "plan.walk")
    assert not (tmp_path / "plan.walk").exists()
