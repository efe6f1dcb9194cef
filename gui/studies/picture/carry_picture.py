"""A picture whose things are carried with mouse and keys: press, drag, drop, zoom, pan.

What is carried is dragged, or picked up with a click or key and put down with another. Arrows
move the keyboard's cursor, Enter takes and drops, Esc puts back, F fits. The picture only asks
(`aimed`, `dropped`); what a change costs and does is decided outside.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from gui.studies.picture.ground_picture import GroundPicture
from gui.studies.picture.hand import Hand, Offer

STEP = 1.25
_ZOOM_KEYS = {Qt.Key.Key_Plus: STEP, Qt.Key.Key_Equal: STEP, Qt.Key.Key_Minus: 1 / STEP}
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
_TAKE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_PLAIN = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.KeypadModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
_LEFT = Qt.MouseButton.LeftButton


class CarryPicture(GroundPicture):
    """Base of pictures that the user changes.

    `hand`: what is carried. `cursor_node`: where the keyboard is.
    """

    aimed = Signal(object)  # Hand with an aim
    dropped = Signal(object)  # Hand with an aim
    said = Signal(object)  # str, for the line below and for screen readers

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hand: Hand | None = None
        self.cursor_node = 0
        self.pointer: QPointF | None = None  # None: the keyboard aims
        self._pressed: int | None = None  # a node from which a drag may begin
        self._panned: QPointF | None = None
        self._origin = QPointF()
        self._dragging = False

    def event(self, event: QEvent) -> bool:
        """Keep the keys of this picture from the window's actions."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            wanted = {*_ARROWS, *_TAKE, *_ZOOM_KEYS, Qt.Key.Key_F}
            if self.hand is not None:
                wanted.add(Qt.Key.Key_Escape)
            if event.modifiers() in _PLAIN and Qt.Key(event.key()) in wanted:
                event.accept()
                return True
        return super().event(event)

    # What subclasses know -----------------------------------------------------------------

    def node_at(self, position: QPointF) -> int | None:
        """The node under a point."""
        raise NotImplementedError

    def process_on(self, node: int) -> int | None:
        """The process that can be taken from a node."""
        raise NotImplementedError

    def name_of(self, process: int) -> str:
        """What a process is called: "Process 3"."""
        raise NotImplementedError

    def click(self, node: int) -> None:
        """What a click without a drag does: it picks up."""
        self.pick_up(node)

    def point_at(self, position: QPointF) -> None:
        """The pointer is here, and nothing is carried."""

    def set_cursor(self, node: int) -> None:
        """Put the keyboard's cursor on a node."""
        self.cursor_node = node
        self.update()

    def step(self, key: Qt.Key) -> None:
        """Move the cursor where an arrow key says."""
        raise NotImplementedError

    def give_up(self) -> None:
        """Put back what the keyboard carried."""
        self.cancel()

    def zoom_point(self) -> QPointF:
        """Where keys zoom."""
        return self.area.center()

    # Carrying -----------------------------------------------------------------------------

    def pick_up(self, node: int) -> None:
        """Take the process of a node in hand, if it has one."""
        process = self.process_on(node)
        if process is not None:
            self.hand = Hand(process, node)
            name = self.name_of(process)
            self.said.emit(f"{name} picked up: a click or Enter places it, Esc cancels.")
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
            self.set_cursor(hand.aim)
            self.dropped.emit(hand)

    def cancel(self) -> None:
        """Put the process back."""
        self._dragging = False
        if self.hand is not None:
            self.hand = None
            self.said.emit("")
            self.update()

    # Keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the picture; others are left to the window."""
        if event.modifiers() not in _PLAIN or not self.press_key(Qt.Key(event.key())):
            super().keyPressEvent(event)

    def press_key(self, key: Qt.Key) -> bool:
        """Do what a key asks for; False where it means nothing here."""
        if key in _ARROWS:
            self.step(key)
        elif key in _TAKE and self.hand is None:
            self.pick_up(self.cursor_node)
        elif key in _TAKE:
            self.drop(self.cursor_node)
        elif key == Qt.Key.Key_Escape and self.hand is not None:
            self.give_up()
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in _ZOOM_KEYS:
            self.zoom(_ZOOM_KEYS[key], self.zoom_point())
        else:
            return False
        return True

    # Mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag or a pan, or put down what is carried."""
        self._origin = self.pointer = event.position()
        node = self.node_at(event.position())
        if event.button() == _LEFT and self.hand is not None:
            self.drop(node)
        elif event.button() == _LEFT and node is not None:
            self._pressed = node
            self.set_cursor(node)
        elif event.button() in (_LEFT, Qt.MouseButton.MiddleButton):
            self._panned = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry, pan, or tell what is under the pointer."""
        at = self.pointer = event.position()
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
            self.point_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, or click."""
        self._panned = None
        pressed, self._pressed = self._pressed, None
        if self._dragging and event.button() == _LEFT:
            self.drop(self.node_at(event.position()))
        elif pressed is not None and event.button() == _LEFT:
            self.click(pressed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        self.zoom(STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

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
