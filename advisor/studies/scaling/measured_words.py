"""The sentences of measurements: what to use, what else, why, and what to doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import percent
from advisor.scaling.data import TIME as TIME_KIND
from advisor.scaling.data import as_measured
from advisor.scaling.scaling_verdict import EXTRAPOLATION
from advisor.studies.scaling.fit_views import estimates, purpose_of
from advisor.studies.scaling.measured_found import Found, outlier_words, with_outliers
from advisor.studies.scaling.processor_choice import BUDGET, CLOSE, TIME, ChosenProcessors
from advisor.studies.scaling.run_costs import run_costs
from advisor.studies.scaling.weak import share, weak_of
from advisor.studies.study import EQUATION, MEASURED, Note
from machines.errors import capital

_CLOSE = f"{100 * CLOSE:g} %"
_NEARLY = 0.05  # less speed that is worth telling where it needs far fewer processors
_NEARLY_HALF = 0.01
_FAR_FEWER = 0.9
_RISEN = 1.02  # times by which times rise beyond rounding


def headline(found: Found) -> str:
    """How many processors to use, with the time that was measured or is predicted there."""
    time, (P, _) = found.choices[0], found.measured_best
    said = found.amount(found.of(time)[1])
    if asks_which(found):
        return _rising(found, said)
    use = f"Use {found.data.counted(time.P)}"
    most = f" up to {found.candidates.last:,}" if found.candidates.grows else ""
    if time.measured and time.P == P:
        return f"{use}, the best measured{most}: {said}."
    doubt = f" (95 %: {found.low:,} to {found.high:,})" if found.high else ""
    best_of = _fewest(found, f"the {purpose_of(found.data, time)}")
    return f"{use}, {best_of}{most}{doubt}: {said} {'measured' if time.measured else 'predicted'}."


def _fewest(found: Found, best: str) -> str:
    """Which of the fewest; of close ones those that are slower than measured do not count."""
    numbers, rates = found.candidates.numbers, found.candidates.rates
    close = numbers[int(np.argmax(rates >= (1.0 - CLOSE) * rates.max()))]
    if close >= found.main[0]:
        return f"the fewest within {_CLOSE} of {best}"
    noise = ", within noise" if found.candidates.slack > 0.0 else ""
    return f"the fewest as fast as the best measured{noise}"


def asks_which(found: Found) -> bool:
    """Whether it can't be told if the work is the same: times rise from the least P on."""
    if found.asked.scaling or found.data.scaling or found.data.kind != TIME_KIND:
        return False
    T = 1.0 / found.data.means()[1]
    return bool(T[0] == T.min() and T[-1] > _RISEN * T[0])


def _rising(found: Found, said: str) -> str:
    data = found.data
    weak, (P, _) = weak_of(found.asked, data), found.main
    ends = f"{weak.P[0]:,.0f} to {weak.P[-1]:,.0f} {data.noun}"
    return (
        f"Times rise from {ends}. If the work grows with them, efficiency falls to "
        f"{share(weak.E[-1])}; with the same work {data.counted(P)} "
        f"{'is' if P == 1 else 'are'} fastest: {said}."
    )


def alternative(found: Found) -> str:
    """What was measured or the laws say beside it, the other criteria, and which law stands."""
    time, power, *rest = found.choices
    P, best = found.measured_best
    parts = []
    if not (time.measured and time.P == P):
        parts.append(f"Best measured: {found.amount(best)}, with {P:,}")
    parts += [f"{one[0].upper()}{one[1:]}" if not parts else one for one in _cheaper(found)]
    more = f"{power.P:,} for the best efficiency × speed"
    parts += [more, *(f"{one.P:,} within the budget" for one in rest)]
    if asks_which(found):
        falls = weak_of(found.asked, found.data).falls_at
        below = "" if falls is None else f", whose efficiency is below 50 % from {falls:,} on"
        parts.insert(0, f"Set scaling to weak{below}, or to strong")
    outliers = f" {outlier_sentence(found)}" if found.sifted.outliers else ""
    return f"{capital('; '.join(parts))}.{outliers} {capital(found.verdict.sentence)}"


def outlier_sentence(found: Found) -> str:
    """Which measurements the others refute, and what the answer is with them."""
    words = "; ".join(outlier_words(found.data, one) for one in found.sifted.outliers)
    fast = [one for one in found.sifted.outliers if not one.slow and not one.runs]
    if fast:
        rest = with_outliers(found.asked, found.sifted.kept)
        other = "without it"
    else:
        rest = with_outliers(found.asked, found.data)
        other = "with it" if len(found.sifted.outliers) == 1 else "with them"
    same = rest is not None and rest.P == found.choices[0].P
    answer = "the same number is named" if same or rest is None else f"{rest.P:,} is named"
    return f"{capital(words)}; {other} {answer}."


def half(found: Found) -> tuple[int, float] | None:
    """(P, throughput) of half the named number or the next that can be named; None: none is."""
    numbers, rates = found.candidates.numbers, found.candidates.rates
    P = found.choices[0].P
    below = np.flatnonzero(numbers <= P / 2.0)
    place = int(below[-1]) if below.size else -1
    if place < 0 or numbers[place] < 0.4 * P:
        return None
    return int(numbers[place]), float(rates[place])


