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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Scheduler, SpecCluster
from distributed.utils import silence_logging_cmgr

from advisor.computing import at_worker
from advisor.engines.on_dask import EndingNanny
from machines.stopping import ask

LOOPBACK = "127.0.0.1"
_ASK_S = 0.05
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


@contextmanager
def started(workers: int) -> Iterator[Client]:
    """A client of so many worker processes, all of which are there; asks whether to stop."""
    # not Dask's own folder, which all users of the machine share and import from
    private = tempfile.TemporaryDirectory(prefix="placewise-workers-", ignore_cleanup_errors=True)
    with (
        silence_logging_cmgr(logging.CRITICAL),  # of what is cut off as they end, too
        private as folder,
        dask.config.set(_SETTINGS | {"temporary-directory": folder}),
        _cluster(workers) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        # no import looks any more where Dask keeps what it writes: nothing, here
        sys.path[:] = [path for path in sys.path if not Path(path).is_relative_to(folder)]
        shutil.rmtree(folder, ignore_errors=True)  # else it would outlive a kill
        yield client


def _cluster(workers: int) -> SpecCluster:
    """The scheduler and its workers, once all are there, unless the work at hand should stop."""
    keepers: list[EndingNanny] = []
    with ThreadPoolExecutor(1, "start") as thread:
        coming = thread.submit(_begun, workers, keepers)
        try:
            while not wait([coming], _ASK_S).done:
                ask()
            return coming.result()
        except BaseException:
            while not wait([coming], _ASK_S).done:
                for keeper in tuple(keepers):  # who waits for a worker hears that it ended
                    keeper.loop.add_callback(keeper.end)
            if coming.exception() is None:
                coming.result().close()
            raise


def _begun(workers: int, keepers: list[EndingNanny]) -> SpecCluster:
    """The same, waiting as long as it takes; adds to `keepers` as they begin."""
    quiet = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0", "dashboard": False}
    options = quiet | {"nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    options |= {"preload": [at_worker.__name__]}

    def keeper(address: str, **options: Any) -> EndingNanny:
        keepers.append(EndingNanny(address, **options))
        return keepers[-1]

    if hasattr(signal, "pthread_sigmask"):
        # Ctrl-C at a terminal is for this process alone: those that this thread and the threads
        # that it starts begin are born deaf to it
        resource_tracker.ensure_running()  # would undo that
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return SpecCluster(
        {name: {"cls": keeper, "options": options} for name in range(workers)},
        {"cls": Scheduler, "options": quiet | {"port": 0}},
    )
