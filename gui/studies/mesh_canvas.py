"""The picture of a mapping under mouse and keys: look, zoom, and carry processes to other nodes.

A process is dragged, or picked up with a click or Enter and put down with another. The canvas
only asks (`aimed`, `dropped`); what a change costs and does is decided outside.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from gui.studies.mesh_hand import (
    Hand,
    Offer,
    paint_cursor,
    paint_ends,
    paint_hand,
    paint_name,
    paint_offer,
)
from gui.studies.mesh_painter import Drawing, Ints, paint_highlight
from gui.studies.mesh_picture import Facts, MeshPicture

_STEP = 1.25
_LEFT = Qt.MouseButton.LeftButton
_WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_TAKE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_ZOOM = {Qt.Key.Key_Plus: _STEP, Qt.Key.Key_Equal: _STEP, Qt.Key.Key_Minus: 1 / _STEP}
_PLAIN = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.KeypadModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
_NONE: Ints = np.zeros(0, np.int64)


class MeshCanvas(MeshPicture):
    """The picture that the user changes.

    Attributes
    ----------
    hand : Hand or None
        What is carried.
    cursor_node : int
        Where the keyboard is.
    """

    aimed = Signal(object)  # Hand with an aim
    dropped = Signal(object)  # Hand with an aim
    said = Signal(object)  # str, for the line below and for screen readers

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hand: Hand | None = None
        self.cursor_node = 0
        self._pressed: int | None = None  # a node from which a drag may begin
        self._panned: QPointF | None = None
        self._origin = QPointF()
        self._pointer: QPointF | None = None  # None: the keyboard aims
        self._dragging = False
        self._lit = _NONE

    def show_drawing(self, drawing: Drawing, facts: Facts) -> None:
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

    # Carrying -----------------------------------------------------------------------------

    def pick_up(self, node: int) -> None:
        """Take the process of a node in hand, if it has one."""
        if self.drawing is None or self.drawing.holders[node] < 0:
            return
        self.hand = Hand(int(self.drawing.holders[node]), node)
        self._lit = _NONE
        name = self.drawing.label(self.hand.process)
        self.said.emit(f"Process {name} in hand: a click or Enter puts it down, Esc back.")
        self.update()

    def aim(self, node: int | None) -> None:
        """Point at the node where the process would go."""
        hand = self.hand
        if hand is None:
            return
        node = None if node == hand.origin else node
        if hand.aim != node:
            self.hand = replace(hand, aim=node, offer=None)
            if node is not None:
                self.aimed.emit(self.hand)
            self.update()

    def take_offer(self, offer: Offer) -> None:
        """What the aim would bring, if it is still the aim."""
        hand = self.hand
        if hand is not None and (hand.process, hand.aim) == (offer.process, offer.node):
            self.hand = replace(hand, offer=offer)
            self.said.emit("; ".join(offer.lines))
            self.update()

    def drop(self, node: int | None) -> None:
        """Put the process down; on its own node, or on none, it stays where it was."""
        self.aim(node)
        hand = self.hand
        self.cancel()
        if hand is not None and hand.aim is not None:
            self.cursor_node = hand.aim
            self.dropped.emit(hand)

    def cancel(self) -> None:
        """Put the process back."""
        self._dragging = False
        if self.hand is not None:
            self.hand = None
            self.said.emit("")
            self.update()

    # Keys ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep the keys of this picture from the window's actions."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            wanted = {*_WAYS, *_TAKE, *_ZOOM, Qt.Key.Key_F}
            if self.hand is not None:
                wanted.add(Qt.Key.Key_Escape)
            if event.modifiers() in _PLAIN and Qt.Key(event.key()) in wanted:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the cursor, Enter picks up and puts down, Esc puts back, F fits."""
        key = Qt.Key(event.key())
        if event.modifiers() not in _PLAIN:
            super().keyPressEvent(event)
        elif key in _WAYS:
            self._step(*_WAYS[key])
        elif key in _TAKE and self.hand is None:
            self.pick_up(self.cursor_node)
        elif key in _TAKE:
            self.drop(self.cursor_node)
        elif key == Qt.Key.Key_Escape and self.hand is not None:
            self.cancel()
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in _ZOOM:
            self.zoom(_ZOOM[key], self.area.center())
        else:
            super().keyPressEvent(event)

    def _step(self, x: int, y: int) -> None:
        """Move the cursor to the nearest node in a direction."""
        if self.drawing is None:
            return
        way = self.drawing.geometry.nodes - self.drawing.geometry.nodes[self.cursor_node]
        ahead, aside = way @ (x, y), np.abs(way @ (y, x))
        cost = np.where(ahead > 0.1, ahead + 2.0 * aside, np.inf)
        if np.isfinite(cost.min()):
            self.cursor_node = int(np.argmin(cost))
        self._pointer = None
        self.show_node(self.cursor_node)
        if self.hand is not None:
            self.aim(self.cursor_node)
        elif self.facts is not None:
            self.said.emit(self.facts.node_sentence(self.cursor_node))
        self.update()

    # Mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag or a pan, or put down what is carried."""
        self._origin = self._pointer = event.position()
        node = self.node_at(event.position())
        if event.button() == _LEFT and self.hand is not None:
            self.drop(node)
        elif event.button() == _LEFT and node is not None:
            self._pressed = self.cursor_node = node
            self.update()
        elif event.button() in (_LEFT, Qt.MouseButton.MiddleButton):
            self._panned = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry, pan, or light up what is under the pointer."""
        at = self._pointer = event.position()
        far = (at - self._origin).manhattanLength() >= QApplication.startDragDistance()
        if self._panned is not None:
            way, self._panned = at - self._panned, at
            self.pan(way.x(), way.y())
        elif self._pressed is not None and far:
            self.pick_up(self._pressed)
            self._pressed, self._dragging = None, self.hand is not None
        if self.hand is not None:
            self.aim(self.node_at(at))
            self.update()
        elif self._pressed is None and self._panned is None:
            self._light_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; a click picks up."""
        self._panned = None
        pressed, self._pressed = self._pressed, None
        if self._dragging and event.button() == _LEFT:
            self.drop(self.node_at(event.position()))
        elif pressed is not None and event.button() == _LEFT:
            self.pick_up(pressed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.zoom(_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        self._light(_NONE)
        super().leaveEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing stays in hand when the picture goes away."""
        self.cancel()
        super().hideEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def _light_at(self, position: QPointF) -> None:
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

    def paint_top(self, painter: QPainter, drawing: Drawing) -> None:
        """What is lit up, the cursor, and what is in hand."""
        ink, hand, area = self.ink, self.hand, self.area
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
            at = self._pointer or self._beside_cursor()
            paint_hand(painter, ink, at, drawing.label(hand.process))
            if hand.offer is not None:
                paint_offer(painter, ink, at, hand.offer, area)

    def _beside_cursor(self) -> QPointF:
        rect: QRectF = self.node_rect(self.cursor_node)
        return rect.topRight()
