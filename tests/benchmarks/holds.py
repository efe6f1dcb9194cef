"""Who keeps the interpreter, for how long and where: shared by the benchmarks of the window.

A thread that wakes each millisecond needs the interpreter each time. Where it comes late, another
thread kept it: the one that computed most meanwhile. Only what that thread itself computed counts,
so that other programs do not lengthen it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import clock_gettime, perf_counter, pthread_getcpuclockid, sleep

_BEAT_S = 0.001
_ROOMS = ("/advisor/", "/machines/", "/gui/", "/tests/")
_LINES = 5  # of a stack


@dataclass(frozen=True)
class Hold:
    """One thread kept the interpreter.

    Attributes
    ----------
    seconds : float
        That it computed itself, of the time between two beats.
    thread : str
        Its name.
    where : str
        The lines of our own on its stack right after, the innermost first.
    """

    seconds: float
    thread: str
    where: str


class TimeLimit:
    """Beats on a thread of its own until it is ended; notes holds that are long enough.

    Parameters
    ----------
    least_s : float
        Shorter holds are not noted.
    """

    def __init__(self, least_s: float = 0.0) -> None:
        self._least_s, self._over = least_s, False
        self._holds: list[Hold] = []
        self._thread = threading.Thread(target=self._beat, name="beats", daemon=True)

    def start(self) -> TimeLimit:
        """Begin."""
        self._thread.start()
        return self

    def end(self) -> list[Hold]:
        """End; the holds since they were taken last."""
        self._over = True
        self._thread.join()
        return self.taken()

    def taken(self) -> list[Hold]:
        """The holds since they were taken last."""
        found, self._holds = self._holds, []
        return found

    def _beat(self) -> None:
        with first_in_line():
            clocks: dict[threading.Thread, int] = {}
            beat, spent = perf_counter(), _spent(clocks)
            while not self._over:
                sleep(_BEAT_S)
                now, own = perf_counter(), _spent(clocks)
                each = {one: own[one] - spent.get(one, 0.0) for one in own}
                if each and (longest := min(max(each.values()), now - beat)) >= self._least_s:
                    thread = max(each, key=each.__getitem__)
                    self._holds.append(Hold(longest, thread.name, line(thread)))
                beat, spent = perf_counter(), own


def _spent(clocks: dict[threading.Thread, int]) -> dict[threading.Thread, float]:
    """Seconds that every other thread of Python computed so far; a clock ends with its thread."""
    threads, found = threading.enumerate(), {}
    for gone in clocks.keys() - set(threads):
        del clocks[gone]
    for thread in threads:
        if thread is threading.current_thread() or thread.ident is None:
            continue
        try:
            if thread not in clocks:
                clocks[thread] = pthread_getcpuclockid(thread.ident)
            found[thread] = clock_gettime(clocks[thread])
        except OSError:
            continue  # it has just ended
    return found


@contextmanager
def first_in_line() -> Iterator[None]:
    """Let this thread wait for the interpreter alone, and for no other program, if that may be."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def line(thread: threading.Thread) -> str:
    """Where a thread is: the lines of our own on its stack, the innermost first."""
    frame, lines = sys._current_frames().get(thread.ident or 0), []
    while frame is not None and len(lines) < _LINES:
        file = frame.f_code.co_filename
        if any(room in file for room in _ROOMS):
            lines.append(f"{Path(file).name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(lines)
