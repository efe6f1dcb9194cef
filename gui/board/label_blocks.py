"""Names in lanes of many cores: rows too low for words are read together, as blocks of a kind.

Cores are taken together to bands that are high enough for a line of text. Where most of a band is
one kind of task for a while, and so are the bands below it, that is a block with its name.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from gui.basics.ink import CENTRE, Ink, contrasting
from gui.board.bar_painting import Picture
from gui.board.merging import coverage
from machines.arrays import Flags, Floats, Ints

_STEP = 12.0  # pixels of a column in which coverage is counted
_MOST = 0.6  # share of a band that must be of one kind
_ALIKE = 0.7  # overlap of the parts of two bands that are one block
_NARROWEST = 72.0
_PLACES = (0.5, 0.2, 0.8, 0.0, 1.0)  # of a name in its block, the best first
_MIDDLE = Qt.TextElideMode.ElideMiddle  # the number at its end stays
_FEWEST = 3  # tasks of a block
_MOST_KINDS = 16


class Block(NamedTuple):
    """Tasks of one kind side by side: what they are, how many, and where, pixels."""

    kind: int
    tasks: int
    rect: QRectF


class _Bands(NamedTuple):
    """Arrays (bands,): lane, first row and number of rows; (lanes + 1,): rows of lanes before."""

    lane: Ints
    row: Ints
    rows: Ints
    offset: Ints


class _Run(NamedTuple):
    kind: int
    first: int  # column
    last: int


def blocks(picture: Picture, line: float) -> list[Block]:
    """The blocks of all lanes on screen whose rows are lower than a line of text."""
    frame, lanes = picture.frame, picture.lanes
    heights = np.diff(frame.tops) - frame.strips
    pitch, first = frame.pitch(heights, frame.rows)
    top = frame.axis - frame.scroll_y + frame.tops[:-1] + first
    seen = (top < frame.height) & (top + frame.rows * pitch > frame.axis)
    low = seen & (pitch < line) & (frame.rows * pitch >= line)
    if not low.any():
        return []
    bars = np.flatnonzero(low[lanes.lane] & picture.visible)
    bands = _bands(frame.rows, pitch, low, line)
    share, kinds = _shares(picture, bars, bands)
    found: list[Block] = []
    for lane in np.flatnonzero(low).tolist():
        mine = np.flatnonzero(bands.lane == lane)
        runs = _runs(share[mine] / bands.rows[mine][:, None], kinds[mine])
        own = bars[lanes.lane[bars] == lane]
        for run, begin, end in _joined(runs):
            rows = (
                int(bands.row[mine[begin]]),
                int(bands.row[mine[end - 1]] + bands.rows[mine[end - 1]]),
            )
            x0 = frame.header + run.first * _STEP
            y0 = float(top[lane] + rows[0] * pitch[lane])
            high = float((rows[1] - rows[0]) * pitch[lane])
            rect = QRectF(x0, y0, (run.last - run.first) * _STEP, high)
            tasks = _tasks(picture, own, run.kind, rows, rect)
            if tasks >= _FEWEST and rect.height() >= line:
                found.append(Block(run.kind, tasks, rect))
    return found


def paint_blocks(painter: QPainter, ink: Ink, picture: Picture) -> None:
    """The name of every block, with its number of tasks, where no critical bar lies over it."""
    found = blocks(picture, ink.small_line)
    if not found:
        return
    critical = np.flatnonzero(picture.lanes.critical & picture.visible)
    taken = [picture.rect(bar) for bar in critical.tolist()]
    for block in found:
        text = f"{picture.kinds.names[block.kind]} × {block.tasks:,}"
        room = block.rect.adjusted(4, 0, -4, 0)
        width = min(ink.width(text, ink.small) + 8, room.width())
        plate = QRectF(0, 0, width, min(ink.small_line, room.height()))
        for share in _PLACES:
            middle = room.top() + plate.height() / 2 + share * (room.height() - plate.height())
            plate.moveCenter(QPointF(room.center().x(), middle))
            if not any(plate.intersects(other) for other in taken):
                fill = ink.kind(block.kind) if picture.by_kind else ink.computing
                painter.fillRect(plate, fill)
                colour = contrasting(fill)
                ink.write(painter, plate, text, colour, ink.small, CENTRE, elide=_MIDDLE)
                break


def _bands(rows: Ints, pitch: Floats, low: Flags, line: float) -> _Bands:
    """The rows of all lanes in `low`, as many together as a line of text needs."""
    lanes = np.flatnonzero(low)
    offset = np.cumsum(np.append(0, np.where(low, rows, 0)))
    starts = [np.arange(0, rows[lane], -(-line // pitch[lane])).astype(np.int64) for lane in lanes]
    lane = np.repeat(lanes, [len(each) for each in starts])
    row = np.concatenate(starts)
    ends = np.append(row[1:], 0)
    ends = np.where(np.append(lane[1:] == lane[:-1], False), ends, rows[lane])
    return _Bands(lane, row, ends - row, offset)


def _shares(picture: Picture, bars: Ints, bands: _Bands) -> tuple[Floats, Ints]:
    """Rows of each band that its foremost kind covers, and that kind, arrays (bands, columns)."""
    lanes, columns = picture.lanes, int(picture.frame.ground_width // _STEP) + 1
    edges = bands.offset[bands.lane] + bands.row
    most, kind_of = np.zeros((len(edges), columns)), np.full((len(edges), columns), -1)
    row = bands.offset[lanes.lane[bars]] + lanes.row[bars]
    x0 = (picture.boxes.x0[bars] - picture.frame.header) / _STEP
    x1 = (picture.boxes.x1[bars] - picture.frame.header) / _STEP
    kind_of_bar = lanes.kind[bars]
    kinds, count = np.unique(kind_of_bar, return_counts=True)
    for kind in kinds[np.argsort(-count, kind="stable")][:_MOST_KINDS].tolist():
        mine = kind_of_bar == kind
        covered = coverage(row[mine], x0[mine], x1[mine], int(bands.offset[-1]), columns)
        share = np.add.reduceat(covered, edges, axis=0)
        kind_of[share > most] = kind
        most = np.maximum(most, share)
    return most, kind_of


def _tasks(picture: Picture, bars: Ints, kind: int, rows: tuple[int, int], rect: QRectF) -> int:
    """Tasks of a kind whose bars have their middle in a block."""
    lanes = picture.lanes
    middle = (picture.boxes.x0[bars] + picture.boxes.x1[bars]) / 2
    inside = (lanes.kind[bars] == kind) & (middle >= rect.left()) & (middle <= rect.right())
    inside &= (lanes.row[bars] >= rows[0]) & (lanes.row[bars] < rows[1])
    return int(np.diff(lanes.member_from)[bars[inside]].sum())


def _runs(share: Floats, kinds: Ints) -> list[list[_Run]]:
    """For every band, from left to right, where it is mostly of one kind."""
    found: list[list[_Run]] = []
    for row, strong in zip(kinds, share >= _MOST, strict=True):
        shown = np.where(strong, row, -1)
        cuts = np.flatnonzero(np.diff(shown)) + 1
        ends = np.concatenate(([0], cuts, [len(shown)]))
        found.append(
            [
                _Run(int(shown[begin]), int(begin), int(end))
                for begin, end in pairwise(ends)
                if shown[begin] >= 0 and (end - begin) * _STEP >= _NARROWEST
            ]
        )
    return found


def _joined(bands: list[list[_Run]]) -> list[tuple[_Run, int, int]]:
    """(what all its bands share, first band, band after the last) of every block."""
    done: list[tuple[_Run, int, int]] = []
    open_: list[tuple[_Run, int, int]] = []
    for band, runs in enumerate(bands):
        left = list(runs)
        still = []
        for block, begin, _ in open_:
            run = next((one for one in left if _alike(one, block)), None)
            if run is None:
                done.append((block, begin, band))
                continue
            left.remove(run)
            shared = _Run(block.kind, max(block.first, run.first), min(block.last, run.last))
            still.append((shared, begin, band + 1))
        open_ = still + [(run, band, band + 1) for run in left]
    return done + [(block, begin, len(bands)) for block, begin, _ in open_]


def _alike(one: _Run, other: _Run) -> bool:
    shared = min(one.last, other.last) - max(one.first, other.first)
    longer = max(one.last - one.first, other.last - other.first)
    return one.kind == other.kind and shared >= _ALIKE * longer
