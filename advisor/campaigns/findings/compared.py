"""Values of strategies on the instances that they were asked about, side by side.

Instances that share their random draws, or are one workload on several machines, are no
independent witnesses: they belong to one workload, which counts once in every test.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.equivalence_classes import alike
from advisor.basics.rounding import ALIKE
from advisor.campaigns.results import Results
from machines.arrays import Flags, Floats, Indices
from machines.stopping import ask

WORST = 10.0  # a failure counts as this ratio in means, or as the worst that was seen
_DIGITS = 12  # of logarithms: what differs by rounding alone is a tie of ranks


@dataclass(frozen=True, eq=False)
class Compared:
    """I instances and S strategies.

    `values`, `took_s`: shape (I, S); what was reached, ∞ where there is no answer, NaN where it was
        not asked; seconds.
    `bound`: shape (I,); the best of all rows of the instance, as each holds for every plan; NaN:
        there is none.
    """

    strategies: tuple[str, ...]  # in the order in which they first occur
    values: Floats
    took_s: Floats
    bound: Floats
    proved: Flags  # shape (I,); whether some row has a plan than which none is better
    traits: dict[str, Floats]  # shape (I,); tasks, CCR, heterogeneity; NaN: not known
    rows: Indices  # shape (I,); a row of each, for its texts
    workload: Indices  # shape (I,); those of one number share a file, or generator and seed

    @classmethod
    def of(cls, results: Results) -> Compared:
        """The rows that a strategy answered; of one question asked twice the first."""
        strategies = tuple(str(one) for one in results.distinct("strategy") if one)
        known = results.numbered("strategy")
        number = {name: place for place, name in enumerate(strategies)}
        column = np.array([number.get(str(one), -1) for one in known.values], dtype=np.intp)
        chosen = np.flatnonzero(column[known.places] >= 0) if strategies else np.zeros(0, int)
        some = results if len(chosen) == len(results) else results.where(chosen)
        instance, many = some.instances
        shape = many, len(strategies)
        place = instance.astype(np.int64) * shape[1] + column[some.numbered("strategy").places]
        ask()
        first = np.unique(place, return_index=True)[1]  # of one question asked twice
        ask()
        traits = {
            name: _largest(some.numbers(name), instance, many)
            for name in ("tasks", "ccr", "heterogeneity")
        }
        ask()
        value = some.numbers("value")
        at = place[first]
        rows = chosen[np.unique(instance, return_index=True)[1]].astype(np.int32)
        return cls(
            strategies,
            _placed(np.where(np.isnan(value), np.inf, value)[first], at, shape),
            _placed(some.took_s[first], at, shape),
            _largest(some.numbers("bound"), instance, many),
            np.bincount(instance, some.numbers("proved"), many) > 0,
            traits,
            rows,
            _workloads(results, rows),
        )

    @cached_property
    def asked(self) -> Flags:
        """Whether every strategy was asked about an instance, shape (I,)."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    @cached_property
    def answered(self) -> Flags:
        """Whether any strategy has an answer, shape (I,)."""
        return np.asarray(np.isfinite(self.values).any(axis=1))

    @cached_property
    def failed(self) -> Floats:
        """How many instances each strategy failed on, shape (S,)."""
        return np.asarray(np.isposinf(self.values).sum(axis=0), dtype=np.float64)

    @cached_property
    def ratios(self) -> Floats:
        """Value over the best of all strategies, shape (I, S); 1 for what only rounding parts.

        ∞: failed, or the best is 0 and this is not. NaN: not asked, or nobody answered.
        """
        filled = np.where(np.isnan(self.values), np.inf, self.values)
        best = filled.min(axis=1, initial=np.inf, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            ratios = self.values / best
        ratios[(self.values == 0.0) & (best == 0.0)] = 1.0
        ratios[np.isposinf(self.values) & np.isfinite(best)] = np.inf
        return np.where(ratios <= 1.0 + ALIKE, 1.0, ratios)

    @cached_property
    def logarithms(self) -> Floats:
        """Natural ones of the ratios, shape (I, S); the infinite as `finite` counts them."""
        return finite(np.log(self.ratios))

    @cached_property
    def gaps(self) -> Floats:
        """Value over bound − 1, shape (I, S); NaN without an answer or a bound above 0."""
        bound = np.where(self.bound > 0.0, self.bound, np.nan)[:, None]
        gaps = np.where(np.isfinite(self.values), self.values, np.nan) / bound - 1.0
        return np.where(np.abs(gaps) <= ALIKE, 0.0, gaps)

    def where(self, instances: Flags | Indices) -> Compared:
        """Some of the instances."""
        return replace(
            self,
            values=self.values[instances],
            took_s=self.took_s[instances],
            bound=self.bound[instances],
            proved=self.proved[instances],
            traits={name: one[instances] for name, one in self.traits.items()},
            rows=self.rows[instances],
            workload=self.workload[instances],
        )

    def of_strategies(self, places: list[int]) -> Compared:
        """Some of the strategies."""
        return replace(
            self,
            strategies=tuple(self.strategies[place] for place in places),
            values=self.values[:, places],
            took_s=self.took_s[:, places],
        )


def finite(logarithms: Floats) -> Floats:
    """Logarithms of ratios, the infinite ones as large as the largest, at least ln `WORST`."""
    known = np.abs(logarithms[np.isfinite(logarithms)])
    most = max(float(np.log(WORST)), float(known.max(initial=0.0)))
    return np.asarray(np.round(np.clip(logarithms, -most, most), _DIGITS), dtype=np.float64)


def by_workload(values: Floats, workload: Indices) -> Floats:
    """The mean of each workload's instances, shape (workloads,); 0 for what only rounding parts.

    The mean of logarithms of ratios is that of the geometric mean of the ratios.
    """
    present, places = np.unique(workload, return_inverse=True)
    sums = np.bincount(places, values, len(present))
    means = np.round(sums / np.bincount(places, minlength=len(present)), _DIGITS)
    return np.where(np.abs(means) <= ALIKE, 0.0, means)


def _placed(values: Floats, at: NDArray[np.int64], shape: tuple[int, int]) -> Floats:
    """Values of rows by instance and strategy."""
    placed = np.full(shape[0] * shape[1], np.nan)
    placed[at] = values
    return placed.reshape(shape)


def _largest(values: Floats, instance: Indices, many: int) -> Floats:
    """The largest of each instance's rows: what failed knows its size from its neighbours."""
    largest = np.full(many, -np.inf)
    np.fmax.at(largest, instance, values)
    return np.where(np.isfinite(largest), largest, np.nan)


def _workloads(results: Results, rows: Indices) -> Indices:
    """Which instances are of one workload.

    A generator draws from its seed alone, so that all of one seed share draws: heft over peft on
    layered graphs correlates by 0.2 to 0.3 between 20 and 40 tasks of one seed, by up to 0.5
    between two CCRs. Between generators it does not. A file is one workload, whatever the seed.
    """
    generator = results.numbered("generator")
    drawn = np.array([bool(one) for one in generator.values], dtype=bool)[generator.places[rows]]
    family = np.where(drawn, generator.places[rows], -1)
    seed = np.where(drawn, results.columns.number("seed")[rows], -1)
    file = np.where(drawn, -1, results.numbered("workload").places[rows])
    return alike((family, seed, file))[1].astype(np.int32)
