"""Runs for a project: those of its workload are kept, the others told or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.project.opening_runs import is_log, runs_of
from advisor.project.project_file import write_project
from advisor.runs.run_record import Run, TaskRun, render
from machines import InputError
from tests.conftest import two_machines

GOOD = Run("good", (TaskRun("A", "M1", 0.0, 12.0), TaskRun("B", "M1", 12.0, 16.0)))
OTHER = Run("other", (TaskRun("ocean", "M1", 0.0, 1.0), TaskRun("ice", "M1", 1.0, 2.0)))


def written(folder: Path, *runs: Run) -> Path:
    path = folder / "runs.csv"
    path.write_text(render(runs), encoding="utf-8")
    return path


def test_runs_of_the_workload_are_kept_and_others_noted(tmp_path: Path) -> None:
    runs, notes = runs_of(two_machines().problem(), [written(tmp_path, OTHER, GOOD)])
    assert [run.name for run in runs] == ["good"]
    assert any("another workload" in note for note in notes)


def test_where_none_is_of_the_workload_that_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another workload"):
        runs_of(two_machines().problem(), [written(tmp_path, OTHER)])


def test_a_log_is_told_from_a_project_by_its_content(tmp_path: Path) -> None:
    project = tmp_path / "p.csv"
    write_project(two_machines(), project)
    assert is_log(written(tmp_path, GOOD))
    assert is_log(tmp_path)
    assert not is_log(project)


def test_a_name_that_no_file_can_have_is_no_log(tmp_path: Path) -> None:
    assert not is_log(tmp_path / ("n" * 300))
