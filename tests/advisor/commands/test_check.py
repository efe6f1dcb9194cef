"""`check` sets what SimGrid makes of a plan beside the prediction."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from advisor.allocation.predict import predict
from advisor.commands import check
from advisor.export.simgrid.check import compared
from advisor.export.simgrid.simgrid_python import VARIABLE
from tests.advisor.commands.asking import PLATFORM, WORKLOAD, Capture, answer, answer_json
from tests.simgrid_python import simgrid_here

CHECK = ("check", "plan.json", "--with", "simgrid")
TWICE = ("--workload", "w.toml", "--platform", "p.toml")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text(PLATFORM, encoding="utf-8")
    Path("w.toml").write_text(WORKLOAD, encoding="utf-8")
    plan = {"format": "placewise-plan", "version": 1, "allocation": {"A": "M1", "B": "M2"},
            "sources": {"workload": "w.toml", "platform": "p.toml"}}  # fmt: skip
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """SimGrid says that B ends at 80 s."""

    def stand_in(problem: Any, plan: Any, **_: object) -> object:
        times = {"A": (0.0, 36.0), "B": (43.0, 80.0)}
        tasks = {name: {"start_s": s, "end_s": e} for name, (s, e) in times.items()}
        result = {"simulator": "SimGrid 0", "makespan_s": 80.0, "tasks": tasks, "transfers": []}
        return compared(problem, predict(problem, plan), result, ("a note",))

    monkeypatch.setattr(check, "check_with_simgrid", stand_in)


@pytest.mark.usefixtures("simulated")
def test_the_tasks_are_listed_those_that_differ_most_first(capsys: Capture) -> None:
    status, out, err = answer(capsys, *CHECK)
    assert status == 0
    assert out.startswith(
        "SimGrid 0: the plan takes 1 min 20 s, 7.00 s, 9.6 % more than the predicted"
    )
    found = (line for line in out.splitlines() if line.startswith(("A ", "B ")))
    rows = [re.split(r"  +", line.strip()) for line in found]
    assert rows == [
        ["B", "M2", "1 min 13 s", "1 min 20 s", "+7.00 s"],
        ["A", "M1", "36.0 s", "36.0 s", "0 s"],
    ]
    assert "a note" in err


@pytest.mark.usefixtures("simulated")
def test_in_json_every_task_has_both_times(capsys: Capture) -> None:
    found = answer_json(capsys, *CHECK, *TWICE)
    assert (found["agrees"], found["predicted_makespan_s"], found["simulated_makespan_s"]) == (
        False, 73.0, 80.0,
    )  # fmt: skip
    assert found["tasks"]["B"] == {  # type: ignore[index]
        "machine": "M2", "predicted_start_s": 43.0, "predicted_end_s": 73.0,
        "simulated_start_s": 43.0, "simulated_end_s": 80.0,
    }  # fmt: skip
    assert found["notes"] == ["a note"]


def test_without_simgrid_it_says_how_to_get_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/python")
    status, out, err = answer(capsys, *CHECK)
    assert (status, out) == (2, "")
    assert "apt install python3-simgrid" in err
    assert "pip install simgrid" in err


def test_an_unknown_simulator_is_refused(capsys: Capture) -> None:
    status, _, err = answer(capsys, *CHECK[:3], "batsim")
    assert status == 2
    assert "invalid choice: 'batsim'" in err


def test_a_stopped_check_says_so_by_its_status(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "check_with_simgrid", lambda *_, **__: None)
    assert answer(capsys, *CHECK) == (130, "", "placewise: stopped\n")


def test_simgrid_agrees_with_the_published_example(capsys: Capture) -> None:
    simgrid_here()
    status, out, _ = answer(capsys, *CHECK)
    assert status == 0
    assert "agrees: the plan takes 1 min 13 s" in out
