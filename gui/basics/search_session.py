"""One life of the search process: start it, write to it, read from it, end it. No Qt.

Starting a process and pickling a large problem take longer than a frame, so a writer thread
does both; a reader thread waits for the answers.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from time import monotonic

from gui.basics.background import step_back
from gui.basics.messages import send
from gui.basics.worker import CANCEL, Call, Report, serve

# a plain fork would take threads of Qt along
CONTEXT: SpawnContext | ForkServerContext = multiprocessing.get_context("spawn")


class SearchSession:
    """A process with its two threads; `deliver(session, report)` is called on the reader's.

    `name`: name of the process and the threads.
    `warm_up`: called in the process before it takes calls.
    `deliver`: receives every `Report`, at last one of kind "died".
    `parental`: whether the process starts others, as what is a daemon may not; these do not wait
        for the window.
    """

    def __init__(
        self,
        name: str,
        warm_up: Callable[[], object] | None,
        deliver: Callable[[SearchSession, Report], None],
        parental: bool = False,
    ) -> None:
        self._name, self._warm_up, self._parental = name, warm_up, parental
        self._deliver: Callable[[SearchSession, Report], None] | None = deliver
        self._lock = threading.Lock()
        self._outbox: SimpleQueue[Call | str | None] = SimpleQueue()
        self._process: BaseProcess | None = None
        self._ended = False
        self._reader: threading.Thread | None = None
        self._writer = threading.Thread(target=self._write, name=f"{name} writer", daemon=True)
        self._writer.start()

    @property
    def process_id(self) -> int | None:
        """The process, once it runs."""
        process = self._process
        return process.pid if process is not None else None

    def send(self, call: Call) -> None:
        """Hand over a call; it also stops the call before it."""
        self._outbox.put(call)

    def cancel(self) -> None:
        """Ask the running call to stop."""
        self._outbox.put(CANCEL)

    def terminate(self) -> bool:
        """End the process, whose last reports are still delivered; False: it has not begun."""
        process = self._process
        if process is not None:
            process.terminate()
        return process is not None

    def abandon(self) -> None:
        """End the process without waiting; nothing is delivered any more."""
        with self._lock:
            self._deliver = None
            self._ended = True
        self._outbox.put(None)
        self.terminate()

    def close(self, wait_s: float) -> None:
        """End the process and wait for the threads, at most so long in all."""
        deadline = monotonic() + wait_s
        self.abandon()
        self._writer.join(wait_s)
        if self._reader is not None:
            self._reader.join(max(0.0, deadline - monotonic()))

    def _write(self) -> None:
        if not self._parental:
            step_back()  # the process inherits it
        ours, theirs = CONTEXT.Pipe()
        with theirs:
            process = CONTEXT.Process(
                target=serve,
                args=(theirs, self._warm_up),
                name=self._name,
                daemon=not self._parental,
            )
            with self._lock:
                if self._ended:
                    ours.close()
                    return
                process.start()
                self._process = process
        self._reader = threading.Thread(
            target=self._read, args=(ours, process), name=f"{self._name} reader", daemon=True
        )
        self._reader.start()
        while (message := self._outbox.get()) is not None:
            try:
                send(ours, message)
            except (BrokenPipeError, OSError):
                return  # the reader reports the death

    def _read(self, pipe: Connection, process: BaseProcess) -> None:
        with pipe:
            try:
                while True:
                    self._report(pipe.recv())
            except (EOFError, OSError):
                pass
            self._outbox.put(None)
            # the writer may be in the middle of a message: only it may still use the pipe
            self._writer.join()
        process.join()
        self._report(Report("died", value=process.exitcode))

    def _report(self, report: Report) -> None:
        with self._lock:
            if self._deliver is not None:
                self._deliver(self, report)
