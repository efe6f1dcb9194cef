"""A window of pages, docks and a start page: which of them are in sight, and where they lie.

Pages fill the centre, one at a time; docks lie to the right and below. On the start page, and
beside pages that stand alone, the docks are put away and come back as they were. Undo is of the
page in sight.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QUndoGroup
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from advisor.project.opening import first_project
from gui.basics.literal_menu import mark
from gui.basics.settings import Settings
from gui.basics.theme import GRID
from gui.document.document import Document
from gui.shell import panels
from gui.shell.actions import ACTIONS, Actions, ActionSpec
from gui.shell.dock_shares import DockShares, in_front
from gui.shell.dock_tabs import DockTabs
from gui.shell.docks_away import DocksAway
from gui.shell.lazy_panel import LazyPanel
from gui.shell.pages import Pages
from gui.shell.panels import (
    BOTTOM,
    CENTRE,
    RIGHT,
    TOP,
    ChangesSteps,
    HasSteps,
    Panel,
    Services,
)
from gui.shell.undo_keys import UndoKeys

_LAYOUT_VERSION = 4
_PAGES, _START = 0, 1  # what the centre holds
_BELOW = Qt.DockWidgetArea.BottomDockWidgetArea


class Places(QMainWindow):
    """Base of the window: it is furnished with what panels are built from.

    `settings`: keep the layout.
    `more`: actions beside `ACTIONS` and those that open pages and docks.
    `steps`: what undo and redo take: the steps of the page in sight, or those of the document.
    `commands`: all actions.
    `strip`: what is always in sight beside the board.
    `lazy`: the pages and panels, built when they are first shown.
    `shares`: how much of the window each side has.
    `away`: docks that make room for what stands alone.
    """

    start_page_shown = Signal(object)  # bool: whether it covers the window from now on

    def __init__(self, settings: Settings, more: tuple[ActionSpec, ...]) -> None:
        super().__init__()
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.setCorner(Qt.Corner.TopRightCorner, Qt.DockWidgetArea.TopDockWidgetArea)
        self.settings = settings
        self.document = Document(first_project(), self)
        self.steps = QUndoGroup(self)  # before the actions: it tells them until it is gone
        self.all_panels = {panel.id: panel for panel in panels.panels()}
        specs = ACTIONS + more
        specs += panels.specs(tuple(self.all_panels.values()))
        self.commands = Actions(self, specs)
        self.lazy: dict[str, LazyPanel] = {}
        self.docks: dict[str, QDockWidget] = {}
        self.shares = DockShares(self, self.docks)
        self.pages = Pages()
        self.stack = QStackedWidget()
        self.stack.setObjectName("centre")
        self.strip = _strip(self)
        self.away = DocksAway(self, self.docks, _LAYOUT_VERSION)
        self.painting = QTimer(self, singleShot=True, interval=0)
        self.painting.timeout.connect(self._paint)
        self.returning = QTimer(self, singleShot=True, interval=0)
        self.returning.timeout.connect(self._bring_a_dock_back)

    def furnish(self, services: Services, start_page: QWidget) -> None:
        """Put the pages into the centre, with the start page, and the docks around them."""
        for name, panel in self.all_panels.items():
            self.lazy[name] = LazyPanel(panel, services)
            self.lazy[name].built.connect(self._follow_steps)
        for panel in self.in_area(CENTRE):
            self.pages.addWidget(self.lazy[panel.id])
        self.stack.addWidget(self.pages)
        self.stack.addWidget(start_page)
        for panel in (*self.in_area(RIGHT), *self.in_area(BOTTOM)):
            dock = QDockWidget(panel.title, self)
            dock.setObjectName(f"dock_{panel.id}")
            dock.setWidget(self.lazy[panel.id])
            dock.visibilityChanged.connect(lambda _visible: self._check_docks())
            self.docks[panel.id] = dock
        for panel in self.in_area(TOP):
            self.lazy[panel.id].setSizePolicy(
                QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
            )
            self.strip.setWidget(self.lazy[panel.id])
        DockTabs(self, self.docks.values())
        UndoKeys(self)
        self._place_docks()
        self._choose_steps()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    def event(self, event: QEvent) -> bool:
        """Paint in a turn of its own: a click is not kept waiting by layout and picture at once.

        The edges of docks are drawn by the window itself.
        """
        if event.type() == QEvent.Type.UpdateRequest:
            if not self.returning.isActive():
                self.painting.start()
            return True
        if event.type() == QEvent.Type.MouseButtonPress:
            self.shares.press()
        taken = super().event(event)
        if event.type() == QEvent.Type.MouseButtonRelease:
            self.shares.release()
        return taken

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Docks keep their shares of the window."""
        super().resizeEvent(event)
        self.shares.fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Now docks have sizes."""
        super().showEvent(event)
        self.shares.fit()

    def createPopupMenu(self) -> QMenu | None:
        """The docks to open and close, as in the View menu."""
        menu = super().createPopupMenu()
        if menu is not None:
            mark(menu.actions())
        return menu

    def in_area(self, area: str) -> list[Panel]:
        """The pages, or the docks of a side."""
        return [panel for panel in self.all_panels.values() if panel.area == area]

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
        while self._bring_a_dock_back():
            pass
        self.docks[name].show()
        self.docks[name].raise_()
        self.shares.fit()

    def toggle_dock(self, name: str) -> None:
        """Close a dock that is in sight, open it otherwise."""
        dock = self.docks[name]
        if in_front(self, dock):
            dock.close()
        else:
            self.open_dock(name)
        self._check_docks()

    def open_dock(self, name: str) -> None:
        """A dock in front, with the keyboard."""
        self.show_dock(name)
        self._give_keys(self.lazy[name])

    def _give_keys(self, lazy: LazyPanel) -> None:
        """The keyboard, to a panel that has a place for it, once it is built and menus are shut."""

        def give(_widget: object = None) -> None:
            if lazy.widget is not None and lazy.widget.focusProxy() is not None:
                lazy.setFocus(Qt.FocusReason.OtherFocusReason)

        if lazy.widget is None:
            lazy.built.connect(give, Qt.ConnectionType.SingleShotConnection)
        else:
            QTimer.singleShot(0, lazy, give)

    @property
    def on_start_page(self) -> bool:
        """Whether the start page covers the window."""
        return self.stack.currentIndex() == _START

    @property
    def on_board(self) -> bool:
        """Whether the board is in sight."""
        return not self.on_start_page and self.pages.currentWidget() is self.lazy["allocation"]

    def show_start_page(self, shown: bool) -> None:
        """Cover pages and docks with the start page, or uncover them as they were."""
        if shown == self.on_start_page:
            return
        self.stack.setCurrentIndex(_START if shown else _PAGES)
        self._arrange_docks()
        page = self.pages.currentWidget()
        if not shown and page is not None:
            page.setFocus()  # of the start page nothing can have it
        self.start_page_shown.emit(shown)

    def reset_layout(self) -> None:
        """All docks where they were at first."""
        self.settings.clear_layout()
        self.shares.reset()
        self.show_start_page(False)
        self._place_docks()
        self.away.forget()
        self._fit_docks()
        self._arrange_docks()
        QTimer.singleShot(0, self, self._fit_docks)  # when their tabs are dressed

    def keep_layout(self) -> None:
        """Remember where everything lies."""
        state = self.away.state or self.saveState(_LAYOUT_VERSION)
        self.settings.set_layout("state", state)
        self.settings.set_layout("geometry", self.saveGeometry())
        self.settings.set_layout("shares", self.shares.written())

    def restore_layout(self) -> None:
        """Put everything where it lay last."""
        geometry, state = self.settings.layout("geometry"), self.settings.layout("state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None:
            if self.restoreState(state, _LAYOUT_VERSION):
                self.shares.read(self.settings.layout("shares"))
            else:
                self._place_docks()
        self._follow_page()
        self._check_docks()

    def _paint(self) -> None:
        super().event(QEvent(QEvent.Type.UpdateRequest))

    def _place_docks(self) -> None:
        self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, self.strip)
        right = [self.docks[panel.id] for panel in self.in_area(RIGHT)]
        bottom = [self.docks[panel.id] for panel in self.in_area(BOTTOM)]
        for dock in (*right, *bottom):
            dock.setFloating(False)
            area = Qt.DockWidgetArea.RightDockWidgetArea
            self.addDockWidget(area if dock in right else _BELOW, dock)
            dock.show()
        for above, below in pairwise(right):
            self.splitDockWidget(above, below, Qt.Orientation.Vertical)
        for dock in bottom[1:]:
            self.tabifyDockWidget(bottom[0], dock)
        for panel in self.in_area(BOTTOM):
            self.docks[panel.id].setVisible(panel.shown)
        bottom[0].raise_()
        self.resizeDocks(right, [5 * GRID] * len(right), Qt.Orientation.Vertical)
        self.shares.fit()

    def _arrange_docks(self) -> None:
        """Put the docks away on the start page and on pages of their own; else bring them back."""
        self._follow_page()
        if self._is_alone:
            if self.away.state is None or self.returning.isActive():
                self.away.put()
            self._check_docks()
        elif self.away.state is not None:
            self.returning.start()

    def _follow_page(self) -> None:
        """The strip belongs to the board; a layout kept beside another page would hide it."""
        self.strip.setVisible(not self._is_alone)

    def _bring_a_dock_back(self) -> bool:
        """In a turn between that of the page and that of the picture; whether there are more."""
        if self.away.state is not None and not self._is_alone:
            if self.away.bring_next():
                self.returning.start()
                return True
            self._follow_page()
            self._fit_docks()  # the window may have another size by now
            self._check_docks()
        self.returning.stop()
        self.painting.start()
        return False

    def _fit_docks(self) -> None:
        """Give docks their shares once they lie in their places."""
        if (layout := self.layout()) is not None:
            layout.activate()
        self.shares.fit()

    @property
    def _is_alone(self) -> bool:
        """Whether there is no room for docks beside what is in sight."""
        page = self.pages.currentWidget()
        return self.on_start_page or any(
            panel.alone and self.lazy[name] is page for name, panel in self.all_panels.items()
        )

    def _check_docks(self) -> None:
        for name, dock in self.docks.items():
            action = "history" if name == "history" else self.all_panels[name].action
            self.commands[action].setChecked(not dock.isHidden())

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None:
            self._choose_steps()

    def _follow_steps(self, page: QWidget) -> None:
        """A page was built; one may take other steps without another focus."""
        if isinstance(page, ChangesSteps):
            page.stack_changed.connect(self._choose_steps)  # type: ignore[attr-defined]
        self._choose_steps()

    def _choose_steps(self) -> None:
        """Undo and redo are those of the page in sight, where it has steps of its own.

        In a dock, which may be opened beside any page, they are the document's.
        """
        page, focus = self.pages.currentWidget(), QApplication.focusWidget()
        in_dock = any(dock.isAncestorOf(focus) for dock in self.docks.values() if focus)
        own = page.widget if isinstance(page, LazyPanel) and not in_dock else None
        stack = own.undo_stack if isinstance(own, HasSteps) else self.document.undo_stack
        if stack not in self.steps.stacks():
            self.steps.addStack(stack)
        self.steps.setActiveStack(stack)


def _strip(window: QMainWindow) -> QDockWidget:
    """The bar above board and docks; no toolbar, which would push the rail of pages down."""
    bar = QDockWidget("Answer", window)
    bar.setObjectName("answer_bar")
    bar.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
    bar.setTitleBarWidget(QWidget(bar))
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.toggleViewAction().setVisible(False)
    return bar
