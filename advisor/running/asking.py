"""Asking the process of a run to replan the rest: a signal, from the window or from a shell."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from advisor.running.run_settings import ShouldStop

_SIGNAL = getattr(signal, "SIGUSR1", None)  # not on every system


def can_be_asked() -> bool:
    """Whether this system has the signal."""
    return _SIGNAL is not None


def ask(process: int) -> None:
    """Ask a process whose `asked` block runs or has run; nothing where it is gone."""
    if _SIGNAL is not None:
        with suppress(ProcessLookupError):
            os.kill(process, _SIGNAL)


@contextmanager
def asked() -> Iterator[ShouldStop]:
    """In the block, the yielded function is true once after each SIGUSR1.

    One that comes after the block does nothing, where it would end the process else. Outside the
    main thread, where no signals arrive, the function stays false.
    """
    told = threading.Event()
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        yield told.is_set
        return

    def hear(_number: int, _frame: FrameType | None) -> None:
        told.set()

    def once() -> bool:
        heard = told.is_set()
        told.clear()
        return heard

    signal.signal(_SIGNAL, hear)
    yield once
