"""The graph of a predicted plan with its place on screen: what its painters and hit tests read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from gui.board.lanes import Kinds
from gui.board.layers import Layers, OpenGroup
from gui.document.document import Outcome
from machines.arrays import Flags, Floats, Ints

CARD_W, CARD_H = 152.0, 52.0
STEP_X, STEP_Y = 200.0, 64.0
_ROUND = 12.0  # world pixels between an open group's tasks and its frame


@dataclass(frozen=True, eq=False)
class Forecast:
    """An outcome, summed up for the graph's cards and curves.

    `curve_flows`, `curve_bytes`: shape (curves,); flows that a curve stands for, and all that they
        carry.
    """

    outcome: Outcome
    allocation: Ints  # shape (tasks,); machine of every task
    curve_s: Floats  # shape (curves,); transfer seconds of every curve
    curve_flows: Ints
    curve_bytes: Floats
    critical: Flags  # shape (curves,); curves on the critical path
    machine: Ints  # shape (cards,); where most of a card's tasks run
    critical_cards: Flags  # shape (cards,); cards with a task on the critical path

    @classmethod
    def of(cls, outcome: Outcome, layers: Layers) -> Forecast:
        """Sum the flows of each curve and the tasks of each card."""
        prediction, curves = outcome.prediction, len(layers.sources)
        across = layers.flow_of >= 0
        curve = layers.flow_of[across]

        def summed(values: Floats) -> Floats:
            return np.bincount(curve, weights=values[across], minlength=curves).astype(np.float64)

        critical = np.zeros(curves, dtype=np.bool_)
        critical[layers.flow_of[across & prediction.critical_flows]] = True
        allocation = np.array(prediction.plan.allocation, dtype=np.int64)
        cards, machines = len(layers.unit), len(outcome.project.platform.machines)
        count = np.bincount(layers.card_of * machines + allocation, minlength=cards * machines)
        critical_cards = np.zeros(cards, dtype=np.bool_)
        critical_cards[layers.card_of[prediction.critical]] = True
        return cls(
            outcome,
            allocation,
            summed(prediction.flow_s),
            np.bincount(curve, minlength=curves).astype(np.int64),
            summed(outcome.project.workload.edge_bytes),
            critical,
            count.reshape(cards, machines).argmax(axis=1),
            critical_cards,
        )


@dataclass(frozen=True, eq=False)
class GraphPicture:
    """The graph with its place on screen.

    `left`, `top`: where world point (0, 0) is, pixels.
    """

    forecast: Forecast
    layers: Layers
    kinds: Kinds
    left: float
    top: float
    zoom: float  # pixels for each world pixel
    by_kind: bool = False  # colour cards by kind of task instead of by machine

    @property
    def outcome(self) -> Outcome:
        """What is shown."""
        return self.forecast.outcome

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Left and top edges of all cards, pixels."""
        x: Floats = self.left + self.layers.column.astype(np.float64) * (STEP_X * self.zoom)
        y: Floats = self.top + (self.layers.place * STEP_Y - CARD_H / 2) * self.zoom
        return x, y

    def rect(self, card: int) -> QRectF:
        """A card's rectangle."""
        x = self.left + float(self.layers.column[card]) * STEP_X * self.zoom
        y = self.top + (float(self.layers.place[card]) * STEP_Y - CARD_H / 2) * self.zoom
        return QRectF(x, y, CARD_W * self.zoom, CARD_H * self.zoom)

    @property
    def grouped(self) -> Flags:
        """Cards that stand for several tasks, bool array (cards,)."""
        several: Flags = np.diff(self.layers.member_from) > 1
        return several

    def frame(self, group: OpenGroup) -> QRectF:
        """The rectangle around the tasks of an open group, with its heading."""
        x = self.left + (group.column * STEP_X - _ROUND) * self.zoom
        y = self.top + group.top * STEP_Y * self.zoom
        wide = (group.columns - 1) * STEP_X + CARD_W + 2 * _ROUND
        return QRectF(x, y, wide * self.zoom, group.rows * STEP_Y * self.zoom)

    def group_label(self, group: OpenGroup) -> str:
        """What an open group holds: "sift × 40"."""
        mine = self.layers.unit == group.unit
        kind = int(self.layers.kind[int(np.flatnonzero(mine)[0])])
        return f"{self.kinds.names[kind]} × {int(np.count_nonzero(mine)):,}"

    def group_at(self, position: QPointF) -> OpenGroup | None:
        """The open group under a point."""
        column = (position.x() - self.left) / (STEP_X * self.zoom)
        return self.layers.group_at(column, (position.y() - self.top) / (STEP_Y * self.zoom))

    def touching(self, rect: QRectF) -> Flags:
        """Cards that touch a rectangle, bool array (cards,)."""
        x, y = self.corners
        wide, high = CARD_W * self.zoom, CARD_H * self.zoom
        across = (x <= rect.right()) & (x + wide >= rect.left())
        return across & (y <= rect.bottom()) & (y + high >= rect.top())

    def name(self, card: int) -> str:
        """The task's name, or the kind of its tasks."""
        tasks = self.layers.tasks(card)
        if tasks.size == 1:
            return self.outcome.project.workload.tasks[int(tasks[0])].name
        return self.kinds.names[int(self.layers.kind[card])]

    def label(self, card: int) -> str:
        """The task's name, or its kind and number of tasks."""
        size = self.layers.tasks(card).size
        return self.name(card) if size == 1 else f"{self.name(card)} × {size:,}"

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
