"""Another Python is found, runs a script, tells how far it is, and can be stopped."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from advisor.export.simgrid.simgrid_python import VARIABLE, Found, find_simgrid, run_script
from machines import InputError, PlacewiseError

HERE = Found(sys.executable, "3.32.0")
WRITES = "import sys; open(sys.argv[3], 'w').write('{\"makespan_s\": 1.0}')\n"
MODULE = "class Comm:\n sendto = 1\nclass Host:\n route_to = 1\nclass Actor:\n create = 1\n"


def python_with(folder: Path, module: str) -> str:
    """A Python that has this as its module simgrid."""
    (folder / "simgrid.py").write_text(module, encoding="utf-8")
    file = folder / "python"
    file.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    file.chmod(0o755)
    return str(file)


def test_the_python_that_is_named_is_asked_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_with(tmp_path, MODULE + "simgrid_version = '3.36.1'\nprint('chatter')\n")
    monkeypatch.setenv(VARIABLE, python)
    assert find_simgrid() == (python, "3.36.1")


@pytest.mark.parametrize(
    "module", ["simgrid_version = '3.20'\n", "raise ImportError\n"], ids=["too old", "broken"]
)
def test_a_python_without_a_simgrid_that_does_is_refused_with_how_to_get_one(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, python_with(tmp_path, module))
    with pytest.raises(InputError, match="apt install python3-simgrid") as refused:
        find_simgrid()
    assert refused.value.exit_status == 2
    assert refused.value.where == VARIABLE


@pytest.mark.parametrize("named", ["/nowhere/python", "a\0b"])
def test_a_python_that_is_none_is_refused(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {VARIABLE: named})
    with pytest.raises(InputError, match="no Python with SimGrid"):
        find_simgrid()


def test_without_a_named_one_this_python_and_the_systems_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_with(tmp_path, MODULE + "simgrid_version = '4.1'\n")
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("sys.executable", str(tmp_path / "none"))
    monkeypatch.setattr("shutil.which", {"python3": python}.get)
    assert find_simgrid() == (python, "4.1")


def test_a_script_runs_and_tells_its_progress() -> None:
    shares: list[float] = []
    text = (
        "import sys, time\n"
        "for done in (1, 2):\n print('progress', done, 2, file=sys.stderr, flush=True)\n"
        f"time.sleep(0.1)\n{WRITES}"
    )
    assert run_script(HERE, text, shares.append) == {"makespan_s": 1.0}
    assert shares[-1] == 1.0


def test_a_result_that_is_cut_off_is_told_as_such() -> None:
    cut = WRITES.replace("1.0}", "")
    with pytest.raises(InputError, match="not valid JSON"):
        run_script(HERE, cut)


def test_a_script_is_stopped_when_asked() -> None:
    asked: list[None] = []

    def should_stop() -> bool:
        asked.append(None)
        return len(asked) > 2

    assert run_script(HERE, "import time; time.sleep(60)\n", should_stop=should_stop) is None


def test_a_script_that_fails_says_why() -> None:
    critical = "[M1:x:(2) 1.5] ./src/x.cpp:211: [root/CRITICAL] no such host\\n  -> 0# frame\\n"
    text = f"import sys; sys.stderr.write('{critical}'); sys.exit(1)\n"
    with pytest.raises(PlacewiseError, match="no such host") as failed:
        run_script(HERE, text)
    assert "frame" not in str(failed.value)


def test_a_script_that_writes_nothing_has_failed() -> None:
    with pytest.raises(PlacewiseError, match="could not simulate"):
        run_script(HERE, "pass\n")


def test_the_settings_of_this_python_are_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    text = "import os; assert 'PYTHONPATH' not in os.environ\n" + WRITES
    assert run_script(HERE, text) == {"makespan_s": 1.0}


def test_a_stopped_search_for_simgrid_leaves_the_python_that_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "pid"
    endless = (
        f"import os, pathlib, time\npathlib.Path({str(told)!r}).write_text(str(os.getpid()))\n"
    )
    python = python_with(tmp_path, endless + "while True:\n    time.sleep(1)\n")
    monkeypatch.setenv(VARIABLE, python)
    assert find_simgrid(lambda: told.exists() and bool(told.read_text())) is None
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
