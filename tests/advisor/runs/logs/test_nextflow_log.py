"""Nextflow's trace: the default columns, all of them, raw numbers, retries and the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.runs.logs.nextflow_log import READER
from advisor.runs.run_record import FAILED, OK, Run
from machines import InputError

DEFAULT = ("task_id", "hash", "native_id", "name", "status", "exit", "submit", "duration",
           "realtime", "%cpu")  # fmt: skip
FULL = (*DEFAULT, "start", "complete", "hostname", "attempt")


def runs(tmp_path: Path, header: tuple[str, ...], *rows: dict[str, str]) -> Run:
    place = tmp_path / "trace.txt"
    lines = ["\t".join(header), *("\t".join(row.get(one, "-") for one in header) for row in rows)]
    place.write_text("\n".join(lines) + "\n")
    assert READER.holds(place, place.read_bytes())
    (run,) = READER.read(place)
    return run


def row(name: str, **more: str) -> dict[str, str]:
    plain = {"task_id": "1", "hash": "ab/12", "name": name, "status": "COMPLETED", "exit": "0",
             "submit": "2026-11-22 07:00:00.000", "duration": "5s", "realtime": "2.5s"}  # fmt: skip
    return plain | more


def said(run: Run, part: str) -> bool:
    return any(part in note for note in run.notes)


def test_without_starts_tasks_are_counted_from_their_ends_back(tmp_path: Path) -> None:
    run = runs(
        tmp_path, DEFAULT, row("MAP (a)"),
        row("MAP (b)", submit="2026-11-22 07:00:01.500", duration="1m 2s", realtime="1m"),
    )  # fmt: skip
    found = [(one.task, one.start_s, one.end_s, one.ready_s) for one in run.tasks]
    assert found == [("MAP (a)", 0.0, 2.5, -2.5), ("MAP (b)", 1.0, 61.0, -1.0)]
    assert run.resolution_s == 1.0
    assert said(run, "lacks starts")
    assert said(run, "lacks hostname")


def test_with_starts_a_task_runs_for_its_realtime(tmp_path: Path) -> None:
    run = runs(
        tmp_path, FULL,
        row("A", start="2026-11-22 07:00:01.250", complete="2026-11-22 07:00:09.000",
            hostname="n7", realtime="2.5s"),
    )  # fmt: skip
    (one,) = run.tasks
    assert (one.machine, one.end_s - one.start_s, one.ready_s) == ("n7", 2.5, -1.25)
    assert run.notes == ()


def test_raw_numbers_are_milliseconds(tmp_path: Path) -> None:
    run = runs(
        tmp_path, FULL,
        row("A", submit="1800000000000", start="1800000001000", complete="1800000004000",
            duration="4000", realtime="2750"),
    )  # fmt: skip
    assert run.tasks[0].end_s - run.tasks[0].start_s == pytest.approx(2.75)
    assert run.resolution_s == 0.001


def test_cached_tasks_did_not_run_and_retries_are_tries(tmp_path: Path) -> None:
    run = runs(
        tmp_path, FULL, row("A", status="CACHED"), row("B", status="FAILED", exit="137"),
        row("B", submit="2026-11-22 07:00:05.000", attempt="2"),
        row("C", status="ABORTED", duration="-", realtime="-"),
    )  # fmt: skip
    assert [(one.task, one.status) for one in run.tasks] == [("B", FAILED), ("B", OK)]
    assert run.tasks[0].output == "Nextflow: FAILED, exit 137"
    assert said(run, "1 task came from the cache and did not run (A)")
    assert said(run, "1 ABORTED")
    assert said(run, "ran more than once: B")


def test_process_and_tag_make_the_name(tmp_path: Path) -> None:
    columns = ("hash", "process", "tag", "status", "submit", "duration", "realtime")
    run = runs(tmp_path, columns, row("", process="MAP", tag="s1"), row("", process="ALL"))
    assert {one.task for one in run.tasks} == {"MAP (s1)", "ALL"}


def test_a_last_line_that_is_cut_is_left_out(tmp_path: Path) -> None:
    runs(tmp_path, DEFAULT, row("A"), row("B"))
    place = tmp_path / "trace.txt"
    place.write_text(place.read_text()[:-30])
    (run,) = READER.read(place)
    assert [one.task for one in run.tasks] == ["A"]
    assert said(run, "cut")


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"submit": "22.11.2026 07:00"}, "submit is no time"),
        ({"duration": "5 Sekunden"}, "duration is no duration"),
        ({"realtime": "1,5s"}, "realtime is no duration"),
        ({"status": "CACHED"}, "no task of this trace ran"),
        (
            {"start": "2026-11-22 07:00:09.000", "complete": "2026-11-22 07:00:01.000"},
            "ends before it starts",
        ),
    ],
)
def test_what_can_not_be_is_refused(tmp_path: Path, more: dict[str, str], part: str) -> None:
    with pytest.raises(InputError) as found:
        runs(tmp_path, FULL, row("A", **more))
    assert part in str(found.value)
    assert "trace.txt" in str(found.value)


def test_missing_columns_are_named_with_the_setting_that_gives_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"trace\.fields"):
        runs(tmp_path, ("task_id", "name", "status", "realtime"), row("A"))
