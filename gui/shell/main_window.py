"""The main window: the rail, the pages, the docks and how they are wired; nothing is computed here.

What the actions do is in `gui.shell.commands`; what pages and docks there are, in
`gui.shell.panels`.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QUndoGroup
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.project.opening import first_project
from gui.basics.errors import show_error
from gui.basics.jobs import LatestWins, SearchProcess
from gui.basics.notice import NoticeBar
from gui.basics.settings import Settings, recovery_folder, study_folder
from gui.basics.theme import GRID
from gui.document.advise import Advisor
from gui.document.autosave import Autosave
from gui.document.document import Document, Selection
from gui.document.predictions import Predictions
from gui.shell import panels
from gui.shell.actions import ACTIONS, Actions
from gui.shell.commands import Commands
from gui.shell.dock_tabs import DockTabs
from gui.shell.files import Files, example_titles, export_specs
from gui.shell.menus import fill_menus
from gui.shell.panels import BOTTOM, CENTRE, RIGHT, HasSteps, LazyPanel, Panel, Services
from gui.shell.rail import Rail
from gui.shell.status import StatusLine
from gui.shell.toolbar import Toolbar
from gui.shell.welcome import Welcome
from gui.studies.page.memory import StudyMemory
from machines.errors import PlacewiseError

_LAYOUT_VERSION = 1
_BELOW = Qt.DockWidgetArea.BottomDockWidgetArea
_TABS_ON_TOP = QTabWidget.TabPosition.North
_RIGHT_WIDTH, _BOTTOM_HEIGHT = 42 * GRID, 34 * GRID


class MainWindow(QMainWindow):
    """One window with one document.

    Parameters
    ----------
    settings : Settings
        Layout, theme and recent files.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("Placewise")
        self.resize(180 * GRID, 112 * GRID)
        self.setMinimumSize(128 * GRID, 80 * GRID)
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, _TABS_ON_TOP)
        self.settings = settings
        self.document = Document(first_project(), self)
        self.steps = QUndoGroup(self)
        self.predictions = Predictions(self.document)
        self.search = SearchProcess(self, "search")
        self.advisor = Advisor(self.document, self.search, self)
        self.files = Files(self.document, settings, self)
        self.autosave = Autosave(self.document, recovery_folder())
        self.study_memory = StudyMemory(study_folder(), self)
        self.all_panels = {panel.id: panel for panel in panels.panels()}
        specs = ACTIONS + export_specs()
        specs += panels.specs(tuple(self.all_panels.values()), specs)
        self.commands = Actions(self, specs)
        self.lazy: dict[str, LazyPanel] = {}
        self.docks: dict[str, QDockWidget] = {}
        self.notice = NoticeBar()
        self.pages = QStackedWidget()
        self.welcome = Welcome(settings, example_titles())
        self.rail = Rail([self.commands[panel.action] for panel in self._in(CENTRE)])
        self.line = StatusLine(self.document)
        self._away: QByteArray | None = None  # how the docks lay before they made room
        self._leaving = False
        self._lay_out()
        self.handlers = Commands(self)
        fill_menus(self)
        self._connect()
        self._restore()

    # panels

    def panel(self, name: str) -> QWidget:
        """The page or panel of that name, built if need be."""
        return self.lazy[name].build()

    def built(self, name: str) -> QWidget | None:
        """The page or panel, unless it has not been built yet."""
        return self.lazy[name].widget

    def show_page(self, name: str) -> None:
        """Open a question in the centre."""
        self.pages.setCurrentWidget(self.lazy[name])
        self.show_start_page(False)
        self._arrange_docks()
        self._choose_steps()
        self.commands[self.all_panels[name].action].setChecked(True)

    def show_dock(self, name: str) -> None:
        """Open a dock and bring it to the front."""
        self.show_start_page(False)
        self.docks[name].show()
        self.docks[name].raise_()

    def toggle_dock(self, name: str) -> None:
        """Close a dock that is in sight, open it otherwise."""
        dock = self.docks[name]
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            dock.close()
        else:
            self.show_dock(name)
        self._check_docks()

    def show_task(self, task: int) -> None:
        """Select a task and bring it into sight."""
        self.show_page("allocation")
        self.document.select(Selection(tasks=frozenset({task})))
        self.handlers.board.focus_task(task)

    @property
    def on_start_page(self) -> bool:
        """Whether the start page covers the window."""
        return self.stack.currentWidget() is self.welcome

    def show_start_page(self, shown: bool) -> None:
        """Cover pages and docks with the start page, or uncover them as they were."""
        if shown == self.on_start_page:
            return
        if shown:
            self.welcome.refresh()
        self.stack.setCurrentWidget(self.welcome if shown else self.pages)
        self._arrange_docks()
        self.toolbar.setVisible(not shown)
        self.rail.setVisible(not shown)
        self.line.figures.setVisible(not shown)

    def reset_layout(self) -> None:
        """All docks where they were at first."""
        self.settings.clear_layout()
        self.show_start_page(False)
        self._place_docks()
        self._away = None
        self._arrange_docks()

    # events

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes; then end all background work."""
        if self.document.modified and not self._leaving:
            event.ignore()
            self.files.when_saved(self._leave)
            return
        state = self._away if self._away is not None else self.saveState(_LAYOUT_VERSION)
        self.settings.set_layout("state", state)
        self.settings.set_layout("geometry", self.saveGeometry())
        self.autosave.discard()
        self.end_jobs()
        super().closeEvent(event)

    def end_jobs(self) -> None:
        """End every thread and process of this window."""
        self.autosave.close()
        self.study_memory.close()
        for process in self.findChildren(SearchProcess):
            process.close()
        threads = self.findChildren(LatestWins)
        for jobs in threads:
            if jobs is not self.files.writer:  # what is being saved is finished
                jobs.cancel()
        for jobs in threads:
            jobs.close()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take one file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file that was dropped."""
        event.acceptProposedAction()
        self.handlers.open_path(event.mimeData().urls()[0].toLocalFile())

    # inside

    def _in(self, area: str) -> list[Panel]:
        return [panel for panel in self.all_panels.values() if panel.area == area]

    def _leave(self) -> None:
        self._leaving = True
        self.close()

    def _lay_out(self) -> None:
        services = Services(self.document, self.advisor, self.study_memory)
        for name, panel in self.all_panels.items():
            self.lazy[name] = LazyPanel(panel, services)
            self.lazy[name].built.connect(lambda _widget: self._choose_steps())
        for panel in self._in(CENTRE):
            self.pages.addWidget(self.lazy[panel.id])
        self.pages.setObjectName("pages")
        self.stack = QStackedWidget()
        self.stack.setObjectName("centre")
        self.stack.addWidget(self.pages)
        self.stack.addWidget(self.welcome)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.stack, 1)
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(column, 1)
        self.setCentralWidget(centre)
        exports = tuple(
            self.commands[name]
            for name in ("export_plan", *[s.id for s in export_specs()], "export_board")
        )
        self.toolbar = Toolbar(self.document, self.steps, self.commands, self.show_task, exports)
        self._choose_steps()
        self.addToolBar(self.toolbar)
        self.setStatusBar(self.line)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        for panel in (*self._in(RIGHT), *self._in(BOTTOM)):
            dock = QDockWidget(panel.title, self)
            dock.setObjectName(f"dock_{panel.id}")
            dock.setWidget(self.lazy[panel.id])
            dock.visibilityChanged.connect(lambda _visible: self._check_docks())
            self.docks[panel.id] = dock
        DockTabs(self, self.docks.values())
        self._place_docks()

    def _place_docks(self) -> None:
        right = [self.docks[panel.id] for panel in self._in(RIGHT)]
        bottom = [self.docks[panel.id] for panel in self._in(BOTTOM)]
        for dock in (*right, *bottom):
            dock.setFloating(False)
            area = Qt.DockWidgetArea.RightDockWidgetArea
            self.addDockWidget(area if dock in right else _BELOW, dock)
            dock.show()
        for above, below in pairwise(right):
            self.splitDockWidget(above, below, Qt.Orientation.Vertical)
        for dock in bottom[1:]:
            self.tabifyDockWidget(bottom[0], dock)
        for panel in self._in(BOTTOM):
            self.docks[panel.id].setVisible(panel.shown)
        bottom[0].raise_()
        self.resizeDocks(right[:1], [_RIGHT_WIDTH], Qt.Orientation.Horizontal)
        self.resizeDocks(right, [5 * GRID] * len(right), Qt.Orientation.Vertical)
        self.resizeDocks(bottom[:1], [_BOTTOM_HEIGHT], Qt.Orientation.Vertical)

    def _arrange_docks(self) -> None:
        """Put the docks away on the start page and on pages of their own; then bring them back."""
        page = self.pages.currentWidget()
        alone = any(
            panel.alone and self.lazy[name] is page for name, panel in self.all_panels.items()
        )
        if self.on_start_page or alone:
            if self._away is None:
                self._away = self.saveState(_LAYOUT_VERSION)
                for dock in self.docks.values():
                    dock.hide()
        elif self._away is not None:
            state, self._away = self._away, None
            self.restoreState(state, _LAYOUT_VERSION)
        self._check_docks()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and self.isAncestorOf(new):
            self._choose_steps()

    def _choose_steps(self) -> None:
        """Undo and redo are those of the page in sight, where it has steps of its own."""
        page = self.pages.currentWidget()
        own = page.widget if isinstance(page, LazyPanel) else None
        stack = own.undo_stack if isinstance(own, HasSteps) else self.document.undo_stack
        if stack not in self.steps.stacks():
            self.steps.addStack(stack)
        self.steps.setActiveStack(stack)

    def _check_docks(self) -> None:
        for name, dock in self.docks.items():
            action = "history" if name == "history" else self.all_panels[name].action
            self.commands[action].setChecked(not dock.isHidden())

    def _restore(self) -> None:
        geometry, state = self.settings.layout("geometry"), self.settings.layout("state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None and not self.restoreState(state, _LAYOUT_VERSION):
            self._place_docks()
        self.rail.show()
        self.toolbar.show()
        self._check_docks()

    def _connect(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.document.changed.connect(self._project_changed)
        self.document.path_changed.connect(lambda _path: self._name_window())
        self.document.undo_stack.cleanChanged.connect(lambda _clean: self._name_window())
        self.document.loaded.connect(lambda _project: self.show_page("allocation"))
        self.files.failed.connect(partial(show_error, self))
        self.files.told.connect(self.line.tell)
        self.files.noted.connect(self._note)
        self.files.reading.connect(self._show_reading)
        self.autosave.warning.connect(self.line.tell)
        self.study_memory.warning.connect(self.line.tell)
        self.advisor.busy.connect(self._show_search)
        self.advisor.progress.connect(partial(self.line.show_progress, "search"))
        self.welcome.example_chosen.connect(self.files.example)
        self.welcome.file_chosen.connect(self.files.open)
        self.welcome.open_asked.connect(self.files.ask_open)
        self.welcome.machine_asked.connect(self.files.this_machine)
        self.welcome.tour_asked.connect(self.handlers.tour)
        for name, lazy in self.lazy.items():
            lazy.built.connect(partial(self.handlers.wire, name))

    def _project_changed(self, _project: object) -> None:
        self.show_start_page(False)
        self._name_window()

    def _name_window(self) -> None:
        path = self.document.path
        place = f" — {path.name}" if path is not None else ""
        self.setWindowTitle(f"{self.document.project.name}[*]{place} — Placewise")
        self.setWindowModified(self.document.modified)

    def _note(self, notes: tuple[str, ...]) -> None:
        self.notice.clear()
        for note in notes:
            self.notice.tell(note)

    def _show_reading(self, text: str) -> None:
        if text:
            stop = self.files.stop_reading if self.files.reader.is_busy else None
            self.line.start_job("file", f"{text} …", stop, "Keep what is open")
        else:
            self.line.end_job("file")

    def _show_search(self, busy: bool) -> None:
        if busy:
            self.line.start_job("search", "Search: starting …", self.advisor.cancel)
        else:
            self.line.end_job("search")

    def show_failure(self, error: PlacewiseError) -> None:
        """Open the dialog of something that could not be done."""
        show_error(self, "This can't be done", error)
