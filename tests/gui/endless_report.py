"""A report that is written until it is stopped, for the tests of cancelling."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep


def endless_report(
    *, on_progress: Callable[[float], None], should_stop: Callable[[], bool], **_of: object
) -> None:
    """Half done, until it is told to stop."""
    on_progress(0.5)
    while not should_stop():
        sleep(0.005)
