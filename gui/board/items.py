"""What gestures, keys and menus see of a view of the board: its items, where they are, the focus.

An item is what the view draws for one or several tasks: a bar of the schedule, a card of the
graph. Positions are pixels of the viewport.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from advisor.allocation.workload import Task, Workload
from gui.board.carrying import Carrying
from gui.document.document import Document, Outcome
from machines import Machine
from machines.arrays import Ints


class ItemView(QAbstractScrollArea):
    """A scrolling view of items and machines.

    `outcome`: what is shown; may be older than the document while a prediction runs, or where there
    is none. `current`: the task that has the keyboard's focus.
    """

    said = Signal(object)  # str, for the status line and screen readers
    movable = True  # whether its tasks can be taken to another machine here

    def __init__(
        self, document: Document, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.carrying = document, carrying
        self.outcome: Outcome | None = None
        self.current: int | None = None

    @property
    def ready(self) -> bool:
        """Whether what is shown has the document's tasks, machines and flows at their positions."""
        if self.outcome is None:
            return False
        shown, project = self.outcome.project, self.document.project
        return _alike_workload(shown.workload, project.workload) and (
            shown.platform is project.platform
            or _names(shown.platform.machines) == _names(project.platform.machines)
        )

    def set_current(self, task: int | None, announce: bool = False) -> None:
        """Put the focus on a task."""
        self.current = task
        if announce and task is not None and self.ready:
            text = self.describe(self.item_of(task)).replace("\n", "; ")
            chosen = ", selected" if task in self.document.selection.tasks else ""
            self.said.emit(f"{text}{chosen}.")
        self.viewport().update()

    def pan(self, dx: float, dy: float) -> None:
        """Scroll by so many pixels."""
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + round(dx))
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + round(dy))

    def anchored(self, position: QPointF) -> QPointF:
        """A point on screen as a point of the ground."""
        return position + self._scrolled()

    def unanchored(self, position: QPointF) -> QPointF:
        """A point of the ground as a point on screen."""
        return position - self._scrolled()

    def _scrolled(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    # What every view answers in its own way -----------------------------------------------

    def item_at(self, position: QPointF) -> int | None:
        """The item under a point."""
        raise NotImplementedError

    def items_in(self, rect: QRectF) -> Ints:
        """Items that touch a rectangle."""
        raise NotImplementedError

    def toggle_loads(self, everything: bool) -> bool:
        """Unfold or fold the load of links: of the lane in focus, or below all; False: none."""
        raise NotImplementedError

    def item_rect(self, item: int) -> QRectF:
        """Where an item is on screen."""
        raise NotImplementedError

    def item_tasks(self, item: int) -> Ints:
        """Task positions of an item."""
        raise NotImplementedError

    def item_of(self, task: int) -> int:
        """The item that holds a task."""
        raise NotImplementedError

    def first_item(self) -> int:
        """Where the focus starts."""
        raise NotImplementedError

    def neighbour(self, item: int, key: Qt.Key) -> int | None:
        """The item that an arrow key, Home or End leads to."""
        raise NotImplementedError

    def open_item(self, item: int) -> bool:  # noqa: ARG002 - as of every view
        """Show what an item stands for, in its place; False where it is but itself."""
        return False

    def close_item(self, item: int) -> bool:  # noqa: ARG002 - as of every view
        """Put an item back into what was opened around it; False where nothing was."""
        return False

    def double_click_ground(self, position: QPointF) -> None:
        """A double click beside all items."""

    def describe(self, item: int) -> str:
        """An item in words, for tooltips and screen readers."""
        raise NotImplementedError

    def lane_at(self, position: QPointF) -> int | None:
        """The machine on which a drop at this point would put the tasks."""
        raise NotImplementedError

    def picked_lane(self, _position: QPointF, _hovering: bool = False) -> int | None:
        """The lane to which a click moves what a click has picked; None: it does something else."""
        return None

    def card_rect(self, machine: int) -> QRectF:
        """Where a machine's card is on screen."""
        raise NotImplementedError

    def card_at(self, position: QPointF) -> int | None:
        """The machine whose card is under a point."""
        raise NotImplementedError

    def reveal(self, item: int) -> None:
        """Scroll until an item is on screen."""
        raise NotImplementedError

    def lane_beside(self, lane: int, step: int) -> int:
        """The lane so many below, or above; the last or first where there are not so many."""
        machines = len(self.document.project.platform.machines)
        return min(max(lane + step, 0), machines - 1)

    def reveal_lane(self, machine: int) -> None:
        """Scroll until a machine is on screen."""
        raise NotImplementedError

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point, or the middle."""
        raise NotImplementedError

    def fit(self) -> None:
        """Show everything."""
        raise NotImplementedError

    def paint_ground(self, painter: QPainter) -> None:
        """Paint what stays during a drag."""
        raise NotImplementedError

    def paint_top(self, painter: QPainter) -> None:
        """Paint selection, focus, cards and offers."""
        raise NotImplementedError

    def begin_drag(self, position: QPointF, tasks: frozenset[int], lead: int) -> None:
        """The pointer takes tasks along."""
        raise NotImplementedError

    def cancel_gesture(self) -> bool:
        """Give up what the mouse is doing; False when it does nothing."""
        raise NotImplementedError

    def click_ground(self, position: QPointF, keep: bool) -> None:
        """A click beside all items; with `keep` the selection stays."""
        raise NotImplementedError


def _names(things: Sequence[Task | Machine]) -> list[str]:
    return [one.name for one in things]


def _alike_workload(shown: Workload, now: Workload) -> bool:
    """Whether tasks and flows shown have the same positions now; flows may have been added."""
    if shown is now:
        return True
    flows = shown.sources.size
    return (
        _names(shown.tasks) == _names(now.tasks)
        and np.array_equal(shown.sources, now.sources[:flows])
        and np.array_equal(shown.targets, now.targets[:flows])
    )
