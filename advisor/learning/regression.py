"""Bayesian linear regression with conjugate priors: a line through few points, with its doubt.

Pure functions of plain numbers, in any one unit of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats

_WIDE = 100.0  # prior variance of the coefficients, in units of the means, over that of the noise
_SHAPE, _SCATTER = 1.0, 0.01  # prior of the noise: a point's worth of a scatter of 10 %


@dataclass(frozen=True, eq=False)
class BayesianLine:
    """The posterior of y = β₀ + β₁ x, with x and y in units of their means.

    `mean`, `covariance`: shape (2,); of β, the covariance over the noise's variance. `shape`,
    `scale`: of the noise's variance, inverse gamma distributed. `x_unit`, `y_unit`: the means.
    """

    mean: Floats
    covariance: Floats
    shape: float
    scale: float
    x_unit: float
    y_unit: float

    def predicted(self, x: float, z: float = 1.645) -> tuple[float, float, float]:
        """Median and range of a new y at x: Student's t with 2a degrees of freedom.

        y ~ t(2a; φᵀm, (b/a)(1 + φᵀVφ)), φ = (1, x); Murphy 2012, Eq. (7.76). Its quantile is that
        of the normal times √(1 + (z² + 1)/(4ν)), the first term of its expansion in 1/ν (Cornish &
        Fisher 1938), for a range of 90 % by default.
        """
        row = np.array([1.0, x / self.x_unit])
        middle = float(row @ self.mean)
        variance = self.scale / self.shape * (1.0 + float(row @ self.covariance @ row))
        wider = 1.0 + (z * z + 1.0) / (4.0 * 2.0 * self.shape)
        half = z * wider * math.sqrt(variance)
        unit = self.y_unit
        return middle * unit, (middle - half) * unit, (middle + half) * unit


def bayesian_line(x: Floats, y: Floats) -> BayesianLine:
    """The posterior after some points, from a wide normal-inverse-gamma prior.

    With the prior β | σ² ~ N(0, σ²V₀), σ² ~ IG(a₀, b₀): V = (V₀⁻¹ + XᵀX)⁻¹, m = V Xᵀy,
    a = a₀ + n/2, b = b₀ + (yᵀy − mᵀV⁻¹m)/2; K. Murphy, *Machine Learning: A Probabilistic
    Perspective*, 2012, Eq. (7.69)–(7.73). V₀ = 100 I, a₀ = 1, b₀ = 0.01, in units of the means.

    `x`, `y`: shape (points,); positive means.
    """
    x_unit, y_unit = float(x.mean()), float(y.mean())
    rows = np.stack([np.ones(x.size), x / x_unit], axis=1)
    values = y / y_unit
    precision = np.eye(2) / _WIDE + rows.T @ rows
    covariance = np.linalg.inv(precision)
    mean = covariance @ rows.T @ values
    rest = float(values @ values - mean @ precision @ mean)
    return BayesianLine(
        mean, covariance, _SHAPE + x.size / 2.0, _SCATTER + max(rest, 0.0) / 2.0, x_unit, y_unit
    )


def correlation(x: Floats, y: Floats) -> float:
    """Pearson's r; 0 where x or y are all alike."""
    if np.ptp(x) <= 0.0 or np.ptp(y) <= 0.0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])
