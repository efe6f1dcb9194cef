"""What fitted laws of scaling say to a user: which holds, what is doubtful, where to measure next.

No peak without measurements around it, nothing retrograde without evidence: a 95 % interval
of kappa above 0, or a measured maximum before the last P. Differences of AICc below 2 count as none
(Burnham & Anderson 2002). Laws that the measurements contradict (`advisor.scaling.contradictions`)
are named and left out of the answer; the others are averaged (`advisor.scaling.averaged`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import number, percent
from advisor.models.mrm import usl_peak
from advisor.scaling.averaged import Averaged, averaged
from advisor.scaling.bootstrap import interval
from advisor.scaling.contradictions import SURE, contradicted, measured_fall
from advisor.scaling.data import MOST_MEASURED_PROCESSORS, TIME, Measurements, as_measured
from advisor.scaling.fits import CLEAR, LawFit, ScalingFits
from advisor.scaling.laws import ASYNCHRONOUS, SYNCHRONOUS, USL
from machines.arrays import Floats
from machines.checks import LARGEST
from machines.errors import InputError

SUPERLINEAR = "superlinear"
RETROGRADE = "retrograde"
SATURATION = "saturation"
EXTRAPOLATION = "extrapolation"
CHOICE = "choice"
CONTRADICTED = "contradicted"

_AROUND = 2.0  # a measurement within this factor of a peak is near it
_CANDIDATES = 80


@dataclass(frozen=True)
class Flag:
    """One thing to know about the measurements or the fits; `kind` is a constant of this module."""

    kind: str
    text: str


@dataclass(frozen=True)
class Peak:
    """Where a law's throughput is highest, or why that is not told.

    `P`, `throughput`: ``None``: not told. `low`, `high`: 95 % interval of P; not a number where
    unknown.
    """

    title: str  # the law and its recipe
    P: float | None
    throughput: float | None
    low: float
    high: float
    reason: str  # why it is not told; empty if it is


@dataclass(frozen=True)
class NextPoint:
    """The P in low … high whose measurement would tell the two best laws apart best.

    `first`, `second`: the two laws.
    `gap`, `sigmas`: how far apart they are there, in the throughput's unit and in multiples of the
        doubt (of both curves and of one measurement, added as variances).
    `low`, `high`: the range searched.
    """

    P: int
    first: str
    second: str
    gap: float
    sigmas: float
    low: int
    high: int
    text: str


@dataclass(frozen=True)
class ScalingVerdict:
    """The answer: sentence, reasons, peaks of the laws that have one, flags, the next P.

    `curve` is the mean of the laws that stand, `contradicted` says by key why the others do not.
    """

    sentence: str
    reasons: tuple[str, ...]
    peaks: tuple[Peak, ...]
    flags: tuple[Flag, ...]
    next_point: NextPoint | None
    curve: Averaged
    contradicted: Mapping[str, str]

    def stands(self, fit: LawFit) -> bool:
        """Whether the measurements don't contradict the law of this fit."""
        return fit.law.key not in self.contradicted


def judge(fits: ScalingFits, low: int = 1, high: int | None = None) -> ScalingVerdict:
    """Say what the fits mean.

    `low`, `high`: where a next measurement is possible; ``None``: up to twice the largest P
    measured.
    """
    peaks = tuple(peak(fits, fit) for fit in fits.fits if "kappa" in fit.law.shapes)
    against = contradicted(fits)
    curve = averaged(fits, set(against))
    return ScalingVerdict(
        sentence=_sentence(curve, against),
        reasons=tuple(_reasons(fits, curve, peaks)),
        peaks=peaks,
        flags=tuple(_flags(fits, curve, against)),
        next_point=next_point(fits, low, high, curve.fits),
        curve=curve,
        contradicted=against,
    )


