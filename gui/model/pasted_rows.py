"""What a pasted text puts into a table: rows of cells, from the current one on or under titles.

Titles are those of the table's columns, in any order, perhaps with a unit: "Memory (GB)". Rows
beyond the last one of the table are new things. All of it is taken, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.basics import csv_text
from advisor.basics.table_titles import AFTER, TIME, understood
from advisor.project.project import Project
from gui.basics.error_messages import sentence
from gui.model.row_kind import RowKind, written
from machines.errors import InputError, PlacewiseError
from machines.parameters import spoken

_UNIT = re.compile(r"(.+?)[\s_]*[(\[]([^()\[\]]*)[)\]]\s*")
_UNIT_WORD = re.compile(r"(.+?)[\s_]+([A-Za-zµ]+(?:/s)?)")
_NUMBER = re.compile(r"[-+]?[0-9.,]+(?:[eE][-+]?[0-9]+)?")
_MARKS = ("\t", ";", ",")

Cells = tuple[tuple[int, str], ...]


class NotPasted(Exception):
    """Why nothing was taken, in a sentence that names row and column."""


@dataclass(frozen=True)
class Pasted:
    """Rows of (column, text), each as long as its line; titles that are no column's."""

    kind: RowKind
    rows: tuple[Cells, ...]
    left_out: tuple[str, ...] = ()

    def put(self, project: Project, positions: Sequence[int]) -> Project:
        """The project with the rows in the things at `positions`, and in new ones after these.

        Raises `NotPasted`.
        """
        for line, cells in enumerate(self.rows, 1):
            if line <= len(positions):
                project = self._put(project, positions[line - 1], line, cells)
            elif any(text for _, text in cells):
                told = tuple(cell for cell in cells if cell[1])
                try:
                    project = self.kind.begin(project, dict(told))
                except PlacewiseError as error:
                    raise NotPasted(f"Nothing was pasted. Row {line}: {sentence(error)}") from None
                project = self._put(project, self.kind.length(project) - 1, line, told)
        return project

    def _put(self, project: Project, position: int, line: int, cells: Cells) -> Project:
        for section, text in cells:
            if section >= len(self.kind.columns):
                if text:
                    reason = f"Row {line} has more cells than the table has columns: “{text}”."
                    raise NotPasted(f"Nothing was pasted. {reason}")
                continue
            column = self.kind.columns[section]
            if text == column.text(project, position):
                continue
            field = column.field(project, position)
            where = f"Nothing was pasted. Row {line}, {column.title} “{text}”:"
            if field is None and not text:
                continue
            if field is None:
                raise NotPasted(f"{where} This column can't be written here.")
            try:
                project = written(project, field, text)
            except PlacewiseError as error:
                raise NotPasted(f"{where} {spoken(error, (field.parameter,)).text}") from None
        return project


def has_titles(kind: RowKind, text: str) -> bool:
    """Whether a text begins with titles of a table's columns."""
    return _mark(kind, text) is not None


def pasted(kind: RowKind, text: str, section: int) -> Pasted:
    """The rows of a text; without titles their cells are those from the column `section` on.

    Raises `NotPasted`: two columns have one title, or it is no table.
    """
    mark = _mark(kind, text)
    if mark is None:
        rows = _without_titles(text, section)
        return Pasted(kind, tuple(tuple(enumerate(row, section)) for row in rows))
    try:
        titles, *body = _rows(text, mark)
    except InputError as error:
        raise NotPasted(sentence(error)) from None
    columns = [_column(kind, title) for title in titles]
    known = [at for at, _ in columns if at is not None]
    for at in known:
        if known.count(at) > 1:
            title = kind.columns[at].title
            raise NotPasted(f"Nothing was pasted. Two columns have the title “{title}”.")
    columns += [(len(kind.columns), "")] * max(0, *(len(row) - len(titles) for row in body), 0)
    taken = (
        tuple(
            (at, f"{cell} {unit}" if unit and _NUMBER.fullmatch(cell) else cell)
            for (at, unit), cell in zip(columns, row, strict=False)
            if at is not None
        )
        for row in body
    )
    left = (title for title, (at, _) in zip(titles, columns, strict=False) if at is None and title)
    return Pasted(kind, tuple(taken), tuple(left))


def _mark(kind: RowKind, text: str) -> str | None:
    """What separates the cells, if the first row has titles of columns; None: it has none."""
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    for mark in [mark for mark in _MARKS if mark in first] or _MARKS[:1]:
        try:
            rows = _rows(text, mark)
        except InputError:
            continue
        if len(rows) < 2:
            continue
        titles = rows[0]
        known = [title for title in titles if _column(kind, title)[0] is not None]
        others = {understood(title).role for title in titles if title not in known}
        if len(known) >= min(2, len(titles)) and not others & {AFTER, TIME}:  # of tasks
            return mark
    return None


def _column(kind: RowKind, title: str) -> tuple[int | None, str]:
    """Position of the column that a title names, and the unit in it; None: of none."""
    found = [(title, "")]
    found += [
        (parts[1], parts[2]) for one in (_UNIT, _UNIT_WORD) if (parts := one.fullmatch(title))
    ]
    for name, unit in found:
        wanted = name.strip().casefold()
        for at, column in enumerate(kind.columns):
            if wanted in (column.title.casefold(), *column.also):
                return at, unit
    return None, ""


def _rows(text: str, mark: str) -> list[list[str]]:
    """All rows that hold something."""
    found = csv_text.cells(text.lstrip("\ufeff"), "clipboard", mark)
    rows = [[csv_text.plain_cell(cell.strip()) for cell in row] for _, row in found]
    return [row for row in rows if any(row)]


def _without_titles(text: str, section: int) -> list[list[str]]:
    """Lines of cells; commas separate them in lines that have equally many, from the names on."""
    lines = text.lstrip("\ufeff").rstrip("\r\n").splitlines()
    commas = {line.count(",") for line in lines}
    apart = "\t" in text or section > 0 or len(lines) < 2 or len(commas) > 1 or 0 in commas
    return [[cell.strip() for cell in line.split("\t" if apart else ",")] for line in lines]
