"""Parsl's database: names as far as there are any, workers' times, killed runs, damaged files."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from advisor.runs.logs import database as databases
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from machines import InputError
from tests.advisor.runs.diamond import NAMES, diamond
from tests.advisor.runs.logs.small_logs import (
    PARSL,
    PARSL_TABLES,
    moment,
    parsl_database,
    write,
)


def read(folder: Path, content: bytes) -> Run:
    return read_runs([write(folder, "monitoring.db", content)])[0]


def changed(content: bytes, *statements: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        return connection.serialize()


def test_times_are_those_of_the_worker(tmp_path: Path) -> None:
    run = read(tmp_path, parsl_database())
    assert run.name == "007"
    assert run.engine == "parsl"
    assert run.makespan_s == pytest.approx(8.0)
    assert run.tasks[0].ready_s == pytest.approx(-0.25)
    late = read(tmp_path, changed(parsl_database(), "DELETE FROM status"))
    assert late.makespan_s == pytest.approx(8.5)  # until the result was back


def test_tasks_of_one_function_are_known_by_what_they_waited_for(tmp_path: Path) -> None:
    run = read(tmp_path, parsl_database())
    assert run.tasks[-1].task == "body #3"
    assert run.tasks[-1].after == ("body #1", "body #2")
    found = matched(run, diamond())
    assert found.complete
    assert any("distinguished" in note for note in found.notes)


@pytest.mark.parametrize(("at", "ending"), [(1, ""), (3, ".out")], ids=["function", "output"])
def test_functions_or_files_of_output_that_differ_are_names(
    at: int, ending: str, tmp_path: Path
) -> None:
    rows: list[Any] = [(*row[:at], f"{name}{ending}", *row[at + 1 :])
            for row, name in zip(PARSL, NAMES, strict=True)]  # fmt: skip
    found = matched(read(tmp_path, parsl_database(rows)), diamond())
    assert found.complete
    assert found.renamed == ()


def test_files_that_parsl_named_itself_are_no_names(tmp_path: Path) -> None:
    rows = [(*row[:3], f"/x/task_000{row[0]}_body.stdout", *row[4:]) for row in PARSL]
    assert read(tmp_path, parsl_database(rows)).tasks[0].task == "body #0"


def test_a_run_that_was_killed_has_no_end_and_its_last_task_failed(tmp_path: Path) -> None:
    rows = [*PARSL[:3], (*PARSL[3][:6], None)]
    found = matched(read(tmp_path, parsl_database(rows, ended=False)), diamond())
    assert found.failed == (3,)
    assert any("no end" in note for note in found.notes)


def test_tasks_that_never_began_are_said(tmp_path: Path) -> None:
    rows = [*PARSL[:3], (*PARSL[3][:5], None, None)]
    run = read(tmp_path, parsl_database(rows))
    assert any("1 task never began: body #3" in note for note in run.notes)


def test_a_try_that_failed_is_failed_and_a_later_one_is_not(tmp_path: Path) -> None:
    first = "status SET task_status_name = 'fail_retryable' WHERE task_id = 0"
    again = (f"INSERT INTO try VALUES (1, 0, 'r1', '', 'M2', '{moment(2)}', '{moment(2)}',"
             f" '{moment(3)}', 'boom')")  # fmt: skip
    content = changed(
        parsl_database(), f"UPDATE {first} AND task_status_name = 'exec_done'", again,
        f"INSERT INTO status VALUES (0, 'exec_done', '{moment(3)}', 'r1', 1)",
    )  # fmt: skip
    tries = [one for one in read(tmp_path, content).tasks if one.task == "body #0"]
    assert [(one.machine, one.status) for one in tries] == [("M1", "failed"), ("M2", "ok")]


def test_one_executor_on_several_hosts_is_told_by_host(tmp_path: Path) -> None:
    content = changed(
        parsl_database(), "UPDATE try SET task_executor = 'htex'",
        "UPDATE try SET hostname = CASE WHEN task_id = 2 THEN 'M2' ELSE 'M1' END",
    )  # fmt: skip
    assert {one.machine for one in read(tmp_path, content).tasks} == {"M1", "M2"}


def test_several_workflows_are_several_runs_and_an_empty_one_is_none(tmp_path: Path) -> None:
    content = changed(
        parsl_database(),
        f"INSERT INTO workflow VALUES ('r2', 'x', '{moment(50)}', NULL, '/runs/runinfo/008')",
    )
    path = write(tmp_path, "monitoring.db", content)
    assert [run.name for run in read_runs([path])] == ["007"]


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE try; ", "DELETE FROM workflow", "DELETE FROM try",
     "UPDATE try SET task_try_time_running = 'yesterday'"],
)  # fmt: skip
def test_a_database_without_what_is_needed_is_refused(statement: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read(tmp_path, changed(parsl_database(), statement))


@pytest.mark.parametrize("kept", [0.1, 0.3, 0.6])
def test_a_cut_database_is_refused(kept: float, tmp_path: Path) -> None:
    content = parsl_database()
    with pytest.raises(InputError):
        read(tmp_path, content[: int(len(content) * kept)])


def test_reading_changes_and_leaves_nothing(tmp_path: Path) -> None:
    content = parsl_database()
    path = write(tmp_path, "monitoring.db", content)
    path.chmod(0o400)
    read_runs([path])
    assert path.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir()] == ["monitoring.db"]


def test_views_of_a_hostile_file_are_not_looked_at(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            PARSL_TABLES + "DROP TABLE try; CREATE VIEW try AS WITH RECURSIVE f(x) AS "
            "(SELECT 1 UNION ALL SELECT x + 1 FROM f) SELECT x AS task_id FROM f;"
        )
        content = connection.serialize()
    with pytest.raises(InputError, match="known kind"):
        read(tmp_path, content)


def test_a_gzipped_database_is_read_and_a_large_or_cut_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = read(tmp_path, parsl_database())
    packed = tmp_path / "monitoring.db.gz"
    packed.write_bytes(gzip.compress(parsl_database()))
    (found,) = read_runs([packed])
    assert found.tasks == plain.tasks
    packed.write_bytes(gzip.compress(parsl_database())[:-20])
    with pytest.raises(InputError, match=r"not a whole gzip file|known kind"):
        read_runs([packed])
    packed.write_bytes(gzip.compress(parsl_database()))
    monkeypatch.setattr(databases, "_LARGEST", 1000)
    with pytest.raises(InputError, match=r"known kind|too large"):
        read_runs([packed])


def test_the_most_resident_memory_of_a_try_is_its_peak(tmp_path: Path) -> None:
    rows = [(0, 1, 1.0e8), (0, 1, 2.5e8), (0, 2, 5.0e7), (7, 3, 9.0e9), (0, 3, "'none'")]
    content = changed(
        parsl_database(),
        "CREATE TABLE resource (try_id, task_id, run_id, psutil_process_memory_resident)",
        *(f"INSERT INTO resource VALUES ({one}, {task}, 'r1', {held})" for one, task, held in rows),
    )
    peaks = [one.peak_bytes for one in read(tmp_path, content).tasks]
    assert peaks == [None, 2.5e8, 5.0e7, None]
