"""File › Import table…: the tasks of a CSV or TSV file, after asking what its columns are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from gui.shell.places import Places
from machines.errors import PlacewiseError
from machines.files import decoded

if TYPE_CHECKING:
    from gui.board.board_view import BoardView
    from gui.model.paste_dialog import PasteDialog

_FILTER = "Tables (*.csv *.tsv *.txt);;All files (*)"


class TableImport(QObject):
    """Asks for a file, then what its columns are taken for."""

    failed = Signal(object, object)  # title, PlacewiseError

    def __init__(self, window: Places) -> None:
        super().__init__(window)
        self.setObjectName("table_import")
        self._window = window
        self.dialog: PasteDialog | None = None
        window.commands.handle({"import_table": self.ask})
        window.lazy["allocation"].built.connect(self._wire)

    def ask(self) -> None:
        """Ask for a file."""
        dialog = QFileDialog(self._window, "Import table", "", _FILTER)
        dialog.setObjectName("table_file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.open(Path(name)))
        dialog.open()

    def open(self, path: Path) -> None:
        """Show what the columns of a file are taken for."""
        from advisor.basics.content import read_content  # noqa: PLC0415 - rarely used

        try:
            content, _ = read_content(path)
            text = decoded(content, str(path))
        except PlacewiseError as error:
            self.failed.emit(f"{path.name} can't be imported", error)
            return
        self.show(text, path.name)

    def show(self, text: str, name: str = "clipboard") -> None:
        """Show what the columns of a table are taken for."""
        from advisor.project.task_table import propose  # noqa: PLC0415 - rarely used
        from gui.model.paste_dialog import PasteDialog  # noqa: PLC0415 - rarely used

        try:
            proposal = propose(text, name)
        except PlacewiseError as error:
            self.failed.emit(f"{name} can't be imported", error)
            return
        self._window.show_start_page(False)
        self.dialog = PasteDialog(self._window.document, proposal, self._window)
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def _wire(self, board: BoardView) -> None:
        """Tables that are pasted on the board are asked about, too."""
        board.graph.edits.table_pasted.connect(self.show)

    def _forget(self, _result: int) -> None:
        self.dialog = None
