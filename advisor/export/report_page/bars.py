"""Bars below each other, each under its own label: parts by cause, or a share of something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.export.report_page.drawing import (
    FILL,
    LINE,
    MUTED,
    NARROW_PX,
    TEXT_PX,
    Box,
    Drawing,
    Shape,
    Word,
    shortened,
    text_px,
)

_LABEL_PX, _BAR_PX, _GAP_PX = 17.0, 14.0, 9.0
MOST_BARS = 16  # of one figure: it is no higher than a sheet of paper


@dataclass(frozen=True)
class Barred:
    """One bar.

    Attributes
    ----------
    label, value : str
        Above it, at the left and at the right.
    parts : tuple of (length, fill, says)
        From the left; lengths are shares of the width.
    whole : bool
        Whether the rest up to the width is drawn, too: the bar is a share of it.
    """

    label: str
    value: str
    parts: tuple[tuple[float, str, str], ...]
    whole: bool = False


def bars(rows: Sequence[Barred]) -> Drawing:
    """The drawing of some bars."""
    shapes: list[Shape] = []
    y = 2.0
    for row in rows:
        room = NARROW_PX - text_px(row.value) - TEXT_PX
        shapes.append(Word(0.0, y + TEXT_PX, shortened(row.label, room)))
        shapes.append(Word(1.0, y + TEXT_PX, row.value, MUTED, end=True))
        y += _LABEL_PX
        if row.whole:
            shapes.append(Box(0.0, 1.0, y, _BAR_PX, LINE))
        at = 0.0
        for length, fill, says in row.parts:
            end = min(1.0, at + length)
            shapes.append(Box(at, end, y, _BAR_PX, fill, says))
            at = end
        y += _BAR_PX + _GAP_PX
    return Drawing(y, tuple(shapes))


def share(label: str, value: str, part: float, says: str) -> Barred:
    """A bar that is a share of a whole, 0 to 1."""
    return Barred(label, value, ((min(1.0, max(0.0, part)), FILL, says),), whole=True)
