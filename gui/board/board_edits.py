"""What the board adds to the project: tasks, flows, machines, copies; each is one undo step.

A refusal changes nothing and is reported by `said`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from advisor.basics import quantities
from advisor.project import graph_edits, network_edits
from advisor.project.graph_edits import DataSets
from advisor.project.project import Project
from advisor.project.task_table import is_table
from gui.document.document import Document, Selection
from machines.errors import PlacewiseError


@dataclass(frozen=True, eq=False)
class Drawn:
    """Flows that were just drawn, whose data may follow in the same undo step.

    `targets`: empty: a new task. `merge`: of the step (`Document.apply`).
    """

    before: Project
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    merge: str

    def drawn(self, data_sets: DataSets = ()) -> Project:
        """The project with the flows; PlacewiseError: they can't be."""
        if self.targets:
            return graph_edits.connect(self.before, self.sources, self.targets, data_sets)
        return graph_edits.grow(self.before, self.sources, data_sets)

    def step(self, after: Project) -> str:
        """What the undo step is called."""
        old = self.before.workload
        new = after.workload.flows[len(old.flows) :]
        flows = f"flow {new[0].name}" if len(new) == 1 else f"{len(new):,} flows"
        if self.targets:
            return f"Add {flows}"
        after_what = f"after {new[0].source}" if len(new) == 1 else f"with {flows}"
        return f"Add {after.workload.tasks[-1].name} {after_what}"


class BoardEdits(QObject):
    """Edits of one document, for gestures, menus and keys of the board."""

    said = Signal(object)  # str, for the status line
    copying = Signal(object)  # frozenset of tasks, before their copies are there
    table_pasted = Signal(str)  # a spreadsheet's text: its columns are to be chosen

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("board-edits")
        self._document = document
        self._numbers = count()

    # Flows --------------------------------------------------------------------------------

    def draw(self, sources: frozenset[int], targets: frozenset[int] = frozenset()) -> Drawn | None:
        """Add flows between tasks, or to a new task without `targets`; None: refused."""
        if targets and len(sources) > 1:
            sources -= targets
        drawn = Drawn(
            self._document.project,
            tuple(sorted(sources)),
            tuple(sorted(targets)),
            f"draw {next(self._numbers)}",
        )
        try:
            after = drawn.drawn()
        except PlacewiseError as error:
            where = f" ({error.where})" if error.where else ""
            self.said.emit(f"Not connected: {error.what}{where}.")
            return None
        self._apply(after, drawn.step(after), drawn.merge)
        return drawn

    def carry(self, drawn: Drawn, data_sets: DataSets) -> None:
        """State the data of flows that were just drawn; PlacewiseError: they can't be so."""
        after = drawn.drawn(data_sets)
        self._document.apply(after, drawn.step(after), drawn.merge)

    def connect_selected(self) -> None:
        """A flow from the first of two selected tasks to the other one, or how to draw one."""
        chosen = sorted(self._document.selection.tasks)
        if len(chosen) == 2:
            self.draw(frozenset(chosen[:1]), frozenset(chosen[1:]))
        else:
            self.said.emit(
                "To add a flow, drag in the graph from the port at a task's right edge to another "
                "task, or select two tasks."
            )

    # More of something --------------------------------------------------------------------

    def add_task(self, machine: int | None = None) -> bool:
        """A new task, on `machine` or the fastest one; it is selected."""
        return self._try(
            lambda project: graph_edits.add_new_task(project, machine), "Add task", "No task added"
        )

    def add_machine(self) -> bool:
        """A new machine; it is selected."""
        return self._try(graph_edits.add_new_machine, "Add machine", "No machine added")

    def add_switch(self) -> bool:
        """A switch that joins all machines; it is selected."""
        return self._try(network_edits.add_switch, "Add switch", "No switch added")

    def link(self, first: str, second: str) -> bool:
        """A link between two machines; it is selected."""
        return self._try(
            lambda project: network_edits.link_machines(project, first, second),
            f"Link {first} to {second}",
            "Not linked",
        )

    def duplicate(self) -> bool:
        """Copies of the selected tasks, with the flows among them."""
        chosen = self._document.selection.tasks
        if not chosen:
            return False
        self.copying.emit(chosen)
        return self._try(
            lambda project: graph_edits.duplicate(project, chosen),
            f"Duplicate {self._named(chosen)}",
            "Not duplicated",
        )

    def copy(self) -> bool:
        """The selected tasks as text on the clipboard."""
        chosen = self._document.selection.tasks
        if not chosen:
            return False
        text = graph_edits.copied(self._document.project, chosen)
        QGuiApplication.clipboard().setText(text)
        self.said.emit(f"Copied {self._named(chosen)}. Ctrl+V pastes, in any Placewise window.")
        return True

    def paste(self) -> bool:
        """The tasks on the clipboard, with the flows among them; of a table it is asked."""
        text = QGuiApplication.clipboard().text()
        if is_table(text):
            self.table_pasted.emit(text)
            return True
        return self._try(
            lambda project: graph_edits.pasted(project, text), "Paste tasks", "Nothing pasted"
        )

    # inside

    def _named(self, tasks: frozenset[int]) -> str:
        """As in "A" or "3 tasks"."""
        if len(tasks) == 1:
            return self._document.project.workload.tasks[min(tasks)].name
        return quantities.count(len(tasks), "task")

    def _try(self, edit: Callable[[Project], Project], step: str, refused: str) -> bool:
        try:
            after = edit(self._document.project)
        except PlacewiseError as error:
            self.said.emit(f"{refused}: {error}")
            return False
        self._apply(after, step)
        return True

    def _apply(self, after: Project, step: str, merge: str = "") -> None:
        """One step, after which what is new is selected; flows alone leave the selection."""
        before = self._document.project
        self._document.apply(after, step, merge)
        new = _fresh(before, after)
        if new is not None:
            self._document.select(new)
            self.said.emit(f"{step}. Ctrl+Z takes it back.")


def _fresh(before: Project, after: Project) -> Selection | None:
    """The tasks, the machine, the switch or the link that are new, behind all others."""
    tasks, old = len(after.workload.tasks), len(before.workload.tasks)
    if tasks > old:
        return Selection(tasks=frozenset(range(old, tasks)))
    if len(after.platform.machines) > len(before.platform.machines):
        return Selection(machine=len(before.platform.machines))
    if len(after.platform.switches) > len(before.platform.switches):
        return Selection(switch=len(before.platform.switches))
    if len(after.platform.links) > len(before.platform.links):
        return Selection(link=len(before.platform.links))
    return None
