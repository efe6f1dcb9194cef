"""The plans side by side: the project's, the advised, the pinned and what strategies found."""

from __future__ import annotations

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.spread import WITHIN
from advisor.basics.quantities import percent
from advisor.basics.units import Unit
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
    rows, objective = reported.rows, reported.project.objective
    makespans = Unit.of_times(*(row.makespan_s for row in rows))
    totals = Unit.of_times(*(row.total_s for row in rows))
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    alike = [row.name for row in rows if row is not best and row.alike_to(best, objective)]
    cells = tuple(
        (
            row.name + (" *" if row.on_front else ""),
            makespans.text(row.makespan_s),
            makespans.signed(row.makespan_difference_s),
            totals.text(row.total_s),
            totals.signed(row.total_difference_s),
            percent(max(row.utilisation)),
            f"{row.busiest} {percent(row.busy_share)}" if row.busiest else "–",
        )
        for row in rows
    )
    more = "Differences are against the plan. * no other plan is better in both times."
    if alike:
        more += f" Alike to {best.name} {WITHIN}: {', '.join(alike)}."
    return Table(
        "Plans",
        ("plan", "makespan", "", "total", "", "busiest machine", "busiest link"),
        cells,
        "lrrrrrl",
        more,
    )


SECTION = Section("plans", "Plans compared", _blocks)
