"""The chart of what each processor does when, by cause; fluid with hundreds of thousands of pieces.

Where there are few pieces in view they are drawn one by one, so that exports stay sharp; where
there are many, those narrower than a pixel are merged and keep their mix of colours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen
from PySide6.QtWidgets import QWidget

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.basics.quantities import exact, percent
from advisor.messages.blocks import GANTT_CAUSES, Gantt
from gui.basics.figures import Table
from gui.basics.theme import CAUSE_COLOURS, GRID, theme
from gui.plots.axes import Axis
from gui.plots.chart import placeholder
from gui.plots.legend import Entry, legend_height, paint_legend
from gui.plots.plane import Plane, paint_ticks_below
from gui.plots.shares import Shares, shares
from gui.plots.span import Span
from machines.arrays import Floats, Indices

_SINGLE = 3000  # pieces that are drawn one by one
_DRAWN = tuple(cause for cause in GANTT_CAUSES if cause != IDLE)


@dataclass(frozen=True, eq=False)
class _Pieces:
    """The pieces of one cause, in the order of rows."""

    cause: str
    row: Indices
    start: Floats
    end: Floats


class GanttChart(Plane):
    """Rows are processors, from the top down; what is not drawn is idle."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, "Gantt chart by processor", parent)
        self.gantt: Gantt | None = None
        self._pieces: tuple[_Pieces, ...] = ()
        self._end = 1.0
        self._image: tuple[object, QImage] | None = None

    def set_gantt(self, gantt: Gantt) -> None:
        """Show `gantt`."""
        if self.gantt is None or self.gantt.processors != gantt.processors:
            self._view = None
        self.gantt = gantt
        self._end = float(gantt.end.max(initial=gantt.makespan)) or 1.0
        self._pieces = tuple(
            _Pieces(cause, gantt.row[chosen], gantt.start[chosen], gantt.end[chosen])
            for cause in _DRAWN
            for chosen in (np.flatnonzero(gantt.cause == GANTT_CAUSES.index(cause)),)
        )
        self._image = None
        shares_ = ", ".join(f"{cause} {percent(gantt.share(cause))}" for cause in GANTT_CAUSES)
        self.setAccessibleDescription(f"{gantt.title}: {shares_}")
        self.update()

    def table(self) -> Table:
        """One row a piece: processor, cause, start and end."""
        gantt = self.gantt
        if gantt is None:
            return Table(("processor", "cause", "start", "end"), ())
        unit = f" ({gantt.unit})"
        names = [GANTT_CAUSES[cause] for cause in gantt.cause.tolist()]
        rows = zip(gantt.row.tolist(), names, gantt.start.tolist(), gantt.end.tolist(), strict=True)
        return Table(("processor", "cause", f"start{unit}", f"end{unit}"), tuple(rows))

    def figure_size(self) -> QSize:
        """The size of exported pictures."""
        return self.size().expandedTo(QSize(80 * GRID, 40 * GRID))

    def whole(self) -> tuple[Span, Span]:
        """All of the time, all of the processors; upwards, as on any axis."""
        rows = self.gantt.processors if self.gantt is not None else 1
        return Span(0.0, self._end), Span(-float(rows), 0.0)

    def area(self) -> QRectF:
        """Where the plane lies in the widget."""
        return self._area(QRectF(self.rect()))

    def piece_at(self, position: QPointF) -> int | None:
        """The piece at a point of the widget."""
        gantt, area = self.gantt, self.area()
        if gantt is None or not area.contains(position):
            return None
        along, across = self.view
        time = along.at((position.x() - area.left()) / area.width())
        row = int(-across.at((area.bottom() - position.y()) / area.height()))
        first, last = np.searchsorted(gantt.row, [row, row + 1])
        place = int(first + np.searchsorted(gantt.start[first:last], time, side="right")) - 1
        return place if first <= place < last and time <= gantt.end[place] else None

    def position_of(self, piece: int) -> QPointF:
        """The middle of a piece on the widget."""
        assert self.gantt is not None  # noqa: S101, RUF100 - a piece is of a chart
        area, (along, across) = self.area(), self.view
        middle = (self.gantt.start[piece] + self.gantt.end[piece]) / 2
        x = area.left() + (middle - along.low) / along.length * area.width()
        row = -float(self.gantt.row[piece]) - 0.5
        return QPointF(x, area.bottom() - (row - across.low) / across.length * area.height())

    def hint_at(self, position: QPointF) -> str:
        """Processor, block and cause at a point, with start and end."""
        piece, gantt = self.piece_at(position), self.gantt
        if piece is None or gantt is None:
            return super().hint_at(position)
        start, end = float(gantt.start[piece]), float(gantt.end[piece])
        return (
            f"processor {gantt.row[piece]}, {told(gantt, piece)}\n"
            f"start {exact(start, gantt.unit)}, end {exact(end, gantt.unit)}\n"
            f"takes {exact(end - start, gantt.unit)}"
        )

    def paint(self, painter: QPainter, rect: QRectF) -> None:
        """Draw legend, rows and axis."""
        gantt = self.gantt
        if gantt is None:
            placeholder(painter, rect, "The chart appears with the first answer.")
            return
        area = self._area(rect)
        along, across = self.view
        axis = Axis("time", gantt.unit, along.low, along.high, area.left(), area.right())
        entries = self._entries()
        paint_legend(painter, rect, entries)
        paint_ticks_below(painter, axis, area)
        self._paint_rows(painter, across, area, rect.left() + GRID)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setClipRect(area)
        idle = QRectF(QPointF(axis.position(0.0), area.top()), area.bottomRight())
        idle.setRight(axis.position(self._end))
        painter.fillRect(idle, self._idle())
        seen = [_in_view(pieces, along, across) for pieces in self._pieces]
        if sum(len(pieces.row) for pieces in seen) <= _SINGLE:
            _paint_pieces(painter, seen, axis, across, area)
        else:
            self._paint_merged(painter, seen, area)
        self._paint_gaps(painter, across, area)
        painter.restore()

    def _entries(self) -> list[Entry]:
        assert self.gantt is not None  # noqa: S101, RUF100 - asked for while it is painted
        return [
            Entry(
                f"{cause} {percent(self.gantt.share(cause))}",
                self._idle() if cause == IDLE else QColor(CAUSE_COLOURS[cause]),
            )
            for cause in GANTT_CAUSES
        ]

    def _idle(self) -> QColor:
        return QColor(theme().colours.line)

    def _area(self, rect: QRectF) -> QRectF:
        metrics = QFontMetricsF(self.small_font())
        line = metrics.height()
        legend = legend_height(self._entries(), rect, metrics)
        rows = self.gantt.processors if self.gantt is not None else 1
        left = rect.left() + 2 * GRID + metrics.horizontalAdvance(str(rows))
        left = max(left, rect.left() + 5 * GRID)
        top = rect.top() + GRID + legend + line + 4
        bottom = max(rect.bottom() - 2 * line - GRID, top + 2 * line)
        return QRectF(left, top, max(rect.right() - 2 * GRID - left, 60), bottom - top)

    def _paint_rows(self, painter: QPainter, across: Span, area: QRectF, left: float) -> None:
        """The processors' numbers, as many as there is room for, and what they are."""
        colours, metrics = theme().colours, QFontMetricsF(painter.font())
        line, high = metrics.height(), area.height() / across.length
        step = next(
            factor * 10**power for power in range(9) for factor in (1, 2, 5)
            if factor * 10**power * high >= line
        )  # fmt: skip
        painter.setPen(QColor(colours.muted))
        first, last = int(-across.high), int(np.ceil(-across.low))
        for row in range(-(-first // step) * step, last, step):
            y = area.top() + (row + 0.5 + across.high) * high
            if area.top() <= y <= area.bottom():
                box = QRectF(left, y - line / 2, area.left() - 6 - left, line)
                painter.drawText(
                    box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(row)
                )
        painter.setPen(QColor(colours.text))
        above = QRectF(left, area.top() - line - 6, area.right() - left, line)
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft, "processor")

    def _paint_merged(self, painter: QPainter, seen: list[_Pieces], area: QRectF) -> None:
        """One image of all pieces, kept while nothing of it changes."""
        along, across = self.view
        width = round(area.width())
        key = (along, across, width, round(area.height()), theme().dark)
        if self._image is None or self._image[0] != key:
            first, last = int(-across.high), int(np.ceil(-across.low))
            rows = last - first
            height = min(rows, max(round(area.height()), 1))
            layers = [
                shares(
                    (pieces.row - first) * height // rows,
                    (pieces.start - along.low) * (width / along.length),
                    (pieces.end - along.low) * (width / along.length),
                    (height, width),
                    height / rows,
                )
                for pieces in seen
            ]
            colours = [CAUSE_COLOURS[pieces.cause] for pieces in seen]
            self._image = key, _mixed(layers, colours, self._idle())
        first, last = int(-across.high), int(np.ceil(-across.low))
        high = area.height() / across.length
        top = area.top() + (first + across.high) * high
        painter.drawImage(
            QRectF(area.left(), top, area.width(), (last - first) * high), self._image[1]
        )

    def _paint_gaps(self, painter: QPainter, across: Span, area: QRectF) -> None:
        """Lines between rows that are high enough for them."""
        high = area.height() / across.length
        if high < 4:
            return
        painter.setPen(QPen(QColor(theme().colours.surface), 1 if high < 10 else 2))
        for row in range(int(-across.high), int(np.ceil(-across.low)) + 1):
            y = area.top() + (row + across.high) * high
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))


