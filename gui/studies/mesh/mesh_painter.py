"""Paints a mapping: channels by load, processes on their nodes, the legend.

What is too small to be read is left out: numbers first, then names, arrow heads and corners. A
load shows as colour, as width and, where there is room, as a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from advisor.basics.quantities import count, size
from advisor.basics.rounding import ALIKE
from gui.basics.ink import CENTRE, LEFT, RIGHT, Ink, lines_of, thin
from gui.basics.theme import GRID, theme
from gui.studies.mesh.mesh_geometry import BARB, HALF_NODE, LANE, Geometry
from gui.studies.picture.picture_legend import LegendRow
from machines.arrays import Flags, Floats, Ints

CLASSES = 6
MOST_DRAWN = 6000  # channels; of more, those that carry most
_ARROWS_FROM = 34.0  # pixels between neighbours
_TINY_NODE = 3.0
_MANY_LINES = 12_000  # smooth lines of so many would take long
_MARGIN = 20.0  # for the numbers beside the outermost channels
_MARKED = 8  # as many busiest channels are marked, not more
_UNITS = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18}
_ROUND_FROM = 14.0


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a picture shows."""

    geometry: Geometry
    loads: Floats  # shape (channels,); bytes over every channel
    most: float  # the load of the strongest colour
    holders: Ints  # shape (P,); the process on every node, −1 without
    labels: tuple[str, ...]  # names of the processes; empty: their numbers
    all_lines: bool  # whether channels that carry nothing are drawn, too
    node: Ints  # shape (P,); the node that each place is on
    undrawn: str = ""  # what is said instead, where channels are not drawn

    def label(self, process: int) -> str:
        """The name of a process, or its number."""
        return self.labels[process] if self.labels else str(process)

    def end(self, number: int) -> str:
        """The name of an end of a channel: nodes come first, then switches."""
        return f"{number}" if number <= self.node[-1] else f"switch {number}"

    @property
    def unit(self) -> tuple[float, str]:
        """(bytes, name) of the unit in which loads are written: that of the strongest one."""
        name = size(self.most).split()[-1]
        return _UNITS.get(name, 1.0), name

    @cached_property
    def classes(self) -> Ints:
        """How strong each channel is drawn: 0 (carries nothing) … `CLASSES`."""
        share = self.loads / self.most if self.most else np.zeros_like(self.loads)
        return np.clip(np.ceil(CLASSES * share), 0, CLASSES).astype(np.int64)

    @cached_property
    def drawn(self) -> Flags:
        """Which channels are drawn: all, or of a crossbar those that carry most."""
        if self.all_lines:
            return np.ones(len(self.loads), bool)
        order = np.argsort(-self.loads, kind="stable")[:MOST_DRAWN]
        drawn = np.zeros(len(self.loads), bool)
        drawn[order] = True
        return drawn & (self.loads > 0)

    @cached_property
    def pieces(self) -> tuple[tuple[Floats, Ints], ...]:
        """(lines, whose they are) and (arrow heads, whose they are) of what is drawn."""
        geometry, found = self.geometry, []
        for lines, owners in (
            (geometry.lines, geometry.line_channels),
            (geometry.barbs, geometry.barb_channels),
        ):
            wanted = self.drawn[owners]
            found.append((lines[wanted], owners[wanted]))
        return tuple(found)

    @property
    def marked(self) -> Ints:
        """The busiest channels, where few are."""
        channel, ties = self.busiest()
        if channel < 0 or ties > _MARKED:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.loads >= self.loads[channel] * (1 - ALIKE))

    def busiest(self) -> tuple[int, int]:
        """(the busiest channel or −1, how many are as busy)."""
        if not len(self.loads) or self.loads.max() <= 0:
            return -1, 0
        most = self.loads.max()
        return int(np.argmax(self.loads)), int((self.loads >= most * (1 - ALIKE)).sum())


