"""Times of tasks that did not run, from others of their kind.

After J. Bader, F. Lehmann, L. Thamsen, U. Leser & O. Kao, *Lotaru: Locally predicting workflow task
runtimes for resource management on heterogeneous infrastructures*, 2023 (arXiv:2309.06918): a
kind's time against its input bytes by Bayesian linear regression, scaled by machine speed.

Bayesian linear regression with conjugate priors: a line through few points, with its doubt.

Pure functions of plain numbers, in any one unit of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, percent
from advisor.learning.robust import summary
from machines.arrays import Floats

_FEWEST = 3  # points of a line
CORRELATED = 0.75  # Pearson's r from which a line is meant


@dataclass(frozen=True)
class Estimate:
    """Seconds that a task would take on the reference machine, with a 90 % range."""

    seconds: float
    low: float
    high: float
    how: str  # from what, in words
    outside: bool = False  # its input bytes lie outside those of the tasks that were measured


def input_bytes(workload: Workload) -> Floats:
    """What every task reads, from other tasks and from outside; shape (tasks,)."""
    found = np.zeros(len(workload.tasks))
    np.add.at(found, workload.targets, workload.edge_bytes)
    sizes = {file.name: file.size_bytes for file in workload.files if file.at is not None}
    for place, task in enumerate(workload.tasks):
        found[place] += sum(sizes.get(name, 0.0) for name in task.reads)
    return found


def estimates(workload: Workload, reference_s: Floats) -> dict[int, Estimate]:
    """Estimates of the tasks without a time whose kind has some.

    `reference_s`: shape (tasks,); measured seconds, as on the reference machine; nan: not measured.
    """
    sizes = input_bytes(workload)
    kinds = np.array([task.group for task in workload.tasks])
    found = {}
    for task in np.flatnonzero(np.isnan(reference_s)).tolist():
        alike = np.flatnonzero((kinds == kinds[task]) & np.isfinite(reference_s))
        if alike.size:
            found[task] = _estimate(
                str(kinds[task]), sizes[alike], reference_s[alike], float(sizes[task])
            )
    return found


def _estimate(kind: str, x: Floats, y: Floats, at: float) -> Estimate:
    """By the line where there are points enough and they lie along one, else the median."""
    outside = not x.min() <= at <= x.max()
    related = correlation(x, y) if x.size >= _FEWEST else 0.0
    if related >= CORRELATED and y.mean() > 0.0:
        middle, low, high = bayesian_line(x, y).predicted(at)
        if middle > 0.0:
            how = f"estimated: line through {x.size} {kind} by input bytes (r = {related:.2f})"
            return Estimate(middle, max(low, 0.0), high, how, outside)
    said = summary(y)
    how = f"estimated: median of {count(x.size, 'measured ' + kind, 'measured ' + kind)}"
    return Estimate(said.middle, said.low, said.high, how)


def estimates_sentence(workload: Workload, found: dict[int, Estimate]) -> str:
    """How many tasks were estimated, how, and how far: empty where none was."""
    if not found:
        return ""
    lines = [one for one in found.values() if "line" in one.how]
    wide = [(one.high - one.low) / 2 / one.seconds for one in found.values() if one.seconds > 0]
    by = f"{len(lines)} by input bytes, " if lines else ""
    medians = len(found) - len(lines)
    by += f"{medians} by their kind's median" if medians else ""
    half = f", ± {percent(float(np.median(wide)))} (median of 90 % ranges)" if wide else ""
    text = f"{count(len(found), 'task')} that did not run are estimated ({by.rstrip(', ')}{half})"
    far = [workload.tasks[task].name for task, one in found.items() if one.outside and one in lines]
    if far:
        text += f"; {far[0]} and {len(far) - 1} more" if len(far) > 1 else f"; {far[0]}"
        text += " beyond the sizes that were measured"
    return text


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
