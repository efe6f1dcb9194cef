"""The scaling study of measurements: every law fitted, those that stand averaged, what they choose.

Fits are `advisor.scaling.fits`, what they say to a user `advisor.scaling.scaling_verdict`; here
numbers of processors are chosen by the mean of the laws that the measurements leave standing,
within what was measured unless more is asked for, and set beside the best that was measured.
Speedups are against one processor as it was measured, if it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from advisor.basics.quantities import count, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.scaling.averaged import Averaged
from advisor.scaling.bootstrap import interval
from advisor.scaling.contradictions import SURE, errors_of_means
from advisor.scaling.data import TIME as TIME_KIND
from advisor.scaling.data import (
    Measurements,
    Part,
    as_measured,
    expect_scaling,
    parse_measurements,
    read_measurements,
    shipped,
    shipped_names,
)
from advisor.scaling.fits import LONGEST_CHAIN, ScalingFits, fit_laws
from advisor.scaling.laws import REPAIRMAN
from advisor.scaling.scaling_verdict import EXTRAPOLATION, ScalingVerdict, judge
from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.scaling.against import Rated, expect_comparable, laid_over
from advisor.studies.scaling.fit_views import (
    Drawn,
    choice_table,
    estimates,
    fit_series,
    fit_tables,
    purpose_of,
)
from advisor.studies.scaling.parameters import ScalingParameters, affordable
from advisor.studies.scaling.processor_choice import (
    BUDGET,
    CLOSE,
    TIME,
    ChosenProcessors,
    choices,
    fewest,
    fitted_task,
)
from advisor.studies.study import (
    EQUATION,
    MEASURED,
    Note,
    OnProgress,
    StudyProgress,
    StudyResult,
)
from machines import InputError
from machines.arrays import Floats
from machines.errors import capital
from machines.files import is_there

_NUMBERS = 20_000  # up to so many each number of processors is looked at
_CLOSE = f"{100 * CLOSE:g} %"
_LOOKED_AT = 500  # numbers of processors at which each draw is


def measured_answer(
    asked: ScalingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Fit all laws to the measurements and choose numbers of processors by the supported one.

    Returns: measured points, every fitted law with its 95 % band and the supported one first,
    residuals, laws and parameters, the choices; bands are missing when stopped.
    """
    data, other = measured(asked), measured_against(asked)
    if other is not None:
        expect_comparable(data, other)
    paid = affordable(asked)
    share = 1.0 if other is None else 0.5

    def tell(done: float, sentence: str) -> None:
        if on_progress is not None:
            on_progress(StudyProgress(done, sentence))

    def answered(of: Measurements, start: float) -> tuple[_Found, ScalingVerdict]:
        fits = fit_laws(
            of, replicates=asked.replicates, seed=asked.seed, should_stop=should_stop,
            on_progress=lambda done, sentence: tell(start + share * done, sentence),
        )  # fmt: skip
        verdict = judge(fits, 1, asked.processors)
        return _Found.of(asked, fits, verdict.curve, paid), verdict

    found, verdict = answered(data, 0.0)
    result = StudyResult(
        headline=_headline(found),
        alternative=_alternative(found, verdict),
        against="" if (power := _rival(found)) is None else f"P = {power.P:,}, {power.purpose}",
        facts=found.facts,
        reasons=tuple(_reasons(found, verdict)),
        series=tuple(fit_series(found.fits, found.drawn, verdict)),
        tables=(
            *fit_tables(found.fits, verdict),
            choice_table(found.fits.data, found.drawn, asked.price),
        ),
        notes=tuple(_notes(found, verdict)),
        answer=fitted_task(data, found.curve.fits, found.main[0], found.one),
        complete=found.fits.complete,
    )
    if other is None:
        return result
    second, _ = answered(other, share)
    both = laid_over(Rated(data.name, found.fits, found.curve),
                     Rated(other.name, second.fits, second.curve))  # fmt: skip
    return both.added_to(result, _headline(second))


def measured(asked: ScalingParameters) -> Measurements:
    """The measurements that the settings name: a text of several lines, a file, or shipped ones."""
    if not asked.data.strip():
        names = ", ".join(shipped_names())
        raise InputError(
            "there is nothing to fit", where="setting data", remedy=f"Give a CSV file, or {names}"
        )
    return _read(asked.data.strip(), asked)


def measured_against(asked: ScalingParameters) -> Measurements | None:
    """The second set; None where there is none: see `measured`."""
    return _read(asked.against.strip(), asked) if asked.against.strip() else None


def _read(text: str, asked: ScalingParameters) -> Measurements:
    part = Part(asked.region.strip(), asked.metric.strip())
    if "\n" in text:
        data = parse_measurements(text, asked.quantity, part=part)
    elif text in shipped_names() or not (Path(text).suffix or is_there(text)):
        data = shipped(text)
    else:
        data = read_measurements(text, asked.quantity, part)
    expect_scaling(data)
    return data


