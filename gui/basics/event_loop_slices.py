"""Long work of the window's thread in pieces, of which one is done a turn of its event loop.

A piece is what a generator does up to its next `yield`. All that is done so stands in one line,
whatever it belongs to: two pieces never come in one turn, and other events come between them.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Generator, Iterator
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer

Made = TypeVar("Made")


def at_once(parts: Generator[object, None, Made]) -> Made:
    """What is made of all the parts, now."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            made: Made = end.value
            return made


class EventLoopSlices(QObject):
    """Does the newest work that it is given; what is left of the one before is given up.

    `parent`: whom the work is for: it ends with its parent.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work: Iterator[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is left to do."""
        return self._work is not None

    def start(self, work: Iterator[None]) -> None:
        """Do this from the next turn on."""
        waits = self.is_busy
        self._work = work
        if not waits:
            _line().join(self)

    def finish(self) -> None:
        """Do all that is left now."""
        while self.is_busy:
            self.step()

    def step(self) -> None:
        """Do the next piece now; work that fails is over."""
        work, self._work = self._work, None
        if work is None:
            return
        for _piece in work:
            if self._work is None:  # nothing newer was given meanwhile
                self._work = work
            return

    def drop(self) -> None:
        """Give up what is left."""
        self._work = None


class _Line(QObject):
    """Who waits for a turn: the first is served to the end."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[weakref.ref[EventLoopSlices]] = deque()
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._serve)

    def join(self, one: EventLoopSlices) -> None:
        """Wait for a turn."""
        self._waiting.append(weakref.ref(one))
        self._turn.start()

    def _serve(self) -> None:
        while self._waiting:
            first = self._waiting[0]()
            if first is not None and shiboken6.isValid(first) and first.is_busy:
                self._turn.start()
                first.step()
                return
            self._waiting.popleft()


def _line() -> _Line:
    """The application's."""
    application = QCoreApplication.instance()
    assert application is not None
    return next((one for one in application.children() if isinstance(one, _Line)), None) or _Line(
        application
    )
