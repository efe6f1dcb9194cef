"""Curves and tables of the allocation study."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.allocation.compare import Row
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.prediction import Prediction
from advisor.allocation.sharing import FAIR
from advisor.basics.causes import CAUSES, IDLE
from advisor.studies.study import Series, Table


def cause_bars(predictions: list[tuple[str, Prediction]], objective: str) -> tuple[Series, ...]:
    """One series a cause: seconds by plan, stacked to the objective."""
    splits = [
        one.critical_breakdown_s if objective == MAKESPAN else one.breakdown_s
        for _, one in predictions
    ]
    names = tuple(name for name, _ in predictions)
    return tuple(
        Series(
            name=cause,
            x=names,
            y=tuple(split.get(cause, 0.0) for split in splits),
            x_label="plan",
            x_unit="",
            y_label=objective,
            y_unit="s",
            kind="bars",
        )
        for cause in (*CAUSES, IDLE)
        if any(split.get(cause, 0.0) > 0 for split in splits)
    )


def plans_table(rows: Sequence[Row], objective: str) -> Table:
    """What the plans take; where transfers share, what they share most, and it endless beside."""
    columns: list[tuple[str, str]] = [("plan", ""), ("makespan", "s"), ("total", "s")]
    columns.append(("against recommended", "s"))
    fair = any(row.sharing == FAIR for row in rows)
    if fair:
        columns += [("contention-free", "s"), ("busiest", ""), ("busy", "%")]
    cells = []
    for row in rows:
        cell = (row.name, row.makespan_s, row.total_s, row.difference_s(objective))
        shared = (row.endless_s, row.busiest or "–", 100.0 * row.busy_share)
        cells.append((*cell, *shared) if fair else cell)
    return Table("Plans", tuple(columns), tuple(cells))
