"""What the window's actions do, and when they can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.export.export_record import PLAN
from advisor.export.registry import exports_of
from advisor.project.opening import first_project
from gui.basics.error_messages import show_error
from gui.basics.notice import NoticeBar
from gui.basics.settings import Settings
from gui.basics.theme import MODES, theme
from gui.document.advise import Advisor
from gui.document.checker import Checker
from gui.document.document import Aside, Selection
from gui.shell.places import Places
from gui.shell.project_files import Files
from gui.shell.status import StatusLine
from gui.shell.toolbar import READING_TITLES, Toolbar, with_objective, with_reading, with_sharing
from gui.shell.tour import Tour
from gui.shell.tour_steps import STEPS
from gui.shell.tour_steps import example as example_of_tour
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from gui.basics.pictures_out import PicturesOut
    from gui.board.board_view import BoardView
    from gui.inspector import Inspector
    from gui.panels.answer_strip import AnswerStrip
    from gui.panels.compare_panel import ComparePanel

_MAP_SHARE = 0.46  # of the window, for a map below the board, which keeps two lanes in sight
_OF_BOARD = ("select_all", "select_none", "zoom_in", "zoom_out", "fit")  # while in sight


@dataclass(frozen=True)
class Parts:
    """What the actions work on, beside the window's document, pages and docks."""

    advisor: Advisor
    checker: Checker
    files: Files
    line: StatusLine
    toolbar: Toolbar
    notice: NoticeBar


