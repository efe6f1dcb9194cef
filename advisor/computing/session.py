"""One call's batches on a Dask cluster: handed over, heard of, forgotten.

A worker that dies is Dask's matter: its tasks are computed elsewhere. What Dask gives up, and what
a scheduler forgot with its end, is told to the window, which decides.
"""

from __future__ import annotations

import asyncio
import pickle
import queue
import secrets
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, wait
from time import monotonic
from typing import Any, TypeVar

from distributed import Client, Future, KilledWorker

from advisor.basics.quantities import duration
from advisor.computing import workers
from advisor.computing.at_worker import Answered, Differs
from advisor.computing.versions import differences, versions
from advisor.computing.window import Fate
from machines.errors import PlacewiseError
from machines.stopping import ask

Result = TypeVar("Result")

ASK_S = 0.05
_BROKEN = (OSError, CancelledError, asyncio.CancelledError)  # a connection that ends
_LOOK_S = 2.0  # between looks at how many workers there are
_LARGE = 1 << 16  # bytes of a function that goes to each worker once, not with every batch


class Gone(Exception):
    """The client has lost its scheduler."""


class Session:
    """Batches of one call of `each`.

    `function`: pickled.
    `name`: what the tasks are called, for Dask's own pages.
    `back`: waits for a scheduler that is gone; gives the client once it is back, or raises.
    `crew`: who may be asked; it hears now and then who is there.
    """

    def __init__(
        self,
        client: Client,
        function: bytes,
        name: str,
        back: Callable[[Client], Client],
        crew: CompatibleWorkers,
    ) -> None:
        self._function, self._name, self._back, self._crew = function, name, back, crew
        self._begin(client)

    def _begin(self, client: Client) -> None:
        self._client = client
        self._run = f"{self._name}-{secrets.token_hex(8)}"  # another run's tasks are not ours
        self._futures: dict[int, Future | None] = {}  # None: it could not be handed over
        self._asked: dict[int, tuple[str, ...]] = {}  # of those that not everybody may answer
        self._inbox: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._shared: Future | None = None
        self._looked = float("-inf")
        self.threads = 1

    def submit(self, number: int, items: list[Any]) -> int:
        """Hand a batch over; returns the bytes of its items. Asks whether to stop."""
        ask()
        message = pickle.dumps(items)
        self._futures[number] = None
        inbox, chosen = self._inbox, self._crew.chosen
        if chosen is not None:
            self._asked[number] = chosen
            if not chosen:  # the next look at who is there decides
                inbox.put(number)
                return len(message)
        try:
            future = self._client.submit(
                workers.answer_there, versions(), self._sent_function(chosen), message,
                key=(self._run, number), pure=False, workers=chosen,
            )  # fmt: skip
        except Exception:
            if self._client.status == "running":
                raise
            inbox.put(number)  # whatever Dask says while the connection breaks
        else:
            self._futures[number] = future
            future.add_done_callback(lambda _future: inbox.put(number))
        return len(message)

    def _sent_function(self, chosen: tuple[str, ...] | None) -> bytes | Future:
        if len(self._function) < _LARGE:
            return self._function
        if self._shared is None:  # a task, not scattered data: it is computed anew where it is lost
            self._shared = self._client.submit(
                workers.keep_there, self._function,
                key=f"{self._run}-function", pure=False, workers=chosen,
            )  # fmt: skip
        return self._shared

    def ended(self) -> list[tuple[int, Answered | Fate]]:
        """What ended, waiting 50 ms at most; it asks whether to stop."""
        ask()
        try:
            if self._client.status != "running":
                raise Gone  # noqa: TRY301 - as where it is noticed later
            if monotonic() > self._looked + _LOOK_S:
                there = politely(self._client, self._client.scheduler.ncores())
                self._looked = monotonic()
                self.threads = self._crew.look(there)
                self._give_up_on(there)
            return self._replies(self._heard())
        except Gone:
            forgotten = list(self._futures)
            self.release()
            self._begin(self._back(self._client))
            return [(number, Fate.AGAIN) for number in forgotten]

    def release(self) -> None:
        """Nothing more is wanted: the scheduler forgets the tasks, workers stop those that run."""
        for future in self._futures.values():
            if future is not None and self._client.status == "running":
                future.release()
        self._futures.clear()
        self._asked.clear()
        self._shared = None

    def _give_up_on(self, there: Mapping[str, int]) -> None:
        """Batches that nobody there may answer are to be handed over again."""
        for number, chosen in self._asked.items():
            if not any(one in there for one in chosen):
                if (future := self._futures[number]) is not None:
                    self._futures[number] = None
                    future.release()
                self._inbox.put(number)

    def _heard(self) -> dict[int, Future | None]:
        """All that is said to have ended by now."""
        found: dict[int, Future | None] = {}
        try:
            number = self._inbox.get(timeout=ASK_S)
            while True:
                if number in self._futures:
                    found[number] = self._futures[number]
                number = self._inbox.get_nowait()
        except queue.Empty:
            return found

    def _replies(self, ended: dict[int, Future | None]) -> list[tuple[int, Answered | Fate]]:
        finished = {
            number: future
            for number, future in ended.items()
            if future is not None and future.status == "finished"
        }
        data: dict[int, bytes | None] = {}
        if finished:
            data = politely(
                self._client, self._client.gather(finished, errors="skip", asynchronous=True)
            )
        if self._client.status != "running":
            raise Gone
        found = []
        for number, future in ended.items():
            del self._futures[number]
            chosen, reply = self._asked.pop(number, None), data.get(number)
            fate = self._fate(future, chosen) if reply is None else self._read(reply)
            found.append((number, fate))
        return found

    def _read(self, reply: bytes) -> Answered | Fate:
        said: Answered | Differs = pickle.loads(reply)
        if isinstance(said, Differs):
            self._leave_out({said.worker: differences(versions(), said.versions)})
            return Fate.AGAIN
        return said

    def _fate(self, future: Future | None, chosen: tuple[str, ...] | None) -> Fate:
        if future is None or future.status != "error":
            self._shared = None  # it is forgotten as this task is
            return Fate.AGAIN
        try:
            error = future.exception(timeout=workers.PATIENCE_S)
            if isinstance(error, KilledWorker):
                return Fate.KILLED
            # one without Placewise can't even read its task
            left_out = chosen is None and self._crew.chosen is not None
            if left_out or self._leave_out(workers.unlike(self._client)):
                self._shared = None
                return Fate.AGAIN
        except _BROKEN as broken:
            raise Gone from broken
        raise PlacewiseError(
            f"a worker failed: {' '.join(str(error).split()) or type(error).__name__}"
        )

    def _leave_out(self, unlike: Unlike) -> bool:
        self._looked = float("-inf")  # whether others are there
        return self._crew.leave_out(unlike)


