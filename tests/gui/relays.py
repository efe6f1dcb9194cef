"""What relay processes do in tests, in place of asking a scheduler."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from gui.basics.remote_client_process import Answer, Said
from machines import InputError

Tell = Callable[[object], None]
Stop = Callable[[], bool]


def nowhere(_address: str) -> None:
    """Connects to nothing."""


def backwards(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Answers from the last piece to the first."""
    del should_stop
    for place in reversed(range(len(items))):
        on_progress(Answer(place, function(items[place])))
    return f"Computed on {address}"


def dying(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Ends its process after two answers."""
    del address, should_stop
    for place in (3, 1):
        on_progress(Answer(place, function(items[place])))
    os._exit(1)


def dying_of_many(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Ends its process after the first of more than two pieces."""
    if len(items) > 2:
        on_progress(Answer(0, function(items[0])))
        os._exit(1)
    return backwards(address, function, items, on_progress, should_stop)


def noting(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Has something to say."""
    on_progress(Said(f"The scheduler at {address} is gone"))
    backwards(address, function, items, on_progress, should_stop)
    return ""


def endless(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Answers the first piece, then tells a lot until it is stopped."""
    del address
    on_progress(Answer(0, function(items[0])))
    while not should_stop():
        on_progress(None)
    return ""


def deaf(
    address: str,
    function: Callable[[Any], Any],
    items: Sequence[Any],
    on_progress: Tell,
    should_stop: Stop,
) -> str:
    """Answers the first piece and hears nothing any more."""
    del address, should_stop
    on_progress(Answer(0, function(items[0])))
    time.sleep(600)
    return ""


def thread_of(number: int) -> tuple[int, int, str]:
    """A number doubled, and the process and the thread that did it."""
    return *process_of(number), threading.current_thread().name


def process_of(number: int) -> tuple[int, int]:
    """A number doubled, and the process that did it."""
    if number < 0:
        raise InputError("below 0", value=number)
    return 2 * number, os.getpid()