def told(gantt: Gantt, piece: int) -> str:
    """What a piece is, in words: the block that is computed, sent or received, or why it waits."""
    row = int(gantt.row[piece])
    first = int(np.searchsorted(gantt.row, row))
    done = int(np.count_nonzero(gantt.cause[first:piece] == GANTT_CAUSES.index(COMPUTING)))
    after = piece > first and GANTT_CAUSES[gantt.cause[piece - 1]] == COMPUTING
    cause = GANTT_CAUSES[gantt.cause[piece]]
    last = piece + 1 == len(gantt.row) or gantt.row[piece + 1] != row
    if cause == MESSAGE_OVERHEAD:
        what = f"sending block {done}" if after else f"receiving block {done + 1}"
        return f"message overhead: {what}"
    if cause == IDLE:
        return "idle: all its blocks are done" if last else f"idle: block {done + 1} has not come"
    return f"block {done if cause == NETWORK_CONTENTION else done + 1}: {cause}"


def _in_view(pieces: _Pieces, along: Span, across: Span) -> _Pieces:
    """The pieces that are at least partly in view."""
    first, last = np.searchsorted(pieces.row, [int(-across.high), int(np.ceil(-across.low))])
    kept = (pieces.end[first:last] > along.low) & (pieces.start[first:last] < along.high)
    seen = first + np.flatnonzero(kept)
    return _Pieces(pieces.cause, pieces.row[seen], pieces.start[seen], pieces.end[seen])


def _paint_pieces(
    painter: QPainter, seen: list[_Pieces], axis: Axis, across: Span, area: QRectF
) -> None:
    high = area.height() / across.length
    painter.setPen(Qt.PenStyle.NoPen)
    for pieces in seen:
        painter.setBrush(QColor(CAUSE_COLOURS[pieces.cause]))
        for row, start, end in zip(
            pieces.row.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True
        ):
            x = axis.position(start)
            top = area.top() + (row + across.high) * high
            painter.drawRect(QRectF(x, top, axis.position(end) - x, high))


def _mixed(layers: list[Shares], colours: list[str], ground: QColor) -> QImage:
    """An image of colours by their shares of every pixel, over the colour of the rest."""
    rest = 1.0 - sum(layers, np.zeros_like(layers[0]))
    height, width = rest.shape
    pixels = np.full((height, width), 0xFF << 24, dtype=np.uint32)
    mixed = [*zip(layers, map(QColor, colours), strict=True), (rest, ground)]
    for shift, channel in ((16, QColor.red), (8, QColor.green), (0, QColor.blue)):
        value = sum((share * channel(colour) for share, colour in mixed), np.zeros_like(rest))
        pixels |= np.clip(value + 0.5, 0, 255).astype(np.uint32) << shift
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()
