"""WfFormat executions: durations by task and machine, and times where they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.project.workload_file import read_workload
from advisor.runs.logs.wfformat_log import PREDICTED, READER
from advisor.runs.run_record import Run
from machines import InputError

Entry = dict[str, object]


def document(*runs: Entry) -> Entry:
    """A chain of tasks a, b, c; of the execution what is given."""
    tasks = [
        {"name": one, "id": f"{one}_1", "parents": [f"{before}_1"] if before else [],
         "children": []}
        for one, before in (("a", ""), ("b", "a"), ("c", "b"))
    ]  # fmt: skip
    execution = {"makespanInSeconds": 9, "tasks": list(runs), "machines": [{"nodeName": "n1"}]}
    return {"name": "small", "schemaVersion": "1.5",
            "workflow": {"specification": {"tasks": tasks}, "execution": execution}}  # fmt: skip


def read(tmp_path: Path, value: Entry) -> Run:
    place = tmp_path / "wf.json"
    place.write_text(json.dumps(value))
    assert READER.holds(place, place.read_bytes())
    (run,) = READER.read(place)
    return run


def said(run: Run, part: str) -> bool:
    return any(part in note for note in run.notes)


def test_durations_alone_are_a_run_without_times(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        document(
            {"id": "a_1", "runtimeInSeconds": 2.5, "machines": ["n1", "n2"]},
            {"id": "b_1", "runtimeInSeconds": -1},
            {"id": "c_1", "runtimeInSeconds": 4},
        ),
    )
    assert not run.timed
    assert run.makespan_s == 9.0  # as the file states it
    assert [(one.task, one.machine, one.start_s, one.end_s) for one in run.tasks] == [
        ("a", "n1", 0.0, 2.5), ("c", "", 0.0, 4.0),
    ]  # fmt: skip
    assert said(run, "only durations")
    assert said(run, "1 task without a runtime")
    assert said(run, "several machines")


def test_tasks_are_called_as_in_the_workload_of_the_same_file(tmp_path: Path) -> None:
    value = document(*({"id": f"{one}_1", "runtimeInSeconds": 1} for one in "abc"))
    run = read(tmp_path, value)
    workload = read_workload(tmp_path / "wf.json").workload
    assert {one.task for one in run.tasks} == {one.name for one in workload.tasks}


def test_start_times_of_all_tasks_make_a_run_with_times(tmp_path: Path) -> None:
    starts = ("2026-11-22T07:00:00Z", "20261122T070003+0000", "2026-11-22T09:00:04.5+02:00")
    run = read(
        tmp_path,
        document(*(
            {"id": f"{one}_1", "runtimeInSeconds": 1, "executedAt": start}
            for one, start in zip("abc", starts, strict=True)
        )),
    )  # fmt: skip
    assert run.timed
    assert [one.start_s for one in run.tasks] == [0.0, 3.0, 4.5]
    assert run.makespan_s == 5.5


def test_start_times_of_some_tasks_are_not_used_and_said(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        document(
            {"id": "a_1", "runtimeInSeconds": 1, "executedAt": "2026-11-22T07:00:00Z"},
            {"id": "b_1", "runtimeInSeconds": 1},
        ),
    )
    assert not run.timed
    assert said(run, "of 1 of 2 tasks")


def test_a_plan_that_was_exported_is_no_measurement(tmp_path: Path) -> None:
    value = document({"id": "a_1", "runtimeInSeconds": 1}) | {"description": PREDICTED}
    run = read(tmp_path, value)
    assert said(run, "predicted by Placewise, not measured")
    assert said(run, "The execution took 9")


def test_old_schemas_are_read(tmp_path: Path) -> None:
    old = {"name": "old", "schemaVersion": "1.3", "workflow": {"tasks": [
        {"name": "one", "runtime": 2.5, "parents": [], "machine": "n1"},
    ]}}  # fmt: skip
    run = read(tmp_path, old)
    assert [(one.task, one.machine, one.end_s) for one in run.tasks] == [("one", "n1", 2.5)]


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (document(), "no task of this workflow has a runtime"),
        (document({"id": "a_1", "runtimeInSeconds": "2"}), "finite number"),
        (
            document({"id": "a_1", "runtimeInSeconds": 2, "executedAt": "05-10-23"}),
            "executedAt is no time",
        ),
        (document() | {"schemaVersion": "9"}, "schemaVersion"),
    ],
)
def test_what_is_no_execution_is_refused(tmp_path: Path, value: Entry, part: str) -> None:
    with pytest.raises(InputError) as found:
        read(tmp_path, value)
    assert part in str(found.value)
    assert "wf.json" in str(found.value)
