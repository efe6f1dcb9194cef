"""The scaling study of measurements: every law fitted, the one that they support, what it chooses.

Fits are `advisor.scaling.fits`, what they say to a user `advisor.scaling.verdict`; here numbers of
processors are chosen by the supported law, within what was measured unless more is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.basics.quantities import count, number, percent
from advisor.basics.stopping import ShouldStop
from advisor.scaling.data import (
    Measurements,
    parse_measurements,
    read_measurements,
    shipped,
    shipped_names,
)
from advisor.scaling.fits import LONGEST_CHAIN, LawFit, ScalingFits, fit_laws
from advisor.scaling.laws import REPAIRMAN
from advisor.scaling.verdict import EXTRAPOLATION, ScalingVerdict, judge
from advisor.studies.scaling.choice import BUDGET, TIME, ChosenProcessors, choices
from advisor.studies.scaling.fit_views import fit_series, fit_tables
from advisor.studies.scaling.parameters import ScalingParameters, affordable
from advisor.studies.study import Note, OnProgress, StudyProgress, StudyResult, Table
from machines import InputError
from machines.arrays import Floats

_NUMBERS = 20_000  # up to so many each number of processors is looked at


def measured_answer(
    asked: ScalingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Fit all laws to the measurements and choose numbers of processors by the supported one.

    Returns
    -------
    StudyResult
        Measured points, every fitted law with its 95 % band and the supported one first,
        residuals, laws and parameters, the choices; bands are missing when stopped.

    Raises
    ------
    InputError
        Unreadable measurements, fewer than three different P, or a budget that buys nothing.
    """
    data = measured(asked)
    paid = affordable(asked)

    def tell(share: float, sentence: str) -> None:
        if on_progress is not None:
            on_progress(StudyProgress(share, sentence))

    draws, seed = asked.replicates, asked.seed
    fits = fit_laws(data, replicates=draws, seed=seed, on_progress=tell, should_stop=should_stop)
    found = _Found.of(asked, fits, paid)
    verdict = judge(fits, 1, asked.processors)
    return StudyResult(
        sentence=f"{verdict.sentence.rstrip('.')}; {_numbers(found)}.",
        reasons=tuple(_reasons(found, verdict)),
        series=tuple(fit_series(fits, found.numbers, found.choices)),
        tables=(*fit_tables(fits, verdict), _choice_table(found)),
        notes=tuple(_notes(found, verdict)),
        complete=fits.complete,
    )


def measured(asked: ScalingParameters) -> Measurements:
    """The measurements that the settings name: a text of several lines, a file, or shipped ones.

    Raises
    ------
    InputError
        There are none, or they can't be read.
    """
    text = asked.data.strip()
    if "\n" in text:
        return parse_measurements(text, asked.quantity)
    if not text:
        names = ", ".join(shipped_names())
        raise InputError(
            "there is nothing to fit", where="setting data", remedy=f"Give a CSV file, or {names}"
        )
    if text in shipped_names() or not (Path(text).suffix or Path(text).exists()):
        return shipped(text)
    return read_measurements(text, asked.quantity)


@dataclass(frozen=True)
class _Found:
    """The fits, the numbers of processors looked at, the supported law there, and the choices.

    Attributes
    ----------
    numbers : array (numbers,)
        Up to the largest P measured, or as far as was asked for.
    speedups : array (numbers,)
        Of the supported law, against one processor.
    """

    asked: ScalingParameters
    fits: ScalingFits
    numbers: Floats
    speedups: Floats
    choices: tuple[ChosenProcessors, ...]
    affordable: int

    @classmethod
    def of(cls, asked: ScalingParameters, fits: ScalingFits, paid: int | None) -> _Found:
        last = int(fits.data.P.max()) if asked.processors is None else asked.processors
        if fits.best.law.key == REPAIRMAN:
            last = min(last, LONGEST_CHAIN)
        numbers = np.arange(1.0, last + 1.0)
        if last > _NUMBERS:
            numbers = np.unique(np.geomspace(1.0, last, _NUMBERS).round())
        speedups = fits.best.throughput(numbers) / fits.best.gamma
        found = choices(speedups, paid, numbers)
        return cls(asked, fits, numbers, speedups, found, paid or 0)

    @property
    def last(self) -> int:
        """The largest number looked at."""
        return int(self.numbers[-1])

    @property
    def measured_up_to(self) -> int:
        return int(self.fits.data.P.max())

    @property
    def grows(self) -> bool:
        """Whether the supported law still grows at the last number looked at."""
        return float(self.speedups[-1]) >= float(self.speedups.max())

    def rate(self, one: ChosenProcessors) -> str:
        """Throughput of the supported law."""
        return f"{number(one.speedup * self.fits.best.gamma)} {self.fits.data.rate_unit}".rstrip()


