"""The chart of what each processor does when, by cause; fluid with hundreds of thousands of pieces.

Where there are few pieces in view they are drawn one by one, so that exports stay sharp; where
there are many, those narrower than a pixel are merged and keep their mix of colours, which neither
pyqtgraph's bars nor its images do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.basics.quantities import exact, percent
from advisor.messages.diamond_blocks import GANTT_CAUSES, Gantt
from gui.basics.figures import FIGURE, TALLEST, Table
from gui.basics.theme import CAUSE_COLOURS, theme
from gui.plots.plot_canvas import Canvas
from gui.plots.plot_legend import Entry
from gui.plots.shares import Shares, shares
from gui.plots.span import Span
from machines.arrays import Floats, Indices

_SINGLE = 3000  # pieces that are drawn one by one
_ROW = 18.0  # pixels that the number of a row needs
_KEPT = 2  # images of many pieces
_ROUND = 80  # pixels of legend and axes above and below the rows
_DRAWN = tuple(cause for cause in GANTT_CAUSES if cause != IDLE)


@dataclass(frozen=True, eq=False)
class _Pieces:
    """The pieces of one cause, in the order of rows."""

    cause: str
    row: Indices
    start: Floats
    end: Floats


class GanttChart(Canvas):
    """Rows are processors, from the top down; what is not drawn is idle."""

    has_grid = False

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        empty = "The chart appears with the first answer."
        super().__init__(name, "Gantt chart by processor", empty, parent)
        self.gantt: Gantt | None = None
        self.build()
        self._item = _GanttItem()
        self.plot.addItem(self._item)
        self.dress()

    @property
    def is_filled(self) -> bool:
        """Whether there is a chart."""
        return self.gantt is not None

    def set_gantt(self, gantt: Gantt) -> None:
        """Show `gantt`; a part that was zoomed to stays, unless there are other processors."""
        kept = self.part() if self.gantt and self.gantt.processors == gantt.processors else None
        self.gantt = gantt
        shares_ = ", ".join(f"{cause} {percent(gantt.share(cause))}" for cause in GANTT_CAUSES)
        self.setAccessibleDescription(f"{gantt.title}: {shares_}")
        along, across = self.wholes()
        self._item.show_gantt(gantt, QRectF(0.0, across.low, along.length, across.length))
        self.axes[0].measure("time", gantt.unit)
        self.axes[1].measure("processor", "", _row_ticks)
        self.look_at(kept)
        self.dress()

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
        """The size of exported pictures: rows that can be told apart."""
        rows = 0 if self.gantt is None else self.gantt.processors
        return QSize(FIGURE[0], min(max(FIGURE[1], round(_ROW * rows) + _ROUND), TALLEST))

    def wholes(self) -> tuple[Span, Span]:
        """All of the time, all of the processors; upwards, as on any axis."""
        gantt = self.gantt
        if gantt is None:
            return Span(0.0, 1.0), Span(-1.0, 0.0)
        end = float(gantt.end.max(initial=gantt.makespan)) or 1.0
        return Span(0.0, end), Span(-float(gantt.processors), 0.0)

    def piece_at(self, position: QPointF) -> int | None:
        """The piece at a point of the canvas."""
        gantt = self.gantt
        if gantt is None or not self.area().contains(position):
            return None
        time, height = self.values_at(position)
        row = int(-height)
        first, last = np.searchsorted(gantt.row, [row, row + 1])
        place = int(first + np.searchsorted(gantt.start[first:last], time, side="right")) - 1
        return place if first <= place < last and time <= gantt.end[place] else None

    def hint_at(self, position: QPointF) -> str:
        """Processor, block and cause at a point, with start and end."""
        piece, gantt = self.piece_at(position), self.gantt
        if piece is None or gantt is None:
            return ""
        start, end = float(gantt.start[piece]), float(gantt.end[piece])
        return (
            f"processor {gantt.row[piece]}, {told(gantt, piece)}\n"
            f"start {exact(start, gantt.unit)}, end {exact(end, gantt.unit)}\n"
            f"takes {exact(end - start, gantt.unit)}"
        )

    def entries(self) -> list[Entry]:
        """The causes with their shares."""
        assert self.gantt is not None  # noqa: S101, RUF100 - asked for while there is one
        return [
            Entry(f"{cause} {percent(self.gantt.share(cause))}", _colour(cause))
            for cause in GANTT_CAUSES
        ]

    def recolour(self) -> None:
        """What is idle, and the gaps between rows, have the theme's colours."""
        self._item.recolour()


