"""The graph view: the task graph in layers, and the machines as a legend to drop on."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.basics.figures import TALLEST
from gui.basics.ink import thin
from gui.basics.theme import GRID
from gui.board import describe, graph_curves
from gui.board.cards import paint_card
from gui.board.carrying import Carrying
from gui.board.chips import chip_size, paint_chip
from gui.board.graph_connecting import ConnectingGraph
from gui.board.graph_ground import MARGIN
from gui.board.graph_painter import paint_graph
from gui.board.graph_picture import Forecast, GraphPicture
from gui.board.lanes import Kinds
from gui.board.layers import Layers, OpenGroup, Units, lay_out, units_of
from gui.board.offers import Offer, Offers
from gui.board.schedule_painter import paint_focus, paint_veil_over
from gui.board.staying import Place, renamed, stay
from gui.document.document import Document, Outcome, Selection

_READABLE = 0.5  # zoom from which names can be read


class GraphView(ConnectingGraph):
    """The board as a graph."""

    arrived = Signal(object)  # Layers: a new layout is on screen

    def __init__(
        self, document: Document, offers: Offers, carrying: Carrying, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, offers, carrying, parent)
        self.setObjectName("graph-view")
        self.setAccessibleName("Task graph in layers, with the machines as a legend")
        self.opened: frozenset[int] = frozenset()
        self._units: Units | None = None
        self._laid_out: object = None
        self._places: dict[str, Place] = {}  # of tasks that have a card each, and had one
        self._names: tuple[str, ...] = ()
        self._jobs = LatestWins(self, "graph layout")
        self._jobs.done.connect(self._arrive)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show `outcome`; its graph is laid out in the background when it is a new one."""
        workload = outcome.project.workload
        same = self._laid_out is workload
        if not same:
            self.opened = frozenset()
        known = (self._units, self.kinds) if same else (None, None)
        drawn, opened = (self.layers if same else None), self.opened
        names = tuple(task.name for task in workload.tasks)
        kept, wished = dict(self._places), self.wished
        kept |= {new: kept[old] for new, old in renamed(self._names, names).items() if old in kept}

        def job(should_stop: ShouldStop) -> object:
            kinds = known[1] or Kinds.of([task.group for task in workload.tasks])
            units = known[0] or units_of(workload, kinds, should_stop)
            layers = drawn
            if layers is None or frozenset(group.unit for group in layers.opened) != opened:
                layers = lay_out(workload, units, opened)
                if kept and len(layers.column) == len(names):
                    layers = stay(layers, names, kept, wished)
            return Forecast.of(outcome, layers), layers, units, kinds

        self._jobs.request(job)

    def set_by_kind(self, by_kind: bool) -> None:
        """Colour cards by kind of task, or by machine."""
        self.by_kind = by_kind
        self.redraw()

    def tidy(self) -> None:
        """Lay the graph out anew, in layers."""
        self._places = {}
        self._laid_out = None
        if self.outcome is not None:
            self.show_outcome(self.outcome)
            self.said.emit("Tidied: tasks lie in layers, those that others need at the left.")

    def forget(self) -> None:
        """Another project was opened."""
        self._jobs.cancel()
        self._places, self._names, self.wished = {}, (), None
        self.forecast = self.layers = self.kinds = self._units = self._laid_out = None
        self.opened = frozenset()
        super().forget()

    def close_jobs(self) -> None:
        """End the worker thread."""
        self._jobs.close()

    def _arrive(self, result: object) -> None:
        assert isinstance(result, tuple)
        forecast, layers, units, kinds = result
        outcome, before = forecast.outcome, self.layers
        fresh = self._laid_out is not outcome.project.workload
        stays = self._where(layers, outcome) if fresh else None
        self.forecast, self.layers, self._units, self.kinds = forecast, layers, units, kinds
        self._laid_out = outcome.project.workload
        self.take(outcome)
        if fresh and (before is None or self._fitted):
            self.fit()
            if stays is not None:
                self.settle(*stays)
        elif fresh:
            self._show_edited()
        elif before is not None and before.opened != layers.opened:
            self._show_change(before, layers)
        self.arrived.emit(layers)

    def _where(self, layers: Layers, outcome: Outcome) -> tuple[int, QPointF] | None:
        """A card that stays, and where it is on screen; notes the places of all."""
        names = tuple(task.name for task in outcome.project.workload.tasks)
        picture, before = self.picture, {name: at for at, name in enumerate(self._names)}
        self.wished = None
        self._names = names
        if len(layers.column) != len(names):
            self._places = {}
            return None
        places = list(zip(layers.column.tolist(), layers.place.tolist(), strict=True))
        found = None
        if picture is not None and len(picture.layers.column) == len(before):
            for task, name in enumerate(names):
                if name in before and self._places.get(name) == places[task]:
                    found = task, picture.rect(before[name]).topLeft()
                    break
        self._places |= dict(zip(names, places, strict=True))
        return found

    def _show_edited(self) -> None:
        """Tasks or flows were edited in an enlarged graph: keep the zoom, show what is selected."""
        self._stretch()
        chosen = self.document.selection.tasks
        if chosen and self.ready:
            self.reveal(self.item_of(max(chosen)))

    # Groups -------------------------------------------------------------------------------

    def open_item(self, item: int) -> bool:
        """Show the tasks of a group in its place."""
        if self.layers is None or not self.ready or self.item_tasks(item).size < 2:
            return False
        picture = self.picture
        assert picture is not None
        self.said.emit(f"{picture.label(item)} opened; Esc closes it.")
        return self._set_opened(self.opened | {int(self.layers.unit[item])})

    def close_item(self, item: int) -> bool:
        """Make one card again of the open group that holds a card."""
        if self.layers is None or not self.ready:
            return False
        return self._close(int(self.layers.unit[item]))

    def _close(self, unit: int) -> bool:
        if unit not in self.opened:
            return False
        self.said.emit("Group closed.")
        return self._set_opened(self.opened - {unit})

    def _set_opened(self, opened: frozenset[int]) -> bool:
        self.opened = opened
        if self.outcome is not None:
            self.show_outcome(self.outcome)
        return True

    def double_click_ground(self, position: QPointF) -> None:
        """Beside the tasks of an open group: close it; elsewhere a new task."""
        group = None if self.picture is None else self.picture.group_at(position)
        if group is None:
            super().double_click_ground(position)
        else:
            self._close(group.unit)

    def _show_change(self, before: Layers, after: Layers) -> None:
        """Look at the group that was opened, or at the card of the one that was closed."""
        if self._fitted:
            self.fit()
        else:
            self._stretch()
        was = {group.unit for group in before.opened}
        picture = self.picture
        assert picture is not None
        fresh = [group for group in after.opened if group.unit not in was]
        if fresh:
            self._look_at(picture, fresh[0])
        elif self.current is not None:
            self.reveal(self.item_of(self.current))

    def _look_at(self, picture: GraphPicture, group: OpenGroup) -> None:
        """All of an open group if that is readable, else its beginning."""
        frame, ground = picture.frame(group), self._ground_rect()
        room = min(ground.width() / frame.width(), ground.height() / frame.height()) * 0.95
        wanted = float(np.clip(room * self.scale, _READABLE, 1.0))
        if self.scale < wanted:
            self.zoom(wanted / self.scale)
            frame = picture.frame(group) if self.picture is None else self.picture.frame(group)
        away = frame.center() - ground.center()
        over = QPointF(frame.width() - ground.width(), frame.height() - ground.height()) / 2
        # what is larger than the view begins at its left and top
        self.pan(away.x() - max(0.0, over.x() + GRID), away.y() - max(0.0, over.y() + GRID))

    def describe(self, item: int) -> str:
        """The card in words."""
        picture, tasks = self.picture, self.item_tasks(item)
        assert picture is not None
        if tasks.size == 1:
            task = int(tasks[0])
            return describe.task(picture.outcome, task) + self.guesses.line(picture.outcome, task)
        where = picture.place(item)
        words = describe.block(picture.outcome, picture.label(item), tasks)
        return f"{words}\n{where}\nDouble-click it, or press Enter, to open it"

    def tip_at(self, position: QPointF) -> str:
        """As everywhere, and what curves carry."""
        text, picture = super().tip_at(position), self.picture
        if text or picture is None or position.x() < self._header():
            return text
        visible = picture.touching(self._ground_rect())
        curve = graph_curves.curve_at(picture, visible, position)
        return "" if curve is None else graph_curves.describe(picture, curve)

    def toggle_loads(self, everything: bool) -> bool:  # noqa: ARG002 - as of every view
        """A graph has no time over which there is a load."""
        return False

    def click_ground(self, _position: QPointF, keep: bool) -> None:
        """Select nothing."""
        if not keep:
            self.document.select(Selection())

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
            self.paint_ports(painter)
        aimed = self.carrying.target if self.carrying.active else None
        if self.carrying.active:
            paint_veil_over(painter, self.ink, self._ground_rect())
        for machine, facts in enumerate(self.facts):
            card, offer = self.card_rect(machine), self.machine_offer(machine)
            selected = machine == self.document.selection.machine
            shown = Offer("pending") if self.carrying.active else offer
            paint_card(
                painter,
                self.ink,
                card,
                facts,
                shown,
                selected=selected,
                aimed=machine == aimed,
                overlay=self.document.selection.overlay,
                tint=None if self.by_kind else self.ink.tint(machine, len(self.facts)),
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
        outlined = self.document.selection.tasks | self.pointed
        tasks = np.fromiter(outlined, dtype=np.int64)
        cards = np.unique(layers.card_of[tasks])
        mine = np.isin(layers.sources, cards) | np.isin(layers.targets, cards)
        if len(cards) <= 60:
            graph_curves.paint_curves(painter, self.ink, picture, np.flatnonzero(mine), strong=True)
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
        return QSize(*(min(math.ceil(most + 2 * MARGIN), TALLEST) for most in self._world()))

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the whole graph into `rect`."""
        width, height = self._world()
        room = QRectF(0, 0, rect.width(), rect.height())
        zoom = min((room.width() - 2 * MARGIN) / width, (room.height() - 2 * MARGIN) / height, 1.0)
        picture = self._picture(room, max(zoom, 1e-6), 0.0, 0.0)
        if picture is None:
            return
        painter.save()
        painter.translate(rect.topLeft())
        paint_graph(painter, self.ink, picture, room)
        painter.restore()
