"""A Dask cluster as `Shards`: one of this process, or one that runs already.

Imports distributed, which takes half a second: import it where work is carried out, only.

Scheduler and workers of this process: on the loopback interface, gone when it is.

Dask's nannies, threads here, start the worker processes and start them again where one dies; a
worker ends at once when it loses this process, however that ended.
"""

from __future__ import annotations

import logging
import pickle
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from logging import CRITICAL
from multiprocessing import resource_tracker
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

import dask
from distributed import Client, Scheduler, SpecCluster
from distributed.security import Security
from distributed.utils import silence_logging_cmgr

from advisor import kernels
from advisor.basics.quantities import count, duration
from advisor.basics.scheduler_address import no_answer, unprotected
from advisor.computing import at_worker, workers
from advisor.computing.here import these
from advisor.computing.session import ASK_S, CompatibleWorkers, Lost, Session
from advisor.computing.window import carried
from advisor.engines.on_dask import EndingNanny, private
from machines.errors import PlacewiseError
from machines.stopping import ask, stopped

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Note = Callable[[str], None]

_FIRST_S = 10.0  # for a scheduler that runs
_TRY_S = 2.0  # for a scheduler that did not come back in time
_NEXT_TRY_S = 30.0


class Cluster:
    """Workers that carry pieces out, for many calls of `each`, of any thread.

    `address`: the scheduler's; empty: it is of this process.
    `note`: told what a user should know.
    `fallback`: whether this process computes what a lost cluster has not.
    `patience_s`: how long a cluster that is gone is waited for.
    """

    def __init__(
        self, client: Client, address: str, note: Note, fallback: bool, patience_s: float
    ) -> None:
        self._client, self._address, self._note = client, address, note
        self._fallback, self._patience_s = fallback, patience_s
        self._lock = threading.Lock()
        self._tried = float("-inf")
        self._crew = CompatibleWorkers(note, patience_s)

    @property
    def workers(self) -> int:
        """How many there are."""
        return len(self._client.nthreads()) if self._client.status == "running" else 0

    def each(
        self, function: Callable[[Item], Answer], items: Sequence[Item]
    ) -> Iterator[tuple[int, Answer]]:
        """Every item's place and answer, as they end."""
        done = bytearray(len(items))
        try:
            session = Session(
                self._running(), pickle.dumps(function), _name(function), self.back, self._crew
            )
            yield from carried(session, items, done)
        except Lost as lost:
            if not self._fallback:
                raise lost.refusal or PlacewiseError(
                    str(lost),
                    where=self._address,
                    remedy="Start it again and repeat the request: finished pieces are kept",
                ) from lost
            left = [place for place, is_done in enumerate(done) if not is_done]
            self._note(f"{lost}: {count(len(left), 'piece')} computed on this machine")
            yield from these(function, items, left)

    def close(self) -> None:
        """Leave the cluster."""
        with suppress(Exception):  # one that is going away
            self._client.close()

    def back(self, client: Client) -> Client:
        """The client, once it has its scheduler again: Dask tries as long as it was told to."""
        if client.status == "running":
            return client
        self._note(
            f"The scheduler at {self._address} is gone: waiting {duration(self._patience_s)} for it"
        )
        until = monotonic() + self._patience_s
        while client.status == "connecting" and monotonic() < until:
            ask()
            sleep(ASK_S)
        if client.status != "running":
            self._tried = monotonic()
            raise Lost(f"the scheduler was gone for {duration(self._patience_s)}")
        self._note("The scheduler is back: unanswered pieces are computed again")
        return client

    def _running(self) -> Client:
        """The client, reaching the scheduler anew where it was given up a while ago."""
        client = self._client
        if client.status == "connecting":
            return self.back(client)
        with self._lock:
            if self._client.status != "running":
                if monotonic() < self._tried + _NEXT_TRY_S:
                    raise Lost("the scheduler is gone")
                self._tried = monotonic()
                try:
                    self._client = _client(self._address, _TRY_S, self._patience_s)
                except OSError as error:
                    raise Lost("the scheduler is gone") from error
                self._note(f"The scheduler at {self._address} is back")
            return self._client


@contextmanager
def embedded(count_of_workers: int, note: Note) -> Iterator[Cluster]:
    """So many worker processes of this one."""
    kernels.prepare(stopped)  # else each of them would begin to
    ask()
    with ExitStack() as stack:
        try:
            client = stack.enter_context(started(count_of_workers))
        except (OSError, ValueError, RuntimeError) as error:
            raise PlacewiseError(f"no workers can be started here ({_said(error)})") from error
        yield Cluster(client, "", note, fallback=False, patience_s=_FIRST_S)


@contextmanager
def at(address: str, note: Note, fallback: bool, patience_s: float) -> Iterator[Cluster]:
    """The workers of a scheduler that runs."""
    with silence_logging_cmgr(CRITICAL):  # what is lost is told once, not by tracebacks
        with _readable(address):
            client = _client(address, _FIRST_S, patience_s)
        cluster = Cluster(client, address, note, fallback, patience_s)
        try:
            with _readable(address):
                there = workers.check(client)
            late = [one for one, described in there.items() if not described.ready]
            if said := unprotected(address):
                note(said)
            if not there:
                note(f"No worker is at {address} yet: start some with `dask worker {address}`")
            if late:
                note(f"{count(len(late), 'worker')} compile the kernels first, once: half a minute")
            yield cluster
        finally:
            cluster.close()


@contextmanager
def _readable(address: str) -> Iterator[None]:
    try:
        yield
    except PlacewiseError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise no_answer(address, error) from error


def _client(address: str, first_s: float, patience_s: float) -> Client:
    """A client that waits `first_s` for the scheduler now, and `patience_s` where it loses it."""
    with Client(address, timeout=first_s, set_as_default=False):
        pass  # it answers
    return Client(address, timeout=patience_s, set_as_default=False)


def _name(function: Callable[..., object]) -> str:
    return str(getattr(getattr(function, "func", function), "__name__", "piece"))


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


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
    security = Security.temporary()  # kept in these processes: nobody else can connect
    quiet = private(security)
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
        security=security,
    )
