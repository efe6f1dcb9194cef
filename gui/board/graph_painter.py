"""Painting of the graph view: cards with their machine's name, curves between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from advisor.basics import quantities
from gui.basics.ink import Ink, contrasting, thin
from gui.board.lanes import Kinds
from gui.board.layers import Layers
from gui.board.merging import blended
from gui.document.document import Outcome
from machines.arrays import Flags, Floats, Ints

CARD_W, CARD_H = 152.0, 52.0
STEP_X, STEP_Y = 200.0, 64.0
_READABLE_PX = 32.0  # width of a card below which names are left out
_MIDDLE = Qt.TextElideMode.ElideMiddle  # names differ at their ends
_PLAIN_PX = 8.0  # height of a card below which it is a mere rectangle
_MERGE_PX = 4.0
_MOST_CURVES = 300
_MOST_CARDS = 1500


@dataclass(frozen=True, eq=False)
class Forecast:
    """An outcome, summed up for the graph's cards and curves.

    Attributes
    ----------
    allocation : int64 array (tasks,)
        Machine of every task.
    curve_s : array (curves,)
        Transfer seconds of every curve.
    critical : bool array (curves,)
        Curves on the critical path.
    machine : int64 array (cards,)
        Where most of a card's tasks run.
    critical_cards : bool array (cards,)
        Cards with a task on the critical path.
    """

    outcome: Outcome
    allocation: Ints
    curve_s: Floats
    critical: Flags
    machine: Ints
    critical_cards: Flags

    @classmethod
    def of(cls, outcome: Outcome, layers: Layers) -> Forecast:
        """Sum the flows of each curve and the tasks of each card."""
        prediction, curves = outcome.prediction, len(layers.sources)
        inside = layers.flow_of >= 0
        seconds = np.bincount(
            layers.flow_of[inside], weights=prediction.flow_s[inside], minlength=curves
        )
        critical = np.zeros(curves, dtype=np.bool_)
        critical[layers.flow_of[inside & prediction.critical_flows]] = True
        allocation = np.array(prediction.plan.allocation, dtype=np.int64)
        cards, machines = len(layers.layer), len(outcome.project.platform.machines)
        count = np.bincount(layers.card_of * machines + allocation, minlength=cards * machines)
        critical_cards = np.zeros(cards, dtype=np.bool_)
        critical_cards[layers.card_of[prediction.critical]] = True
        return cls(
            outcome,
            allocation,
            seconds.astype(np.float64),
            critical,
            count.reshape(cards, machines).argmax(axis=1),
            critical_cards,
        )


@dataclass(frozen=True, eq=False)
class GraphPicture:
    """The graph with its place on screen.

    Attributes
    ----------
    left, top : float
        Where world point (0, 0) is, pixels.
    zoom : float
        Pixels for each world pixel.
    """

    forecast: Forecast
    layers: Layers
    kinds: Kinds
    left: float
    top: float
    zoom: float

    @property
    def outcome(self) -> Outcome:
        """What is shown."""
        return self.forecast.outcome

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Left and top edges of all cards, pixels."""
        x: Floats = self.left + self.layers.layer.astype(np.float64) * (STEP_X * self.zoom)
        y: Floats = self.top + (self.layers.place * STEP_Y - CARD_H / 2) * self.zoom
        return x, y

    def rect(self, card: int) -> QRectF:
        """A card's rectangle."""
        x = self.left + float(self.layers.layer[card]) * STEP_X * self.zoom
        y = self.top + (float(self.layers.place[card]) * STEP_Y - CARD_H / 2) * self.zoom
        return QRectF(x, y, CARD_W * self.zoom, CARD_H * self.zoom)

    def touching(self, rect: QRectF) -> Flags:
        """Cards that touch a rectangle, bool array (cards,)."""
        x, y = self.corners
        wide, high = CARD_W * self.zoom, CARD_H * self.zoom
        across = (x <= rect.right()) & (x + wide >= rect.left())
        return across & (y <= rect.bottom()) & (y + high >= rect.top())

    def label(self, card: int) -> str:
        """The task's name, or its kind and number of tasks."""
        tasks = self.layers.tasks(card)
        if tasks.size == 1:
            return self.outcome.project.workload.tasks[int(tasks[0])].name
        return f"{self.kinds.names[int(self.layers.kind[card])]} × {tasks.size:,}"

    def machines(self, card: int) -> list[tuple[int, int]]:
        """(machine, number of the card's tasks there), most first."""
        where = self.forecast.allocation[self.layers.tasks(card)]
        found, count = np.unique(where, return_counts=True)
        order = np.argsort(-count, kind="stable")
        return list(zip(found[order].tolist(), count[order].tolist(), strict=True))

    def place(self, card: int) -> str:
        """Where its tasks run, in words: "M1", or "M1 40, M2 18"."""
        names = self.outcome.project.platform.machines
        shares = self.machines(card)
        if len(shares) == 1:
            return f"on {names[shares[0][0]].name}"
        return ", ".join(f"{names[machine].name} {count:,}" for machine, count in shares)


