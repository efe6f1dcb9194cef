"""The numbers behind curves: series as arrays, what they extend over, and their texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.basics.quantities import exact
from advisor.studies.study import Series
from gui.basics.figures import Table
from gui.plots.span import Span
from machines.arrays import Floats

_MARGIN = 0.04
_BAR = 0.7  # of the least distance of two


@dataclass(frozen=True, eq=False)
class Drawn:
    """A series as arrays; NaN where there is nothing to draw."""

    series: Series
    x: Floats
    y: Floats
    half: Floats  # half widths of the intervals; 0 where there are none
    below: Floats  # what bars stand on
    width: float  # of bars
    lower: Floats  # where bands begin; y for all others

    def reach(self, across: bool) -> Floats:
        """The finite values along an axis, with the ends of intervals and the tops of bars."""
        tops = (self.lower, self.y, self.y + self.half, self.y + self.below)
        ends = tops if across else (self.x,)
        values = np.concatenate(ends)
        return values[np.isfinite(values)]


def drawn(series: Sequence[Series]) -> tuple[Drawn, ...]:
    """The series that have values; bars of one place stand on those of the series before."""
    bars = [np.array(one.x, float) for one in series if one.kind == "bars" and one.y]
    places = np.unique(np.concatenate(bars)) if bars else np.zeros(0)
    width = _BAR * float(np.diff(places).min()) if len(places) > 1 else _BAR
    reached: dict[float, float] = {}
    found = []
    for one in series:
        if not one.y:
            continue
        x, y = (_finite(np.array(values, float)) for values in (one.x, one.y))
        below = np.zeros(len(y))
        if one.kind == "bars":
            y = np.nan_to_num(y)
            below = np.array([reached.get(at, 0.0) for at in x.tolist()])
            reached |= dict(zip(x.tolist(), (below + y).tolist(), strict=True))
        half = np.array(one.half_width or (0.0,) * len(y))
        lower = _finite(np.array(one.lower, float)) if one.lower else y
        found.append(Drawn(one, x, y, half, below, width, lower))
    return tuple(found)


def extent(all_drawn: Sequence[Drawn], across: bool) -> tuple[float, float]:
    """The least and the greatest value along an axis; (0, 0) where there are none."""
    arrays = [np.concatenate((one.lower, one.y)) if across else one.x for one in all_drawn]
    values = np.concatenate(arrays) if arrays else np.zeros(0)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)


def middle(all_drawn: Sequence[Drawn]) -> float:
    """The median of all heights; 0 where there are none."""
    heights = np.concatenate([one.y for one in all_drawn]) if all_drawn else np.zeros(0)
    heights = heights[np.isfinite(heights)]
    return float(np.median(heights)) if heights.size else 0.0


def whole(all_drawn: Sequence[Drawn], across: bool, log: bool) -> Span:
    """All of an axis with a margin; logarithms on a logarithmic one. Linear heights have a 0."""
    low, high = extent(all_drawn, across)
    high = max([high, *(float(one.reach(across).max(initial=high)) for one in all_drawn)])
    if log:
        low, high = math.log10(low), math.log10(high)
    elif across:
        low = min(low, 0.0)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    bars = [one.width for one in all_drawn if one.series.kind == "bars"]
    if bars and not across:
        return Span(low - bars[0], high + bars[0])
    margin = _MARGIN * (high - low)
    stands = across and low == 0.0 and not log
    return Span(low if stands else low - margin, high + margin)


def logarithms(values: Floats) -> Floats:
    """Powers of ten; NaN for what has none."""
    return np.log10(np.where(values > 0, values, np.nan))


def table(series: Sequence[Series]) -> Table:
    """One row a point: series, x and y with their units, and what is known beside them."""
    first = series[0] if series else None
    x = _labelled(first.x_label, first.x_unit) if first else "x"
    y = _labelled(first.y_label, first.y_unit) if first else "y"
    intervals = any(one.half_width for one in series)
    labels, bands = (any(getattr(one, name) for one in series) for name in ("labels", "lower"))
    headings = ["series", x, y, *["from"] * bands, *["± (95 %)"] * intervals, *["what"] * labels]
    rows = []
    for one in series:
        what = one.labels or ("",) * len(one.y)
        half, lower = (given or (None,) * len(one.y) for given in (one.half_width, one.lower))
        for place, (at, value) in enumerate(zip(one.x, one.y, strict=True)):
            more = [*[lower[place]] * bands, *[half[place]] * intervals, *[what[place]] * labels]
            rows.append((one.name, at, value, *more))
    return Table(tuple(headings), tuple(rows))


def told(series: Series, places: NDArray[np.intp]) -> str:
    """The tooltip of points that lie on one another."""
    place, interval = int(places[0]), ""
    if series.half_width:
        interval = f" ± {exact(series.half_width[place], series.y_unit)} (95 %)"
    at = series.x[place]
    x = at if isinstance(at, str) else exact(at, series.x_unit)
    lines = [series.name, f"{series.x_label}: {x}"]
    low = f"{exact(series.lower[place], series.y_unit)} to " if series.lower else ""
    lines.append(f"{series.y_label}: {low}{exact(series.y[place], series.y_unit)}{interval}")
    if series.labels:
        lines[1:1] = [series.labels[one] for one in places.tolist()]
    return "\n".join(lines)


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)


def _labelled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
