"""What the tests of checks by simulation share."""

from __future__ import annotations

from advisor.studies import Check, Series
from advisor.studies.study import StudyResult


def rows(check: Check) -> list[dict[str, object]]:
    names = [name for name, _ in check.table.columns]
    return [dict(zip(names, cells, strict=True)) for cells in check.table.rows]


def axes(series: Series) -> tuple[str, ...]:
    return series.x_label, series.x_unit, series.y_label, series.y_unit


def drawn_over(check: Check, result: StudyResult) -> None:
    """Every series of a check lies on the axes of one of the study's."""
    known = {axes(one) for one in result.series}
    for one in check.series:
        assert one.kind == "points"
        assert axes(one) in known
