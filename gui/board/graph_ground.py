"""The graph on a scrolling surface: where cards and the legend lie, zoom, fit, what is in view."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.basics.theme import GRID
from gui.board import graph_walk
from gui.board.cards import card_rect, header_width
from gui.board.carrying import Carrying
from gui.board.graph_picture import CARD_H, CARD_W, STEP_X, STEP_Y, Forecast, GraphPicture
from gui.board.lanes import Kinds
from gui.board.layers import Layers
from gui.board.offers import Offers
from gui.board.staying import Place, below
from gui.board.surface import Surface
from gui.document.document import Document
from machines.arrays import Ints

MARGIN = 24.0
_ZOOM = (0.002, 3.0)
_NONE = np.zeros(0, dtype=np.int64)


class GraphGround(Surface):
    """A surface with the task graph, and at its left the machines as a legend.

    `forecast`, `layers`, `kinds`: what is laid out; None before the first prediction.
    `by_kind`: colour cards by kind of task instead of by machine.
    `scale`: pixels for each pixel of the graph at zoom 1.
    """

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.forecast: Forecast | None = None
        self.layers: Layers | None = None
        self.kinds: Kinds | None = None
        self.by_kind = False
        self.scale = 1.0
        self.wished: Place | None = None  # where the next new task is to lie
        self._fitted = True
        self._drift = QPointF()  # from the middle of the view, so that cards stay where they were
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self.redraw())
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.redraw())

    # Where things are ---------------------------------------------------------------------

    @property
    def picture(self) -> GraphPicture | None:
        """What is on screen; None before the first prediction."""
        ground, bars = self._ground_rect(), (self.horizontalScrollBar(), self.verticalScrollBar())
        x, y = bars[0].value() - self._drift.x(), bars[1].value() - self._drift.y()
        return self._picture(ground, self.scale, x, y)

    def _picture(self, ground: QRectF, zoom: float, x: float, y: float) -> GraphPicture | None:
        if self.layers is None or self.kinds is None or self.forecast is None:
            return None
        width, height = self._world()
        left = ground.left() + max(MARGIN, (ground.width() - width * zoom) / 2) - x
        middle = ground.top() + max(MARGIN, (ground.height() - height * zoom) / 2) - y
        lowest = self._extent()[0]
        top = middle - lowest * zoom
        left -= float(self.layers.column.min()) * STEP_X * zoom
        return GraphPicture(self.forecast, self.layers, self.kinds, left, top, zoom, self.by_kind)

    def _world(self) -> tuple[float, float]:
        """Width and height of the graph at zoom 1."""
        if self.layers is None:
            return CARD_W, CARD_H
        columns = self.layers.column
        low, high = self._extent()
        return float(columns.max() - columns.min()) * STEP_X + CARD_W, high - low

    def _extent(self) -> tuple[float, float]:
        """Top and bottom of the graph at zoom 1, frames of open groups included."""
        assert self.layers is not None
        place, opened = self.layers.place, self.layers.opened
        tops = [float(place.min()) * STEP_Y - CARD_H / 2, *(g.top * STEP_Y for g in opened)]
        ends = ((g.top + g.rows) * STEP_Y for g in opened)
        return min(tops), max(float(place.max()) * STEP_Y + CARD_H / 2, *ends, -np.inf)

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
        return graph_walk.first(self.layers)

    def neighbour(self, item: int, key: Qt.Key) -> int | None:
        """Up and down within the column, left and right to the nearest card of the next."""
        assert self.layers is not None
        return graph_walk.neighbour(self.layers, item, key)

    # Zoom and scroll ----------------------------------------------------------------------

    def fit(self) -> None:
        """Show the whole graph, not larger than life."""
        ground, (width, height) = self._ground_rect(), self._world()
        across = (ground.width() - 2 * MARGIN) / width
        self.scale = float(
            np.clip(min(across, (ground.height() - 2 * MARGIN) / height), _ZOOM[0], 1.0)
        )
        self._fitted = True
        self._drift = QPointF()
        self._stretch()

    def settle(self, item: int, corner: QPointF) -> None:
        """Keep a card where it was on screen, if all cards are then in view."""
        self._drift = corner - self.item_rect(item).topLeft()
        picture, ground = self.picture, self._ground_rect()
        assert picture is not None
        x, y = picture.corners
        inside = ground.contains(
            QRectF(QPointF(x.min(), y.min()), QPointF(x.max(), y.max())).adjusted(
                0, 0, CARD_W * self.scale, CARD_H * self.scale
            )
        )
        if not inside:
            self._drift = QPointF()
        self.redraw()

    def wish(self, position: QPointF) -> None:
        """The next new task is to lie at a point of the view."""
        picture = self.picture
        if picture is not None:
            x = (position.x() - picture.left) / picture.zoom - CARD_W / 2
            self.wished = x / STEP_X, (position.y() - picture.top) / picture.zoom / STEP_Y

    def wish_below(self, tasks: Collection[int]) -> None:
        """The next new tasks are to lie below these."""
        if self.layers is not None and tasks:
            cards = sorted({int(self.layers.card_of[task]) for task in tasks})
            self.wished = below(self.layers, cards)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point, or the middle."""
        picture = self.picture
        if picture is None:
            return
        at = self._ground_rect().center() if at is None else at
        self._drift = QPointF()
        picture = self.picture or picture
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
            bar.setRange(0, max(0, round(length + 2 * MARGIN - page)))
            bar.setPageStep(round(page))
            bar.setSingleStep(3 * GRID)
        self.redraw()
