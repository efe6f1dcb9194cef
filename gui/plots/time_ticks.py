"""Where the time axis has its marks and what they say.

Steps are 1, 2 or 5 times a power of ten while the axis counts seconds, and round parts of an
hour or day when it reaches a minute. Pure functions, no Qt.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from advisor.basics.quantities import clock

LONG_S = 60.0
_DAY = 86400
_CLOCK_STEPS = (
    *(1.0, 2.0, 5.0, 10.0, 15.0, 30.0),
    *(60.0, 120.0, 300.0, 600.0, 900.0, 1800.0),
    *(3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0),
)
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps"))
_MOST_TICKS = 500


def ticks(first_s: float, last_s: float, smallest_step_s: float) -> list[tuple[float, str]]:
    """Marks between two times, at least `smallest_step_s` apart.

    `first_s`, `last_s`: the visible part of the axis, seconds.
    `smallest_step_s`: what the narrowest readable distance of two labels stands for, seconds.
    Returns: empty when nothing is visible.
    """
    if not (0.0 < smallest_step_s < math.inf and first_s <= last_s < math.inf):
        return []
    step = _step(smallest_step_s, long=last_s >= LONG_S)
    begin, end = math.ceil(first_s / step), math.floor(last_s / step)
    marks = [index * step for index in range(begin, min(end, begin + _MOST_TICKS) + 1)]
    if last_s >= LONG_S:
        return [(mark, clock(mark, step) if mark else "0") for mark in marks]
    unit, name = next((pair for pair in _UNITS if last_s >= pair[0]), _UNITS[-1])
    decimals = max(0, math.ceil(-math.log10(step / unit) - 1e-9))
    return [(mark, f"{mark / unit:.{decimals}f} {name}" if mark else f"0 {name}") for mark in marks]


def _step(smallest: float, long: bool) -> float:
    """The least round step that is not below `smallest`."""
    if long and 1.0 <= smallest <= _CLOCK_STEPS[-1]:
        return _CLOCK_STEPS[bisect_left(_CLOCK_STEPS, smallest)]
    unit = _DAY if long and smallest > _DAY else 1.0
    power = 10.0 ** math.floor(math.log10(smallest / unit))
    factor = next(f for f in (1.0, 2.0, 5.0, 10.0) if f * power * unit >= smallest * (1 - 1e-12))
    return factor * power * unit
