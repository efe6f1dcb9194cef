"""Runs in the window: logs are imported, what happened is shown, and *Actual* tells of it.

Reading and matching happen on a worker thread; whatever fails leaves the open project as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from advisor.basics.quantities import count
from advisor.basics.stop_rule import ShouldStop
from advisor.project.run_edits import add_runs
from advisor.runs.run_record import Run
from gui.basics.background_jobs import LatestWins
from gui.basics.collector import collector_held, freeze
from gui.document.actuals import ALL, Actuals
from gui.document.document import Document
from gui.shell.actions import ActionSpec
from gui.shell.places import Places
from gui.shell.project_files import Files
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from gui.board.board_view import BoardView
    from gui.panels.actual_panel import ActualPanel

_FAILED = "The run can't be imported"
_SHARE = 0.42  # of the window's height that the panel takes


@dataclass(frozen=True)
class _Imported:
    runs: tuple[Run, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Other:
    """Files that are no logs: they are opened as any other; `kind` of a single one."""

    paths: tuple[Path, ...]
    kind: str = ""


class Runs(QObject):
    """File › Import run…, View › Actual run, and what the panel *Actual* asks for."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    noted = Signal(object)  # tuple of str: what was noticed while reading
    reading = Signal(str)  # what is being read; "" at the end
    others_dropped = Signal(object, object)  # tuple of Path, kind of a single one: no logs

    def __init__(self, document: Document, actuals: Actuals, files: Files, window: Places) -> None:
        super().__init__(window)
        self.setObjectName("runs")
        self._document, self._actuals = document, actuals
        self._files, self._window = files, window
        self.reader = LatestWins(self, "reading runs")
        self.reader.done.connect(self._take)
        self.reader.failed.connect(partial(self.failed.emit, _FAILED))
        self.reader.busy.connect(lambda busy: None if busy else self.reading.emit(""))
        window.commands.handle(
            {
                "import_run": self.ask,
                "import_run_folder": self.ask_folder,
                "actual_bars": self._toggle_bars,
            }
        )
        actuals.reviewed.connect(lambda _review: self._check())
        window.lazy["allocation"].built.connect(self._wire_board)
        window.lazy["actual"].built.connect(self._wire_panel)
        self._check()

    def ask(self) -> None:
        """Ask for the logs of a run, or of several."""
        self._ask("Import run", QFileDialog.FileMode.ExistingFiles)

    def ask_folder(self) -> None:
        """Ask for a folder of logs, such as that of a workflow that Snakemake ran."""
        self._ask("Import run from a folder", QFileDialog.FileMode.Directory)

    def read(self, paths: Sequence[Path]) -> None:
        """Import the runs in these files and folders, one undo step."""
        self._start(paths, lambda stop: self._imported(paths, stop))

    def drop(self, paths: Sequence[Path]) -> None:
        """Import what was dropped if it is logs of the open project; hand on all else to open."""
        from advisor.project.campaign_files import is_campaign  # noqa: PLC0415 - not at the start
        from advisor.project.opening import kind_of  # noqa: PLC0415 - not at the start
        from advisor.project.opening_runs import is_log  # noqa: PLC0415 - not at the start

        starting = self._window.on_start_page  # logs begin a project there

        def read(stop: ShouldStop) -> _Imported | _Other | None:
            if len(paths) == 1 and is_campaign(paths[0]):
                return _Other(tuple(paths))
            if starting or not all(map(is_log, paths)):
                with suppress(PlacewiseError):
                    return _Other(tuple(paths), kind_of(paths[0]))
                return _Other(tuple(paths))
            return self._imported(paths, stop)

        self._start(paths, read)

    def stop(self) -> None:
        """Give up reading; the project stays."""
        self.reader.cancel()
        self.told.emit("No run was imported")

    def _start(self, paths: Sequence[Path], job: object) -> None:
        assert callable(job)

        def read(should_stop: ShouldStop) -> object:
            with collector_held():
                made = job(should_stop)
            freeze()
            return made

        self.reader.request(read)
        one = paths[0].name if len(paths) == 1 else count(len(paths), "file")
        self.reading.emit(f"Reading {one}")

    def _imported(self, paths: Sequence[Path], stop: ShouldStop) -> _Imported | None:
        """Runs on the worker's thread."""
        from advisor.project.opening_runs import runs_of  # noqa: PLC0415 - not at the start

        outcome, project = self._document.outcome, self._document.project
        fits = (
            outcome is not None
            and outcome.problem.workload is project.workload
            and outcome.problem.platform is project.platform
        )
        problem = outcome.problem if outcome is not None and fits else project.problem()
        found = runs_of(problem, paths, stop)
        return None if stop() else _Imported(*found)

    def _take(self, result: object) -> None:
        if isinstance(result, _Other):
            self.others_dropped.emit(result.paths, result.kind)
        elif isinstance(result, _Imported):
            before = self._document.project
            try:
                project = add_runs(before, result.runs)
            except PlacewiseError as error:
                self.failed.emit(_FAILED, error)
                return
            new = project.runs[len(before.runs) :]
            self._actuals.choose(new[0].name if len(new) == 1 else ALL)
            what = "run" if len(new) == 1 else f"{len(new)} runs"
            self._document.apply(project, f"Import {what}")
            self._window.show_page("allocation")
            self._show_panel()
            self.told.emit(f"Imported {count(len(new), 'run')}")
            if result.notes:
                self.noted.emit(result.notes)

    def _show_panel(self) -> None:
        """Below the board, with room for a picture and what is said of it."""
        self._window.show_dock("actual")
        self._window.shares.give("bottom", _SHARE)

    def _ask(self, title: str, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self._window, title, self._files.folder, "All files (*)")
        dialog.setObjectName("run_dialog")
        dialog.setFileMode(mode)
        if mode is QFileDialog.FileMode.Directory:
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.filesSelected.connect(lambda names: self.read([Path(name) for name in names]))
        dialog.open()

    def _toggle_bars(self) -> None:
        board: BoardView = self._window.panel("allocation")  # type: ignore[assignment]
        board.folds.set_run(self._window.commands["actual_bars"].isChecked())

    def _wire_board(self, board: QWidget) -> None:
        folds = board.folds  # type: ignore[attr-defined]
        action = self._window.commands["actual_bars"]
        folds.changed.connect(lambda: action.setChecked(folds.run))
        action.setChecked(folds.run)

    def _wire_panel(self, panel: QWidget) -> None:
        made: ActualPanel = panel  # type: ignore[assignment]
        made.import_asked.connect(self.ask)
        made.advise_asked.connect(self._window.commands["advise"].trigger)

    def _check(self) -> None:
        self._window.commands["actual_bars"].setEnabled(self._actuals.review is not None)


def dropped(data: QMimeData) -> list[Path]:
    """The files and folders of this computer that a drop holds; none if others are among them."""
    urls = data.urls()
    return [Path(url.toLocalFile()) for url in urls] if all(u.isLocalFile() for u in urls) else []


def run_specs() -> tuple[ActionSpec, ...]:
    """The actions of runs."""
    return (
        ActionSpec(
            "import_run",
            "Import run…",
            "File",
            "Read logs of runs of this workload and compare them with the prediction",
            ("Ctrl+L",),
            group=2,
        ),
        ActionSpec(
            "import_run_folder",
            "Import run from folder…",
            "File",
            "Read a folder of logs, such as a Snakemake working folder",
            ("Ctrl+Shift+L",),
            group=2,
        ),
        ActionSpec(
            "actual_bars",
            "Actual run",
            "View",
            "Show the run below the prediction on the board",
            group=2,
            check="toggle",
        ),
    )
