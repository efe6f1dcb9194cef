"""What a plan's makespan is weighed against: one record for each second measure.

Less is better in all of them. A plan whose machines lack what a measure needs has none: it is on
no front, and `Measure.lack` says which machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.allocation.compare import Row
from advisor.allocation.pareto import pareto_front
from advisor.allocation.traits import ENERGY, MACHINES, MONEY, PROCESSORS, TOTAL, Trait
from machines import InputError

_NAMED = 3


def _none(_row: Row) -> tuple[str, ...]:
    return ()


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
