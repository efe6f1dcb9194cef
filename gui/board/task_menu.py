"""The context menu of tasks: assign to a machine, connect, copy, select alike, look closer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from advisor.project import overlay_edits
from gui.basics.literal_menu import Menu, literal, mark
from gui.basics.verdicts import ILLEGAL
from gui.board.board_edits import BoardEdits
from gui.board.carrying import Carrying
from gui.board.lanes import Kinds
from gui.board.offers import Offers
from gui.document.document import Document, Selection


class TaskMenu(Menu):
    """What can be done with the selected tasks; offers appear in it as they arrive."""

    def __init__(
        self,
        document: Document,
        offers: Offers,
        carrying: Carrying,
        kinds: Kinds | None,
        inspect: Callable[[int], None],
        parent: QWidget,
        *,
        edits: BoardEdits | None = None,
        lead: int | None = None,
    ) -> None:
        super().__init__("", parent)
        self.setObjectName("board-task-menu")
        self.setAccessibleName("Tasks")
        self._document, self._offers, self._carrying = document, offers, carrying
        self._tasks = document.selection.tasks
        self._assign = Menu("Assign to…", self)
        self._assign.setObjectName("board-assign-menu")
        self._assign.setEnabled(bool(self._tasks))
        self.addMenu(self._assign)
        self._machines = [self._machine(index) for index in range(self._machine_count)]
        if self._tasks:
            first = min(self._tasks)
            self._add("board-pick-up", "Pick up", lambda: carrying.pick_up(self._tasks, first))
            self._add("board-inspect", "Show in the inspector", lambda: inspect(first))
            if edits is not None:
                self._add_edits(edits, lead)
            self.addSeparator()
            self._add_neighbours()
        if kinds is not None and self._tasks:
            self._add_kinds(kinds)
        self._add_overlays()
        offers.changed.connect(self._refresh)
        self._refresh()

    @property
    def _machine_count(self) -> int:
        return len(self._document.project.platform.machines)

    def _machine(self, index: int) -> QAction:
        action = self._assign.addAction("")
        action.setObjectName(f"board-assign-{index}")
        action.triggered.connect(lambda _checked=False: self._carrying.assign(self._tasks, index))
        return action

    def _refresh(self) -> None:
        """Write each machine's offer beside its name."""
        for index, action in enumerate(self._machines[: self._machine_count]):
            name = literal(self._document.project.platform.machines[index].name)
            offer = self._offers.offer(index)
            action.setEnabled(offer.verdict != ILLEGAL)
            if offer.verdict == ILLEGAL:
                action.setText(f"{name}: {offer.reason}")
            elif not offer.value:
                action.setText(name)
            else:
                best = "  (best)" if offer.best else ""
                action.setText(f"{name}   {offer.long}{best}")
        if self._assign.isVisible():
            mark(self._machines)

    def _add(self, name: str, text: str, do: Callable[[], object]) -> None:
        action = self.addAction(text)
        action.setObjectName(name)
        action.triggered.connect(lambda _checked=False: do())

    def _add_edits(self, edits: BoardEdits, lead: int | None) -> None:
        """Flows between the selected tasks, and copies of them."""
        self.addSeparator()
        if len(self._tasks) > 1:
            self._add_flows(edits, lead if lead in self._tasks else min(self._tasks))
        self._add("board-duplicate", "Duplicate\tCtrl+D", edits.duplicate)
        self._add("board-copy", "Copy\tCtrl+C", edits.copy)
        self._add("board-paste", "Paste\tCtrl+V", edits.paste)

    def _add_flows(self, edits: BoardEdits, lead: int | None) -> None:
        """Flows from the task under the pointer to the other selected ones, and back."""
        assert lead is not None
        tasks, others = self._document.project.workload.tasks, self._tasks - {lead}
        one = literal(tasks[lead].name)
        many = literal(tasks[min(others)].name) if len(others) == 1 else f"{len(others):,} others"
        alone = frozenset((lead,))
        self._add("board-flow-to", f"Flow {one} → {many}", lambda: edits.draw(alone, others))
        self._add("board-flow-from", f"Flow {many} → {one}", lambda: edits.draw(others, alone))

    def _add_neighbours(self) -> None:
        """Select along the flows."""
        workload = self._document.project.workload
        chosen = np.fromiter(self._tasks, dtype=np.int64)
        for name, text, near, far in (
            ("board-feeders", "Select what feeds it", workload.targets, workload.sources),
            ("board-consumers", "Select what it feeds", workload.sources, workload.targets),
        ):
            found = frozenset(far[np.isin(near, chosen)].tolist())
            if found:
                self._add(name, f"{text} ({len(found):,})", self._selecting(found))

    def _add_kinds(self, kinds: Kinds) -> None:
        """Select all tasks of the kinds at hand."""
        of_tasks = kinds.of_task[np.fromiter(self._tasks, dtype=np.int64)]
        for kind in np.unique(of_tasks)[:3].tolist():
            tasks = frozenset(np.flatnonzero(kinds.of_task == kind).tolist())
            name = literal(kinds.names[kind])
            text = f"Select all {len(tasks):,} of kind “{name}”"
            self._add(f"board-kind-{kind}", text, self._selecting(tasks))

    def _add_overlays(self) -> None:
        """Go to an overlay, or add one."""
        self.addSeparator()
        project = self._document.project
        for place, one in enumerate(project.workload.overlays):
            chosen = Selection(overlay=place)
            text = f"Show overlay {literal(one.name)}"
            self._add(f"board-overlay-{place}", text, partial(self._document.select, chosen))
        self._add("board-add-overlay", "Add overlay", self._add_overlay)

    def _add_overlay(self) -> None:
        before = self._document.project
        added = overlay_edits.add_overlay(before, overlay_edits.first_overlay(before))
        self._document.apply(added, "Add overlay")
        self._document.select(Selection(overlay=len(added.workload.overlays) - 1))

    def _selecting(self, tasks: frozenset[int]) -> Callable[[], object]:
        return lambda: self._document.select(Selection(tasks=tasks))
