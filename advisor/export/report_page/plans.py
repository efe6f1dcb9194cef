"""The plans side by side: the project's, the advised, the pinned and what strategies found."""

from __future__ import annotations

from advisor.allocation.measures import MEASURES, front
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.spread import WITHIN
from advisor.basics.units import Unit
from advisor.decisions.traits import columns_of, shown
from advisor.export.report_page.bars import bars
from advisor.export.report_page.blocks import Block, Figure, Listing, Section, Table
from advisor.export.report_page.causes import legend, stacked
from advisor.export.report_page.subject import Reported


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
    return (figure, _table(reported), *((notes,) if reported.left_out else ()))


def _table(reported: Reported) -> Table:
    """What tells the plans apart, and their figures; a star marks the Pareto front."""
    rows, objective = reported.rows, reported.project.objective
    marks = ["*" if on_front else "" for on_front in front(rows, MEASURES[TOTAL])]
    table = [
        (
            "plan",
            "l",
            [f"{row.name} {mark}".rstrip() for row, mark in zip(rows, marks, strict=True)],
        )
    ]
    for trait in shown(rows):
        table += columns_of(trait, rows)
    headings, sides, columns = zip(*table, strict=True)
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    alike = [row.name for row in rows if row is not best and row.alike_to(best, objective)]
    more = "Differences are against the plan. * no other plan is better in both times."
    if alike:
        more += f" Alike to {best.name} {WITHIN}: {', '.join(alike)}."
    return Table("Plans", headings, tuple(zip(*columns, strict=True)), "".join(sides), more)


SECTION = Section("plans", "Plans compared", _blocks)
