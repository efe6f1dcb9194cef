"""What measurements say of numbers of processors: fits, outliers, candidates and choices."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.scaling.averaged import Averaged
from advisor.scaling.bootstrap import interval
from advisor.scaling.contradictions import SURE, errors_of_means
from advisor.scaling.data import TIME, Measurements, as_measured
from advisor.scaling.fits import LONGEST_CHAIN, ScalingFits, fit_laws
from advisor.scaling.laws import REPAIRMAN
from advisor.scaling.noise import scatter
from advisor.scaling.outliers import Outlier, Sifted, sifted
from advisor.scaling.scaling_verdict import ScalingVerdict, judge
from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.scaling.candidates import Candidates, Promised, candidates
from advisor.studies.scaling.fit_views import Drawn
from advisor.studies.scaling.parameters import ScalingParameters, affordable
from advisor.studies.scaling.processor_choice import ChosenProcessors, fewest
from advisor.studies.scaling.runnable import runnable
from machines import InputError

_LOOKED_AT = 500  # numbers of processors at which each draw is

Fit = Callable[[Measurements], ScalingFits]


@dataclass(frozen=True, eq=False)
class Found:
    """The answer of one set of measurements.

    `low`, `high`: between which the number for the best time lies in 95 % of the draws; 0: unknown.
    """

    asked: ScalingParameters
    data: Measurements  # all that were read
    sifted: Sifted
    fits: ScalingFits  # of those that agree
    verdict: ScalingVerdict
    candidates: Candidates
    choices: tuple[ChosenProcessors, ...]
    affordable: int
    low: int
    high: int

    @property
    def curve(self) -> Averaged:
        """The mean of the laws that stand."""
        return self.verdict.curve

    @property
    def stands(self) -> bool:
        """Whether there is a law that the measurements don't contradict."""
        return self.verdict.stands(self.curve.fits[0])

    @property
    def one(self) -> float:
        """Throughput of what speedups are against, a processor."""
        P, X = self.candidates.base
        return X / P

    @property
    def drawn(self) -> Drawn:
        """What plots need."""
        numbers = np.array([float(self.data.P.min()), float(self.last)])
        return Drawn(self.curve, numbers, self.choices, self.candidates.base)

    @property
    def last(self) -> int:
        """The largest number looked at."""
        most = self.asked.processors or int(self.data.P.max())
        return max(most, int(self.data.P.min()))

    @property
    def main(self) -> tuple[int, float]:
        """The number that is named and its throughput."""
        return self.of(self.choices[0])

    @property
    def measured_best(self) -> tuple[int, float]:
        """P of the highest mean throughput measured, and that."""
        P, X = self.known.means()
        best = int(X.argmax())
        return int(P[best]), float(X[best])

    @cached_property
    def known(self) -> Measurements:
        """The measurements without slow outliers."""
        return without_slow(self.data, self.sifted)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Of the number that is named."""
        return _facts(self)

    def of(self, one: ChosenProcessors) -> tuple[int, float]:
        """A choice's P and throughput."""
        return one.P, one.speedup * self.candidates.base[1]

    def amount(self, rate: float) -> str:
        """A throughput as what was measured, a time where times were, with the card's digits."""
        return self.facts[1].said(as_measured(self.data, rate))

    def rival(self) -> ChosenProcessors | None:
        """The number of the best efficiency × speed, unless it is the one that is named."""
        power = self.choices[1]
        return None if self.choices[0].P == power.P else power

    def doubt(self, P: int) -> tuple[float, float]:
        """The 95 % interval of the throughput at P; not a number where unknown."""
        at, means = self.known.means()
        here = np.flatnonzero(at == P)
        if here.size and not math.isnan(scatter(self.fits.data, self.fits.noise)):
            known = self.fits.data.means()[0]
            place = np.flatnonzero(known == P)
            if place.size:
                wide = SURE * float(errors_of_means(self.fits)[place[0]])
                X = float(means[here[0]])
                return (X - wide if wide < X else X**2 / (X + wide)), X + wide
        if here.size or not self.stands:
            return math.nan, math.nan
        low, high = self.curve.band(np.array([float(P)]))
        return float(low[0]), float(high[0])


def without_slow(data: Measurements, found: Sifted) -> Measurements:
    """All but what is slower than the rest allows; what is too fast stays: it was measured."""
    fast = [one for one in found.outliers if not one.slow and not one.runs]
    if not fast:
        return found.kept
    places = {one.P for one in fast}
    kept = [
        (P, value) for P, value in zip(data.processors, data.values, strict=True) if P in places
    ]
    more = [*zip(found.kept.processors, found.kept.values, strict=True), *kept]
    return replace(
        found.kept, processors=tuple(P for P, _ in more), values=tuple(value for _, value in more)
    )


