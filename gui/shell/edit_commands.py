"""Handlers of the actions that add flows, switches and copies of tasks on the board.

Ctrl+C and Ctrl+V are the board's only while it has the keyboard: texts and tables copy by
themselves.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from gui.shell.actions import ActionSpec
from gui.shell.places import Places

if TYPE_CHECKING:
    from gui.board.board_view import BoardView

_OF_FOCUS = ("copy", "paste")
_A = ActionSpec
EDIT_SPECS: tuple[ActionSpec, ...] = (
    _A(
        "add_flow",
        "Add flow",
        "Edit",
        "Connect two selected tasks, the first to the second; else how to draw a flow",
        group=1,
        words="connect edge depend dependency after before arrow link",
    ),
    _A(
        "add_switch",
        "Add switch",
        "Edit",
        "Add a switch that joins all machines; its links have bandwidth and startup",
        group=1,
        words="bandwidth network router link connect",
    ),
    _A(
        "duplicate",
        "Duplicate",
        "Edit",
        "Copy the selected tasks, with the flows among them, beside them",
        ("Ctrl+D",),
        group=2,
        words="clone repeat",
    ),
    _A(
        "tidy",
        "Tidy graph",
        "Edit",
        "Lay the graph out anew, in layers: drawn tasks stay where they are until then",
        group=2,
        words="arrange layout align order nodes",
    ),
    _A("copy", "Copy", "Edit", "Put the selected tasks on the clipboard", ("Ctrl+C",), group=2),
    _A("paste", "Paste", "Edit", "Add the tasks on the clipboard", ("Ctrl+V",), group=2),
)


class EditCommands(QObject):
    """Handlers of the edits of one window's board."""

    def __init__(self, window: Places) -> None:
        super().__init__(window)
        self.setObjectName("edit_commands")
        self._window, self._actions = window, window.commands
        self._actions.handle(
            {
                "add_flow": self.add_flow,
                "add_switch": partial(self._edit, "add_switch"),
                "duplicate": partial(self._edit, "duplicate"),
                "tidy": self.tidy,
                "copy": partial(self._edit, "copy"),
                "paste": partial(self._edit, "paste"),
            }
        )
        page = window.lazy["allocation"]
        page.built.connect(self._wire)
        document = window.document
        document.selection_changed.connect(lambda _selection: self._check())
        for told in (window.pages.currentChanged, window.start_page_shown):
            told.connect(lambda _state: self._check())
        self._check()

    def add_flow(self) -> None:
        """Connect two selected tasks, or show the graph and how to draw a flow there."""
        self._window.show_page("allocation")
        if len(self._window.document.selection.tasks) != 2:
            self._board.show_view("graph")
        self._edit("connect_selected")

    def tidy(self) -> None:
        """Show the graph, laid out anew."""
        self._window.show_page("allocation")
        self._board.show_view("graph")
        self._board.graph.tidy()

    @property
    def _board(self) -> BoardView:
        return self._window.panel("allocation")  # type: ignore[return-value]

    def _edit(self, method: str) -> None:
        getattr(self._board.graph.edits, method)()

    def _wire(self, board: BoardView) -> None:
        """Their keys are those of the board, not of the whole window."""
        for name in _OF_FOCUS:
            action = self._actions[name]
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self._window.removeAction(action)
            board.addAction(action)

    def _check(self) -> None:
        """What can be done, and only while the board is in sight."""
        seen, chosen = self._window.on_board, bool(self._window.document.selection.tasks)
        for name in ("duplicate", "copy"):
            self._actions[name].setEnabled(seen and chosen)
        self._actions["paste"].setEnabled(seen)
