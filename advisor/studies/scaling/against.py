"""Two sets of measurements laid over each other: which is faster where, beyond noise.

At every number of processors at which one of them was measured, within the range of both, each has
an interval: that of its mean of repetitions, where it was measured there, together with the 95 %
band of its laws' mean. A difference is claimed only where the two intervals do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from advisor.basics.quantities import percent
from advisor.scaling.averaged import Averaged
from advisor.scaling.contradictions import errors_of_means
from advisor.scaling.data import SPEEDUP, TIME, Measurements, as_measured
from advisor.scaling.fits import ScalingFits
from advisor.scaling.noise import repetitions
from advisor.studies.facts import Fact
from advisor.studies.scaling.law_curves import PROCESSORS, sampled
from advisor.studies.study import Note, Series, StudyResult, Table
from machines.arrays import Floats
from machines.errors import InputError

FIRST, SECOND, ALIKE, UNKNOWN = "first", "second", "alike", "unknown"
_SAME = 1e-9  # share of a value that is rounding
_TAIL = 0.975


@dataclass(frozen=True, eq=False)
class Rated:
    """One set with its fits and the mean of the laws that stand."""

    name: str
    fits: ScalingFits
    curve: Averaged

    def at(self, P: Floats) -> tuple[Floats, Floats, Floats]:
        """Throughput at P, measured where it was, with the ends of its interval; shapes as P."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

        different, means = self.fits.data.means()
        free = repetitions(self.fits.data) or len(self.fits.data.processors) - min(
            fit.law.parameters for fit in self.fits.fits
        )
        doubt = float(stdtrit(max(free, 1), _TAIL)) * errors_of_means(self.fits)
        rate = self.curve.throughput(P)
        low, high = self.curve.band(P)
        for where, X, error in zip(different, means, doubt, strict=True):
            here = where == P
            rate[here] = X
            low[here] = np.fmin(low[here], X - error)
            high[here] = np.fmax(high[here], X + error)
        return rate, low, high


@dataclass(frozen=True, eq=False)
class _Place:
    """Both sets at one number of processors: throughputs, ends of intervals, and who is faster."""

    P: int
    rates: tuple[float, float]
    lows: tuple[float, float]
    highs: tuple[float, float]

    @property
    def faster(self) -> str:
        """FIRST or SECOND where the intervals do not overlap."""
        if not np.isfinite((*self.lows, *self.highs)).all():
            return UNKNOWN
        for name, one, other in ((FIRST, 0, 1), (SECOND, 1, 0)):
            if self.lows[one] > self.highs[other] * (1.0 + _SAME):
                return name
        return ALIKE

    @property
    def claimed(self) -> bool:
        """Whether one of them is faster, beyond noise."""
        return self.faster in {FIRST, SECOND}

    @property
    def by(self) -> float:
        """Share by which the faster is faster."""
        return max(self.rates) / min(self.rates) - 1.0


@dataclass(frozen=True, eq=False)
class LaidOver:
    """Two sets beside each other."""

    names: tuple[str, str]
    sentence: str
    series: tuple[Series, ...]
    table: Table
    notes: tuple[Note, ...]

    def added_to(self, result: StudyResult, second: str) -> StudyResult:
        """The answer of the first set, with the comparison and the second's headline before it."""
        return replace(
            result,
            headline=f"{self.sentence}.",
            alternative=f"{_begun(self.names[0])}: {result.sentence}",
            reasons=(f"{_begun(self.names[1])}: {second}", *result.reasons),
            series=(*result.series, *self.series),
            tables=(self.table, *result.tables),
            notes=(*self.notes, *result.notes),
        )


def expect_comparable(one: Measurements, other: Measurements) -> None:
    """Refuse sets of different kinds or units."""
    said = [f"{data.kind} ({data.unit})" if data.unit else data.kind for data in (one, other)]
    if said[0] != said[1]:
        raise InputError(
            f"{said[1]} can't be laid over {said[0]}", where="setting against", value=other.name,
            remedy="Give both sets as the same kind in the same unit",
        )  # fmt: skip


def laid_over(first: Rated, second: Rated) -> LaidOver:
    """Compare two sets of one kind and unit where the ranges of both overlap."""
    names = (first.name, second.name)
    if names[0] == names[1]:
        names = ("the first set", "the second set")
    ranges = [one.fits.data.P for one in (first, second)]
    low, high = max(P.min() for P in ranges), min(P.max() for P in ranges)
    every = np.unique(np.concatenate(ranges))
    P = every[(every >= low) & (every <= high)]
    places: tuple[_Place, ...] = ()
    if P.size:
        a, b = first.at(P), second.at(P)
        places = tuple(
            _Place(int(P[i]), *((float(a[k][i]), float(b[k][i])) for k in range(3)))
            for i in range(P.size)
        )
    data = first.fits.data
    series = tuple(_series(second, names[1]))
    notes = tuple(_notes(places, names))
    return LaidOver(
        names, _sentence(places, names, data), series, _table(places, names, data), notes
    )


