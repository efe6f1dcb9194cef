"""Measurements, fitted laws and choices as series and tables: curves with bands, residuals.

Nothing is drawn beyond the numbers of processors that are handed over, and a law whose chain ends
earlier ends there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.units import Unit
from advisor.scaling.averaged import Averaged
from advisor.scaling.data import SPEEDUP, TIME, Measurements, as_measured
from advisor.scaling.fits import LONGEST_CHAIN, Estimate, ScalingFits
from advisor.scaling.laws import FREE, REPAIRMAN
from advisor.scaling.scaling_verdict import CONTRADICTED, ScalingVerdict
from advisor.studies.scaling.law_curves import PROCESSORS, sampled
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.processor_choice import TIME as BEST_TIME
from advisor.studies.scaling.processor_choice import ChosenProcessors
from advisor.studies.scaling.run_costs import run_costs
from advisor.studies.study import Series, Table
from machines.arrays import Floats

MEASURED = "measured"
MEAN = "mean of the laws"
_WORDS = {  # of what one processor's throughput gamma is, the page of the model says
    "sigma": "serial fraction",
    "kappa": "coherency",
    "gamma": "throughput",
    "D": "demand",
    "Z": "think time",
}


def purpose_of(data: Measurements, one: ChosenProcessors) -> str:
    """What a number of processors is the best for, as the measurements call it."""
    return f"best {data.kind}" if one.purpose == BEST_TIME else one.purpose


@dataclass(frozen=True)
class Drawn:
    """What is drawn beside the fits: the laws' mean, from where to where, and the choices."""

    curve: Averaged
    numbers: Floats  # the first and the last
    choices: tuple[ChosenProcessors, ...]
    base: tuple[int, float]  # what speedups are against: P and its throughput

    @property
    def one(self) -> float:
        """Throughput of the base, a processor."""
        return self.base[1] / self.base[0]


def fit_series(fits: ScalingFits, drawn: Drawn, verdict: ScalingVerdict) -> Iterator[Series]:
    """Measured points under the mean and every law; the mean's band, time, residuals.

    Residuals of laws that are contradicted would hide those of the others.
    """
    data, numbers = fits.data, drawn.numbers
    mean = drawn.curve.throughput
    label = SPEEDUP if data.kind == SPEEDUP else "throughput"
    unit = data.rate_unit
    every = sampled(int(numbers[-1]), data.processors)
    at = np.array([P for P in every if numbers[0] <= P], dtype=np.float64)
    yield _series(MEASURED, data.P, data.X, (label, unit), "points")
    yield _series(MEAN, at, mean(at), (label, unit))
    low, high = drawn.curve.band(at)
    if np.isfinite(low).all():
        upper = _series("95 % band", at, high, (label, unit))
        yield replace(upper, kind="band", lower=tuple(low.tolist()))
    for fit in fits.rivals:
        reached = at[at <= LONGEST_CHAIN] if fit.law.key == REPAIRMAN else at
        yield _series(fit.name, reached, fit.throughput(reached), (label, unit))
    for one in drawn.choices:
        place = np.array([float(one.P)]), np.array([one.speedup * drawn.base[1]])
        yield _series(purpose_of(data, one), *place, (label, unit), "points")
    if data.kind == TIME:
        seconds = (TIME, data.unit)
        yield _series(MEASURED, data.P, np.array(data.values), seconds, "points")
        yield _series(MEAN, at, 1.0 / mean(at), seconds)
    for fit in fits.rivals:
        if verdict.stands(fit):
            yield _series(fit.name, data.P, fit.residuals, ("residual", unit), "points")
    efficiency, one_percent = ("efficiency", "%"), 0.01 * drawn.one
    yield _series(MEASURED, data.P, data.X / (data.P * one_percent), efficiency, "points")
    yield _series(MEAN, at, mean(at) / (at * one_percent), efficiency)


def fit_tables(fits: ScalingFits, verdict: ScalingVerdict) -> tuple[Table, ...]:
    """Laws, parameters, measurements, and where the laws are from."""
    measured = _measurements(fits.data, verdict.curve)
    return _laws(fits, verdict), _parameters(fits), measured, _sources(fits)


