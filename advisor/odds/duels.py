"""Two plans in the same draws: how often one ends first, and what the other choice would regret."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.odds.bands import standard_error
from advisor.odds.draws import BATCH
from machines.arrays import Floats

SURE = 0.75  # odds under which two plans are about equal


@dataclass(frozen=True)
class Duel:
    """One plan against another.

    Attributes
    ----------
    odds : float
        Share of the draws in which the first ends earlier; draws that are alike count half.
    odds_error : float
        Its standard error.
    gain_s : float
        By how much the first ends earlier in the mean; negative: later.
    regret_s, worst_regret_s : float
        What choosing the first costs against the better of both in each draw: mean, most.
    """

    odds: float
    odds_error: float
    gain_s: float
    regret_s: float
    worst_regret_s: float

    @property
    def is_even(self) -> bool:
        """Neither is better in three of four draws."""
        return 1.0 - SURE < self.odds < SURE


def duel(first_s: Floats, second_s: Floats) -> Duel:
    """Makespans of two plans in the same draws, set against each other."""
    apart = second_s - first_s
    apart = np.where(np.abs(apart) <= ALIKE * np.abs(first_s), 0.0, apart)
    wins = np.where(apart > 0.0, 1.0, np.where(apart < 0.0, 0.0, 0.5))
    regret = np.maximum(-apart, 0.0)
    parts = wins[: wins.size // BATCH * BATCH].reshape(-1, BATCH).mean(axis=1)
    return Duel(
        odds=float(wins.mean()),
        odds_error=standard_error(parts),
        gain_s=float(apart.mean()),
        regret_s=float(regret.mean()),
        worst_regret_s=float(regret.max()),
    )