def _sentence(places: tuple[_Place, ...], names: tuple[str, str], data: Measurements) -> str:
    if not places:
        return _begun(
            f"{names[0]} and {names[1]} share no range of P: nothing says which is faster"
        )
    better = "scales better" if data.kind == SPEEDUP else "is faster"
    parts: list[str] = []
    alike: list[str] = []
    unknown: list[str] = []
    for faster, group in groupby(places, key=lambda one: one.faster):
        run = list(group)
        if faster in {ALIKE, UNKNOWN}:
            (alike if faster == ALIKE else unknown).append(_span(run))
        else:
            name = names[0] if faster == FIRST else names[1]
            parts.append(f"{name} {better} at P = {_gain(run, data)}")
    if alike:
        between = "" if parts else f" between {names[0]} and {names[1]}"
        said = f"no difference beyond noise{between} at P = {', '.join(alike)}"
        parts.append(said if parts else f"N{said[1:]}")
    if unknown:
        which = (
            f"which of them {better}" if parts else f"which of {names[0]} and {names[1]} {better}"
        )
        said = f"{which} is not known at P = {', '.join(unknown)}"
        parts.append(said if parts else f"W{said[1:]}")
    return _begun("; ".join(parts))


def _gain(run: list[_Place], data: Measurements) -> str:
    """Where, by how much, and both values where it is most."""
    most = max(run, key=lambda one: one.by)
    faster, slower = (as_measured(data, rate) for rate in sorted(most.rates, reverse=True))
    pair = Fact(data.kind, faster, data.unit, slower)
    ends = " beside ".join(map(pair.said, (faster, slower)))
    if len(run) == 1:
        return f"{most.P:,}, by {percent(most.by)} ({ends})"
    least = percent(min(one.by for one in run))
    return f"{_span(run)}, by {least} to {percent(most.by)} ({ends} at {most.P:,})"


def _span(run: list[_Place]) -> str:
    """Numbers of processors that follow each other among those compared."""
    if len(run) > 2:
        return f"{run[0].P:,} to {run[-1].P:,}"
    return " and ".join(f"{one.P:,}" for one in run)


def _begun(sentence: str) -> str:
    return sentence.replace("the ", "The ", 1) if sentence.startswith("the ") else sentence


def _notes(places: tuple[_Place, ...], names: tuple[str, str]) -> Iterator[Note]:
    if not places:
        yield Note(
            False, f"Measure {names[1]} where {names[0]} was measured: they share no range of P"
        )
    if any(one.faster == UNKNOWN for one in places):
        yield Note(False, "Without samples of the bootstrap sets are compared only where both "
                          "were measured")  # fmt: skip


def _table(places: tuple[_Place, ...], names: tuple[str, str], data: Measurements) -> Table:
    timed = data.kind == TIME
    _, unit = data.told
    rows = []
    for one in places:
        cells: list[float | None] = []
        for set_ in (0, 1):
            ends = [one.rates[set_], one.lows[set_], one.highs[set_]]
            if timed:
                ends = [1.0 / ends[0], *(1.0 / end if end > 0.0 else np.inf for end in
                                         (ends[2], ends[1]))]  # fmt: skip
            cells += [end if np.isfinite(end) else None for end in ends]
        faster = {FIRST: names[0], SECOND: names[1], ALIKE: "no difference", UNKNOWN: "not known"}
        rows.append((one.P, *cells, faster[one.faster], 100.0 * one.by if one.claimed else None))
    titles = [(f"{name}{end}", unit) for name in names for end in ("", " 95 % from", " 95 % to")]
    better = "scales better" if data.kind == SPEEDUP else "faster"
    return Table("Side by side", (("P", ""), *titles, (better, ""), ("by", "%")), tuple(rows))


def _series(second: Rated, name: str) -> Iterator[Series]:
    """The second set's points under the mean of its laws, as the first set's."""
    data = second.fits.data
    at = np.array(sampled(int(data.P.max()), data.processors), dtype=np.float64)
    mean = second.curve.throughput(at)
    drawn = [(SPEEDUP if data.kind == SPEEDUP else "throughput", data.rate_unit, data.X, mean)]
    if data.kind == TIME:
        drawn.append((TIME, data.unit, np.array(data.values), 1.0 / mean))
    for label, unit, points, line in drawn:
        for title, x, y, kind in ((f"measured, {name}", data.P, points, "points"),
                                  (f"mean of the laws, {name}", at, line, "line")):  # fmt: skip
            yield Series(
                title, tuple(x.tolist()), tuple(y.tolist()), PROCESSORS, "", label, unit, kind=kind
            )
