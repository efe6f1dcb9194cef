"""Runs of a project: edits, their part of the file, and what becomes of renamed names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.workload import Task
from advisor.project.project import Project
from advisor.project.project_edits import with_machine, with_task
from advisor.project.project_file import ProjectTexts, dump_project, parse_project
from advisor.project.run_edits import add_runs, calibrated, remove_run
from advisor.runs.run_record import FAILED, Run, TaskRun
from machines import InputError
from tests.conftest import two_machines

FULL = TaskRun("A", "M1", 1.5, 4.0, ready_s=0.25, fetch_start_s=1.0, bytes_in=2e6)
SHORT = TaskRun("B", "", 4.0, 5.125, after=("A",))
BROKEN = TaskRun("B", "M2", 2.0, 2.5, status=FAILED, output="not kept")
RUN = Run("monday", (FULL, BROKEN, SHORT), "slurm", 1.0, ("Whole seconds only",))


def project() -> Project:
    return add_runs(two_machines(), (RUN,))


def test_a_run_comes_back_from_the_file_without_the_output_of_failed_tasks() -> None:
    kept = replace(RUN, tasks=(FULL, replace(BROKEN, output=""), SHORT))
    found = parse_project(dump_project(project()))
    assert found == replace(project(), runs=(kept,))
    assert dump_project(found) == dump_project(project())


def test_a_run_of_durations_alone_stays_one() -> None:
    found = add_runs(two_machines(), (replace(RUN, tasks=(SHORT,), timed=False),))
    assert parse_project(dump_project(found)) == found


def test_a_task_is_a_compact_row_without_what_is_not_known_at_its_end() -> None:
    (run,) = json.loads(dump_project(project()))["runs"]
    assert run["tasks"] == [
        ["A", "M1", 0.25, 1.0, 1.5, 4.0, 2e6],
        ["B", "M2", None, None, 2.0, 2.5, None, "failed"],
        ["B", "", None, None, 4.0, 5.125, None, None, ["A"]],
    ]


def test_a_project_without_runs_is_written_as_before_there_were_any() -> None:
    text = dump_project(two_machines())
    assert '"runs"' not in text
    assert parse_project(text).runs == ()


def test_texts_of_one_project_after_the_other_have_the_runs_of_each() -> None:
    texts = ProjectTexts()
    more = add_runs(project(), (replace(RUN, name="tuesday"),))
    for one in (two_machines(), project(), more, project()):
        assert texts.text(one) == dump_project(one)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tasks": [["A", "M1", None, None, 1.0]]}, "task run 1"),
        ({"tasks": [["A", "M1", None, None, 1, 2, 3, "ok", 4]]}, "after"),
        ({"tasks": [["A", "M1", None, None, 1, 2, 3, "ok", [], 4, 5]]}, "task run 1"),
        ({"timed": 1}, "timed"),
        ({"tasks": ["A"]}, "task run 1"),
        ({"tasks": [["A", "M1", None, None, 2.0, 1.0]]}, "it ends before it starts"),
        ({"tasks": [["A", "M1", None, None, "x", 1.0]]}, "start_s must be a number"),
        ({"tasks": [["A", "M1", None, None, 0, 1, None, "lost"]]}, "unknown status"),
        ({"tasks": [["A", "M1", None, None, 0, 1, -5]]}, "bytes_in"),
        ({"tasks": [[3, "M1", None, None, 0, 1]]}, "task must be a text"),
        ({"tasks": {}}, "tasks must be a list"),
        ({"notes": "x"}, "notes"),
        ({"resolution_s": -1}, "resolution_s"),
        ({"name": ""}, "name"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_run_is_named(change: dict[str, object], says: str) -> None:
    document = json.loads(dump_project(project()))
    document["runs"][0] |= change
    with pytest.raises(InputError, match="run ") as caught:
        parse_project(json.dumps(document))
    assert says in str(caught.value)


def test_two_runs_of_one_name_are_refused() -> None:
    document = json.loads(dump_project(project()))
    document["runs"] *= 2
    with pytest.raises(InputError, match="two runs have one name"):
        parse_project(json.dumps(document))


def test_a_run_whose_name_is_taken_gets_a_number() -> None:
    found = add_runs(add_runs(project(), (RUN,)), (RUN, replace(RUN, name="")))
    assert [run.name for run in found.runs] == ["monday", "monday 2", "monday 3", "run"]


def test_a_name_that_no_file_could_have_is_made_plain(tmp_path: Path) -> None:
    found = add_runs(two_machines(), (replace(RUN, name=f"a\n\u202e b{'x' * 9999}"),))
    assert found.runs[0].name.startswith("a bxxx")
    path = tmp_path / "p.placewise"
    path.write_text(dump_project(found), encoding="utf-8")
    assert parse_project(path.read_bytes()).runs[0].name == found.runs[0].name


def test_no_runs_and_a_run_without_tasks_are_refused() -> None:
    with pytest.raises(InputError, match="there are no runs"):
        add_runs(two_machines(), ())
    with pytest.raises(InputError, match="no tasks"):
        add_runs(two_machines(), (Run("empty", ()),))


def test_a_run_is_removed_by_its_name() -> None:
    assert remove_run(project(), "monday") == two_machines()
    with pytest.raises(InputError, match="Did you mean"):
        remove_run(project(), "mondey")


def test_a_renamed_task_and_machine_are_still_the_runs_own() -> None:
    found = with_task(project(), 0, replace(two_machines().workload.tasks[0], name="first"))
    machine = two_machines().platform.machines[1]
    found = with_machine(found, 1, replace(machine, name="big"))
    assert [one.task for one in found.runs[0].tasks] == ["first", "B", "B"]
    assert [one.machine for one in found.runs[0].tasks] == ["M1", "big", ""]


def test_what_was_taught_takes_the_place_of_machines_and_tasks_and_the_rest_stays() -> None:
    before = project()
    workload = before.workload.with_task(0, Task("A", work=99.0))
    found = calibrated(before, before.platform, workload)
    assert found == replace(before, workload=workload)
