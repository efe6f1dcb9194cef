"""Tasks and machines from several files: From files… of the start page, and files dropped.

A platform dropped on an open workload, or a workload on an open platform, may take the place of
that half alone; the question says what happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDir, QObject
from PySide6.QtWidgets import QFileDialog

from advisor.basics.quantities import count
from advisor.basics.scheduler_address import typed_address
from advisor.project import opening
from gui.basics.line_dialog import ask_line
from gui.basics.notice import NoticeBar
from gui.shell.file_filters import EVERYTHING, filters
from gui.shell.file_questions import ask_to_combine
from gui.shell.open_questions import OpenQuestions
from gui.shell.places import Places
from gui.shell.project_files import Files
from machines.errors import InputError

_FOLDER = QFileDialog.FileMode.Directory


class Combining(QObject):
    """Opens one file or a workload with its platform, or puts one into the open project."""

    def __init__(self, files: Files, window: Places) -> None:
        super().__init__(window)
        self._files, self._window, self._document = files, window, window.document
        self._left_open: tuple[tuple[Path, ...], opening.Opened] | None = None
        files.asked.connect(self._remember)
        files.together.connect(self.open)
        window.commands.handle(
            {"open_folder": self.ask_folder, "open_scheduler": self.ask_scheduler}
        )

    def ask(self) -> None:
        """Ask for a file, or for several that make one project."""
        title = "Open a file, or several together: a workflow, its machines, logs"
        self._ask(title, QFileDialog.FileMode.ExistingFiles)

    def ask_folder(self) -> None:
        """Ask for a folder that is a source, such as `.snakemake`, which is hidden elsewhere."""
        self._ask("Open a folder: .snakemake, or a Snakemake working folder", _FOLDER)

    def _ask(self, title: str, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self._window, title, self._files.folder, filters(EVERYTHING))
        dialog.setObjectName("file_dialog")
        dialog.finished.connect(dialog.deleteLater)
        dialog.setFileMode(mode)
        if mode is _FOLDER:
            dialog.setOption(QFileDialog.Option.DontUseNativeDialog)  # some show nothing hidden
            dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)
        dialog.filesSelected.connect(lambda names: self.open([Path(name) for name in names]))
        dialog.open()

    def ask_scheduler(self) -> None:
        """Ask for the address of a Dask scheduler, whose workers are machines."""
        ask_line(
            self._window,
            "scheduler_dialog",
            "Open Dask scheduler",
            "Address that the scheduler prints at its start. Its workers become machines; nothing "
            "runs there.",
            self._open_scheduler,
            example="tcp://host:8786",
            width=48,
        )

    def _open_scheduler(self, text: str) -> None:
        try:
            address = Path(typed_address(text))
        except InputError as error:
            self._files.failed.emit("The scheduler can't be opened", error)
            return
        self.drop((address,), opening.PLATFORM)

    def open(self, paths: Sequence[Path]) -> None:
        """Open one file of any kind, or several as one project."""
        if len(paths) == 1:
            self._files.open(paths[0])
        else:
            self._open_with(tuple(paths), {})

    def tell(self, notice: NoticeBar) -> None:
        """Offer the questions of the files that were just opened, once."""
        left, self._left_open = self._left_open, None
        if left is not None:
            first, *others = left[1].questions
            more = f" · {count(len(others), 'question')} more" if others else ""
            text = f"{first.text} Taken: {first.value}{more}"
            notice.tell(text, [("Answer…", lambda: self._answer(*left))], about="questions")

    def _remember(self, paths: tuple[Path, ...], opened: opening.Opened) -> None:
        self._left_open = (paths, opened) if paths and opened.questions else None

    def _answer(self, paths: tuple[Path, ...], opened: opening.Opened) -> None:
        """Ask the questions; other answers than the proposals open the files again."""
        dialog = OpenQuestions(opened.questions, opened.notes, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.answered.connect(lambda answers: self._open_with(paths, answers))
        dialog.open()

    def _open_with(self, paths: tuple[Path, ...], answers: dict[str, str]) -> None:
        names = " and ".join(path.name for path in paths)
        self._files.make(names, lambda: opening.open_files(paths, answers), paths)

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
