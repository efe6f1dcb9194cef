"""What a plan's makespan is weighed against: one record for each second measure.

Less is better in all of them. A plan whose machines lack what a measure needs has none: it is on
no front, and `Measure.lack` says which machines.

Which plans are worth a look when two measures count: the Pareto front.

A plan is on the front if no other one is at least as good in both measures and better in one
(V. Pareto 1906). Less is better in both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.allocation.comparison import Row
from advisor.allocation.traits import ENERGY, LATE, MACHINES, MONEY, PROCESSORS, TOTAL, Trait
from advisor.basics.rounding import ALIKE
from machines import InputError

_NAMED = 3


def _none(_row: Row) -> tuple[str, ...]:
    return ()


def _without_draws(row: Row) -> tuple[str, ...]:
    return ("The workload",) if math.isnan(row.p90_s) else ()


@dataclass(frozen=True)
class Measure:
    """A second measure of plans.

    Attributes
    ----------
    trait : Trait
        Its value, unit and help; its key is the measure's name.
    title : str
        As people read it.
    lacking : callable (row) → tuple of str
        The machines that the plan uses and that don't tell what the measure needs.
    needs : str
        What that is, of a machine.
    """

    trait: Trait
    title: str
    lacking: Callable[[Row], tuple[str, ...]] = _none
    needs: str = ""

    @property
    def name(self) -> str:
        """As the command line takes it."""
        return self.trait.key

    def lack(self, rows: Sequence[Row]) -> str:
        """Who lacks what in these plans: "M3 and M4 have no price"; empty where nobody does."""
        found = dict.fromkeys(name for row in rows for name in self.lacking(row))
        if not found:
            return ""
        names = list(found)[:_NAMED]
        if len(found) > _NAMED:
            names.append(f"{len(found) - _NAMED:,} more")
        said = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        return f"{said} {'has' if len(found) == 1 else 'have'} no {self.needs}"


MEASURES: dict[str, Measure] = {
    one.name: one
    for one in (
        Measure(TOTAL, "total time"),
        Measure(MACHINES, "machines used"),
        Measure(PROCESSORS, "processors of tasks"),
        Measure(MONEY, "money", lambda row: row.spent.unpriced, "price"),
        Measure(ENERGY, "energy", lambda row: row.spent.unmetered, "watts"),
        Measure(LATE, "9 of 10 runs", _without_draws, "odds: all is exact, or it is too large"),
    )
}


def find_measure(name: str) -> Measure:
    """The measure of that name."""
    if name not in MEASURES:
        raise InputError("unknown measure", value=name, remedy=f"Measures: {', '.join(MEASURES)}")
    return MEASURES[name]


def front(rows: Sequence[Row], measure: Measure) -> list[bool]:
    """Which plans are on the Pareto front of makespan and that measure."""
    return pareto_front([(measure.trait.number(row), row.makespan_s) for row in rows])


Pair = tuple[float, float]


def pareto_front(values: Sequence[Pair]) -> list[bool]:
    """For every pair of measures whether no other pair dominates it.

    One dominates another when it is nowhere worse and somewhere better, beyond rounding. A pair
    with a NaN, of which a measure is not known, is off the front and dominates none.
    """
    known = [pair for pair in values if not any(map(math.isnan, pair))]
    return [
        not any(map(math.isnan, one)) and not any(_dominates(other, one) for other in known)
        for one in values
    ]


def steps(front: Sequence[Pair]) -> list[Pair]:
    """The corners of the line that parts what a front dominates, from the left.

    Parameters
    ----------
    front : sequence of (x, y)
        Its members, in any order.
    """
    corners: list[Pair] = []
    for x, y in sorted(set(front)):
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    return corners


def _dominates(one: Pair, other: Pair) -> bool:
    slack = [ALIKE * max(abs(a), abs(b)) for a, b in zip(one, other, strict=True)]
    nowhere_worse = all(a <= b + s for a, b, s in zip(one, other, slack, strict=True))
    return nowhere_worse and any(a < b - s for a, b, s in zip(one, other, slack, strict=True))
