"""A cluster of this process: who may reach it, and what is left of it when something is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.running import RunSettings, Started, run_plan
from advisor.runs.run_record import parse
from machines import PlacewiseError
from tests.advisor.running.working import LONG, eventually, heard, living, problem_of, told, written
from tests.processes import listening, strangers_in

pytestmark = pytest.mark.engines


def test_a_plan_runs_on_a_worker_of_its_own_for_each_machine(tmp_path: Path) -> None:
    command = "python -c 'import os; print(os.getppid())' > $PLACEWISE_TASK; echo $PPID > $0.ppid"
    commands = {name: command.replace("$0", name) for name in "abc"}
    problem = problem_of(commands, names=("M 'one'", "M2"))
    run, events = heard(problem, Plan((0, 0, 1)), RunSettings("dask", folder=tmp_path))
    assert run.notes == ()
    assert sorted(told(events)) == ["+a", "+b", "+c", "-a", "-b", "-c"]
    workers = [(tmp_path / f"{name}.ppid").read_text() for name in "abc"]
    assert workers[0] == workers[1] != workers[2]
    assert str(os.getpid()) not in {one.strip() for one in workers}


def test_nobody_else_can_reach_it() -> None:
    """Every socket that listens, of this process and its children, is on the loopback interface."""
    found: set[str] = set()
    strangers: list[str] = []

    def look(event: object) -> None:
        if isinstance(event, Started):
            found.update(listening())
            strangers.extend(strangers_in())

    run_plan(problem_of({"a": ":", "b": ":"}), Plan((0, 1)), RunSettings("dask"), look)
    assert found
    assert found == {"127.0.0.1"}
    assert strangers == []


def test_a_worker_that_is_killed_ends_the_run_and_the_record_stays(tmp_path: Path) -> None:
    record = tmp_path / "run.csv"
    kill = f"kill -KILL $PPID; {LONG}"
    problem = problem_of({"a": ":", "b": kill, "c": LONG}, [("a", "b")])
    with pytest.raises(PlacewiseError, match="can't continue: the worker of M1 is gone"):
        run_plan(problem, Plan((0, 0, 1)), RunSettings("dask", record=record))
    assert [one.task for one in parse(record.read_text(), "r")[0].tasks] == ["a"]


@pytest.mark.parametrize("engine", ["dask", "bash"])
def test_a_run_that_is_killed_leaves_no_process_and_whole_lines(
    tmp_path: Path, engine: str
) -> None:
    program = f"""
from pathlib import Path
from advisor.allocation.plan import Plan
from advisor.running import RunSettings, run_plan
from tests.advisor.running.working import problem_of
if __name__ == "__main__":
    problem = problem_of({{"a": ":", "b": "echo $PPID $$ > pid; {LONG}"}}, [("a", "b")])
    folder = Path({str(tmp_path)!r})
    run_plan(problem, Plan((0, 1)), RunSettings({engine!r}, "", folder / "run.csv", folder))
"""
    script, told_to = tmp_path / "program.py", tmp_path / "pid"
    script.write_text(program, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen([sys.executable, script], env=environment) as process:
        eventually(written(told_to))
        worker, group = map(int, told_to.read_text().split())
        process.send_signal(signal.SIGKILL)
    eventually(lambda: not living(group))
    eventually(lambda: worker == process.pid or not Path(f"/proc/{worker}").exists())
    (run,) = parse((tmp_path / "run.csv").read_text(encoding="utf-8"), "run.csv")
    assert [one.task for one in run.tasks] == ["a"]
