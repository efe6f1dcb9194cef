"""The board: schedule and graph of the current plan, where tasks are moved between machines.

Joins the two views, the strip of switches above them and the status line below; owns what they
share: the offers of the machines and the tasks in hand.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.rounding import ALIKE
from gui.basics.literal_menu import Menu
from gui.basics.theme import GRID
from gui.board.board_figure import BoardFigure
from gui.board.board_folds import Folds
from gui.board.board_legend import Legend, possible_causes
from gui.board.carrying import Carrying
from gui.board.colouring import Colouring
from gui.board.graph_view import GraphView
from gui.board.ground_menus import GroundMenu, MachineMenu
from gui.board.network_picture import NetworkPicture
from gui.board.offers import Offers
from gui.board.run_switch import RunSwitch
from gui.board.run_view import RunView
from gui.board.schedule_layout import Shown
from gui.board.task_menu import TaskMenu
from gui.document.actuals import Actuals
from gui.document.document import Document, Outcome, Selection
from gui.document.expectations import Expectations

VIEWS = ("schedule", "graph")
_STEP = 1.25
_MOST_FOUND = 1000
_TAKEN_BACK = "Ctrl+Z takes it back."
_HINTS = {
    "schedule": "To move a task, click it and then a lane, or drag it. Wheel: zoom; F: fit.",
    "graph": "To connect a task, drag from its right edge. Double-click empty ground for a task.",
}


class BoardView(QWidget):
    """The central picture of the allocation question.

    `document`: what is shown, and the only thing that is changed. `actuals`: runs that are shown
    beside the plan. `expectations`: of its makespan.
    """

    inspect_requested = Signal(object)  # task position: show it in the inspector
    view_changed = Signal(object)  # "schedule" or "graph"

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        actuals: Actuals | None = None,
        expectations: Expectations | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("board")
        self.setAccessibleName("Board")
        self.document = document
        self.offers = Offers(document, self)
        self.carrying = Carrying(document, self.offers, self)
        self.folds = Folds(self)
        self.schedule = RunView(document, self.offers, self.carrying, self.folds, self)
        self.graph = GraphView(document, self.offers, self.carrying, self)
        self.legend = Legend(self)
        self.network = NetworkPicture(document, self)
        self.network.said.connect(self.say)
        self.schedule.arrived.connect(self._show_network)
        self.schedule.arrived.connect(lambda _shown: self.colouring.take(self.schedule.kinds))
        self.graph.arrived.connect(lambda _shown: self.colouring.take(self.graph.kinds))
        self.schedule.time_pointed.connect(self.network.set_time)
        self._stack = QStackedWidget(self)
        self._stack.setObjectName("board-views")
        for surface in (self.schedule, self.graph):
            self._stack.addWidget(surface)
            surface.menu_requested.connect(self._open_menu)
            surface.activated.connect(self.inspect_requested)
            surface.said.connect(self.say)
        self.carrying.said.connect(self.say)
        self._status = QLabel(_HINTS["schedule"], self)
        self._status.setObjectName("board-status")
        self._status.setAccessibleName("Board status")
        self._status.setProperty("role", "muted")
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._status.setContentsMargins(GRID, 4, GRID, 4)
        self.run_switch = RunSwitch(self.folds, self.schedule, actuals, self)
        self._lay_out()
        if expectations is not None:
            self.schedule.follow_expectations(expectations)
        document.outcome_changed.connect(self._show)
        document.outcome_failed.connect(self.say)
        document.selection_changed.connect(self._report_selection)
        document.replaced.connect(self._start_over)
        self._steps = document.undo_stack.index()
        document.undo_stack.indexChanged.connect(self._report_steps)
        if document.outcome is not None:
            self._show(document.outcome)

    def _lay_out(self) -> None:
        strip = QHBoxLayout()
        strip.setContentsMargins(GRID, 4, GRID, 4)
        strip.setSpacing(GRID)
        self._add_switches(strip)
        self._add_boxes(strip)
        strip.addStretch(1)
        self._follow_folds()
        centre = QHBoxLayout()
        centre.setSpacing(0)
        centre.addWidget(self._stack, 1)
        centre.addWidget(self.network)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(strip)
        layout.addWidget(self.legend)
        layout.addLayout(centre, 1)
        layout.addWidget(self._status)

    def _add_switches(self, strip: QHBoxLayout) -> None:
        self._switches = QButtonGroup(self)
        for index, (name, tip) in enumerate(
            (
                ("Schedule", "Machines as lanes, tasks as bars over time"),
                ("Graph", "The task graph in layers, machines as a legend to drop on"),
            )
        ):
            button = QToolButton(self)
            button.setText(name)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setObjectName(f"board-{name.lower()}-switch")
            button.setAccessibleName(f"Show the {name.lower()}")
            button.setChecked(index == 0)
            self._switches.addButton(button, index)
            strip.addWidget(button)
        self._switches.idClicked.connect(lambda index: self.show_view(VIEWS[index]))

    def _add_boxes(self, strip: QHBoxLayout) -> None:
        def box(text: str, name: str, tip: str) -> QCheckBox:
            made = QCheckBox(text, self)
            made.setObjectName(f"board-{name}")
            made.setToolTip(tip)
            strip.addWidget(made)
            return made

        tip = "Draw consecutive tasks of one kind on a machine as one block"
        self.group_box = box("Group by kind", "group", tip)
        self.group_box.toggled.connect(self.schedule.set_grouped)
        tip = "Colour tasks by their kind; else bars by cause of time, and cards by machine"
        self.colour_box = box("Colour by kind", "colour", tip)
        self.setFocusProxy(self.surface)
        self.colouring = Colouring(self.colour_box, self.legend, (self.schedule, self.graph))
        self.load_box = box(
            "Loads",
            "loads",
            "Show the load of links, switches and stores over time: under every lane (L for "
            "one), and the busiest below all lanes (Shift+L)",
        )
        self.load_box.clicked.connect(self._fold_all)
        tip = "Show the topology and the utilisation of links"
        self.network_box = box("Network", "network", tip)
        self.network_box.clicked.connect(self.folds.set_picture)
        strip.addWidget(self.run_switch)
        self.folds.changed.connect(self._follow_folds)
        self.colouring.changed.connect(self._follow_colours)

    # Public -------------------------------------------------------------------------------

    @property
    def surface(self) -> RunView | GraphView:
        """The view in front."""
        return self.schedule if self._stack.currentWidget() is self.schedule else self.graph

    @property
    def view(self) -> str:
        """Which view is in front: "schedule" or "graph"."""
        return VIEWS[self._stack.currentIndex()]

    def show_view(self, name: str) -> None:
        """Bring "schedule" or "graph" to the front; focus and selection stay."""
        before = self.surface
        index = VIEWS.index(name)
        self._switches.button(index).setChecked(True)
        if index == self._stack.currentIndex():
            return
        focused = before.hasFocus()
        self._stack.setCurrentIndex(index)
        self.setFocusProxy(self.surface)
        self.surface.current = before.current
        if focused:
            self.surface.setFocus()
        for box in (self.group_box, self.load_box, self.network_box):
            box.setVisible(name == "schedule")
        self.run_switch.set_view(name)
        self._follow_colours(self.colouring.by_kind)
        self._follow_folds()
        if self.document.outcome is not None:
            self.surface.show_outcome(self.document.outcome)
        if self._status.text() in _HINTS.values():
            self.say(_HINTS[name])
        self.view_changed.emit(name)

    def fit(self) -> None:
        """Show everything."""
        self.surface.fit()

    def zoom_in(self) -> None:
        """Enlarge."""
        self.surface.zoom(_STEP)

    def zoom_out(self) -> None:
        """Shrink."""
        self.surface.zoom(1 / _STEP)

    def find_task(self, text: str) -> list[int]:
        """Positions of tasks whose name contains `text`, exact and leading matches first."""
        wanted = text.strip().casefold()
        if not wanted:
            return []
        names = [task.name.casefold() for task in self.document.project.workload.tasks]
        found = [index for index, name in enumerate(names) if wanted in name]
        found.sort(key=lambda index: (names[index] != wanted, not names[index].startswith(wanted)))
        return found[:_MOST_FOUND]

    def focus_task(self, task: int) -> None:
        """Select a task and bring it to the middle."""
        if self.surface.ready and 0 <= task < len(self.document.project.workload.tasks):
            self.document.select(Selection(tasks=frozenset((task,))))
            self.surface.set_current(task, announce=True)
            self.surface.centre(self.surface.item_of(task))
            self.surface.setFocus()

    def point_at(self, tasks: frozenset[int]) -> None:
        """Outline some tasks in both views, until others are pointed at."""
        self.schedule.point_at(tasks)
        self.graph.point_at(tasks)

    def toggle_colours(self) -> None:
        """Colour by kind of task, or no longer."""
        self.colour_box.click()

    def set_animated(self, animated: bool) -> None:
        """Let changes settle with a short movement, or not."""
        self.schedule.animated = animated

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend and whole view in front into `rect`, for pictures in files."""
        BoardFigure(self.legend, self.surface).render_to(painter, rect)

    def figure_size(self) -> QSize:
        """The size of exported pictures: every row and card can be read, whatever the window."""
        return BoardFigure(self.legend, self.surface).figure_size()

    def still(self) -> BoardFigure:
        """What draws legend and view of this moment, on any thread."""
        return BoardFigure(self.legend.still(), self.surface.still())

    def say(self, text: object) -> None:
        """Tell what happened: status line and screen readers."""
        self._status.setText(str(text))
        self._status.setToolTip(str(text))
        self.surface.setAccessibleDescription(str(text))
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.surface, str(text)))

    def close_jobs(self) -> None:
        """End the worker threads."""
        self.offers.close()
        self.schedule.close_jobs()
        self.graph.close_jobs()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing keeps running behind a closed board."""
        self.carrying.cancel()
        self.close_jobs()
        super().closeEvent(event)

    # Following the document ---------------------------------------------------------------

    def _show(self, outcome: object) -> None:
        assert isinstance(outcome, Outcome)
        prediction = outcome.prediction
        spent = (*prediction.breakdown_s.items(), *prediction.critical_breakdown_s.items())
        least = ALIKE * prediction.makespan_s  # what is left of rounding
        present = [cause for cause, seconds in spent if seconds > least]
        self.legend.set_causes(present, possible_causes(outcome.project))
        self.legend.set_guessed(self.schedule.guesses.any(outcome))
        self.surface.show_outcome(outcome)

    def _show_network(self, shown: object) -> None:
        assert isinstance(shown, Shown)
        self.network.take(shown.outcome, shown.network, shown.loads)
        self._follow_folds()

    def _follow_folds(self) -> None:
        """Show the network's picture where it was asked for, or where there is something to see."""
        platform = self.document.project.platform
        shown = self.folds.picture
        if shown is None:
            shown = bool(platform.switches or platform.stores)
        self.network_box.setChecked(shown)
        self.network.setVisible(shown and self.view == "schedule")
        self.load_box.setChecked(self.folds.section or bool(self.folds.lanes))
        self.legend.set_slack(self.folds.slack and self.view == "schedule")

    def _fold_all(self, unfolded: bool) -> None:
        names = frozenset(machine.name for machine in self.document.project.platform.machines)
        self.folds.set_all(unfolded, names)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The network's picture takes its share."""
        self.network.fit_to(self.width())
        super().resizeEvent(event)

    def _start_over(self, _project: object) -> None:
        self.network.forget()
        self.schedule.forget()
        self.graph.forget()
        self.legend.set_causes(())
        self.colouring.take(None)
        self.say(_HINTS[self.view])

    def _report_selection(self, selection: object) -> None:
        assert isinstance(selection, Selection)
        if self.carrying.active:
            return
        count = len(selection.tasks)
        if count == 0 and selection.overlay is not None:
            overlay = self.document.project.workload.overlays[selection.overlay]
            self.say(f"Overlay {overlay.name} selected; the inspector has its trees.")
            return
        if count == 0:
            if not self._status.text().endswith(_TAKEN_BACK):  # by a step that left nothing to
                self.say(_HINTS[self.view])
            return
        names = self.document.project.workload.tasks
        what = names[min(selection.tasks)].name if count == 1 else f"{count:,} tasks"
        self.say(
            f"{what} selected. Drag to a machine, click an offer on a machine's card, "
            "or press Enter to pick it up."
        )

    def _report_steps(self, steps: int) -> None:
        """Name what was edited or undone: what was said before may hold no longer."""
        undone, self._steps = steps < self._steps, steps
        stack, said = self.document.undo_stack, ""
        if undone and stack.canRedo():
            said = f"Undone: {stack.redoText()}."
        elif stack.canUndo():
            said = f"{stack.undoText()}. {_TAKEN_BACK}"
        if said and said != self._status.text():  # a slider goes on in one step
            self.say(said)

    def _follow_colours(self, by_kind: object) -> None:
        self.legend.set_view(self.view, bool(by_kind))

    def _open_menu(self, what: object, place: QPoint) -> None:
        """Of tasks, of a machine, or of empty ground."""
        edits, inspect = self.graph.edits, self.inspect_requested.emit
        menu: Menu
        if isinstance(what, int):
            menu = MachineMenu(self.document, edits, what, inspect, self)
        elif what is not None:
            menu = TaskMenu(
                self.document,
                self.offers,
                self.carrying,
                self.surface.kinds,
                inspect,
                self,
                edits=edits,
                lead=self.surface.current,
            )
        else:
            drawn = self.surface is self.graph
            menu = GroundMenu(edits, self, self.graph.tidy if drawn else None)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)