@dataclass(frozen=True)
class _Found:
    """The fits, the numbers of processors looked at, the laws' mean there, and the choices.

    `low`, `high`: between which the number for the best time lies in 95 % of the draws; 0: unknown.
    """

    asked: ScalingParameters
    fits: ScalingFits
    curve: Averaged  # the mean of the laws that stand
    numbers: Floats  # shape (numbers,); up to the largest P measured, or as far as was asked for
    speedups: Floats  # shape (numbers,); of the mean, against `one`
    one: float  # throughput of one processor: measured, else the mean's
    choices: tuple[ChosenProcessors, ...]
    affordable: int
    low: int
    high: int

    @classmethod
    def of(
        cls, asked: ScalingParameters, fits: ScalingFits, curve: Averaged, paid: int | None
    ) -> _Found:
        last = int(fits.data.P.max()) if asked.processors is None else asked.processors
        if any(fit.law.key == REPAIRMAN for fit in curve.fits):
            last = min(last, LONGEST_CHAIN)
        numbers = np.arange(1.0, last + 1.0)
        if last > _NUMBERS:
            numbers = np.unique(np.geomspace(1.0, last, _NUMBERS).round())
        measured_one = fits.data.rate_of_one
        rates = curve.throughput(numbers)
        one = float(rates[0]) if measured_one is None else measured_one
        found = choices(rates / one, paid, numbers)
        low, high = _between(curve, numbers)
        return cls(asked, fits, curve, numbers, rates / one, one, found, paid or 0, low, high)

    @property
    def drawn(self) -> Drawn:
        """What plots need."""
        return Drawn(self.curve, self.numbers, self.choices, self.one)

    @property
    def last(self) -> int:
        """The largest number looked at."""
        return int(self.numbers[-1])

    @property
    def grows(self) -> bool:
        """Whether the mean still grows at the last number looked at."""
        return float(self.speedups[-1]) >= float(self.speedups.max())

    @property
    def measured_best(self) -> tuple[int, float]:
        """P of the highest mean throughput measured, and that."""
        P, X = self.fits.data.means()
        best = int(X.argmax())
        return int(P[best]), float(X[best])

    @property
    def measured_beats(self) -> bool:
        """Whether the best measured is beyond what the laws' mean reaches, by more than noise."""
        top = int(self.speedups.argmax())
        high = float(self.curve.band(self.numbers[[top]])[1][0])
        reached = float(self.speedups[top]) * self.one if math.isnan(high) else high
        place = int(self.fits.data.means()[1].argmax())
        return self.measured_best[1] - SURE * float(errors_of_means(self.fits)[place]) > reached

    @property
    def main(self) -> tuple[int, float]:
        """The number that is named and its throughput: measured where the laws miss it."""
        time = self.choices[0]
        return self.measured_best if self.measured_beats else (time.P, time.speedup * self.one)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Of the number that is named."""
        return _facts(self)

    def amount(self, rate: float) -> str:
        """A throughput as what was measured, a time where times were, with the card's digits."""
        return self.facts[1].said(as_measured(self.fits.data, rate))

    def rate(self, one: ChosenProcessors) -> str:
        """What the mean gives with that number, with the 95 % interval where it is known."""
        rate = one.speedup * self.one
        ends = [float(end[0]) for end in self.curve.band(np.array([float(one.P)]))]
        low, high = map(self.amount, sorted(ends, key=lambda end: as_measured(self.fits.data, end)))
        doubt = "" if math.isnan(ends[0]) else f" (95 %: {low} to {high})"
        return f"{self.amount(rate)}{doubt}"


def _between(curve: Averaged, numbers: Floats) -> tuple[int, int]:
    """The 95 % interval of the number for the best time; zeros where there are too few draws."""
    some = numbers
    if numbers.size > _LOOKED_AT:
        some = np.unique(np.geomspace(1.0, numbers[-1], _LOOKED_AT).round())
    best = [float(some[fewest(one)]) for one in curve.draws(some)]
    low, high = interval(np.array(best)[:, None])
    return (0, 0) if np.isnan(low[0]) else (math.floor(low[0]), math.ceil(high[0]))


def _headline(found: _Found) -> str:
    """How many processors to use: the best measured where the laws miss it, else theirs."""
    time, (P, best) = found.choices[0], found.measured_best
    if found.measured_beats:
        return f"Use {count(P, 'processor')}, the best measured: {found.amount(best)}."
    most = f" up to {found.last:,}" if found.grows else ""
    doubt = f" (95 %: {found.low:,} to {found.high:,})" if found.high else ""
    best_of = f"the fewest within {_CLOSE} of the {purpose_of(found.fits.data, time)}"
    return (
        f"Use {count(time.P, 'processor')}, {best_of}{most}{doubt}: "
        f"{found.amount(time.speedup * found.one)} predicted."
    )


