"""How sure the plans of an answer are: entries of its reports and columns of its tables."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import cast

from advisor.advice.how_sure import Odds, draws_for, duels, odds_of
from advisor.allocation.comparison import Row
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.export.odds_report import duel_report
from advisor.odds import Duel

_DUEL_DRAWS = 256
RowOdds = list[tuple[int, Odds, Duel]]


def add_odds(
    report: dict[str, object], problem: Problem, found: Recommendation, arguments: Namespace
) -> None:
    """How often each alternative ends before the recommended plan."""
    draws = draws_for(problem, _DUEL_DRAWS, arguments.seed, arguments.draws)
    if draws is None or found.objective != MAKESPAN:
        return
    others = [plan for _, plan, _ in found.alternatives]
    entries = cast("list[dict[str, object]]", report["alternatives"])
    for entry, one in zip(entries, duels(problem, others, found.plan, draws), strict=True):
        entry.update(duel_report(one))


def row_odds(
    problem: Problem, rows: Sequence[Row], objective: str, arguments: Namespace
) -> RowOdds:
    """(row, what to expect, against the best row) of every plan; none where all is exact."""
    draws = draws_for(problem, _DUEL_DRAWS, arguments.seed, arguments.draws)
    if draws is None or objective != MAKESPAN:
        return []
    best = min(rows, key=lambda row: row.makespan_s)
    found = duels(problem, [row.plan for row in rows], best.plan, draws)
    return [
        (place, odds, against)
        for place, (row, against) in enumerate(zip(rows, found, strict=True))
        if (
            odds := odds_of(
                problem, row.plan, row.makespan_s, count=draws.count, seed=arguments.seed
            )
        )
    ]
