"""What a worker does: it answers a batch of items, and stops when nobody wants the answers.

Everything that crosses is bytes, pickled and read here and at the caller alone: the scheduler needs
no Placewise, and answers arrive as they were made.
"""

from __future__ import annotations

import pickle
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from time import perf_counter
from typing import Any

from advisor import kernels
from advisor.computing.versions import versions
from machines.stopping import ask, stoppable

_ASK_S = 0.02
Versions = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Answered:
    """What a batch gave: the answers of its first items, and what the next one raised, if any."""

    answers: tuple[Any, ...]
    failure: Exception | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Differs:
    """The worker computes with something else than the caller and has answered nothing."""

    worker: str
    versions: Versions


@dataclass(frozen=True)
class Described:
    """A worker: its versions, and whether its kernels are compiled already."""

    versions: Versions
    ready: bool


def dask_setup(worker: Any) -> None:
    """Begin; what Dask calls as a worker that this product started begins."""
    # Ctrl-C is for whoever started us, and ends us by that
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # no import looks where Dask keeps what it writes: nothing, here
    sys.path[:] = [path for path in sys.path if path != worker.local_directory]
    _loading()


def described() -> Described:
    """What there is to say of the worker that runs it; pieces may come, so it gets ready."""
    there = Described(versions(), kernels.ready())
    _loading()
    return there


def answered(expected: Versions, function: bytes, items: bytes) -> bytes:
    """A batch's `Answered`, or `Differs`, pickled; runs inside a task of Dask."""
    from distributed import get_worker  # noqa: PLC0415 - half a second; workers have it

    worker = get_worker()
    if versions() != expected:  # first: what was pickled there may not be read here
        return pickle.dumps(Differs(worker.address, versions()))
    wanted = _wanted(worker)
    loading = _loading()
    while loading.is_alive() and wanted():  # what is given up leaves the worker to others
        loading.join(_ASK_S)
    reply = answers(_function(function), pickle.loads(items), lambda: not wanted())
    try:
        return pickle.dumps(reply)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        return pickle.dumps(Answered((), _told(error), reply.seconds))


def answers(
    function: Callable[[Any], Any], items: list[Any], should_stop: Callable[[], bool]
) -> Answered:
    """The items' answers in their order, until one raises."""
    found: list[Any] = []
    failure: Exception | None = None
    began = perf_counter()
    with stoppable(should_stop):
        try:
            for item in items:
                ask()
                found.append(function(item))
        except Exception as error:  # noqa: BLE001 - the caller's, raised there
            failure = _told(error)
    return Answered(tuple(found), failure, perf_counter() - began)


@cache
def _loading() -> threading.Thread:
    """What loads the kernels, once; nothing else waits for it."""
    thread = threading.Thread(target=kernels.load, name="kernels", daemon=True)
    thread.start()
    return thread


@lru_cache(maxsize=4)
def _function(function: bytes) -> Callable[[Any], Any]:
    """It may hold a large problem: read once."""
    found: Callable[[Any], Any] = pickle.loads(function)
    return found


def _wanted(worker: Any) -> Callable[[], bool]:
    """Whether the scheduler still wants what this thread computes.

    A worker can't interrupt a running task: it marks it as cancelled. So it is when the caller
    gives it up, ends, or loses the scheduler, and when the scheduler ends.
    """
    key, tasks = worker.get_current_task(), worker.state.tasks

    def wanted() -> bool:
        task = tasks.get(key)
        return task is not None and task.state == "executing" and worker.status.name == "running"

    return wanted


def _told(error: Exception) -> Exception:
    """The error, if it can cross; else what it says."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - whatever its own code does
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
