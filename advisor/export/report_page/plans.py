"""The plans side by side: the project's, the advised, the pinned and what strategies found."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.allocation.comparison import Row
from advisor.allocation.measures import MEASURES, front
from advisor.allocation.objectives import MAKESPAN, TOTAL, WITHIN
from advisor.allocation.traits import FIGURES, Trait
from advisor.basics.units import Unit
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.decision_traits import columns_of, shown
from advisor.export.report_page.causes_section import bars, legend, stacked
from advisor.export.report_page.page_blocks import Block, Figure, Listing, Section, Table
from advisor.export.report_page.subject import Reported

_TIMES = ("makespan", "total", "gap")
_LEFT_OUT = "endless"


def _blocks(reported: Reported) -> tuple[Block, ...]:
    rows, objective = reported.rows, reported.project.objective
    notes = Listing.of(*reported.left_out)
    if len(rows) < 2:
        return (notes,) if reported.left_out else ()
    makespan = objective == MAKESPAN
    spent = [row.prediction.critical_breakdown_s if makespan else row.breakdown_s for row in rows]
    values = [row.prediction.value_s(objective) for row in rows]
    unit, longest_s = Unit.of_times(*values), max(values)
    drawing = bars(
        [
            stacked(row.name, one, unit, longest_s, unit.text(value_s))
            for row, one, value_s in zip(rows, spent, values, strict=True)
        ]
    )
    told = ", ".join(f"{row.name} {unit.text(v)}" for row, v in zip(rows, values, strict=True))
    title = f"{objective.capitalize()} of the plans"
    of = "along the critical path of each" if makespan else "of all tasks and transfers"
    figure = Figure(title, drawing, f"By cause, {of}.", f"{title}: {told}.", legend(*spent))
    return (figure, *_tables(reported), *((notes,) if reported.left_out else ()))


def _tables(reported: Reported) -> tuple[Table, ...]:
    """Times, what they take, and what they decide: all in one would be wider than a sheet."""
    rows, objective = reported.rows, reported.project.objective
    traits = shown(rows)
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    alike = [row.name for row in rows if row is not best and row.alike_to(best, objective)]
    more = "Differences are against the plan. * no other plan is better in both times."
    if alike:
        more += f" Tied with {best.name} {WITHIN}: {', '.join(alike)}."
    marks = [" *" if on_front else "" for on_front in front(rows, MEASURES[TOTAL])]
    times = [one for one in traits if one.key in _TIMES]
    # figures and decisions share a key: the processors that are used and those that are chosen
    decided = [one for one in traits if one not in FIGURES and one.key != ALLOCATION.name]
    taken = [one for one in traits if one.key not in {*_TIMES, _LEFT_OUT} and one not in decided]
    found = [_table("Times of the plans", rows, times, marks, more)]
    found.append(_table("What the plans take", rows, taken, [""] * len(rows)))
    if decided:
        found.append(_choices(rows, decided))
    return tuple(found)


def _table(
    title: str, rows: Sequence[Row], traits: Sequence[Trait], marks: Sequence[str], more: str = ""
) -> Table:
    """A row a plan, a column or two a figure."""
    names = [f"{row.name}{mark}" for row, mark in zip(rows, marks, strict=True)]
    table = [("plan", "l", names)]
    for trait in traits:
        table += columns_of(trait, rows)
    headings, sides, columns = zip(*table, strict=True)
    headings = tuple(heading or "±" for heading in headings)
    return Table(title, headings, tuple(zip(*columns, strict=True)), "".join(sides), more)


def _choices(rows: Sequence[Row], traits: Sequence[Trait]) -> Table:
    """What the first plan decides, and what every other one decides otherwise."""
    cells = [
        (row.name, trait.title, str(trait.of(row)))
        for row in rows
        for trait in traits
        if row is rows[0] or trait.of(row) != trait.of(rows[0])
    ]
    return Table("What the plans decide", ("plan", "decision", "choice"), tuple(cells))


SECTION = Section("plans", "Plans compared", _blocks)