def choice_table(data: Measurements, drawn: Drawn, asked: ScalingParameters) -> Table:
    """The choices with what they bring, as what was measured, and cost: once, and each run."""
    costs = tuple(run_costs(asked, data))
    rows = tuple(
        (
            purpose_of(data, one), one.P, one.speedup, 100.0 * one.efficiency,
            as_measured(data, one.speedup * drawn.base[1]), one.P * asked.price,
            *(each.of(one.P, 1.0 / (one.speedup * drawn.base[1])) for each in costs),
        )
        for one in drawn.choices
    )  # fmt: skip
    columns = (
        ("purpose", ""),
        ("P", ""),
        ("speedup", ""),
        ("efficiency", "%"),
        data.told,
        ("cost", ""),
        *((f"{each.name} of a run", each.unit) for each in costs),
    )
    return Table("Processors to use", columns, rows)


def _laws(fits: ScalingFits, verdict: ScalingVerdict) -> Table:
    """By AICc; the evidence is shared among the laws that the data leave standing."""
    unit = fits.data.rate_unit
    standing = [fit for fit in fits.fits if fit.law.recipe == FREE and verdict.stands(fit)]
    all_of_them = sum(fit.weight for fit in standing)
    peaks = {one.title: one for one in verdict.peaks}
    rows = []
    for fit in fits.fits:
        known = peaks.get(f"{fit.law.title}, {fit.law.recipe}")
        rows.append(
            (
                fit.law.title, fit.law.recipe, _known(fit.aicc),
                100.0 * fit.weight / all_of_them if all_of_them and fit in standing else None,
                "" if verdict.stands(fit) else CONTRADICTED,
                _known(fit.leave_one_out), fit.residual_se,
                known.P if known is not None else None,
            )
        )  # fmt: skip
    columns = (
        ("law", ""), ("recipe", ""), ("AICc", ""), ("evidence", "%"), ("by the data", ""),
        ("leave-one-out", unit), ("residual error", unit), ("peak", ""),
    )  # fmt: skip
    return Table("Laws", columns, tuple(rows))


def _sources(fits: ScalingFits) -> Table:
    """A row for each law, whatever its recipes."""
    laws = [fit.law for fit in fits.fits]
    rows = dict.fromkeys((law.title, law.messaging, law.source) for law in laws)
    columns = (("law", ""), ("messaging", ""), ("source", ""))
    return Table("Sources of the laws", columns, tuple(rows))


def _parameters(fits: ScalingFits) -> Table:
    rows = tuple(
        (
            fit.law.title, fit.law.recipe, f"{_WORDS[one.name]} {one.name}", one.value,
            _known(one.standard_error),
            _known(one.low), _known(one.high), one.unit,
        )
        for fit in fits.fits
        for one in fit.estimates
    )  # fmt: skip
    columns = (
        ("law", ""), ("recipe", ""), ("parameter", ""), ("value", ""), ("standard error", ""),
        ("95 % from", ""), ("95 % to", ""), ("unit", ""),
    )  # fmt: skip
    return Table("Parameters", columns, rows, unlike=True)


def estimates(*found: Estimate) -> tuple[str, ...]:
    """Parameters of one unit with their standard errors as a sentence tells them, comparable."""
    known = [
        (one.value, one.standard_error)[: 2 if one.standard_error > 0.0 else 1] for one in found
    ]
    unit = Unit.of(found[0].unit, *(value for one in known for value in one))
    return tuple(_with_error([unit.text(value) for value in one], unit.name) for one in known)


def _with_error(told: Sequence[str], unit: str) -> str:
    """A value and its error, the unit once where both have it."""
    if unit and all(text.endswith(f" {unit}") for text in told):
        return f"{' ± '.join(text.removesuffix(f' {unit}') for text in told)} {unit}"
    return " ± ".join(told)


def _measurements(data: Measurements, curve: Averaged) -> Table:
    """What was measured beside the laws' mean and the likeliest of them."""
    best = curve.fits[0]
    laws = ((MEAN, curve.throughput(data.P)), (best.name, best.predicted))
    columns = [("P", ""), (f"measured {data.kind}", data.unit)]
    columns += [(f"by {'the ' * (name == MEAN)}{name}", data.unit) for name, _ in laws]
    rows = zip(
        data.processors, data.values,
        *([as_measured(data, rate) for rate in rates.tolist()] for _, rates in laws), strict=True,
    )  # fmt: skip
    return Table("Measurements", tuple(columns), tuple(rows))


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _series(name: str, x: Floats, y: Floats, label: tuple[str, str], kind: str = "line") -> Series:
    beside = "" if label[0] in (TIME, "efficiency") else "fit"  # residuals beside what was fitted
    x_y = tuple(x.tolist()), tuple(y.tolist())
    return Series(name, *x_y, PROCESSORS, "", *label, kind=kind, beside=beside)
