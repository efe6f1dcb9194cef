"""What both views of the board share: events, selection, offers, painting in layers, scrolling.

A view lays out items (bars or cards) and answers where they are; gestures and keys do the rest.
The ground is painted once into a pixmap; selection, focus, offers and gestures go on top.
"""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from gui.basics.ink import Ink
from gui.basics.snapshots import snapshot_of
from gui.basics.theme import theme
from gui.basics.tips import plain_tip
from gui.basics.verdicts import PENDING
from gui.board import keys
from gui.board.cards import Facts, facts_of, offer_rect
from gui.board.carrying import Carrying
from gui.board.gestures import Drag, Gesture, Pan, Press, RubberBand
from gui.board.guesses import Guesses
from gui.board.items import ItemView
from gui.board.offers import Offer, Offers
from gui.board.overlay_badges import Here, badge_at
from gui.document.document import Document, Outcome, Selection

_EDGE_PX = 28.0
_SCROLL_PX = 14.0
_SCROLL_MS = 16
_DIM_AFTER_MS = 150
_STEP = 1.25


class Surface(ItemView):
    """A view of the board.

    `gesture`: what the mouse is doing. `dimmed`: whether what is shown is out of date.
    """

    activated = Signal(object)  # task position: double click
    # frozenset of tasks, position of a machine or None for empty ground; QPoint on the screen
    menu_requested = Signal(object, object)

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, carrying, parent)
        self.offers = offers
        self.facts: tuple[Facts, ...] = ()
        self.gesture: Gesture | None = None
        self.dimmed = False
        self.pointed: frozenset[int] = frozenset()  # tasks outlined beside the selected ones
        self.ink = Ink(self.font())
        self._ground: QPixmap | None = None
        self._machine_offers: list[Offer] = []
        self._space_held = self._space_used = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self._scroller = QTimer(self, interval=_SCROLL_MS)
        self.guesses = Guesses(document)
        self._scroller.timeout.connect(self._scroll_at_edge)
        self._dimmer = QTimer(self, singleShot=True, interval=_DIM_AFTER_MS)
        self._dimmer.timeout.connect(self._dim)
        document.selection_changed.connect(self._selection_changed)
        document.changed.connect(self._document_changed)
        offers.changed.connect(self._offers_changed)
        carrying.changed.connect(self._carrying_changed)
        theme().changed.connect(self._theme_changed)

    # State --------------------------------------------------------------------------------

    def take(self, outcome: Outcome) -> None:
        """Show `outcome` from now on."""
        self.outcome = outcome
        self.facts = facts_of(outcome, self.document.origins)
        if self.current is not None and self.current >= len(outcome.project.workload.tasks):
            self.current = None
        if outcome.project is self.document.project:
            self._dimmer.stop()
            self.dimmed = False
        self._offers_changed()
        self.redraw()

    def point_at(self, tasks: frozenset[int]) -> None:
        """Outline some tasks until others are pointed at."""
        self.pointed = tasks
        self.viewport().update()

    def still(self) -> Self:
        """What draws the picture of this moment, on any thread; fonts are for one thread each."""
        made = snapshot_of(self)
        made.ink = Ink(self.font())
        made.gesture = made._ground = None
        return made

    def forget(self) -> None:
        """Another project was opened: show nothing until its first prediction."""
        self.outcome, self.facts, self.current = None, (), None
        self.dimmed = False
        self._dimmer.stop()
        self.redraw()

    def machine_offer(self, machine: int) -> Offer:
        """The machine's offer for the selected tasks."""
        known = self._machine_offers
        return known[machine] if machine < len(known) else Offer(PENDING)

    def redraw(self) -> None:
        """Paint the ground anew."""
        self._ground = None
        self.viewport().update()

    def begin_drag(self, position: QPointF, tasks: frozenset[int], lead: int) -> None:
        """The pointer takes tasks along."""
        self.gesture = Drag(self, position, tasks, lead)

    def cancel_gesture(self) -> bool:
        """Give up what the mouse is doing; False when it does nothing."""
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def _document_changed(self, project: object) -> None:
        if self.outcome is None or self.outcome.project is not project:
            self._dimmer.start()
            return
        # an undo came back to what is shown
        self._dimmer.stop()
        self.dimmed = False
        self.viewport().update()

    def _dim(self) -> None:
        if self.outcome is not None and self.outcome.project is not self.document.project:
            self.dimmed = True
            self.viewport().update()

    def _selection_changed(self, _selection: object) -> None:
        self.viewport().update()

    def _offers_changed(self) -> None:
        lanes = range(len(self.facts)) if self.offers.basis is self.outcome else ()
        self._machine_offers = [self.offers.offer(lane) for lane in lanes]
        self.viewport().update()

    def _carrying_changed(self) -> None:
        if isinstance(self.gesture, Drag) and not self.carrying.active:
            self.gesture = None
            self._scroller.stop()
        moving = self.carrying.light and self.carrying.target is not None
        shape = Qt.CursorShape.PointingHandCursor if moving else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def _theme_changed(self) -> None:
        self.ink = Ink(self.font())
        self.redraw()

    # Events -------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground from its pixmap, the rest on top."""
        if self._ground is None:
            scale = self.devicePixelRatioF()
            self._ground = QPixmap(self.viewport().size() * scale)
            self._ground.setDevicePixelRatio(scale)
            self._ground.fill(self.ink.board)
            with QPainter(self._ground) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self.paint_ground(painter)
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.viewport().rect(), self.ink.board)
            painter.setOpacity(0.45 if self.dimmed else 1.0)
            painter.drawPixmap(0, 0, self._ground)
            self.paint_top(painter)
            painter.setOpacity(1.0)
            if self.gesture is not None:
                self.gesture.paint(painter, self.ink)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """The ground has another size."""
        self.redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture, or finish what a click finishes."""
        if not self.ready or self.gesture is not None:
            return
        position, left = event.position(), event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._space_held):
            self._space_used = True
            self.gesture = Pan(self, position)
        elif left and self.carrying.active:
            self.carrying.drop(self.lane_at(position))
        elif left and not self.click_control(position):
            self._press(position, event.modifiers())

    def click_control(self, _position: QPointF) -> bool:
        """Do what a control of the view's own does that lies under a point; False: none does."""
        return False

    def overlay_at(self, position: QPointF) -> Here | None:
        """The overlay whose badge on a machine's card is under a point."""
        card = self.card_at(position)
        if card is None or card >= len(self.facts):
            return None
        rect, overlays = self.card_rect(card), self.facts[card].overlays
        chip = offer_rect(self.ink, rect, self.machine_offer(card), self.facts[card].title)
        return badge_at(self.ink, rect, overlays, chip, position)

    def _press(self, position: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        card, overlay = self.card_at(position), self.overlay_at(position)
        if overlay is not None:
            self.document.select(Selection(overlay=overlay.overlay))
            self.said.emit(f"{overlay.sentence}.")
            return
        if card is not None:
            offer = self.machine_offer(card)
            tasks = self.document.selection.tasks
            chip = offer_rect(self.ink, self.card_rect(card), offer, self.facts[card].title)
            if tasks and chip.contains(position):
                self.carrying.assign(tasks, card)
            else:
                self.document.select(Selection(machine=card))
                self.said.emit(f"{self.facts[card].sentence}.")
            return
        item = self.item_at(position)
        if item is None:
            self.gesture = RubberBand(self, position, modifiers)
        else:
            self.gesture = Press(self, position, item, modifiers)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the gesture, or aim what was picked up by a click or a key."""
        self.offers.stir()
        if self.gesture is not None:
            self.gesture.move(event.position())
            if self.gesture.scrolls and not self._scroller.isActive():
                self._scroller.start()
        elif self.carrying.active and self.ready:
            self.carrying.aim(self.lane_at(event.position()))
        elif self.carrying.light and self.ready:
            self._hover(event.position())

    def _hover(self, position: QPointF) -> None:
        """Over another lane: what a click there would make of what was picked."""
        lead, lane = self.carrying.lead, self.lane_at(position)
        home = self.document.project.plan.allocation[lead] if lead is not None else None
        over = lane is not None and lane != home and self.card_at(position) is None
        self.carrying.hover(over, self.picked_lane(position, True) if over else None)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is over no lane."""
        self.carrying.hover(False, None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Who goes on elsewhere has put down what a click picked."""
        if self.carrying.light and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.carrying.cancel()
        super().focusOutEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture."""
        self._scroller.stop()
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.release(event.position())
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click opens a group of tasks, or asks for a task's inspector."""
        self.carrying.cancel()
        item = self.item_at(event.position()) if self.ready else None
        if item is None:
            self.double_click_ground(event.position())
        elif not self.open_item(item):
            self.activated.emit(int(self.item_tasks(item)[0]))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways, or with Shift, scroll."""
        turn = event.angleDelta()
        over_cards = bool(self.facts) and event.position().x() < self.card_rect(0).right()
        if turn.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-(turn.x() or turn.y()), 0.0)
        elif over_cards:
            self.pan(0.0, -turn.y() / 2)
        else:
            self.wheel_zoom(_STEP ** (turn.y() / 120), event)
        event.accept()

    def wheel_zoom(self, factor: float, event: QWheelEvent) -> None:
        """The wheel was turned over the ground."""
        self.zoom(factor, event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of the board; others are left to the window."""
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space_held, self._space_used = True, False
        elif not keys.handle(self, event):
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space selects when it was not held to pan."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            if self._space_held and not self._space_used:
                keys.toggle_current(self)
            self._space_held = False
        else:
            super().keyReleaseEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing stays in hand when the view goes away."""
        self._scroller.stop()
        self._space_held = False
        self.cancel_gesture()
        self.carrying.cancel()
        super().hideEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of what is under the pointer, or of the selection for the menu key."""
        if not self.ready or self.gesture is not None:
            return
        place, position = event.globalPos(), QPointF(event.pos())
        if event.reason() != QContextMenuEvent.Reason.Keyboard:
            item = self.item_at(position)
            machine = self.lane_at(position) if item is None else None
            self._request_menu(item, machine, place)
            return
        focus = min(self.document.selection.tasks, default=None)
        focus = focus if self.current is None else self.current
        item = None if focus is None else self.item_of(focus)
        if item is not None:
            place = self.viewport().mapToGlobal(self.item_rect(item).center().toPoint())
        self._request_menu(item, self.document.selection.machine, place)

    def _request_menu(self, item: int | None, machine: int | None, place: QPoint) -> None:
        if item is not None:
            tasks = frozenset(self.item_tasks(item).tolist())
            self.set_current(int(self.item_tasks(item)[0]))
            if not tasks <= self.document.selection.tasks:
                self.document.select(Selection(tasks=tasks))
            self.menu_requested.emit(self.document.selection.tasks, place)
        else:
            self.menu_requested.emit(machine, place)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips are made when asked for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().viewportEvent(event)

    def tip_at(self, position: QPointF) -> str:
        """The tooltip of what is under a point."""
        if self.outcome is None:
            return ""
        overlay, card = self.overlay_at(position), self.card_at(position)
        if overlay is not None:
            return overlay.sentence
        if card is not None:
            offer = self.machine_offer(card).sentence if self.document.selection.tasks else ""
            return "\n".join(filter(None, (self.facts[card].sentence, offer)))
        item = self.item_at(position)
        return "" if item is None else self.describe(item)

    def _scroll_at_edge(self) -> None:
        """While something is dragged near an edge, the ground comes along."""
        if self.gesture is None:
            return
        at, left = self.gesture.position, self.card_rect(0).right() if self.facts else 0.0
        dx = _push(at.x(), left, self.viewport().width())
        dy = _push(at.y(), 0.0, self.viewport().height())
        if dx or dy:
            self.pan(dx, dy)
            self.gesture.move(at)


def _push(at: float, low: float, high: float) -> float:
    if at > high - _EDGE_PX:
        return _SCROLL_PX
    return -_SCROLL_PX if low - _EDGE_PX < at < low + _EDGE_PX else 0.0
