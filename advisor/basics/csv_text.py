"""Rows as comma-separated text that spreadsheets and programs read alike (RFC 4180).

Texts are always quoted, so that names with commas, quotes and line breaks survive. A text that a
spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | float | int
Value = TypeVar("Value")


def render(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """CSV text with a header line; numbers keep all their digits."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def numbers(text: str, columns: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """The cells of these columns, row by row, of a text that `render` made."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return tuple(tuple(float(row[column]) for column in columns) for row in rows)


def safe_cell(cell: Value) -> Value | str:
    """A cell that no spreadsheet takes for a formula; a number stays one, written as text too."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
