"""A scheduler and two workers, started with the ``dask`` command: killed, stopped, started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time

import pytest

from advisor.computing import computing
from machines.errors import InputError, PlacewiseError
from machines.stopping import Stopped, stoppable
from tests.advisor.computing.pieces import busy, noted, refused, squared
from tests.advisor.running.working import eventually
from tests.engines import program

pytestmark = pytest.mark.engines
HERE = "127.0.0.1"
_ROOT = Path(__file__).resolve().parents[3]


class Programs:
    """What a supervisor would keep running."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        with socket.socket() as free:
            free.bind((HERE, 0))
            self.address = f"tcp://{HERE}:{free.getsockname()[1]}"
        self.begin()

    def begin(self) -> None:
        self.scheduler = self._started("scheduler", "--port", self.address.rpartition(":")[2])
        self.workers = [self.worker() for _ in range(2)]

    def worker(self) -> subprocess.Popen[bytes]:
        return self._started("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": str(_ROOT)}
        quiet = subprocess.DEVNULL
        dask = Path(sys.executable).with_name("dask")  # whose Python has this Placewise
        process = subprocess.Popen(
            [dask, *arguments, "--no-dashboard", "--host", HERE],
            cwd=self._folder, env=environment, stdout=quiet, stderr=quiet,
        )  # fmt: skip
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        yield Programs(stack, tmp_path)


def test_nothing_is_lost_nor_twice_when_a_worker_and_then_the_scheduler_are_killed(
    programs: Programs,
) -> None:
    items, notes, answers = [(number, 0.02) for number in range(400)], [], {}
    with computing(programs.address, on_note=notes.append) as shards:
        eventually(lambda: shards.workers == 2)
        for place, (answer, _process) in shards.each(busy, items):
            assert place not in answers
            answers[place] = answer
            if len(answers) == 100:
                programs.workers[0].kill()
            if len(answers) == 200:
                programs.scheduler.send_signal(signal.SIGKILL)
                programs.scheduler.wait()
                for worker in programs.workers:
                    worker.wait()  # a worker ends when it loses its scheduler
                programs.begin()
    assert answers == {number: number * number for number in range(400)}
    assert [note for note in notes if "gone" in note or "back" in note] == [
        f"The scheduler at {programs.address} is gone: waiting 60 s for it",
        "The scheduler is back: what it has not answered is computed again",
    ]
