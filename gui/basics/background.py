"""What computes beside the window lets it go first, at processors and in the interpreter."""

from __future__ import annotations

import os
import sys
import threading
import time
from time import perf_counter, sleep

_NICE = 5  # a quarter of a processor where the window's thread, or another program, wants all
# a thread in NumPy gives the interpreter up and takes it again all the time, too briefly for the
# window's thread to get it, which needs it at every call of Qt
_AWAKE_S, _NAP_S = 1e-3, 1e-5  # how often it lets others in, and how briefly
_STEP_S = 2e-4  # how often it looks whether the window's thread still computes
_REST_S, _FIRST_S = 5e-3, 0.05  # how long at most: in between, and before it begins


def step_back() -> None:
    """Leave the processors to others, from now on: this thread, and what it starts.

    Only where a thread has a priority of its own.
    """
    if sys.platform == "linux":
        os.nice(_NICE)


class Naps:
    """Called again and again by a thread that computes, naps now and then.

    A nap is brief where the window's thread waits or rests. It lasts while that thread computes,
    but a few milliseconds at most, so that the job gets on; the one before the job begins lasts
    longer: the window's thread asked for it, and finishes first what it is at.
    """

    def __init__(self) -> None:
        _nap(_FIRST_S)
        self._woke = perf_counter()

    def __call__(self) -> None:
        """Nap if it is time."""
        if perf_counter() - self._woke > _AWAKE_S:
            _nap(_REST_S)
            self._woke = perf_counter()


def _nap(most_s: float) -> None:
    """For a moment, and on while the window's thread computes."""
    until, seen = perf_counter() + most_s, window_s()
    sleep(_NAP_S)
    while perf_counter() < until and (now := window_s()) > seen:
        seen = now
        sleep(_STEP_S)


def window_s() -> float:
    """Processor time of the window's thread so far in seconds; 0 where the system does not tell."""
    return time.clock_gettime(_CLOCK) if _CLOCK is not None else 0.0


def _clock() -> int | None:
    """Of the thread that Qt demands for windows."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    return clock_of(threading.main_thread().ident) if clock_of is not None else None


_CLOCK = _clock()
