"""What is on its way out of the window, off its thread: into files and onto the clipboard.

It is told to `outgoing`, for the window's status line, which shows how far it is, with Cancel. A
file is there as a whole or as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.error_messages import show_error
from machines.errors import PlacewiseError
from machines.stopping import stoppable

NOT_WRITTEN, NOT_COPIED = "This can't be exported", "This can't be copied"

Put = Callable[[], object]  # puts something on the clipboard, on the window's thread


@dataclass(frozen=True, eq=False)
class _Copied:
    """What should be on the clipboard, unless something was copied after it."""

    number: int
    put: Put


class Outgoing(QObject):
    """What is on its way, of the whole application."""

    began = Signal(object, object, object)  # its name, what it is, callable that cancels it
    went_on = Signal(object, object)  # its name, share that is done
    ended = Signal(object)  # its name

    def __init__(self) -> None:
        super().__init__()
        self.copies = 0  # so far: the newest is what the clipboard gets
        self.names = count(1)


@cache
def outgoing() -> Outgoing:
    """The application's."""
    return Outgoing()


class BackgroundExport(QObject):
    """Writes and copies what belongs to a widget; errors open their dialog over it.

    `parent`: what is on its way ends with it.
    """

    written = Signal(object)  # Path
    copied = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self._jobs: list[LatestWins] = []
        self._titles: dict[str, str] = {}  # of errors, by the name of the job

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way."""
        return any(job.is_busy for job in self._jobs)

    def begin_writing(self, path: Path, write: Callable[[OnProgress], object]) -> None:
        """Call ``write(on_progress)`` on a thread, which writes the file."""

        def work(on_progress: OnProgress) -> Path:
            write(on_progress)
            return path

        self._start(f"Writing {path.name}", NOT_WRITTEN, work)

    def begin_copying(self, what: str, make: Callable[[OnProgress], Put]) -> None:
        """Call ``make(on_progress)`` on a thread; what it gives puts it on the clipboard."""
        number = _next_copy()
        self._start(
            f"Copying {what}", NOT_COPIED, lambda on_progress: _Copied(number, make(on_progress))
        )

    def copy_now(self, put: Put) -> None:
        """Put on the clipboard what is there at once."""
        self._end(_Copied(_next_copy(), put))

    def refuse(self, title: str, error: PlacewiseError) -> None:
        """Tell why something can't leave."""
        show_error(self._widget, title, error)

    def _start(self, text: str, title: str, work: Callable[[OnProgress], object]) -> None:
        def job(should_stop: ShouldStop, on_progress: OnProgress) -> object:
            with stoppable(should_stop):
                return work(on_progress)

        jobs = next((one for one in self._jobs if not one.is_busy), None) or self._made()
        self._titles[jobs.objectName()] = title
        outgoing().began.emit(jobs.objectName(), text, jobs.cancel)
        jobs.request_reporting(job)

    def _made(self) -> LatestWins:
        name = f"leaving {next(outgoing().names)}"
        job = LatestWins(self, name)
        job.done.connect(self._end)
        job.failed.connect(partial(self._fail, name))
        job.progress.connect(lambda share: outgoing().went_on.emit(name, share))
        job.busy.connect(lambda busy: None if busy else outgoing().ended.emit(name))
        job.destroyed.connect(partial(_tell_end, outgoing(), name))
        self._jobs.append(job)
        return job

    def _end(self, result: object) -> None:
        if isinstance(result, Path):
            self.written.emit(result)
        elif isinstance(result, _Copied) and result.number == outgoing().copies:
            result.put()
            self.copied.emit()

    def _fail(self, name: str, error: PlacewiseError) -> None:
        self.refuse(self._titles[name], error)


def _tell_end(told: Outgoing, name: str) -> None:
    if shiboken6.isValid(told):  # the application may end first
        told.ended.emit(name)


def _next_copy() -> int:
    outgoing().copies += 1
    return outgoing().copies
