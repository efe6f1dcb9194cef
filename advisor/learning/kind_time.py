"""What a task of a kind takes, by its input bytes: a constant or a line, and how far it is off.

Bayesian linear regression with noise in proportion to the time, as times of computing have it, and
heavy tails, so that one run beside others decides nothing: t = (β₀ + β₁x)(1 + σe), e distributed as
Student's t with four degrees of freedom (K. Lange, R. Little & J. Taylor, *Robust statistical
modeling using the t distribution*, 1989), fitted by weights that are computed anew until they stay.
The prior of β is flat (A. Gelman et al., *Bayesian Data Analysis*, 2013, sec. 14.2), so that units
don't matter; that of σ² counts as one time that is off by 10 %. Of the constant and the line the
one is taken that the times make likelier (Bayes' information criterion, G. Schwarz 1978).

Pure functions of plain numbers, in any one unit of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats

Z90 = 1.645  # a 90 % range of a normal
_FEWEST = 3  # points of a line
_TAILS = 4.0  # degrees of freedom of the noise
_PRIOR, _NOISE = 1.0, 0.1  # of σ²: times that it counts as, and by what share they are off
_PASSES = 12
_SAME = 1e-9  # of the mean: sizes that differ by less are one
_LEAST = 0.5  # of the shortest time: no time is expected to be less


@dataclass(frozen=True)
class Expected:
    """A time that is expected: seconds, and the deviation of its logarithm.

    `degrees`: of freedom of Student's t, by which it deviates.
    """

    seconds: float
    deviation: float
    degrees: float

    def half(self, more: float = 0.0) -> float:
        """Half the range of ln in which 9 of 10 times lie.

        `more`: standard deviation of the logarithm of what the seconds are multiplied with.
        """
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to import: when it is needed

        return math.hypot(float(stdtrit(self.degrees, 0.95)) * self.deviation, Z90 * more)

    def range(self, factor: float, doubt: float) -> tuple[float, float]:
        """Between which 9 of 10 times lie, where all take a factor of some doubt."""
        times = math.exp(self.half(doubt))
        return self.seconds * factor / times, self.seconds * factor * times


@dataclass(frozen=True, eq=False)
class KindTime:
    """The posterior of β and σ, with x less its mean in units of its deviation.

    `mean`, `covariance`: shape (1,) and (1, 1) of a constant, (2,) and (2, 2) of a line; the
    covariance over σ². `noise`: σ. `least`: seconds below which nothing is expected.
    """

    mean: Floats
    covariance: Floats
    noise: float
    degrees: float
    centre: float
    unit: float
    least: float
    criterion: float

    @property
    def grows(self) -> bool:
        """Whether the time depends on the input bytes."""
        return self.mean.size > 1

    def expected(self, x: float) -> Expected:
        """A new time at x: t with 2a degrees of freedom, φᵀm and σ²((φᵀm)² + φᵀVφ)."""
        row = np.array([1.0, (x - self.centre) / self.unit])[: self.mean.size]
        middle = max(float(row @ self.mean), self.least)
        doubt = float(row @ self.covariance @ row) / middle**2
        return Expected(middle, self.noise * math.sqrt(1.0 + doubt), min(self.degrees, _TAILS))


def kind_time(x: Floats, y: Floats) -> KindTime:
    """The likelier of a constant and, from three points of several sizes on, a line.

    `x`, `y`: shape (points,), at least one; y is positive.
    """
    unit = float(np.std(x))
    flat = _fitted(x, y, 1.0, 1)
    if x.size < _FEWEST or unit <= _SAME * abs(float(x.mean())):
        return flat
    line = _fitted(x, y, unit, 2)
    return line if line.criterion < flat.criterion else flat


def _fitted(x: Floats, y: Floats, unit: float, terms: int) -> KindTime:
    """The posterior, the weights of the points being those of the fit before."""
    centre, least = float(x.mean()), _LEAST * float(y.min())
    rows = np.stack([np.ones(x.size), (x - centre) / unit], axis=1)[:, :terms]
    near: Floats = np.ones(x.size)  # less for a point that is far off
    level = y if terms > 1 else np.full(x.size, np.median(y))
    degrees = _PRIOR + x.size - terms
    for _ in range(_PASSES):
        weights = near / level**2
        covariance = np.linalg.inv(np.asarray(rows.T @ (weights[:, None] * rows), np.float64))
        mean: Floats = covariance @ (rows.T @ (weights * y))
        level = np.maximum(rows @ mean, least)
        off = (y - rows @ mean) / level
        scatter = _PRIOR * _NOISE**2 + float(near @ off**2)
        near = (_TAILS + 1.0) / (_TAILS + off**2 * degrees / scatter)
    noise = math.sqrt(scatter / degrees)
    unlikely = 2.0 * np.log(noise * level) + (_TAILS + 1.0) * np.log1p((off / noise) ** 2 / _TAILS)
    criterion = float(unlikely.sum()) + terms * math.log(x.size)
    return KindTime(mean, covariance, noise, degrees, centre, unit, least, criterion)
