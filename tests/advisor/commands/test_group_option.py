"""`--group`: short tasks as groups, written where that pays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.advisor.commands.asking import PLATFORM, Capture, answer, fill_the_disk

TASKS = "".join(
    f'[[task]]\nname = "t{place}"\nwork = {work}\ncommand = "echo {place}"\n'
    for place, work in enumerate((*[0.1] * 8, 1.0))
)
ASKED = ("predict", "w.toml", "--platform", "p.toml", "--allocation", "a.json")


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text(PLATFORM)
    Path("w.toml").write_text(f'format = "placewise-workload"\nversion = 1\nname = "w"\n{TASKS}')
    Path("a.json").write_text(json.dumps({f"t{place}": "M2" for place in range(9)}))


def test_short_tasks_are_named_with_what_groups_them(capsys: Capture) -> None:
    status, _, err = answer(capsys, *ASKED, "--runtime", "slurm")
    assert status == 0
    assert "8 of 9 tasks (t0, t1, t2, …) take less than the 340 ms" in err
    assert "--group DIR writes them grouped, where that pays" in err
    assert "340 ms" not in answer(capsys, *ASKED)[2]


ONE = PLATFORM[: PLATFORM.index("[[machine]]")] + '[[machine]]\nname = "M2"\n'


@pytest.mark.parametrize("command", ["predict", "advise"])
def test_the_grouped_workload_and_plan_are_written_and_predicted_as_said(
    capsys: Capture, command: str
) -> None:
    Path("p.toml").write_text(ONE)
    asked = ASKED if command == "predict" else ("advise", *ASKED[1:4], "--strategy", "heft")
    status, out, _ = answer(capsys, *asked, "--runtime", "slurm", "--group", "g", "--json")
    assert status == 0
    told = json.loads(out)["grouping"]
    assert (told["before_s"], told["after_s"]) == pytest.approx((9 * 0.34 + 1.8, 0.34 + 1.8))
    again = ("predict", "g/workload.toml", "--platform", "p.toml", "--allocation", "g/plan.json")
    predicted = json.loads(answer(capsys, *again, "--runtime", "slurm", "--json")[1])
    assert predicted["makespan_s"] == pytest.approx(told["after_s"])
    assert json.loads(Path("g/plan.json").read_text())["sources"]["runtime"] == "slurm"
    ((_, members),) = told["groups"].items()
    assert sorted(members) == [f"t{place}" for place in range(9)]
    assert "echo 0" in Path("g/workload.toml").read_text()


def test_the_plan_that_is_written_is_exported_with_its_own_workload(capsys: Capture) -> None:
    status, out, _ = answer(capsys, *ASKED, "--runtime", "slurm", "--group", "g")
    assert (status, "Written to g: workload.toml, plan.json." in out) == (0, True)
    assert answer(capsys, "export", "g/plan.json", "--to", "csv", "--output", "s.csv")[0] == 0
    assert " +8" in Path("s.csv").read_text()


def test_a_full_disk_leaves_the_answer_on_standard_output(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_the_disk(monkeypatch)
    status, out, err = answer(capsys, *ASKED, "--runtime", "slurm", "--group", "g")
    assert status == 2
    assert out.startswith("Makespan ")
    assert "Written" not in out
    assert "The disk is full" in err


def test_where_no_grouping_pays_nothing_is_written(capsys: Capture) -> None:
    status, _, err = answer(capsys, *ASKED, "--runtime", "dask", "--group", "g")
    assert status == 0
    assert "No grouping pays: nothing is written" in err
    assert not Path("g/plan.json").exists()


def test_a_runtime_without_overhead_is_refused(capsys: Capture) -> None:
    status, _, err = answer(capsys, *ASKED, "--group", "g")
    assert status == 2
    assert "takes no time for a task" in err
    assert "--runtime" in err


def test_tasks_shorter_than_the_overhead_that_was_learnt_are_named(capsys: Capture) -> None:
    times = [(0.44 * place, 0.44 * place + 0.1) for place in range(8)] + [(3.52, 4.52)]
    lines = [f"r,t{place},M2,,,{low},{high},,ok\n" for place, (low, high) in enumerate(times)]
    header = "run,task,machine,ready_s,fetch_start_s,start_s,end_s,bytes_in,status\n"
    Path("run.csv").write_text(header + "".join(lines))
    asked = ("learn", "w.toml", "--platform", "p.toml", "--plan", "a.json", "run.csv")
    status, out, _ = answer(capsys, *asked)
    assert status == 0
    assert "8 of 9 tasks (t0, t1, t2, …) take less than the 340 ms" in out
