"""Tables of text as programs and spreadsheets write them: one reader for every file of numbers.

Cells are separated by semicolons, tabs, commas or blanks, cells in quotes may hold any of them;
empty lines and what follows a ``#`` are left out. A comma is the decimal sign where it can be
nothing else: between semicolons or tabs, or in quotes. What may be read two ways is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from machines.checks import written_number
from machines.errors import InputError
from machines.files import fits_memory

BLANKS = " "
_FEWER = "Leave out what is 0 or repeated; a matrix may be written as edges"
DECIMALS = (
    "Write decimals with a point, or separate values by semicolons and write decimals with a comma"
)
SPREADS = frozenset(("sd", "std", "stddev", "stdev", "stderr", "error", "spread", "±"))
"""Titles of columns, in lower case, that say how far measurements scatter."""
# 1,5 and 0,125 and -12,5e-6; 1,234 and 12,345,678 may be thousands
_COMMA = re.compile(r"[+-]?[0-9]*(?:,[0-9]+)+(?:[eE][+-]?[0-9]+)?")
_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?")
_GROUPS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_BOTH = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)*\.[0-9]{3},[0-9]+|[+-]?[0-9]+(?:,[0-9]{3})+\.[0-9]+")
_BLANK_BETWEEN = re.compile(r"[0-9]\s+[+-]?[0-9.]")


@dataclass(frozen=True, slots=True)
class Row:
    """One line that holds something.

    Attributes
    ----------
    line : int
        Its number in the file, from 1.
    cells : tuple of str
        Without quotes and outer blanks.
    """

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class TextTable:
    """The cells of a text.

    Attributes
    ----------
    where : str
        What messages call it: a file's path.
    separator : str
        Between cells: ";", a tab, "," or `BLANKS`.
    decimal_comma : bool
        Whether decimals are written with a comma.
    rows : tuple of Row
    """

    where: str
    separator: str
    decimal_comma: bool
    rows: tuple[Row, ...]

    def at(self, row: Row) -> str:
        """The place of a row, for messages."""
        return f"{self.where}: line {row.line}"

    def number(self, cell: str) -> float | None:
        """The number in a cell, which may be infinite or not a number; None: it is no number."""
        return written_number(cell.replace(",", ".") if self.decimal_comma else cell)

    def amount(self, row: Row, what: str, cell: str, *, above: bool = False) -> float:
        """A finite number ≥ 0, or > 0; InputError naming line, column and value if it is not."""
        value = self.number(cell)
        if value is None:
            raise InputError(
                f"{what} is no number", where=self.at(row), value=cell, remedy=self.hint(cell)
            )
        if not 0.0 <= value < math.inf or (above and value == 0.0):  # false for NaN, too
            least = "> 0" if above else "≥ 0"
            raise InputError(f"{what} must be finite and {least}", where=self.at(row), value=cell)
        return value

    def hint(self, cell: str) -> str:
        """What to do about a cell that is no number."""
        if "," in cell:
            return DECIMALS
        return "Units belong into the header" if cell[:1].isdigit() else ""


def text_table(text: str, where: str) -> TextTable:
    """The table that a text holds.

    Parameters
    ----------
    text : str
        Any lines; those without content are left out.
    where : str
        What messages call it.

    Raises
    ------
    InputError
        Decimal commas that may be separators, or thousands, or are mixed with decimal points; a
        quote that is not closed. Names the line and what to write instead.
    """
    marks = sum(map(text.count, ",; \t"))
    fits_memory(2.0 * len(text) + 300.0 * text.count("\n") + 50.0 * marks, where, _FEWER)
    lines = [
        (number, content)
        for number, line in enumerate(text.splitlines(), 1)
        if (content := _without_comment(line).strip(" \r")) and content.strip()
    ]
    separator = _separator([content for _, content in lines])
    rows, quoted = [], []
    for number, content in lines:
        cells, in_quotes = _split(content, separator, f"{where}: line {number}")
        if any(cells):
            row = Row(number, tuple(cells))
            rows.append(row)
            quoted += [(row, cell) for cell in in_quotes]
    if separator == "," and quoted:
        comma = _decimal_comma(where, quoted, "quotes")
    elif separator in {";", "\t"} and "," in text:
        apart = "semicolons" if separator == ";" else "tabs"
        comma = _decimal_comma(where, _cells(rows), apart)
    else:
        comma = False
    if separator == ",":
        _refuse_blanks(where, rows)
    return TextTable(where, separator, comma, tuple(rows))


def _separator(contents: list[str]) -> str:
    bare = [re.sub(r'"[^"]*"', '""', content) if '"' in content else content
            for content in contents]  # fmt: skip
    if any(";" in content for content in bare):
        return ";"
    if bare and all("\t" in content for content in bare):
        return "\t"
    return "," if any("," in content for content in bare) else BLANKS


def _without_comment(line: str) -> str:
    if '"' not in line:
        return line.partition("#")[0]
    inside = False
    for place, letter in enumerate(line):
        if letter == '"':
            inside = not inside
        elif letter == "#" and not inside:
            return line[:place]
    return line


def _split(content: str, separator: str, at: str) -> tuple[list[str], list[str]]:
    """The cells of a line, and those among them that were quoted."""
    if '"' not in content:
        parts = content.split(None if separator == BLANKS else separator)
        return [part.strip() for part in parts], []
    if content.count('"') % 2:
        raise InputError("a quote is not closed", where=at, value=content[:40])
    cells, quoted = [], []
    for piece in (one.strip() for one in _apart(content.strip(" "), separator)):
        cell = piece
        if piece[:1] == '"' == piece[-1:] and len(piece) > 1:
            cell = piece[1:-1].replace('""', '"').strip()
            quoted.append(cell)
        cells.append(cell)
    return cells, quoted


def _apart(content: str, separator: str) -> Iterator[str]:
    """What stands between separators that are in no quotes."""
    mark = r"\s+" if separator == BLANKS else re.escape(separator)
    start = 0
    for found in re.finditer(rf'"[^"]*"|({mark})', content):
        if found[1] is not None:
            yield content[start : found.start()]
            start = found.end()
    yield content[start:]


def _cells(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    return ((row, cell) for row in rows for cell in row.cells)


def _decimal_comma(where: str, cells: Iterable[tuple[Row, str]], apart: str) -> bool:
    """Whether commas are decimal signs; InputError if they may be something else."""
    commas, points = [], []
    for row, cell in cells:
        if _BOTH.fullmatch(cell):
            raise _refused(where, row, cell, "this number has a sign for thousands", "Leave it out")
        if _COMMA.fullmatch(cell):
            commas.append((row, cell))
        elif _POINT.fullmatch(cell):
            points.append((row, cell))
    if not commas:
        return False
    if points:
        row, cell = points[0] if points[0][0].line > commas[0][0].line else commas[0]
        what = "decimal points and commas are mixed"
        raise _refused(where, row, cell, what, "Write all decimals alike")
    several = next(((row, cell) for row, cell in commas if cell.count(",") > 1), None)
    if several:
        raise _refused(where, *several, "this number has several commas", "Leave thousands' out")
    if apart != "semicolons" and all(_GROUPS.fullmatch(cell) for _, cell in commas):
        row, cell = commas[0]
        plain = cell.replace(",", ".")
        raise _refused(
            where, row, cell, f"this may be {plain} or {cell.replace(',', '')}",
            f"Write {plain} with a point, or leave the sign for thousands out",
        )  # fmt: skip
    return True


def _refuse_blanks(where: str, rows: list[Row]) -> None:
    """Numbers between blanks and commas: either may be what separates them."""
    for row in rows:
        for cell in row.cells:
            if _BLANK_BETWEEN.search(cell) and not re.search(r"[^0-9eE.+\-\s]", cell):
                what = "blanks and commas both stand between digits"
                raise _refused(where, row, cell, what, DECIMALS)


def _refused(where: str, row: Row, cell: str, what: str, remedy: str) -> InputError:
    return InputError(what, where=f"{where}: line {row.line}", value=cell, remedy=remedy)
