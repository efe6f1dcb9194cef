"""What the rows of a campaign show, before it is put into words: who leads, and on what ground."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.basics.quantities import few
from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.findings.levels import Condition, conditions, means
from advisor.campaigns.findings.pairs import Pair, factor, needed, pairs
from advisor.campaigns.results import Results
from advisor.search.strategy import Role
from advisor.search.titles import role_of
from advisor.studies.study import Table
from machines import InputError
from machines.arrays import Flags, Floats
from machines.stopping import ask

# Cases without an answer, by what is wrong: how many, and an example of each.

MOST = 100  # kinds of messages that are listed
_NAMES = re.compile(r"\"[^\"]*\"|'[^']*'|\d+(?:[.,]\d+)*")  # what differs from case to case


@dataclass(frozen=True)
class Failure:
    """Cases that failed alike: their messages differ in names and numbers alone."""

    message: str  # of the first of them
    many: int
    strategies: tuple[str, ...]  # that failed so
    case: int  # the first
    workload: str  # of the first


def failures(results: Results) -> tuple[Failure, ...]:
    """The most frequent first."""
    places = np.flatnonzero(~results.answered)
    if not len(places):
        return ()
    failed = results.where(places)
    return _alike(failed, "error")


def warnings(results: Results) -> tuple[Failure, ...]:
    """Answers that carry the same warning, the most frequent first."""
    column = results.numbered("warnings")
    warned = np.array([bool(one) for one in column.values], dtype=bool)
    places = np.flatnonzero(warned[column.places]) if len(warned) else np.zeros(0, dtype=int)
    return _alike(results.where(places), "warnings") if len(places) else ()


def failure_table(found: tuple[Failure, ...]) -> Table:
    """One row a message."""
    columns = (
        ("message", ""), ("cases", ""), ("strategies", ""), ("example, case", ""),
        ("example, workload", ""),
    )  # fmt: skip
    rows = tuple(
        (one.message, one.many, few(one.strategies, 5), one.case, one.workload) for one in found
    )
    return Table("Failures", columns, rows)


def _alike(results: Results, column: str) -> tuple[Failure, ...]:
    """The `MOST` most frequent kinds of message in a column, the first of equals first."""
    numbered = results.numbered(column)
    present, first = np.unique(numbered.places, return_index=True)
    kinds: dict[str, int] = {}
    kind_of = np.full(len(numbered.values), -1)
    for value in present[np.argsort(first)].tolist():
        text = _NAMES.sub("…", _text(numbered.values[value]))
        kind_of[value] = kinds.setdefault(text, len(kinds))
    kind_of_rows = kind_of[numbered.places]
    many = np.bincount(kind_of_rows, minlength=len(kinds))
    found = []
    for kind in np.argsort(-many, kind="stable")[:MOST].tolist():
        ask()
        alike = results.where(kind_of_rows == kind)
        names = tuple(str(one) for one in alike.distinct("strategy") if one)
        row = alike.rows[0]
        message = _text(getattr(row, column)) or "no answer, and no reason"
        found.append(Failure(message, len(alike), names, row.case, row.workload))
    return tuple(found)


def _text(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)


_SEARCHES = {Role.PORTFOLIO, Role.IMPROVEMENT, Role.PROOF}
MOST_BOUND = 0.9  # share of instances that a distance to bounds is told of


@dataclass(frozen=True, eq=False)
class Shown:
    """Strategies beside each other; there is one at least, and an answer.

    `common`: those with instances in common, on the instances that all of them were asked about and
        some answered.
    """

    results: Results
    every: Compared  # all strategies on all instances
    common: Compared
    pairs: tuple[Pair, ...]  # of all strategies
    baseline: str  # what the leader is set against; empty: the next best
    failures: tuple[Failure, ...]
    warnings: tuple[Failure, ...]

    @classmethod
    def of(cls, results: Results, baseline: str) -> Shown | None:
        """None: no strategy has an answer."""
        every = Compared.of(results)
        if baseline and baseline not in every.strategies:
            raise InputError(
                "no case has this strategy",
                where="baseline",
                value=baseline,
                remedy="Those that ran: " + ", ".join(every.strategies),
            )
        common = _common(every, baseline)
        if not len(common.rows):
            return None
        found = failures(results), warnings(results)
        return cls(results, every, common, pairs(every), baseline, *found)

    @cached_property
    def makers(self) -> Shown | None:
        """The same of those that make one plan, if a search leads; None: too few of them.

        A search starts from their plans, so that it can't but lead: which of them is best, and
        where, is then a question of its own. Tests stay corrected for all pairs.
        """
        names = [one for one in self.common.strategies if not _searches(one)]
        if not _searches(self.leader) or len(names) < 2:
            return None
        places = [self.every.strategies.index(one) for one in names]
        every = self.every.of_strategies(places)
        baseline = self.baseline if self.baseline in names else ""
        return replace(
            self,
            every=every,
            common=_common(every, baseline),
            pairs=tuple(one for one in self.pairs if {one.first, one.second} <= set(names)),
            baseline=baseline,
        )

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The best at every level of what varies; of one strategy alone there is nothing to ask."""
        if not self.against:
            return ()
        return conditions(self.results, self.common, self.order[0])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places of the strategies that are compared, the least mean first."""
        return tuple(np.argsort(self.means, kind="stable").tolist())

    @cached_property
    def means(self) -> Floats:
        """Of the logarithms of value over best, shape (S,)."""
        return means(self.common)

    @property
    def leader(self) -> str:
        """Of the least mean."""
        return self.common.strategies[self.order[0]]

    @property
    def against(self) -> str:
        """What the leader is set against; empty: it is alone."""
        if self.baseline and self.baseline != self.leader:
            return self.baseline
        return self.common.strategies[self.order[1]] if len(self.order) > 1 else ""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Strategies with too few instances in common with the others."""
        return tuple(one for one in self.every.strategies if one not in self.common.strategies)

    @cached_property
    def beside(self) -> dict[str, Pair]:
        """The leader beside each other strategy that is compared."""
        found = {}
        for one in self.pairs:
            if self.leader in {one.first, one.second}:
                pair = one if one.first == self.leader else one.turned
                if pair.second in self.common.strategies:
                    found[pair.second] = pair
        return found

    @cached_property
    def alike(self) -> bool:
        """Whether all strategies reach the same value everywhere."""
        return bool((self.common.ratios == 1.0).all())

    @cached_property
    def workloads(self) -> int:
        """Independent ones among the compared instances."""
        return len(np.unique(self.common.workload))

    @property
    def needed(self) -> int:
        """Workloads without which no pair can be told apart."""
        return needed(len(self.pairs))

    @cached_property
    def turning(self) -> tuple[Condition, ...]:
        """Conditions under which another than the leader is better, the clearest first."""
        differing = [one for one in self.conditions if one.pair is not None and one.differs]
        return tuple(sorted(differing, key=lambda one: one.pair.ratio if one.pair else 1.0))

    def place(self, strategy: str) -> int:
        """Its column among those compared."""
        return self.common.strategies.index(strategy)

    def mean(self, strategy: str) -> float:
        """Geometric mean of its values over the best."""
        return factor(float(self.means[self.place(strategy)]))

    def failed(self, strategy: str) -> int:
        """How many of the compared instances it failed on."""
        return int(self.common.failed[self.place(strategy)])

    def best_on(self, strategy: str) -> float:
        """The share of instances on which it is best, ties included."""
        return float((self.common.ratios[:, self.place(strategy)] == 1.0).mean())

    def time(self, strategy: str) -> float:
        """Its median seconds; NaN: not known."""
        known = self.common.took_s[:, self.place(strategy)]
        known = known[np.isfinite(known)]
        return float(np.median(known)) if known.size else float("nan")

    @cached_property
    def bounded(self) -> Compared:
        """The compared instances that have a bound above 0."""
        return self.common.where(self.common.bound > 0.0)

    def over_bound(self, strategy: str, instances: Flags | None = None) -> float:
        """Value over bound that it does not exceed on 90 % of the bounded instances; ∞: fails.

        `instances`: of these compared ones only.
        """
        bounded = self.common.bound > 0.0
        chosen = bounded if instances is None else bounded & instances
        gaps = self.common.gaps[chosen, self.place(strategy)]
        return least_within(np.where(np.isnan(gaps), np.inf, gaps) + 1.0)

    @cached_property
    def best_gap(self) -> float:
        """The median gap of the best plans of all strategies, which tells what bounds are worth."""
        best = np.nanmin(self.bounded.gaps, axis=1)
        return float(np.median(best)) if best.size else float("nan")


def _searches(strategy: str) -> bool:
    """Whether it improves plans that others make; what nobody knows any more does not."""
    return role_of(strategy) in _SEARCHES


def least_within(ratios: Floats) -> float:
    """The least of the ratios that 90 % of them do not exceed; NaN of none."""
    if not len(ratios):
        return float("nan")
    return float(np.quantile(ratios, MOST_BOUND, method="inverted_cdf"))


def _common(every: Compared, baseline: str) -> Compared:
    """Strategies with instances in common, those that were asked most first.

    One that was asked about less than half of what the others have in common is left out, as
    little would be left to compare.
    """
    asked = (~np.isnan(every.values)).sum(axis=0)
    order = sorted(
        range(len(every.strategies)),
        key=lambda k: (every.strategies[k] != baseline, -int(asked[k])),
    )
    kept: list[int] = []
    many = 0
    for place in order:
        left = int(every.of_strategies([*kept, place]).asked.sum())
        if left and 2 * left >= many:
            kept.append(place)
            many = left
    some = every.of_strategies(sorted(kept))
    return some.where(some.asked & some.answered)
