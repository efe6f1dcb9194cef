"""The picture of a mapping under mouse and keys: where arrows lead, what lights up or is in hand.

The gestures and keys are in `gui.studies.picture.carry_picture`.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from gui.studies.mesh.mesh_facts import MeshFacts
from gui.studies.mesh.mesh_painter import Drawing, paint_highlight
from gui.studies.mesh.mesh_picture import MeshPicture
from gui.studies.picture.hand import paint_cursor, paint_ends, paint_hand, paint_name, paint_offer
from machines.arrays import Ints

_WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_NONE: Ints = np.zeros(0, np.int64)


class MeshCanvas(MeshPicture):
    """The picture that the user changes."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self._lit = _NONE

    def show_drawing(self, drawing: Drawing, facts: MeshFacts) -> None:
        """Show another drawing; what is carried stays in hand if it is still where it was."""
        if self.drawing is None or self.drawing.geometry is not drawing.geometry:
            self.cursor_node = 0
        hand = self.hand
        nodes = len(drawing.holders)
        if hand and (hand.origin >= nodes or drawing.holders[hand.origin] != hand.process):
            self.cancel()
        self._lit = _NONE
        super().show_drawing(drawing, facts)

    def hint_at(self, position: QPointF) -> str:
        """The tooltip of a node or channel; none while something is carried."""
        return "" if self.hand is not None else super().hint_at(position)

    def pick_up(self, node: int) -> None:
        """Take the process of a node in hand, if it has one."""
        super().pick_up(node)
        if self.hand is not None:
            self._light(_NONE)

    def step(self, key: Qt.Key) -> None:
        """Move the cursor to the nearest node in a direction."""
        if self.drawing is None:
            return
        x, y = _WAYS[key]
        way = self.drawing.geometry.nodes - self.drawing.geometry.nodes[self.cursor_node]
        ahead, aside = way @ (x, y), np.abs(way @ (y, x))
        cost = np.where(ahead > 0.1, ahead + 2.0 * aside, np.inf)
        if np.isfinite(cost.min()):
            self.cursor_node = int(np.argmin(cost))
        self.pointer = None
        self.show_node(self.cursor_node)
        if self.hand is not None:
            self.aim(self.cursor_node)
        elif self.facts is not None:
            self.said.emit(self.facts.node_sentence(self.cursor_node))
        self.update()

    # Light --------------------------------------------------------------------------------

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        self._light(_NONE)
        super().leaveEvent(event)

    def point_at(self, position: QPointF) -> None:
        """Light up the channel under a point, or those that a process's messages take."""
        node = self.node_at(position)
        if node is None or self.drawing is None or self.facts is None:
            channel = self.channel_at(position)
            self._light(_NONE if channel is None else np.array([channel]))
        elif self.drawing.holders[node] >= 0:
            self._light(self.facts.channels_from(int(self.drawing.holders[node])))
        else:
            self._light(_NONE)

    def _light(self, channels: Ints) -> None:
        if not np.array_equal(channels, self._lit):
            self._lit = channels
            self.update()

    def paint_on_top(self, painter: QPainter) -> None:
        """What is lit up, the cursor, and what is in hand."""
        drawing, ink, hand, area = self.drawing, self.ink, self.hand, self.area
        if drawing is None:
            return
        if len(self._lit):
            paint_highlight(painter, drawing, self.view, area, self._lit, ink.accent)
        if hand is not None:
            aim = None if hand.aim is None else self.node_rect(hand.aim)
            origin = self.node_rect(hand.origin)
            paint_ends(painter, ink, origin, aim)
            if hand.aim is not None and aim is not None:
                paint_name(painter, ink, aim, drawing.label(hand.process))
                if drawing.holders[hand.aim] >= 0:
                    name = drawing.label(int(drawing.holders[hand.aim]))
                    paint_name(painter, ink, origin, name)
        if self.hasFocus():
            paint_cursor(painter, ink, self.node_rect(self.cursor_node))
        if hand is not None:
            at = self.pointer or self._beside_cursor()
            paint_hand(painter, ink, at, drawing.label(hand.process))
            if hand.offer is not None:
                paint_offer(painter, ink, at, hand.offer, area)

    def _beside_cursor(self) -> QPointF:
        rect: QRectF = self.node_rect(self.cursor_node)
        return rect.topRight()
