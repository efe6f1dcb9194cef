"""Gaps to bounds, seconds and ratios to the best as curves over size, CCR and heterogeneity.

Performance profiles: the share of instances on which a strategy is within τ of the best.

ρ_s(τ) = |{p : r_ps ≤ τ}| / n with r_ps = value of s on p / least value of any strategy on p, and
r_ps = ∞ where s failed (Dolan & Moré 2002, Eq. (2.1) and sec. 2). ρ_s(1) is the share on which s is
best, ties included; where ρ_s ends is the share that it answered. Instances that nobody answered
say nothing about strategies and are left out, those that not all were asked about, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from advisor.basics.quantities import count, few
from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared, by_workload
from advisor.campaigns.findings.levels import Level, numbered_levels
from advisor.campaigns.findings.pairs import factor, interval
from advisor.studies.study import Note, Series, Table
from machines.arrays import Floats
from machines.stopping import ask

GAP, SECONDS, RATIO = "gap to the bound", "time to answer", "mean value / best of all"
_BAND = (5.0, 50.0, 95.0)  # percentiles
_FEWEST = 5  # values of a band
_MOST_BANDS = 4  # strategies that all have one; of more only those that matter
_NAMED = 4
_SPREAD, _MEAN = "90 % of instances", "95 % sure"  # what bands are
_NEEDED = {_SPREAD: f"{_FEWEST} instances", _MEAN: "two workloads"}  # at a point
# x, lower end, y, upper end, of how many instances; NaN ends: no band
Point = tuple[float, float, float, float, int]


def size_series(compared: Compared, shown: tuple[str, ...]) -> Iterator[Series]:
    """Medians of gap and seconds by tasks, with bands from the 5th to the 95th percentile.

    Where sizes do not vary there is none. `shown` are the strategies with bands, of many.
    """
    levels = numbered_levels(compared, "tasks")
    for values, label, unit in (
        (100.0 * compared.gaps, GAP, "%"),
        (compared.took_s, SECONDS, "s"),
    ):
        axes = ("tasks", "", label, unit)
        for place, name in enumerate(compared.strategies):
            ask()
            points = _quantiles(levels, values[:, place])
            yield from _drawn(name, points, axes, name in _banded(compared, shown))


def ratio_series(compared: Compared, column: str, shown: tuple[str, ...]) -> Iterator[Series]:
    """Geometric mean of value over the best by a trait that varies, with 95 % intervals.

    The means are of what a strategy answered, workloads counted once; no interval ends below 1.
    """
    levels = numbered_levels(compared, column)
    for place, name in enumerate(compared.strategies):
        ask()
        axes = (levels[0].trait, "", RATIO, "") if levels else ("", "", RATIO, "")
        points = [
            point
            for level in levels
            if (point := _mean(compared.where(level.instances), place, level.middle))
        ]
        yield from _drawn(name, points, axes, name in _banded(compared, shown))


def band_notes(
    compared: Compared, shown: tuple[str, ...], series: Sequence[Series]
) -> Iterator[Note]:
    """Which curves of `series` have no band, and why."""
    curves = [one for one in series if one.labels]
    there = {(one.name, one.x_label, one.y_label) for one in series if one.kind == "band"}
    banded = _banded(compared, shown)
    if there and len(banded) < len(compared.strategies):
        only = " and ".join(one for one in compared.strategies if one in banded)
        many = count(len(compared.strategies), "strategy", "strategies")
        yield Note(True, f"Of {many} only {only} have bands, as more would hide one another.")
    for band, needed in _NEEDED.items():
        without = tuple(
            f"{one.name} ({one.y_label} by {one.x_label})"
            for one in curves
            if band == _band_of(one.y_label) and one.name in banded
            and (f"{one.name}, {band}", one.x_label, one.y_label) not in there
        )  # fmt: skip
        if without:
            yield Note(True, f"Without a band, which needs {needed} at each of two points: "
                       f"{few(without, _NAMED)}.")  # fmt: skip


def size_table(compared: Compared) -> Table:
    """What the curves by size are drawn from."""
    columns = (
        ("tasks", ""), ("strategy", ""), ("instances", ""), ("failed", ""), ("gap, median", "%"),
        ("gap, 5th percentile", "%"), ("gap, 95th percentile", "%"), ("time, median", "s"),
        ("time, 95th percentile", "s"),
    )  # fmt: skip
    rows = []
    for level in numbered_levels(compared, "tasks") or (_all(compared),):
        there = compared.where(level.instances)
        for place, name in enumerate(compared.strategies):
            ask()
            low, gap, high = _percentiles(100.0 * there.gaps[:, place])
            _, time, most = _percentiles(there.took_s[:, place])
            asked = ~np.isnan(there.values[:, place])
            failed = int(np.isposinf(there.values[:, place]).sum())
            told = [None if np.isnan(one) else one for one in (gap, low, high, time, most)]
            rows.append((level.middle, name, int(asked.sum()), failed, *told))
    return Table("Gap and time by size", columns, tuple(rows))


def _banded(compared: Compared, shown: tuple[str, ...]) -> frozenset[str]:
    """The strategies that have bands."""
    few_enough = len(compared.strategies) <= _MOST_BANDS
    return frozenset(compared.strategies if few_enough else shown)


def _band_of(y_label: str) -> str:
    return _MEAN if y_label == RATIO else _SPREAD


def _all(compared: Compared) -> Level:
    tasks = compared.traits["tasks"]
    known = tasks[np.isfinite(tasks)]
    middle = float(np.median(known)) if known.size else 0.0
    return Level("tasks", f"{middle:g}", middle, np.ones(len(tasks), dtype=bool))


def _quantiles(levels: tuple[Level, ...], values: Floats) -> list[Point]:
    points = []
    for level in levels:
        there = values[level.instances]
        low, middle, high = _percentiles(there)
        if not np.isnan(middle):
            many = int(np.isfinite(there).sum())
            ends = (low, high) if many >= _FEWEST else (float("nan"),) * 2
            points.append((level.middle, ends[0], middle, ends[1], many))
    return points


def _percentiles(values: Floats) -> tuple[float, float, float]:
    known = values[np.isfinite(values)]
    if not known.size:
        return float("nan"), float("nan"), float("nan")
    low, middle, high = np.percentile(known, _BAND).tolist()
    return low, middle, high


def _mean(there: Compared, place: int, middle: float) -> Point | None:
    has = np.isfinite(there.ratios[:, place])
    if not has.any():
        return None
    logs = np.log(there.ratios[has, place])
    mean, low, high = (factor(one) for one in interval(by_workload(logs, there.workload[has])))
    low = max(low, 1.0) if low == low else low  # noqa: PLR0124 - NaN
    return middle, low, mean, high, int(has.sum())


def _drawn(
    name: str, points: list[Point], axes: tuple[str, str, str, str], banded: bool
) -> Iterator[Series]:
    """A curve, and its band where there are ends."""
    if not points:
        return
    x, _, y, _, many = zip(*points, strict=True)
    beside, by_ratio = "size" if axes[0] == "tasks" else "traits", axes[0] != "heterogeneity"
    groups = tuple(count(one, "instance") for one in many)
    line = Series(name, x, y, *axes, labels=groups, beside=beside, by_ratio=by_ratio)
    yield line
    ended = [point for point in points if not np.isnan(point[1])]
    if banded and len(ended) > 1:
        x, low, _, high, _ = zip(*ended, strict=True)
        name = f"{name}, {_band_of(axes[2])}"
        yield replace(line, name=name, x=x, y=high, lower=low, kind="band", labels=())


WITHIN = (1.0, 1.05, 1.5)  # of the table
AREA = 1.5  # τ up to which the area is taken
AXES = ("value / best of all", "", "performance profile", "%")
_MOST = 400  # steps that are drawn
_LEAST_END = 1.05


def profile(ratios: Floats, within: Floats) -> Floats:
    """ρ of one strategy at some τ.

    `ratios`: shape (n,); at least 1; ∞: failed. `within`: each τ; what is above it by rounding
    alone is within. Returns shares from 0 to 1.
    """
    ranked = np.sort(ratios)
    return np.searchsorted(ranked, within * (1.0 + ALIKE), side="right") / max(len(ranked), 1)


def area(ratios: Floats) -> float:
    """The mean of ρ between 1 and `AREA`: 1 for who is always best, 0 for who is never within."""
    return float(np.clip(AREA - ratios, 0.0, None).mean() / (AREA - 1.0))


def profile_series(compared: Compared) -> Iterator[Series]:
    """A step curve for each strategy, in per cent, from 1 to the largest finite ratio of any.

    Curves of more than some hundred steps are drawn through points at equal distances in log τ,
    each of which is exact.
    """
    ratios = compared.ratios
    known = ratios[np.isfinite(ratios)]
    if not known.size:
        return
    end = max(_LEAST_END, float(known.max()))
    for place, name in enumerate(compared.strategies):
        ask()
        own = ratios[:, place]
        steps = np.unique(own[np.isfinite(own)])
        if len(steps) > _MOST:
            at = np.geomspace(1.0, end, _MOST)
            shares = profile(own, at)
        else:
            steps = np.unique(np.concatenate(([1.0], steps, [end])))
            after = profile(own, steps)
            at, shares = np.repeat(steps, 2)[1:], np.repeat(after, 2)[:-1]
        # nobody is below the best: each curve begins with the step from 0
        at, shares = np.append(1.0, at), np.append(0.0, shares)
        yield Series(name, _floats(at), _floats(100.0 * shares), *AXES, by_ratio=True)


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(one) for one in values)
