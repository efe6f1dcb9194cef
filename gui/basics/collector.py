"""Python's garbage collector, kept on the window's thread and from stopping the window.

Left alone, Python collects on whichever thread allocates; an object of Qt that dies on a worker's
thread while the window uses it ends the process. And a full collection looks at every object of a
large project, half a second in which no thread runs: what lives as long as the project is frozen,
that is still freed when nothing refers to it, but no longer searched for cycles.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from PySide6.QtCore import QObject, QTimer

_PERIOD_MS = 1000
_lock = Lock()
_holders = 0


class Collector(QObject):
    """Takes the place of Python's automatic collections: only the window's thread collects.

    `parent`: owner; lives as long as the application.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_PERIOD_MS)
        # in the turn after, which is not one with whatever else was due at this moment
        self._timer.timeout.connect(lambda: QTimer.singleShot(0, self, self.collect))
        self._timer.start()

    def collect(self) -> None:
        """Collect the generations that are due, by Python's own thresholds."""
        if _holders:
            return
        due = [
            generation
            for generation, (count, threshold) in enumerate(
                zip(gc.get_count(), gc.get_threshold(), strict=True)
            )
            if count > threshold > 0
        ]
        if due:
            gc.collect(due[-1])


@contextmanager
def collector_held() -> Iterator[None]:
    """No collections while this thread makes many objects and no garbage cycles."""
    global _holders  # noqa: PLW0603 - as process-wide as the collector
    with _lock:
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1


def freeze() -> None:
    """Let no later collection look at what is there now."""
    gc.freeze()
