"""Files of the window: new, open, import, save, recent, examples, drag and drop, exports.

Reading and writing happen on worker threads; dialogs do not wait in nested loops. Whatever fails
leaves the open project as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox

import resources
from advisor.export.planned import PLAN, Planned
from advisor.export.registry import export, exports_of
from advisor.project import opening
from advisor.project.examples import load_example
from advisor.project.platforms import suffixes
from advisor.project.project import Project
from advisor.project.project_file import SUFFIX, write_project
from gui.basics.collector import collector_held, freeze
from gui.basics.jobs import LatestWins
from gui.basics.settings import Settings
from gui.document.document import Document
from gui.shell.actions import ActionSpec
from machines.errors import InputError, PlacewiseError

_ALL = "All files (*)"
_OPENED = (SUFFIX, ".toml", ".json", ".json.gz", ".gz")
_WORKLOAD_FILTER = f"Workloads and WfFormat (*.toml *.json *.json.gz *.gz);;{_ALL}"
_PROJECT_FILTER = f"Placewise project (*{SUFFIX})"

_NOT_WRITTEN = "The file can't be written"
_Then = Callable[[], object]


@dataclass(frozen=True)
class _Imported:
    before: Project
    project: Project
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Loaded:
    opened: opening.Opened
    path: Path | None


@dataclass(frozen=True)
class _Saved:
    path: Path
    index: int


class Files(QObject):
    """The commands of the File menu."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    noted = Signal(object)  # tuple of str: what was assumed while opening
    reading = Signal(str)  # what is being read or written; "" at the end

    def __init__(self, document: Document, settings: Settings, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName("files")
        self._document, self._settings, self._window = document, settings, window
        self._then: _Then | None = None
        self._failure_title = ""
        self._opening: Path | None = None
        self.reader = LatestWins(self, "reading")
        self.writer = LatestWins(self, "writing")
        self.exporter = LatestWins(self, "exporting")
        self.reader.done.connect(self._take)
        self.reader.failed.connect(self._refuse)
        self.writer.done.connect(self._written)
        self.writer.failed.connect(self._not_written)
        self.exporter.done.connect(lambda path: self.told.emit(f"Exported {path}"))
        self.exporter.failed.connect(lambda error: self.failed.emit(_NOT_WRITTEN, error))
        for jobs in (self.reader, self.writer, self.exporter):
            jobs.busy.connect(self._end_reading)

    # opening

    def new(self) -> None:
        """A project with one machine and one task."""
        self.when_saved(lambda: self._read("a new project", opening.first_project, None))

    def this_machine(self) -> None:
        """A project on this computer."""
        self.when_saved(lambda: self._read("this machine", opening.local_project, None))

    def example(self, name: str) -> None:
        """One of the projects that ship."""
        self.when_saved(lambda: self._read(name, lambda: load_example(name), None))

    def ask_open(self) -> None:
        """Ask for a file of any known kind."""
        self._ask("Open", _filter("Projects, workloads, platforms", _OPENED), self.open)

    def ask_workload(self) -> None:
        """Ask for the tasks that take the place of the present ones."""
        self._ask("Import workload", _WORKLOAD_FILTER, self.import_workload)

    def ask_platform(self) -> None:
        """Ask for the machines that take the place of the present ones."""
        self._ask("Import platform", _filter("Platforms"), self.import_platform)

    def open(self, path: Path) -> None:
        """Open a file of any known kind, after asking about unsaved changes."""
        self.when_saved(lambda: self.open_now(path))

    def open_now(self, path: Path) -> None:
        """Open a file of any known kind; unsaved changes are lost."""

        def read(_should_stop: object) -> _Loaded:
            opened = opening.open_file(path)
            return _Loaded(opened, path if opened.kind == opening.PROJECT else None)

        self._start(f"{path.name} can't be opened", f"Reading {path.name}", read)
        self._opening = path

    def import_workload(self, path: Path) -> None:
        """Replace the tasks, one undo step."""
        before = self._document.project
        self._start(
            f"{path.name} can't be imported",
            f"Reading {path.name}",
            lambda _stop: _Imported(
                before, opening.with_workload(before, path), f"Import workload {path.name}"
            ),
        )

    def import_platform(self, path: Path) -> None:
        """Replace the machines, one undo step."""
        before = self._document.project

        def read(_should_stop: object) -> _Imported:
            made = opening.with_platform(before, path)
            text = f"Import platform {path.name}"
            return _Imported(before, made.project, text, made.notes)

        self._start(f"{path.name} can't be imported", f"Reading {path.name}", read)

    def stop_reading(self) -> None:
        """Give up reading; the open project stays."""
        self.reader.cancel()
        self.told.emit("Nothing was opened")

    # saving

    def save(self, then: _Then | None = None) -> None:
        """Save to the project's file, or ask for one; `then` runs once it is saved."""
        if self._document.path is None:
            self.ask_save(then)
        else:
            self.save_to(self._document.path, then)

    def ask_save(self, then: _Then | None = None) -> None:
        """Ask where to save."""
        dialog = self._dialog("Save as", _PROJECT_FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.selectFile(str(self._document.path or _file_name(self._document.project.name)))
        dialog.fileSelected.connect(lambda name: self.save_to(Path(name), then))
        dialog.open()

    def save_to(self, path: Path, then: _Then | None = None) -> None:
        """Write the project to `path`, atomically; `then` runs once it is there."""
        project, index = self._document.project, self._document.undo_stack.index()
        self._then = then

        def write(_should_stop: object) -> _Saved:
            with collector_held():
                write_project(project, path)
            return _Saved(path, index)

        self.writer.request(write)
        self.reading.emit(f"Saving {path.name}")

    def when_saved(self, then: _Then) -> None:
        """Run `then`, after asking what to do with unsaved changes."""
        if not self._document.modified:
            then()
            return
        box = QMessageBox(self._window)
        box.setObjectName("unsaved_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Placewise")
        box.setText(f"Save the changes to “{self._document.project.name}”?")
        box.setInformativeText("They are lost otherwise.")
        kinds = QMessageBox.StandardButton
        box.setStandardButtons(kinds.Save | kinds.Discard | kinds.Cancel)
        box.setDefaultButton(kinds.Save)

        def answer(_result: int) -> None:
            clicked = box.standardButton(box.clickedButton())
            box.deleteLater()
            if clicked == kinds.Save:
                self.save(then)
            elif clicked == kinds.Discard:
                then()

        box.finished.connect(answer)
        box.open()

    # exporting

    def ask_export(self, *names: str) -> None:
        """Ask where to export the plan, in one of these formats or in any."""
        known = exports_of(PLAN)
        kinds = [known[name] for name in names] or list(known.values())
        filters = {f"{kind.title} (*{kind.suffix})": kind for kind in kinds}
        dialog = self._dialog("Export plan", ";;".join(filters))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(Path(_file_name(self._document.project.name)).stem)

        def chosen(name: str) -> None:
            kind = filters[dialog.selectedNameFilter()]
            path = Path(name)
            self.export(kind.name, path if path.suffix else path.with_suffix(kind.suffix))

        dialog.fileSelected.connect(chosen)
        dialog.open()

    def export(self, format_name: str, path: Path) -> None:
        """Write the plan in a format of plans."""
        outcome = self._document.outcome
        if outcome is None or outcome.project is not self._document.project:
            error = InputError(
                "there is no prediction of this plan yet", remedy="Wait for it, or correct the plan"
            )
            self.failed.emit("The plan can't be exported", error)
            return

        def write(_should_stop: object) -> Path:
            planned = Planned(outcome.problem, outcome.project.plan, outcome.prediction)
            export(format_name, planned, path)
            return path

        self.exporter.request(write)
        self.reading.emit(f"Writing {path.name}")

    def close(self) -> None:
        """Wait for a file that is being written; drop one that is being read."""
        for jobs in (self.reader, self.writer, self.exporter):
            jobs.close()

    # inside

    def _read(self, title: str, make: Callable[[], Project], path: Path | None) -> None:
        self._start(
            f"{title} can't be opened",
            f"Opening {title}",
            lambda _stop: _Loaded(opening.Opened(make(), opening.PROJECT), path),
        )

    def _start(self, failure: str, text: str, job: Callable[[object], object]) -> None:
        def read(should_stop: object) -> object:
            with collector_held():
                made = job(should_stop)
            freeze()
            return made

        self._failure_title, self._opening = failure, None
        self.reader.request(read)
        self.reading.emit(text)

    def _end_reading(self, busy: bool) -> None:
        if not busy:
            self.reading.emit("")

    def _take(self, result: object) -> None:
        if isinstance(result, _Imported):
            if result.before is self._document.project:
                self._document.apply(result.project, result.text, replaces=True)
                if result.notes:
                    self.noted.emit(result.notes)
            else:
                self.told.emit("The project changed meanwhile; nothing was imported")
        elif isinstance(result, _Loaded):
            opened_file, self._opening = self._opening, None
            self._document.load(result.opened.project, result.path)
            if opened_file is not None:
                self._settings.add_recent(opened_file)
            self.noted.emit(result.opened.notes)

    def _refuse(self, error: PlacewiseError) -> None:
        if self._opening is not None and not self._opening.exists():
            self._settings.remove_recent(self._opening.absolute())
        self.failed.emit(self._failure_title, error)

    def _written(self, result: object) -> None:
        if not isinstance(result, _Saved):
            return
        self._settings.add_recent(result.path)
        self._document.set_path(result.path)
        if self._document.undo_stack.index() == result.index:
            self._document.undo_stack.setClean()
        self.told.emit(f"Saved {result.path}")
        then, self._then = self._then, None
        if then is not None:
            then()

    def _not_written(self, error: PlacewiseError) -> None:
        self._then = None
        self.failed.emit(_NOT_WRITTEN, error)

    def _ask(self, title: str, filters: str, then: Callable[[Path], object]) -> None:
        dialog = self._dialog(title, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: then(Path(name)))
        dialog.open()

    def _dialog(self, title: str, filters: str) -> QFileDialog:
        folder = self._document.path or next(iter(self._settings.recent), None)
        dialog = QFileDialog(self._window, title, str(folder.parent) if folder else "", filters)
        dialog.setObjectName("file_dialog")
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _filter(what: str, others: tuple[str, ...] = ()) -> str:
    """The filter of a dialog that asks for files with machines in them, and others."""
    patterns = dict.fromkeys(f"*{suffix}" for suffix in (*others, *suffixes()))
    return f"{what} ({' '.join(patterns)});;{_ALL}"


def _file_name(name: str) -> str:
    """A project's name as a file's."""
    kept = "".join(sign if sign.isalnum() or sign in " -_." else "-" for sign in name).strip(" .")
    return f"{kept[:80] or 'project'}{SUFFIX}"


def export_specs() -> tuple[ActionSpec, ...]:
    """One action an export of plans."""
    return tuple(
        ActionSpec(
            f"export_as_{kind.name}",
            f"{kind.title}…",
            "File/Export as",
            f"Write the plan as {kind.title}",
            group=3,
        )
        for kind in exports_of(PLAN).values()
    )


def example_titles() -> tuple[tuple[str, str, str], ...]:
    """(name, title, description) of every example."""
    return tuple((one.name, one.title, one.description) for one in resources.examples())