def superlinear(data: Measurements) -> tuple[tuple[int, float], ...]:
    """(P, share above linear) of the points more efficient than the smallest P measured.

    With repetitions only what two standard errors can't explain counts.
    """
    P, X = data.means()
    efficiency = X / P / (X[0] / P[0])
    slack = _relative_error(data)
    doubt = SURE * np.hypot(slack, slack[0])
    return tuple(
        (int(count), float(share - 1.0))
        for count, share, room in zip(P[1:], efficiency[1:], doubt[1:], strict=True)
        if share > 1.0 + max(float(room), 1e-9)
    )


def retrograde(fits: ScalingFits) -> str:
    """Why the throughput can be said to fall at large P; empty: it can't.

    kappa of the USL is no reason where a queue that only saturates fits better.
    """
    fall = measured_fall(fits)
    if fall or _saturates(fits):
        return fall
    fit = fits.fit(USL)
    if fit is None or not fit.estimate("kappa").low > 0.0:
        return ""
    kappa = fit.estimate("kappa")
    return (
        f"kappa = {kappa.value:.3g} of the USL is above 0 (95 %: {kappa.low:.3g} to "
        f"{kappa.high:.3g})"
    )


def peak(fits: ScalingFits, fit: LawFit) -> Peak:
    """The peak of one law with kappa, told only with measurements around it."""
    law, P = fit.law, fits.data.P
    title = f"{law.title}, {law.recipe}"

    def withheld(reason: str) -> Peak:
        return Peak(title, None, None, math.nan, math.nan, reason)

    sigma, kappa = fit.shapes
    if kappa <= 0.0:
        return withheld("kappa ends on its bound 0: the law has no peak")
    if kappa > LARGEST:
        return withheld("kappa has no upper bound: one processor is the fastest")
    if not retrograde(fits):
        return withheld("no measurement falls; kappa can't be separated from 0 or saturation")
    if law.family == USL:
        place = usl_peak(float(sigma), float(kappa)) or 0.0
        many = np.sqrt((1.0 - fit.replicates.shapes[:, :1]).clip(0.0) / _above_0(fit))
    else:
        place, many = _highest(fit, int(P.max())), np.empty((0, 1))
    if place >= P.max():
        return withheld(f"nothing was measured beyond P = {P.max():.0f}, where it would be")
    if place < 1.0 or not ((place / _AROUND <= P) & (place * _AROUND >= P)).any():
        return withheld("nothing was measured near it")
    low, high = (float(end[0]) for end in interval(many))
    top = float(fit.throughput(np.array([place]))[0])
    return Peak(title, place, top, low, high, "")


def next_point(
    fits: ScalingFits,
    low: int = 1,
    high: int | None = None,
    standing: Sequence[LawFit] = (),
) -> NextPoint | None:
    """Where a measurement tells the two best laws apart best; ``None``: no two laws differ.

    `standing` are the laws in question, all where there is none; one alone is set against the rest.

    |X_1 − X_2| over √(their bootstrap variances + that of one measurement) is largest there.
    """
    most = 2 * int(fits.data.P.max()) if high is None else high
    if not 1 <= low <= most <= MOST_MEASURED_PROCESSORS:
        remedy = f"Allowed: 1 ≤ from ≤ to ≤ {MOST_MEASURED_PROCESSORS:.0e}"
        raise InputError("nothing to choose from", where="range of P", value=(low, most),
                         remedy=remedy)  # fmt: skip
    candidates = np.unique(np.geomspace(low, most, _CANDIDATES).round())
    first, *others = standing or fits.rivals
    others = others or [one for one in fits.rivals if one.law.key != first.law.key]
    for second in others:
        gap = np.abs(first.throughput(candidates) - second.throughput(candidates))
        if gap.max() <= 1e-6 * fits.data.X.max():
            continue  # the same curve: kappa = 0
        doubt = np.hypot(first.replicates.spread(candidates), second.replicates.spread(candidates))
        noise = first.noise_at(first.throughput(candidates))
        doubt = np.hypot(np.nan_to_num(doubt), np.maximum(noise, 1e-9 * fits.data.X.max()))
        best = int((gap / doubt).argmax())
        found = (float(gap[best]), float(gap[best] / doubt[best]))
        return _point(fits, int(candidates[best]), (first, second), found, (low, most))
    return None


