"""Whether paired differences could as well be chance: the signed rank test, Holm, intervals.

Under the hypothesis that nothing separates two strategies, each difference may as well have the
other sign. All 2^n ways to give signs to the ranks are then equally likely, which makes the test
exact; above `EXACT` differences their normal limit is used.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from machines.arrays import Floats

LEVEL = 0.05  # of error: what is called a difference is none with this probability
FEWEST = 6  # differences: the least p of five is 2/2⁵ = 0.0625, so that nothing could be shown
EXACT = 50
_LARGEST = math.log(sys.float_info.max)  # its inverse is a number, too


def signed_rank(differences: Floats) -> float:
    """The two-sided p of Wilcoxon's signed rank test.

    Differences of 0 are dropped before ranking (Wilcoxon's own way; not Pratt's, which ranks them
    first): given which differ, the test is exact however many do not, and it still sees how much
    they differ where most are 0. Equal sizes share the mean of their ranks.

    `differences`: finite; independent of each other. Returns: 1 where all are 0.

    References
    ----------
    Wilcoxon 1945; with ties and without tables, Hollander & Wolfe 1999, sec. 3.1.
    """
    kept = differences[differences != 0.0]
    ranks = _midranks(np.abs(kept))
    below, above = float(ranks[kept < 0.0].sum()), float(ranks[kept > 0.0].sum())
    least = min(below, above)
    if len(kept) <= EXACT:
        return min(1.0, 2.0 * float(_null(ranks)[: round(2.0 * least) + 1].sum()))
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    away = (least - ranks.sum() / 2.0) / np.sqrt((ranks**2).sum() / 4.0)
    return min(1.0, 2.0 * float(ndtr(away)))


def needed(tests: int) -> int:
    """How many differences so many tests need before any of them can show something.

    The least p of n differences is 2/2ⁿ, which Holm multiplies by the number of tests.
    """
    return max(FEWEST, 1 + math.ceil(math.log2(max(tests, 1) / LEVEL)))


def holm(ps: Sequence[float]) -> list[float]:
    """The p of several tests, corrected for their number, in their order.

    The k-th least of m, k = 0 …, is multiplied by m − k; none is below the one before. Holds
    whatever the tests have to do with each other (Holm 1979).
    """
    order = np.argsort(ps, kind="stable")
    factors = np.arange(len(ps), 0, -1)
    corrected = np.empty(len(ps))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(np.asarray(ps)[order] * factors))
    return [float(one) for one in corrected]


def interval(values: Floats) -> tuple[float, float, float]:
    """The mean with its 95 % interval of confidence by Student's t; NaN where too few are known.

    A bootstrap's percentiles are no better: of skewed (exponential) values t holds the mean 90
    times in 100 with ten of them and 91 with twenty, percentiles 85 and 90 times.
    """
    mean = float(values.mean()) if len(values) else float("nan")
    if len(values) < 2:
        return mean, float("nan"), float("nan")
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    reach = float(stdtrit(len(values) - 1, 1.0 - LEVEL / 2.0))
    half = reach * float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    return mean, mean - half, mean + half


def factor(logarithm: float) -> float:
    """What it is the logarithm of; beyond all numbers the last one, unless it is none itself."""
    if not math.isfinite(logarithm):
        return math.exp(logarithm)
    return math.exp(max(-_LARGEST, min(logarithm, _LARGEST)))


def _midranks(sizes: Floats) -> Floats:
    """Ranks from 1; equal ones share the mean of theirs."""
    _, places, many = np.unique(sizes, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(many) - (many - 1) / 2.0)[places]
    return ranks


def _null(ranks: Floats) -> Floats:
    """Probability of every sum of the ranks above 0, in halves: signs are heads or tails."""
    doubled = np.rint(2.0 * ranks).astype(int)
    chance = np.zeros(int(doubled.sum()) + 1)
    chance[0] = 1.0
    for rank in doubled.tolist():
        moved = chance.copy()
        moved[rank:] += chance[: len(chance) - rank]
        chance = moved / 2.0
    return chance
