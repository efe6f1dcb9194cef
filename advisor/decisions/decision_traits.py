"""What a comparison of plans shows: what they decide differently, then their figures.

Every kind of decision is a column where plans differ in it, which says of each plan what it
decides about the tasks or overlays that are decided differently.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.allocation.comparison import Row
from advisor.allocation.traits import FIGURES, Trait, Value, is_shown, is_text
from advisor.basics.quantities import UNKNOWN
from advisor.basics.units import Unit
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.decision import Decision
from advisor.decisions.registry import DECISIONS

_NAMED = 3  # subjects that a cell names


def shown(rows: Sequence[Row]) -> tuple[Trait, ...]:
    """The figures that stay, then what these plans decide differently.

    What they decide is looked up here, once; the traits are quick to ask.
    """
    decided = (_moved(rows) if kind is ALLOCATION else _decided(kind, rows) for kind in DECISIONS)
    return tuple(one for one in (*FIGURES, *decided) if is_shown(one, rows))


def columns_of(trait: Trait, rows: Sequence[Row]) -> list[tuple[str, str, list[str]]]:
    """(heading, side, cells) of a trait, and of how it differs from the first plan's."""
    if is_text(trait, rows):
        return [(trait.title, "l", [str(trait.of(row)) or UNKNOWN for row in rows])]
    values = [trait.number(row) for row in rows]
    found = [(trait.title, "r", list(map(trait.writer(rows), values)))]
    if trait.against and len(rows) > 1:
        unit = Unit.of(trait.unit, *values)
        found.append(("", "r", [unit.signed(value - values[0]) for value in values]))
    return found


def _moved(rows: Sequence[Row]) -> Trait:
    places = [np.array(row.plan.allocation) for row in rows]
    firsts = [np.array(row.first.allocation) for row in rows]
    cells: dict[Row, Value] = {
        row: float(np.count_nonzero(now != then))
        for row, now, then in zip(rows, places, firsts, strict=True)
    }
    hint = "Tasks on another machine than in the first plan"
    return Trait(ALLOCATION.name, "tasks moved", hint, cells.__getitem__, whole=True)


def _decided(kind: Decision, rows: Sequence[Row]) -> Trait:
    """A kind of decision about the subjects in which some plan differs from the first one."""
    found = [kind.values(row.problem, row.plan) for row in rows]
    then = kind.values(rows[0].problem, rows[0].first) if rows else {}
    subjects = [one for one in then if any(values[one] != then[one] for values in found)]
    cells: dict[Row, Value] = {}
    for row, values in zip(rows, found, strict=True):
        said = kind.said(row.problem, values, subjects[:_NAMED])
        more = sum(values[one] != then[one] for one in subjects[_NAMED:])
        cells[row] = "; ".join([*said, f"{more:,} more differ"] if more else said)
    return Trait(kind.name, kind.title.lower(), kind.help, cells.__getitem__)
