"""Files of the window: new, open, import, save, recent, examples, drag and drop, exports.

Reading and writing happen on worker threads; dialogs do not wait in nested loops. Whatever fails
leaves the open project as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMainWindow

from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import export, exports_of
from advisor.project import opening
from advisor.project.assumed import origins_of
from advisor.project.campaign_files import is_campaign
from advisor.project.examples import load_example
from advisor.project.kinds import MACHINES, TASKS
from advisor.project.project import Project
from advisor.project.project_file import SUFFIX, dump_project
from gui.basics.background_jobs import LatestWins
from gui.basics.collector import collector_held, freeze
from gui.basics.save_dialog import Format, Take, ask_file
from gui.basics.settings import Settings, open_files_folder
from gui.document.document import Document
from gui.document.file_watch import Change, FileWatch
from gui.shell.file_filters import EVERYTHING, filters
from gui.shell.file_questions import ask_to_save, ask_what_to_keep
from machines.errors import InputError, PlacewiseError
from machines.files import GONE, digest, digest_of, is_there, write_text

_PROJECT_FORMAT = ("Placewise project", SUFFIX)

_OF_CAMPAIGNS = ("", ".toml", ".json")  # of a folder, a campaign, what tells of its results
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
    digest: str | None = None
    lasts: bool = False  # it can be opened again
    files: tuple[Path, ...] = ()  # that other answers would open again


@dataclass(frozen=True)
class _Saved:
    path: Path
    index: int
    digest: str
    naming: Callable[[Project], Project]


class Files(QObject):
    """The commands of the File menu."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    asked = Signal(object, object)  # tuple of Path, Opened: what these files leave open
    together = Signal(object)  # tuple of Path: several files were chosen
    noted = Signal(object)  # tuple of str: what was assumed while opening
    campaign_found = Signal(object)  # Path: a file is no project, but a campaign
    reading = Signal(str)  # what is being read or written; "" at the end

    def __init__(self, document: Document, settings: Settings, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName("files")
        self._document, self._settings, self._window = document, settings, window
        self._then: _Then | None = None
        self._next: _Then | None = None  # what waits for a file that is being written
        self.watch = FileWatch(document, open_files_folder(), self)
        self._failure_title = ""
        self._opening: Path | None = None
        self.reader = LatestWins(self, "reading")
        self.writer = LatestWins(self, "writing")
        self.exporter = LatestWins(self, "exporting")
        self.reader.done.connect(self._take)
        self.reader.failed.connect(self._refuse)
        self.writer.busy.connect(self.watch.hold)
        self.writer.done.connect(self._written)
        self.writer.failed.connect(self._not_written)
        self.exporter.done.connect(lambda path: self.told.emit(f"Exported {path}"))
        self.exporter.failed.connect(lambda error: self.failed.emit(_NOT_WRITTEN, error))
        for jobs in (self.reader, self.writer, self.exporter):
            jobs.busy.connect(self._end_reading)

    # opening

    def new(self) -> None:
        """A project with one machine and one task."""
        self.make("a new project", lambda: opening.whole(opening.first_project()))

    def this_machine(self) -> None:
        """A project on this computer."""
        self.make("this machine", lambda: opening.whole(opening.local_project()))

    def example(self, name: str) -> None:
        """One of the projects that ship."""
        self.make(name, lambda: opening.whole(load_example(name)))

    def make(
        self, title: str, make: Callable[[], opening.Opened], files: tuple[Path, ...] = ()
    ) -> None:
        """Open what `make` gives of `files`, after asking about unsaved changes."""
        failure, text = f"{title} can't be opened", f"Opening {title}"
        read = partial(self._start, failure, text, lambda _stop: _Loaded(make(), None, files=files))
        self.when_saved(read)

    def ask_open(self) -> None:
        """Ask for a file of any known kind."""
        self._ask_file("Open", filters(EVERYTHING), self.open, several=True)

    def ask_workload(self) -> None:
        """Ask for the tasks that take the place of the present ones."""
        self._ask_file("Import workload", filters("Workloads", TASKS), self.import_workload)

    def ask_platform(self) -> None:
        """Ask for the machines that take the place of the present ones."""
        self._ask_file("Import platform", filters("Platforms", MACHINES), self.import_platform)

    def open(self, path: Path) -> None:
        """Open a file of any known kind, after asking about unsaved changes."""
        ask = partial(self.when_saved, partial(self.open_now, path))
        if path.suffix not in _OF_CAMPAIGNS or not self._document.modified:
            ask()
            return
        found = partial(self.campaign_found.emit, path)  # nothing open is lost by that

        def look(_should_stop: object) -> _Then:
            return found if is_campaign(path) else ask

        self._start(f"{path.name} can't be opened", f"Reading {path.name}", look)

    def open_now(self, path: Path) -> None:
        """Open a file of any known kind; unsaved changes are lost."""

        def read(_should_stop: object) -> _Loaded | _Then:
            if is_campaign(path):
                return partial(self.campaign_found.emit, path)
            # of a file that changes while it is read the older digest: saving asks then
            lasts = is_there(path) and path.is_file()  # a pipe does not: nothing is saved to it
            found = digest(path) if lasts else None
            opened = opening.open_file(path)
            if found is None or opened.kind != opening.PROJECT:
                return _Loaded(opened, None, None, lasts, (path,))
            return _Loaded(opened, path, found, lasts)

        self._start(f"{path.name} can't be opened", f"Reading {path.name}", read)
        self._opening = path

    def import_workload(self, path: Path) -> None:
        """Replace the tasks, one undo step."""
        before = self._document.project

        def read(_should_stop: object) -> _Imported:
            made = opening.with_workload(before, path)
            text = f"Import workload {path.name}"
            return _Imported(before, made.project, text, made.notes)

        self._start(f"{path.name} can't be imported", f"Reading {path.name}", read)

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
        self.ask_where(
            "Save as",
            (_PROJECT_FORMAT,),
            self._document.path or file_name(self._document.project.name),
            lambda path, _format: self.save_to(path, then),
        )

    def save_to(self, path: Path, then: _Then | None = None, over: bool = False) -> None:
        """Write the project to `path`, atomically; `then` runs once it is there.

        Unless `over`, what others wrote to the project's file meanwhile is not lost: the user is
        asked. One file is written at a time.
        """
        if self.writer.is_busy:
            self._next = lambda: self.save_to(path, then, over)
            return
        document = self._document
        naming = opening.naming(path.name.removesuffix(SUFFIX))
        project, index = naming(document.project), document.undo_stack.index()
        known = None if over or path != document.path else document.digest
        self._then = then

        def write(_should_stop: object) -> _Saved | Change:
            with collector_held():
                text = dump_project(project)
            if known is not None and (found := digest(path)) != known:
                return Change(path, gone=found == GONE)
            write_text(path, text)
            return _Saved(path, index, digest_of(text.encode()), naming)

        self.writer.request(write)
        self.reading.emit(f"Saving {path.name}")

    def make_copy(self) -> None:
        """Go on with a project that has no file yet, as unsaved; the file stays as it is."""
        self._document.set_path(None)
        self._document.undo_stack.resetClean()

    def when_saved(self, then: _Then) -> None:
        """Run `then`, after asking what to do with unsaved changes."""
        if self.writer.is_busy:
            self._next = lambda: self.when_saved(then)
            return
        if not self._document.modified:
            then()
            return
        ask_to_save(self._window, self._document.project.name, lambda: self.save(then), then)

    # exporting

    def ask_export(self, *names: str) -> None:
        """Ask where to export the plan, in one of these formats or in any."""
        known = exports_of(PLAN)
        kinds = [known[name] for name in names] or list(known.values())
        self.ask_where(
            "Export plan",
            [(kind.title, kind.suffix) for kind in kinds],
            Path(file_name(self._document.project.name)).stem,
            lambda path, position: self.export(kinds[position].name, path),
        )

    @property
    def planned(self) -> Planned | None:
        """The plan with its prediction; None: there is none yet."""
        outcome = self._document.outcome
        if outcome is None or outcome.project is not self._document.project:
            return None
        return Planned(outcome.problem, outcome.project.plan, outcome.prediction)

    def export(self, format_name: str, path: Path) -> None:
        """Write the plan in a format of plans."""

        def write(planned: Planned) -> Path:
            export(format_name, planned, path)
            return path

        self.export_with(write, path.name)

    def export_with(self, write: Callable[[Planned], Path], name: str) -> None:
        """Write files of the plan off the window's thread; what was written is told."""
        planned = self.planned
        if planned is None:
            error = InputError(
                "there is no prediction of this plan yet", remedy="Wait for it, or correct the plan"
            )
            self.failed.emit("The plan can't be exported", error)
            return
        self.exporter.request(lambda _should_stop: write(planned))
        self.reading.emit(f"Writing {name}")

    def ask_where(
        self, title: str, formats: Sequence[Format], proposed: str | Path, take: Take
    ) -> None:
        """Ask for a file of one of these formats, beside the project's."""
        ask_file(self._window, title, formats, proposed, take, folder=self.folder)

    # inside

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
        elif callable(result):
            result()
        elif isinstance(result, _Loaded):
            opened_file, self._opening = self._opening, None
            opened, told = result.opened, origins_of(result.opened) if result.files else None
            self._document.load(opened.project, result.path, digest=result.digest, origins=told)
            if opened_file is not None and result.lasts:
                self._settings.add_recent(opened_file)
            self.asked.emit(result.files, opened)
            self.noted.emit(opened.notes)

    def _refuse(self, error: PlacewiseError) -> None:
        if self._opening is not None and not is_there(self._opening):
            self._settings.remove_recent(self._opening.absolute())
        self.failed.emit(self._failure_title, error)

    def _written(self, result: object) -> None:
        if isinstance(result, Change):
            self._ask_what_to_keep(result)
        if not isinstance(result, _Saved):
            return
        self._settings.add_recent(result.path)
        self._document.amend(result.naming)
        self._document.set_path(result.path, result.digest)
        if self._document.undo_stack.index() == result.index:
            self._document.undo_stack.setClean()
        self.told.emit(f"Saved {result.path}")
        then, self._then = self._then, None
        following, self._next = self._next, None
        for step in (then, following):
            if step is not None:
                step()

    def _ask_what_to_keep(self, change: Change) -> None:
        """The file is not what it was: nothing was written."""
        path, then = change.path, self._then
        self._then = self._next = None
        ask_what_to_keep(
            self._window, change,
            overwrite=lambda: self.save_to(path, then, over=True),
            save_as=lambda: self.ask_save(then),
            reload=lambda: self.open_now(path),
        )  # fmt: skip

    def _not_written(self, error: PlacewiseError) -> None:
        self._then = self._next = None
        self.failed.emit(_NOT_WRITTEN, error)

    def _ask_file(
        self, title: str, filters: str, then: Callable[[Path], object], several: bool = False
    ) -> None:
        dialog = QFileDialog(self._window, title, self.folder, filters)
        dialog.setObjectName("file_dialog")
        dialog.finished.connect(dialog.deleteLater)
        modes = QFileDialog.FileMode
        dialog.setFileMode(modes.ExistingFiles if several else modes.ExistingFile)
        dialog.fileSelected.connect(lambda name: then(Path(name)))  # not emitted of several
        dialog.filesSelected.connect(self._take_several)
        dialog.open()

    def _take_several(self, names: list[str]) -> None:
        if len(names) > 1:
            self.together.emit(tuple(map(Path, names)))

    @property
    def folder(self) -> str:
        """Where dialogs begin."""
        file = self._document.path or next(iter(self._settings.recent), None)
        return str(file.parent) if file else ""


def file_name(name: str) -> str:
    """A project's name as its file's."""
    kept = "".join(sign if sign.isalnum() or sign in " -_." else "-" for sign in name).strip(" .")
    return f"{kept[:80] or 'project'}{SUFFIX}"
