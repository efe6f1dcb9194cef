"""Which fitted laws the measurements contradict, and how: beyond their noise, on one side.

A law of least error may still be wrong in the one thing that matters. Where the throughput falls by
more than noise, a law that can't fall is contradicted. Where measurements were repeated, so is a
law that misses their means by more than the repetitions scatter (the F test of lack of fit); where
not, one that misses three neighbours or more on one side, each by more than twice the noise: the
least of what the laws leave over and of the roughness of the points, which no law has a say in. A
law that is far from a point which is left out is contradicted, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import percent
from advisor.models.shape_fit import Samples
from advisor.scaling.fits import LawFit, ScalingFits
from advisor.scaling.laws import FREE
from advisor.scaling.noise import repetitions, scatter
from machines.arrays import Floats

SURE = 2.0  # standard errors
_RARE = 0.001  # probability of so much lack of fit by chance
_FAR = 0.5  # share by which no law that holds misses a point that is left out
_FINE = 0.03  # share of the throughput
_SLIGHT = 0.02  # share that is no fall where nothing was repeated
_RUN = 3  # neighbours on one side that no single bad run explains


def contradicted(fits: ScalingFits) -> dict[str, str]:
    """Key of each contradicted law → why, in words; laws whose gamma is fitted are looked at."""
    fall = measured_fall(fits)
    found = {}
    for fit in fits.fits:
        if fit.law.recipe != FREE:
            continue
        if fall and _never_falls(fit, fits.data.P):
            found[fit.law.key] = f"it can't fall, but {fall}"
        elif why := _missed(fits, fit):
            found[fit.law.key] = why
        else:
            P, share = left_out(fits, fit)
            if share > _FAR:
                found[fit.law.key] = f"without P = {P} it misses that point by {percent(share)}"
    return found


def measured_fall(fits: ScalingFits) -> str:
    """That the last P measured is slower than an earlier one, by more than noise; empty: not.

    Noise: two standard errors of the difference, by repetitions or the law that leaves least over.
    """
    P, X = fits.data.means()
    top = int(X.argmax())
    least = _SLIGHT if math.isnan(scatter(fits.data, fits.noise)) else 1e-9
    doubt = float(np.hypot(*errors_of_means(fits)[[top, -1]]))
    if X[top] - X[-1] <= max(SURE * doubt, least * X[top]):
        return ""
    less = percent(1.0 - X[-1] / X[top])
    return f"the highest throughput was measured at P = {P[top]:.0f}; {less} less at {P[-1]:.0f}"


def errors_of_means(fits: ScalingFits) -> Floats:
    """Standard error of the mean X at every different P."""
    _, X = fits.data.means()
    _, runs = np.unique(fits.data.P, return_counts=True)
    spread = scatter(fits.data, fits.noise)
    if math.isnan(spread):
        spread = min(roughness(fits), *(fit.residual_se for fit in fits.fits))
    errors: Floats = spread / fits.noise.factors(X) / np.sqrt(runs)
    return errors


def roughness(fits: ScalingFits) -> float:
    """Noise by no law: how far points are from the line between their neighbours, log X over log P.

    Robust, in multiples of 1/factor, as a standard deviation; curvature counts as noise, and a few
    percent of the throughput are no contradiction.
    """
    P, X = fits.data.means()
    if P.size < _RUN:
        return math.inf
    x, y = np.log(P), np.log(X)
    share = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    away = (y[1:-1] - (1.0 - share) * y[:-2] - share * y[2:]) * X[1:-1]
    widths = np.sqrt(1.0 + share**2 + (1.0 - share) ** 2)
    factors = fits.noise.factors(X)[1:-1]
    spread = 1.4826 * float(np.median(np.abs(away / widths * factors)))
    return max(spread, _FINE * float(np.median(X * fits.noise.factors(X))))


def left_out(fits: ScalingFits, fit: LawFit) -> tuple[int, float]:
    """(P, share) of the inner point that the law misses most when it is left out."""
    P, X = fits.data.means()
    factors = fits.noise.factors(X)
    most = fit.leave_one_out * math.sqrt(len(fits.data.processors)) / float((factors * X).min())
    if P.size <= fit.law.parameters + 1 or most <= _FAR:  # no point can be so far
        return 0, 0.0
    kept = 1.0 - np.eye(P.size)
    shapes, gamma = fit.law.fit(Samples(P, np.tile(X, (P.size, 1)), kept * factors))
    curves = gamma[:, None] * fit.law.curve(P, shapes)
    away = np.abs(np.diagonal(curves) / X - 1.0)[1:-1]
    worst = int(away.argmax())
    return int(P[1:-1][worst]), float(away[worst])


def _never_falls(fit: LawFit, P: Floats) -> bool:
    curve = fit.throughput(np.unique(P))
    return bool(curve[-1] >= (1.0 - 1e-9) * curve.max())  # a queue's plateau is rounded


def _missed(fits: ScalingFits, fit: LawFit) -> str:
    """How the law misses the measurements beyond their noise; empty: it does not."""
    P, X = fits.data.means()
    missed = X - fit.throughput(P)
    away = missed / np.maximum(errors_of_means(fits), 1e-12 * X)
    run = max(_runs(away), key=len, default=range(0))
    if repetitions(fits.data) and not math.isnan(scatter(fits.data, fits.noise)):
        beyond = _lack_of_fit(away, fit.law.parameters, repetitions(fits.data)) < _RARE
    else:
        beyond = len(run) >= _RUN
    if not beyond:
        return ""
    share = np.abs(missed / X)
    if len(run) < 2:
        return f"it misses the measurements by up to {percent(float(share.max()))}, beyond noise"
    side = "above" if missed[run[0]] > 0.0 else "below"
    most = percent(float(share[run].max()))
    return (
        f"from P = {P[run[0]]:.0f} to {P[run[-1]]:.0f} all measurements are {side} it, by up to "
        f"{most}, beyond noise"
    )


def _runs(away: Floats) -> Iterator[range]:
    """Neighbours on one side of a law, each beyond its noise."""
    side = np.where(np.abs(away) > SURE, np.sign(away), 0.0)
    first = 0
    for place in range(1, side.size + 1):
        if place == side.size or side[place] != side[first]:
            if side[first] != 0.0:
                yield range(first, place)
            first = place


def _lack_of_fit(away: Floats, parameters: int, free: int) -> float:
    """Probability that the means of repetitions miss a true law by so much (F test)."""
    from scipy.special import fdtrc  # noqa: PLC0415 - slow to import

    spare = away.size - parameters
    return float(fdtrc(spare, free, float(away @ away) / spare)) if spare > 0 else 1.0
