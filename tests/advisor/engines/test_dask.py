"""The script for Dask holds a plan as data, and carries it out without this product."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.engines.dask import ENGINE, LEFT_OPEN
from advisor.engines.engine import Engine
from advisor.runs.run_record import parse
from machines import InputError
from tests.advisor.running.working import problem_of
from tests.dask_cluster import running_cluster

HOSTILE = (
    "it's", 'a "b"', "$(touch hacked)", "`touch hacked`", "a\\", "{x} %s", "é ☃ 日本", "'''", "#",
    "=cmd()", '"""', "a;b", "-rf",
)  # fmt: skip


def jobs(problem: Problem, plan: Plan) -> Jobs:
    return jobs_of(problem, plan, predict(problem, plan))


def written(problem: Problem, plan: Plan, path: Path, engine: Engine = ENGINE) -> str:
    found = jobs(problem, plan)
    text = engine.render(found)
    assert engine.parse(text) == engine.says(found)
    path.write_text(text, encoding="utf-8")
    return text


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As a user would who has Dask and not this product: isolated, in the script's folder."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-I", str(script), *arguments],
        capture_output=True, text=True, check=False, timeout=120, cwd=script.parent,
    )  # fmt: skip


def test_names_and_commands_end_as_data(tmp_path: Path) -> None:
    commands = {name: f"echo {name}\nprintf '%s' \"{name}\"" for name in HOSTILE}
    problem = problem_of(commands, [(HOSTILE[0], HOSTILE[1])], names=("M 'a", 'M "b'))
    text = written(problem, Plan((0, 1) * 6 + (0,)), tmp_path / "s.py")
    said = ENGINE.parse(text)
    assert isinstance(said, dict)
    assert said["COMMANDS"] == commands
    assert {one["machine"] for one in said["TASKS"]} == {"M 'a", 'M "b'}


def test_the_script_says_what_waits_for_what(tmp_path: Path) -> None:
    problem = problem_of({"a": ":", "b": ":", "c": ""}, [("a", "c")])
    said = ENGINE.parse(written(problem, Plan((0, 0, 1), order=(0, 1, 2)), tmp_path / "s.py"))
    assert isinstance(said, dict)
    assert {one["task"]: (one["after"], one["behind"]) for one in said["TASKS"]} == {
        "a": ([], None), "b": ([], "a"), "c": (["a"], None)
    }  # fmt: skip
    assert said["COMMANDS"]["c"] is None
    assert said["ORDER"] == "plan"
    assert said["PREDICTED_S"] == 2.0


def test_no_name_is_defined_twice_in_the_script(tmp_path: Path) -> None:
    tree = ast.parse(written(problem_of({"a": ":"}), Plan((0,)), tmp_path / "s.py"))
    names = [
        node.name for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]  # fmt: skip
    assert len(names) > 20
    assert len(names) == len(set(names))
    assert "advisor" not in {
        (node.module or "").partition(".")[0] for node in tree.body
        if isinstance(node, ast.ImportFrom)
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "x = 1", "TASKS = [", "TASKS = [f()]"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a script for Dask"):
        ENGINE.parse(text)


def test_what_it_lacks_is_marked_and_refused_when_it_is_run(tmp_path: Path) -> None:
    text = written(problem_of({"a": "", "b": ":"}), Plan((0, 1)), tmp_path / "s.py")
    assert "'a': None,  # FILL IN" in text
    found = run(tmp_path / "s.py")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "Fill in COMMANDS: nothing to run for a\n"


def test_it_carries_the_plan_out_on_a_running_cluster(tmp_path: Path) -> None:
    commands = {name: f"echo done > {place}" for place, name in enumerate(HOSTILE)}
    commands |= {"bad": "echo no luck; exit 7", "never": "touch never"}
    problem = problem_of(commands, [("bad", "never")])
    script = tmp_path / "s.py"
    written(problem, Plan((0, 1) * 7 + (0,)), script)
    workers = {name: {"name": name, "nthreads": 1} for name in ("M1", "M2")}
    with running_cluster(workers) as cluster:
        found = run(script, "--scheduler", cluster.scheduler_address, "--record", "r.csv",
                    "--folder", str(tmp_path))  # fmt: skip
    assert found.returncode == 1, found.stderr
    assert "'bad' failed:\nno luck\nexit status 7" in found.stderr
    assert "'never' did not run: it needs 'bad'" in found.stderr
    (record,) = parse((tmp_path / "r.csv").read_text(encoding="utf-8"), "r.csv")
    assert {one.task: one.status for one in record.tasks} == {
        **dict.fromkeys(HOSTILE, "ok"), "bad": "failed"
    }  # fmt: skip
    assert all((tmp_path / str(place)).exists() for place in range(len(HOSTILE)))
    assert not list(tmp_path.glob("hacked*"))
    assert not (tmp_path / "never").exists()


def test_with_machines_left_open_dask_chooses_among_those_that_can(tmp_path: Path) -> None:
    problem = problem_of({name: f"sleep 0.3; echo $PLACEWISE_MACHINE > {name}" for name in "abcd"})
    kept = replace(problem.workload.tasks[3], allowed=("M1",))
    workload = replace(problem.workload, tasks=(*problem.workload.tasks[:3], kept))
    script = tmp_path / "s.py"
    plan = Plan((0, 0, 1, 0), order=(3, 2, 1, 0))
    text = written(Problem.of(problem.platform, workload), plan, script, LEFT_OPEN)
    said = LEFT_OPEN.parse(text)
    assert isinstance(said, dict)
    among = {one["task"]: one["among"] for one in said["TASKS"]}
    assert among == {name: ["M1", "M2"] for name in "abc"} | {"d": ["M1"]}
    first = {one["task"]: one["priority"] for one in said["TASKS"]}
    assert first["d"] > first["b"] > first["a"]
    workers = {name: {"name": name, "nthreads": 1} for name in ("M1", "M2")}
    with running_cluster(workers) as cluster:
        found = run(script, "--scheduler", cluster.scheduler_address, "--record", "r.csv",
                    "--folder", str(tmp_path))  # fmt: skip
    assert found.returncode == 0, found.stderr
    (record,) = parse((tmp_path / "r.csv").read_text(encoding="utf-8"), "r.csv")
    ran = {one.task: one.machine for one in record.tasks}
    assert sorted(ran.values()) == ["M1", "M1", "M2", "M2"]  # three were planned on M1
    assert ran["d"] == "M1"
    for task, machine in ran.items():  # as the record, so the command
        assert (tmp_path / task).read_text(encoding="utf-8") == f"{machine}\n"


@pytest.mark.engines
def test_it_starts_workers_itself_and_calls_functions(tmp_path: Path) -> None:
    problem = problem_of({"a": "", "b": "python -c 'print(1)'"}, [("a", "b")])
    script = tmp_path / "s.py"
    text = written(problem, Plan((0, 1)), script)
    script.write_text(
        text.replace("'a': None,", "'a': lambda: print('called', file=open('a', 'w')),"),
        encoding="utf-8",
    )
    found = run(script, "--record", "r.csv")
    assert found.returncode == 0, found.stderr
    assert "2 tasks ran in" in found.stdout
    assert (tmp_path / "a").read_text(encoding="utf-8") == "called\n"
