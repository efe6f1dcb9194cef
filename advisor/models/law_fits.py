"""Amdahl's law and the universal scalability law fitted to measurements by least squares.

The contract's two fits. `advisor.scaling.fits` fits every law together, with bands and a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advisor.models.shape_fit import Box, Curve, Samples, fit_shapes, slopes
from machines.arrays import Floats
from machines.checks import LARGEST
from machines.errors import InputError

_SIGMAS = np.concatenate(([0.0], np.geomspace(1e-6, 1.0, 37)))


@dataclass(frozen=True, eq=False)
class UslFit:
    """Three-parameter fit of the universal scalability law.

    Attributes
    ----------
    sigma, kappa, gamma : float
    standard_errors : array, shape (3,)
        Of sigma, kappa and gamma; not a number for one that ends on its bound.
    residual_se : float
        s = √(SSE/(points − 3)), in the unit of the throughputs.
    """

    sigma: float
    kappa: float
    gamma: float
    standard_errors: Floats
    residual_se: float


def fit_usl(P: Sequence[float] | Floats, X: Sequence[float] | Floats) -> UslFit:
    """Least squares of X ≈ gamma P/(1 + sigma (P − 1) + kappa P (P − 1)), three parameters.

    Standard errors from s² (JᵀJ)⁻¹. Gunther, arXiv:0808.1431; the recipe of R's `nls`.

    Parameters
    ----------
    P, X : sequence of float
        Loads ≥ 1 and throughputs > 0, of equal length; at least four, of three different loads.

    Returns
    -------
    UslFit

    Raises
    ------
    InputError
        Unusable numbers or too few of them.
    """
    loads, rates = _pairs(P, X, "X")
    if loads.size < 4 or np.unique(loads).size < 3:
        raise InputError(
            "three parameters need four points at three different P",
            where="P",
            value=loads.tolist(),
            remedy="Measure at more numbers of processors",
        )
    box = usl_box(loads)
    shapes, gamma = fit_shapes(usl_curve, Samples.of(loads, rates), box)
    f = usl_curve(loads, shapes)
    residuals = rates - gamma[0] * f[0]
    s = float(np.sqrt(residuals @ residuals / (loads.size - 3)))
    errors = s * np.sqrt(spread(usl_curve, loads, shapes[0], float(gamma[0]), box).diagonal())
    sigma, kappa = shapes[0].tolist()
    return UslFit(sigma, kappa, float(gamma[0]), errors, s)


def fit_amdahl(P: Sequence[float] | Floats, S: Sequence[float] | Floats) -> float:
    """Serial fraction in 0..1 of least squared error of S ≈ P/(1 + sigma (P − 1)).

    Parameters
    ----------
    P, S : sequence of float
        Processors ≥ 1, one of them above 1, and speedups > 0, of equal length.

    Raises
    ------
    InputError
        Unusable numbers, or no point above P = 1.
    """
    counts, speedups = _pairs(P, S, "S")
    if counts.max() <= 1.0:
        raise InputError(
            "one processor does not determine the serial fraction",
            where="P",
            value=counts.tolist(),
            remedy="Measure with more processors, too",
        )
    samples = Samples.of(counts, speedups, np.ones(1))
    shapes, _ = fit_shapes(amdahl_curve, samples, sigma_box(counts))
    return float(shapes[0, 0])


def amdahl_curve(P: Floats, shapes: Floats) -> Floats:
    """`speedup_laws.amdahl` of many sigma, shape (samples, 1), at many P: (samples, P)."""
    curve: Floats = P / (1.0 + shapes[:, :1] * (P - 1.0))
    return curve


def usl_curve(P: Floats, shapes: Floats) -> Floats:
    """`speedup_laws.usl` of many (sigma, kappa), shape (samples, 2), at many P: (samples, P)."""
    curve: Floats = P / (1.0 + (shapes[:, :1] + shapes[:, 1:] * P) * (P - 1.0))
    return curve


def sigma_box(P: Floats) -> Box:
    """Bounds, size and grid of a serial fraction that these P can tell."""
    return Box(np.zeros(1), np.ones(1), np.array([1.0 / P.max()]), _SIGMAS[:, None])


def usl_box(P: Floats) -> Box:
    """Bounds, sizes and grid of sigma and kappa that these P can tell."""
    most = float(P.max())
    kappas = np.concatenate(([0.0], np.geomspace(1e-4 / most**2, 1.0, 33)))
    grid = np.array([(sigma, kappa) for sigma in _SIGMAS for kappa in kappas])
    size = np.array([1.0 / most, 1.0 / most**2])
    return Box(np.zeros(2), np.array([1.0, np.inf]), size, grid)


def spread(
    curve: Curve,
    P: Floats,
    shape: Floats,
    gamma: float,
    box: Box,
    factors: Floats | None = None,
) -> Floats:
    """(JᵀJ)⁻¹ of the shapes and gamma; not a number in rows of shapes on a bound.

    `factors`, shape (points,), are those of the residuals, as `Samples.kept`.
    """
    J = np.column_stack([gamma * slopes(curve, P, shape[None], box)[0], curve(P, shape[None])[0]])
    if factors is not None:
        J = J * factors[:, None]
    free = np.append((shape > box.low) & (shape < box.high), True)
    size = np.append(box.size, gamma)
    J = (J * size)[:, free]
    found = np.full((free.size, free.size), np.nan)
    found[np.ix_(free, free)] = np.linalg.pinv(J.T @ J)
    return found * np.outer(size, size)


def _pairs(P: ArrayLike, values: ArrayLike, name: str) -> tuple[Floats, Floats]:
    counts, found = _array("P", P), _array(name, values)
    if counts.shape != found.shape:
        raise InputError(
            f"P and {name} must have one length", where=name, value=(counts.size, found.size)
        )
    if counts.min() < 1.0:
        raise InputError(
            "P is out of range", where="P", value=float(counts.min()), remedy="Allowed: ≥ 1"
        )
    if found.min() <= 0.0:
        raise InputError(
            f"{name} is out of range", where=name, value=float(found.min()), remedy="Allowed: > 0"
        )
    return counts, found


def _array(name: str, values: ArrayLike) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be a list of numbers", where=name) from error
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} must be a list of numbers", where=name, value=array.shape)
    bad = ~np.isfinite(array) | (np.abs(array) > LARGEST)
    if bad.any():
        raise InputError(f"{name} must be finite", where=name, value=float(array[bad][0]))
    return array
