"""Statistics that one bad measurement can't move: medians, their spread, lines, two heaps.

Pure functions of arrays in any one unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats

_CUTOFF = 3.5  # of the modified z-score
_NORMAL = 0.6745  # median absolute deviation of a standard normal
_LEAST_SCATTER = 0.02  # of the median: below, scatter is no measure of what is far
_APART, _MODES = 3.0, 1.3  # a gap in ranges, a ratio of medians, that make two heaps of one
_FEW_APART = 2.0
_COARSE = 5.0  # steps of a clock, below which it decides what the median is
_MOST_POINTS = 500
_SMALL = 16
_Z90 = 1.645  # a 90 % range of a normal


@dataclass(frozen=True)
class Summary:
    """What repeated measurements of one thing say.

    `middle`, `low`, `high`: median of all, or mean (`middle_of`); least and greatest of those that
        are no outliers.
    `modes`: medians of the two heaps into which they fall; None: they are one.
    """

    count: int  # all measurements
    middle: float
    low: float
    high: float
    outliers: tuple[float, ...] = ()
    modes: tuple[float, float] | None = None

    @property
    def few_and_apart(self) -> bool:
        """Two or three, some twice as long as others: which is the odd one can't be told."""
        return 2 <= self.count <= 3 and 0.0 < _FEW_APART * self.low < self.high


def summary(values: Iterable[float], resolution: float = 0.0) -> Summary:
    """Median and spread; of three and more, one that is far from the others is an outlier.

    Far is a modified z-score 0.6745 |x − median| / MAD above 3.5 (Iglewicz & Hoaglin, *How to
    Detect and Handle Outliers*, 1993); MAD, the median absolute deviation, is taken as at least
    2 % of the median and the resolution of the clock.

    `values`: at least one. `resolution`: the step in which they were measured.
    """
    sample = np.sort(np.fromiter(values, np.float64))
    middle = middle_of(sample, resolution)
    modes = two_modes(sample, resolution)
    kept = sample
    if sample.size >= 3 and modes is None:
        away = np.abs(sample - middle)
        scale = max(_median(away), _LEAST_SCATTER * abs(middle), resolution)
        kept = sample[_NORMAL * away <= _CUTOFF * scale] if scale > 0.0 else sample
    outliers = tuple(float(one) for one in sample if one < kept[0] or one > kept[-1])
    return Summary(sample.size, middle, float(kept[0]), float(kept[-1]), outliers, modes)


def middle_of(sample: Floats, resolution: float = 0.0) -> float:
    """The median; of times of less than five steps of their clock, the mean.

    Whole steps of a start and an end are off by less than one each way, and by nothing on average,
    wherever the steps lie: the mean tells what the median of 0, 0 and 1 can't.
    """
    middle = _median(sample)
    return float(np.mean(sample)) if middle < _COARSE * resolution else middle


def _median(sample: Floats) -> float:
    """As numpy's, which takes twenty times as long for the few runs of a task."""
    if sample.size > _SMALL:
        return float(np.median(sample))
    ordered: list[float] = sorted(sample.tolist())
    half = sample.size // 2
    return ordered[half] if sample.size % 2 else (ordered[half - 1] + ordered[half]) / 2.0


def two_modes(sample: Floats, resolution: float = 0.0) -> tuple[float, float] | None:
    """The medians of two heaps, if the sorted positive sample is two; else None.

    Its largest ratio of neighbours is the gap; each side has a quarter of the sample and two of
    it, the gap is three times as wide as either side, and the medians differ by 30 % and by three
    steps of the clock.
    """
    if sample.size < 4 or sample[0] <= 0.0:
        return None
    logs = np.log(sample)
    split = int(np.argmax(np.diff(logs))) + 1
    low, high = logs[:split], logs[split:]
    if min(low.size, high.size) < max(2.0, sample.size / 4):
        return None
    gap = float(high[0] - low[-1])
    widest = max(float(np.ptp(low)), float(np.ptp(high)), _LEAST_SCATTER)
    first, second = math.exp(float(np.median(low))), math.exp(float(np.median(high)))
    apart = second > _MODES * first and second - first > _APART * resolution
    return (first, second) if apart and gap > _APART * widest else None


@dataclass(frozen=True)
class RobustLine:
    """y = intercept + slope · x, with 90 % ranges of both.

    `slope`, `intercept`: value, low and high.
    """

    slope: tuple[float, float, float]
    intercept: tuple[float, float, float]
    residual: float  # median of |y − line| over the median of y


def robust_line(x: Floats, y: Floats) -> RobustLine | None:
    """The line of Theil and Sen: median of the slopes of all pairs; None without two x.

    slope = median of (y_j − y_i)/(x_j − x_i), intercept = median of y − slope·x; its 90 % range is
    that of the ordered slopes at N/2 ± 1.645/2 · √(n(n−1)(2n+5)/18) (Theil 1950; Sen 1968, J. Am.
    Stat. Assoc. 63). Up to 29 % of the points may be anything. Of more than 500 points evenly
    spaced ones are taken.

    `x`, `y`: shape (points,).
    """
    if x.size > _MOST_POINTS:
        some = np.linspace(0, x.size - 1, _MOST_POINTS).astype(np.int64)
        x, y = x[some], y[some]
    first, second = np.triu_indices(x.size, 1)
    run = x[second] - x[first]
    tells = run != 0.0
    if not tells.any():
        return None
    slopes = np.sort((y[second] - y[first])[tells] / run[tells])
    slope = float(np.median(slopes))
    n = x.size
    half = _Z90 / 2.0 * math.sqrt(n * (n - 1) * (2 * n + 5) / 18.0)
    low = float(slopes[max(0, math.floor(slopes.size / 2 - half))])
    high = float(slopes[min(slopes.size - 1, math.ceil(slopes.size / 2 + half))])
    intercept = float(np.median(y - slope * x))
    ends = sorted(float(np.median(y - one * x)) for one in (low, high))
    middle = float(np.median(y))
    off = float(np.median(np.abs(y - intercept - slope * x)))
    residual = off / middle if middle > 0.0 else math.inf
    return RobustLine((slope, low, high), (intercept, ends[0], ends[1]), residual)
