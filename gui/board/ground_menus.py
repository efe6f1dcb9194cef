"""The context menus of empty ground and of a machine: what can be added there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from advisor.project.network_edits import unlinked
from gui.basics.literal_menu import Menu
from gui.board.board_edits import BoardEdits
from gui.document.document import Document, Selection

_MOST_LINKS = 8


class GroundMenu(Menu):
    """What can be added to the project; `tidy`: of a graph, lays it out anew."""

    def __init__(
        self, edits: BoardEdits, parent: QWidget, tidy: Callable[[], object] | None = None
    ) -> None:
        super().__init__("", parent)
        self.setObjectName("board-ground-menu")
        self.setAccessibleName("Board")
        _add(self, "add-task", "Add task", edits.add_task)
        _add(self, "add-machine", "Add machine", edits.add_machine)
        _add(self, "add-switch", "Add switch", edits.add_switch)
        self.addSeparator()
        _add(self, "paste", "Paste\tCtrl+V", edits.paste)
        if tidy is not None:
            _add(self, "tidy", "Tidy", tidy)


class MachineMenu(Menu):
    """What can be done with a machine."""

    def __init__(
        self,
        document: Document,
        edits: BoardEdits,
        machine: int,
        inspect: Callable[[int], None],
        parent: QWidget,
    ) -> None:
        super().__init__("", parent)
        self.setObjectName("board-machine-menu")
        self.setAccessibleName("Machine")

        def show() -> None:
            document.select(Selection(machine=machine))
            inspect(machine)

        _add(self, "inspect-machine", "Inspect", show)
        _add(self, "add-task-here", "Add task here", lambda: edits.add_task(machine))
        platform = document.project.platform
        name = platform.machines[machine].name
        for other in () if platform.switches else unlinked(platform, name)[:_MOST_LINKS]:
            _add(self, f"link-to-{other}", f"Link to {other}", partial(edits.link, name, other))


def _add(menu: Menu, name: str, text: str, do: Callable[[], object]) -> None:
    action = menu.addAction(text)
    action.setObjectName(f"board-{name}")
    action.triggered.connect(lambda _checked=False: do())
