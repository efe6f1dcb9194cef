"""What a view of the board must answer so that gestures, keys and menus work on it.

An item is what the view draws for one or several tasks: a bar of the schedule, a card of the
graph. Positions are pixels of the viewport.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractScrollArea

from machines.arrays import Ints


class ItemView(QAbstractScrollArea):
    """A scrolling view of items and machines."""

    def item_at(self, position: QPointF) -> int | None:
        """The item under a point."""
        raise NotImplementedError

    def items_in(self, rect: QRectF) -> Ints:
        """Items that touch a rectangle."""
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

    def describe(self, item: int) -> str:
        """An item in words, for tooltips and screen readers."""
        raise NotImplementedError

    def lane_at(self, position: QPointF) -> int | None:
        """The machine on which a drop at this point would put the tasks."""
        raise NotImplementedError

    def card_rect(self, machine: int) -> QRectF:
        """Where a machine's card is on screen."""
        raise NotImplementedError

    def card_at(self, position: QPointF) -> int | None:
        """The machine whose card is under a point."""
        raise NotImplementedError

    def reveal(self, item: int) -> None:
        """Scroll until an item is on screen."""
        raise NotImplementedError

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

    def click_ground(self, position: QPointF, keep: bool) -> None:
        """A click beside all items; with `keep` the selection stays."""
        raise NotImplementedError
