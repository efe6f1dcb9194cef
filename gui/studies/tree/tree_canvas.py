"""The picture of a tree under mouse and keys: choose processes, carry subtrees, open bundles.

A press chooses a process; a drag, or Enter on it, carries it with all that is below to another
parent. Arrows go up to the parent, down to the first child, and along the level.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter

from gui.basics.ink import thin
from gui.studies.picture.hand import REFUSED, Hand, paint_cursor, paint_hand, paint_offer
from gui.studies.tree.tree_chart import TreeChart
from gui.studies.tree.tree_drawing import TreeDrawing
from gui.studies.tree.tree_words import sentence

_IN_A_BUNDLE = "A bundle of processes: zoom in with the wheel to choose one of them."


class TreeCanvas(TreeChart):
    """The picture that the user changes."""

    chosen = Signal(object)  # the process that the cursor is on
    play_wanted = Signal()

    def show_drawing(self, drawing: TreeDrawing, keep: bool = False) -> None:
        """Show another tree; nothing stays in hand."""
        self.cancel()
        self.cursor_node = min(self.cursor_node, drawing.tree.size - 1)
        super().show_drawing(drawing, keep)

    def set_cursor(self, node: int) -> None:
        """Choose a process."""
        super().set_cursor(node)
        self.chosen.emit(node)

    def click(self, node: int) -> None:
        """A click only chooses."""
        self._tell(node)

    def pick_up(self, node: int) -> None:
        """Take a subtree in hand."""
        if node == 0:
            self.said.emit("The front-end is the top of the tree: it stays.")
        super().pick_up(node)

    # Keys ---------------------------------------------------------------------------------

    def press_key(self, key: Qt.Key) -> bool:
        """Space plays; the other keys are those of all pictures."""
        if key == Qt.Key.Key_Space:
            self.play_wanted.emit()
            return True
        return super().press_key(key)

    def step(self, key: Qt.Key) -> None:
        """Choose the parent, the first child, or a neighbour on the level."""
        if self.drawing is None:
            return
        tree, at = self.drawing.tree, self.cursor_node
        level = self.drawing.layout.level(self.drawing.layout.depth_of(at))
        wanted = {
            Qt.Key.Key_Up: int(tree.parent[at]),
            Qt.Key.Key_Down: int(tree.first_child[at]) if tree.fanouts[at] else -1,
            Qt.Key.Key_Left: at - 1 if at > level.start else -1,
            Qt.Key.Key_Right: at + 1 if at + 1 < level.stop else -1,
        }[key]
        if wanted >= 0:
            self.set_cursor(wanted)
        self.pointer = None
        self.show_process(self.cursor_node)
        if self.hand is not None:
            self.aim(self.cursor_node)
        else:
            self._tell(self.cursor_node)
        self.update()

    def give_up(self) -> None:
        """Put the subtree back and go back to it."""
        origin = self.hand.origin if self.hand is not None else self.cursor_node
        self.cancel()
        self.set_cursor(origin)
        self.show_process(origin)

    def _tell(self, process: int) -> None:
        if self.drawing is not None:
            self.said.emit(sentence(self.drawing, process))

    # Mouse --------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry or pan; over a bundle say how to get into it."""
        super().mouseMoveEvent(event)
        hand = self.hand
        if hand is not None and hand.aim is None and self.pack_at(event.position()) is not None:
            self.said.emit(_IN_A_BUNDLE)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a bundle."""
        pack = self.pack_at(event.position())
        if pack is not None and event.button() == Qt.MouseButton.LeftButton:
            self.open_pack(pack)

    def zoom_point(self) -> QPointF:
        """Where keys zoom: at the cursor if it is in sight."""
        place = self.place_of(self.cursor_node)
        middle = self.area.center()
        if place is not None and place.intersects(self.area):
            middle.setX(min(max(place.center().x(), self.area.left()), self.area.right()))
        return middle

    # Painting -----------------------------------------------------------------------------

    def paint_on_top(self, painter: QPainter) -> None:
        """The moment, the cursor, and what is in hand."""
        super().paint_on_top(painter)
        ink, hand = self.ink, self.hand
        cursor = self.place_of(self.cursor_node)
        if cursor is not None and self.hasFocus():
            paint_cursor(painter, ink, cursor)
        elif cursor is not None:
            self._outline(painter, self.cursor_node, ink.accent, Qt.PenStyle.DotLine, 1.5)
        if hand is None:
            return
        refused = hand.offer is not None and hand.offer.verdict == REFUSED
        self._outline(painter, hand.origin, ink.accent, Qt.PenStyle.DashLine)
        if hand.aim is not None:
            colour = ink.worse if refused else ink.accent
            self._outline(painter, hand.aim, colour, Qt.PenStyle.SolidLine)
        self._paint_hand(painter, hand, cursor)

    def _paint_hand(self, painter: QPainter, hand: Hand, cursor: QRectF | None) -> None:
        """What is carried, and what it would bring; beside the aim, whose label stays readable."""
        aim = None if hand.aim is None else self.place_of(hand.aim)
        at = self.pointer or (cursor.topRight() if cursor is not None else self.zoom_point())
        if hand.offer is None:
            paint_hand(painter, self.ink, at, self.name_of(hand.process))
        else:
            below = QPointF(aim.left(), aim.bottom()) if aim is not None else at
            paint_offer(painter, self.ink, below, hand.offer, self.area)

    def _outline(
        self,
        painter: QPainter,
        process: int,
        colour: QColor,
        style: Qt.PenStyle,
        width: float = 3.0,
    ) -> None:
        """Around a process that is chosen, carried or aimed at; its label stays readable."""
        place = self.place_of(process)
        if place is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(thin(colour, width, style))
            painter.drawRoundedRect(place.adjusted(-3, -3, 3, 3), 6, 6)
