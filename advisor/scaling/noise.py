"""How measurements scatter: by the same amount everywhere, or by the same share of each value.

Runs on more processors are faster, and what disturbs them often is a share of what they do. A fit
that takes one for the other believes the wrong points, and its intervals are too narrow. The kind
of noise is read from repetitions by their likelihood; where nothing was repeated, equal amounts
are assumed unless a law fits clearly better with equal shares (`advisor.scaling.fits`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.scaling.data import Measurements
from machines.arrays import Floats

ABSOLUTE, RELATIVE = "the same at every P", "a share of the value"

_KNOWN = 3  # degrees of freedom of repetitions from which their scatter is told


@dataclass(frozen=True, eq=False)
class Noise:
    """One kind of noise.

    `scale`: geometric mean of the throughputs; factors of relative noise are `scale`/X, so that
        their product is 1 and likelihoods of both kinds can be compared.
    """

    kind: str  # `ABSOLUTE` or `RELATIVE`
    scale: float

    def factors(self, X: Floats) -> Floats:
        """What residuals at throughputs X are multiplied by to have one spread."""
        return np.ones_like(X) if self.kind == ABSOLUTE else self.scale / X


def kinds_of_noise(data: Measurements, stated: str | None = None) -> tuple[Noise, ...]:
    """The kinds that are possible: one where repetitions decide, else both, the plain one first.

    `stated`: the kind that holds, whatever the data tell.
    """
    scale = math.exp(float(np.log(_means_of_each(data)).mean()))
    absolute, relative = Noise(ABSOLUTE, scale), Noise(RELATIVE, scale)
    if stated is not None:
        return (Noise(stated, scale),)
    if repetitions(data) < _KNOWN:
        return absolute, relative
    likely = [_likelihood(data, kind) for kind in (absolute, relative)]
    return (absolute,) if likely[0] >= likely[1] else (relative,)


def factors_of(data: Measurements, noise: Noise) -> Floats:
    """Factor of each measurement's residual, by the mean of its repetitions; shape (points,)."""
    return noise.factors(_means_of_each(data))


def repetitions(data: Measurements) -> int:
    """Degrees of freedom of the repetitions: measurements less different P."""
    return len(data.processors) - len(set(data.processors))


def scatter(data: Measurements, noise: Noise) -> float:
    """Standard deviation of repetitions, in multiples of 1/factor; not a number without enough."""
    free = repetitions(data)
    if free < _KNOWN:
        return math.nan
    away = (data.X - _means_of_each(data)) * factors_of(data, noise)
    return math.sqrt(float(away @ away) / free)


def _likelihood(data: Measurements, noise: Noise) -> float:
    """Restricted log-likelihood of the repetitions' scatter, up to a constant."""
    factors, spread = factors_of(data, noise), scatter(data, noise)
    if spread <= 0.0:
        return math.inf
    P, runs = data.P, np.bincount(np.unique(data.P, return_inverse=True)[1])
    _, place = np.unique(P, return_inverse=True)
    share = 1.0 - 1.0 / runs[place]  # of a degree of freedom
    return float((share * np.log(factors)).sum()) - repetitions(data) * math.log(spread)


def _means_of_each(data: Measurements) -> Floats:
    """Mean X of the repetitions of each measurement, shape (points,)."""
    _, means = data.means()
    _, place = np.unique(data.P, return_inverse=True)
    found: Floats = means[place]
    return found
