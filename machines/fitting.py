"""Message costs from measurements: one line, or two with a protocol switch between them.

Figueira & Berman 1996, sec. 3.2.1: a message of `size` takes alpha + size/beta, with other alpha
and beta above a threshold. Any one unit of time and of size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from machines.arrays import Floats
from machines.errors import InputError

Line = tuple[float, float]

ABSOLUTE = "absolute"
RELATIVE = "relative"

# Below this share of the largest time a rise or a startup is rounding, not a measurement.
_ROUNDING = 1e-13
# Errors nearer than this share of the total variation count as equal (slowdown model, tie rule).
_TIE = 1e-12


def fit_line(
    sizes: Sequence[float] | Floats, times: Sequence[float] | Floats, weights: str = ABSOLUTE
) -> Line:
    """Startup and bandwidth from message times by least squares.

    times ≈ alpha + size/beta; Figueira & Berman 1996, sec. 3.2.1.

    Parameters
    ----------
    sizes, times : sequence of float
        Message sizes ≥ 0 and times ≥ 0, of equal length.
    weights : {"absolute", "relative"}
        Least squared error, or least squared relative error (times > 0), which gives short
        messages the same say as long ones.

    Returns
    -------
    (alpha, beta) : tuple of float
        alpha in the unit of `times` (a negative one is returned as it is), beta in size per time.

    Raises
    ------
    InputError
        Fewer than two different sizes, a slope ≤ 0, or unusable numbers.
    """
    size, time, weight = _measurements(sizes, times, weights)
    if size.size < 2 or size.min() == size.max():
        raise InputError(
            "a line needs two different sizes", where="sizes", value=np.unique(size).tolist()
        )
    alpha, slope, _ = _least_squares(size, time, weight)
    if not _rises(slope, size, time):
        raise InputError(
            "times do not grow with size",
            where="times",
            value=slope,
            remedy="The fitted slope 1/beta must be positive: measure over a wider range of sizes",
        )
    return alpha, 1.0 / slope


def fit_piecewise(
    sizes: Sequence[float] | Floats, times: Sequence[float] | Floats, weights: str = ABSOLUTE
) -> tuple[float, Line, Line]:
    """Two lines and the size at which the message protocol changes.

    Every size used is tried as the threshold: one least-squares line on sizes ≤ threshold, one
    on those above, least total squared error; on a tie the larger threshold. Figueira & Berman
    1996, sec. 3.2.1, where the criterion is not named.

    Parameters
    ----------
    sizes, times : sequence of float
        Message sizes ≥ 0 and times ≥ 0, of equal length.
    weights : {"absolute", "relative"}
        Squared error, or squared relative error, which finds protocol switches of short messages.

    Returns
    -------
    threshold : float
        Largest size on the lower line.
    below, above : tuple of float
        (alpha, beta) of either line.

    Raises
    ------
    InputError
        No threshold leaves two different sizes, a positive slope and alpha ≥ 0 on either side.
    """
    size, time, weight = _measurements(sizes, times, weights)
    order = np.argsort(size, kind="stable")
    size, time, weight = size[order], time[order], weight[order]
    last = np.flatnonzero(np.diff(size))  # of each size but the largest
    below = _running(size, time, weight)[last]
    above = _running(size[::-1], time[::-1], weight[::-1])[::-1][last + 1]
    fits = np.isfinite(below) & np.isfinite(above)
    if not fits.any():
        raise InputError(
            "no threshold splits the measurements into two lines",
            where="sizes",
            value=last.size + 1,
            remedy="Either side needs two different sizes, a positive slope and alpha ≥ 0",
        )
    errors = np.where(fits, below + above, np.inf)
    centre = np.average(time, weights=weight)
    least = errors.min() + _TIE * float(weight @ (time - centre) ** 2)
    split = int(last[np.flatnonzero(errors <= least)[-1]]) + 1
    lower, upper = (
        _line(size[side], time[side], weight[side]) for side in (slice(split), slice(split, None))
    )
    return float(size[split - 1]), lower, upper


def _measurements(
    sizes: ArrayLike, times: ArrayLike, weights: str
) -> tuple[Floats, Floats, Floats]:
    """Checked arrays and the weight of every squared error."""
    size, time = _array("sizes", sizes), _array("times", times)
    if size.shape != time.shape:
        raise InputError(
            "sizes and times must have one length", where="times", value=(size.size, time.size)
        )
    if weights == ABSOLUTE:
        return size, time, np.ones_like(time)
    if weights != RELATIVE:
        raise InputError(
            "unknown weights", where="weights", value=weights, remedy="Allowed: absolute, relative"
        )
    if not (time > 0).all():
        raise InputError("relative weights need times > 0", where="times", value=float(time.min()))
    return size, time, (time.min() / time) ** 2  # the scale is free: none overflows


def _array(name: str, values: ArrayLike) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be a list of numbers", where=name) from error
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} must be a list of numbers", where=name, value=array.shape)
    bad = ~np.isfinite(array) | (array < 0)
    if bad.any():
        raise InputError(f"{name} must be finite and ≥ 0", where=name, value=float(array[bad][0]))
    return array


def _least_squares(size: Floats, time: Floats, weight: Floats) -> tuple[float, float, float]:
    """(intercept, slope, weighted squared error); centred, so that no digits cancel."""
    total = weight.sum()
    mean_size, mean_time = weight @ size / total, weight @ time / total
    x, y = size - mean_size, time - mean_time
    spread = float((weight * x) @ x)  # 0 where one measurement has all the weight
    slope = float((weight * x) @ y) / spread if spread > 0.0 else 0.0
    return float(mean_time - slope * mean_size), slope, float(weight @ (y - slope * x) ** 2)


def _rises(slope: float, size: Floats, time: Floats) -> bool:
    return slope * float(np.ptp(size)) > _ROUNDING * float(time.max())


def _line(size: Floats, time: Floats, weight: Floats) -> Line:
    """The line of one side, whose startup is not negative by more than rounding."""
    alpha, slope, _ = _least_squares(size, time, weight)
    return max(alpha, 0.0), 1.0 / slope


def _running(size: Floats, time: Floats, weight: Floats) -> Floats:
    """Squared errors of the lines through the first 1, 2, … measurements, ordered by size.

    Infinite where there is no line of positive slope and alpha ≥ 0. Means and moments about them
    are kept up to date (West 1979), so that all lines take one walk and no digits cancel.
    """
    errors = np.full(size.size, np.inf)
    total = mean_x = mean_y = xx = xy = yy = longest = 0.0
    first = float(size[0])
    rows = zip(size.tolist(), time.tolist(), weight.tolist(), strict=True)
    for place, (x, y, w) in enumerate(rows):
        total += w
        if total == 0.0:  # beside far shorter times these have no say
            continue
        dx, dy = x - mean_x, y - mean_y
        mean_x += dx * w / total
        mean_y += dy * w / total
        xx += w * dx * (x - mean_x)
        xy += w * dx * (y - mean_y)
        yy += w * dy * (y - mean_y)
        longest = max(longest, y)
        if xx > 0.0:
            slope = xy / xx
            rises = slope * abs(x - first) > _ROUNDING * longest
            if rises and mean_y - slope * mean_x >= -_ROUNDING * longest:
                errors[place] = max(yy - slope * xy, 0.0)
    return errors
