"""Measurements that the others refute: bad runs, and the cliff at the end of a range.

Leave-one-out decides. Every point, then every pair, is left out in turn; what the laws and a smooth
curve lead to expect there from the rest is set beside what was measured (the externally studentised
residual, Bonferroni over the points). A run among repetitions is refuted by the scatter of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from advisor.models.shape_fit import Samples
from advisor.scaling.data import Measurements
from advisor.scaling.laws import AMDAHL, BY_KEY, ERLANG, USL
from machines.arrays import Floats

_RARE = 0.01  # probability that a good set has an outlier
_LEAST = np.log(1.25)  # ratio to what is expected below which a point is none
_BEYOND = np.log(2.0)  # at an end of the range, where what is expected is extrapolated
_FINEST = 0.004  # relative scatter below which rests are alike
_APT = 3.0  # times the least scatter of a law or curve that describes the rest
_FEWEST, _FEWEST_OF_PAIRS, _MOST_OF_PAIRS = 5, 8, 24  # different P
_RUNS = 3  # of one P that tell a bad one
_RUN_SPREADS = 6.0  # robust standard deviations
_RUN_LEAST = np.log(1.3)


@dataclass(frozen=True)
class Outlier:
    """What was measured at one P, and what the others lead to expect there, as throughputs.

    `runs`: how many of so many repetitions are bad; 0: all that were measured.
    """

    P: int
    rate: float
    expected: float
    at_end: bool
    runs: int = 0

    @property
    def slow(self) -> bool:
        """Whether it is slower than expected."""
        return self.rate < self.expected


@dataclass(frozen=True)
class Sifted:
    """The measurements without outliers, and these."""

    kept: Measurements
    outliers: tuple[Outlier, ...]


def sifted(data: Measurements) -> Sifted:
    """Part measurements into those that agree and the outliers."""
    bad_runs, runs = _bad_runs(data)
    kept = _without(data, bad_runs)
    P, X = kept.means()
    found = _outlying(P, X)
    places = {int(P[i]) for i, _ in found}
    kept = _without(kept, {i for i, one in enumerate(kept.processors) if one in places})
    ends = {int(P[0]), int(P[-1])} | ({int(P[-2])} if len(found) > 1 else set())
    whole = [Outlier(int(P[i]), float(X[i]), expected, int(P[i]) in ends) for i, expected in found]
    return Sifted(kept, (*runs, *whole))


def _without(data: Measurements, left: set[int]) -> Measurements:
    if not left:
        return data
    kept = [i for i in range(len(data.processors)) if i not in left]
    return replace(
        data, processors=tuple(data.processors[i] for i in kept),
        values=tuple(data.values[i] for i in kept),
    )  # fmt: skip


def _bad_runs(data: Measurements) -> tuple[set[int], tuple[Outlier, ...]]:
    """Runs far from the median of their repetitions, by the scatter of all repetitions."""
    P, X = data.P, data.X
    different, place, runs = np.unique(P, return_inverse=True, return_counts=True)
    if runs.max() < _RUNS:
        return set(), ()
    medians = np.array([np.median(X[place == k]) for k in range(different.size)])
    away = np.log(X / medians[place])
    known = np.abs(away[(runs >= _RUNS)[place] & (away != 0.0)])
    spread = 1.4826 * float(np.median(known)) if known.size else 0.0
    far = (np.abs(away) > max(_RUN_SPREADS * spread, _RUN_LEAST)) & (runs >= _RUNS)[place]
    bad: set[int] = set()
    found = []
    for k in range(different.size):
        here = np.flatnonzero(far & (place == k))
        if 0 < here.size < runs[k] / 2:
            bad.update(here.tolist())
            found.append(Outlier(int(different[k]), float(X[here].mean()), float(medians[k]),
                                 at_end=False, runs=int(here.size)))  # fmt: skip
    return bad, tuple(found)


def _outlying(P: Floats, X: Floats) -> list[tuple[int, float]]:
    """(place, expected throughput) of the points that the rest refutes; one, or a pair."""
    singles: list[tuple[int, ...]] = [(i,) for i in range(P.size)]
    if P.size < _FEWEST:
        return []
    if found := _refuted(P, X, singles):
        return found
    if not _FEWEST_OF_PAIRS <= P.size <= _MOST_OF_PAIRS:
        return []
    return _refuted(P, X, list(combinations(range(P.size), 2)))


def _refuted(P: Floats, X: Floats, left: list[tuple[int, ...]]) -> list[tuple[int, float]]:
    """The points of the combination that is furthest from what its rest leads to expect."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    kept = np.ones((len(left), P.size))
    for row, taken in enumerate(left):
        kept[row, list(taken)] = 0.0
    best: tuple[float, list[tuple[int, float]]] = (1.0, [])
    known = list(_expectations(P, X, kept))
    rare = 1.0 - _RARE / (2.0 * len(left))
    for row, taken in enumerate(left):
        places = list(taken)
        finest = max(min(spread[row] for _, spread, _ in known), _FINEST)
        apt = [one for one in known if one[1][row] <= _APT * finest]  # each describes the rest
        away = np.log(X[places] / np.array([expected[row, places] for expected, _, _ in apt]))
        kindest = np.abs(away).argmin(axis=0)
        limit = max(float(stdtrit(free, rare)) * finest for _, _, free in apt)
        ends = (np.array(places) == 0) | (np.array(places) == P.size - 1)
        ends |= len(places) > 1 and places[-1] == P.size - 1
        least = np.where(ends, _BEYOND, _LEAST)
        over = float((np.abs(away).min(axis=0) / np.maximum(limit, least)).min())
        if over > best[0]:
            wanted = [float(apt[k][0][row, i]) for i, k in zip(places, kindest, strict=True)]
            best = over, list(zip(places, wanted, strict=True))
    return best[1]


def _expectations(P: Floats, X: Floats, kept: Floats) -> Iterator[tuple[Floats, Floats, int]]:
    """(expected X, relative scatter, degrees of freedom) by laws and a smooth curve, row by row."""
    points = int(kept[0].sum())
    rows = np.tile(X, (kept.shape[0], 1))
    for key in (AMDAHL, ERLANG, USL):
        law = BY_KEY[key]
        if points <= law.parameters:
            continue
        shapes, gamma = law.fit(Samples(P, rows, kept / X))
        expected = np.maximum(gamma[:, None] * law.curve(P, shapes), 1e-9 * X.min())
        yield _scattered(X, kept, expected, points - law.parameters)
    if points > 4:
        yield _scattered(X, kept, _smooth(P, X, kept), points - 3)


def _scattered(X: Floats, kept: Floats, expected: Floats, free: int) -> tuple[Floats, Floats, int]:
    squares = (kept * np.log(X / expected) ** 2).sum(axis=1)
    return expected, np.sqrt(squares / free), free


def _smooth(P: Floats, X: Floats, kept: Floats) -> Floats:
    """A parabola of log X over log P through the kept points of every row."""
    powers = np.stack([np.ones_like(P), np.log(P), np.log(P) ** 2], axis=1)
    found = [
        powers @ np.linalg.lstsq(powers[row > 0.0], np.log(X[row > 0.0]), rcond=None)[0]
        for row in kept
    ]
    curve: Floats = np.exp(np.clip(np.array(found), -600.0, 600.0))
    return curve
