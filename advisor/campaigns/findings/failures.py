"""Cases without an answer, by what is wrong: how many, and an example of each."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import few
from advisor.campaigns.results import Results
from advisor.studies.study import Table
from machines.stopping import ask

MOST = 100  # kinds of messages that are listed
_NAMES = re.compile(r"\"[^\"]*\"|'[^']*'|\d+(?:[.,]\d+)*")  # what differs from case to case


@dataclass(frozen=True)
class Failure:
    """Cases that failed alike: their messages differ in names and numbers alone."""

    message: str  # of the first of them
    many: int
    strategies: tuple[str, ...]  # that failed so
    case: int  # the first
    workload: str  # of the first


def failures(results: Results) -> tuple[Failure, ...]:
    """The most frequent first."""
    places = np.flatnonzero(~results.answered)
    if not len(places):
        return ()
    failed = results.where(places)
    return _alike(failed, "error")


def warnings(results: Results) -> tuple[Failure, ...]:
    """Answers that carry the same warning, the most frequent first."""
    column = results.numbered("warnings")
    warned = np.array([bool(one) for one in column.values], dtype=bool)
    places = np.flatnonzero(warned[column.places]) if len(warned) else np.zeros(0, dtype=int)
    return _alike(results.where(places), "warnings") if len(places) else ()


def failure_table(found: tuple[Failure, ...]) -> Table:
    """One row a message."""
    columns = (
        ("message", ""), ("cases", ""), ("strategies", ""), ("example, case", ""),
        ("example, workload", ""),
    )  # fmt: skip
    rows = tuple(
        (one.message, one.many, few(one.strategies, 5), one.case, one.workload) for one in found
    )
    return Table("Failures", columns, rows)


def _alike(results: Results, column: str) -> tuple[Failure, ...]:
    """The `MOST` most frequent kinds of message in a column, the first of equals first."""
    numbered = results.numbered(column)
    present, first = np.unique(numbered.places, return_index=True)
    kinds: dict[str, int] = {}
    kind_of = np.full(len(numbered.values), -1)
    for value in present[np.argsort(first)].tolist():
        text = _NAMES.sub("…", _text(numbered.values[value]))
        kind_of[value] = kinds.setdefault(text, len(kinds))
    kind_of_rows = kind_of[numbered.places]
    many = np.bincount(kind_of_rows, minlength=len(kinds))
    found = []
    for kind in np.argsort(-many, kind="stable")[:MOST].tolist():
        ask()
        alike = results.where(kind_of_rows == kind)
        names = tuple(str(one) for one in alike.distinct("strategy") if one)
        row = alike.rows[0]
        message = _text(getattr(row, column)) or "no answer, and no reason"
        found.append(Failure(message, len(alike), names, row.case, row.workload))
    return tuple(found)


def _text(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
