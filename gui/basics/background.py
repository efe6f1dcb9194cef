"""What computes beside the window lets its thread go first: at processors and in the interpreter.

No Qt: the processes of the window use it, too.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from time import perf_counter, sleep

_NICE = 10  # a tenth of the processor time where the window's thread wants all
# a thread in NumPy gives the interpreter up and takes it again all the time, too briefly for the
# window's thread to get it, which waits for it at every call of Qt
_AWAKE_S, _NAP_S = 1e-3, 1e-5  # how often such a thread lets others in, and how briefly
_STEP_S, _REST_S = 2e-4, 5e-3  # while the window's thread computes it goes on napping, at most


def step_back() -> None:
    """This thread, or the process that has no other, takes the processors that nobody wants.

    Only where threads have a priority of their own.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _NICE)


class Naps:
    """Called again and again by a thread that computes, naps now and then.

    It sleeps on while the window's thread computes, a few milliseconds, so that it gets on itself.
    """

    def __init__(self) -> None:
        self._woke = perf_counter()

    def __call__(self) -> None:
        """Nap if it is time."""
        if perf_counter() - self._woke < _AWAKE_S:
            return
        until = perf_counter() + _REST_S
        seen = window_s()
        sleep(_NAP_S)
        while perf_counter() < until and (now := window_s()) > seen:
            seen = now
            sleep(_STEP_S)
        self._woke = perf_counter()


def window_s() -> float:
    """Processor time of the window's thread so far, in seconds; 0 where the system does not tell."""
    return time.clock_gettime(_CLOCK) if _CLOCK is not None else 0.0


def _clock() -> int | None:
    """Of the thread that Qt demands for windows."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    return clock_of(threading.main_thread().ident) if clock_of is not None else None


_CLOCK = _clock()
