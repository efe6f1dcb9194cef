"""How sure the plans of an answer are: entries of its reports and columns of its tables."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import cast

from advisor.advice.how_sure import draws_for, side_by_side
from advisor.allocation.comparison import Row
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.export.odds_report import duel_report
from advisor.odds import Band, Duel
from advisor.search.portfolio import deadlines_of

RowOdds = list[tuple[Band, Duel]]


def add_odds(
    report: dict[str, object], problem: Problem, found: Recommendation, arguments: Namespace
) -> None:
    """How often each alternative ends before the recommended plan."""
    draws = draws_for(problem, None, arguments.seed, arguments.draws)
    if draws is None or found.objective != MAKESPAN:
        return
    others = [(plan, value_s) for _, plan, value_s in found.alternatives]
    entries = cast("list[dict[str, object]]", report["alternatives"])
    pairs = side_by_side(problem, others, found.plan, draws)
    for entry, (_, one) in zip(entries, pairs, strict=True):
        entry.update(duel_report(one))


def row_odds(
    problem: Problem, rows: Sequence[Row], objective: str, arguments: Namespace
) -> RowOdds:
    """What to expect of every plan, and each against the best one; none where all is exact."""
    draws = draws_for(problem, None, arguments.seed, arguments.draws)
    if draws is None or objective != MAKESPAN:
        return []
    best = min(rows, key=lambda row: row.makespan_s)
    plans = [(row.plan, row.makespan_s) for row in rows]
    deadlines_s = deadlines_of([row.plan for row in rows])
    return side_by_side(problem, plans, best.plan, draws, deadlines_s)
