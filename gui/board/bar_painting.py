"""Painting of the bars: cards where there is room, merged pixels where there is none.

A bar from `CARD_PX` on is a card with its name and time; a narrower one is drawn with its
neighbours as one row of pixels, still apart from 4 px on, mixed below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

from advisor.allocation.task_causes import FETCHING
from advisor.allocation.workload import Workload
from advisor.basics import quantities
from gui.basics.ink import RIGHT, Ink, thin
from gui.board.cards import GUESS
from gui.board.frame import OUTLINED_PX, ROW_GAP, Boxes, Frame
from gui.board.labels import Part, room_for, write_over
from gui.board.lanes import Kinds, Lanes
from gui.board.merging import Pixels, blended, coverage, marks
from machines.arrays import Flags, Floats, Indices, Ints

CARD_PX = 28.0
SEPARATE_PX = 4.0
_NEAR = 3.0
_RAIL = 2.0  # pixels of the line along narrow bars of the critical path
_TEXT_PX = 44.0  # narrower bars have no part of a name
_FAR = 40.0  # how far a card may reach out of sight before it is cut
_FETCH_PX = 1.5  # narrower pieces are not drawn
_FETCH_SHARE = 0.25  # of the colours of causes in them
_OUTLINED = 400  # pieces with an outline each; more are merged
_KIND_LAYERS = 16


@dataclass(frozen=True, eq=False)
class Picture:
    """A schedule with its place on screen: what painters and hit tests read."""

    workload: Workload
    lanes: Lanes
    kinds: Kinds
    frame: Frame
    boxes: Boxes  # edges of all bars; between two schedules while a change settles
    cores: Indices  # shape (tasks,); cores that each task holds
    by_kind: bool = False  # colour bars by kind of task instead of by cause
    guessed: Flags | None = None  # shape (tasks,); whose times no file told; None: of no task
    moving: bool = False  # a change is settling: boxes are not in the order that merging needs

    @cached_property
    def visible(self) -> Flags:
        """Bars that touch the ground on screen, bool array (bars,)."""
        frame, box = self.frame, self.boxes
        across = (box.x1 >= frame.header) & (box.taken <= frame.width)
        bottom = frame.height - frame.footer
        return across & (box.y + box.height >= frame.axis) & (box.y <= bottom)

    def label(self, bar: int) -> str:
        """A bar's name: its task, with its processors if it scales; or its kind and tasks."""
        tasks = self.lanes.tasks(bar)
        if tasks.size == 1:
            task = self.workload.tasks[int(tasks[0])]
            if task.scaling is None:
                return task.name
            return f"{task.name} on {quantities.count(int(self.cores[tasks[0]]), 'processor')}"
        return f"{self.kinds.names[int(self.lanes.kind[bar])]} × {tasks.size:,}"

    def is_guessed(self, bar: int) -> bool:
        """Whether the time of one of its tasks is a guess."""
        return self.guessed is not None and bool(self.guessed[self.lanes.tasks(bar)].any())

    @cached_property
    def raised(self) -> Flags:
        """Critical bars that lie over their neighbours, bool array (bars,)."""
        return self.frame.raised(self.lanes)

    def critical_at(self, lane: int, position: QPointF) -> int | None:
        """The bar of the critical path at a point: it may lie over others."""
        box, x, y = self.boxes, position.x(), position.y()
        near = self.lanes.critical & (self.lanes.lane == lane)
        near &= (box.x0 - _NEAR <= x) & (x <= box.x1 + _NEAR)
        found = np.flatnonzero(near & (box.y <= y) & (y <= box.y + box.height))
        away = np.maximum(np.maximum(box.x0[found] - x, x - box.x1[found]), 0.0)
        return int(found[np.argmin(away)]) if found.size else None

    def rect(self, bar: int) -> QRectF:
        """A bar's rectangle on screen, cut where it is far out of sight."""
        box = self.boxes
        low, high = self.frame.header - _FAR, self.frame.width + _FAR
        x0 = min(max(float(box.x0[bar]), low), high)
        x1 = min(max(float(box.x1[bar]), low), high)
        return QRectF(x0, float(box.y[bar]), max(x1 - x0, 1.0), float(box.height[bar]))


def paint_bars(painter: QPainter, ink: Ink, picture: Picture, raised: bool) -> None:
    """The visible bars in their rows, or those that lie over others; before them their data."""
    these = picture.visible & (picture.raised == raised)
    if not these.any():
        return
    _paint_fetches(painter, ink, picture, np.flatnonzero(these & _fetching(picture.boxes)))
    cards = these & (picture.boxes.x1 - picture.boxes.x0 >= CARD_PX)
    narrow = np.flatnonzero(these & ~cards)
    if picture.moving:
        _paint_moving(painter, ink, picture, narrow)
    else:
        _paint_merged(painter, ink, picture, narrow)
    for bar in np.flatnonzero(cards):
        _paint_card(painter, ink, picture, int(bar))


def _fetching(box: Boxes) -> Flags:
    """Bars with a piece before them that can be seen, bool array (bars,)."""
    return box.x0 - box.taken >= _FETCH_PX