class Commands(QObject):
    """Handlers of every action of one window."""

    def __init__(self, window: Places, parts: Parts) -> None:
        super().__init__(window)
        self.setObjectName("commands")
        self._window, self._parts = window, parts
        self._document, self._actions = window.document, window.commands
        self.tour_shown: Tour | None = None
        steps, files, advisor = window.steps, parts.files, parts.advisor
        self._actions.handle(
            {
                "new": files.new,
                "open": files.ask_open,
                "save": files.save,
                "save_as": files.ask_save,
                "import_workload": files.ask_workload,
                "import_platform": files.ask_platform,
                "export_plan": files.ask_export,
                "export_board": self.ask_board_picture,
                "copy_board": self.copy_board,
                "start_page": lambda: window.show_start_page(True),
                "quit": window.close,
                "undo": steps.undo,
                "redo": steps.redo,
                "history": partial(window.toggle_dock, "history"),
                "add_machine": partial(self._act, "add_machine", Selection()),
                "add_task": partial(self._act, "add_task", Selection()),
                "add_overlay": partial(self._act, "add_overlay", Selection()),
                "remove": self.remove,
                "select_all": self.select_all,
                "select_none": lambda: self._document.select(Selection()),
                "find": parts.toolbar.search.open,
                "view_schedule": partial(self._show_view, "schedule"),
                "view_graph": partial(self._show_view, "graph"),
                "zoom_in": partial(self._on_board, "zoom_in"),
                "zoom_out": partial(self._on_board, "zoom_out"),
                "fit": partial(self._on_board, "fit"),
                "animations": self._toggle_animations,
                "slack": self._toggle_extras,
                "utilisation": self._toggle_extras,
                "colour_by_kind": partial(self._on_board, "toggle_colours"),
                "full_screen": self._toggle_full_screen,
                "reset_layout": window.reset_layout,
                "advise": self.advise,
                "stop": advisor.cancel,
                "apply": advisor.apply,
                "pin": self.pin,
                "check_simgrid": self.check,
                "help": self.help,
                "shortcuts": partial(self.help, shortcuts=True),
                "tour": self.tour,
                "about": self.about,
            }
        )
        parts.toolbar.search.example_asked.connect(parts.files.example)
        parts.toolbar.search.help_asked.connect(self.help)
        self._handle_choices()
        self._follow()

    @property
    def board(self) -> BoardView:
        """The board, built if need be."""
        return self._window.panel("allocation")  # type: ignore[return-value]

    def show_task(self, task: int) -> None:
        """Select a task and bring it into sight."""
        self._window.show_page("allocation")
        self._document.select(Selection(tasks=frozenset({task})))
        self.board.focus_task(task)

    def show_machine(self, name: str) -> None:
        """Select a machine, if it is still there, and show its sheet."""
        machine = self._document.project.platform.index.get(name)
        if machine is not None:
            self._window.show_page("allocation")
            self._document.select(Selection(machine=machine))
            self._window.show_dock("inspector")

    def advise(self) -> None:
        """Search, beside the board."""
        self._window.show_page("allocation")
        self._parts.advisor.start()

    def pin(self) -> None:
        """Keep the current plan for comparison."""
        panel: ComparePanel = self._window.panel("compare")  # type: ignore[assignment]
        panel.pin_current()
        self._parts.line.tell("Pinned; see Compare")

    def check(self) -> None:
        """Let SimGrid carry out the plan, and show what comes out."""
        self._window.show_dock("check")
        self._parts.checker.start()

    def remove(self) -> None:
        """Remove what is selected."""
        self._act("remove_", self._document.selection)

    def select_all(self) -> None:
        """Select every task."""
        tasks = range(len(self._document.project.workload.tasks))
        self._document.select(Selection(tasks=frozenset(tasks)))

    def ask_board_picture(self) -> None:
        """Ask where to write a picture of the board."""
        from gui.basics.figures import PICTURE_FORMATS  # noqa: PLC0415 - rarely used
        from gui.basics.save_dialog import ask_file  # noqa: PLC0415 - rarely used

        ask_file(
            self._window,
            "Export picture of the board",
            PICTURE_FORMATS,
            "board",
            lambda path, _format: self.export_board(path),
        )

    def export_board(self, path: Path) -> None:
        """Write a picture of the board, in the background."""
        self._pictures.write(self.board, path)

    def copy_board(self) -> None:
        """Put a picture of the board on the clipboard, in the background."""
        self._pictures.copy(self.board)

    @cached_property
    def _pictures(self) -> PicturesOut:
        """Writes and copies the board."""
        from gui.basics.pictures_out import PicturesOut  # noqa: PLC0415 - rarely used

        out, tell = PicturesOut(self._window), self._parts.line.tell
        out.written.connect(lambda path: tell(f"Exported {path}"))
        out.copied.connect(lambda: tell("The picture of the board is on the clipboard"))
        return out

    def help(self, page: str = "", *, shortcuts: bool = False) -> None:
        """Open the help pages, at one of them, or the table of actions and keys."""
        from gui.shell.help import HelpDialog  # noqa: PLC0415 - rarely used
        from gui.shell.lessons import Lessons  # noqa: PLC0415

        dialog = HelpDialog(self._actions, self._window)
        parts = self._parts
        lessons = Lessons(self._window, self._document, parts.files, parts.notice)
        dialog.lesson_asked.connect(lessons.begin)
        dialog.open()
        if page:
            dialog.show_page(page)
        if shortcuts:
            dialog.show_shortcuts()

    def tour(self) -> None:
        """Walk through the window on an example, after asking about unsaved changes."""
        self._window.settings.welcomed = True
        if self.tour_shown is None:
            self._parts.files.when_saved(self._begin_tour)

    def about(self) -> None:
        """Version and licence."""
        from gui.shell.help import about_text  # noqa: PLC0415 - rarely used

        box = QMessageBox(self._window)
        box.setObjectName("about_box")
        box.setWindowTitle("About Placewise")
        box.setText(about_text())
        box.finished.connect(box.deleteLater)
        box.open()

    def wire(self, name: str, widget: QWidget) -> None:
        """Connect a page or panel that was just built."""
        advisor = self._parts.advisor
        if name in {"breakdown", "compare", "what_if"}:
            advisor.advised.connect(widget.show_advice)  # type: ignore[attr-defined]
            if advisor.advice is not None:
                widget.show_advice(advisor.advice)  # type: ignore[attr-defined]
        if name == "what_if":
            widget.map_shown.connect(self._lend_room)  # type: ignore[attr-defined]
            in_front = self._window.docks[name].visibilityChanged
            in_front.connect(widget.give_room_back)  # type: ignore[attr-defined]
        if name == "schedule":
            widget.task_activated.connect(self.show_task)  # type: ignore[attr-defined]
        if name in {"schedule", "compare"}:
            widget.follow(self.board.folds)  # type: ignore[attr-defined]
        if name == "compare":
            widget.trade_off.machine_asked.connect(self.show_machine)  # type: ignore[attr-defined]
        if name == "answer":
            strip: AnswerStrip = widget  # type: ignore[assignment]
            strip.pointed.connect(self.board.point_at)
            strip.why_asked.connect(partial(self._window.show_dock, "reasons"))
        if name == "allocation":
            self._wire_board(self.board)

    def _wire_board(self, board: BoardView) -> None:
        board.set_animated(self._window.settings.animations)
        board.folds.remember(self._window.settings)
        self._actions["slack"].setChecked(board.folds.slack)
        self._actions["utilisation"].setChecked(board.folds.utilisation)
        board.colouring.remember(self._window.settings)
        board.colouring.changed.connect(self._actions["colour_by_kind"].setChecked)
        board.inspect_requested.connect(self._inspect)
        board.view_changed.connect(lambda view: self._actions[f"view_{view}"].setChecked(True))

    def _inspect(self, _task: object) -> None:
        self._window.show_dock("inspector")
        inspector: Inspector = self._window.panel("inspector")  # type: ignore[assignment]
        inspector.focus()

    def _begin_tour(self) -> None:
        """Put what is open aside, and explain the window on the example."""
        used = not self._window.on_start_page or self._document.project != first_project()
        aside = self._document.aside() if used else None
        self._document.load(example_of_tour())
        self._window.reset_layout()
        self.tour_shown = Tour(self._window, STEPS)
        self.tour_shown.ended.connect(partial(self._end_tour, aside))
        self.tour_shown.start()

    def _end_tour(self, aside: Aside | None) -> None:
        """Offer to go back to what was open before."""
        self.tour_shown = None
        self._window.show_page("allocation")
        if aside is not None:
            back = partial(self._document.bring_back, aside)
            self._parts.notice.tell(
                f"This is the example of the tour. “{aside.project.name}” is unchanged.",
                (("Back to my project", partial(self._parts.files.when_saved, back)),),
                dismiss="Stay here",
            )

    def _handle_choices(self) -> None:
        window, document = self._window, self._document
        handlers: dict[str, Callable[[], object]] = {}
        for mode in MODES:
            handlers[f"theme_{mode}"] = partial(set_theme, window.settings, mode)
        for objective in OBJECTIVES:
            handlers[f"objective_{objective}"] = partial(with_objective, document, objective)
        for reading in READING_TITLES:
            handlers[f"reading_{reading}"] = partial(with_reading, document, reading)
        for sharing in SHARING_WORDS:
            handlers[f"sharing_{sharing}"] = partial(with_sharing, document, sharing)
        for kind in exports_of(PLAN):
            handlers[f"export_as_{kind}"] = partial(self._parts.files.ask_export, kind)
        for panel in window.all_panels.values():
            if panel.area == "centre":
                handlers[panel.action] = partial(window.show_page, panel.id)
            elif panel.area != "top" and panel.id != "history":
                handlers[panel.action] = partial(window.toggle_dock, panel.id)
        self._actions.handle(handlers)
        self._actions[f"theme_{window.settings.theme}"].setChecked(True)
        self._actions["animations"].setChecked(window.settings.animations)
        self._actions["view_schedule"].setChecked(True)

    def _follow(self) -> None:
        """Keep what can be done up to date."""
        document, advisor = self._document, self._parts.advisor
        document.changed.connect(lambda _project: self._check())
        document.outcome_changed.connect(lambda _outcome: self._check())
        document.outcome_failed.connect(lambda _error: self._check())
        document.selection_changed.connect(lambda _selection: self._check())
        pages = self._window.pages.currentChanged, self._window.start_page_shown
        for told in (advisor.phase_changed, self._parts.checker.busy, *pages):
            told.connect(lambda _state: self._check())
        for told in (advisor.advised, advisor.progress):
            told.connect(lambda _advice: self._check())
        self._check()

    def _check(self) -> None:
        document, advisor = self._document, self._parts.advisor
        project, outcome, chosen = document.project, document.outcome, document.selection
        predicted = outcome is not None and outcome.project is project
        able = {
            "advise": predicted,
            "stop": advisor.is_busy,
            "check_simgrid": predicted and not self._parts.checker.is_busy,
            "apply": advisor.better is not None,
            "remove": self._window.on_board and chosen != Selection(),
            "export_board": outcome is not None,
            "copy_board": outcome is not None,
        }
        exports = ("export_plan", "report", *(f"export_as_{kind}" for kind in exports_of(PLAN)))
        able |= dict.fromkeys(exports, predicted) | dict.fromkeys(_OF_BOARD, self._window.on_board)
        for name, value in able.items():
            self._actions[name].setEnabled(value)
        self._actions[f"objective_{project.objective}"].setChecked(True)
        self._actions[f"reading_{project.reading}"].setChecked(True)
        self._actions[f"sharing_{project.sharing}"].setChecked(True)

    def _act(self, key: str, selection: Selection) -> None:
        """Do what the inspector offers for `selection` under that key."""
        from gui.inspector.inspector import ADDS, sheet_of  # noqa: PLC0415 - with the inspector

        sheet = sheet_of(self._document.project, selection)
        found = [
            action
            for action in sheet.actions
            if action.key.startswith(key) and not action.key.startswith("remove_contender")
        ]
        if not found:
            return
        try:
            changed = found[0].run(self._document.project)
        except PlacewiseError as error:
            show_error(self._window, "This can't be done", error)
            return
        self._document.apply(changed, found[0].text)
        if found[0].select is not None:
            self._document.select(found[0].select(changed))
        if key in ADDS:
            self._inspect(key)

    def _on_board(self, method: str) -> None:
        """Call a method of the board; it is built at first use."""
        getattr(self.board, method)()

    def _lend_room(self, shown: bool) -> None:
        """Docks below are high while a map is in one of them."""
        self._window.shares.lend("bottom", _MAP_SHARE if shown else None)

    def _show_view(self, view: str) -> None:
        self._window.show_page("allocation")
        self.board.show_view(view)

    def _toggle_animations(self) -> None:
        animated = self._actions["animations"].isChecked()
        self._window.settings.animations = animated
        self.board.set_animated(animated)

    def _toggle_extras(self) -> None:
        slack, utilisation = (self._actions[name].isChecked() for name in ("slack", "utilisation"))
        self.board.folds.set_extras(slack, utilisation)

    def _toggle_full_screen(self) -> None:
        state = self._window.windowState()  # a maximised window is one afterwards, too
        self._window.setWindowState(state ^ Qt.WindowState.WindowFullScreen)


def set_theme(settings: Settings, mode: str) -> None:
    """Use a theme now and at the next start."""
    settings.theme = mode
    theme().set_mode(mode)
