"""Writes the report of the open project: asks where, works in a process, tells when it is there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from advisor.export.report_page.subject import Given
from gui.basics.background_jobs import SearchProcess
from gui.basics.report_file import PDF, write_report
from gui.document.advise import Advisor
from gui.document.document import Document
from gui.shell.project_files import Files, file_name

HTML = ".html"
_FORMATS = (("Report as web page", HTML), ("Report as PDF", PDF))


class Reporting(QObject):
    """File › Report…: one report at a time, a newer one takes the place of it."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    running = Signal(str)  # what is being written; "" at the end
    progress = Signal(object)  # float: share that is done

    def __init__(
        self, document: Document, advisor: Advisor, files: Files, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("reporting")
        self._document, self._advisor, self._files = document, advisor, files
        self._process: SearchProcess | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a report is being written."""
        return self._process is not None

    def ask(self) -> None:
        """Ask where to write it, and as what."""
        stem = Path(self._project_file).stem
        self._files.ask_where(
            "Report", _FORMATS, f"{stem}-report", lambda path, _format: self.write(path)
        )

    def write(self, path: Path) -> None:
        """Write the report of the project as it is now."""
        self._end()
        self._process = process = SearchProcess(self, "report process")
        process.progress.connect(self.progress)
        process.done.connect(self._finish)
        process.failed.connect(self._fail)
        given = Given(self._project_file, known=self._advisor.known)
        process.start(write_report, project=self._document.project, given=given, path=path)
        self.running.emit(f"Writing {path.name}")

    def cancel(self) -> None:
        """Write nothing."""
        if self._process is not None:
            self._end()
            self.told.emit("No report was written")

    @property
    def _project_file(self) -> str:
        """The name of the project's file, or the one that it would be saved under."""
        path = self._document.path
        return file_name(self._document.project.name) if path is None else path.name

    def _finish(self, path: object) -> None:
        self._end()
        self.told.emit(f"The report is in {path}")

    def _fail(self, error: object) -> None:
        self._end()
        self.failed.emit("The report can't be written", error)

    def _end(self) -> None:
        """A process is for one report: what it takes is free again afterwards."""
        process, self._process = self._process, None
        if process is not None:
            process.close(0.0)
            process.deleteLater()
            self.running.emit("")