def _paint_fetches(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """Light outlined pieces before bars: cores are held while data are fetched."""
    fills = [ink.faded(ink.cause(cause), _FETCH_SHARE) for cause in FETCHING]
    begin, end = picture.boxes.taken[bars], picture.boxes.x0[bars]
    edges = begin + (end - begin) * np.vstack(
        [np.zeros(len(bars)), np.cumsum(picture.lanes.fetched[:, bars], axis=0)]
    )
    if len(bars) > _OUTLINED and not picture.moving:
        rows, found = rows_of(picture, bars)
        size = (len(rows), int(picture.frame.ground_width) + 1)
        edges -= picture.frame.header
        layers = [
            (coverage(found, *ends, *size), fill.rgb() & 0xFFFFFF)
            for ends, fill in zip(pairwise(edges), fills, strict=True)
        ]
        shown = np.sum([share for share, _ in layers], axis=0) > 0
        paint_rows(painter, picture, bars[rows], blended(layers, shown))
        return
    low, high = picture.frame.header - _FAR, picture.frame.width + _FAR
    for bar, cuts in zip(bars.tolist(), np.clip(edges, low, high).T.tolist(), strict=True):
        rect = picture.rect(bar).adjusted(0, 1, 0, -1)
        for (first, last), fill in zip(pairwise(cuts), fills, strict=True):
            painter.fillRect(QRectF(first, rect.top(), last - first, rect.height()), fill)
        painter.setPen(thin(ink.faded(ink.transferring, 0.6)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(cuts[0], rect.top(), cuts[-1] - cuts[0], rect.height()))


def paint_veil(painter: QPainter, picture: Picture, bars: Ints, colour: QColor) -> None:
    """Lay `colour` (with its opacity) over bars, whatever their number."""
    chosen = bars[picture.visible[bars]]
    if picture.moving or not chosen.size:
        return
    rows, found = rows_of(picture, chosen)
    width = int(picture.frame.ground_width) + 1
    x0, x1 = ground_edges(picture, chosen)
    share = coverage(found, x0, np.maximum(x1, x0 + 2), len(rows), width)
    pixels = blended([(share, colour.rgb() & 0xFFFFFF)], share > 0)
    painter.save()
    painter.setOpacity(colour.alphaF())
    paint_rows(painter, picture, chosen[rows], pixels)
    painter.restore()


def _paint_merged(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    if not bars.size:
        return
    rows, found = rows_of(picture, bars)
    width = int(picture.frame.ground_width) + 1
    size = (len(rows), width)
    x0, x1 = ground_edges(picture, bars)
    lasting = picture.lanes.end_s[bars] > picture.lanes.start_s[bars]
    present = marks(found, x0, *size)
    layers = _layers(ink, picture, bars[lasting], found[lasting], x0[lasting], x1[lasting], size)
    pixels = blended(layers, present)
    apart = x1 - x0 >= SEPARATE_PX
    pixels[marks(found[apart], x0[apart], *size)] = ink.board.rgba()
    paint_rows(painter, picture, bars[rows], pixels)
    critical = picture.lanes.critical[bars]
    if critical.any():
        # a rail along the top, and the bottom of what lies over others: the critical path is a
        # shape of its own, not a colour
        strip = marks(found[critical], x0[critical], *size)
        strip |= coverage(found[critical], x0[critical], x1[critical], *size) > 0
        ruled = np.where(strip, np.uint32(ink.text.rgba()), np.uint32(0))
        paint_rows(painter, picture, bars[rows], ruled, height=_RAIL)
        if picture.raised[bars].any():
            paint_rows(painter, picture, bars[rows], ruled, height=-_RAIL)


def _layers(
    ink: Ink, picture: Picture, bars: Ints, row: Ints, x0: Floats, x1: Floats, size: tuple[int, int]
) -> list[tuple[Floats, int]]:
    """Covered shares with their colours: by cause, or by kind."""
    lanes = picture.lanes
    if picture.by_kind:
        kinds = lanes.kind[bars] % _KIND_LAYERS
        return [
            (
                coverage(row[kinds == kind], x0[kinds == kind], x1[kinds == kind], *size),
                ink.kind(int(kind)).rgb() & 0xFFFFFF,
            )
            for kind in np.unique(kinds)
        ] or [(np.zeros(size), 0)]
    layers: list[tuple[Floats, int]] = []
    begin = x0
    for cause, share in zip(lanes.causes, lanes.shares[:, bars], strict=True):
        end = begin + share * (x1 - x0)
        if np.any(end > begin) or not layers:
            layers.append((coverage(row, begin, end, *size), ink.cause(cause).rgb() & 0xFFFFFF))
        begin = end
    if np.any(x1 > begin + 0.5):
        layers.append((coverage(row, begin, x1, *size), ink.edge.rgb() & 0xFFFFFF))
    return layers


def rows_of(picture: Picture, bars: Ints) -> tuple[Ints, Ints]:
    """The first of `bars` in each visible row, and each one's row among these."""
    lanes = picture.lanes
    change = np.ones(len(bars), dtype=np.bool_)
    change[1:] = (np.diff(lanes.lane[bars]) != 0) | (np.diff(lanes.row[bars]) != 0)
    return np.flatnonzero(change), np.cumsum(change) - 1


def ground_edges(picture: Picture, bars: Ints) -> tuple[Floats, Floats]:
    """Pixel columns at which bars begin and end, from where lanes begin."""
    left = picture.frame.header
    return picture.boxes.x0[bars] - left, picture.boxes.x1[bars] - left


def paint_rows(
    painter: QPainter, picture: Picture, firsts: Ints, pixels: Pixels, height: float = 0.0
) -> None:
    """Stretch each row of pixels over the row of the schedule in which `firsts` lie.

    `height`: pixels at its top alone, or negative at its bottom; 0: all of it.
    """
    width = pixels.shape[1]
    for row, bar in zip(pixels, firsts, strict=True):
        y, tall = float(picture.boxes.y[bar]), float(picture.boxes.height[bar])
        top = y + tall + height if height < 0 else y
        # an image a row: files hold whole images, also where a part of one is asked for
        image = QImage(row.data, width, 1, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(QRectF(picture.frame.header, top, width, abs(height) or tall), image)


def _paint_moving(painter: QPainter, ink: Ink, picture: Picture, bars: Ints) -> None:
    """Narrow bars one by one, while few bars settle into a new schedule."""
    for bar in bars:
        fill = ink.kind(int(picture.lanes.kind[bar])) if picture.by_kind else ink.computing
        painter.fillRect(picture.rect(int(bar)), fill)


def _paint_card(painter: QPainter, ink: Ink, picture: Picture, bar: int) -> None:
    lanes, rect = picture.lanes, picture.rect(bar)
    radius = min(6.0, rect.height() / 4)
    if picture.by_kind:
        parts = [(rect.left(), rect.right(), ink.kind(int(lanes.kind[bar])))]
    else:
        parts = _stripes(ink, picture, bar, rect)
    if rect.height() < OUTLINED_PX:
        for begin, end, fill in parts:
            painter.fillRect(QRectF(begin, rect.top(), end - begin, rect.height()), fill)
        return
    painter.setBrush(_striped(rect, parts) if len(parts) > 1 else parts[0][2])
    edge = ink.text if lanes.critical[bar] else (ink.muted if picture.by_kind else ink.computing)
    painter.setPen(thin(edge, 2.5 if lanes.critical[bar] else 1.0))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    if rect.height() >= ink.small_line - ROW_GAP:  # lower rows are named as blocks
        _paint_label(painter, ink, picture, bar, rect, parts)


def _stripes(ink: Ink, picture: Picture, bar: int, rect: QRectF) -> list[Part]:
    """The piece of each cause that is wide enough to see, and of what is idle."""
    lanes, left = picture.lanes, float(picture.boxes.x0[bar])
    full = float(picture.boxes.x1[bar]) - left
    edges = left + full * np.concatenate(([0.0], np.cumsum(lanes.shares[:, bar]), [1.0]))
    colours = [*map(ink.cause, lanes.causes), ink.raised]
    return [
        (max(begin, rect.left()), min(end, rect.right()), colour)
        for begin, end, colour in zip(edges[:-1].tolist(), edges[1:].tolist(), colours, strict=True)
        if min(end, rect.right()) - max(begin, rect.left()) > 0.5
    ]


def _striped(rect: QRectF, parts: list[Part]) -> QLinearGradient:
    """A brush with hard edges, so that a rounded card is filled in one stroke."""
    brush = QLinearGradient(QPointF(rect.left(), 0), QPointF(rect.right(), 0))
    for begin, end, colour in parts:
        first, last = (begin - rect.left()) / rect.width(), (end - rect.left()) / rect.width()
        brush.setColorAt(min(1.0, max(0.0, first)), colour)
        brush.setColorAt(min(1.0, max(0.0, last - 1e-6)), colour)
    return brush


def _paint_label(
    painter: QPainter, ink: Ink, picture: Picture, bar: int, rect: QRectF, parts: list[Part]
) -> None:
    """Name, time here and slowdown, as much as there is room for."""
    lanes = picture.lanes
    seen = rect.intersected(QRectF(picture.frame.header, 0, picture.frame.ground_width, 1e6))
    name = picture.label(bar)
    wide = ink.width(name, ink.small)
    room = room_for(seen, wide)
    if seen.width() < _TEXT_PX and wide > room.width():
        return
    length = float(lanes.end_s[bar] - lanes.start_s[bar])
    guess = GUESS * picture.is_guessed(bar)
    both = f"{name}  {guess}{quantities.duration(length)}"
    text = both if ink.width(both, ink.small) <= room.width() else name
    write_over(painter, ink, room, text, parts)
    slowdown = float(lanes.slowdown[bar])
    badge = f"×{quantities.number(slowdown)}"
    left = room.width() - ink.width(text, ink.small)
    if slowdown > 1.0005 and left > ink.width(badge, ink.small) + 16:
        write_over(painter, ink, room, badge, parts, RIGHT)
