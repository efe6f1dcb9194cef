"""Every action of the window in one table: menus, toolbar, shortcuts, search and help read it.

`Actions` turns the table into QActions and calls the handler that is registered under an
action's name. Panels take their actions from here, so that no shortcut is defined twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gui.basics.icons import icon
from gui.basics.theme import theme

MENUS = ("File", "Edit", "View", "Plan", "Analyse", "Help")


@dataclass(frozen=True)
class ActionSpec:
    """One action."""

    id: str  # name in code and in settings
    text: str  # as in the menu; an ellipsis when it asks something first
    menu: str  # menu, or "Menu/Submenu"
    help: str  # one sentence for tooltip, search and help
    keys: tuple[str, ...] = ()  # shortcuts, the first one shown
    icon: str = ""  # file in resources/icons; empty: none
    group: int = 0  # groups of one menu are separated by a line
    check: str = ""  # "" for a command, "toggle" for on/off, else the name of an exclusive group
    words: str = ""  # other words that find it


_A = ActionSpec
ACTIONS: tuple[ActionSpec, ...] = (
    _A("new", "New", "File", "Start a project with one machine and one task", ("Ctrl+N",)),
    _A(
        "open",
        "Open…",
        "File",
        "Open a project, a workload, a WfFormat workflow, a platform or a campaign",
        ("Ctrl+O",),
        "open",
    ),
    _A("open_folder", "Open folder…", "File", "Open a folder such as .snakemake", words="log"),
    _A(
        "open_scheduler",
        "Open Dask scheduler…",
        "File",
        "Take the workers of a running Dask scheduler as machines",
        words="address tcp workers cluster live",
    ),
    _A("save", "Save", "File", "Save the project to its file", ("Ctrl+S",), "save", 1),
    _A(
        "save_as",
        "Save as…",
        "File",
        "Save the project to another file",
        ("Ctrl+Shift+S",),
        group=1,
    ),
    _A(
        "import_workload",
        "Import workload…",
        "File",
        "Replace the tasks by those of a workload or WfFormat file; the machines stay",
        ("Ctrl+I",),
        group=2,
    ),
    _A(
        "import_platform",
        "Import platform…",
        "File",
        "Replace the machines by those of a platform file; the tasks stay",
        ("Ctrl+Shift+I",),
        group=2,
    ),
    _A(
        "import_table",
        "Import table…",
        "File",
        "Add the tasks of a CSV or TSV table, such as one of a spreadsheet",
        group=2,
    ),
    _A(
        "export_plan",
        "Export plan…",
        "File",
        "Write the plan or its schedule for other programs",
        ("Ctrl+E",),
        "export",
        3,
    ),
    _A(
        "report",
        "Report…",
        "File",
        "Write the answer with its figures, tables and sources, as a web page or PDF",
        ("Ctrl+R",),
        group=3,
    ),
    _A(
        "export_board",
        "Export picture of the board…",
        "File",
        "Write the board as SVG, PDF or PNG",
        ("Ctrl+Shift+E",),
        group=3,
    ),
    _A(
        "copy_board", "Copy picture of the board", "File", "Put the board on the clipboard", group=3
    ),
    _A("start_page", "Start page", "File", "Examples, recent files and first steps", group=4),
    _A("quit", "Quit", "File", "Close the window", ("Ctrl+Q",), group=5),
    _A("undo", "Undo", "Edit", "Take the last change back", ("Ctrl+Z",), "undo"),
    _A("redo", "Redo", "Edit", "Make the change again", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    _A(
        "history",
        "History",
        "Edit",
        "List of changes; click one to return to it",
        ("Ctrl+H",),
        check="toggle",
    ),
    _A(
        "add_machine",
        "Add machine",
        "Edit",
        "Add a machine; link it in the inspector",
        ("Ctrl+Shift+M",),
        group=1,
        words="node worker host core computer server",
    ),
    _A(
        "add_task",
        "Add task",
        "Edit",
        "Add a task where it runs fastest",
        ("Ctrl+Shift+T",),
        group=1,
        words="node job step",
    ),
    _A("add_overlay", "Add overlay", "Edit", "Add a tree of processes", ("Ctrl+Shift+O",), group=1),
    _A(
        "remove",
        "Remove selected",
        "Edit",
        "Remove the selected tasks, machine, link, flow or overlay",
        ("Del",),
        group=1,
    ),
    _A("select_all", "Select all tasks", "Edit", "Select every task", ("Ctrl+A",), group=2),
    _A("select_none", "Select nothing", "Edit", "Clear the selection", ("Ctrl+Shift+A",), group=2),
    _A(
        "find",
        "Find a task or an action",
        "Edit",
        "Type a part of a task's, machine's or action's name",
        ("Ctrl+K", "Ctrl+F"),
        "find",
        3,
    ),
    _A(
        "view_schedule",
        "Schedule",
        "View",
        "Show the board as lanes over time",
        ("Ctrl+1",),
        check="board view",
    ),
    _A(
        "view_graph",
        "Graph",
        "View",
        "Show the board as the graph of tasks",
        ("Ctrl+2",),
        check="board view",
    ),
    _A("zoom_in", "Zoom in", "View", "Enlarge the board", ("Ctrl++", "Ctrl+="), group=1),
    _A("zoom_out", "Zoom out", "View", "Shrink the board", ("Ctrl+-",), group=1),
    _A("fit", "Fit", "View", "Show the whole board", ("F",), "fit", 1),
    _A(
        "slack",
        "Slack",
        "View",
        "Show slack: tails behind bars and a column of the schedule table",
        group=2,
        check="toggle",
    ),
    _A(
        "utilisation",
        "Utilisation",
        "View",
        "Show the utilisation of cores beside the machines' names",
        group=2,
        check="toggle",
    ),
    _A("theme_system", "As the system", "View/Theme", "Colours as the desktop", check="theme"),
    _A("theme_light", "Light", "View/Theme", "Light colours", check="theme"),
    _A("theme_dark", "Dark", "View/Theme", "Dark colours", check="theme"),
    _A(
        "colour_by_kind",
        "Colour by kind",
        "View",
        "Colour tasks on the board by their kind, where tasks share kinds",
        group=1,
        check="toggle",
    ),
    _A(
        "animations",
        "Animate changes",
        "View",
        "Animate changes on the board",
        group=2,
        check="toggle",
    ),
    _A("full_screen", "Full screen", "View", "Use the whole screen", ("F11",), "", 2, "toggle"),
    _A(
        "reset_layout",
        "Reset layout",
        "View",
        "Restore the default layout of panels",
        group=2,
    ),
    _A(
        "advise",
        "Advise",
        "Plan",
        "Search for the best allocation",
        ("Ctrl+Return",),
    ),
    _A("stop", "Stop search", "Plan", "Stop and keep the best plan so far", ("Ctrl+.",)),
    _A(
        "apply",
        "Apply recommendation",
        "Plan",
        "Make the recommended plan the current one",
        ("Ctrl+Shift+Return",),
    ),
    _A(
        "pin",
        "Pin for comparison",
        "Plan",
        "Keep the current plan to compare it with others",
        ("Ctrl+P",),
        "pin",
        1,
    ),
    _A(
        "check_simgrid",
        "Check with SimGrid",
        "Plan",
        "Cross-check the plan with SimGrid, an independent simulator",
        ("Ctrl+Shift+G",),
        group=1,
    ),
    _A(
        "objective_makespan",
        "Makespan",
        "Plan/Objective",
        "Advise for the time until the last task ends",
        check="objective",
    ),
    _A(
        "objective_total",
        "Total time",
        "Plan/Objective",
        "Advise for the sum of all task and transfer times",
        check="objective",
    ),
    _A(
        "reading_exact",
        "Exact sharing",
        "Plan/Contention model",
        "Slowdown by exact processor sharing (Mean Value Analysis)",
        check="reading",
    ),
    _A(
        "reading_published",
        "Published formula",
        "Plan/Contention model",
        "Slowdown by the formula of Figueira & Berman 1996",
        check="reading",
    ),
    _A(
        "sharing_fair",
        "Contention-aware schedule",
        "Plan/Timeline",
        "Transfers share links, switches and stores; the plan's tasks share processors",
        check="sharing",
    ),
    _A(
        "sharing_none",
        "Contention-free schedule",
        "Plan/Timeline",
        "Each transfer has the network to itself; the plan's tasks never slow each other",
        check="sharing",
    ),
    _A(
        "help",
        "Help",
        "Help",
        "How to use Placewise, and where its numbers come from",
        ("F1", "?"),
        "help",
    ),
    _A("shortcuts", "Shortcuts", "Help", "All actions with their keys", ("Ctrl+/",)),
    _A("tour", "Tour", "Help", "Six steps through the window"),
    _A("about", "About Placewise", "Help", "Version and licence", group=1),
)


class Actions(QObject):
    """The QActions of a window, by name; a name without a handler is an error at once.

    `window`: gets the actions and their shortcuts. `specs`: the table; `ACTIONS` and what the
    window's pages and panels add.
    """

    def __init__(self, window: QMainWindow, specs: tuple[ActionSpec, ...]) -> None:
        super().__init__(window)
        self.setObjectName("actions")
        self.specs = specs
        self._handlers: dict[str, Callable[[], object]] = {}
        self._groups: dict[str, QActionGroup] = {}
        self._actions = {spec.id: self._make(spec, window) for spec in specs}
        theme().changed.connect(self._colour_icons)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[ActionSpec]:
        return iter(self.specs)

    def handle(self, handlers: Mapping[str, Callable[[], object]]) -> None:
        """Register what the actions do, by name."""
        unknown = sorted(set(handlers) - set(self._actions))
        if unknown:
            raise KeyError(f"no action is called {unknown[0]}")
        self._handlers.update(handlers)

    def unhandled(self) -> list[str]:
        """Names of actions that do nothing yet."""
        return [spec.id for spec in self.specs if spec.id not in self._handlers]

    def fill(self, menu: QMenu, name: str, submenus: Mapping[str, QMenu]) -> None:
        """Put the actions of menu `name` into `menu`, with their submenus where they occur."""
        last_group: int | None = None
        for spec in sorted(self.specs, key=lambda spec: spec.group):
            top, _, below = spec.menu.partition("/")
            if top != name:
                continue
            if last_group is not None and spec.group != last_group:
                menu.addSeparator()
            last_group = spec.group
            if not below:
                menu.addAction(self[spec.id])
                continue
            submenu = submenus[spec.menu]
            if submenu.isEmpty():
                menu.addMenu(submenu)
            submenu.addAction(self[spec.id])

    def _make(self, spec: ActionSpec, window: QMainWindow) -> QAction:
        action = QAction(spec.text, window)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{spec.help} ({keys})" if keys else spec.help)
        action.setStatusTip(spec.help)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        if spec.check:
            action.setCheckable(True)
            if spec.check != "toggle":
                group = self._groups.setdefault(spec.check, QActionGroup(self))
                group.addAction(action)
        action.triggered.connect(lambda _checked=False, name=spec.id: self._run(name))
        window.addAction(action)
        return action

    def _run(self, name: str) -> None:
        self._handlers[name]()

    def _colour_icons(self) -> None:
        for spec in self.specs:
            if spec.icon:
                self[spec.id].setIcon(icon(spec.icon))
