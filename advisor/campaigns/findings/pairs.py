"""Strategies two by two: who wins how often, by how much, and whether that could be chance.

What is tested are logarithms of ratios of values. Differences in seconds would let the longest
workloads decide; a ratio weighs an hour and a millisecond alike, and its logarithm only changes its
sign when the two change places, as the test supposes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared, by_workload
from advisor.campaigns.findings.significance import (
    FEWEST,
    LEVEL,
    factor,
    holm,
    interval,
    signed_rank,
)
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
