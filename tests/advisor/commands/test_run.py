"""`run` lists the commands, asks, runs them, and says how long that took."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.runs.run_record import parse
from tests.advisor.commands.asking import Capture, answer
from tests.advisor.running.working import LONG, eventually, living, written

RUN = ("run", "plan.json", "--with", "bash")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write({"A": "echo a >> ran", "B": "echo b >> ran"})


def write(commands: dict[str, str], places: dict[str, str] | None = None) -> None:
    """A plan of these tasks on M1 and M2 in turn, one after the other; or free, at places."""
    names = list(commands)
    platform = '[[machine]]\nname = "M1"\n[[machine]]\nname = "M2"\n'
    link = '[[link]]\nbetween = ["M1", "M2"]\nstartup_s = 0.0\nbandwidth = 1e6\n'
    head = 'format = "placewise-{}"\nversion = 1\nname = "work"\n'
    Path("p.toml").write_text(head.format("platform") + platform + link, encoding="utf-8")
    workload = {
        "format": "placewise-workload",
        "version": 1,
        "name": "work",
        "task": [{"name": n, "work": 0.5, "command": c} for n, c in commands.items() if c]
        + [{"name": n, "work": 0.5} for n, c in commands.items() if not c],
        "flow": [{"from": a, "to": b} for a, b in pairwise(names) if not places],
    }
    Path("w.json").write_text(json.dumps(workload), encoding="utf-8")
    plan = {
        "format": "placewise-plan",
        "version": 1,
        "allocation": places or {name: f"M{1 + at % 2}" for at, name in enumerate(names)},
        "sources": {"workload": "w.json", "platform": "p.toml"},
    }
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")


class Terminal(io.StringIO):
    """What is typed, at a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_run_ends_with_what_it_took_beside_what_was_predicted(capsys: Capture) -> None:
    status, out, err = answer(capsys, *RUN, "--yes", "--record", "run.csv")
    assert status == 0
    assert re.fullmatch(r"2 tasks ran in [0-9.]+ s, predicted 1\.0* s, [\d.]+ % shorter\.\n", out)
    lines = err.splitlines()
    assert [line.split()[:3] for line in lines] == [["1/2", "A", "M1"], ["2/2", "B", "M2"]]
    assert all("predicted 500" in line for line in lines)
    assert Path("ran").read_text(encoding="utf-8") == "a\nb\n"
    (run,) = parse(Path("run.csv").read_text(encoding="utf-8"), "run.csv")
    assert [one.task for one in run.tasks] == ["A", "B"]


def test_nothing_runs_where_nobody_can_agree(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"A": "rm -rf \u202eprecious\n#", "B": ":"})
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    status, out, err = answer(capsys, *RUN, "--record", "run.csv")
    assert (status, out) == (2, "")
    assert "  A on M1:  rm -rf \\u202eprecious\\u000a#\n  B on M2:  :\n" in err
    assert err.endswith("these commands need your consent. Read them, then add --yes\n")
    assert not Path("ran").exists()
    assert not Path("run.csv").exists()


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 130), ("\n", 130), ("", 130)])
def test_at_a_terminal_it_asks(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, typed: str, status: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    found, _, err = answer(capsys, *RUN)
    assert found == status
    assert "  A on M1:  echo a >> ran\n" in err
    assert Path("ran").exists() == (status == 0)


def test_json_has_every_task(capsys: Capture) -> None:
    status, out, _ = answer(capsys, *RUN, "--yes", "--json")
    assert status == 0
    found = json.loads(out)
    assert {name: one["machine"] for name, one in found["tasks"].items()} == {"A": "M1", "B": "M2"}
    assert found["predicted_makespan_s"] == 1.0
    assert found["makespan_s"] == pytest.approx(
        max(one["end_s"] for one in found["tasks"].values())
        - min(one["taken_s"] for one in found["tasks"].values())
    )


def test_a_failed_task_is_named_with_the_end_of_what_it_said(capsys: Capture) -> None:
    write({"A": "echo first; echo no star catalogue >&2; exit 4", "B": ":"})
    status, out, err = answer(capsys, *RUN, "--yes", "--record", "run.csv")
    assert status == 2
    assert out == "0 of 2 tasks ran well.\n"
    assert err.splitlines()[-1] == (
        'placewise: plan.json: task "A" failed: first | no star catalogue | exit status 4. '
        "run.csv holds what ran. Try its command alone"
    )
    assert "FAILED" in err
    assert "Did not run, as what they need failed: B" in err
    (run,) = parse(Path("run.csv").read_text(encoding="utf-8"), "run.csv")
    assert [(one.task, one.status) for one in run.tasks] == [("A", "failed")]


def test_tasks_without_a_command_are_refused_before_anything_is_asked(capsys: Capture) -> None:
    write({"A": ":", "B": ""})
    status, out, err = answer(capsys, *RUN)
    assert (status, out) == (2, "")
    assert err == (
        'placewise: workload "work": no command is stated for B. '
        'Give each task its command = "…" in the workload file\n'
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--scheduler", "tcp://h:1"), "bash has no scheduler"),
        (("--folder", "nowhere"), "nowhere: no such folder"),
        (("--record", "plan.json"), "plan.json: the file exists and is not a run record"),
        (("--record", "no/run.csv"), "no/run.csv: the record's folder does not exist"),
    ],
)
def test_what_can_t_work_is_refused(capsys: Capture, more: tuple[str, ...], said: str) -> None:
    status, out, err = answer(capsys, *RUN, "--yes", *more)
    assert (status, out) == (2, "")
    assert said in err
    assert not Path("ran").exists()


def test_ctrl_c_ends_what_runs_and_keeps_what_ran(tmp_path: Path) -> None:
    write({"A": ":", "B": f"echo $$ > pid; {LONG}"})
    command = [sys.executable, "-m", "advisor.commands.cli", *RUN, "--yes", "--record", "run.csv"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        told = tmp_path / "pid"
        eventually(written(told))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == "1 of 2 tasks ran well.\n"
    assert "Stopped: 1 of 2 tasks did not end" in err
    assert not living(int(told.read_text()))
    (run,) = parse((tmp_path / "run.csv").read_text(encoding="utf-8"), "run.csv")
    assert [one.task for one in run.tasks] == ["A"]


def test_a_signal_replans_the_rest(tmp_path: Path) -> None:
    """A waits for B or C, which wait behind it until they move to M2."""
    wait = "echo $$ > pid; while [ ! -e open ]; do sleep 0.02; done"
    write({"A": wait, "B": "touch open", "C": "touch open", "D": ":"},
          {"A": "M1", "B": "M1", "C": "M1", "D": "M2"})  # fmt: skip
    command = [sys.executable, "-m", "advisor.commands.cli", *RUN, "--yes", "--json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        eventually(written(tmp_path / "pid"))
        process.send_signal(signal.SIGUSR1)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    (note,) = json.loads(out)["notes"]
    assert note.startswith("Replanned at ")
    assert f"placewise: note: {note}\n" in err


def test_a_plan_is_compared_with_the_engines_own_scheduling(capsys: Capture) -> None:
    status, out, err = answer(capsys, *RUN, "--compare-default", "2", "--yes", "--json")
    report = json.loads(out)
    assert status == 0
    assert len(report["plan_s"]) == len(report["engine_s"]) == 2
    assert report["sentence"].endswith(".")
    assert "before anything runs: " in err
    assert err.count("the engine's own scheduling took") == 2
    status, out, err = answer(capsys, *RUN, "--compare-default", "0", "--yes")
    assert status == 2
    assert "between 1 and 100" in err
