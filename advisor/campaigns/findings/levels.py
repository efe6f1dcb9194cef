"""Instances of like size, CCR or heterogeneity; and those of one platform, load or timeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.results import Results
from machines.arrays import Flags, Floats

MOST = 12  # levels of one trait
_TITLES = {"tasks": "tasks", "ccr": "CCR", "heterogeneity": "heterogeneity"}
TIMELINE = "timeline"
_TEXTS = {  # and what a row without one has
    "generator": "none, a file",
    "platform": "the workload's own",
    "load": "none",
    "sharing": "none",
}
_APART = 1.25
_STEPS = (1.0, 2.0, 5.0)


@dataclass(frozen=True, eq=False)
class Level:
    """Some of the instances, which have something in common.

    `trait`, `name`: "CCR" and "10".
    """

    trait: str
    name: str
    middle: float  # median of the trait; NaN: it is no number
    instances: Flags  # shape (I,)


def numbered_levels(compared: Compared, column: str) -> tuple[Level, ...]:
    """Instances by a number of theirs, rising; empty where it does not vary.

    Up to `MOST` values that are a quarter apart are a level each. More are put together: at the
    nearest of 1, 2, 5, 10, … in the logarithm; heterogeneity, which may be 0 and is at most about
    1, at the nearest multiple of 0.1, 0.2, 0.5 …
    """
    values = compared.traits[column]
    if column == "heterogeneity":
        values = np.where(values <= ALIKE, 0.0 * values, values)  # of machines that are alike
    else:
        values = np.where(values > 0.0, values, np.nan)
    shown = np.unique(values[np.isfinite(values)])
    if column != "tasks":
        shown = np.unique(_rounded(shown))
    if len(shown) <= MOST and (shown[1:] >= _APART * shown[:-1]).all():
        places = _nearest(values, shown)
    elif column == "heterogeneity":
        places = np.rint(values / _step(float(shown.max() - shown.min())))
    else:
        low, high = np.floor(np.log10(shown[0])), np.ceil(np.log10(shown[-1]))
        grid = np.outer(10.0 ** np.arange(low, high + 1.0), _STEPS).ravel()
        places = _nearest(np.log(values), np.log(grid))
    known = np.unique(places[np.isfinite(places)])
    title = _TITLES[column]
    levels = [_level(title, values, places == one) for one in known]
    return tuple(levels) if len(levels) > 1 else ()


def all_levels(results: Results, compared: Compared) -> Iterator[tuple[Level, ...]]:
    """The levels of everything that varies among the instances."""
    for column in _TITLES:
        yield numbered_levels(compared, column)
    for column, nothing in _TEXTS.items():
        numbered = results.numbered(column)
        places = numbered.places[compared.rows]
        title = TIMELINE if column == "sharing" else column
        present, first = np.unique(places, return_index=True)
        if 1 < len(present) <= MOST:
            yield tuple(
                Level(title, str(numbered.values[one]) or nothing, float("nan"), places == one)
                for one in present[np.argsort(first)].tolist()
            )


def _level(title: str, values: Floats, there: Flags) -> Level:
    middle = float(np.median(values[there]))
    name = f"{middle:,.0f}" if title == "tasks" else f"{float(f'{middle:.2g}'):g}"
    return Level(title, name, middle, there)


def _nearest(values: Floats, grid: Floats) -> Floats:
    """The place of the nearest of a rising grid; NaN for NaN."""
    between = (grid[1:] + grid[:-1]) / 2.0
    return np.where(np.isfinite(values), np.searchsorted(between, values), np.nan)


def _rounded(values: Floats) -> Floats:
    """To three digits: what is measured varies beyond those."""
    with np.errstate(divide="ignore"):
        size = 10.0 ** (np.floor(np.log10(np.abs(values))) - 2.0)
    return np.where(values == 0.0, 0.0, np.round(values / np.where(size > 0.0, size, 1.0)) * size)


def _step(spread: float) -> float:
    """The least of 0.1, 0.2, 0.5, 1 … of which few are in the spread."""
    steps = np.outer(10.0 ** np.arange(-1.0, 300.0), _STEPS).ravel()
    return float(steps[np.searchsorted(steps, spread / (MOST - 1.0))])
