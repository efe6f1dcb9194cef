"""Tasks and machines from several files: From files… of the start page, and files dropped.

A platform dropped on an open workload, or a workload on an open platform, may take the place of
that half alone; the question says what happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from advisor.project import opening
from gui.shell.file_questions import ask_to_combine
from gui.shell.places import Places
from gui.shell.project_files import EVERYTHING, Files, filters


class Combining(QObject):
    """Opens one file or a workload with its platform, or puts one into the open project."""

    def __init__(self, files: Files, window: Places) -> None:
        super().__init__(window)
        self._files, self._window, self._document = files, window, window.document

    def ask(self) -> None:
        """Ask for a file, or for several that make one project."""
        title = "Open a file, or several together: a workflow, its machines, logs"
        dialog = QFileDialog(
            self._window,
            title,
            self._files.folder,
            filters(EVERYTHING),
        )
        dialog.setObjectName("file_dialog")
        dialog.finished.connect(dialog.deleteLater)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.open([Path(name) for name in names]))
        dialog.open()

    def open(self, paths: Sequence[Path]) -> None:
        """Open one file of any kind, or several as one project."""
        if len(paths) == 1:
            self._files.open(paths[0])
        else:
            names = " and ".join(path.name for path in paths)
            self._files.make(names, lambda: opening.open_files(paths))

    def drop(self, paths: Sequence[Path], kind: str) -> None:
        """Open what was dropped; ask first where it could take the place of one half alone.

        `kind`: of a single file, as `opening.kind_of` tells it; empty: not known.
        """
        project, first = self._document.project, opening.first_project()
        tasks = kind == opening.PLATFORM and project.workload != first.workload
        machines = kind == opening.WORKLOAD and project.platform != first.platform
        if len(paths) != 1 or self._window.on_start_page or not (tasks or machines):
            self.open(paths)
            return
        path = paths[0]
        if tasks:
            ask_to_combine(
                self._window,
                f"Run the tasks of “{project.workload.name}” on the machines of “{path.name}”?",
                "Use these machines",
                lambda: self._files.import_platform(path),
                lambda: self._files.open(path),
            )
        else:
            ask_to_combine(
                self._window,
                f"Run the tasks of “{path.name}” on the machines of “{project.platform.name}”?",
                "Use these tasks",
                lambda: self._files.import_workload(path),
                lambda: self._files.open(path),
            )