def _alternative(found: _Found, verdict: ScalingVerdict) -> str:
    """What was measured or the laws say beside it, the other criteria, and which law stands."""
    time, power, *rest = found.choices
    P, best = found.measured_best
    if found.measured_beats:
        predicted = found.amount(time.speedup * found.one)
        parts = [f"The laws miss it with {predicted} at {time.P:,}"]
    else:
        parts = [f"Best measured: {found.amount(best)}, with {P:,}"]
    parts.append(f"{power.P:,} for the best efficiency × speed")
    parts += [f"{one.P:,} within the budget" for one in rest]
    return f"{'; '.join(parts)}. {capital(verdict.sentence)}"


def _rival(found: _Found) -> ChosenProcessors | None:
    """The number of the best efficiency × speed, unless it is the one that is named."""
    power = found.choices[1]
    return None if found.main[0] == power.P else power


def _facts(found: _Found) -> tuple[Fact, ...]:
    """Of the number that is named, against the best efficiency × speed where that is another."""
    data, power = found.fits.data, _rival(found)
    other = None if power is None else (power.P, power.speedup * found.one)
    value = (*data.told, LESS if data.kind == TIME_KIND else MORE)
    wanted: tuple[tuple[str, str, str, Callable[[tuple[int, float]], float]], ...] = (
        ("processors", "", LESS, lambda one: one[0]),
        (*value, lambda one: as_measured(data, one[1])),
        ("speedup", "", MORE, lambda one: one[1] / found.one),
        ("efficiency", "%", MORE, lambda one: 100.0 * one[1] / found.one / one[0]),
    )
    chosen = [(one.P, one.speedup * found.one) for one in found.choices]
    # the best measured is told as throughput or time alone
    told = {value[0]: [*chosen, found.measured_best]}
    return tuple(
        Fact(
            name, of(found.main), unit, None if other is None else of(other), better,
            beside=tuple(map(of, told.get(name, chosen))),
        )
        for name, unit, better, of in wanted
    )  # fmt: skip


def _reasons(found: _Found, verdict: ScalingVerdict) -> Iterator[str]:
    yield from map(capital, verdict.reasons)
    for one in found.choices:
        near = f", the fewest within {_CLOSE} of the best up to {found.last:,}"
        why = near if one.purpose == TIME else ""
        more = ""
        if one.purpose == TIME and found.grows:
            more = "; it still grows there"
        elif one.purpose == BUDGET and one.at_end and found.affordable > found.last:
            more = "; the budget buys more than the numbers looked at"
        yield (
            f"{capital(purpose_of(found.fits.data, one))}, P = {one.P:,}{why}: {found.rate(one)}, "
            f"speedup {found.facts[2].said(one.speedup)}, efficiency "
            f"{found.facts[3].said(100.0 * one.efficiency)}{more}."
        )
    yield from _halved(found)
    if verdict.next_point is not None:
        yield verdict.next_point.text


def _halved(found: _Found) -> Iterator[str]:
    """What half the demand D of the fitted queue would bring; Z and c = kappa/sigma stay."""
    fit, one = found.curve.fits[0], found.choices[0]
    sigma = float(fit.shapes[0])
    if not fit.law.messaging or sigma <= 0.0:
        return
    after = 1.0 - sigma / 2.0  # (D/2 + Z)/(D + Z)
    eased = fit.shapes * (0.5 / after)  # sigma and, with the same c, kappa
    P = np.array([float(one.P)])
    speed = float(fit.law.curve(P, eased[None])[0, 0]) / after
    now = float(fit.law.curve(P, fit.shapes[None])[0, 0])
    demand, think = estimates(fit.estimate("D"), fit.estimate("Z"))
    yield (
        f"The interconnect's demand is D = {demand} beside the think time Z = {think}; "
        f"halved, {count(one.P, 'processor')} would be {percent(speed / now - 1.0)} faster."
    )


def _notes(found: _Found, verdict: ScalingVerdict) -> Iterator[Note]:
    best, data = found.curve.fits[0], found.fits.data
    yield Note(True, f"{best.law.title}, {best.law.recipe}", best.law.source, EQUATION)
    measured_at = f"{data.name}: {count(len(data.processors), 'point')} from P = "
    text = f"{measured_at}{int(data.P.min()):,} to {int(data.P.max()):,}"
    yield Note(True, text, kind=MEASURED)
    for column in found.fits.data.unused:
        text = f'The column "{column}" is ignored: noise is estimated from repetitions and the fit'
        yield Note(False, text)
    if found.fits.data.rate_of_one is None:
        yield Note(False, "Nothing was measured at P = 1: speedups are against a fitted one")
    for flag in verdict.flags:
        # what is drawn ends where the measurements do, unless more was asked for
        if flag.kind != EXTRAPOLATION or found.last > data.P.max():
            yield Note(False, capital(flag.text))
    for one in verdict.peaks:
        if one.P is None and one.title.startswith(best.law.title):
            yield Note(False, f"No peak of {one.title}: {one.reason}")
    if not found.fits.complete:
        yield Note(False, "Stopped: intervals and bands use fewer samples, or are missing")
    for left in found.fits.unfitted:
        text = f"{left.law.title}, {left.law.recipe}, is left out: {left.reason}"
        yield Note(False, capital(text))
