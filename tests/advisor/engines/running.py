"""What the commands of the dozen logged: who ran where, when, and whether that was allowed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from advisor.allocation.plan_jobs import Jobs
from tests.advisor.engines.dozen import SIGNS


class Logged(NamedTuple):
    """One line of the log; seconds of the clock."""

    task: str
    machine: str
    cores: int
    began: float
    ended: float


def run(folder: Path, *words: str, fails: bool = False) -> str:
    """What a command line says, in a folder."""
    environment = {**os.environ, "OUT": str(folder), "PYTHONPATH": ""}
    found = subprocess.run(
        words, cwd=folder, env=environment, text=True, timeout=300, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (found.returncode != 0) is fails, found.stdout
    return found.stdout


def logged(folder: Path) -> list[Logged]:
    """What ran, by when it began."""
    rows = (line.split("|") for line in (folder / "log").read_text("utf-8").splitlines())
    found = [Logged(row[0], row[1], int(row[2]), float(row[3]), float(row[4])) for row in rows]
    return sorted(found, key=lambda one: one.began)


def most_at_once(found: list[Logged], machine: str, *, of_cores: bool = True) -> int:
    """The most cores, or tasks, that ran on a machine at one time."""
    here = [one for one in found if one.machine == machine]
    return max(
        sum(
            one.cores if of_cores else 1 for one in here if one.began <= at.began < one.ended
        )
        for at in here
    )  # fmt: skip


def check(jobs: Jobs, folder: Path) -> list[Logged]:
    """Every job ran once, where it should, after what it needs, with its signs as they are."""
    found = logged(folder)
    by_task = {one.task: one for one in found}
    assert sorted(by_task) == sorted(job.name for job in jobs.jobs)
    assert len(found) == len(jobs.jobs)
    for job in jobs.jobs:
        ran = by_task[job.name]
        assert (ran.machine, ran.cores) == (job.machine, job.cores)
        assert all(by_task[jobs.jobs[one].name].ended <= ran.began for one in job.after)
    assert (folder / "signs").read_text("utf-8") == f"{SIGNS}\n" * len(found)
    assert not (folder / "pwned").exists()
    return found
