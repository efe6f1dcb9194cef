"""Tables on their way out, off the window's thread: into CSV files and onto the clipboard.

A hundred thousand rows take a second to be put into words, and a disk may take any time. So rows
are made and written on a thread, in pieces between which it may be told to stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from advisor.basics import quantities
from gui.basics.background_export import BackgroundExport, Put
from gui.basics.background_jobs import OnProgress
from gui.basics.figures import Table, export_table
from machines.errors import InputError
from machines.files import MIB

AT_ONCE = 200  # rows that are copied before the next event: a millisecond
MOST_COPIED = 16 * MIB  # characters: Qt takes no more within a frame


class TablesOut(BackgroundExport):
    """Writes and copies the tables of a widget."""

    def write(self, table: Table, path: Path) -> None:
        """Write a table as CSV."""
        self.begin_writing(path, partial(export_table, table, path))

    def copy(self, table: Table) -> None:
        """Put a table on the clipboard as tab-separated text; few rows are there at once."""
        if len(table.rows) <= AT_ONCE:
            self.copy_now(_putting("".join(table.tsv())))
            return

        def make(on_progress: OnProgress) -> Put:
            return _putting(_short(table.tsv(on_progress)))

        self.begin_copying(quantities.count(len(table.rows), "row"), make)


def _putting(text: str) -> Put:
    return lambda: QGuiApplication.clipboard().setText(text)


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
