"""The graph view: the task graph in layers, and the machines as a legend to drop on."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from advisor.basics.stopping import ShouldStop
from gui.basics.figures import TALLEST
from gui.basics.ink import thin
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID
from gui.board import describe
from gui.board.cards import card_rect, header_width, paint_card
from gui.board.carrying import Carrying
from gui.board.chips import chip_size, paint_chip
from gui.board.graph_painter import (
    CARD_H,
    CARD_W,
    STEP_X,
    STEP_Y,
    Forecast,
    GraphPicture,
    paint_curves,
    paint_graph,
)
from gui.board.lanes import Kinds
from gui.board.layers import Layers, lay_out
from gui.board.offers import Offer, Offers
from gui.board.schedule_painter import paint_focus, paint_veil_over
from gui.board.surface import Surface
from gui.document.document import Document, Outcome, Selection
from machines.arrays import Ints

_MARGIN = 24.0
_ZOOM = (0.002, 3.0)
_NONE = np.zeros(0, dtype=np.int64)


class GraphView(Surface):
    """The board as a graph."""

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.setObjectName("graph-view")
        self.setAccessibleName("Task graph in layers, with the machines as a legend")
        self.forecast: Forecast | None = None
        self.layers: Layers | None = None
        self.kinds: Kinds | None = None
        self.scale = 1.0
        self._fitted = True
        self._laid_out: object = None
        self._jobs = LatestWins(self, "graph layout")
        self._jobs.done.connect(self._arrive)
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self.redraw())
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.redraw())

    def show_outcome(self, outcome: Outcome) -> None:
        """Show `outcome`; its graph is laid out in the background when it is a new one."""
        workload = outcome.project.workload
        same = self._laid_out is workload
        known_layers, known_kinds = (self.layers, self.kinds) if same else (None, None)

        def job(should_stop: ShouldStop) -> object:
            kinds = known_kinds or Kinds.of([task.group for task in workload.tasks])
            layers = known_layers or lay_out(workload, kinds, should_stop)
            return Forecast.of(outcome, layers), layers, kinds

        self._jobs.request(job)

    def forget(self) -> None:
        """Another project was opened."""
        self._jobs.cancel()
        self.forecast = self.layers = self.kinds = self._laid_out = None
        super().forget()

    def close_jobs(self) -> None:
        """End the worker thread."""
        self._jobs.close()

    def _arrive(self, result: object) -> None:
        assert isinstance(result, tuple)
        forecast, layers, kinds = result
        outcome = forecast.outcome
        fresh = self._laid_out is not outcome.project.workload
        self.forecast, self.layers, self.kinds = forecast, layers, kinds
        self._laid_out = outcome.project.workload
        self.take(outcome)
        if fresh:
            self.fit()

    # Where things are ---------------------------------------------------------------------

    @property
    def picture(self) -> GraphPicture | None:
        """What is on screen; None before the first prediction."""
        ground, bars = self._ground_rect(), (self.horizontalScrollBar(), self.verticalScrollBar())
        return self._picture(ground, self.scale, bars[0].value(), bars[1].value())

    def _picture(self, ground: QRectF, zoom: float, x: float, y: float) -> GraphPicture | None:
        if self.layers is None or self.kinds is None or self.forecast is None:
            return None
        width, height = self._world()
        left = ground.left() + max(_MARGIN, (ground.width() - width * zoom) / 2) - x
        middle = ground.top() + max(_MARGIN, (ground.height() - height * zoom) / 2) - y
        lowest = float(self.layers.place.min()) * STEP_Y - CARD_H / 2
        return GraphPicture(
            self.forecast, self.layers, self.kinds, left, middle - lowest * zoom, zoom
        )

    def _world(self) -> tuple[float, float]:
        """Width and height of the graph at zoom 1."""
        if self.layers is None:
            return CARD_W, CARD_H
        wide = float(self.layers.layer.max()) * STEP_X + CARD_W
        high = float(np.ptp(self.layers.place)) * STEP_Y + CARD_H
        return wide, high

    def _header(self) -> float:
        return header_width(self.ink)

    def _ground_rect(self) -> QRectF:
        size, header = self.viewport().size(), self._header()
        return QRectF(header, 0, max(1.0, size.width() - header), max(1.0, size.height()))

    def _card_height(self) -> float:
        """Height of a machine's place in the legend: all fit when that leaves them readable."""
        full = self.ink.line + 3 * self.ink.small_line + 3 * GRID
        machines = max(1, len(self.facts))
        return float(np.clip(self.viewport().height() / machines, self.ink.line + GRID, full))

    def _legend_offset(self) -> float:
        """Where the legend starts: it follows the machine aimed at when it is too long."""
        overlong = self._card_height() * len(self.facts) - self.viewport().height()
        if overlong <= 0 or self.carrying.target is None:
            return 0.0
        return overlong * self.carrying.target / max(1, len(self.facts) - 1)

    def card_rect(self, machine: int) -> QRectF:
        """The machine's card in the legend."""
        height = self._card_height()
        return card_rect(machine * height - self._legend_offset(), height, self._header())

    def card_at(self, position: QPointF) -> int | None:
        """The machine under a point of the legend."""
        inside = 0 <= position.x() < self._header()
        machine = int((position.y() + self._legend_offset()) // self._card_height())
        return machine if inside and 0 <= machine < len(self.facts) else None

    def lane_at(self, position: QPointF) -> int | None:
        """Tasks are dropped on the legend."""
        return self.card_at(position)

    def item_at(self, position: QPointF) -> int | None:
        """The card under a point."""
        picture = self.picture
        if picture is None or position.x() < self._header():
            return None
        spot = QRectF(position.x() - 1, position.y() - 1, 2, 2)
        found = np.flatnonzero(picture.touching(spot))
        return int(found[0]) if found.size else None

    def items_in(self, rect: QRectF) -> Ints:
        """Cards that touch a rectangle."""
        picture = self.picture
        return _NONE if picture is None else np.flatnonzero(picture.touching(rect))

    def item_rect(self, item: int) -> QRectF:
        """A card's rectangle."""
        picture = self.picture
        return QRectF() if picture is None else picture.rect(item)

    def item_tasks(self, item: int) -> Ints:
        """The card's tasks."""
        assert self.layers is not None
        return self.layers.tasks(item)

    def item_of(self, task: int) -> int:
        """The card of a task."""
        assert self.layers is not None
        return int(self.layers.card_of[task])

    def first_item(self) -> int:
        """The topmost source."""
        assert self.layers is not None
        return int(np.lexsort((self.layers.place, self.layers.layer))[0])

    def neighbour(self, item: int, key: Qt.Key) -> int | None:
        """Up and down within the layer, left and right to the nearest card of the next."""
        layers = self.layers
        assert layers is not None
        layer, place = int(layers.layer[item]), float(layers.place[item])
        upright = {Qt.Key.Key_Up: -1.0, Qt.Key.Key_Down: 1.0}
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in upright:
            wanted, there = place + upright[key], np.flatnonzero(layers.layer == layer)
            there = there[np.abs(layers.place[there] - wanted) < 0.25]
        elif key in sideways:
            wanted, there = place, np.flatnonzero(layers.layer == layer + sideways[key])
        else:
            wanted, there = -np.inf if key == Qt.Key.Key_Home else np.inf, _NONE
            there = np.flatnonzero(layers.layer == layer)
            return int(there[np.argsort(layers.place[there])[0 if wanted < 0 else -1]])
        return int(there[np.argmin(np.abs(layers.place[there] - wanted))]) if there.size else None

    def describe(self, item: int) -> str:
        """The card in words."""
        picture, tasks = self.picture, self.item_tasks(item)
        assert picture is not None
        if tasks.size == 1:
            return describe.task(picture.outcome, int(tasks[0]))
        where = picture.place(item)
        return f"{describe.block(picture.outcome, picture.label(item), tasks)}\n{where}"

    def toggle_loads(self, everything: bool) -> bool:  # noqa: ARG002 - as of every view
        """A graph has no time over which there is a load."""
        return False

    def click_ground(self, _position: QPointF, keep: bool) -> None:
        """Select nothing."""
        if not keep:
            self.document.select(Selection())

    # Zoom and scroll ----------------------------------------------------------------------

    def fit(self) -> None:
        """Show the whole graph, not larger than life."""
        ground, (width, height) = self._ground_rect(), self._world()
        across = (ground.width() - 2 * _MARGIN) / width
        self.scale = float(
            np.clip(min(across, (ground.height() - 2 * _MARGIN) / height), _ZOOM[0], 1.0)
        )
        self._fitted = True
        self._stretch()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point, or the middle."""
        picture = self.picture
        if picture is None:
            return
        at = self._ground_rect().center() if at is None else at
        x, y = (at.x() - picture.left) / self.scale, (at.y() - picture.top) / self.scale
        self.scale = float(np.clip(self.scale * factor, *_ZOOM))
        self._fitted = False
        self._stretch()
        after = self.picture
        assert after is not None
        self.pan(after.left + x * self.scale - at.x(), after.top + y * self.scale - at.y())

    def reveal(self, item: int) -> None:
        """Scroll until a card is on screen."""
        rect, ground = self.item_rect(item), self._ground_rect()
        if not ground.contains(rect):
            self._centre_on(rect)

    def centre(self, item: int) -> None:
        """Bring a card to the middle, large enough to be read."""
        if self.scale < 0.7:
            self.zoom(1.0 / self.scale)
        self._centre_on(self.item_rect(item))

    def reveal_lane(self, _machine: int) -> None:
        """The legend follows the machine aimed at by itself."""
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the whole graph in view if it was."""
        if self._fitted:
            self.fit()
        self._stretch()
        super().resizeEvent(event)

    def _centre_on(self, rect: QRectF) -> None:
        away = rect.center() - self._ground_rect().center()
        self.pan(away.x(), away.y())

    def _stretch(self) -> None:
        ground, (width, height) = self._ground_rect(), self._world()
        for bar, length, page in (
            (self.horizontalScrollBar(), width * self.scale, ground.width()),
            (self.verticalScrollBar(), height * self.scale, ground.height()),
        ):
            bar.setRange(0, max(0, round(length + 2 * _MARGIN - page)))
            bar.setPageStep(round(page))
            bar.setSingleStep(3 * GRID)
        self.redraw()

    # Painting -----------------------------------------------------------------------------

    def paint_ground(self, painter: QPainter) -> None:
        """Curves and cards."""
        picture = self.picture
        if picture is not None:
            paint_graph(painter, self.ink, picture, self._ground_rect())

    def paint_top(self, painter: QPainter) -> None:
        """Selection, focus, legend, offers."""
        picture = self.picture
        if picture is None:
            return
        if self.ready:
            self._paint_selection(painter, picture)
        aimed = self.carrying.target if self.carrying.active else None
        if self.carrying.active:
            paint_veil_over(painter, self.ink, self._ground_rect())
        for machine, facts in enumerate(self.facts):
            card, offer = self.card_rect(machine), self.machine_offer(machine)
            selected = machine == self.document.selection.machine
            shown = Offer("pending") if self.carrying.active else offer
            paint_card(
                painter, self.ink, card, facts, shown, selected=selected, aimed=machine == aimed
            )
            if self.carrying.active:
                width, height = chip_size(self.ink, offer.long, offer.best)
                y = card.center().y() - height / 2
                chip = QRectF(card.right() + GRID, y, width, height)
                paint_chip(painter, self.ink, chip, offer, offer.long)

    def _paint_selection(self, painter: QPainter, picture: GraphPicture) -> None:
        painter.save()
        painter.setClipRect(self._ground_rect())
        layers = picture.layers
        tasks = np.fromiter(self.document.selection.tasks, dtype=np.int64)
        cards = np.unique(layers.card_of[tasks])
        mine = np.isin(layers.sources, cards) | np.isin(layers.targets, cards)
        if len(cards) <= 60:
            paint_curves(painter, self.ink, picture, np.flatnonzero(mine), strong=True)
        visible = picture.touching(self._ground_rect())
        painter.setBrush(QColor(0, 0, 0, 0))
        painter.setPen(thin(self.ink.accent, 3.0))
        for card in cards[visible[cards]].tolist():
            painter.drawRoundedRect(picture.rect(card).adjusted(-2, -2, 2, 2), 7, 7)
        if self.current is not None and self.hasFocus():
            paint_focus(painter, self.ink, picture.rect(self.item_of(self.current)))
        painter.restore()

    def figure_size(self) -> QSize:
        """The size of exported pictures: cards that can be read."""
        return QSize(*(min(math.ceil(most + 2 * _MARGIN), TALLEST) for most in self._world()))

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the whole graph into `rect`."""
        width, height = self._world()
        room = QRectF(0, 0, rect.width(), rect.height())
        zoom = min(
            (room.width() - 2 * _MARGIN) / width, (room.height() - 2 * _MARGIN) / height, 1.0
        )
        picture = self._picture(room, max(zoom, 1e-6), 0.0, 0.0)
        if picture is None:
            return
        painter.save()
        painter.translate(rect.topLeft())
        paint_graph(painter, self.ink, picture, room)
        painter.restore()
