"""The axis of time below a drawing: few round times, all in one unit."""

from __future__ import annotations

import math

from advisor.basics.quantities import clock
from advisor.basics.units import Unit
from advisor.export.report_page.drawing import (
    MUTED,
    NARROW_PX,
    TEXT_PX,
    Drawing,
    Rule,
    Shape,
    Word,
    text_px,
)

AXIS_PX = 20.0
_MOST = 4  # ticks beyond 0: as many as have room on a phone
_LONG_S = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


def ticks(end_s: float) -> tuple[float, ...]:
    """Round times from 0 to the end, seconds."""
    if end_s <= 0.0:
        return (0.0,)
    power = 10.0 ** math.floor(math.log10(end_s / _MOST))
    steps = [power * one for one in (1, 2, 5, 10)]
    if end_s >= 120.0:
        days = math.ceil(end_s / _MOST / 86400.0)
        steps = [*_LONG_S, 86400.0 * 10.0 ** math.ceil(math.log10(max(days, 1)))]
    step = next((one for one in steps if end_s / one <= _MOST + 1e-9), steps[-1])
    return tuple(step * place for place in range(math.floor(end_s / step + 1e-9) + 1))


def with_axis(shapes: list[Shape], top: float, height: float, end_s: float) -> Drawing:
    """The shapes before quiet lines of time, from `top` down to `height`, and their labels."""
    times = ticks(end_s)
    unit = Unit.of_times(*times)
    base, free_px = height + TEXT_PX + 3.0, 0.0
    lines: list[Shape] = []
    labels: list[Shape] = []
    for time in times:
        share = min(time / end_s, 1.0) if end_s > 0.0 else 0.0
        lines.append(Rule(share, top, height))
        text = _said(time, unit, end_s)
        long_px = text_px(text)
        # a label lies behind its line, or before it where it would stick out
        ends = share * NARROW_PX + long_px > NARROW_PX
        begins_px = share * NARROW_PX - ends * long_px
        if begins_px >= free_px:
            labels.append(Word(share, base, text, MUTED, end=ends, dx=0.0 if ends else 2.0))
            free_px = begins_px + long_px + TEXT_PX / 2
    return Drawing(height + AXIS_PX, (*lines, *shapes, *labels))


def _said(time_s: float, unit: Unit, end_s: float) -> str:
    """Whole minutes without their seconds."""
    if not time_s:
        return "0"
    return clock(time_s, 60.0) if end_s >= _LONG_S[1] else unit.text(time_s)
