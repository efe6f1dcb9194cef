"""The main window: its document, its bars and how they are wired; nothing is computed here.

What the actions do is in `gui.shell.commands`; what pages and docks there are, in
`gui.shell.panels`; which of them are in sight, in `gui.shell.places`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from advisor.basics.quantities import duration
from advisor.project.examples import example_titles
from advisor.project.project import Project
from advisor.project.study_case import Subject
from gui.basics.background_export import outgoing
from gui.basics.background_jobs import LatestWins, SearchProcess
from gui.basics.error_messages import show_error
from gui.basics.notice import NoticeBar
from gui.basics.reading_order import InReadingOrder
from gui.basics.settings import Settings, recovery_folder, study_folder
from gui.basics.theme import GRID
from gui.document.actuals import Actuals
from gui.document.advise import Advisor, Phase
from gui.document.autosave import Autosave
from gui.document.campaigns import Campaigns
from gui.document.checker import Checker
from gui.document.expectations import Expectations
from gui.document.predictions import Predictions
from gui.document.runner import Runner
from gui.shell.campaigning import Campaigning
from gui.shell.combining import Combining
from gui.shell.commands import Commands, Parts
from gui.shell.compute_on import ComputeOn, compute_specs
from gui.shell.disk_changes import tell_of_others
from gui.shell.edit_commands import EDIT_SPECS, EditCommands
from gui.shell.menus import fill_menus
from gui.shell.page_bars import PageBars
from gui.shell.panels import CENTRE, LooksAt, Services
from gui.shell.places import Places
from gui.shell.plan_exports import PlanExports, export_groups, export_specs, part_specs
from gui.shell.project_files import Files
from gui.shell.rail import Rail, RailBar
from gui.shell.reporting import Reporting
from gui.shell.run_controller import Running, running_specs
from gui.shell.runs import Runs, dropped, run_specs
from gui.shell.status import StatusLine
from gui.shell.table_import import TableImport
from gui.shell.toolbar import Toolbar
from gui.shell.welcome import Welcome
from gui.studies.page.memory import StudyMemory

CLOSING_S = 0.7  # that closing waits for work that doesn't react


class MainWindow(InReadingOrder, Places):
    """One window with one document.

    `settings`: layout, theme and recent files.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            settings,
            (
                *export_specs(),
                *part_specs(),
                *EDIT_SPECS,
                *run_specs(),
                *running_specs(),
                *compute_specs(),
            ),
        )
        self.setObjectName("main_window")
        self.setWindowTitle("Placewise")
        self.resize(180 * GRID, 112 * GRID)
        self.setMinimumSize(128 * GRID, 80 * GRID)
        self.setAcceptDrops(True)
        self.predictions = Predictions(self.document)
        self.search = SearchProcess(self, "search")
        self.advisor = Advisor(self.document, self.search, self)
        self.checker = Checker(self.document, self)
        self.actuals = Actuals(self.document, self)
        self.runner = Runner(self)
        self.campaigns = Campaigns(self, lambda: settings.scheduler)
        self.files = Files(self.document, settings, self)
        self.reporting = Reporting(self.document, self.advisor, self.files, self)
        self.autosave = Autosave(self.document, recovery_folder())
        self.study_memory = StudyMemory(study_folder(), self)
        self.notice = NoticeBar()
        self.welcome = Welcome(settings, example_titles())
        self.rail = Rail([self.commands[page.action] for page in self.in_area(CENTRE)])
        self.rail_bar = RailBar(self.rail)
        self.line = StatusLine(self.document)
        self.toolbar = self._make_toolbar()
        self._leaving = False
        self._noted: Project | None = None  # what the notes are about
        self._lay_out()
        services = Services(
            self.document, self.advisor, self.checker, self.study_memory, self.actuals,
            Expectations(self.document, self), self.runner, self.campaigns,
        )  # fmt: skip
        self.furnish(services, self.welcome)
        PageBars(self.pages, self.toolbar, self.line)
        parts = Parts(self.advisor, self.checker, self.files, self.line, self.toolbar, self.notice)
        self.commands.handle({"report": self.reporting.ask})
        self.handlers = Commands(self, parts)
        EditCommands(self)
        self.plan_exports = PlanExports(self.document, self.files, self)
        self.combining = Combining(self.files, self)
        self.runs = Runs(self.document, self.actuals, self.files, self)
        self.running = Running(self.runner, self.actuals, self.files, settings, self)
        self.compute_on = ComputeOn(settings, self)
        self.table_import = TableImport(self)
        self.campaigning = Campaigning(self.campaigns, self.files, settings, self)
        fill_menus(self.menuBar(), self.commands, self.files, settings)
        self._connect()
        self.restore_layout()
        self.rail_bar.show()
        self.toolbar.show()
        self.setFocus()  # not the first field, which would take the keys of pages

    # events

    def focusNextPrevChild(self, forward: bool) -> bool:
        """What leaves with the keyboard leaves it to the page: any field would take its keys."""
        now = QApplication.focusWidget()
        page = self.welcome if self.on_start_page else self.pages.currentWidget()
        if now is None or now.isVisible() or page is None:
            return super().focusNextPrevChild(forward)
        page.setFocus()
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about what is carried out and unsaved changes; then end all background work."""
        if self.runner.is_busy and not self._leaving:
            event.ignore()
            self.running.ask_to_stop(self.close)
            return
        if self.campaigns.is_busy and not self._leaving:
            event.ignore()
            self.campaigning.ask_to_stop(self.close)
            return
        if (self.document.modified or self.files.writer.is_busy) and not self._leaving:
            event.ignore()
            self.files.when_saved(self._leave)
            return
        self.keep_layout()
        self.autosave.discard()
        self.end_jobs()
        super().closeEvent(event)

    def end_jobs(self) -> None:
        """End every thread and process of this window.

        Whatever does not end within `CLOSING_S` is left behind, but for what is being saved.
        """
        self.autosave.close()
        self.study_memory.close()
        processes, threads = self.findChildren(SearchProcess), self.findChildren(LatestWins)
        deadline = monotonic() + CLOSING_S
        for jobs in threads:
            if jobs is not self.files.writer:  # what is being saved is finished
                jobs.cancel()
        self.compute_on.close()
        for process in processes:
            process.close(max(0.0, deadline - monotonic()))
        for jobs in threads:
            if jobs is not self.files.writer:
                jobs.close(max(0.0, deadline - monotonic()))
        self.files.writer.close()
        self.files.watch.close()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files of this computer."""
        if dropped(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file that was dropped, or import the logs."""
        event.acceptProposedAction()
        self.runs.drop(dropped(event.mimeData()))

    # inside

    def _leave(self) -> None:
        self._leaving = True
        self.close()

    def _make_toolbar(self) -> Toolbar:
        exports = {
            title: [self.commands[name] for name in names]
            for title, names in export_groups().items()
        }

        def show_task(task: int) -> None:
            self.handlers.show_task(task)

        made = Toolbar(self.document, self.steps, self.commands, show_task, exports)
        made.search.dock_asked.connect(self.open_dock)
        return made

    def _lay_out(self) -> None:
        self.setCentralWidget(self.stack)
        self.notice.lie_over(self.stack)
        self.addToolBar(self.toolbar)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail_bar)
        self.setStatusBar(self.line)

    def _connect(self) -> None:
        self.document.changed.connect(self._project_changed)
        self.document.path_changed.connect(lambda _path: self._name_window())
        self.document.undo_stack.cleanChanged.connect(lambda _clean: self._name_window())
        self.document.loaded.connect(lambda _project: self.show_page("allocation"))
        self.document.look_asked.connect(self._look)
        self.files.failed.connect(partial(show_error, self))
        self.files.told.connect(self.line.tell)
        tell_of_others(self.document, self.files, self.notice)
        self.files.noted.connect(self._note)
        self.files.reading.connect(self._show_reading)
        self.runs.failed.connect(partial(show_error, self))
        self.runs.told.connect(self.line.tell)
        self.runs.noted.connect(self._note)
        self.runs.reading.connect(self._show_reading_runs)
        self.running.failed.connect(partial(show_error, self))
        self.running.told.connect(self.line.tell)
        self.running.noted.connect(self._note)
        self.compute_on.told.connect(self.line.tell)
        self.compute_on.told.connect(lambda _text: self.campaigns.look_where())
        self.compute_on.noted.connect(lambda text: self.notice.tell(text, about="workers"))
        self.runner.busy.connect(self._show_run)
        self.running.going.connect(partial(self.line.show_state, "run"))
        self.campaigning.failed.connect(partial(show_error, self))
        self.table_import.failed.connect(partial(show_error, self))
        self.campaigning.told.connect(self.line.tell)
        self.campaigning.noted.connect(self._note)
        self.campaigning.reading.connect(self._show_case)
        self.campaigning.going.connect(partial(self.line.show_state, "campaign"))
        self.campaigns.reading.connect(self._show_reading_campaign)
        self.campaigns.busy.connect(self._show_campaign)
        self._connect_outputs()
        self._connect_start_page()
        self.autosave.warning.connect(self.line.tell)
        self.study_memory.warning.connect(self.line.tell)
        self.advisor.phase_changed.connect(self._show_search)
        self.advisor.progress.connect(partial(self.line.show_progress, "search"))
        self.advisor.explained.connect(partial(self.line.show_share, "search"))
        self.advisor.seconds = float(self.settings.advise_seconds)
        self.toolbar.seconds.setValue(self.settings.advise_seconds)
        self.toolbar.seconds.valueChanged.connect(self._set_seconds)
        self.checker.busy.connect(self._show_check)
        self.checker.progress.connect(partial(self.line.show_share, "check"))
        self.runs.others_dropped.connect(self.combining.drop)
        self.start_page_shown.connect(self._make_room)
        for name, lazy in self.lazy.items():
            lazy.built.connect(partial(self.handlers.wire, name))

    def _connect_start_page(self) -> None:
        """First steps, and the way back."""
        self.welcome.example_chosen.connect(self.files.example)
        self.welcome.file_chosen.connect(self.files.open)
        self.welcome.open_asked.connect(self.combining.ask)
        self.welcome.empty_asked.connect(self.files.new)
        self.welcome.machine_asked.connect(self.files.this_machine)
        self.welcome.tour_asked.connect(self.handlers.tour)
        self.welcome.back_asked.connect(lambda: self.show_start_page(False))

    def _connect_outputs(self) -> None:
        """Reports and tables on their way out."""
        self.reporting.failed.connect(partial(show_error, self))
        self.toolbar.seconds.refused.connect(self.line.tell)
        self.reporting.told.connect(self.line.tell)
        self.reporting.running.connect(self._show_report)
        self.reporting.progress.connect(partial(self.line.show_share, "report"))
        outgoing().began.connect(self._show_outgoing)
        outgoing().went_on.connect(self.line.show_share)
        outgoing().ended.connect(self.line.end_job)

    def _make_room(self, start_page: bool) -> None:
        """The start page has the window for itself."""
        if start_page:
            known = self.document.outcome  # none before something is open
            self.welcome.refresh(self.document.project.name if known is not None else "")
        else:
            self.predictions.begin()
        self.line.clearMessage()  # the figures would be shown beneath it
        for bar in (self.toolbar, self.rail_bar, self.line.figures):
            bar.setVisible(not start_page)

    def _project_changed(self, project: Project) -> None:
        self._drop_notes(project)
        self.show_start_page(False)
        self._name_window()

    def _name_window(self) -> None:
        path = self.document.path
        place = f" — {path.name}" if path is not None else ""
        self.setWindowTitle(f"{self.document.project.name}[*]{place} — Placewise")
        self.setWindowModified(self.document.modified)

    def _note(self, notes: tuple[str, ...]) -> None:
        self.notice.clear()
        self.combining.tell(self.notice)
        self.notice.tell_all(notes, about="notes")
        self._noted = self.document.project if notes else None

    def _drop_notes(self, project: Project) -> None:
        """What was said of other tasks or machines holds no longer."""
        if self._noted is None or self._noted.same_places(project):
            return
        self.notice.retract("notes")
        self._noted = None

    def _look(self, study: str, subject: Subject) -> None:
        """Open a study on a thing of the project, once its page is there."""
        self.show_page(study)
        page = self.built(study)
        if isinstance(page, LooksAt):
            page.open_on(subject)
            return
        once = Qt.ConnectionType.SingleShotConnection
        self.lazy[study].built.connect(lambda made: made.open_on(subject), once)

    def _show_reading(self, text: str) -> None:
        if text:
            stop = self.files.stop_reading if self.files.reader.is_busy else None
            self.line.start_job("file", f"{text} …", stop, "Keep what is open")
        else:
            self.line.end_job("file")

    def _show_reading_runs(self, text: str) -> None:
        if text:
            self.line.start_job("runs", f"{text} …", self.runs.stop, "Import nothing")
        else:
            self.line.end_job("runs")

    def _show_run(self, busy: bool) -> None:
        if busy:
            cancels = "Stop the run; finished tasks are kept"
            self.line.start_job("run", "Run: starting …", self.runner.cancel, cancels, above=True)
        else:
            self.line.end_job("run")

    def _show_campaign(self, busy: bool) -> None:
        if busy:
            cancels = "Stop computing; written rows stay"
            cancel = self.campaigns.cancel
            self.line.start_job("campaign", "Campaign: starting …", cancel, cancels, above=True)
        else:
            self.line.end_job("campaign")

    def _show_reading_campaign(self, text: str) -> None:
        if text:
            self.line.start_job("reading campaign", f"{text} …", None)
        else:
            self.line.end_job("reading campaign")

    def _show_case(self, text: str) -> None:
        if text:
            stop = self.campaigning.stop_opening
            self.line.start_job("case", f"{text} …", stop, "Keep what is open")
        else:
            self.line.end_job("case")

    def _show_report(self, text: str) -> None:
        if text:
            self.line.start_job("report", f"{text} …", self.reporting.cancel, "Write no report")
        else:
            self.line.end_job("report")

    def _show_outgoing(self, name: str, text: str, cancel: Callable[[], object]) -> None:
        self.line.start_job(name, f"{text} …", cancel, "Write and copy nothing")

    def _set_seconds(self, seconds: int) -> None:
        self.advisor.seconds = float(seconds)
        self.settings.advise_seconds = seconds

    def _show_search(self, phase: Phase) -> None:
        found, stop = self.advisor.found, self.advisor.cancel
        if phase is Phase.IDLE:
            self.line.end_job("search")
        elif phase is Phase.EXPLAINING and found is not None:
            text = f"Search: best {duration(found.value_s)}; explaining …"
            self.line.start_job("search", text, stop, "Leave it at the reasons found so far")
        else:
            self.line.start_job("search", "Search: starting …", stop)

    def _show_check(self, busy: bool) -> None:
        if busy:
            cancels = "Stop SimGrid; the previous check stays"
            self.line.start_job(
                "check", "SimGrid simulates the plan …", self.checker.cancel, cancels
            )
        else:
            self.line.end_job("check")
