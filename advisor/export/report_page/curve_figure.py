"""Curves and points over two axes of numbers as a drawing: legend, axes with round ticks, signs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from advisor.export.report_page.svg_drawing import (
    CIRCLE,
    CURVES,
    GROUND,
    INK,
    LINE,
    LINE_SIGN,
    MUTED,
    NARROW_PX,
    SQUARE,
    TEXT_PX,
    TRIANGLE,
    Box,
    Curve,
    Drawing,
    Rule,
    Shape,
    Sign,
    Word,
    text_px,
)
from advisor.studies.study import Series
from machines.arrays import Floats

_LEFT, _RIGHT = 0.12, 0.96  # of the width
_HEIGHT, _ROW = 260.0, 17.0  # pixels of the area between the axes, of a line of text
_COLUMN = 0.55  # of the narrowest width, that two names beside each other have each
_SIGN_PX = 30.0  # of a sign in the legend
_DASHES = ("", "7 4", "2 3", "8 3 2 3")
_SIGNS = (CIRCLE, SQUARE, TRIANGLE)
_MOST = 6  # steps between ticks
_DECADES = 1.5  # below, an axis has ticks at 2 and 5, too


@dataclass(frozen=True)
class _Axis:
    """Values from `low` to `high`, logarithmic or not, and its round ticks; of things: whole."""

    low: float
    high: float
    log: bool
    counts: bool

    def share(self, values: Floats) -> Floats:
        """Where values lie between the ends."""
        ends = np.array([self.low, self.high])
        if self.log:
            values, ends = np.log10(values), np.log10(ends)
        found: Floats = (values - ends[0]) / (ends[1] - ends[0])
        return found

    @property
    def ticks(self) -> tuple[float, ...]:
        """Round values from end to end."""
        if not self.log:
            step = max(_step(self.low, self.high), float(self.counts))
            first = math.ceil(self.low / step - 1e-9)
            last = math.floor(self.high / step + 1e-9)
            return tuple(step * place for place in range(first, last + 1))
        low, high = math.log10(self.low), math.log10(self.high)
        every = max(1, math.ceil((high - low) / _MOST))
        factors = (1, 2, 5) if high - low < _DECADES else (1,)
        powers = range(math.floor(low), math.ceil(high) + 1)
        found = (factor * 10.0**power for power in powers if power % every == 0
                 for factor in factors)  # fmt: skip
        return tuple(one for one in found if low - 1e-9 <= math.log10(one) <= high + 1e-9)


def curve_drawing(
    series: Sequence[Series], logarithmic: tuple[bool, bool], title: str = ""
) -> Drawing:
    """Lines and points as a drawing of any width.

    Parameters
    ----------
    series : sequence of Series
        Kinds "line" and "points"; the axes are named as by the first.
    logarithmic : tuple of bool
        Whether the horizontal and the vertical axis are.
    title : str
        Above it, on a ground of its own; for a drawing without a page around it.
    """
    first = series[0]
    legend, top = _legend(series, _ROW + 4.0 if title else 0.0)
    along = _axis([one.x for one in series], logarithmic[0], counts=first.counts)
    across = _axis([one.y for one in series], logarithmic[1], whole=True)
    top += _ROW + 6.0
    bottom = top + _HEIGHT
    shapes = _scale(along, across, top, bottom)
    shapes.append(Word(0.0, top - 13.0, _labelled(first.y_label, first.y_unit), MUTED))
    lines, points = count(), count()
    for one in series:
        x, y = np.array(one.x, float), np.array(one.y, float)
        known = np.isfinite(x) & np.isfinite(y)
        at = (_LEFT + (_RIGHT - _LEFT) * along.share(x[known])).tolist()
        down = (bottom - _HEIGHT * across.share(y[known])).tolist()
        if one.kind == "line":
            place = next(lines)
            shapes.append(Curve(tuple(at), tuple(down), *_look(place)))
        else:
            sign = _SIGNS[next(points) % len(_SIGNS)]
            says = one.labels or (one.name,) * len(known)
            shapes += [Sign(spot, height, sign, says=text)
                       for spot, height, text in zip(at, down, says, strict=True)]  # fmt: skip
    base = bottom + 2.0 * _ROW + 2.0
    label = _labelled(first.x_label, first.x_unit)
    shapes.append(Word(_RIGHT, base, label, MUTED, end=True))
    height = base + 6.0
    if title:
        legend[:0] = [Box(0.0, 1.0, 0.0, height, GROUND), Word(0.0, _ROW - 4.0, title, bold=True)]
    return Drawing(height, (*legend, *shapes))


def _legend(series: Sequence[Series], top: float) -> tuple[list[Shape], float]:
    """The names with their signs, in two columns where they have room, and where they end."""
    widest = max(text_px(one.name) for one in series)
    columns = 2 if _SIGN_PX + widest <= _COLUMN * NARROW_PX and len(series) > 1 else 1
    shapes: list[Shape] = []
    lines, points = count(), count()
    for place, one in enumerate(series):
        x, base = (place % columns) / columns, top + (place // columns + 1) * _ROW - 4.0
        middle = base - TEXT_PX / 3.0
        if one.kind == "line":
            shapes.append(Sign(x, middle, LINE_SIGN, *_look(next(lines))))
        else:
            shapes.append(Sign(x, middle, _SIGNS[next(points) % len(_SIGNS)], dx=12.0))
        shapes.append(Word(x, base, one.name, INK, dx=_SIGN_PX))
    return shapes, top + math.ceil(len(series) / columns) * _ROW + 8.0


def _look(place: int) -> tuple[str, str]:
    """Colour and dash of a curve."""
    return CURVES[place % len(CURVES)], _DASHES[place % len(_DASHES)]


def _scale(along: _Axis, across: _Axis, top: float, bottom: float) -> list[Shape]:
    """Lines at the ticks of both axes, with their values."""
    shapes: list[Shape] = []
    for tick, share in zip(along.ticks, along.share(np.array(along.ticks)), strict=True):
        x, text = _LEFT + (_RIGHT - _LEFT) * float(share), _number(tick)
        shapes.append(Rule(x, top, bottom))
        shapes.append(Word(x, bottom + _ROW, text, MUTED, dx=-text_px(text) / 2.0))
    for tick, share in zip(across.ticks, across.share(np.array(across.ticks)), strict=True):
        y = bottom - _HEIGHT * float(share)
        shapes.append(Box(_LEFT, _RIGHT, y - 0.5, 1.0, LINE))
        shapes.append(Word(_LEFT, y + TEXT_PX / 3.0, _number(tick), MUTED, end=True, dx=-6.0))
    return shapes


def _axis(
    values: Sequence[Sequence[float | str]], log: bool, *, whole: bool = False, counts: bool = False
) -> _Axis:
    """An axis over all values; a `whole` one begins at 0 and ends at a tick, if it is linear."""
    all_values = np.concatenate([np.array(one, float) for one in values])
    known = all_values[np.isfinite(all_values)]
    low, high = float(known.min()), float(known.max())
    if whole and not log:
        low = min(low, 0.0)
        step = _step(low, high)
        low, high = step * math.floor(low / step), step * math.ceil(high / step - 1e-9)
    if high <= low:
        high = low + (abs(low) or 1.0)
    return _Axis(low, high, log, counts)


def _step(low: float, high: float) -> float:
    """A round step that divides the range in few parts."""
    least = (high - low or abs(low) or 1.0) / _MOST
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * one for one in (1, 2, 5, 10) if power * one >= least * (1.0 - 1e-9))


def _number(value: float) -> str:
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


def _labelled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
