"""Campaigns on a scheduler and two workers of the ``dask`` command, some of which are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from advisor.campaigns.run_campaign import Progress, run_campaign
from advisor.computing import computing
from tests.advisor.campaigns.small import HEAD, campaign, rows
from tests.advisor.running.working import eventually
from tests.dask_programs import ROOT, Programs

pytestmark = pytest.mark.engines
LINES = """
workloads = [
    { generate = "layered", tasks = 100, machines = 8, ccr = [0.1, 1.0], seeds = 40 },
    "odd.json",
]
strategies = ["heft", "min-min", "refine"]
platforms = ["lab"]
seconds = 0.02
"""
CASES = 2 * 40 * 3 + 3
COMMAND = (sys.executable, "-m", "advisor.commands.cli", "campaign", "c.toml")
_HERE = os.environ | {"PYTHONPATH": str(ROOT)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign in c.toml, one of whose files is no workload."""
    (tmp_path / "c.toml").write_text(HEAD + LINES, encoding="utf-8")
    (tmp_path / "odd.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.fixture
def programs(folder: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        yield Programs(stack, folder)


def alone(folder: Path) -> dict[str, bytes]:
    """The rows that one process computes."""
    said = subprocess.run(
        [*COMMAND, "--out", "alone", "--workers", "1"],
        cwd=folder,
        env=_HERE,
        capture_output=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return rows(folder / "alone")


def test_rows_are_those_of_one_process_though_a_worker_and_the_scheduler_are_killed(
    folder: Path, programs: Programs
) -> None:
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if not killed and progress.done >= 40:
            killed.append(progress.done)
            programs.workers[0].kill()
        elif len(killed) == 1 and progress.done >= 100:
            killed.append(progress.done)
            programs.scheduler.kill()
            for process in (programs.scheduler, *programs.workers):
                process.wait()
            programs.begin()

    out, notes = folder / "out", []
    with computing(programs.address, on_note=notes.append) as shards:
        eventually(lambda: shards.workers == 2)
        outcome = run_campaign(campaign(LINES, folder), out, shards, kill)
    assert (outcome.done, outcome.failed) == (CASES, 3)
    assert len(killed) == 2
    assert killed[1] < CASES
    assert any("back" in note for note in notes)
    assert rows(out) == alone(folder)


def test_whoever_asked_may_be_killed_and_ask_again(folder: Path, programs: Programs) -> None:
    command = [*COMMAND, "--out", "out", "--scheduler", programs.address]
    quiet = subprocess.DEVNULL
    written = folder / "out" / "results.csv"
    with subprocess.Popen(command, cwd=folder, env=_HERE, stdout=quiet, stderr=quiet) as process:
        eventually(lambda: written.exists() and written.read_bytes().count(b"\n") > 50)
        process.send_signal(signal.SIGKILL)
    kept = written.read_bytes().count(b"\n") - 1
    assert 50 <= kept < CASES
    said = subprocess.run(
        command, cwd=folder, env=_HERE, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert f"{kept:,} of {CASES} cases are done already" in said.stderr
    assert rows(folder / "out") == alone(folder)
