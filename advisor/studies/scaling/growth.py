"""Measurements against another parameter than processors: how the time grows with it.

Nothing is chosen: there is no best size of a problem. The normal form that misses least what is
left out is told with its error, or that none describes the measurements.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import percent
from advisor.scaling.data import TIME, Measurements
from advisor.scaling.extrap_choice import Experiment
from advisor.scaling.normal_form import SOURCE, NormalForm, normal_form
from advisor.studies.facts import Fact
from advisor.studies.scaling.processor_choice import FittedTask
from advisor.studies.study import EQUATION, MEASURED, Note, Series, StudyResult, Table
from machines.arrays import Floats
from machines.errors import capital

FAR = 0.25  # share by which a form that holds misses no point that is left out
_DRAWN = 80


def growth_answer(data: Measurements) -> StudyResult:
    """How what was measured grows with one parameter."""
    name = data.noun or "x"
    P, values = mean_values(data)
    form = normal_form((name,), P[:, None], values)
    ends = (f"{name} = {P[0]:g}", f"{name} = {P[-1]:g}")
    ratio = max(values[-1], values[0]) / min(values[-1], values[0])
    turns = f"{'grows' if values[-1] >= values[0] else 'falls'} {ratio:.3g} times"
    series = tuple(_series(data, form, P))
    rows = tuple(
        (int(at), float(value), float(said))
        for at, value, said in zip(P, values, form.at(P[:, None]), strict=True)
    )
    columns = ((name, ""), (f"measured {data.kind}", data.unit), ("by the form", data.unit))
    return StudyResult(
        headline=f"The {data.kind} {turns} from {ends[0]} to {ends[1]}{_by(form, data.kind)}.",
        alternative=f"{capital(name)} is no number of processors, so none is chosen; "
        "set scaling to strong or weak if it is",
        facts=_facts(form, data, values),
        reasons=(reason_of(form),),
        series=series,
        tables=(Table("Measurements", columns, rows),),
        notes=tuple(_notes(data, form)),
        answer=FittedTask(data.name, None, int(P[0]), None),
    )


def growth_of_all(found: Experiment, key: tuple[str, str], name: str) -> StudyResult:
    """How one metric of a region grows with all parameters of an experiment."""
    pairs: dict[tuple[float, ...], list[float]] = {}
    for point, value in found.values[key]:
        pairs.setdefault(point, []).append(value)
    points = np.array(sorted(pairs))
    values = np.array([float(np.mean(pairs[tuple(point)])) for point in points.tolist()])
    form = normal_form(found.names, points, values)
    metric = key[1] or TIME
    columns = (*((one, "") for one in found.names), (f"measured {metric}", ""), ("by the form", ""))
    rows = tuple(
        (*map(float, point), float(value), float(said))
        for point, value, said in zip(points, values, form.at(points), strict=True)
    )
    told = ", ".join(found.names)
    return StudyResult(
        headline=f"The {metric} depends on {told}{_by(form, metric)}.",
        alternative="Hold all parameters but one fixed (hold=) to choose its number",
        reasons=(reason_of(form),),
        tables=(Table("Measurements", columns, rows),),
        notes=(Note(form.worst <= FAR, "Normal form of several parameters", SOURCE, EQUATION),),
        answer=FittedTask(name, None, 1, None),
    )


def mean_values(data: Measurements) -> tuple[Floats, Floats]:
    """(P, mean of what was measured) of every different number."""
    different, place = np.unique(data.P, return_inverse=True)
    values = np.array(data.values)
    return different, np.bincount(place, values) / np.bincount(place)


def reason_of(form: NormalForm) -> str:
    """How far the form misses what is left out."""
    if not np.isfinite(form.missed):
        return "Too few points to choose a form."
    miss = percent(form.missed)
    holds = "" if form.worst <= FAR else "; so it is no prediction"
    return (
        f"{form.text}: each point left out in turn, it misses it by {miss} on average and "
        f"{percent(form.worst)} at most{holds}."
    )


def _by(form: NormalForm, kind: str) -> str:
    if not np.isfinite(form.missed) or form.worst > FAR:
        return "; no form here describes it"
    return f": {kind} = {form.text}"


def _facts(form: NormalForm, data: Measurements, values: Floats) -> tuple[Fact, ...]:
    least, most = float(values.min()), float(values.max())
    found = [Fact(f"least {data.kind}", least, data.unit, beside=(most,))]
    found.append(Fact(f"largest {data.kind}", most, data.unit, beside=(least,)))
    if np.isfinite(form.missed):
        found.append(Fact("missed when left out", 100.0 * form.missed, "%"))
    return tuple(found)


def _series(data: Measurements, form: NormalForm, P: Floats) -> Iterator[Series]:
    label = (data.noun, "", data.kind, data.unit)
    yield Series("measured", tuple(data.P.tolist()), data.values, *label, kind="points")
    if form.worst <= FAR:
        at = np.geomspace(P[0], P[-1], _DRAWN)
        y = form.at(at[:, None])
        yield Series("normal form", tuple(at.tolist()), tuple(y.tolist()), *label)


def _notes(data: Measurements, form: NormalForm) -> Iterator[Note]:
    yield Note(form.worst <= FAR, "Performance model normal form", SOURCE, EQUATION)
    points = len(data.processors)
    yield Note(True, f"{data.name}: {points} points", kind=MEASURED)
    for text in data.said:
        yield Note(True, text, kind=MEASURED)