class _GanttItem(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """All pieces, in time along and rows downwards from 0."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = QRectF()
        self._pieces: tuple[_Pieces, ...] = ()
        self._images: dict[object, QImage] = {}  # of many pieces, as they were drawn last

    def show_gantt(self, gantt: Gantt, whole: QRectF) -> None:
        """Draw these pieces."""
        self._pieces = tuple(
            _Pieces(cause, gantt.row[chosen], gantt.start[chosen], gantt.end[chosen])
            for cause in _DRAWN
            for chosen in (np.flatnonzero(gantt.cause == GANTT_CAUSES.index(cause)),)
        )
        self.prepareGeometryChange()
        self._whole = whole
        self.recolour()

    def recolour(self) -> None:
        """Draw anew."""
        self._images.clear()
        self.update()

    def boundingRect(self) -> QRectF:
        """Everything."""
        return self._whole

    def paint(self, p: QPainter, *_: object) -> None:
        """Draw what is in view."""
        view = self.viewRect()
        along, rows = Span(view.left(), view.right()), range(int(-view.bottom()), _up(-view.top()))
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.fillRect(self._whole, _colour(IDLE))
        seen = [_in_view(pieces, along, rows) for pieces in self._pieces]
        pixel = p.worldTransform()
        if sum(len(pieces.row) for pieces in seen) <= _SINGLE:
            _paint_pieces(p, seen)
        else:
            area = pixel.mapRect(view)
            self._paint_merged(p, seen, (along, rows), (round(area.width()), round(area.height())))
        high = abs(pixel.m22())  # pixels of a row
        if high >= 4:
            thick = (1.0 if high < 10 else 2.0) / high
            for row in (*rows, rows.stop):
                line = QRectF(along.low, -row - thick / 2, along.length, thick)
                p.fillRect(line, QColor(theme().colours.surface))

    def _paint_merged(
        self, p: QPainter, seen: list[_Pieces], part: tuple[Span, range], size: tuple[int, int]
    ) -> None:
        """One image of all pieces; a picture for a file does not take the place of the window's."""
        (along, rows), (width, most) = part, size
        key = (along, rows, size)
        if key not in self._images:
            height = min(len(rows), max(most, 1))
            layers = [
                shares(
                    (rows.stop - 1 - pieces.row) * height // len(rows),  # pictures are upside down
                    (pieces.start - along.low) * (width / along.length),
                    (pieces.end - along.low) * (width / along.length),
                    (height, width),
                    height / len(rows),
                )
                for pieces in seen
            ]
            colours = [CAUSE_COLOURS[pieces.cause] for pieces in seen]
            if len(self._images) == _KEPT:
                del self._images[next(iter(self._images))]
            self._images[key] = _mixed(layers, colours, _colour(IDLE))
        p.drawImage(QRectF(along.low, -rows.stop, along.length, len(rows)), self._images[key])


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


def _in_view(pieces: _Pieces, along: Span, rows: range) -> _Pieces:
    """The pieces that are at least partly in view."""
    first, last = np.searchsorted(pieces.row, [rows.start, rows.stop])
    kept = (pieces.end[first:last] > along.low) & (pieces.start[first:last] < along.high)
    seen = first + np.flatnonzero(kept)
    return _Pieces(pieces.cause, pieces.row[seen], pieces.start[seen], pieces.end[seen])


def _paint_pieces(p: QPainter, seen: list[_Pieces]) -> None:
    p.setPen(Qt.PenStyle.NoPen)
    for pieces in seen:
        p.setBrush(QColor(CAUSE_COLOURS[pieces.cause]))
        for row, start, end in zip(
            pieces.row.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True
        ):
            p.drawRect(QRectF(start, -row - 1.0, end - start, 1.0))


def _colour(cause: str) -> QColor:
    return QColor(theme().colours.line if cause == IDLE else CAUSE_COLOURS[cause])


def _row_ticks(low: float, high: float, length: float) -> list[tuple[float, str]]:
    """The numbers of the rows, as many as there is room for."""
    room = _ROW * (high - low) / max(length, 1.0)  # rows
    step = next(f * 10**power for power in range(9) for f in (1, 2, 5) if f * 10**power >= room)
    first, last = int(-high), _up(-low)
    rows = range(-(-first // step) * step, last, step)
    return [(-row - 0.5, str(row)) for row in rows if low <= -row - 0.5 <= high]


def _up(value: float) -> int:
    return int(np.ceil(value))


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
