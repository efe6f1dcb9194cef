"""Background work of the window: latest-wins threads and a warm search process.

Nothing here blocks the window's thread: results come back as queued signals, what is out of date
is dropped, and `close` ends everything that still runs.
"""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from advisor.basics.shards import computing_on
from advisor.basics.stop_rule import ShouldStop
from gui.basics.background import Naps, step_back
from gui.basics.remote_client import current
from gui.basics.search_session import SearchSession
from gui.basics.worker import Call, Report, load_kernels, out_of_memory
from machines.errors import PlacewiseError

OnProgress: TypeAlias = Callable[[object], None]

_CLOSE_WAIT_S = 5.0
_CANCEL_WAIT_MS = 1000


@dataclass(frozen=True)
class _Arrival:
    kind: str
    generation: int
    value: object = None


class Channel(QObject):
    """Work beside the window, on a thread or in a process: what it tells comes as signals."""

    done = Signal(object)  # what the newest work gave
    failed = Signal(object)  # PlacewiseError that it raised
    progress = Signal(object)  # what it told last
    busy = Signal(bool)

    def __init__(self, parent: QObject | None, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._is_busy = False

    @property
    def is_busy(self) -> bool:
        """Whether the newest work has not answered yet."""
        return self._is_busy

    def _set_busy(self, busy: bool) -> None:
        if busy != self._is_busy:
            self._is_busy = busy
            self.busy.emit(busy)


class LatestWins(Channel):
    """Runs the newest requested job on a worker thread; older ones are stopped and dropped.

    One job runs at a time. The thread exists only while there is work, so an idle object costs
    nothing.

    `parent`: owner. `name`: name of the thread and of this object.
    """

    _arrived = Signal(object)  # _Arrival, from the worker thread

    def __init__(self, parent: QObject | None = None, name: str = "job") -> None:
        super().__init__(parent, name)
        self._state = _State(name, weakref.ref(self))
        self._arrived.connect(self._receive, Qt.ConnectionType.QueuedConnection)
        self._state.deliver = self._arrived.emit

    def request(self, job: Callable[[ShouldStop], object]) -> None:
        """Run ``job(should_stop)``; it takes the place of any job before it."""
        self.request_reporting(lambda should_stop, _on_progress: job(should_stop))

    def request_reporting(self, job: Callable[[ShouldStop, OnProgress], object]) -> None:
        """Run ``job(should_stop, on_progress)``; what it reports comes as `progress`.

        Reports that the window has not taken yet are replaced by newer ones.
        """
        if self._state.put(job):
            self._set_busy(True)

    def cancel(self) -> None:
        """Stop the job and drop its result; the next `request` is served as usual."""
        self._state.put(None)
        self._set_busy(False)

    def close(self, wait_s: float = _CLOSE_WAIT_S) -> None:
        """Stop the job, wait for its thread at most so long and refuse further requests."""
        self._state.close(wait_s)
        self._set_busy(False)

    @Slot(object)
    def _receive(self, arrival: _Arrival) -> None:
        if arrival.generation != self._state.generation or self._state.closed:
            return
        if arrival.kind == "progress":
            self.progress.emit(self._state.take_progress())
            return
        self._set_busy(False)
        if arrival.kind != "broken":
            (self.done if arrival.kind == "done" else self.failed).emit(arrival.value)


class _State:
    """What the window's thread and the worker share; no Qt object, so it outlives its owner."""

    def __init__(self, name: str, owner: weakref.ref[QObject]) -> None:
        self._owner = owner
        self.generation = 0
        self.closed = False
        self.deliver: Callable[[_Arrival], None] | None = None
        self._name = name
        self._lock = threading.Lock()
        self._pending: Callable[[ShouldStop, OnProgress], object] | None = None
        self._thread: threading.Thread | None = None
        self._progress: list[object] = []

    def put(self, job: Callable[[ShouldStop, OnProgress], object] | None) -> bool:
        """Make `job` the newest; False when closed."""
        with self._lock:
            if self.closed:
                return False
            self.generation += 1
            self._pending = job
            self._progress.clear()
            if job is not None and self._thread is None:
                self._start()
        return True

    def close(self, wait_s: float) -> None:
        self.abandon()
        thread = self._thread
        if thread is not None:
            thread.join(wait_s)

    def abandon(self) -> None:
        with self._lock:
            self.closed = True
            self._pending = None
            self.deliver = None

    def take_progress(self) -> object:
        with self._lock:
            return self._progress.pop() if self._progress else None

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        self._thread.start()

    def _next(self) -> tuple[int, Callable[[ShouldStop, OnProgress], object] | None]:
        with self._lock:
            job, self._pending = self._pending, None
            if job is None:
                self._thread = None
            return self.generation, job

    def _work(self) -> None:
        step_back()
        finished, generation = False, 0
        try:
            while True:
                generation, job = self._next()
                if job is None:
                    finished = True
                    return
                self._send(self._run(generation, job))
        finally:
            # a defect in a job ends this thread; the requests after it must still be served
            if not finished:
                self._send(_Arrival("broken", generation))
                with self._lock:
                    self._thread = None
                    if self._pending is not None:
                        self._start()

    def _run(self, generation: int, job: Callable[[ShouldStop, OnProgress], object]) -> _Arrival:
        nap = Naps()

        def should_stop() -> bool:
            nap()
            owner = self._owner()
            if owner is None or not shiboken6.isValid(owner):
                self.abandon()
            return self.closed or generation != self.generation

        def on_progress(value: object) -> None:
            with self._lock:
                if generation != self.generation:
                    return
                first = not self._progress
                self._progress[:] = [value]
            if first:
                self._send(_Arrival("progress", generation))

        try:
            with computing_on(current()):
                return _Arrival("done", generation, job(should_stop, on_progress))
        except PlacewiseError as error:
            return _Arrival("failed", generation, error)
        except MemoryError:
            return _Arrival("failed", generation, out_of_memory())

    def _send(self, arrival: _Arrival) -> None:
        # under the lock, so that the receiver is not destroyed meanwhile; the signal is queued
        with self._lock:
            if self.deliver is not None and arrival.generation == self.generation:
                self.deliver(arrival)


class ProcessEnded(PlacewiseError):
    """The search process ended in the middle of a call."""

    last: object = None  # what the call told last: its best so far; None: nothing


class SearchProcess(Channel):
    """Runs engine calls in a process of its own that stays warm between them.

    ``start(function, **arguments)`` calls ``function(**arguments, on_progress=…,
    should_stop=…)`` there; function, arguments and result must pickle. A new call takes the
    place of the one that runs. When the process dies, the call fails with a `ProcessEnded`, which
    keeps its best so far, and the next one starts another process. One that is `parental` may
    start processes of its own; all that it tells before its end is heard, also when cancelled.
    After `cancel` it is done with the best so far.
    """

    cancelled = Signal()  # stopped before there was anything to keep
    _reported = Signal(object, object)  # SearchSession, Report

    def __init__(
        self,
        parent: QObject | None = None,
        name: str = "search",
        warm_up: Callable[[], object] | None = load_kernels,
        *,
        parental: bool = False,
    ) -> None:
        super().__init__(parent, name)
        self._warm_up_function, self._parental = warm_up, parental
        self._session: SearchSession | None = None
        self._number = 0
        self._started = False
        self._last: object = None
        self._closed = False
        self._reported.connect(self._receive, Qt.ConnectionType.QueuedConnection)
        self._patience = QTimer(self, singleShot=True, interval=_CANCEL_WAIT_MS)
        self._patience.timeout.connect(self._give_up)

    @property
    def process_id(self) -> int | None:
        """The process, once it runs."""
        return self._session.process_id if self._session is not None else None

    def warm_up(self) -> None:
        """Start the process now, so that the first call need not wait for it."""
        if self._session is None and not self._closed:
            self._session = session = SearchSession(
                self.objectName(), self._warm_up_function, self._reported.emit, self._parental
            )
            self.destroyed.connect(lambda: session.abandon())  # noqa: PLW0108 - held, see above

    def start(self, function: Callable[..., object], **arguments: Any) -> None:
        """Run the call; answers come as signals."""
        if self._closed:
            return
        self.warm_up()
        assert self._session is not None  # noqa: S101, RUF100 - made by warm_up
        self._patience.stop()
        self._number += 1
        self._started, self._last = False, None
        self._session.send(Call(self._number, function, arguments))
        self._set_busy(True)

    def cancel(self) -> None:
        """Stop the call and keep its best so far: `done`, or `cancelled` if it has not begun."""
        if not self._is_busy or self._session is None:
            return
        self._session.cancel()
        if self._started or self._parental:
            self._patience.start()
        else:
            self._drop()

    def drop(self) -> None:
        """Stop the call and forget it: nobody wants its answer any more."""
        if self._is_busy and self._session is not None:
            self._session.cancel()
            self._patience.stop()
            self._drop()

    def close(self, wait_s: float = _CLOSE_WAIT_S) -> None:
        """End the process, wait for its threads at most so long; no signal follows."""
        self._closed = True
        self._is_busy = False
        self._patience.stop()
        if self._session is not None:
            self._session.close(wait_s)
            self._session = None

    def _drop(self) -> None:
        self._number += 1
        self._set_busy(False)
        self.cancelled.emit()

    def _give_up(self) -> None:
        """The call does not react to the cancellation: end its process."""
        if self._parental and self._session is not None:
            if not self._session.terminate():
                self._patience.start()  # there is none yet
            return  # what it had told comes before its death
        if self._session is not None:
            self._session.abandon()
            self._session = None
        if self._last is None:
            self._drop()
        else:
            self._finish(self.failed, self._ended("did not stop when asked"))

    @Slot(object, object)
    def _receive(self, session: SearchSession, report: Report) -> None:
        if session is not self._session:
            return
        if report.kind == "died":
            self._session = None
            if self._is_busy:
                self._finish(self.failed, self._ended(_how(report.value)))
        elif report.number == self._number and self._is_busy:
            if report.kind == "started":
                self._started = True
            elif report.kind == "progress":
                self._last = report.value
                self.progress.emit(report.value)
            elif report.kind in {"done", "failed"}:
                self._finish(self.done if report.kind == "done" else self.failed, report.value)

    def _finish(self, told: Any, value: object) -> None:
        self._patience.stop()
        self._set_busy(False)
        told.emit(value)

    def _ended(self, how: str) -> ProcessEnded:
        error = ProcessEnded(
            f"the search process {how}",
            remedy="Start the search again; it runs in a new process",
        )
        error.last = self._last
        return error


def _how(status: object) -> str:
    """How a process ended, by its exit status."""
    if not isinstance(status, int) or status >= 0:
        return "ended unexpectedly"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    short = ", as the system does when memory runs short" if name == "SIGKILL" else ""
    return f"was ended from outside ({name}{short})"