def found_in(asked: ScalingParameters, data: Measurements, fit: Fit) -> Found:
    """Sift the measurements, fit what agrees, and choose."""
    parted = sifted(data)
    fits = fit(parted.kept)
    verdict = judge(fits, 1, asked.processors)
    paid = affordable(asked)
    named = _candidates(asked, data, parted, fits, verdict)
    chosen = named.choices(paid)
    low, high = _between(verdict.curve, named) if verdict.stands(verdict.curve.fits[0]) else (0, 0)
    if low and not low <= chosen[0].P <= high:
        low, high = min(low, chosen[0].P), max(high, chosen[0].P)
    return Found(asked, data, parted, fits, verdict, named, chosen, paid or 0, low, high)


def with_outliers(asked: ScalingParameters, data: Measurements) -> ChosenProcessors | None:
    """What all measurements together would choose, the outliers among them."""
    nothing = Sifted(data, ())
    fits = fit_laws(data, replicates=0, noise=asked.noise)
    verdict = judge(fits, 1, asked.processors)
    found: ChosenProcessors = _candidates(asked, data, nothing, fits, verdict).choices(None)[0]
    return found


def _candidates(
    asked: ScalingParameters,
    data: Measurements,
    parted: Sifted,
    fits: ScalingFits,
    verdict: ScalingVerdict,
) -> Candidates:
    known, curve = without_slow(data, parted), verdict.curve
    last = asked.processors
    if last is not None and any(fit.law.key == REPAIRMAN for fit in curve.fits):
        last = min(last, LONGEST_CHAIN)
    slack, P = 0.0, known.means()[0]
    if not math.isnan(scatter(fits.data, fits.noise)):
        X = fits.data.means()[1]
        slack = SURE * float(errors_of_means(fits)[int(X.argmax())])
        if known.means()[1].max() > X.max():
            slack = 0.0  # the fastest is an outlier
    stands = verdict.stands(curve.fits[0])
    if last is not None and last < P[0]:
        raise InputError(
            "nothing was measured on so few", where="setting processors", value=last,
            remedy=f"The least measured is {P[0]:.0f}",
        )  # fmt: skip
    promised = Promised(curve, stands, known, base_of(asked, known), slack)
    return candidates(promised, last, runnable(asked.runnable, P))


def base_of(asked: ScalingParameters, data: Measurements) -> tuple[int, float]:
    """(P, throughput) of what speedups are against: asked for, or the smallest run."""
    P, X = data.means()
    if asked.base is None:
        return int(P[0]), float(X[0])
    place = np.flatnonzero(asked.base == P)
    if not place.size:
        raise InputError(
            "nothing was measured there", where="setting base", value=asked.base,
            remedy=f"Measured: {', '.join(f'{one:.0f}' for one in P)}",
        )  # fmt: skip
    return asked.base, float(X[place[0]])


def _between(curve: Averaged, named: Candidates) -> tuple[int, int]:
    """The 95 % interval of the number for the best time; zeros where there are too few draws."""
    some = named.numbers
    if some.size > _LOOKED_AT:
        some = some[np.unique(np.linspace(0, some.size - 1, _LOOKED_AT).round().astype(int))]
    best = [float(some[fewest(one)]) for one in curve.draws(some)]
    low, high = interval(np.array(best)[:, None])
    return (0, 0) if np.isnan(low[0]) else (math.floor(low[0]), math.ceil(high[0]))


def _facts(found: Found) -> tuple[Fact, ...]:
    """Of the number that is named, against the best efficiency × speed where that is another."""
    data, power = found.data, found.rival()
    other = None if power is None else found.of(power)
    P, X = found.candidates.base
    value = (*data.told, LESS if data.kind == TIME else MORE)
    wanted: tuple[tuple[str, str, str, Callable[[tuple[int, float]], float]], ...] = (
        (data.noun, "", LESS, lambda one: one[0]),
        (*value, lambda one: as_measured(data, one[1])),
        ("speedup", "", MORE, lambda one: one[1] / X),
        ("efficiency", "%", MORE, lambda one: 100.0 * one[1] / X * P / one[0]),
    )
    chosen = [found.of(one) for one in found.choices]
    # the best measured is told as throughput or time alone
    told = {value[0]: [*chosen, found.measured_best]}
    return tuple(
        Fact(
            name, of(found.main), unit, None if other is None else of(other), better,
            beside=tuple(map(of, told.get(name, chosen))),
        )
        for name, unit, better, of in wanted
    )  # fmt: skip


def outlier_words(data: Measurements, one: Outlier) -> str:
    """An outlier in a sentence: where, what was measured, what the others lead to expect."""
    fact = Fact(data.kind, as_measured(data, one.rate), data.unit, as_measured(data, one.expected))
    got, wanted = fact.text, fact.said(as_measured(data, one.expected))
    at = data.counted(one.P)
    if one.runs:
        runs = "one run" if one.runs == 1 else f"{one.runs} runs"
        return f"{runs} with {at} took no part: {got} where the others had {wanted}"
    why = "a cliff or a bad run" if one.at_end and one.slow else "a bad run"
    why = why if one.slow else "too fast to be true, or a step that no law has"
    apart = f"{got} measured where the others lead to expect {wanted}"
    return f"the point at {at} is an outlier, {why}: {apart}"
