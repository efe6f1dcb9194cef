"""Stacked horizontal bars on common axes, in titled groups with one legend.

Painted by hand: the answer and the breakdown are in sight when the window opens, before pyqtgraph
is loaded, and its plots neither shorten names, nor write into bars where there is room, nor grow
downwards with their rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor.basics.quantities import exact
from gui.basics.figures import Table
from gui.basics.theme import GRID, theme
from gui.plots.axis_ticks import Axis
from gui.plots.broken_axis import BrokenAxis, axis_of, break_of
from gui.plots.painted_chart import Chart, elided, placeholder, readable_on
from gui.plots.plot_legend import Entry, legend_height, paint_legend

_BAR, _GAP = 16.0, 6.0
_ROW = 128.0  # of one bar with its gap, at most, where bars fill their chart
_ENDLESS = 1e6
_TICK = 64.0  # pixels from tick to tick at least
_STROKES = 1, 3, 6  # pieces of a mark's stroke: whole for the first name, dashed, dotted
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Segment:
    """A part of a bar; `text` is written inside where it fits."""

    name: str
    value: float
    colour: str
    text: str = ""


@dataclass(frozen=True)
class Bar:
    """One bar: its segments from zero on, what is written after it, a mark across it."""

    label: str
    segments: tuple[Segment, ...]
    text: str
    mark: float | None = None  # where a bound or another value is marked
    mark_name: str = ""
    spread: float = 0.0  # half width of the 95 % interval around the mark

    @property
    def value(self) -> float:
        """The length of the bar."""
        return sum(segment.value for segment in self.segments)


@dataclass(frozen=True)
class Group:
    """Bars that share an axis from zero to the longest of them, or to `limit`."""

    title: str
    unit: str
    bars: tuple[Bar, ...]
    limit: float = 0.0

    @property
    def high(self) -> float:
        """The end of the axis."""
        marks = [bar.mark + bar.spread for bar in self.bars if bar.mark is not None]
        return max([self.limit, *(bar.value for bar in self.bars), *marks]) or 1.0

    @property
    def cut(self) -> float | None:
        """Where its axis can be broken; None: its bars are alike."""
        if self.limit:
            return None
        return break_of([max(bar.value, (bar.mark or 0.0) + bar.spread) for bar in self.bars])


class BarChart(Chart):
    """Groups of stacked bars; grows downwards, so that it can be scrolled.

    With `fills` bars are as thick as the height of the chart allows.
    """

    scale_changed = Signal()  # whether axes are broken, or can be

    def __init__(
        self,
        name: str,
        title: str,
        empty: str,
        parent: QWidget | None = None,
        *,
        fills: bool = False,
    ) -> None:
        super().__init__(name, title, parent)
        self._empty, self._fills = empty, fills
        self.groups: tuple[Group, ...] = ()
        self._strokes: dict[str, int] = {}
        self._wanted = False
        self._step = _BAR + _GAP
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def set_groups(self, groups: tuple[Group, ...]) -> None:
        """Show `groups`, top to bottom."""
        self.groups = groups
        self._strokes = _strokes(groups)
        self.setAccessibleDescription(
            "; ".join(f"{bar.label}: {bar.text}" for group in groups for bar in group.bars[:8])
        )
        self.setMinimumHeight(self.minimumSizeHint().height())
        self.updateGeometry()
        self.update()
        self.scale_changed.emit()

    @property
    def can_break(self) -> bool:
        """Whether some bars are much longer than the rest of their group."""
        return any(group.cut is not None for group in self.groups)

    @property
    def broken(self) -> bool:
        """Whether axes are broken: where they can be and the user wants it."""
        return self.can_break and self._wanted

    def set_broken(self, broken: bool) -> None:
        """Break the axes before the longest bars, or show all lengths to scale."""
        self._wanted = broken
        self.update()
        self.scale_changed.emit()

    def table(self) -> Table:
        """One row a segment or mark: group, bar, part, value and unit, and a mark's interval."""
        rows: list[tuple[object, ...]] = []
        intervals = any(bar.spread for group in self.groups for bar in group.bars)
        for group in self.groups:
            for bar in group.bars:
                parts: list[tuple[str, float, float | None]] = [
                    (segment.name, segment.value, None) for segment in bar.segments
                ]
                if bar.mark is not None:
                    parts.append((bar.mark_name, bar.mark, bar.spread or None))
                rows += [
                    (group.title, bar.label, name, value, group.unit, *[spread] * intervals)
                    for name, value, spread in parts
                ]
        headings = ("group", "bar", "part", "value", "unit", *["± (95 %)"] * intervals)
        return Table(headings, tuple(rows))

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a readable bar, high enough for all of them."""
        return QSize(34 * GRID, round(self._height()))

    def sizeHint(self) -> QSize:
        """A comfortable width."""
        return QSize(70 * GRID, round(self._height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower chart wraps its legend and grows."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.minimumSizeHint().height())

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend and groups from the top down."""
        if not self.groups:
            placeholder(painter, rect, self._empty)
            return
        metrics = QFontMetricsF(painter.font())
        area = rect.adjusted(GRID, GRID, -GRID, -GRID)
        labels = [bar.label for group in self.groups for bar in group.bars]
        texts = [bar.text for group in self.groups for bar in group.bars]
        left = min(_widest(labels, metrics) + GRID, area.width() * 0.3)
        right = min(_widest(texts, metrics) + GRID, area.width() * 0.4)
        names = self._legend(rect, metrics)
        paint_legend(painter, names, self._entries())
        top = names.bottom() + GRID
        self._step = self._roomy_step(rect, metrics)
        for group in self.groups:
            top = self._paint_group(painter, group, area, (top, left, right))

    def _entries(self) -> list[Entry]:
        """Every part and every mark."""
        bars = [bar for group in self.groups for bar in group.bars]
        parts = [part for bar in bars for part in bar.segments if part.name and part.value > 0]
        colours = {part.name: QColor(part.colour) for part in parts}
        ink = QColor(theme().colours.text)
        return [
            *(Entry(name, colour) for name, colour in colours.items()),
            *(
                Entry(name, ink, symbol=_stroke(QRectF(-0.1, -0.8, 0.2, 1.6), pieces))
                for name, pieces in self._strokes.items()
            ),
        ]

    def _legend(self, rect: QRectF, metrics: QFontMetricsF) -> QRectF:
        """Room for all names above the bars, which lie below each other as far as they must."""
        height = legend_height(self._entries(), QRectF(0.0, 0.0, rect.width(), _ENDLESS), metrics)
        return QRectF(rect.left(), rect.top(), rect.width(), height)

    def _paint_group(
        self, painter: QPainter, group: Group, area: QRectF, frame: tuple[float, float, float]
    ) -> float:
        """Draw one group from `frame`'s top on; returns where the next begins."""
        top, left, right = frame
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        start, end = area.left() + left, max(area.right() - right, area.left() + left + 24)
        whole = Axis(group.title, group.unit, 0.0, group.high, start, end)
        axis = axis_of(whole, group.cut if self.broken else None)
        small = QFont(painter.font())
        bold = QFont(small)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(QColor(theme().colours.text))
        heading = QRectF(area.left(), top, area.width(), line)
        painter.drawText(heading, _LEFT, elided(axis.title, QFontMetricsF(bold), area.width()))
        painter.setFont(small)
        top += line + 4
        step = self._step
        gap = max(_GAP, step / 4.0)
        bottom = top + step * len(group.bars)
        self._paint_ticks(painter, axis, top, bottom)
        for bar in group.bars:
            row = QRectF(area.left(), top, area.width(), step - gap)
            self._paint_bar(painter, bar, group, axis, row)
            top += step
        return bottom + line + GRID + 4

    def _paint_ticks(
        self, painter: QPainter, axis: Axis | BrokenAxis, top: float, bottom: float
    ) -> None:
        colours = theme().colours
        metrics = QFontMetricsF(painter.font())
        for value, label in roomy_ticks(axis, metrics):
            x = axis.position(value)
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.drawLine(round(x), round(top - 2), round(x), round(bottom))
            painter.setPen(QColor(colours.muted))
            half = metrics.horizontalAdvance(label) / 2 + 2
            box = QRectF(x - half, bottom, 2 * half, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)

    def _paint_bar(
        self, painter: QPainter, bar: Bar, group: Group, axis: Axis | BrokenAxis, row: QRectF
    ) -> None:
        colours = theme().colours
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(colours.text))
        label = QRectF(row.left(), row.top(), axis.start - row.left() - GRID, row.height())
        painter.drawText(label, _RIGHT, elided(bar.label, metrics, label.width()))
        self.place(label, bar.label)
        reached = 0.0
        for segment in bar.segments:
            x = axis.position(reached)
            reached += segment.value
            box = QRectF(x, row.top() + 1, axis.position(reached) - x, row.height() - 2)
            if box.width() > 0:
                _fill(painter, box, segment.colour)
                self.place(
                    box,
                    f"{bar.label}, {segment.name or group.title}: {_whole(segment.value, group)}",
                )
            room = box if bar.mark is None else beside(box, axis.position(bar.mark))
            if segment.text and metrics.horizontalAdvance(segment.text) + 8 < room.width():
                painter.setPen(readable_on(QColor(segment.colour)))
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, segment.text)
        if isinstance(axis, BrokenAxis) and reached > axis.near.high:
            axis.paint_break(painter, row)
        if bar.mark is not None:
            self._paint_mark(painter, bar, group, axis, row)
        painter.setPen(QColor(colours.text))
        end = axis.position(max(reached, (bar.mark or 0.0) + bar.spread)) + GRID
        room = QRectF(end, row.top(), max(row.right() - end + GRID, 0.0), row.height())
        self._paint_text(painter, bar.text, room)

    def _paint_text(self, painter: QPainter, text: str, room: QRectF) -> None:
        """At the end of a bar: in several lines where it is long, shortened where these are few."""
        metrics = QFontMetricsF(painter.font())
        wraps = _LEFT | Qt.TextFlag.TextWordWrap
        if metrics.horizontalAdvance(text) <= room.width():
            painter.drawText(room, _LEFT, text)
        elif metrics.boundingRect(room, int(wraps), text).height() <= room.height():
            painter.drawText(room, int(wraps), text)
        else:
            painter.drawText(room, _LEFT, elided(text, metrics, room.width()))
            self.place(room, text)

    def _paint_mark(
        self, painter: QPainter, bar: Bar, group: Group, axis: Axis | BrokenAxis, row: QRectF
    ) -> None:
        """A line across the bar, with its interval along it."""
        mark = bar.mark or 0.0
        x, middle = axis.position(mark), row.center().y()
        low, high = axis.position(max(mark - bar.spread, 0.0)), axis.position(mark + bar.spread)
        ink = QColor(theme().colours.text)
        top, bottom = round(row.top() - 2), round(row.bottom() + 2)
        line = QRectF(round(x) - 1, top, 2, bottom - top)
        painter.fillPath(_stroke(line, self._strokes[bar.mark_name]), ink)
        painter.setPen(QPen(ink, 2))
        if bar.spread > 0:
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        interval = f" ± {_whole(bar.spread, group)} (95 %)" if bar.spread > 0 else ""
        self.place(
            QRectF(min(low, x - 4), row.top(), max(high - low, 8), row.height()),
            f"{bar.label}, {bar.mark_name}: {_whole(mark, group)}{interval}",
        )

    def _roomy_step(self, rect: QRectF, metrics: QFontMetricsF) -> float:
        """From bar to bar: what is needed, or more where the bars fill the chart."""
        least = max(_BAR, metrics.height()) + _GAP
        bars = sum(len(group.bars) for group in self.groups)
        room = rect.height() - self._height()
        if not self._fills or room <= 0.0 or not bars:
            return least
        return min(least + room / bars, max(_ROW, least))

    def _height(self) -> float:
        metrics = QFontMetricsF(self.small_font())
        line = metrics.height()
        width = max(self.width(), 34 * GRID)
        legend = self._legend(QRectF(0.0, 0.0, width, 0.0), metrics).height() + GRID
        step = max(_BAR, line) + _GAP
        bars = sum(line + 4 + step * len(group.bars) + line + GRID + 4 for group in self.groups)
        return GRID + legend + bars if self.groups else 8 * GRID


