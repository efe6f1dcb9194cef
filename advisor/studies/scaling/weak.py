"""Weak scaling: the work grows with P, so efficiency is what stays of the smallest run's speed.

E(P) = T(P0)/T(P) of times, (X/P)/(X0/P0) of rates. Gustafson's law, scaled speedup S = P + sigma
(1 − P), is fitted to it and named where the measurements contradict it; how the time grows is told
by the normal form (`advisor.scaling.normal_form`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import number, percent
from advisor.scaling.data import TIME, Measurements
from advisor.scaling.normal_form import SOURCE, NormalForm, normal_form
from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.scaling.growth import FAR, mean_values, reason_of
from advisor.studies.scaling.law_curves import PROCESSORS
from advisor.studies.scaling.measured_found import base_of
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.processor_choice import FittedTask
from advisor.studies.study import EQUATION, MEASURED, Note, Series, StudyResult, Table
from machines.arrays import Floats

HALF = 0.5
_CLOSE = 0.05  # share by which Gustafson's law may miss a point that is left out
_DRAWN = 80
_SOURCE = "Gustafson 1988; Gunther 2005, Eq. (22)"


@dataclass(frozen=True, eq=False)
class Weak:
    """Efficiencies by P, against the base."""

    data: Measurements
    P: Floats
    values: Floats  # mean of what was measured
    E: Floats  # efficiency
    base: int

    @property
    def falls_at(self) -> int | None:
        """The first P measured from which all have less than half the efficiency."""
        below = self.E < HALF
        for place in range(self.P.size):
            if below[place:].all():
                return int(self.P[place])
        return None

    @property
    def holds_to(self) -> int:
        """The largest P before that."""
        falls = self.falls_at
        kept = self.P if falls is None else self.P[falls > self.P]
        return int(kept[-1]) if kept.size else int(self.P[0])

    def of(self, P: int) -> float:
        """Efficiency at a measured P."""
        return float(self.E[int(np.flatnonzero(self.P == P)[0])])


def share(value: float) -> str:
    """A share in percent with three digits: 49.6 % is not yet half."""
    return f"{100.0 * float(value):.3g} %"


def weak_answer(asked: ScalingParameters, data: Measurements) -> StudyResult:
    """Efficiency as the work grows with P, where it falls below half, and where to measure next."""
    weak = weak_of(asked, data)
    sigma, missed = gustafson_fit(weak)
    form = normal_form((data.noun,), weak.P[:, None], _times(weak))
    return StudyResult(
        headline=_headline(weak),
        alternative=_alternative(weak),
        facts=_facts(weak),
        reasons=tuple(_reasons(weak, sigma, missed, form)),
        series=tuple(_series(weak, sigma, missed)),
        tables=(_table(weak),),
        notes=tuple(_notes(weak, missed, form)),
        answer=FittedTask(data.name, None, weak.holds_to, None),
    )


def weak_of(asked: ScalingParameters, data: Measurements) -> Weak:
    """Measured efficiencies."""
    P, values = mean_values(data)
    base, _ = base_of(asked, data)
    place = int(np.flatnonzero(base == P)[0])
    E = values[place] / values if data.kind == TIME else values / P * P[place] / values[place]
    return Weak(data, P, values, E, base)


def gustafson_fit(weak: Weak) -> tuple[float, float]:
    """(sigma, most by which the law misses an efficiency that is left out)."""
    kept = np.ones(weak.P.size, dtype=bool)
    missed = []
    for place in range(weak.P.size):
        rest = kept.copy()
        rest[place] = False
        sigma = _sigma(weak, rest)
        missed.append(abs(float(gustafson_efficiency(weak, sigma)[place]) / weak.E[place] - 1.0))
    return _sigma(weak, kept), max(missed)


def gustafson_efficiency(weak: Weak, sigma: float, P: Floats | None = None) -> Floats:
    """E of Gustafson's law against the base: (1 − sigma + sigma/P) over that at P0."""
    at = weak.P if P is None else P
    curve: Floats = (1.0 - sigma + sigma / at) / (1.0 - sigma + sigma / weak.base)
    return curve


def _sigma(weak: Weak, kept: Floats) -> float:
    """Least squares of E over a grid, refined twice."""
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(3):
        grid = np.linspace(low, high, 201)
        curves = np.stack([gustafson_efficiency(weak, float(one)) for one in grid])
        best = int((((curves - weak.E)[:, kept]) ** 2).sum(axis=1).argmin())
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 200)]
    return float((low + high) / 2.0) if best else 0.0


def _times(weak: Weak) -> Floats:
    """Time of a piece of work that grows with P, in that of the base."""
    times: Floats = 1.0 / weak.E
    return times


def _headline(weak: Weak) -> str:
    data, last = weak.data, int(weak.P[-1])
    at = f"efficiency {share(weak.of(last))} at {data.counted(last)} against {weak.base:,}"
    falls = weak.falls_at
    if falls is None:
        least = share(weak.E.min())
        return f"Weak scaling: {at}; it stays at {least} or more as far as was measured."
    return f"Weak scaling: {at}; it falls below 50 % at {data.counted(falls)}."