def politely(client: Client, coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine of the client's loop; asks whether to stop while it waits."""
    future = asyncio.run_coroutine_threadsafe(coroutine, client.loop.asyncio_loop)
    try:
        while not wait([future], ASK_S).done:
            ask()
            if client.status != "running":
                raise Gone
        return future.result()
    except _BROKEN as error:
        raise Gone from error
    finally:
        future.cancel()


# Who of a cluster's workers computes for us: those present that run this version of Placewise.

Unlike = Mapping[str, tuple[str, ...]]
"""Address → what it has instead of what is here, in words."""


class Lost(Exception):
    """The cluster is gone, or nobody there can compute for us, and that did not change in time.

    `refusal`: what to tell where nothing else can be done; None: that it is to be started again.
    """

    refusal: PlacewiseError | None = None


class CompatibleWorkers:
    """The workers of one cluster, as all calls that use it came to know them.

    `note`: told who is left out, once. `patience_s`: how long a cluster may be without any worker.
    """

    def __init__(self, note: Callable[[str], None], patience_s: float) -> None:
        self._note, self._patience_s = note, patience_s
        self._lock = threading.Lock()
        self._there: set[str] = set()
        self._unlike: dict[str, tuple[str, ...]] = {}
        self._told: dict[str, tuple[str, ...]] = {}  # also who was away for a while
        self._deserted: float | None = None  # since when

    @property
    def chosen(self) -> tuple[str, ...] | None:
        """Who alone may be asked; ``None``: everybody, also who comes later."""
        with self._lock:
            return tuple(sorted(self._there - set(self._unlike))) if self._unlike else None

    def leave_out(self, unlike: Unlike) -> bool:
        """Ask these no more; returns whether one of them was new."""
        with self._lock:
            new = {one: what for one, what in unlike.items() if one not in self._unlike}
            self._unlike |= new
            untold = {one: what for one, what in new.items() if self._told.get(one) != what}
            self._told |= new
        if untold:
            self._note(workers.left_out(untold))
        return bool(new)

    def look(self, there: Mapping[str, int]) -> int:
        """Hear who is there, each with its threads; returns how many threads compute for us."""
        with self._lock:
            self._there = set(there)
            # who was started again may be like us now
            self._unlike = {one: what for one, what in self._unlike.items() if one in there}
            unlike = dict(self._unlike)
            alone = self._nobody(sum(there.values()) == 0)
        if alone:
            raise Lost(f"no worker connected within {duration(self._patience_s)}")
        if there and len(unlike) == len(there):
            lost = Lost("no worker runs this version of Placewise")
            lost.refusal = workers.refusal(unlike)
            raise lost
        return sum(threads for one, threads in there.items() if one not in unlike)

    def _nobody(self, is_deserted: bool) -> bool:
        """Whether that is so for too long."""
        if not is_deserted:
            self._deserted = None
        elif self._deserted is None:
            self._deserted = monotonic()
        elif monotonic() > self._deserted + self._patience_s:
            self._deserted = None
            return True
        return False
