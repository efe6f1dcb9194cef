"""Scheduler and workers of this process: on the loopback interface, gone when it is.

Dask's nannies, threads here, start the worker processes and start them again where one dies; a
worker ends at once when it loses this process, however that ended.
"""

from __future__ import annotations

import logging
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Nanny, Scheduler, SpecCluster
from distributed.diagnostics.plugin import WorkerPlugin

from advisor import kernels

LOOPBACK = "127.0.0.1"
_START_S = 60.0
_SETTINGS = {
    "distributed.scheduler.work-stealing": True,
    "distributed.scheduler.allowed-failures": 2,  # three workers that die of it
    # what nobody looks at would wake every process fifty times a second
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.system-monitor.interval": "10s",
    # would change the environment of this process, too
    "distributed.nanny.pre-spawn-environ": {},
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


class Prepared(WorkerPlugin):  # type: ignore[misc] # distributed has no types
    """On every worker, also on one that takes the place of another."""

    def setup(self, worker: Any) -> None:
        """Begin; on the worker."""
        del worker
        # Ctrl-C is for whoever started us, and ends us by that
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=kernels.load, name="kernels", daemon=True).start()


@contextmanager
def started(workers: int) -> Iterator[Client]:
    """A client of so many worker processes, all of which are there."""
    quiet = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0", "dashboard": False}
    options = quiet | {"nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    # not Dask's own folder, which all users of the machine share and import from
    private = tempfile.TemporaryDirectory(prefix="placewise-workers-", ignore_cleanup_errors=True)
    with (
        private as folder,
        dask.config.set(_SETTINGS | {"temporary-directory": folder}),
        SpecCluster(
            {name: {"cls": Nanny, "options": options} for name in range(workers)},
            {"cls": Scheduler, "options": quiet | {"port": 0}},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        client.wait_for_workers(workers, timeout=_START_S)
        client.register_plugin(Prepared(), name="placewise")
        client.run(_leave, folder)
        _leave(folder)
        shutil.rmtree(folder, ignore_errors=True)  # else it would outlive a kill
        yield client


def _leave(folder: str) -> None:
    """No import looks any more where Dask keeps what it writes: nothing, here."""
    sys.path[:] = [path for path in sys.path if not Path(path).is_relative_to(folder)]
