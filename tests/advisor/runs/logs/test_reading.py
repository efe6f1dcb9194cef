"""Logs are known by their content, runs have names of their own, what is no log is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from advisor.runs.logs import reading
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.reading import read_runs
from advisor.runs.logs.registry import READERS
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from machines import InputError
from tests.advisor.runs.diamond import diamond
from tests.advisor.runs.logs.small_logs import (
    RECORD,
    A,
    B,
    dask_map,
    dask_report,
    dask_stream,
    dask_workers,
    parsl_database,
    trace_events,
    write,
)
from tests.dummies.log.times_text import READER as TIMES

LOGS: dict[str, str | bytes] = {
    "run record": RECORD,
    "Dask task stream": dask_stream(),
    "Dask performance report": dask_report(dask_map()),
    "Chrome trace": json.dumps({"traceEvents": trace_events()}),
    "Parsl monitoring database": parsl_database(),
}


@pytest.mark.parametrize("kind", LOGS)
def test_every_log_of_one_run_tells_the_same_times_whatever_it_is_called(
    kind: str, tmp_path: Path
) -> None:
    write(tmp_path, "workers.json", dask_workers())
    (run,) = read_runs([write(tmp_path, "log.txt", LOGS[kind])])
    found = matched(run, diamond())
    assert found.machine.tolist() == [0, 0, 1, 0]
    assert found.start_s == pytest.approx([0.0, 2.0, 2.5, 6.5], abs=1e-5)
    assert found.end_s == pytest.approx([2.0, 5.0, 6.0, 8.0], abs=1e-5)
    assert found.complete
    assert found.makespan_s == pytest.approx(8.0, abs=1e-5)


def test_each_log_is_of_one_kind_alone(tmp_path: Path) -> None:
    for kind, content in LOGS.items():
        path = write(tmp_path, "file", content)
        head = path.read_bytes()[: 1 << 16]
        assert [one.name for one in READERS if one.holds(path, head)] == [kind]


def test_packed_texts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.csv.gz"
    path.write_bytes(gzip.compress(RECORD.encode()))
    assert read_runs([path])[0].makespan_s == 8.0


def test_several_files_give_several_runs_with_names_of_their_own(tmp_path: Path) -> None:
    first = write(tmp_path, "mon.csv", RECORD)
    second = write(tmp_path, "tue.csv", RECORD)
    third = write(tmp_path, "stream.json", dask_stream())
    names = [run.name for run in read_runs([first, second, third])]
    assert names == ["mon: one", "tue: one", "stream"]


def test_the_runs_of_a_file_are_named_alike(tmp_path: Path) -> None:
    first = write(tmp_path, "mon.csv", RECORD + RECORD.partition("\n")[2].replace("one", "two"))
    second = write(tmp_path, "tue.csv", RECORD)
    names = [run.name for run in read_runs([first, second])]
    assert names == ["mon: one", "mon: two", "tue: one"]


def test_a_run_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    text = RECORD.replace("8.0", "8.25")
    assert text != RECORD
    first = write(tmp_path, "mon.csv", text)
    copy = write(tmp_path, "copy.csv", text)
    other = write(tmp_path, "other.csv", text.replace("8.25", "8.26"))
    (run,) = read_runs([first, first, tmp_path / "." / "mon.csv"])
    assert not run.notes
    same, different = read_runs([first, copy, other])
    assert same.notes == ("Counted once: copy.csv holds it, too",)
    assert not different.notes


def test_runs_in_whole_seconds_may_be_equal_by_chance(tmp_path: Path) -> None:
    assert len(read_runs([write(tmp_path, "a.csv", RECORD), write(tmp_path, "b.csv", RECORD)])) == 2


def test_a_folder_of_logs_is_read_file_by_file(tmp_path: Path) -> None:
    write(tmp_path, "b.json", dask_stream())
    write(tmp_path, "a.csv", RECORD)
    write(tmp_path, "notes.txt", "nothing of interest")
    write(tmp_path, "workers.json", dask_workers())
    runs = read_runs([tmp_path])
    assert [run.name for run in runs] == ["one", "b"]
    assert {one.machine for one in runs[1].tasks} == {"M1", "M2"}


def test_workers_are_named_by_a_list_that_is_given_and_else_their_addresses_are_said(
    tmp_path: Path,
) -> None:
    stream = write(tmp_path, "stream.json", dask_stream())
    (run,) = read_runs([stream])
    assert {one.machine for one in run.tasks} == {A, B}
    assert "scheduler_info" in run.notes[-1]
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    listed = write(folder, "info.json", dask_workers({A: "M1"}))
    (run,) = read_runs([stream, listed])
    assert {one.machine for one in run.tasks} == {"M1", B}
    assert "1 worker" in run.notes[-1]


def test_a_list_of_other_workers_beside_a_log_is_not_taken(tmp_path: Path) -> None:
    write(tmp_path, "workers.json", dask_workers({"tcp://10.9.9.9:1": "X"}))
    (run,) = read_runs([write(tmp_path, "stream.json", dask_stream())])
    assert {one.machine for one in run.tasks} == {A, B}


@pytest.mark.parametrize("content", [b"", b"hello", b"{}", b"[]", b"\0" * 100, b"[1, 2"])
def test_what_is_no_log_is_refused_with_the_kinds_that_are(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a log of a known kind") as error:
        read_runs([write(tmp_path, "file", content)])
    assert all(reader.name in str(error.value) for reader in READERS)


def test_a_new_kind_of_log_is_a_file_and_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "READERS", (*READERS, TIMES))
    text = "#times\nsplit M1 0 2\nleft M1 2 5\njoin M1 7 6\n"
    (run,) = read_runs([write(tmp_path, "monday", text)])
    assert [one.task for one in run.tasks] == ["split", "left"]
    assert (run.name, run.engine) == ("monday", "shell")
    assert "join" in run.notes[0]
    with pytest.raises(InputError, match="text of times"):
        read_runs([write(tmp_path, "x", "hello")])


def test_nothing_there_and_a_folder_without_logs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_runs([tmp_path / "none"])
    with pytest.raises(InputError, match="no file of this folder"):
        read_runs([tmp_path])
    with pytest.raises(InputError, match="no log"):
        read_runs([write(tmp_path, "workers.json", dask_workers())])


def test_a_folder_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(InputError, match="permission denied"):
        read_runs([tmp_path])


def test_whatever_a_reader_refuses_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_path: Path) -> tuple[Run, ...]:
        raise InputError("it is odd", where="line 3")

    odd = LogReader("odd", "", lambda _path, _head: True, refused)
    monkeypatch.setattr(reading, "READERS", (odd,))
    place = tmp_path / "odd.log"
    place.write_text("odd")
    with pytest.raises(InputError, match=r"odd\.log: line 3: it is odd"):
        reading.read_runs([place])
