"""Small plans as scripts, carried out in a folder by bash and make as they are on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.allocation.plan_jobs import Job, Jobs
from advisor.engines.engine import Engine
from advisor.runs import run_record as record_csv
from advisor.runs.run_record import Run
from tests.advisor.engines.dozen import SIGNS, jobs

SHIM = """#!/bin/bash
while [ "$1" != -- ]; do shift; done
echo "$2" >>"$SHIM_LOG"
echo "a greeting of $2"
exec setsid -w sh -c "$3"  # out of reach of whoever ends this end
"""


def ssh(folder: Path) -> dict[str, str]:
    """Variables with which every host is this one, reached by a program of its own."""
    shim = folder / "bin" / "ssh"
    shim.parent.mkdir()
    shim.write_text(SHIM)
    shim.chmod(0o755)
    return {"LOCAL": "", "SHIM_LOG": str(folder / "hosts"),
            "PATH": f"{shim.parent}:{os.environ['PATH']}"}  # fmt: skip


def program(engine: Engine) -> tuple[str, ...]:
    """The words that carry a file of this engine out, but for the file."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed here")
    if engine.name == "bash":
        return (bash,)
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed here")
    return make, "-j3", "-f"


def written(engine: Engine, folder: Path, plan: Jobs) -> Path:
    """The file of a plan, read back."""
    text = engine.render(plan)
    assert engine.parse(text) == engine.says(plan)
    file = folder / f"a plan{engine.suffix}"
    file.write_text(text, encoding="utf-8")
    return file


def carried(engine: Engine, file: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The file carried out in its folder, all here."""
    return subprocess.run(
        [*program(engine), file.name], cwd=file.parent, capture_output=True, text=True, timeout=60,
        env=os.environ | {"LOCAL": "1", "OUT": str(file.parent)} | variables, check=False,
    )  # fmt: skip


def runs(folder: Path) -> tuple[Run, ...]:
    """The run record."""
    (file,) = folder.glob("*.csv")
    return record_csv.parse(file.read_text(encoding="utf-8"), file.name)


def chain(*commands: str, machine: str = "M1") -> Jobs:
    """Jobs in a row, on a machine of one core; each needs the one before."""
    found = tuple(
        Job(f"t {at}", "", machine, f"t_{at}", command, 1, (at - 1,) if at else (),
            at - 1 if at else None, len(commands) - at, 1.0, over=(at - 1,) if at else ())
        for at, command in enumerate(commands)
    )  # fmt: skip
    return Jobs("chain", found, ((machine, "M1", 1),), float(len(commands)))


def check_dozen(run: Run, plan: Jobs, folder: Path) -> None:
    """What ran, where and when is the plan; every sign of a name and a command arrived."""
    done = {one.task: one for one in run.tasks}
    assert {one.task: one.machine for one in run.tasks} == {
        job.name: job.machine for job in plan.jobs
    }
    for job in plan.jobs:
        for one in {*job.after, *job.over}:
            assert done[plan.jobs[one].name].end_s <= done[job.name].start_s
    said = [line.split("|") for line in (folder / "log").read_text().splitlines()]
    assert {tuple(line[:3]) for line in said} == {
        (job.name, job.machine, str(job.cores)) for job in plan.jobs
    }
    assert (folder / "signs").read_text() == (SIGNS + "\n") * len(plan.jobs)
    assert not (folder / "pwned").exists()


def dozen() -> Jobs:
    """Twelve tasks whose names and commands hold whatever a line may hold."""
    return jobs(work="")
