"""A scheduler and two workers that the ``dask`` command starts, on the loopback interface."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

HERE = "127.0.0.1"
_NOBODY = f"{HERE}:0"
ROOT = Path(__file__).resolve().parent.parent


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

    def worker(self, *more: str, path: str = str(ROOT)) -> subprocess.Popen[bytes]:
        one = ("--nthreads", "1", "--no-nanny", *more)
        return self._started("worker", self.address, *one, path=path)

    def _started(self, *arguments: str, path: str = str(ROOT)) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": path}
        quiet = subprocess.DEVNULL
        dask = Path(sys.executable).with_name("dask")  # whose Python has this Placewise
        process = subprocess.Popen(
            # else the server of Dask's pages, which runs without them, is on all interfaces
            [dask, *arguments, "--no-dashboard", "--host", HERE, "--dashboard-address", _NOBODY],
            cwd=self._folder, env=environment, stdout=quiet, stderr=quiet,
        )  # fmt: skip
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process
