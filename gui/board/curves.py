"""Transfers as curves: from when data set out, at their source, to when they are there.

A curve is as long as its transfer: it begins at the lane that holds the data and ends at the lane
that reads them. Thin lines join it to the bars: data that wait to be sent, and data that wait to
be read. What lies in a store comes from below the lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen

from gui.basics.ink import Ink, thin
from gui.board.arcs import MANY, Arcs
from gui.board.bars import Picture
from machines.arrays import Flags, Ints

_WIDEST = 4.5
_CRITICAL = 2.5
_DOTTED = 30
_FEW = 12
_SEEN = 1.5  # pixels of a transfer that shows
_SHORTEST = 3.0  # pixels of a line that is worth drawing
_STRAIGHT = 0.5  # pixels to a side below which there is no curve: some readers drop it
_FAR = 1e5


class Way(NamedTuple):
    """An arc on screen.

    Attributes
    ----------
    begin, left, arrived, end : QPointF
        Where data are made, set out, are there and are read; the curve is between the two in the
        middle.
    """

    begin: QPointF
    left: QPointF
    arrived: QPointF
    end: QPointF

    @property
    def curve(self) -> QPainterPath:
        """What moves."""
        reach = QPointF((self.arrived.x() - self.left.x()) / 2, 0)
        path = QPainterPath(self.left)
        if abs(reach.x()) < _STRAIGHT:
            path.lineTo(self.arrived)
            return path
        path.cubicTo(self.left + reach, self.arrived - reach, self.arrived)
        return path

    @property
    def waits(self) -> tuple[QLineF, ...]:
        """Where data wait, before and after."""
        lines = (QLineF(self.begin, self.left), QLineF(self.arrived, self.end))
        return tuple(line for line in lines if line.length() >= _SHORTEST)


def way(picture: Picture, arcs: Arcs, arc: int) -> Way | None:
    """Where an arc is on screen; None within one bar."""
    box, bars, frame = picture.boxes, picture.lanes.bar_of, picture.frame
    source, target = int(arcs.source[arc]), int(arcs.target[arc])
    last, first = int(bars[target]), int(bars[int(arcs.first[arc])])
    end = QPointF(_near(frame.width, float(box.x0[last])), _middle(picture, last))
    if source < 0:
        begin = QPointF(_near(frame.width, frame.x(0.0)), _home(picture, int(arcs.home[arc])))
    else:
        own = int(bars[source])
        if own == last:
            return None
        begin = QPointF(_near(frame.width, float(box.x1[own])), _middle(picture, own))
    if np.isnan(arcs.left_s[arc]):
        return Way(begin, begin, end, end)
    left = QPointF(_near(frame.width, frame.x(float(arcs.left_s[arc]))), begin.y())
    there = _near(frame.width, frame.x(float(arcs.arrived_s[arc])))
    return Way(begin, left, QPointF(there, _middle(picture, first)), end)


def paint_arcs(
    painter: QPainter,
    ink: Ink,
    picture: Picture,
    arcs: Arcs,
    chosen: Ints,
    strong: frozenset[int] = frozenset(),
    over: bool = False,
) -> None:
    """Draw the arcs `chosen`; those in `strong`, and the critical ones, in full colour.

    Parameters
    ----------
    over : bool
        Bars are drawn already: what moves goes on top of them, if it shows, and nothing else.
    """
    seen = QRectF(0, 0, picture.frame.width, picture.frame.height)
    longest = float(arcs.seconds[chosen].max(initial=0.0))
    drawn: set[int] = set()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # of many, what is critical but takes no time that shows is but a thin line
    shows = arcs.critical & (arcs.seconds * picture.frame.px_per_s >= _SEEN)
    lasting = arcs.critical if len(chosen) <= _FEW else shows
    wanted = _in_sight(picture, arcs, chosen) & (lasting[chosen] | (not over))
    for arc in chosen[wanted].tolist():
        found = way(picture, arcs, arc)
        if found is None or not _bounds(found).intersects(seen):
            continue
        vivid = arc in strong or bool(lasting[arc])
        if not over:
            painter.setPen(thin(ink.faded(ink.muted, 0.8 if arc in strong else 0.4)))
            painter.drawLines(list(found.waits))
        row = int(arcs.transfer[arc])
        if row >= 0 and row in drawn and not vivid:
            continue  # another reader of the same copy
        drawn.add(row)
        painter.setPen(_pen(ink, arcs, arc, vivid, longest, len(chosen)))
        painter.drawPath(found.curve)


def arc_at(picture: Picture, arcs: Arcs, chosen: Ints, position: QPointF) -> int | None:
    """The drawn arc under a point, give or take 4 px."""
    stroker = QPainterPathStroker()
    stroker.setWidth(8.0)
    near = QRectF(position.x() - 5, position.y() - 5, 10, 10)
    for arc in chosen.tolist():
        found = way(picture, arcs, arc)
        if found is None or not _bounds(found).intersects(near):
            continue
        path = found.curve
        for line in found.waits:
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        if stroker.createStroke(path).contains(position):
            return int(arc)
    return None


def _in_sight(picture: Picture, arcs: Arcs, chosen: Ints) -> Flags:
    """Arcs that reach into the part of the time that is on screen, bool array (chosen,)."""
    frame, bars = picture.frame, picture.lanes.bar_of
    source, target = arcs.source[chosen], arcs.target[chosen]
    begin = np.where(source >= 0, picture.boxes.x1[bars[source]], frame.x(0.0))
    end = picture.boxes.x0[bars[target]]
    return (np.minimum(begin, end) <= frame.width) & (np.maximum(begin, end) >= frame.header)


def _pen(ink: Ink, arcs: Arcs, arc: int, vivid: bool, longest_s: float, many: int) -> QPen:
    """Wider the longer it takes, black where critical, dotted where nothing moves."""
    seconds, critical = float(arcs.seconds[arc]), bool(arcs.critical[arc])
    colour = ink.text if critical else (ink.transferring if seconds > 0 else ink.muted)
    colour = colour if vivid else ink.faded(colour, 0.25 if critical else 0.5)
    share = seconds / longest_s if longest_s > 0 else 0.0
    width = 1.0 + ((_WIDEST if many <= MANY else _WIDEST / 2) - 1.0) * share
    if critical:
        width = min(width, _CRITICAL) if vivid else 1.0
    # dashes take ten times as long to draw
    dotted = seconds <= 0 and many <= _DOTTED
    style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
    return QPen(colour, width, style, Qt.PenCapStyle.FlatCap)


def _bounds(found: Way) -> QRectF:
    """A rectangle around an arc, a pixel wider than it."""
    xs, ys = [point.x() for point in found], [point.y() for point in found]
    low, high = QPointF(min(xs) - 1, min(ys) - 1), QPointF(max(xs) + 1, max(ys) + 1)
    return QRectF(low, high)


def _middle(picture: Picture, bar: int) -> float:
    return float(picture.boxes.y[bar] + picture.boxes.height[bar] / 2)


def _home(picture: Picture, host: int) -> float:
    """Where what lies at a host comes from: its lane, or the edge below which the stores are."""
    frame = picture.frame
    if host < len(frame.rows):
        top, height = frame.lane_box(host)
        return top + height / 2
    return frame.height - frame.footer


def _near(width: float, x: float) -> float:
    """A column, cut where it is far out of sight: painters count in few bits."""
    return min(max(x, -_FAR), width + _FAR)
