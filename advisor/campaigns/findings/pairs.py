"""Strategies two by two: who wins how often, by how much, and whether that could be chance.

What is tested are logarithms of ratios of values. Differences in seconds would let the longest
workloads decide; a ratio weighs an hour and a millisecond alike, and its logarithm only changes its
sign when the two change places, as the test supposes.

Whether paired differences could as well be chance: the signed rank test, Holm, intervals.

Under the hypothesis that nothing separates two strategies, each difference may as well have the
other sign. All 2^n ways to give signs to the ranks are then equally likely, which makes the test
exact; above `EXACT` differences their normal limit is used.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared, by_workload
from machines.arrays import Flags, Floats, Indices
from machines.stopping import ask


@dataclass(frozen=True)
class Pair:
    """One strategy beside another, on the instances that both were asked about and one answered.

    `wins`, `ties`, `losses`: of the first.
    `ratio`, `low`, `high`: geometric mean of first over second where both answered, workloads
        counted once, with its 95 % interval; NaN: not known.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    workloads: int  # independent of each other, that these instances are of
    lost: tuple[int, int]  # on how many each failed
    ratio: float
    low: float
    high: float
    more: int  # by the ranks −1: the first is lower, 1: the second is, 0: neither
    p: float | None  # of the signed rank test over workloads; None: there are too few
    corrected: float | None = None  # by Holm, for all that were tested with it

    @property
    def instances(self) -> int:
        """How many there are."""
        return self.wins + self.ties + self.losses

    @property
    def differs(self) -> bool:
        """Whether it is no chance, at a level of 5 % for all that were tested together."""
        return self.corrected is not None and self.corrected <= LEVEL

    @property
    def is_better(self) -> bool:
        """Whether the first is lower than the second, by ranks and, where both answered, the mean.

        Also if the second never answered.
        """
        return self.differs and self.more < 0 and not self.ratio >= 1.0

    @property
    def is_mixed(self) -> bool:
        """Whether ranks, with failures as the highest, and the mean say the opposite."""
        return self.differs and self.more * (self.ratio - 1.0) <= 0.0

    @property
    def spans(self) -> bool:
        """Whether ranks tell them apart while the interval of the mean ratio holds 1."""
        return self.differs and self.low <= 1.0 <= self.high

    @property
    def turned(self) -> Pair:
        """The second beside the first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            wins=self.losses,
            losses=self.wins,
            lost=self.lost[::-1],
            ratio=1.0 / self.ratio,
            low=1.0 / self.high,
            high=1.0 / self.low,
            more=-self.more,
        )


def pairs(compared: Compared) -> tuple[Pair, ...]:
    """Every two strategies that were asked about the same instances, corrected together."""
    found = []
    for first, second in combinations(range(len(compared.strategies)), 2):
        ask()
        pair = paired(compared, first, second)
        if pair is not None:
            found.append(pair)
    return corrected(found)


def paired(compared: Compared, first: int, second: int) -> Pair | None:
    """Two strategies by their places; None: there is no instance to compare them on."""
    values = compared.values[:, (first, second)]
    both = ~np.isnan(values).any(axis=1) & np.isfinite(values).any(axis=1)
    if not both.any():
        return None
    logs = compared.logarithms[both]
    has = np.isfinite(values[both])
    return _pair(
        (compared.strategies[first], compared.strategies[second]),
        logs[:, first] - logs[:, second],
        compared.workload[both],
        has,
    )


def corrected(found: Sequence[Pair]) -> tuple[Pair, ...]:
    """The same with their corrected p, for as many as were tested."""
    rest = iter(holm([one.p for one in found if one.p is not None]))
    return tuple(one if one.p is None else replace(one, corrected=next(rest)) for one in found)


def _pair(names: tuple[str, str], apart: Floats, workload: Indices, has: Flags) -> Pair:
    """`apart` are the logarithms of first over second, `has` who has an answer, shape (n, 2)."""
    wins, losses = int((apart < -ALIKE).sum()), int((apart > ALIKE).sum())
    means = by_workload(apart, workload)
    both = has.all(axis=1)
    known = means if both.all() else by_workload(apart[both], workload[both])
    mean, low, high = (factor(one) for one in interval(known))
    first, second = (~has).sum(axis=0).tolist()
    return Pair(
        *names,
        wins,
        len(apart) - wins - losses,
        losses,
        len(means),
        (first, second),
        mean,
        low,
        high,
        _lower(means),
        signed_rank(means) if len(means) >= FEWEST else None,
    )


def _lower(means: Floats) -> int:
    """Which way the ranks lean: −1 below 0."""
    kept = means[means != 0.0]
    order = np.argsort(np.abs(kept))
    lean = float((np.sign(kept[order]) * np.arange(1, len(kept) + 1)).sum())
    return int(np.sign(lean))


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