def _alternative(weak: Weak) -> str:
    data, to, last = weak.data, weak.holds_to, int(weak.P[-1])
    parts = []
    if weak.of(to) >= HALF:
        parts.append(f"{data.counted(to)} keep {share(weak.of(to))}")
    told = Fact("", float(weak.values[-1]), data.unit, float(weak.values[0]))
    ends = f"{told.said(float(weak.values[0]))} at {weak.P[0]:.0f}, {told.text} at {last:,}"
    parts.append(f"{data.kind} {ends}")
    parts.append(f"scaled speedup {number(weak.of(last) * last / weak.base)} times at {last:,}")
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}. Set scaling to strong if the work stays the same"


def _facts(weak: Weak) -> tuple[Fact, ...]:
    data, last = weak.data, int(weak.P[-1])
    E = weak.of(last)
    better = LESS if data.kind == TIME else MORE
    return (
        Fact("efficiency", 100.0 * E, "%", better=MORE),
        Fact(data.noun, last),
        Fact(data.kind, float(weak.values[-1]), data.unit, better=better),
        Fact("scaled speedup", E * last / weak.base, better=MORE),
    )


def _reasons(weak: Weak, sigma: float, missed: float, form: NormalForm) -> Iterator[str]:
    data, falls = weak.data, weak.falls_at
    limit = (1.0 - sigma) / (1.0 - sigma + sigma / weak.base)
    if missed <= _CLOSE:
        yield (
            f"By Gustafson's law with a serial share of {percent(sigma)} efficiency stays above "
            f"{share(limit)}; it misses a point that is left out by {percent(missed)} at most."
        )
    else:
        yield (
            f"Gustafson's law is contradicted: left out, a point is missed by up to "
            f"{percent(missed)}; each processor's share of the work takes longer as P grows."
        )
    if math.isfinite(form.missed) and form.terms:
        yield f"Time, in that on {data.counted(weak.base)}: {reason_of(form)}"
    elif not form.terms:
        yield f"No growth beyond a constant: {reason_of(form)}"
    yield f"Measure next at P = {next_weak(weak):,}: {_why_next(falls)}."


def next_weak(weak: Weak) -> int:
    """Between the last P with half the efficiency and the first without; else twice the last."""
    falls = weak.falls_at
    if falls is None or falls == int(weak.P[0]):
        return 2 * int(weak.P[-1])
    between = round(math.sqrt(weak.holds_to * falls))
    return between if weak.holds_to < between < falls else 2 * int(weak.P[-1])


def _why_next(falls: int | None) -> str:
    if falls is None:
        return "efficiency has not fallen below 50 % yet"
    return "it tells where efficiency falls below 50 %"


def _series(weak: Weak, sigma: float, missed: float) -> Iterator[Series]:
    data = weak.data
    label = (PROCESSORS, "")
    P, percents = tuple(weak.P.tolist()), tuple((100.0 * weak.E).tolist())
    yield Series("measured", P, percents, *label, "efficiency", "%", kind="points")
    at = np.geomspace(weak.P[0], weak.P[-1], _DRAWN)
    if missed <= _CLOSE:
        curve = 100.0 * gustafson_efficiency(weak, sigma, at)
        yield Series("Gustafson", tuple(at.tolist()), tuple(curve.tolist()), *label,
                     "efficiency", "%")  # fmt: skip
    half = (float(weak.P[0]), float(weak.P[-1])), (50.0, 50.0)
    yield Series("half the efficiency", *half, *label, "efficiency", "%")
    yield Series("measured", tuple(data.P.tolist()), data.values, *label, data.kind, data.unit,
                 kind="points")  # fmt: skip


def _table(weak: Weak) -> Table:
    data = weak.data
    columns = (
        ("P", ""), (f"measured {data.kind}", data.unit), ("efficiency", "%"),
        ("scaled speedup", ""),
    )  # fmt: skip
    rows = tuple(
        (int(P), float(value), 100.0 * float(E), float(E * P / weak.base))
        for P, value, E in zip(weak.P, weak.values, weak.E, strict=True)
    )
    return Table("Weak scaling", columns, rows)


def _notes(weak: Weak, missed: float, form: NormalForm) -> Iterator[Note]:
    data = weak.data
    yield Note(missed <= _CLOSE, "Gustafson's law", _SOURCE, EQUATION)
    yield Note(form.worst <= FAR, "Performance model normal form", SOURCE, EQUATION)
    for text in data.said:
        yield Note(True, text, kind=MEASURED)
    points = len(data.processors)
    ends = f"{int(weak.P[0]):,} to {int(weak.P[-1]):,}"
    yield Note(True, f"{data.name}: {points} points from P = {ends}", kind=MEASURED)
    yield Note(
        False, f"Efficiency is against {data.counted(weak.base)}; the fewest measured are "
        f"{data.counted(int(weak.P[0]))}",
    )  # fmt: skip
