"""How sure a line through message times is: the 90 % ranges of its startup and its bandwidth.

Least squares of relative errors, as the line was fitted; t × standard error of each coefficient
(N. R. Draper & H. Smith, *Applied Regression Analysis*, 1998, sec. 1.4), around the fitted values.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from machines.arrays import Floats
from machines.formats.pingpong_csv import PingPong
from machines.links import Direction
from machines.uncertain import Spread, Uncertain

_FEWEST = 5  # sizes of a line: fewer tell no error
_WIDEST = 0.5  # of the slope: beyond it the bandwidth has no upper end worth stating


def with_ranges(measured: PingPong, way: Direction) -> Direction:
    """The same direction with the ranges of what was fitted, where there are sizes enough."""
    sizes, seconds = np.array(measured.sizes), np.array(measured.seconds)
    if way.above is None:
        startup_s, bandwidth = _ranged(sizes, seconds, way.startup_s, way.bandwidth)
        return replace(way, startup_s=startup_s, bandwidth=bandwidth)
    small = sizes <= way.above.threshold_bytes
    startup_s, bandwidth = _ranged(sizes[small], seconds[small], way.startup_s, way.bandwidth)
    larger_s, faster = _ranged(
        sizes[~small], seconds[~small], way.above.startup_s, way.above.bandwidth
    )
    above = replace(way.above, startup_s=larger_s, bandwidth=faster)
    return replace(way, startup_s=startup_s, bandwidth=bandwidth, above=above)


def _ranged(
    sizes: Floats, seconds: Floats, startup_s: float, bandwidth: float
) -> tuple[float, float]:
    if sizes.size < _FEWEST:
        return startup_s, bandwidth
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import: when it is needed

    off = (startup_s + sizes / bandwidth) / seconds - 1.0
    degrees = sizes.size - 2
    rows = np.stack([1.0 / seconds, sizes / seconds], axis=1)
    scale = np.abs(rows).max(axis=0)  # sizes and seconds differ by many powers of ten
    inverse = np.linalg.inv((rows / scale).T @ (rows / scale))
    errors = np.sqrt(float(off @ off) / degrees * np.diag(inverse)) / scale
    half = float(stdtrit(degrees, 0.95)) * errors
    slope = 1.0 / bandwidth
    ends = (1.0 / (slope + half[1]), 1.0 / (slope - half[1])) if half[1] < _WIDEST * slope else None
    return (
        _with(startup_s, (max(startup_s - half[0], 0.0), startup_s + half[0])),
        _with(bandwidth, ends),
    )


def _with(value: float, ends: tuple[float, float] | None) -> float:
    if ends is None:
        return value
    low, high = (float(f"{one:.4g}") for one in ends)
    return Uncertain(value, Spread(low, high, source="measured")) if low < value < high else value
