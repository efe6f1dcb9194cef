"""The answer of any study as a JSON object: what `placewise study NAME --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from advisor.allocation.problem import Problem
from advisor.export.json_answer import Json, plan_report
from advisor.studies.facts import Fact
from advisor.studies.study import Check, Note, Series, Study, StudyResult, Table


def study_report(
    study: Study, result: StudyResult, problem: Problem | None = None, check: Check | None = None
) -> Json:
    """What `study` prints; what a study has beyond this comes last, from its own ``report``."""
    report: Json = {"study": study.name} | result_report(result)
    if check is not None:
        report["check"] = {
            "sentence": check.sentence,
            "complete": check.complete,
            "series": [_series(one) for one in check.series],
            "table": _table(check.table),
            "notes": _notes(check.notes),
        }
    if problem is not None and result.recommendation is not None:
        found = result.recommendation
        report["recommendation"] = {
            "objective": found.objective,
            "value_s": found.value_s,
            "strategy": found.strategy,
            **plan_report(problem, found.plan),
        }
    if study.report is not None:
        report |= study.report(result, problem)
    return report


def result_report(result: StudyResult) -> Json:
    """What is true of the result of any study, and of whatever else gives one."""
    return {
        "sentence": result.sentence,
        "headline": result.headline,
        "alternative": result.alternative,
        "against": result.against,
        "facts": [_fact(fact) for fact in result.facts],
        "reasons": list(result.reasons),
        "complete": result.complete,
        "series": [_series(one) for one in result.series],
        "tables": [_table(table) for table in result.tables],
        "notes": _notes(result.notes),
    }


def facts_line(result: StudyResult) -> str:
    """The figures in one line: "broadcast 72.0 µs (+4.00 µs); … Against the fastest tree."."""
    told = [
        f"{fact.name} {fact.text}" + (f" ({change})" if (change := fact.difference_text) else "")
        for fact in result.facts
    ]
    beside = f" Differences against {result.against}." if result.against else ""
    return f"{'; '.join(told)}.{beside}" if told else ""


def _fact(fact: Fact) -> Json:
    """A figure; an upper end where it is a range."""
    report = {"name": fact.name, "value": fact.value, "unit": fact.unit}
    if fact.most is not None:
        report["most"] = fact.most
    return report | {
        "against": fact.against,
        "difference": fact.difference,
        "better": fact.better,
    }


def _series(series: Series) -> Json:
    report: Json = {
        "name": series.name,
        "kind": series.kind,
        "x_label": series.x_label,
        "x_unit": series.x_unit,
        "x": list(series.x),
        "y_label": series.y_label,
        "y_unit": series.y_unit,
        "y": list(series.y),
    }
    if series.lower:
        report["lower"] = list(series.lower)
    if series.half_width:
        report["half_width"] = list(series.half_width)
    return report


def _table(table: Table) -> Json:
    return {
        "title": table.title,
        "columns": [{"name": name, "unit": unit} for name, unit in table.columns],
        "rows": [list(row) for row in table.rows],
    }


def _notes(notes: Sequence[Note]) -> list[Json]:
    return [asdict(note) for note in notes]
