"""Rows as lines of `results.csv`, `results.jsonl` and `timings.csv`: one row, one line, everywhere.

A line begins with the number of its case, so that a program that was killed in the middle of one
leaves nothing that could be taken for another.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, fields
from pathlib import Path

from advisor.basics.csv_text import safe_cell
from advisor.basics.json_text import dump
from advisor.campaigns.answer_case import Answer
from advisor.campaigns.row_columns import COLUMNS, Row
from machines.errors import InputError, visible

BETWEEN = " | "  # the warnings of a row, in CSV


@dataclass(frozen=True)
class Kind:
    """A file with a line for each case.

    `start`: what the line of a case begins with; ``{}`` is its number.
    """

    name: str  # of the file
    header: bytes  # its first line; empty: it has none
    start: str


@dataclass(frozen=True)
class Whole:
    """The whole rows that a file begins with.

    `rows`, `failed`: how many, and how many of them have no answer (of `CSV` alone).
    """

    rows: int = 0
    failed: int = 0
    end: int = 0  # bytes up to the end of the last; 0: not even the header is whole


JSONL = Kind("results.jsonl", b"", '{{"case": {}, ')
CSV = Kind("results.csv", (",".join(COLUMNS) + "\n").encode(), "{},")
TIMINGS = Kind("timings.csv", b"case,seconds\n", "{},")
KINDS = (JSONL, CSV, TIMINGS)
_KINDS_OF: dict[str, set[type]] = {
    "int": {int}, "float": {float, int}, "float | None": {float, int, type(None)}, "bool": {bool},
    "str": {str}, "tuple[str, ...]": {list},
}  # fmt: skip
_LARGEST = 1e300  # what is made of it, such as percents, stays a number
_ALLOWED = tuple((field.name, _KINDS_OF[str(field.type)]) for field in fields(Row))


def line(kind: Kind, answer: Answer, with_plan: bool) -> bytes:
    """The line of an answer, with its end."""
    if kind is JSONL:
        return _json_line(answer, with_plan).encode()
    if kind is CSV:
        return _csv_line(answer.row).encode()
    return f"{answer.row.case},{answer.took_s:.6f}\n".encode()


def whole(path: Path, kind: Kind, most: int | None = None) -> Whole:
    """Look through a file, at most up to a number of rows."""
    rows = failed = end = 0
    with path.open("rb") as file:
        if kind.header:
            first = file.readline()
            if not first.endswith(b"\n"):
                return Whole()
            if first != kind.header:
                raise _changed(path, 1)
            end = len(first)
        while rows != most:
            one = file.readline()
            if not one.endswith(b"\n"):
                break
            if not one.startswith(kind.start.format(rows).encode()):
                raise _changed(path, rows + 1 + bool(kind.header))
            rows += 1
            failed += kind is CSV and not one.endswith(b",\n")  # the last cell is the error
            end += len(one)
    return Whole(rows, failed, end)


def _changed(path: Path, number: int) -> InputError:
    return InputError(
        "this line differs from what was written: another program changed the file",
        where=f"{path}: line {number:,}",
        remedy="Put it back as it was, or name another folder",
    )


def parsed(line: bytes, where: str) -> Row:
    """The row of a line of `JSONL`."""
    try:
        told = json.loads(line)
        values = {name: told[name] for name in COLUMNS}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _no_row(where) from None
    if not all(_is_of(values[name], kinds) for name, kinds in _ALLOWED):
        raise _no_row(where)
    if not all(isinstance(one, str) for one in values["warnings"]):
        raise _no_row(where)
    values["warnings"] = tuple(values["warnings"])
    return Row(**values)


def _is_of(value: object, kinds: set[type]) -> bool:
    return type(value) in kinds and (not isinstance(value, float) or abs(value) <= _LARGEST)


def _no_row(where: str) -> InputError:
    return InputError(
        "this line is no row of results", where=where, remedy="Another program changed the file"
    )


def taken_s(line: bytes, where: str) -> float:
    """The seconds of a line of `TIMINGS`; InputError if it has none."""
    try:
        return float(line.split(b",")[1])
    except (ValueError, IndexError):
        raise InputError(
            "this line has no seconds", where=where, remedy="Another program changed the file"
        ) from None


def _json_line(answer: Answer, with_plan: bool) -> str:
    values = {name: getattr(answer.row, name) for name in COLUMNS}
    plan = {"plan": answer.plan} if with_plan else {}
    return dump(values | {"warnings": list(answer.row.warnings)} | plan) + "\n"


def _csv_line(row: Row) -> str:
    values = (getattr(row, name) for name in COLUMNS[:-2])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        map(_cell, (*values, BETWEEN.join(row.warnings), row.error))
    )
    return text.getvalue()


def _cell(value: object) -> object:
    """Line breaks in texts are written as escapes: a row stays a line."""
    return safe_cell(visible(value)) if isinstance(value, str) else value
