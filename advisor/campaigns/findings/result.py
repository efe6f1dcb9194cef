"""The findings of a campaign as one result, which any view and the JSON report can draw."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import count, few, number, percent
from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings import finding_words as words
from advisor.campaigns.findings.by_size import (
    AREA,
    WITHIN,
    area,
    band_notes,
    profile,
    profile_series,
    ratio_series,
    size_series,
    size_table,
)
from advisor.campaigns.findings.compared import WORST
from advisor.campaigns.findings.leaders import Shown, failure_table, failures
from advisor.campaigns.findings.pairs import Pair
from advisor.campaigns.results import Results
from advisor.search.titles import title_of
from advisor.studies.study import ASSUMED, MEASURED, Note, Series, StudyResult, Table
from machines.stopping import ask


def findings(
    results: Results, baseline: str = "", planned: int = 0, *, titles: bool = False
) -> StudyResult:
    """What the rows show so far.

    `results`: all rows, or those that are answered yet, in any order.
    `baseline`: the strategy that the best is set against; empty: the next best.
    `planned`: cases of the campaign; 0: these are all.
    `titles`: whether strategies are told by their titles, for people, and not by their names.
    Raises `Stopped`: the work at hand was told to stop (`machines.stopping`), which is asked every
    few ms.
    """
    if titles:
        results, baseline = results.titled(), title_of(baseline)
    strategies = [one for one in results.distinct("strategy") if one]
    shown = Shown.of(results, baseline) if strategies else None
    result = _of_strategies(shown) if shown is not None else _without(results, bool(strategies))
    complete = len(results) >= planned
    if complete:
        return result
    return StudyResult(
        **{name: getattr(result, name) for name in ("headline", "alternative", "against", "facts",
                                                     "reasons", "series", "tables")},
        notes=(so_far(len(results), planned), *result.notes),
        complete=False,
    )  # fmt: skip


def _of_strategies(shown: Shown) -> StudyResult:
    matter = (shown.leader, shown.against)
    series = tuple(_series(shown, matter))
    return StudyResult(
        headline=words.headline(shown),
        alternative=words.alternative(shown),
        against=shown.against,
        facts=words.facts(shown),
        reasons=tuple(words.reasons(shown)),
        series=series,
        tables=tuple(_tables(shown)),
        notes=(*notes(shown), *band_notes(shown.common, matter, series)),
    )


def _series(shown: Shown, matter: tuple[str, str]) -> Iterator[Series]:
    """Profiles, gaps and seconds by size, ratios by what varies: the leader's curves first."""
    common = shown.common.of_strategies(list(shown.order))
    if shown.against:
        yield from profile_series(common)
    yield from size_series(common, matter)
    if shown.against:
        for trait in ("ccr", "heterogeneity"):
            yield from ratio_series(common, trait, matter)


def _tables(shown: Shown) -> Iterator[Table]:
    yield strategy_table(shown)
    if shown.against:
        yield matrix(shown)
        yield pair_table(shown)
    group = shown.makers or shown
    if group.conditions:
        yield condition_table(group, words.of_makers(group) if shown.makers else "")
    yield size_table(shown.common)
    yield from _others(shown.results)


def _others(results: Results) -> Iterator[Table]:
    """What has no strategy, and what failed."""
    studies = results.texts("strategy") == ""
    if studies.any():
        yield study_table(results.where(studies))
    failed = failures(results)
    if failed:
        yield failure_table(failed)


def _without(results: Results, has_strategies: bool) -> StudyResult:
    """Nothing that strategies could be compared by."""
    tables = tuple(_others(results))
    if not len(results):
        return StudyResult("Nothing is answered yet.")
    failed = failures(results)
    if not results.answered.any():
        return StudyResult(
            words.none_answered(results, (failed[0].message, failed[0].many)), tables=tables
        )
    if has_strategies:
        told = "No instance that strategies have in common is answered."
        return StudyResult(told, tables=tables)
    lost = int((~results.answered).sum())
    also = f", {lost:,} failed" if lost else ""
    told = f"{count(len(results) - lost, 'answer')} of studies{also}."
    return StudyResult(told, tables=tables)


# What the findings of a campaign rest on.

_NAMED = 4


def notes(shown: Shown) -> Iterator[Note]:
    """First what limits the answer."""
    yield from _instances(shown)
    yield from _bounds(shown)
    if shown.makers:
        yield Note(True, f"{shown.leader} searches on from the plans that others make, so that it "
                   "can hardly be above them; what it gains costs time. Conditions are those of "
                   "the others.")  # fmt: skip
    if shown.against:
        yield _tests(shown)
        yield Note(True, "A performance profile is the share of instances on which a strategy is "
                   "within a ratio of the best of all that ran. Without "
                   "the best the others may change places; pairs do not.",
                   "Dolan & Moré 2002; Gould & Scott 2016")  # fmt: skip
    yield from _rows(shown)
    efforts = shown.results.numbers("seconds")
    most = number(float(efforts.max()), "s")
    yield Note(True, f"Searches end by their budget of steps (that of {most}), never by a clock: "
               "values are the same on every machine. What improves plans may gain by more steps; "
               "what makes one plan can't.", kind=ASSUMED)  # fmt: skip
    if np.isfinite(shown.results.took_s).any():
        yield Note(True, "Seconds were measured while other cases ran: they compare strategies, "
                   "not machines.", kind=MEASURED)  # fmt: skip