def _point(
    fits: ScalingFits,
    P: int,
    pair: tuple[LawFit, LawFit],
    found: tuple[float, float],
    span: tuple[int, int],
) -> NextPoint:
    (first, second), (gap, sigmas), data = pair, found, fits.data
    where = f"(of P = {span[0]} to {span[1]})"
    at = np.array([float(P)])
    one, other = (as_measured(data, float(fit.throughput(at)[0])) for fit in pair)
    apart = f"{_amount(abs(one - other), data)} or {sigmas:.1f} times their doubt apart"
    names = f"{first.name} and {second.name}"
    if sigmas < SURE:
        text = (
            f"No one measurement tells {names} apart: at best, at P = {P} {where}, they are "
            f"{apart}. Repeat measurements there."
        )
    else:
        text = f"Measure next at P = {P} {where}: there {names} are {apart}."
    return NextPoint(P, first.name, second.name, gap, sigmas, *span, text)


def _sentence(curve: Averaged, against: Mapping[str, str]) -> str:
    best, *others = curve.fits
    name = best.name
    if best.law.key in against:
        why = against[best.law.key]
        return f"No law here describes the measurements; {name} is nearest, but {why}."
    if not math.isfinite(best.aicc):
        return f"Too few measurements to choose a law; {name} misses them least when left out."
    if others and others[0].aicc - best.aicc < CLEAR:
        return f"{name} and {others[0].name} describe the measurements about equally well."
    if against and not others:
        return f"{name} is the one law that the measurements don't contradict."
    share = percent(float(curve.weights[0]))
    left = " among the laws that they don't contradict" if against else ""
    return f"{name} describes the measurements best: {share} of the evidence{left}."


def _reasons(fits: ScalingFits, curve: Averaged, peaks: tuple[Peak, ...]) -> Iterator[str]:
    best = curve.fits[0]
    yield _messaging(curve)
    yield from _limit(fits, best)
    falls = retrograde(fits)
    if falls:
        falling = "falls" if measured_fall(fits) else "would fall"
        yield f"The throughput {falling} at large P: {falls}."
    told = [one for one in peaks if one.P is not None]
    for one in told:
        yield f"{one.title}: highest at P = {one.P:.1f}."
    if peaks and not told:
        why = peaks[0].reason if falls else "no measurement falls, no kappa differs from 0"
        yield f"No peak is reported: {why}."


def _limit(fits: ScalingFits, best: LawFit) -> Iterator[str]:
    """What no number of processors exceeds, by a law that saturates; never below a measurement."""
    if not best.law.messaging or len(best.shapes) != 1 or best.shapes[0] <= 0.0:
        return
    sigma, data = float(best.shapes[0]), fits.data
    demand = best.estimate("D")  # the limit is 1/D
    high = 1.0 / demand.low if demand.low > 0.0 else math.inf
    if min(high, best.gamma / sigma) < fits.data.means()[1].max():
        return
    end, verb = ("from", "takes less") if data.kind == TIME else ("to", "reaches more")
    limit, far = (_amount(as_measured(data, rate), data) for rate in (best.gamma / sigma, high))
    doubt = "" if math.isinf(high) else f" (95 %: {end} {far})"
    yield (
        f"By {best.name} no number of processors {verb} than {limit}{doubt}, "
        f"{number(1.0 / sigma)} times as fast as one processor."
    )


