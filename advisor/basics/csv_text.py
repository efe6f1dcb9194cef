"""Rows as comma-separated text that spreadsheets and programs read alike (RFC 4180).

Texts are always quoted, so that names with commas, quotes and line breaks survive. A text that a
spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from machines.errors import InputError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | float | int
Value = TypeVar("Value")


def render(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """CSV text with a header line; numbers have all digits that are no rounding (`plain_float`)."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return text.getvalue()


def _written(cell: Cell) -> Cell:
    return plain_float(cell) if isinstance(cell, float) else safe_cell(cell)


def numbers(text: str, columns: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """The cells of these columns, row by row, of a text that `render` made."""
    lines = cells(text)
    _, header = next(lines)
    places = [header.index(column) for column in columns]
    return tuple(tuple(float(row[place]) for place in places) for _, row in lines)


def cells(text: str, where: str = "", mark: str = "") -> Iterator[tuple[int, list[str]]]:
    """The rows of a text as (number of their last line, cells).

    With `mark` that separates the cells instead of a comma, and blanks after it are left out.
    """
    source, loose = io.StringIO(text, newline=""), bool(mark)
    reader = csv.reader(source, strict=True, delimiter=mark or ",", skipinitialspace=loose)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            place = f"line {reader.line_num}"
            raise InputError(
                f"not valid CSV: {error}", where=f"{where}: {place}" if where else place
            ) from None
        yield reader.line_num, row


def safe_cell(cell: Value) -> Value | str:
    """A cell that no spreadsheet takes for a formula; a number stays one, written as text too."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def plain_float(value: float) -> float:
    """A number of 15 digits, the most that every decimal number keeps: 0.3, not 0.1 + 0.2."""
    plain = float(f"{value:.15g}")
    return plain if math.isfinite(plain) else value


def plain_cell(text: str) -> str:
    """The text that `safe_cell` made safe."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
