"""Rows of a campaign as the columns of a table; what no row has is left out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from advisor.basics.quantities import number, percent
from advisor.basics.units import Unit
from advisor.campaigns.results import TITLED, Results
from advisor.campaigns.row_columns import Numbered
from gui.tables.table_columns import Column, Texts

NONE = "–"
_PROVED = ("", "✓ proved")
_HINTS = {
    "case": ("Case", "Its number in the campaign and in results.csv, from 0"),
    "study": ("Study", "The question: an allocation, or the named study"),
    "workload": ("Workload", "Its file, or the generator with its settings"),
    "seed": ("Seed", "Of the random numbers that made it, and of random moves"),
    "platform": ("Platform", "The machines; empty: those of the workload's file"),
    "load": ("Load", "Existing load: machine and CPU-bound contenders"),
    "sharing": ("Timeline", "Whether transfers share links; campaign files say fair or none"),
    "strategy": ("Strategy", "How the plan was searched"),
    "tasks": ("Tasks", "How many the workload has"),
    "flows": ("Flows", "Transfers between tasks"),
    "machines": ("Machines", "How many the platform has"),
    "ccr": (
        "CCR",
        "Communication to computation ratio: mean time of a transfer between different machines "
        "over mean time of a task on a machine (Topcuoglu, Hariri & Wu 2002)",
    ),
    "heterogeneity": (
        "Heterogeneity",
        "Mean over tasks of the coefficient of variation of their times over the machines",
    ),
    "bound": ("Bound", "The best proved lower bound"),
    "gap": ("Gap to bound", "Value/bound − 1: the most that could still be gained"),
    "steps": ("Steps", "Steps of the search: placements of a task"),
    "generator": ("Generator", "What made the workload"),
    "error": ("Message", "Why there is no answer"),
    "warnings": ("Warnings", "What the answer leaves out"),
}
_REST = ("tasks", "flows", "machines", "ccr", "heterogeneity")
_ASKED = ("study", "strategy", "workload", "platform", "load", "sharing", "seed")
_ALIKE = ("Study", "Timeline", "Unit")  # columns of which one value says nothing


def case_columns(results: Results) -> tuple[Column, ...]:
    """Of all cases: what was asked, what came out, how large it is."""
    return _known(
        results,
        "case",
        *_ASKED,
        *_values(results),
        _share(results),
        _proved(results),
        *_REST,
        "steps",
        _took(results),
        "warnings",
        "error",
    )


def failed_columns(results: Results) -> tuple[Column, ...]:
    """Of cases without an answer: why, then what was asked."""
    return _known(results, "case", "error", *_ASKED, *_REST)


def _known(results: Results, *columns: str | Column) -> tuple[Column, ...]:
    """Columns, by name or made, without those that say nothing."""
    made = [_column(results, one) if isinstance(one, str) else one for one in columns]
    return tuple(one for one in made if one.heading == "Case" or not _is_empty(one))


def _is_empty(column: Column) -> bool:
    values = column.values
    if isinstance(values, Texts):
        said = values.distinct()
        return not any(said) or (column.heading in _ALIKE and len(said) == 1)
    return bool(np.isnan(values).all()) if values.dtype.kind == "f" else not values.any()


def _column(results: Results, name: str) -> Column:
    heading, hint = _HINTS[name]
    column = results.columns.columns[name]
    if isinstance(column, Numbered):
        values = Texts(tuple(map(_said, column.values)), column.places)
        if name in TITLED:  # copies keep the names
            return Column(heading, hint, values, TITLED[name])
        return Column(heading, hint, values, _line, whole=True)
    if column.dtype.kind == "f":
        return Column(heading, hint, column, _or_none(number))
    return Column(heading, hint, column, "{:,}".format if name != "seed" else str)


def _said(value: object) -> str:
    return "\n".join(value) if isinstance(value, tuple) else str(value)


def _line(value: object) -> str:
    """A text in one line; all of it is in the tooltip."""
    return " · ".join(str(value).splitlines())


def _values(results: Results) -> tuple[Column, ...]:
    """Value and bound, in one unit where all have the same."""
    value, bound = results.numbers("value"), results.numbers("bound")
    units = [one for one in results.distinct("unit") if one]
    hint = "Result: of an allocation its objective, of a study its first figure"
    title, why = _HINTS["bound"]
    if len(units) > 1:
        plain = _or_none(number)
        return (
            Column("Value", hint, value, plain),
            _unit(results),
            Column(title, why, bound, plain, "s"),
        )
    unit = str(units[0]) if units else ""
    text = Unit.of(unit, value, bound).text
    return Column("Value", hint, value, text, unit), Column(title, why, bound, text, unit)


def _unit(results: Results) -> Column:
    numbered = results.numbered("unit")
    texts = Texts(tuple(map(str, numbered.values)), numbered.places)
    return Column("Unit", "Of the value", texts)


def _share(results: Results) -> Column:
    heading, hint = _HINTS["gap"]
    return Column(heading, hint, results.numbers("gap"), _or_none(percent))


def _proved(results: Results) -> Column:
    codes = results.columns.number("proved").astype(np.intp)
    return Column("Optimal", "Whether it was proved that no plan is better", Texts(_PROVED, codes))


def _took(results: Results) -> Column:
    text = Unit.of_times(results.took_s).text
    return Column("Took", "Measured seconds of this case", results.took_s, text, "s")


def _or_none(say: Callable[[float], str]) -> Callable[[Any], str]:
    return lambda value: NONE if math.isnan(value) else say(value)
