"""How far a fitted law could be off: its fits to measurements that might as well have been.

Residual bootstrap: what a law leaves over, each in multiples of its own spread, is centred,
widened by √(n/(n − parameters)), drawn with replacement and added to what the law predicts; each
such sample is fitted again. Few residuals know their spread badly, so that draws are widened by
the ratio of Student's and the normal percentile, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.models.shape_fit import Samples
from advisor.scaling.laws import FREE, REPAIRMAN, Law
from machines.arrays import Floats

CERTAINTY = 95.0  # percent, of every interval and band
_ENOUGH = 20  # replicates without which no percentile is told
_CHUNK, _SLOW_CHUNK = 50, 8
_CONVERGED = 1e-5  # far below what the draws differ by


@dataclass(frozen=True, eq=False)
class Sample:
    """What is drawn from; arrays of shape (points,).

    `P`, `predicted`, `residuals`: the measurements' P, what the law predicts there, and what it
        leaves over.
    """

    P: Floats
    predicted: Floats
    residuals: Floats
    factors: Floats  # by which residuals have one spread: `advisor.scaling.noise.factors_of`


@dataclass(frozen=True, eq=False)
class Replicates:
    """Fits to drawn samples: shapes (replicates, k) and gamma (replicates,) of one law."""

    law: Law
    shapes: Floats
    gamma: Floats

    def first(self, count: int) -> Replicates:
        """The first of them."""
        return Replicates(self.law, self.shapes[:count], self.gamma[:count])

    def throughput(self, P: Floats) -> Floats:
        """X of every replicate at P; shape (replicates, P)."""
        curves: Floats = self.gamma[:, None] * self.law.curve(P, self.shapes)
        return curves

    def spread(self, P: Floats) -> Floats:
        """Standard deviation of X at P; not a number with too few replicates."""
        if self.gamma.size < _ENOUGH:
            return np.full(P.shape, np.nan)
        deviation: Floats = self.throughput(P).std(axis=0)
        return deviation

    def band(self, P: Floats) -> tuple[Floats, Floats]:
        """Lower and upper end of 95 % of X at P; not a number with too few replicates."""
        low, high = interval(self.throughput(P))
        return low, high


def interval(values: Floats) -> tuple[Floats, Floats]:
    """The percentiles between which 95 % of the rows of `values` lie."""
    if values.shape[0] < _ENOUGH:
        nothing = np.full(values.shape[1:], np.nan)
        return nothing, nothing.copy()
    tail = (100.0 - CERTAINTY) / 2.0
    low, high = np.percentile(values, [tail, 100.0 - tail], axis=0)
    return low, high


def replicate(
    law: Law,
    sample: Sample,
    start: tuple[Floats, float],
    count: int,
    seed: int,
    should_stop: ShouldStop | None = None,
) -> Replicates:
    """Fit a law to `count` drawn samples; fewer when stopped.

    `sample`: what to draw from.
    `start`: (array, float); the law's shapes and gamma. Every fit starts there; a recipe that takes
        gamma from X(1) keeps it, so that its bands hold for that gamma.
    `seed`: of the draws; the same for every law, so that they differ by nothing but the law.
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - slow to import

    P, factors = sample.P, sample.factors
    rng = np.random.default_rng(seed)
    free = max(P.size - law.parameters, 1)
    tail = 1.0 - (1.0 - CERTAINTY / 100.0) / 2.0
    wider = np.sqrt(P.size / free) * stdtrit(free, tail) / ndtri(tail)
    even = sample.residuals * factors
    pool = (even - even.mean()) * wider
    drawn = sample.predicted + pool[rng.integers(P.size, size=(count, P.size))] / factors
    step = _SLOW_CHUNK if law.key == REPAIRMAN else _CHUNK
    shapes, gammas = [np.empty((0, start[0].size))], [np.empty(0)]
    for first in range(0, count, step):
        if should_stop is not None and should_stop():
            break
        X = drawn[first : first + step]
        given = None if law.recipe == FREE else np.full(X.shape[0], start[1])
        found, gamma = law.fit(Samples.of(P, X, given, factors), start[0], _CONVERGED)
        shapes.append(found)
        gammas.append(gamma)
    return Replicates(law, np.concatenate(shapes), np.concatenate(gammas))
