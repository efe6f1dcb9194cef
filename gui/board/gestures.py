"""What the mouse does on a board view, one class a gesture.

A gesture lives from press to release. It sees the view only as an `ItemView`, so that the
schedule and the graph share all of them.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from gui.basics.ink import Ink
from gui.board.items import ItemView
from gui.board.schedule_painter import paint_band, paint_hand
from gui.document.document import Selection

_CTRL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class Gesture:
    """Something the mouse does between press and release."""

    scrolls = False  # whether the view scrolls when the pointer nears its edge

    def __init__(self, surface: ItemView, origin: QPointF) -> None:
        self.surface = surface
        self.origin = origin
        self.position = origin

    def move(self, position: QPointF) -> None:
        """The pointer is at `position`."""
        self.position = position

    def release(self, position: QPointF) -> None:
        """The button is up."""

    def cancel(self) -> None:
        """Esc, or the view goes away."""

    def paint(self, painter: QPainter, ink: Ink) -> None:
        """Draw what the gesture shows, above everything."""

    @property
    def far(self) -> bool:
        """Whether the pointer has left the place of the press."""
        way = self.position - self.origin
        return way.manhattanLength() >= QApplication.startDragDistance()


class Press(Gesture):
    """A press on a task: selects it, and becomes a drag once the pointer moves."""

    def __init__(
        self, surface: ItemView, origin: QPointF, item: int, modifiers: Qt.KeyboardModifier
    ) -> None:
        super().__init__(surface, origin)
        self._tasks = frozenset(surface.item_tasks(item).tolist())
        chosen = surface.document.selection.tasks
        self._was_chosen = self._tasks <= chosen
        self._was_alone = self._tasks == chosen
        self._plain = not modifiers & (_CTRL | _SHIFT)
        lead = int(surface.item_tasks(item)[0])
        surface.set_current(lead)
        self._lead = lead
        if modifiers & _CTRL:
            surface.document.select(Selection(tasks=chosen ^ self._tasks))
        elif modifiers & _SHIFT:
            surface.document.select(Selection(tasks=chosen | self._tasks))
        elif not self._was_chosen:
            surface.document.select(Selection(tasks=self._tasks))

    def move(self, position: QPointF) -> None:
        """Turn into a drag when the pointer has gone far enough."""
        super().move(position)
        chosen = self.surface.document.selection.tasks
        if self.far and self._lead in chosen and self.surface.movable:
            self.surface.begin_drag(position, chosen, self._lead)

    def release(self, _position: QPointF) -> None:
        """A click picks the task; one that was selected alone before is taken in hand."""
        if not self._plain:
            return
        self.surface.document.select(Selection(tasks=self._tasks))
        if self._was_alone and self.surface.movable:
            self.surface.carrying.pick_up(self._tasks, self._lead)
        elif self.surface.movable:
            self.surface.carrying.pick(self._tasks, self._lead)


class Drag(Gesture):
    """Tasks in hand while the button is down; the release drops them."""

    scrolls = True

    def __init__(
        self, surface: ItemView, origin: QPointF, tasks: frozenset[int], lead: int
    ) -> None:
        super().__init__(surface, origin)
        surface.carrying.pick_up(tasks, lead)
        self.move(origin)

    def move(self, position: QPointF) -> None:
        """Aim at the machine under the pointer."""
        super().move(position)
        self.surface.carrying.aim(self.surface.lane_at(position))
        self.surface.viewport().update()

    def release(self, position: QPointF) -> None:
        """Drop: one step, or none where the tasks may not run."""
        self.surface.carrying.aim(self.surface.lane_at(position))
        self.surface.carrying.drop()

    def cancel(self) -> None:
        """Put the tasks back."""
        self.surface.carrying.cancel()

    def paint(self, painter: QPainter, ink: Ink) -> None:
        """What is in hand, at the pointer."""
        text = self.surface.carrying.title
        paint_hand(painter, ink, self.position.x(), self.position.y(), text)


class RubberBand(Gesture):
    """A rectangle on empty ground that selects what it touches; or a mere click there."""

    scrolls = True

    def __init__(self, surface: ItemView, origin: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        super().__init__(surface, origin)
        self._before = surface.document.selection.tasks
        self._modifiers = modifiers
        self._anchor = surface.anchored(origin)

    @property
    def rect(self) -> QRectF:
        """The band; its origin stays on the ground while the view scrolls."""
        return QRectF(self.surface.unanchored(self._anchor), self.position).normalized()

    def move(self, position: QPointF) -> None:
        """Stretch the band."""
        super().move(position)
        self.surface.viewport().update()

    def release(self, position: QPointF) -> None:
        """Select what the band touches: Ctrl toggles, Shift adds."""
        self.position = position
        surface, document = self.surface, self.surface.document
        if not self.far:
            self._click(position)
            return
        items = surface.items_in(self.rect)
        lists = [surface.item_tasks(item) for item in items.tolist()]
        touched = frozenset(np.concatenate(lists).tolist()) if lists else frozenset()
        if self._modifiers & _CTRL:
            touched = self._before ^ touched
        elif self._modifiers & _SHIFT:
            touched = self._before | touched
        document.select(Selection(tasks=touched))

    def _click(self, position: QPointF) -> None:
        """Move what a click has picked to the lane of this one, or do what the ground does."""
        keep = bool(self._modifiers & (_CTRL | _SHIFT))
        lane = None if keep else self.surface.picked_lane(position)
        if lane is None:
            self.surface.click_ground(position, keep)
        else:
            self.surface.carrying.drop(lane)

    def paint(self, painter: QPainter, ink: Ink) -> None:
        """The band itself."""
        if self.far:
            paint_band(painter, ink, self.rect)


class Pan(Gesture):
    """Middle button or space: the ground follows the pointer."""

    def move(self, position: QPointF) -> None:
        """Scroll by what the pointer went."""
        step = self.position - position
        super().move(position)
        self.surface.pan(step.x(), step.y())
