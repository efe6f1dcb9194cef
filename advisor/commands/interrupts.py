"""Ctrl-C as a request: a running search is asked to stop and gives its best so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from advisor.basics.stop_rule import ShouldStop

INTERRUPTED = 130


@contextmanager
def interruptible() -> Iterator[ShouldStop]:
    """While the block runs, Ctrl-C makes the yielded function true instead of raising.

    A second Ctrl-C raises KeyboardInterrupt as usual. Outside the main thread, where no signals
    arrive, the function stays false.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(_signal: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