def beside(box: QRectF, x: float) -> QRectF:
    """The larger part of a box at one side of a mark at `x`; all where the mark is outside."""
    if not box.left() < x < box.right():
        return box
    if x - box.left() > box.right() - x:
        return box.adjusted(0, 0, x - box.right(), 0)
    return box.adjusted(x - box.left(), 0, 0, 0)


def roomy_ticks(axis: Axis | BrokenAxis, metrics: QFontMetricsF) -> list[tuple[float, str]]:
    """Ticks so far apart that their labels don't touch: "1 min 30 s" needs more than "2 min"."""
    spacing, ticks = _TICK, axis.ticks(_TICK)
    while (needed := _widest([label for _, label in ticks], metrics) + 2 * GRID) > spacing:
        spacing, ticks = needed, axis.ticks(needed)
    return ticks


def _strokes(groups: tuple[Group, ...]) -> dict[str, int]:
    """Names of marks → pieces of their stroke, so that colour need not tell them apart."""
    bars = [bar for group in groups for bar in group.bars]
    names = dict.fromkeys(bar.mark_name for bar in bars if bar.mark is not None)
    return dict(zip(names, cycle(_STROKES), strict=False))


def _stroke(box: QRectF, pieces: int) -> QPainterPath:
    """An upright line in pieces, with gaps of two thirds of a piece."""
    path = QPainterPath()
    piece = box.height() / (pieces + (pieces - 1) * 2 / 3)
    for place in range(pieces):
        path.addRect(box.left(), box.top() + place * piece * 5 / 3, box.width(), piece)
    return path


def _fill(painter: QPainter, box: QRectF, colour: str) -> None:
    """A filled box with an outline, because some of the fixed colours are pale."""
    painter.fillRect(box, QColor(colour))
    painter.setPen(QPen(QColor(colour).darker(150), 1))
    painter.drawRect(box)


def _widest(texts: list[str], metrics: QFontMetricsF) -> float:
    return max((metrics.horizontalAdvance(text) for text in texts), default=0.0)


def _whole(value: float, group: Group) -> str:
    return exact(value, group.unit)
