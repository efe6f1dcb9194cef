"""The tables of a campaign: strategies, wins, pairs, conditions, answers of studies."""

from __future__ import annotations

import numpy as np

from advisor.campaigns.findings.pairs import Pair
from advisor.campaigns.findings.profiles import AREA, WITHIN, area, profile
from advisor.campaigns.findings.shown import Shown
from advisor.campaigns.results import Results
from advisor.studies.study import Table
from machines.stopping import ask

MOST_STUDIES = 200  # rows


def strategy_table(shown: Shown) -> Table:
    """Every compared strategy: its profile in figures, its distance to bounds, its time."""
    within = (f"within {one:g} of the best" for one in WITHIN[1:])
    columns = (
        ("strategy", ""), ("instances", ""), ("failed", ""), ("best on", "%"),
        *((name, "%") for name in within), (f"area to {AREA:g}", ""), ("mean value / best", ""),
        ("value / bound on 90 %", ""), ("median time", "s"),
    )  # fmt: skip
    rows = []
    for place in shown.order:
        ask()
        name = shown.common.strategies[place]
        ratios = shown.common.ratios[:, place]
        shares = (100.0 * profile(ratios, np.array(WITHIN))).tolist()
        over, time = shown.over_bound(name), shown.time(name)
        rows.append(
            (name, len(ratios), int(shown.common.failed[place]), *shares, area(ratios),
             shown.mean(name), _known(over), _known(time)),
        )  # fmt: skip
    return Table("Strategies", columns, tuple(rows))


def matrix(shown: Shown) -> Table:
    """Wins, ties and losses of the row's strategy against the column's; starred: no chance."""
    names = _names(shown)
    cells: dict[tuple[str, str], str] = {}
    for pair in shown.pairs:
        star = " *" if pair.differs else ""
        for one in (pair, pair.turned):
            cells[one.first, one.second] = f"{one.wins:,}–{one.ties:,}–{one.losses:,}{star}"
    rows = tuple((row, *(cells.get((row, name), "") for name in names)) for row in names)
    what = "wins–ties–losses; * not by chance"
    return Table("Wins, ties, losses", ((what, ""), *((one, "") for one in names)), rows)


def pair_table(shown: Shown) -> Table:
    """Every two strategies, with the test."""
    columns = (
        ("strategy", ""), ("beside", ""), ("instances", ""), ("wins", ""), ("ties", ""),
        ("losses", ""), ("workloads", ""), ("mean ratio", ""),
        ("95 % from", ""), ("95 % to", ""), ("p", ""), ("p by Holm", ""),
        ("differ", ""),
    )  # fmt: skip
    rows = tuple(
        (
            one.first, one.second, one.instances, one.wins, one.ties, one.losses, one.workloads,
            _known(one.ratio), _known(one.low), _known(one.high), one.p, one.corrected,
            _differ(one),
        )
        for one in _ordered(shown)
    )  # fmt: skip
    return Table("Pairs", columns, rows)


def _differ(pair: Pair) -> str:
    if pair.p is None:
        return "too few"
    if pair.spans:
        return "by ranks"
    return "yes" if pair.differs else "not shown"


def _ordered(shown: Shown) -> list[Pair]:
    """The better one first, those of the best before all others."""
    rank = {name: place for place, name in enumerate(_names(shown))}
    turned = (one if rank[one.first] < rank[one.second] else one.turned for one in shown.pairs)
    return sorted(turned, key=lambda one: (rank[one.first], rank[one.second]))


def _names(shown: Shown) -> list[str]:
    return [*(shown.common.strategies[place] for place in shown.order), *shown.left_out]


def condition_table(shown: Shown, of: str = "") -> Table:
    """The best strategy of every level of what varies, of those that `shown` is about.

    `of` says which these are, if not all.
    """
    best = f"best {of or 'in the mean'}"
    columns = (
        ("where", ""), ("is", ""), ("instances", ""), (best, ""), ("best on", "%"),
        (f"{shown.leader} best on", "%"), (f"mean ratio to {shown.leader}", ""), ("p by Holm", ""),
        ("value / bound on 90 %", ""),
    )  # fmt: skip
    rows = tuple(
        (
            one.level.trait, one.level.name, one.many, one.best, 100.0 * one.share,
            100.0 * one.leader_share, _known(one.pair.ratio if one.pair else 1.0),
            one.pair.corrected if one.pair else None,
            _known(shown.over_bound(one.best, one.level.instances)),
        )
        for one in shown.conditions
    )  # fmt: skip
    return Table("Best by condition", columns, rows)


def study_table(results: Results) -> Table:
    """Answers of studies by their settings, over the seeds; the first `MOST_STUDIES`."""
    columns = (
        ("study", ""), ("settings", ""), ("seeds", ""), ("failed", ""), ("unit", ""), ("least", ""),
        ("median", ""), ("most", ""),
    )  # fmt: skip
    group, many = results.grouped(("study", "workload", "strategy"))
    rows = []
    for place in range(min(many, MOST_STUDIES)):
        ask()
        alike = results.where(group == place)
        values = alike.numbers("value")[alike.answered]
        first = alike.rows[0]
        unit = next((one for one in alike.texts("unit") if one), "")
        told = np.percentile(values, (0, 50, 100)).tolist() if len(values) else (None,) * 3
        failed = len(alike) - len(values)
        rows.append((first.study, first.workload, len(alike), failed, unit, *told))
    return Table("Studies", columns, tuple(rows))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