def so_far(many: int, planned: int) -> Note:
    """Of a campaign that still runs."""
    return Note(False, f"{many:,} of {planned:,} cases are answered so far; the rest may change "
                "all of this, as cases come in their order.")  # fmt: skip


def _instances(shown: Shown) -> Iterator[Note]:
    """Which instances are compared, and which are not."""
    common, every = shown.common, shown.every
    asked = int((every.of_strategies([every.strategies.index(one) for one in common.strategies])
                 .asked).sum())  # fmt: skip
    if shown.left_out:
        yield Note(False, f"{few(shown.left_out, _NAMED)} left out of profiles and conditions: "
                   "they ran on less than half of the instances that the others share. Pairs are "
                   "compared on their common instances.")  # fmt: skip
    if asked < len(every.rows):
        many = f"{asked:,} of {count(len(every.rows), 'instance')}"
        yield Note(False, f"Strategies ran on different instances: {many} are common to "
                   "all and compared; pairs are compared on their common instances.")  # fmt: skip
    if len(common.rows) < asked:
        lost = count(asked - len(common.rows), "instance")
        yield Note(False, f"{lost} that no strategy answered say nothing about strategies and are "
                   "left out.")  # fmt: skip
    if common.failed.any():
        yield Note(True, "A failure is an infinite ratio in profiles; in means and tests it counts "
                   f"as the largest ratio that was seen, at least {WORST:g}. Gaps and "
                   "seconds are of what was answered.")  # fmt: skip


def _bounds(shown: Shown) -> Iterator[Note]:
    bounded, common = shown.bounded, shown.common
    if not len(bounded.rows):
        yield Note(False, "No instance has a bound: the distance of the best plan found from the "
                   "optimum is unknown.")  # fmt: skip
        return
    missing = len(common.rows) - len(bounded.rows)
    without = f" {count(missing, 'instance')} without a bound left out." if missing else ""
    proved = int(common.proved.sum())
    best = f"of {proved:,} of {len(common.rows):,}" if proved else "of none"
    yield Note(True, "A gap is the distance to a bound on all plans, the best that any row of the "
               "instance has; the distance to the best plan may be less. The best plans of all "
               f"strategies are {percent(shown.best_gap)} above in the median; "
               f"{best} it is proved that no plan is better.{without}")  # fmt: skip
    below = int((bounded.values < bounded.bound[:, None] * (1.0 - ALIKE)).sum())
    if below:
        yield Note(False, f"{count(below, 'value')} below the bound of the instance: one of both "
                   "is wrong, and so are these gaps.")  # fmt: skip


def _tests(shown: Shown) -> Note:
    """How differences were tested, or why not."""
    many, instances = shown.workloads, len(shown.common.rows)
    alike = (
        f"The {count(instances, 'instance')} are of {count(many, 'workload')}: those of one file "
        "are one, and those of one generator and seed, which share their random draws, for any "
        "size, CCR, platform, load and timeline. Each counts once, by its geometric mean ratio"
        if many < instances
        else "Every instance is a workload of its own"
    )
    if many < shown.needed:
        return Note(False, f"{alike}. That can't show a difference beyond chance: signed rank "
                    f"tests of {count(len(shown.pairs), 'pair')} need {shown.needed}: more seeds, "
                    "or other files.")  # fmt: skip
    return Note(True, f"{alike}. Differences are tested by logarithms of ratios, so that an hour "
                "and a millisecond weigh the same. At most 5 % of campaigns report a difference "
                "of a pair by chance, and 5 % one of a condition. This holds for workloads like "
                "these.",
                "Wilcoxon 1945; Holm 1979")  # fmt: skip


def _rows(shown: Shown) -> Iterator[Note]:
    """Rows with warnings, and questions that were asked twice."""
    if shown.warnings:
        many = sum(one.many for one in shown.warnings)
        most = shown.warnings[0]
        yield Note(False, f"{count(many, 'answer')} with warnings, most often ({most.many:,}): "
                   f"{most.message}")  # fmt: skip
    told = int(sum(bool(one) for one in shown.results.texts("strategy")))
    twice = told - int((~np.isnan(shown.every.values)).sum())
    if twice:
        yield Note(True, f"{count(twice, 'row')} that repeat another are counted once.")


# The tables of a campaign: strategies, wins, pairs, conditions, answers of studies.

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