@dataclass(frozen=True)
class View:
    """Which part of the plane is seen: pixels = scale · units + offset."""

    scale: float
    x: float
    y: float

    def pixels(self, points: Floats) -> Floats:
        """Points, or starts and ends of lines, in pixels."""
        offset = (self.x, self.y) * (points.shape[-1] // 2)
        return np.asarray(points * self.scale + offset)

    def units(self, point: QPointF) -> Floats:
        """A pixel in units of the plane."""
        return np.array([(point.x() - self.x) / self.scale, (point.y() - self.y) / self.scale])

    def node_rect(self, centre: Floats) -> QRectF:
        """The square of a node."""
        x, y = self.pixels(centre)
        half = HALF_NODE * self.scale
        return QRectF(x - half, y - half, 2 * half, 2 * half)


def fitted(geometry: Geometry, area: QRectF, most: float = 150.0) -> View:
    """The view in which everything fits into `area`."""
    left, top, right, bottom = geometry.bounds
    area = area.adjusted(_MARGIN, GRID, -_MARGIN, -GRID)
    scale = min(area.width() / (right - left), area.height() / (bottom - top), most)
    scale = max(scale, 0.5)
    middle = area.center()
    return View(
        scale,
        middle.x() - scale * (left + right) / 2,
        middle.y() - scale * (top + bottom) / 2,
    )


def load_width(scale: float, strength: int) -> float:
    """How wide a channel of a class is drawn, pixels."""
    return max(1.0, min(0.06 * scale, 7.0) * (0.25 + 0.75 * strength / CLASSES))


def load_colour(strength: int) -> QColor:
    """The colour of a class."""
    if not strength:
        return QColor(theme().colours.line)
    return theme().ramp((strength - 1) / (CLASSES - 1))


def mark_colour() -> QColor:
    """What surrounds the busiest channel."""
    return QColor(theme().colours.warning)


def paint_channels(painter: QPainter, drawing: Drawing, view: View, area: QRectF) -> None:
    """All channels in sight, the busiest on top."""
    width = load_width(view.scale, CLASSES)
    marked = drawing.marked
    if len(marked):
        halo = thin(mark_colour(), width + 6)
        halo.setCapStyle(Qt.PenCapStyle.RoundCap)  # arcs are pieces
        painter.setPen(halo)
        lines, owners = drawing.pieces[0]
        painter.drawLines(lines_in(view.pixels(lines[np.isin(owners, marked)]), area))
    for lines, owners in drawing.pieces[: 2 if view.scale >= _ARROWS_FROM else 1]:
        seen = in_sight(view.pixels(lines), area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, int(seen.sum()) < _MANY_LINES)
        strengths = drawing.classes[owners]
        for strength in range(CLASSES + 1):
            painter.setPen(thin(load_colour(strength), load_width(view.scale, strength)))
            painter.drawLines(lines_of(view.pixels(lines[seen & (strengths == strength)])))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def paint_highlight(
    painter: QPainter, drawing: Drawing, view: View, area: QRectF, channels: Ints, colour: QColor
) -> None:
    """Some channels once more, over everything."""
    painter.setPen(thin(colour, max(2.0, load_width(view.scale, CLASSES) * 0.6)))
    for lines, owners in drawing.pieces:
        painter.drawLines(lines_in(view.pixels(lines[np.isin(owners, channels)]), area))


def paint_nodes(painter: QPainter, ink: Ink, drawing: Drawing, view: View, area: QRectF) -> None:
    """All nodes in sight: filled with a process, dashed without."""
    nodes, side = drawing.geometry.nodes, 2 * HALF_NODE * view.scale
    places = view.pixels(nodes)
    near = area.adjusted(-side, -side, side, side)
    seen = (
        (places[:, 0] >= near.left()) & (places[:, 0] <= near.right())
        & (places[:, 1] >= near.top()) & (places[:, 1] <= near.bottom())
    )  # fmt: skip
    full = drawing.holders >= 0
    filled = _filled(ink)
    for which, fill, pen in (
        (seen & full, filled, thin(ink.muted)),
        (seen & ~full, ink.board, thin(ink.hatch, 1.0, Qt.PenStyle.DashLine)),
    ):
        painter.setBrush(ink.muted if side < _TINY_NODE and fill is filled else fill)
        painter.setPen(pen if side >= _TINY_NODE else Qt.PenStyle.NoPen)
        rects = [view.node_rect(nodes[node]) for node in np.flatnonzero(which).tolist()]
        if side < _ROUND_FROM:
            painter.drawRects(rects)
        else:
            for rect in rects:
                painter.drawRoundedRect(rect, 4, 4)
    _paint_labels(painter, ink, drawing, view, np.flatnonzero(seen & full))


def paint_numbers(painter: QPainter, ink: Ink, drawing: Drawing, view: View, area: QRectF) -> None:
    """Loads beside the channels between neighbours, where all of them have room."""
    geometry, (factor, _) = drawing.geometry, drawing.unit
    places = view.pixels(geometry.middles)
    inside = (places > (area.left(), area.top())) & (places < (area.right(), area.bottom()))
    which = np.flatnonzero(inside.all(axis=1) & (drawing.loads > 0))
    values = np.unique(drawing.loads[which]).tolist()
    if not values or len(values) > MOST_DRAWN:
        return
    texts = {value: f"{value / factor:.3g}" for value in values}
    widest = max(ink.width(text, ink.small) for text in texts.values()) + 1
    lane = LANE * view.scale + load_width(view.scale, CLASSES) / 2 + 2
    if widest > (1 - 2 * HALF_NODE) * view.scale - 8 or 2 * (widest + lane) > view.scale - 4:
        return
    height, head = ink.small_line, 0.5 * BARB * view.scale
    for channel in which.tolist():
        (x, y), (across, down) = places[channel], geometry.sides[channel]
        x, y = x + across * (lane + widest / 2), y + down * (lane + head + height / 2 - 3)
        rect = QRectF(x - widest / 2, y - height / 2, widest, height)
        side = CENTRE if abs(down) > 0.5 else (LEFT if across > 0 else RIGHT)
        text = texts[float(drawing.loads[channel])]
        ink.write(painter, rect.adjusted(-1, 0, 1, 0), text, ink.text, ink.small, side)


def paint_legend(painter: QPainter, ink: Ink, drawing: Drawing, rect: QRectF) -> None:
    """The colours and widths with their loads, and the busiest channel by name."""
    row, near = LegendRow(painter, ink, rect), GRID / 2
    if drawing.undrawn:
        row.write(drawing.undrawn, ink.muted, near + 2 * GRID)
    else:
        _paint_scale(painter, ink, drawing, row)
    for word, fill, pen in _boxes(drawing, ink):
        painter.setPen(pen)
        painter.setBrush(fill)
        painter.drawRect(QRectF(row.x, row.middle - 5, 10, 10))
        row.x += 14
        row.write(word, ink.muted, near + 2 * GRID)
    if len(drawing.marked) and not drawing.undrawn:
        painter.setPen(thin(mark_colour(), 6))
        painter.drawLine(QPointF(row.x + 3, row.middle), QPointF(row.x + 2 * GRID, row.middle))
        row.x += 2 * GRID + 8
    texts = list(busiest_texts(drawing))
    fitting = (text for text in texts if ink.width(text, ink.small) <= row.room - 4)
    row.write(next(fitting, texts[-1]), ink.text)


def _boxes(drawing: Drawing, ink: Ink) -> Iterator[tuple[str, QColor, QPen]]:
    """What the boxes are, as the legend says it, and how they are drawn."""
    yield "process" if drawing.labels else "process number", _filled(ink), thin(ink.muted)
    if (drawing.holders < 0).any():
        empty = "empty node" if len(np.unique(drawing.node)) == len(drawing.node) else "empty core"
        yield empty, ink.board, thin(ink.hatch, 1.0, Qt.PenStyle.DashLine)


def _filled(ink: Ink) -> QColor:
    """Of a node that has a process."""
    return ink.raised if theme().dark else ink.surface


def _paint_scale(painter: QPainter, ink: Ink, drawing: Drawing, row: LegendRow) -> None:
    """The colours and widths with their loads."""
    near = GRID / 2
    row.write(f"Channel load ({drawing.unit[1]}):", ink.muted, near)
    row.write("0", ink.text, near)
    for strength in range(CLASSES + 1):
        painter.setPen(thin(load_colour(strength), load_width(100.0, strength)))
        painter.drawLine(QPointF(row.x + 2, row.middle), QPointF(row.x + 2 * GRID, row.middle))
        row.x += 2 * GRID + 3
    row.x += near
    row.write(size(drawing.most).split()[0], ink.text, near + 2 * GRID)


def busiest_texts(drawing: Drawing) -> Iterator[str]:
    """The busiest channel in words, from the longest to the shortest."""
    channel, ties = drawing.busiest()
    if channel < 0:
        yield "No channel has traffic"
        return
    start, end = map(drawing.end, drawing.geometry.ends[channel].tolist())
    load, others = size(drawing.loads[channel]), ties - 1
    node = "" if start.startswith("switch") else "node "
    text = f"Busiest: {node}{start} → {end}, {load}"
    if others:
        text += f", {count(others, 'other')} as much"
    loaded = int((drawing.loads > 0).sum())
    if not drawing.undrawn and not drawing.all_lines and loaded > MOST_DRAWN:
        text += f"; the busiest {MOST_DRAWN:,} of {loaded:,} are drawn"
    yield text
    if others:
        yield f"Busiest: {start} → {end} and {count(others, 'other')}, {load}"
    yield f"Busiest: {start} → {end}{f' (+{others})' if others else ''}, {load}"


def in_sight(lines: Floats, area: QRectF) -> Flags:
    """Which of the lines, in pixels, may touch the area."""
    x, y = lines[:, 0::2], lines[:, 1::2]
    return np.asarray(
        (x.max(axis=1) >= area.left()) & (x.min(axis=1) <= area.right())
        & (y.max(axis=1) >= area.top()) & (y.min(axis=1) <= area.bottom())
    )  # fmt: skip


def lines_in(lines: Floats, area: QRectF) -> list[QLineF]:
    """Those of the lines, in pixels, that may touch the area."""
    return lines_of(lines[in_sight(lines, area)])


def _paint_labels(painter: QPainter, ink: Ink, drawing: Drawing, view: View, nodes: Ints) -> None:
    """The process on each node, and the node's number where there is room for both."""
    room = 2 * HALF_NODE * view.scale - 2
    if not len(nodes) or room < ink.small_line - 2:
        return
    texts = {node: drawing.label(int(drawing.holders[node])) for node in nodes.tolist()}
    if max(ink.width(text, ink.small) for text in texts.values()) > room and not (
        drawing.labels and room > 5 * GRID
    ):
        return
    longest = f"node {drawing.node[-1]}"
    both = room > 2 * ink.small_line + 4 and ink.width(longest, ink.small) < room
    for node, text in texts.items():
        rect = view.node_rect(drawing.geometry.nodes[node])
        if both:
            upper = QRectF(rect.left(), rect.top() + 2, rect.width(), rect.height() / 2)
            lower = QRectF(rect.left(), upper.bottom() - 2, rect.width(), rect.height() / 2)
            ink.write(painter, upper.adjusted(2, 0, -2, 0), text, ink.text, ink.bold, CENTRE)
            ink.write(painter, lower, f"node {drawing.node[node]}", ink.muted, ink.small, CENTRE)
        else:
            ink.write(painter, rect.adjusted(1, 0, -1, 0), text, ink.text, ink.small, CENTRE)
