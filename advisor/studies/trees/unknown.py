"""Overhead and gap that a ping-pong does not show: the interval that they lie in, not a number.

A one-way time is 2o + L and no more: o lies between 0 and half of it. A process of the ping-pong
sends once in a round trip, so that g is no more than that. What is recommended loses least, at
worst, against the best tree for each pair of o and g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.basics.quantities import number
from advisor.studies.study import Table
from advisor.trees.costs import US, TreeCosts, measure
from advisor.trees.picture import NamedTree
from machines.interconnect import LogGP

_SHARES = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)  # of the interval; small gaps are the usual ones
WORKING = 3  # which of them pictures and curves are drawn for
ALONE_BEST = 1.005  # times the best that still counts as the best


@dataclass(frozen=True)
class Unknown:
    """Message costs that agree with a ping-pong, from the cheapest to the dearest; µs.

    `overhead`, `gap`: what o and g may be; both ends are the same where the user said it.
    """

    alpha: float  # 2o + L, as measured
    overhead: tuple[float, float]
    gap: tuple[float, float]
    per_byte: float

    @classmethod
    def of(cls, alpha: float, per_byte: float, o: float | None, g: float | None) -> Unknown:
        """The intervals of what is None."""
        overhead = (0.0, alpha / 2.0) if o is None else (o, o)
        gap = (overhead[0], 2.0 * alpha) if g is None else (g, g)
        return cls(alpha, overhead, gap, per_byte)

    def samples(self) -> tuple[LogGP, ...]:
        """Costs along the interval; g is never less than o where it is unknown."""
        found = []
        for share in _SHARES:
            o, g = (low + share * (high - low) for low, high in (self.overhead, self.gap))
            if self.gap[0] < self.gap[1]:
                g = max(g, o)
            found.append(LogGP(self.alpha - 2.0 * o, o, o, g, self.per_byte))
        return tuple(found)

    @property
    def text(self) -> str:
        """What is not known, e.g. "overhead o (0 to 5 µs) and gap g (0 to 20 µs) are unknown"."""
        parts = [
            f"{name} ({number(low)} to {number(high)} µs)"
            for name, (low, high) in (("overhead o", self.overhead), ("gap g", self.gap))
            if low < high
        ]
        return f"{' and '.join(parts)} {'are' if len(parts) > 1 else 'is'} unknown"


@dataclass(frozen=True, eq=False)
class Spread:
    """What trees take over the interval."""

    unknown: Unknown
    costs: tuple[TreeCosts, ...]  # the samples
    latencies: tuple[tuple[float, ...], ...]  # of each tree under each of the costs, µs

    @classmethod
    def of(cls, unknown: Unknown, costs: Sequence[TreeCosts], trees: Sequence[NamedTree]) -> Spread:
        """Measure the trees."""
        rows = tuple(
            tuple(measure(one.tree, each).latency(each.operation) for each in costs)
            for one in trees
        )
        return cls(unknown, tuple(costs), rows)

    def best(self, allowed: Sequence[int]) -> tuple[int, ...]:
        """The fastest of the allowed trees under each of the costs."""
        return tuple(
            min(allowed, key=lambda at: self.latencies[at][sample])
            for sample in range(len(self.costs))
        )

    def loss(self, at: int, allowed: Sequence[int]) -> float:
        """How many times slower than the best a tree is at worst."""
        best = self.best(allowed)
        return max(
            mine / self.latencies[other][sample]
            for sample, (mine, other) in enumerate(zip(self.latencies[at], best, strict=True))
        )

    def ends(self, at: int) -> tuple[float, float]:
        """The least and the most that a tree takes."""
        return min(self.latencies[at]), max(self.latencies[at])

    def table(self, at: int, allowed: Sequence[int], trees: Sequence[NamedTree]) -> Table:
        """The best tree beside the recommended one, from end to end."""
        rows = tuple(
            (
                each.p.o_s * US,
                each.p.g * US,
                trees[best].name,
                self.latencies[best][sample] * US,
                self.latencies[at][sample] * US,
                self.latencies[at][sample] / self.latencies[best][sample],
            )
            for sample, (each, best) in enumerate(zip(self.costs, self.best(allowed), strict=True))
        )
        columns = (
            ("overhead o", "s"),
            ("gap g", "s"),
            ("best tree", ""),
            ("takes", "s"),
            ("the recommended one", "s"),
            ("times", ""),
        )
        return Table("Unknown o and g", columns, rows)
