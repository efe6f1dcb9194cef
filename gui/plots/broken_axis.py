"""An axis that can be broken where bars are much longer than the rest: true to scale up to there.

Bars are stacked, so that logarithms would lie about their parts. Up to the break all lengths can be
compared; beyond it the rest, to the longest bar, is squeezed into a short piece, whose end is
labelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.basics.theme import GRID, theme
from gui.plots.axis_ticks import Axis

DWARFS = 20.0  # times the median
_LONGER = 3.0
_BEYOND = 1.25  # of the longest bar that does not dwarf the others
_PIECE = 6.0 * GRID  # pixels behind the break
_GAP, _SLANT = 5.0, 3.0  # of the mark


def break_of(lengths: Sequence[float]) -> float | None:
    """Where an axis of bars can be broken, as soon as the user asks for it.

    Where the longest is more than 3 times the median of all that are not empty, of two 3 times the
    other; bars of up to 20 times as much are compared where one dwarfs even these. Never where the
    longest is not even 3 times those that would be left.

    Returns a little beyond the longest bar that is to be compared; ``None``: all are.
    """
    known = sorted(length for length in lengths if length > 0)
    if len(known) < 2:
        return None
    usual = median(known) if len(known) > 2 else known[0]
    for most in (DWARFS * usual, _LONGER * usual):
        compared = max(length for length in known if length <= most)
        if known[-1] > max(most, _LONGER * compared):
            return _BEYOND * compared
    return None


@dataclass(frozen=True)
class BrokenAxis:
    """An axis over [0, high] that is broken at `cut`."""

    near: Axis  # the part before the break, [0, cut]
    high: float  # the end of the piece behind it
    end: float  # its pixel

    @property
    def start(self) -> float:
        """The pixel of 0."""
        return self.near.start

    @property
    def title(self) -> str:
        """As of the part before the break."""
        return self.near.title

    def position(self, value: float) -> float:
        """The pixel of `value`."""
        cut = self.near.high
        if value <= cut:
            return self.near.position(value)
        begin = self.near.end + _GAP
        return begin + (value - cut) / (self.high - cut) * (self.end - begin)

    def ticks(self, spacing: float = 80.0) -> list[tuple[float, str]]:
        """Those before the break that leave room, and the end."""
        before = self.near.ticks(spacing)
        room = [
            tick for tick in before if self.near.position(tick[0]) < self.near.end - spacing / 2
        ]
        return [*room, (self.high, self.near.written(self.high))]

    def paint_break(self, painter: QPainter, row: QRectF) -> None:
        """Two slanted lines across a bar, with the ground between them."""
        left, right = self.near.end, self.near.end + _GAP
        top, bottom = row.top() - 1, row.bottom() + 1
        ends = [(QPointF(at + _SLANT, top), QPointF(at - _SLANT, bottom)) for at in (left, right)]
        colours = theme().colours
        painter.save()
        painter.setPen(QPen(QColor(colours.surface), 0))
        painter.setBrush(QColor(colours.surface))
        painter.drawPolygon(QPolygonF([*ends[0], ends[1][1], ends[1][0]]))
        painter.setPen(QPen(QColor(colours.text), 1.5))
        for one, other in ends:
            painter.drawLine(one, other)
        painter.restore()


def axis_of(whole: Axis, cut: float | None) -> Axis | BrokenAxis:
    """The axis, broken at `cut` where there is one and room for it."""
    if cut is None or whole.end - whole.start < 3 * _PIECE:
        return whole
    near = replace(whole, high=cut, end=whole.end - _PIECE)
    return BrokenAxis(near, whole.high, whole.end)
