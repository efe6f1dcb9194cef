"""A Dask cluster as `Shards`: one of this process, or one that runs already.

Imports distributed, which takes half a second: import it where work is carried out, only.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from logging import CRITICAL
from time import monotonic, sleep
from typing import TypeVar

from distributed import Client
from distributed.utils import silence_logging_cmgr

from advisor import kernels
from advisor.basics.quantities import count, duration
from advisor.computing import workers
from advisor.computing.crew import Crew, Lost
from advisor.computing.here import these
from advisor.computing.session import ASK_S, Session
from advisor.computing.starting import started
from advisor.computing.window import carried
from machines.errors import InputError, PlacewiseError
from machines.stopping import ask, stopped

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Note = Callable[[str], None]

_FIRST_S = 10.0  # for a scheduler that runs
_TRY_S = 2.0  # for a scheduler that did not come back in time
_NEXT_TRY_S = 30.0


class Cluster:
    """Workers that carry pieces out, for many calls of `each`, of any thread.

    Parameters
    ----------
    client : Client
    address : str
        The scheduler's; empty: it is of this process.
    note : callable
        Told what a user should know.
    fallback : bool
        Whether this process computes what a lost cluster has not.
    patience_s : float
        How long a cluster that is gone is waited for.
    """

    def __init__(
        self, client: Client, address: str, note: Note, fallback: bool, patience_s: float
    ) -> None:
        self._client, self._address, self._note = client, address, note
        self._fallback, self._patience_s = fallback, patience_s
        self._lock = threading.Lock()
        self._tried = float("-inf")
        self._crew = Crew(note, patience_s)

    @property
    def workers(self) -> int:
        """How many there are."""
        return len(self._client.nthreads()) if self._client.status == "running" else 0

    def each(
        self, function: Callable[[Item], Answer], items: Sequence[Item]
    ) -> Iterator[tuple[int, Answer]]:
        """Every item's place and answer, as they end.

        Raises
        ------
        PlacewiseError
            What the function raised; the cluster was lost, or all of its workers compute with
            something else, and nothing falls back.
        PiecesLost
            Pieces ended every worker that computed them.
        """
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
        raise InputError(
            f"no Dask scheduler answers ({_said(error)})",
            where=address,
            remedy="Check that `dask scheduler` runs there, and the address: tcp://host:8786",
        ) from error


def _client(address: str, first_s: float, patience_s: float) -> Client:
    """A client that waits `first_s` for the scheduler now, and `patience_s` where it loses it."""
    with Client(address, timeout=first_s, set_as_default=False):
        pass  # it answers
    return Client(address, timeout=patience_s, set_as_default=False)


def _name(function: Callable[..., object]) -> str:
    return str(getattr(getattr(function, "func", function), "__name__", "piece"))


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
