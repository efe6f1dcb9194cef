"""The findings of a campaign as one result, which any view and the JSON report can draw."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.quantities import count
from advisor.campaigns.findings import words
from advisor.campaigns.findings.by_size import (
    band_notes,
    ratio_series,
    size_series,
    size_table,
)
from advisor.campaigns.findings.failures import failure_table, failures
from advisor.campaigns.findings.notes import notes, so_far
from advisor.campaigns.findings.profiles import profile_series
from advisor.campaigns.findings.shown import Shown
from advisor.campaigns.findings.tables import (
    condition_table,
    matrix,
    pair_table,
    strategy_table,
    study_table,
)
from advisor.campaigns.results import Results
from advisor.search.titles import title_of
from advisor.studies.study import Series, StudyResult, Table


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