def _cheaper(found: Found) -> Iterator[str]:
    """What fewer processors cost in speed: with half, and the fewest within 5 %."""
    P, X = found.main
    numbers, rates = found.candidates.numbers, found.candidates.rates
    near = int(np.argmax(rates >= (1.0 - _NEARLY) * X))
    halved = half(found)
    if numbers[near] < _FAR_FEWER * P and (halved is None or numbers[near] > halved[0]):
        yield f"{numbers[near]:,.0f} has {_less(rates[near], X)} less speed"
    if halved is not None:
        fewer, rate = halved
        spent = 1.0 - fewer / P * X / rate
        exact = (
            "half"
            if abs(2 * fewer - P) <= _NEARLY_HALF * P
            else f"{fewer / P:.0%}".replace("%", " %") + " of"
        )
        cost = "saves" if spent > 0.0 else "costs"
        yield (
            f"{fewer:,} has {_less(rate, X)} less speed for {exact} the {found.data.noun} and "
            f"{cost} {percent(abs(spent))} of their time"
            + "".join(
                f", {one.compared((P, 1.0 / X), (fewer, 1.0 / rate))}"
                for one in run_costs(found.asked, found.data)
            )
        )


def _less(rate: float, best: float) -> str:
    return percent(max(1.0 - float(rate) / best, 0.0))


def reasons(found: Found) -> Iterator[str]:
    """Why: the laws, every choice with its interval, what half the demand would bring."""
    yield from map(capital, found.verdict.reasons)
    for one in found.choices:
        near = f", {_fewest(found, 'the best')} up to {found.candidates.last:,}"
        why = near if one.purpose == TIME else ""
        more = ""
        if one.purpose == TIME and found.candidates.grows:
            more = "; it still grows there"
        elif one.purpose == BUDGET and one.at_end and found.affordable > found.candidates.last:
            more = "; the budget buys more than the numbers looked at"
        yield (
            f"{capital(purpose_of(found.data, one))}, P = {one.P:,}{why}: {_rate(found, one)}, "
            f"speedup {found.facts[2].said(one.speedup)}, efficiency "
            f"{found.facts[3].said(100.0 * one.efficiency)}{_against(found)}{more}."
        )
    yield from _halved(found)
    if found.verdict.next_point is not None:
        yield found.verdict.next_point.text


def _against(found: Found) -> str:
    P = found.candidates.base[0]
    return "" if P == 1 else f" against {found.data.counted(P)}"


def _rate(found: Found, one: ChosenProcessors) -> str:
    """The time or throughput of a choice, with the 95 % interval where it is known."""
    ends = found.doubt(one.P)
    low, high = map(found.amount, sorted(ends, key=lambda end: as_measured(found.data, end)))
    doubt = "" if math.isnan(ends[0]) else f" (95 %: {low} to {high})"
    return f"{found.amount(found.of(one)[1])}{doubt}{', measured' if one.measured else ''}"


def _halved(found: Found) -> Iterator[str]:
    """What half the demand D of the fitted queue would bring; Z and c = kappa/sigma stay."""
    fit, one = found.curve.fits[0], found.choices[0]
    sigma = float(fit.shapes[0])
    if not found.stands or not fit.law.messaging or sigma <= 0.0:
        return
    after = 1.0 - sigma / 2.0  # (D/2 + Z)/(D + Z)
    eased = fit.shapes * (0.5 / after)  # sigma and, with the same c, kappa
    P = np.array([float(one.P)])
    speed = float(fit.law.curve(P, eased[None])[0, 0]) / after
    now = float(fit.law.curve(P, fit.shapes[None])[0, 0])
    demand, think = estimates(fit.estimate("D"), fit.estimate("Z"))
    yield (
        f"The interconnect's demand is D = {demand} beside the think time Z = {think}; "
        f"halved, {found.data.counted(one.P)} would be {percent(speed / now - 1.0)} faster."
    )


def notes(found: Found) -> Iterator[Note]:
    """What the answer rests on, and what to doubt."""
    best, data = found.curve.fits[0], found.data
    yield Note(True, f"{best.law.title}, {best.law.recipe}", best.law.source, EQUATION)
    points = len(data.processors)
    measured_at = f"{data.name}: {points} point{'s' * (points != 1)} from P = "
    text = f"{measured_at}{int(data.P.min()):,} to {int(data.P.max()):,}"
    yield Note(True, text, kind=MEASURED)
    for text in data.said:
        yield Note(True, text, kind=MEASURED)
    for column in data.unused:
        text = f'The column "{column}" is ignored: noise is estimated from repetitions and the fit'
        yield Note(False, text)
    for one in found.sifted.outliers:
        yield Note(False, capital(outlier_words(data, one)))
    if found.sifted.outliers:
        yield Note(True, "Left out one by one, they are far from what the others lead to expect")
    P = found.candidates.base[0]
    if P != 1:
        text = f"Speedups and efficiencies are against {data.counted(P)}"
        yield Note(False, f"{text}; the fewest measured are {data.counted(int(data.P.min()))}")
    if not found.asked.runnable.strip() and P > 1 and not (data.P % data.P.min()).any():
        yield Note(True, f"Multiples of {int(data.P.min())} alone are named, as all measured are; "
                   "“can be run” set to any names others")  # fmt: skip
    for flag in found.verdict.flags:
        # what is drawn ends where the measurements do, unless more was asked for
        if flag.kind != EXTRAPOLATION or found.last > data.P.max():
            yield Note(False, capital(flag.text))
    for top in found.verdict.peaks:
        if top.P is None and top.title.startswith(best.law.title):
            yield Note(False, f"No peak of {top.title}: {top.reason}")
    if not found.fits.complete:
        yield Note(False, "Stopped: intervals and bands use fewer samples, or are missing")
    for left in found.fits.unfitted:
        text = f"{left.law.title}, {left.law.recipe}, is left out: {left.reason}"
        yield Note(False, capital(text))
