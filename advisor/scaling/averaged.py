"""One curve of all laws that the measurements leave standing, each by its share of evidence.

Akaike weights (Burnham & Anderson 2002) of the laws that are not contradicted. The draws of their
bootstraps, in the same shares, are one sample of curves: its percentiles hold the doubt of the
parameters and that of the choice of a law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.scaling.bootstrap import interval
from advisor.scaling.fits import LawFit, ScalingFits
from machines.arrays import Floats

_NOTHING = 1e-3  # share of evidence below which a law changes no answer


@dataclass(frozen=True, eq=False)
class Averaged:
    """The laws' mean."""

    fits: tuple[LawFit, ...]  # the first has the most evidence
    weights: Floats  # shape (laws,); their shares; the sum is 1

    def throughput(self, P: Floats) -> Floats:
        """Mean X at P, shape as P."""
        curves = np.stack([fit.throughput(P) for fit in self.fits])
        mean: Floats = self.weights @ curves
        return mean

    def draws(self, P: Floats) -> Floats:
        """Curves of the bootstraps, each law as often as its weight; shape (draws, P)."""
        shares = [
            round(weight * fit.replicates.gamma.size)
            for fit, weight in zip(self.fits, self.weights, strict=True)
        ]
        return np.concatenate(
            [
                fit.replicates.first(count).throughput(P)
                for fit, count in zip(self.fits, shares, strict=True)
            ]
        )

    def band(self, P: Floats) -> tuple[Floats, Floats]:
        """Lower and upper end of 95 % of X at P, around the mean and above 0.

        Not a number with too few draws. An end that is not above 0 is as far below, in ratio, as
        the other is above.
        """
        low, high = interval(self.draws(P))
        mean = self.throughput(P)
        high = np.where(np.isnan(high), high, np.maximum(high, mean))
        low = np.where(
            low > 0.0, np.minimum(low, mean), np.where(np.isnan(low), low, mean**2 / high)
        )
        return low, high


def averaged(fits: ScalingFits, without: frozenset[str] | set[str]) -> Averaged:
    """The mean of the laws, those of the keys `without` left out; all of them if none is left."""
    rivals = [fit for fit in fits.rivals if fit.law.key not in without] or list(fits.rivals)
    least = rivals[0].aicc
    if not math.isfinite(least):
        return Averaged((rivals[0],), np.ones(1))
    evidence = np.exp([(least - fit.aicc) / 2.0 for fit in rivals])
    kept = evidence >= _NOTHING * evidence.sum()
    chosen = tuple(fit for fit, keep in zip(rivals, kept, strict=True) if keep)
    return Averaged(chosen, evidence[kept] / evidence[kept].sum())