def _numbers(found: _Found) -> str:
    time, power, *rest = found.choices
    most = f" up to {found.last}" if found.grows else ""
    parts = [
        f"{count(time.P, 'processor')} for the best time{most}",
        f"{power.P} for the best efficiency × speed",
    ]
    return ", ".join(parts + [f"{one.P} within the budget" for one in rest])


def _reasons(found: _Found, verdict: ScalingVerdict) -> Iterator[str]:
    yield from verdict.reasons
    for one in found.choices:
        why = {TIME: f", the fewest within 1 % of the best up to {found.last}"}.get(one.purpose, "")
        more = ""
        if one.purpose == TIME and found.grows:
            more = "; it still grows there"
        elif one.purpose == BUDGET and one.at_end and found.affordable > found.last:
            more = "; the budget buys more than the numbers looked at"
        yield (
            f"{one.purpose.capitalize()}, P = {one.P}{why}: {found.rate(one)}, speedup "
            f"{number(one.speedup)}, efficiency {percent(one.efficiency)}{more}."
        )
    yield from _halved(found)
    if verdict.next_point is not None:
        yield verdict.next_point.text


def _halved(found: _Found) -> Iterator[str]:
    """What half the demand D of the fitted queue would bring; Z and c = kappa/sigma stay."""
    fit, one = found.fits.best, found.choices[0]
    sigma = float(fit.shapes[0])
    if not fit.law.messaging or sigma <= 0.0:
        return
    after = 1.0 - sigma / 2.0  # (D/2 + Z)/(D + Z)
    eased = fit.shapes * (0.5 / after)  # sigma and, with the same c, kappa
    P = np.array([float(one.P)])
    speed = float(fit.law.curve(P, eased[None])[0, 0]) / after
    yield (
        f"The interconnect's demand is D = {_estimate(fit, 'D')} beside Z = {_estimate(fit, 'Z')}; "
        f"halved, {one.P} processors would be {percent(speed / one.speedup - 1.0)} faster."
    )


def _estimate(fit: LawFit, name: str) -> str:
    one = fit.estimate(name)
    error = f" ± {one.standard_error:.2g}" if one.standard_error > 0.0 else ""
    return f"{one.value:.3g}{error} {one.unit}".rstrip()


def _choice_table(found: _Found) -> Table:
    unit, gamma = found.fits.data.rate_unit, found.fits.best.gamma
    rows = tuple(
        (
            one.purpose, one.P, one.speedup, one.efficiency, one.speedup * gamma,
            one.P * found.asked.price,
        )
        for one in found.choices
    )  # fmt: skip
    columns = (
        ("purpose", ""), ("P", ""), ("speedup", ""), ("efficiency", ""), ("throughput", unit),
        ("cost", ""),
    )  # fmt: skip
    return Table("Processors to use", columns, rows)


def _notes(found: _Found, verdict: ScalingVerdict) -> Iterator[Note]:
    best = found.fits.best
    yield Note(True, f"{best.law.title}, {best.law.recipe}", best.law.source)
    for flag in verdict.flags:
        # what is drawn ends where the measurements do, unless more was asked for
        if flag.kind != EXTRAPOLATION or found.last > found.measured_up_to:
            yield Note(False, flag.text)
    for one in verdict.peaks:
        if one.P is None and one.title.startswith(best.law.title):
            yield Note(False, f"No peak of {one.title}: {one.reason}")
    if not found.fits.complete:
        yield Note(False, "Stopped: intervals and bands rest on fewer samples, or are missing")
    for left in found.fits.unfitted:
        yield Note(False, f"{left.law.title}, {left.law.recipe}, is left out: {left.reason}")
