"""Plans as points between two measures, the Pareto front as a step line, and their names.

Less is better along both axes: what lies above and right of the line is beaten by a plan on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsSimpleTextItem, QWidget

from advisor.allocation.measures import steps
from advisor.studies.study import Series
from gui.basics.figures import Table
from gui.basics.theme import theme
from gui.plots.axis_ticks import nice_ticks
from gui.plots.curve_plot import CurvePlot
from gui.plots.curve_values import extent
from gui.plots.label_places import label_places
from gui.plots.painted_chart import elided
from gui.plots.plot_legend import Entry
from gui.plots.span import Span

FRONT, ON_FRONT, BEATEN = "Pareto front", "on the Pareto front", "beaten"
_NEAR, _RADIUS, _RING = 14.0, 12.0, 10.0  # pixels
_MARGIN = 0.12  # of what the points extend over, for their names
_WIDEST = 220.0  # pixels of a name
_NAMED = 2  # plans of one point
_WHOLE_TICK = 60.0  # pixels


@dataclass(frozen=True)
class Point:
    """One plan: its name, the second measure, the makespan (s), and whether it is on the front."""

    name: str
    x: float
    y: float
    on_front: bool


@dataclass(frozen=True)
class Across:
    """What is measured along the horizontal axis; `whole` where it counts."""

    title: str
    unit: str = ""
    whole: bool = False


class FrontPlot(CurvePlot):
    """Plans between the makespan and a second measure.

    `labels`: the names that have room. `selected`: the plans that are marked. `rings`: around what
    is selected.
    """

    legend_toggles = False
    chosen = Signal(object)  # tuple of str: the plans of the point that was clicked

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        self.points: tuple[Point, ...] = ()
        self.across = Across("")
        self.labels: list[QGraphicsSimpleTextItem] = []
        self.rings: list[QGraphicsEllipseItem] = []
        self.selected: frozenset[str] = frozenset()
        self._moved = True  # names are put in place before the next paint
        super().__init__(name, title, parent)

    def build(self) -> None:
        """Also the answer to clicks, and names that follow what is in view."""
        super().build()
        scene = self.canvas.scene()
        scene.sigMouseClicked.connect(self._click)
        scene.sigPrepareForPaint.connect(self._place_labels)
        self.view_box.sigRangeChanged.connect(self._move)
        self.view_box.sigResized.connect(self._move)

    def show_points(self, points: Sequence[Point], across: Across, empty: str = "") -> None:
        """Show these plans, or say why there are none."""
        self.points = tuple(points)
        self.across = across
        self._empty = empty
        self.set_series(_series(self.points, across))
        on_front = ", ".join(one.name for one in self.points if one.on_front)
        self.setAccessibleDescription(f"{len(self.points)} plans; {ON_FRONT}: {on_front}")

    def select(self, names: frozenset[str]) -> None:
        """Mark the plans of these names."""
        self.selected = names
        self._move()

    @property
    def empty(self) -> str:
        """What it says while there are no points."""
        return self._empty

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The step line as it is drawn, from the left."""
        line = self._drawn[:1]
        return [pair for one in line for pair in zip(one.x.tolist(), one.y.tolist(), strict=True)]

    def table(self) -> Table:
        """One row a plan."""
        unit = f" ({self.across.unit})" if self.across.unit else ""
        verdicts = {True: ON_FRONT, False: BEATEN}
        return Table(
            ("plan", f"{self.across.title}{unit}", "makespan (s)", "front"),
            tuple((one.name, one.x, one.y, verdicts[one.on_front]) for one in self.points),
        )

    def wholes(self) -> tuple[Span, Span]:
        """All points, with room for their names."""
        along, across = (self._whole(which) for which in (False, True))
        return along, across

    def entries(self) -> list[Entry]:
        """The front in its colour, what it beats in a quiet one."""
        quiet = QColor(theme().colours.muted)
        return [
            replace(entry, colour=quiet) if entry.name == BEATEN else entry
            for entry in super().entries()
        ]

    def recolour(self) -> None:
        """Also names and ring, and whole numbers along an axis that counts."""
        super().recolour()
        if self.across.whole and not self.is_log(False):
            self.axes[0].measure(self.across.title, self.across.unit, whole_ticks)
        self._move()

    def names_at(self, position: QPointF) -> tuple[str, ...]:
        """The plans of the point nearest to a place of the canvas; none where there is none."""
        best, found = _NEAR, tuple[str, ...]()
        for names, at in self._spots():
            away = math.hypot(at.x() - position.x(), at.y() - position.y())
            if away < best:
                best, found = away, names
        return found

    def _whole(self, across: bool) -> Span:
        low, high = extent(self._drawn, across)
        if self.is_log(across):
            low, high = math.log10(low), math.log10(high)
        length = high - low
        if length <= 1e-9 * max(abs(low), abs(high)):
            length = abs(high) or 1.0
        return Span(low - _MARGIN * length, high + _MARGIN * length)

    def _spots(self) -> list[tuple[tuple[str, ...], QPointF]]:
        """The plans of every point and where it lies; the selected first, then the front."""
        ranked = sorted(
            self.points, key=lambda one: (one.name not in self.selected, not one.on_front)
        )
        together: dict[tuple[str, str], list[Point]] = {}
        for one in ranked:
            together.setdefault((f"{one.x:.9g}", f"{one.y:.9g}"), []).append(one)
        return [
            (tuple(one.name for one in group), self.position_of(group[0].x, group[0].y))
            for group in together.values()
        ]

    def _click(self, event: Any) -> None:
        names = self.names_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and names:
            self.chosen.emit(names)

    def _move(self, *_: object) -> None:
        self._moved = True
        self.canvas.scene().update()

    def _place_labels(self) -> None:
        """Write the names that have room in what is in view, and mark what is selected."""
        if not self._moved or not self.is_filled:
            return
        self._moved = False
        for item in (*self.labels, *self.rings):
            self.canvas.scene().removeItem(item)
        spots, font, area = self._spots(), self.small_font(), self.area()
        self.rings = [
            self._ring(at - area.topLeft())
            for names, at in spots
            if self.selected.intersection(names) and area.contains(at)
        ]
        metrics = QFontMetricsF(font)
        texts = [elided(_named(names), metrics, _WIDEST) for names, _ in spots]
        sizes = [QSizeF(metrics.horizontalAdvance(text) + 2, metrics.height()) for text in texts]
        places = label_places([at for _, at in spots], sizes, area, self._lines(), _RADIUS)
        self.labels = []
        for text, place in zip(texts, places, strict=True):
            if place is not None:
                label = QGraphicsSimpleTextItem(text, self.view_box)
                label.setFont(font)
                label.setBrush(QColor(theme().colours.text))
                label.setPos(place.topLeft() - area.topLeft())
                self.labels.append(label)

    def _ring(self, at: QPointF) -> QGraphicsEllipseItem:
        """A ring around a point of the area between the axes."""
        ring = QGraphicsEllipseItem(-_RING, -_RING, 2 * _RING, 2 * _RING, self.view_box)
        ring.setPen(QPen(QColor(theme().colours.accent), 2))
        ring.setPos(at)
        return ring

    def _lines(self) -> list[QRectF]:
        """What the step line covers."""
        at = [self.position_of(x, y) for x, y in self.corners]
        return [QRectF(a, b).normalized().adjusted(-2, -2, 2, 2) for a, b in pairwise(at)]


def whole_ticks(low: float, high: float, pixels: float) -> list[tuple[float, str]]:
    """Ticks of an axis that counts: whole numbers only."""
    count = max(1, int(pixels / _WHOLE_TICK))
    values = nice_ticks(math.ceil(low), math.floor(max(high, low + 1)), count)
    return [(value, f"{value:,.0f}") for value in values if float(value).is_integer()]


def _series(points: Sequence[Point], across: Across) -> list[Series]:
    """The step line, what is on it and what is not."""
    axes = across.title, across.unit, "makespan", "s"
    corners = steps([(one.x, one.y) for one in points if one.on_front])
    found = [Series(FRONT, tuple(x for x, _ in corners), tuple(y for _, y in corners), *axes)]
    for name, on_front in ((ON_FRONT, True), (BEATEN, False)):
        some = [one for one in points if one.on_front == on_front]
        found.append(
            Series(
                name,
                tuple(one.x for one in some),
                tuple(one.y for one in some),
                *axes,
                kind="points",
                labels=tuple(one.name for one in some),
            )
        )
    return found if points else []


def _named(names: Sequence[str]) -> str:
    """The plans of one point: "chain, exact", "chain and 3 more"."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1:,} more"
