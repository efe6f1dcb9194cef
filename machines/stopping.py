"""Stopping work that lies deep below the call that may be stopped.

Whoever can be stopped says so once, with `stoppable`; loops below `ask` between their steps, at
least every 20 ms of work. Work that has a best so far to give takes `should_stop` as an argument
instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from machines.errors import PlacewiseError

_should_stop: ContextVar[Callable[[], bool] | None] = ContextVar("should_stop", default=None)


class Stopped(PlacewiseError):
    """Work was told to stop before it had anything to give (exit status 130, as of Ctrl-C)."""

    exit_status = 130


@contextmanager
def stoppable(should_stop: Callable[[], bool] | None) -> Iterator[None]:
    """While the block runs, `ask` in this thread asks `should_stop`; ``None``: nobody.

    `stopped` hands on whom the blocks around it ask.
    """
    before = _should_stop.set(_should_stop.get() if should_stop is stopped else should_stop)
    try:
        yield
    finally:
        _should_stop.reset(before)


def stopped() -> bool:
    """Whether the work at hand should stop."""
    should_stop = _should_stop.get()
    return should_stop is not None and should_stop()


def ask() -> None:
    """Raise `Stopped` if the work at hand should stop."""
    if stopped():
        raise Stopped("stopped before there was anything to keep")
