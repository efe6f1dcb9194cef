"""Drawing flows on the graph: ports of cards, the gesture that begins there, the data field."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics import quantities
from advisor.project.graph_edits import DataSets
from gui.basics.ink import Ink, thin
from gui.board import ports
from gui.board.board_edits import BoardEdits, Drawn
from gui.board.carrying import Carrying
from gui.board.data_field import DataField
from gui.board.gestures import Gesture
from gui.board.graph_ground import GraphGround
from gui.board.items import ItemView
from gui.board.offers import Offers
from gui.document.document import Document, Outcome

_MOST_PORTS = 60


class Connect(Gesture):
    """A press on a port: lines from the sources follow the pointer until it is released.

    `done`: gets the place of the release.
    """

    scrolls = True

    def __init__(
        self,
        surface: ItemView,
        origin: QPointF,
        sources: frozenset[int],
        done: Callable[[QPointF], object],
    ) -> None:
        super().__init__(surface, origin)
        self._sources, self._done = sources, done
        self._workload = surface.document.project.workload

    def move(self, position: QPointF) -> None:
        """The lines' end follows."""
        super().move(position)
        self.surface.viewport().update()

    def release(self, position: QPointF) -> None:
        """Add the flows; a mere click says what the port is for."""
        self.position = position
        if not self.far:
            self.surface.said.emit(f"{ports.TIP}.")
        elif self._holds:
            self._done(position)

    def cancel(self) -> None:
        """Nothing is drawn."""
        self.surface.said.emit("Cancelled; nothing added.")

    def paint(self, painter: QPainter, ink: Ink) -> None:
        """The lines, and an outline around the task under the pointer."""
        if not self.far or not self._holds:
            return
        item = self.surface.item_at(self.position)
        if item is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(thin(ink.accent, 3.0))
            rect = self.surface.item_rect(item).adjusted(-2, -2, 2, 2)
            painter.drawRoundedRect(rect, 7, 7)
        for begin in ports.ports_of(self.surface, self._sources):
            ports.paint_line(painter, ink, begin, self.position)

    @property
    def _holds(self) -> bool:
        """Whether the tasks are those of the press."""
        document = self.surface.document
        return self.surface.ready and document.project.workload is self._workload


class ConnectingGraph(GraphGround):
    """The graph on whose cards flows can be drawn.

    `edits`: what it adds. `data_field`: asks for the data of flows that were just drawn.
    """

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.edits = BoardEdits(document, self)
        self.edits.said.connect(self.said)
        self.edits.copying.connect(self.wish_below)
        self.data_field: DataField | None = None
        self._hovered: int | None = None  # the card under the pointer
        self._hot: int | None = None  # the card whose port is
        document.changed.connect(self._close_data_field)

    # Ports --------------------------------------------------------------------------------

    def port_at(self, position: QPointF) -> int | None:
        """The card whose port is under a point; cards of several tasks have none."""
        picture = self.picture
        if picture is None or not self.ready or not self._ground_rect().contains(position):
            return None
        reach = ports.REACH_PX
        around = QRectF(position.x() - reach, position.y() - reach, 2 * reach, 2 * reach)
        for card in np.flatnonzero(picture.touching(around) & ~picture.grouped).tolist():
            if ports.is_near(picture.rect(card), position):
                return int(card)
        return None

    def click_control(self, position: QPointF) -> bool:
        """Begin a flow at a port; with several tasks selected, from each of them."""
        card = self.port_at(position)
        if card is None:
            return super().click_control(position)
        task = int(self.item_tasks(card)[0])
        self.carrying.cancel()
        self.set_current(task)
        chosen = self.document.selection.tasks
        sources = chosen if task in chosen else frozenset((task,))
        self.gesture = Connect(self, position, sources, partial(self._connect, task, sources))
        return True

    def paint_ports(self, painter: QPainter) -> None:
        """The ports of the card under the pointer and of the selected ones."""
        picture = self.picture
        if picture is None or not self.ready or self.carrying.active:
            return
        visible = picture.touching(self._ground_rect()) & ~picture.grouped
        chosen = self.document.selection.tasks
        cards = set(map(self.item_of, chosen)) if len(chosen) <= _MOST_PORTS else set()
        if self._hovered is not None and self._hovered < visible.size:
            cards.add(self._hovered)
        for card in sorted(cards):
            rect = picture.rect(card)
            if visible[card] and ports.has_room(rect):
                ports.paint_port(painter, self.ink, rect, hot=card == self._hot)

    def tip_at(self, position: QPointF) -> str:
        """As everywhere, and what a port is for."""
        return super().tip_at(position) if self.port_at(position) is None else ports.TIP

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """As everywhere, and show the port of the card under the pointer."""
        super().mouseMoveEvent(event)
        if self.gesture is None and not self.carrying.active:
            hot = self.port_at(event.position())
            self._hover_card(self.item_at(event.position()) if hot is None else hot, hot)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is over no card."""
        self._hover_card(None, None)
        super().leaveEvent(event)

    def _hover_card(self, card: int | None, hot: int | None) -> None:
        if hot != self._hot:
            cross = Qt.CursorShape.CrossCursor
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor if hot is None else cross)
        if (card, hot) != (self._hovered, self._hot):
            self._hovered, self._hot = card, hot
            self.viewport().update()

    def take(self, outcome: Outcome) -> None:
        """Cards may be others now: the pointer has to move to be over one."""
        self._hover_card(None, None)
        super().take(outcome)

    # Drawing ------------------------------------------------------------------------------

    def _connect(self, lead: int, sources: frozenset[int], position: QPointF) -> None:
        """The pointer was released, with flows from `sources` that began at the port of `lead`."""
        if not self._ground_rect().contains(position):
            self.said.emit("Nothing added: release on a task, or on empty ground of the graph.")
            return
        item = self.item_at(position)
        targets: frozenset[int] = frozenset()
        if item is not None:
            targets, chosen = (
                frozenset(self.item_tasks(item).tolist()),
                self.document.selection.tasks,
            )
            if lead in targets:
                sources = frozenset((lead,))
            elif targets <= chosen and lead not in chosen:
                targets = chosen
        if item is None:
            self.wish(position)
        drawn = self.edits.draw(sources, targets)
        if drawn is not None:
            low = position.y() if item is None else self.item_rect(item).bottom()
            self._ask_data(drawn, QPointF(position.x(), low))

    def _ask_data(self, drawn: Drawn, position: QPointF) -> None:
        flows = self.document.project.workload.flows[len(drawn.before.workload.flows) :]
        what = (
            flows[0].name if len(flows) == 1 else f"Each of {quantities.count(len(flows), 'flow')}"
        )

        def take(data_sets: DataSets) -> None:
            self.edits.carry(drawn, data_sets)

        self.data_field = DataField(what, take, self.viewport(), position.toPoint())

    def _close_data_field(self, _project: object = None) -> None:
        """Something else was changed, undone say."""
        field, self.data_field = self.data_field, None
        if field is not None:
            field.dismiss()

    def double_click_ground(self, position: QPointF) -> None:
        """On empty ground: a new task, whose name is asked for."""
        empty = self.item_at(position) is None and self.port_at(position) is None
        if not (empty and self._ground_rect().contains(position) and self.picture):
            return
        self.wish(position)
        if self.edits.add_task():
            self.activated.emit(len(self.document.project.workload.tasks) - 1)

    def hideEvent(self, event: QHideEvent) -> None:
        """No field stays open behind another view."""
        self._close_data_field()
        super().hideEvent(event)