def paint_graph(painter: QPainter, ink: Ink, picture: GraphPicture, ground: QRectF) -> None:
    """Cards and curves on the visible ground."""
    painter.fillRect(ground, ink.board)
    visible = picture.touching(ground)
    cards = np.flatnonzero(visible)
    painter.save()
    painter.setClipRect(ground)
    if CARD_H * picture.zoom < _MERGE_PX and cards.size > _MOST_CARDS:
        _paint_density(painter, ink, picture, cards, ground)
    else:
        paint_curves(painter, ink, picture, _curves(picture, visible), strong=False)
        for card in cards.tolist():
            _paint_card(painter, ink, picture, card)
    painter.restore()


def paint_curves(
    painter: QPainter, ink: Ink, picture: GraphPicture, curves: Ints, strong: bool
) -> None:
    """Curves between cards; strong ones belong to the selection."""
    layers, seconds, critical = picture.layers, picture.forecast.curve_s, picture.forecast.critical
    longest = float(seconds.max(initial=0.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for index in curves.tolist():
        first = picture.rect(int(layers.sources[index]))
        last = picture.rect(int(layers.targets[index]))
        begin = QPointF(first.right(), first.center().y())
        end = QPointF(last.left(), last.center().y())
        reach = QPointF(max(8.0, (end.x() - begin.x()) * 0.45), 0)
        path = QPainterPath(begin)
        path.cubicTo(begin + reach, end - reach, end)
        colour = ink.transferring if seconds[index] > 0 else ink.muted
        if critical[index]:
            colour = ink.text
        elif not strong:
            colour = ink.faded(colour, 0.5)
        share = seconds[index] / longest if longest > 0 else 0.0
        width = (1.25 + 4.5 * share) * min(1.0, max(0.35, picture.zoom))
        painter.setPen(thin(colour, max(width, 1.6) if strong else width))
        painter.drawPath(path)


def _curves(picture: GraphPicture, visible: Flags) -> Ints:
    """Curves that end at a visible card, few enough to be told apart: critical ones first."""
    layers = picture.layers
    found = np.flatnonzero(visible[layers.sources] | visible[layers.targets])
    if found.size <= _MOST_CURVES:
        return found
    critical = picture.forecast.critical[found]
    longest = np.lexsort((-picture.forecast.curve_s[found], ~critical))
    return found[longest[:_MOST_CURVES]]


def _paint_card(painter: QPainter, ink: Ink, picture: GraphPicture, card: int) -> None:
    rect = picture.rect(card)
    machine = int(picture.forecast.machine[card])
    fill = ink.tint(machine, len(picture.outcome.project.platform.machines))
    critical = bool(picture.forecast.critical_cards[card])
    if rect.height() < _PLAIN_PX:
        painter.fillRect(rect, ink.text if critical else fill.darker(130))
        return
    radius = 6.0 * min(1.0, picture.zoom)
    painter.setBrush(fill)
    painter.setPen(thin(ink.text if critical else ink.muted, 2.5 if critical else 1.0))
    painter.drawRoundedRect(rect, radius, radius)
    inner = rect.adjusted(8, 2, -8, -2)
    if inner.height() < ink.small_line - 2 or inner.width() < _READABLE_PX:
        return
    colour, tasks = contrasting(fill), picture.layers.tasks(card)
    if inner.height() < ink.line + ink.small_line:
        ink.write(painter, inner, picture.label(card), colour, ink.small, elide=_MIDDLE)
        return
    upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
    seconds = float(picture.outcome.prediction.task_s[tasks].sum())
    ink.write(painter, upper, picture.label(card), colour, ink.bold, elide=_MIDDLE)
    place = picture.place(card)
    text = f"{place} · {quantities.duration(seconds)}"
    text = text if ink.width(text, ink.small) <= upper.width() else place
    ink.write(painter, upper.translated(0, upper.height()), text, colour, ink.small)


def _paint_density(
    painter: QPainter, ink: Ink, picture: GraphPicture, cards: Ints, ground: QRectF
) -> None:
    """Too many cards to draw: how many of them share each pixel."""
    x, y = picture.corners
    width, height = int(ground.width()) + 1, int(ground.height()) + 1
    column = np.clip(x[cards] - ground.left(), 0, width - 1).astype(np.int64)
    row = np.clip(y[cards] - ground.top(), 0, height - 1).astype(np.int64)
    count = np.bincount(row * width + column, minlength=width * height).reshape(height, width)
    share = np.minimum(count / 3.0, 1.0)
    pixels = blended([(share, ink.computing.rgb() & 0xFFFFFF)], count > 0)
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(ground.topLeft(), image)
