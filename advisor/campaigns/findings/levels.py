"""Instances of like size, CCR or heterogeneity; and those of one platform, load or timeline.

Whether which strategy is best depends on size, CCR, heterogeneity, machines, load or timeline.

At every level of everything that varies, the leader of all instances is set against each other
strategy, and all of these tests are corrected together: who looks at forty levels finds two that
differ by chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import Compared, by_workload
from advisor.campaigns.findings.pairs import Pair, corrected, paired
from advisor.campaigns.results import Results
from machines.arrays import Flags, Floats
from machines.stopping import ask

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


@dataclass(frozen=True, eq=False)
class Condition:
    """The best strategy of some instances."""

    level: Level
    many: int  # instances
    best: str  # the strategy of the least mean
    share: float  # of the instances on which it is best, ties included
    leader_share: float  # the same of the leader of all
    pair: Pair | None  # it beside the leader of all instances; None: it is the leader

    @property
    def differs(self) -> bool:
        """Whether another than the leader of all is better here, which is no chance."""
        return self.pair is not None and self.pair.is_better


def means(compared: Compared) -> Floats:
    """Each strategy's mean logarithm of value over the best, workloads counted once; shape (S,)."""
    found = []
    for of_one in compared.logarithms.T:
        ask()
        found.append(by_workload(of_one, compared.workload).mean())
    return np.array(found)


def conditions(results: Results, compared: Compared, leader: int) -> tuple[Condition, ...]:
    """The best at every level; `leader` is the place of the best of all instances.

    `compared`: instances that every strategy was asked about.
    """
    levels = list(chain.from_iterable(all_levels(results, compared)))
    parts = [compared.where(level.instances) for level in levels]
    others = [k for k in range(len(compared.strategies)) if k != leader]
    found: list[Pair] = []
    for part in parts:
        for k in others:
            ask()
            pair = paired(part, k, leader)
            assert pair is not None  # all of them were asked about, and are answered
            found.append(pair)
    tested = iter(corrected(found))
    answers = []
    for level, part in zip(levels, parts, strict=True):
        beside = {k: next(tested) for k in others}
        best = int(np.argmin(means(part)))
        if best != leader and not beside[best].is_better:
            # of those that beat the leader beyond chance the best, if there is any
            better = [k for k in others if beside[k].is_better]
            best = min(better, key=lambda k: beside[k].ratio) if better else best
        at_best = (part.ratios == 1.0).mean(axis=0)
        answers.append(
            Condition(
                level,
                len(part.rows),
                compared.strategies[best],
                float(at_best[best]),
                float(at_best[leader]),
                beside.get(best),
            )
        )
    return tuple(answers)
