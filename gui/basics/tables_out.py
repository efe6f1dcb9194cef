"""Tables on their way out, off the window's thread: into CSV files and onto the clipboard.

A hundred thousand rows take a second to be put into words, and a disk may take any time. So rows
are made and written on a thread, in pieces between which it may be told to stop; a file is there as
a whole or as it was. What is on its way is told to `outgoing`, for the window's status line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from advisor.basics import quantities
from advisor.basics.stopping import ShouldStop
from gui.basics.errors import show_error
from gui.basics.figures import Table, export_table
from gui.basics.jobs import LatestWins, OnProgress
from machines.errors import InputError, PlacewiseError
from machines.files import MIB
from machines.stopping import stoppable

AT_ONCE = 200  # rows that are copied before the next event: a millisecond
MOST_COPIED = 16 * MIB  # characters: Qt takes no more within a frame
NOT_WRITTEN, NOT_COPIED = "This can't be exported", "This can't be copied"


@dataclass(frozen=True)
class _Copied:
    """What shall be on the clipboard, unless something was copied after it."""

    number: int
    text: str


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


class TablesOut(QObject):
    """Writes and copies the tables of a widget; errors open their dialog over it.

    Parameters
    ----------
    parent : QWidget
        What is on its way ends with it.
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
        """Whether a table is on its way."""
        return any(job.is_busy for job in self._jobs)

    def write(self, table: Table, path: Path) -> None:
        """Write a table as CSV."""

        def work(should_stop: ShouldStop, on_progress: OnProgress) -> object:
            with stoppable(should_stop):
                export_table(table, path, on_progress)
            return path

        self._start(f"Writing {path.name}", NOT_WRITTEN, work)

    def copy(self, table: Table) -> None:
        """Put a table on the clipboard as tab-separated text; few rows are there at once."""
        outgoing().copies += 1
        number = outgoing().copies
        if len(table.rows) <= AT_ONCE:
            self._end(_Copied(number, "".join(table.tsv())))
            return

        def work(should_stop: ShouldStop, on_progress: OnProgress) -> object:
            with stoppable(should_stop):
                return _Copied(number, _short(table.tsv(on_progress)))

        self._start(f"Copying {quantities.count(len(table.rows), 'row')}", NOT_COPIED, work)

    def _start(
        self, text: str, title: str, work: Callable[[ShouldStop, OnProgress], object]
    ) -> None:
        job = next((one for one in self._jobs if not one.is_busy), None) or self._made()
        self._titles[job.objectName()] = title
        outgoing().began.emit(job.objectName(), text, job.cancel)
        job.request_reporting(work)

    def _made(self) -> LatestWins:
        name = f"table {next(outgoing().names)}"
        job = LatestWins(self, name)
        job.done.connect(self._end)
        job.failed.connect(partial(self._fail, name))
        job.progress.connect(lambda share: outgoing().went_on.emit(name, share))
        job.busy.connect(lambda busy: None if busy else outgoing().ended.emit(name))
        job.destroyed.connect(lambda: outgoing().ended.emit(name))
        self._jobs.append(job)
        return job

    def _end(self, result: object) -> None:
        if isinstance(result, Path):
            self.written.emit(result)
        elif isinstance(result, _Copied) and result.number == outgoing().copies:
            QGuiApplication.clipboard().setText(result.text)
            self.copied.emit()

    def _fail(self, name: str, error: PlacewiseError) -> None:
        show_error(self._widget, self._titles[name], error)


def _short(pieces: Iterable[str]) -> str:
    """The text of the pieces, if the clipboard can have that much."""
    kept, length = [], 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length > MOST_COPIED:
            raise InputError(
                "these rows are too much for the clipboard",
                remedy=f"Export them as CSV, or select fewer (up to {MOST_COPIED // MIB} MiB)",
            )
    return "".join(kept)
