"""A run record grows line by line, and takes further runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.running import run_settings as module
from advisor.running.run_plan import recording
from advisor.running.run_settings import RunSettings
from advisor.runs.run_record import TaskRun, header_line, parse
from machines import InputError

ONE = TaskRun("a", "M1", 0.0, 1.0)


def test_a_line_is_there_before_the_run_ends(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    with recording(path) as record:
        assert path.read_text(encoding="utf-8") == header_line()
        record.add(ONE)
        assert [run.tasks for run in parse(path.read_text(encoding="utf-8"), "r")] == [(ONE,)]


def test_a_run_is_added_to_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    for _ in range(3):
        with recording(path) as record:
            record.add(ONE)
    found = parse(path.read_text(encoding="utf-8"), "r")
    assert [run.name for run in found] == ["run 1", "run 2", "run 3"]


def test_a_name_that_is_taken_is_not_given_again(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(header_line() + "run 2,a,M1,,,0,1,,ok\n", encoding="utf-8")
    with recording(path) as record:
        assert record.run == "run 3"


def test_a_line_that_was_cut_goes_when_the_next_run_begins(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(header_line() + "run 1,a,M1,,,0,1,,ok\nrun 1,b,M1,,,1,", encoding="utf-8")
    with recording(path) as record:
        record.add(ONE)
    found = parse(path.read_text(encoding="utf-8"), "r")
    assert [(run.name, len(run.tasks)) for run in found] == [("run 1", 1), ("run 2", 1)]


def test_a_record_takes_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    with recording(path) as record:
        with pytest.raises(InputError, match=r"run.csv: another run writes it"), recording(path):
            pass
        record.add(ONE)
    with recording(path) as record:
        assert record.run == "run 2"


def test_another_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter 1\n", encoding="utf-8")
    with (
        pytest.raises(InputError, match=r"thesis.txt: the file exists and is not a run record"),
        recording(path),
    ):
        pass
    assert path.read_text(encoding="utf-8") == "Chapter 1\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"engine": "make"}, r"unknown engine \(got 'make'\). Use dask or bash"),
        ({"engine": "bash", "scheduler": "tcp://h:1"}, "bash has no scheduler"),
        ({"scheduler": "here"}, r"no address of a scheduler.*tcp://host:8786"),
        ({"scheduler": "tcp://:8786"}, "no address of a scheduler"),
        ({"folder": Path("/no/such/folder")}, "/no/such/folder: no such folder"),
        ({"folder": Path("n" * 300)}, "no such folder"),
        ({"record": Path("/")}, "/: the record is a folder. Name a file in it"),
        (
            {"record": Path("/no/such/run.csv")},
            "/no/such/run.csv: the record.s folder does not exist",
        ),
    ],
)
def test_settings_that_can_t_work_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RunSettings(**settings)  # type: ignore[arg-type]


def test_a_system_without_a_shell_can_use_a_running_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SHELL", tmp_path / "sh")
    assert RunSettings(scheduler="tcp://h:8786").engine == "dask"
    with pytest.raises(InputError, match="commands need a shell, which this machine lacks"):
        RunSettings("bash")
