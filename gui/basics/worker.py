"""The search process: runs one engine call at a time and tells its progress through a pipe.

It imports no Qt, so that the process starts fast and stays small. Any message that arrives during
a call means "stop": either a cancellation or the next call. The end of the pipe ends the process.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from gui.basics.messages import receive
from machines.errors import PlacewiseError

CANCEL = "cancel"
_WARM_UP_S = 3.0
_STEP_S = 0.02


@dataclass(frozen=True)
class Call:
    """`function(**arguments, on_progress=…, should_stop=…)`, numbered."""

    number: int
    function: Callable[..., object]
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Report:
    """What the process says about call `number`: started, progress, done or failed.

    Of a process that died the value is its exit status, negative for a signal.
    """

    kind: str
    number: int = 0
    value: object = None


def load_kernels() -> None:
    """Import the search and its compiled kernels, so that the first call finds them warm."""
    from advisor import kernels, search  # noqa: F401, PLC0415 - slow: in the process only

    kernels.load()


def serve(pipe: Connection, warm_up: Callable[[], object] | None = None) -> None:
    """Answer calls from `pipe` until its other end closes.

    `pipe`: receives `Call` and `CANCEL`, sends `Report`. `warm_up`: called once, on a thread; the
    first call waits a moment for it.
    """
    # an interrupt of the terminal belongs to the window, which closes the pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warming = threading.Thread(target=warm_up or _nothing, name="warm-up", daemon=True)
    warming.start()
    while True:
        try:
            message = receive(pipe)
            if isinstance(message, Call):
                _wait(warming, pipe)
                _answer(pipe, message)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def _wait(warming: threading.Thread, pipe: Connection) -> None:
    """Wait for the warm-up unless it takes long: a compiler may have to run first."""
    deadline = time.monotonic() + _WARM_UP_S
    while warming.is_alive() and time.monotonic() < deadline and not pipe.poll(0):
        warming.join(_STEP_S)


def _nothing() -> None:
    """No warm-up."""


def _answer(pipe: Connection, call: Call) -> None:
    pipe.send(Report("started", call.number))

    def on_progress(value: object) -> None:
        pipe.send(Report("progress", call.number, value))

    try:
        result = call.function(
            **call.arguments, on_progress=on_progress, should_stop=lambda: pipe.poll(0)
        )
    except PlacewiseError as error:
        pipe.send(Report("failed", call.number, error))
    except MemoryError:
        pipe.send(Report("failed", call.number, out_of_memory()))
    else:
        pipe.send(Report("done", call.number, result))


def out_of_memory() -> PlacewiseError:
    """The error of a computation that did not fit into memory."""
    return PlacewiseError(
        "there is not enough memory for this computation",
        remedy="Close other programs or use a smaller workload",
    )
