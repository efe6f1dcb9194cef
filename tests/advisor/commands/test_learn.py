"""`placewise learn`: runs beside their prediction, calibrations, files; bad input in a message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.commands.cli import main
from advisor.project.workload_file import read_workload, write_workload
from advisor.runs.run_record import header_line, render
from machines.formats.platform_toml import read_platform, write_platform
from tests.advisor.commands.asking import fill_the_disk
from tests.advisor.learning.site import NAMES, OTHER, SPLIT, Site, problem


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    asked = problem()
    write_workload(asked.workload, tmp_path / "w.toml")
    write_platform(asked.platform, tmp_path / "p.toml")
    (tmp_path / "plan.json").write_text(json.dumps(SPLIT))
    site = Site()
    (tmp_path / "run.csv").write_text(render([site.run(SPLIT, 1), site.run(OTHER, 2)]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


ASK = ["learn", "w.toml", "--platform", "p.toml", "--plan", "plan.json"]


def test_runs_stand_beside_what_was_predicted_before_and_after(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASK, "run.csv", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    first, second = report["runs"]
    assert (first["prediction_of"], second["prediction_of"]) == ("plan", "run")
    for run in (first, second):
        before, after = (abs(run[key] / run["actual_s"] - 1) for key in ("predicted_s", "after_s"))
        assert after < 0.06
        assert after < before
        assert run["sentence"].startswith("Took ")
    assert [one["name"] for one in report["lessons"]] == [
        "times", "speeds", "links", "runtime", "contenders", "memory", "spread", "workers",
    ]  # fmt: skip
    assert report["after_s"] == pytest.approx(first["after_s"])


def test_the_words_say_every_lesson_and_the_prediction_again(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASK, "run.csv"]) == 0
    said = capsys.readouterr().out
    for title in ("Task times: ", "Machine speeds: ", "Links: ", "Runtime: ", "Contenders: "):
        assert title in said
    assert "predicted before" in said
    assert "as it was run" in said
    assert "run 1: Took" in said


def test_times_that_are_compared_have_one_unit(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASK, "run.csv"]) == 0
    header, *rows = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    ends = [header.index(name) + len(name) for name in ("Actual", "Predicted", "Calibrated")]
    cells = [row[:end].rsplit("  ", 1)[1] for row in rows for end in ends]
    assert len(cells) == 6
    digits = {len(cell.partition(".")[2]) for cell in cells}
    assert len({cell.rpartition(" ")[2] for cell in cells}) == len(digits) == 1


def test_what_was_learnt_is_written_and_can_be_asked_again(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASK, "run.csv", "--out", "learnt"]) == 0
    assert read_platform("learnt/platform.toml").machine("M2").speed == pytest.approx(0.5, rel=0.1)
    assert len(read_workload("learnt/workload.toml").workload.tasks) == len(NAMES)
    capsys.readouterr()
    again = ["learn", "learnt/workload.toml", "--platform", "learnt/platform.toml", *ASK[4:]]
    assert main([*again, "learnt/run.csv", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert all(abs(run["predicted_s"] / run["actual_s"] - 1) < 0.06 for run in report["runs"])


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_leaves_the_answer_on_standard_output(
    case: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    form: tuple[str, ...],
) -> None:
    fill_the_disk(monkeypatch)
    assert main([*ASK, "run.csv", "--out", "learnt", *form]) == 2
    said = capsys.readouterr()
    assert "Task times" in said.out
    assert "Written" not in said.out
    assert said.err.startswith("placewise: learnt: can't be written (no space left on device)")
    assert sorted(one.name for one in case.iterdir() if one.is_dir()) == []


def test_names_that_fit_no_task_are_listed(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (case / "run.csv").read_text() + "run 1,stranger,M1,,,1,2,,ok\n"
    (case / "run.csv").write_text(text)
    assert main([*ASK, "run.csv"]) == 0
    assert "no task of the workload (1 name): stranger" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("logs", "says"),
    [
        (["nowhere.csv"], "no such file"),
        (["w.toml"], "not a log of a known kind"),
        (["other.csv"], "log of another workload"),
        (["late.csv"], "ends before it starts"),
        (["none.csv"], "none.csv: this log has no finished task"),
    ],
)
def test_logs_that_can_not_be_used_are_refused_in_one_message(
    case: Path, capsys: pytest.CaptureFixture[str], logs: list[str], says: str
) -> None:
    (case / "other.csv").write_text("task,start_s,end_s\nx,0,1\ny,1,2\n")
    (case / "late.csv").write_text("task,start_s,end_s\nraw0,3,1\n")
    (case / "none.csv").write_text(header_line())
    assert main([*ASK, *logs, "--out", "learnt"]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.err.count("\n") == 1
    assert not said.out
    assert not Path("learnt").exists()


def test_a_folder_with_something_in_it_is_not_written_into(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASK, "run.csv", "--out", "."]) == 2
    said = capsys.readouterr().err
    assert said.count("this folder is not empty") == said.count("\n") == 1
    assert "can't be written" not in said


def test_the_same_logs_give_the_same_bytes(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for folder in ("one", "two"):
        assert main([*ASK, "run.csv", "--out", folder, "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    for name in ("workload.toml", "platform.toml", "run.csv"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