def _messaging(curve: Averaged) -> str:
    """Whether processors wait for one another's messages, by the laws that stand."""
    least = {
        kind: min((fit.aicc for fit in curve.fits if fit.law.messaging == kind), default=math.inf)
        for kind in (SYNCHRONOUS, ASYNCHRONOUS)
    }
    gap = least[SYNCHRONOUS] - least[ASYNCHRONOUS]
    if not abs(gap) >= CLEAR:
        return "The data don't show whether messages are synchronous or asynchronous."
    if math.isinf(gap):
        kind = ASYNCHRONOUS if gap > 0 else SYNCHRONOUS
        return f"It scales as with {kind} messages: laws with others are contradicted."
    kind = ASYNCHRONOUS if gap > 0 else SYNCHRONOUS
    return f"It scales as with {kind} messages (AICc lower by {number(abs(gap))})."


def _flags(fits: ScalingFits, curve: Averaged, against: Mapping[str, str]) -> Iterator[Flag]:
    data, usl = fits.data, fits.fit(USL)
    for P, share in superlinear(data):
        yield Flag(
            SUPERLINEAR,
            f"P = {P} is {percent(share)} above linear, which no law here can be: caches, or slow "
            f"runs at P = {data.processors[0]}",
        )
    for key, why in against.items():
        fit = fits.fit(key)
        if fit is not None:
            yield Flag(CONTRADICTED, f"{fit.name} is contradicted: {why}")
    falls = retrograde(fits)
    if falls:
        yield Flag(RETROGRADE, f"Retrograde: {falls}")
    if usl is not None and not falls and _saturates(fits) and usl.estimate("kappa").low > 0.0:
        yield Flag(
            SATURATION,
            f"{fits.best.name} fits better without any fall: kappa of the USL is saturation "
            "read as coherency",
        )
    P = int(data.P.max())
    yield Flag(EXTRAPOLATION, f"Measured up to P = {P}: what is drawn beyond is extrapolated")
    yield from _contested(fits, curve)


def _contested(fits: ScalingFits, curve: Averaged) -> Iterator[Flag]:
    """Where leave-one-out prefers another law than AICc, by more than 1 % and rounding."""
    best, most = curve.fits[0], float(fits.data.X.max())
    known = [fit for fit in curve.fits if not math.isnan(fit.leave_one_out)]
    if best not in known:
        return
    chosen = min(known, key=lambda fit: fit.leave_one_out)
    if 0.99 * best.leave_one_out - chosen.leave_one_out > 1e-6 * most:
        yield Flag(
            CHOICE,
            f"Leave-one-out prefers {chosen.name}: it misses a point by "
            f"{percent(chosen.leave_one_out / most)} of the highest throughput, {best.name} by "
            f"{percent(best.leave_one_out / most)}",
        )


def _saturates(fits: ScalingFits) -> bool:
    """Whether a queue without coherency fits best and clearly better than the USL."""
    best, usl = fits.rivals[0], fits.fit(USL)
    limited = best.law.messaging == ASYNCHRONOUS and len(best.shapes) == 1
    return limited and usl is not None and usl.aicc - best.aicc >= CLEAR


def _amount(value: float, data: Measurements) -> str:
    """Of what was measured; its unit may be any words, which take no SI prefix."""
    return f"{number(value)} {data.told[1]}".rstrip()


def _relative_error(data: Measurements) -> Floats:
    """Standard error of the mean X at every P, over it; 0 where nothing was repeated."""
    P, X = data.P, data.X
    different, means = data.means()
    errors = np.zeros_like(means)
    for place, count in enumerate(different):
        runs = X[count == P]
        if runs.size > 1:
            errors[place] = runs.std(ddof=1) / math.sqrt(runs.size) / means[place]
    return errors


def _highest(fit: LawFit, most: int) -> float:
    """P of the highest throughput up to `most`."""
    P = np.arange(1.0, most + 1.0)
    return float(P[fit.throughput(P).argmax()])


def _above_0(fit: LawFit) -> Floats:
    return np.maximum(fit.replicates.shapes[:, 1:], 1e-300)
