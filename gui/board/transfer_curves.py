"""Transfers as curves: from when data set out, at their source, to when they are there.

A curve is as long as its transfer: it begins at the lane that holds the data and ends at the lane
that reads them. Thin lines join it to the bars: data that wait to be sent, and data that wait to
be read. What lies in a store comes from below the lanes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen, QRegion

from gui.basics.ink import Ink, thin
from gui.basics.painter_paths import bends_path, lines_path
from gui.board.arcs import MANY, Arcs
from gui.board.bar_painting import Picture
from gui.board.frame import Frame
from machines.arrays import Flags, Floats, Ints

_WIDEST = 4.5
_CRITICAL = 2.5
_DOTTED = 30
_FEW = 12
_SEEN = 1.5  # pixels of a transfer that shows
_SHORTEST = 3.0  # pixels of a line that is worth drawing
_STRAIGHT = 0.5  # pixels to a side below which there is no curve: some readers drop it
_FAR = 1e5  # pixels out of sight where arcs are cut: painters count in few bits
_WORDED = 20.0  # pixels of a bar that may have words
_MOST_WORDED = 400  # bars: of more it would take too long
_STEP = 0.25  # pixels between widths: curves of one width are drawn at once


class Ways(NamedTuple):
    """Arcs on screen.

    `begin`, `left`, `arrived`, `end`: shape (arcs, 2); where data are made, set out, are there and
        are read, x and y in pixels; the curve is between the two in the middle.
    """

    begin: Floats
    left: Floats
    arrived: Floats
    end: Floats

    def only(self, these: Flags | Ints) -> Ways:
        """Some of them."""
        return Ways(*(points[these] for points in self))

    def touch(self, rect: QRectF) -> Flags:
        """Whose surroundings reach into a rectangle, bool array (arcs,)."""
        points = np.stack(self)
        low, high = points.min(axis=0) - 1, points.max(axis=0) + 1
        across = (low[:, 0] < rect.right()) & (high[:, 0] > rect.left())
        found: Flags = across & (low[:, 1] < rect.bottom()) & (high[:, 1] > rect.top())
        return found

    @property
    def curves(self) -> QPainterPath:
        """What moves."""
        straight = np.abs(self.arrived[:, 0] - self.left[:, 0]) < 2 * _STRAIGHT
        return bends_path(self.left, self.arrived, straight)

    @property
    def waits(self) -> QPainterPath:
        """Where data wait, before and after."""
        begin = np.concatenate((self.begin, self.arrived))
        end = np.concatenate((self.left, self.end))
        long = np.hypot(*(end - begin).T) >= _SHORTEST
        return lines_path(begin[long], end[long])


def ways(picture: Picture, arcs: Arcs, chosen: Ints) -> Ways:
    """Where arcs are on screen."""
    box, bars, frame = picture.boxes, picture.lanes.bar_of, picture.frame
    source, outside = arcs.source[chosen], arcs.source[chosen] < 0
    own, last = bars[np.maximum(source, 0)], bars[arcs.target[chosen]]
    middle = box.y + box.height / 2
    begin = np.where(outside, frame.x(0.0), box.x1[own])
    level = np.where(outside, _homes(frame, arcs.home[chosen]), middle[own])
    moves = ~np.isnan(arcs.left_s[chosen])
    end, low = box.x0[last], middle[last]
    there = middle[bars[arcs.first[chosen]]]

    def points(x: Floats, y: Floats) -> Floats:
        return np.stack([np.clip(x, -_FAR, frame.width + _FAR), y], axis=1)

    return Ways(
        points(begin, level),
        points(np.where(moves, frame.x(arcs.left_s[chosen]), begin), level),
        points(np.where(moves, frame.x(arcs.arrived_s[chosen]), end), np.where(moves, there, low)),
        points(end, low),
    )


def paint_arcs(
    painter: QPainter,
    ink: Ink,
    picture: Picture,
    arcs: Arcs,
    chosen: Ints,
    *,
    strong: bool = False,
    over: bool = False,
) -> None:
    """Draw the arcs `chosen`; strong ones, and those of the critical path, in full colour.

    `strong`: they are the selection's. `over`: bars are drawn already: what moves goes on top of
    them, if it shows, and nothing else.
    """
    # of many, what is critical but takes no time that shows is but a thin line
    shows = arcs.critical & (arcs.seconds * picture.frame.px_per_s >= _SEEN)
    lasting = arcs.critical if len(chosen) <= _FEW else shows
    wanted = chosen[lasting[chosen]] if over else chosen
    wanted = wanted[_between_bars(picture, arcs, wanted)]
    found = ways(picture, arcs, wanted)
    seen = found.touch(QRectF(0, 0, picture.frame.width, picture.frame.height))
    wanted, found = wanted[seen], found.only(seen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if not over:
        painter.save()
        if strong:
            painter.setClipRegion(_off_bars(picture), Qt.ClipOperation.IntersectClip)
        painter.setPen(thin(ink.faded(ink.muted, 0.8 if strong else 0.4)))
        painter.drawPath(found.waits)
        painter.restore()
    vivid = lasting[wanted] | strong
    drawn = np.flatnonzero(vivid | _first_readers(arcs, wanted))
    longest = float(arcs.seconds[chosen].max(initial=0.0))
    looks = _looks(arcs, wanted[drawn], vivid[drawn], longest, len(chosen))
    for look in sorted(set(looks)):
        alike = [place for place, own in zip(drawn.tolist(), looks, strict=True) if own == look]
        painter.setPen(_pen(ink, look))
        painter.drawPath(found.only(np.array(alike)).curves)


def arc_at(picture: Picture, arcs: Arcs, chosen: Ints, position: QPointF) -> int | None:
    """The drawn arc under a point, give or take 4 px."""
    stroker = QPainterPathStroker()
    stroker.setWidth(8.0)
    chosen = chosen[_between_bars(picture, arcs, chosen)]
    found = ways(picture, arcs, chosen)
    near = found.touch(QRectF(position.x() - 5, position.y() - 5, 10, 10))
    for place in np.flatnonzero(near).tolist():
        one = found.only(np.array([place]))
        path = one.curves
        path.addPath(one.waits)
        if stroker.createStroke(path).contains(position):
            return int(chosen[place])
    return None


class _Look(NamedTuple):
    """How a curve is drawn: what comes last lies on top."""

    vivid: bool
    critical: bool
    moves: bool
    width: float
    dotted: bool


def _looks(arcs: Arcs, these: Ints, vivid: Flags, longest_s: float, many: int) -> list[_Look]:
    """Wider the longer it takes, black where critical, dotted where nothing moves."""
    seconds, critical = arcs.seconds[these], arcs.critical[these]
    share = seconds / longest_s if longest_s > 0 else np.zeros(len(these))
    width = 1.0 + ((_WIDEST if many <= MANY else _WIDEST / 2) - 1.0) * share
    width = np.where(critical, np.where(vivid, np.minimum(width, _CRITICAL), 1.0), width)
    width = np.rint(width / _STEP) * _STEP
    # dashes take ten times as long to draw
    dotted = (seconds <= 0) & (many <= _DOTTED)
    columns = (vivid, critical, seconds > 0, width, dotted)
    return [_Look(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _pen(ink: Ink, look: _Look) -> QPen:
    colour = ink.text if look.critical else (ink.transferring if look.moves else ink.muted)
    if not look.vivid:
        colour = ink.faded(colour, 0.25 if look.critical else 0.5)
    style = Qt.PenStyle.DotLine if look.dotted else Qt.PenStyle.SolidLine
    return QPen(colour, look.width, style, Qt.PenCapStyle.FlatCap)


def _off_bars(picture: Picture) -> QRegion:
    """Where no bar with words is: a line along its middle would strike them out."""
    frame, boxes = picture.frame, picture.boxes
    free = QRegion(0, 0, math.ceil(frame.width), math.ceil(frame.height))
    worded = np.flatnonzero(picture.visible & (boxes.x1 - boxes.x0 >= _WORDED))
    if worded.size <= _MOST_WORDED:
        for bar in worded.tolist():
            free -= QRegion(picture.rect(bar).toAlignedRect())
    return free


def _between_bars(picture: Picture, arcs: Arcs, chosen: Ints) -> Flags:
    """Arcs that do not stay within one bar, bool array (chosen,)."""
    source, bars = arcs.source[chosen], picture.lanes.bar_of
    found: Flags = (source < 0) | (bars[np.maximum(source, 0)] != bars[arcs.target[chosen]])
    return found


def _first_readers(arcs: Arcs, chosen: Ints) -> Flags:
    """One arc of every copy that several tasks read, bool array (chosen,)."""
    row = arcs.transfer[chosen]
    first = row < 0
    first[np.unique(row, return_index=True)[1]] = True
    return first


def _homes(frame: Frame, hosts: Ints) -> Floats:
    """Where what lies at hosts comes from: their lanes, or the edge below which the stores are."""
    machines = len(frame.rows)
    lane = np.minimum(hosts, machines - 1)
    heights = np.diff(frame.tops) - frame.strips
    inside = frame.axis - frame.scroll_y + frame.tops[lane] + heights[lane] / 2
    return np.where(hosts < machines, inside, frame.height - frame.footer)
