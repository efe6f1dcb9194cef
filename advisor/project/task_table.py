"""A table of tasks from a spreadsheet, as text: what its columns are taken for and what rows state.

Tab, comma or semicolon separated, with a row of titles: `name, minutes, cores, after, GB`.
`propose` recognises the columns, `taken_as` changes what one is taken for, and
`advisor.project.task_table_edits` puts the tasks into a project.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from advisor.basics import csv_text, entries
from advisor.basics.table_titles import (
    AFTER,
    BYTES,
    CORES,
    DATA,
    LEFT_OUT,
    MACHINE,
    MEMORY,
    NAME,
    NUMBER,
    SECONDS,
    TIME,
    understood,
)
from machines.errors import InputError, PlacewiseError

EXAMPLE = "name, minutes, cores, after, GB"
_MOST_ROWS = 200_000
_PLAIN = re.compile(r"[-+\u2212]?[.,]?[0-9][0-9.,_ \u00a0\u2009\u202f]*(?:[eE][-+]?[0-9]+)?")
_CLOCK = re.compile(r"(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?")
_NOTHING = frozenset(("", "-", "–", "—", "none", "n/a", "na", "null", "[]"))
_AROUND = "[](){}\"' "


@dataclass(frozen=True)
class TableColumn:
    """One column: its title, what it is taken for (`table_titles.ROLES`), the unit of its title."""

    title: str
    role: str
    unit: str = ""


@dataclass(frozen=True)
class TableRow:
    """What one row states of a task; None: nothing."""

    line: int  # row of the table, the first one below the titles is 1
    name: str
    number: str = ""
    seconds: float | None = None
    cores: int | None = None
    memory_bytes: int | None = None
    data_bytes: float | None = None
    machine: str | None = None
    after: tuple[str, ...] | None = None  # names of tasks, or what `number` is of them


@dataclass(frozen=True)
class Proposal:
    """A table and what its columns are taken for; rows, notes and errors follow from that.

    Attributes
    ----------
    cells : tuple of rows
        Each as many texts as there are columns.
    uneven : tuple of InputError
        Rows that have more cells than there are titles.
    """

    columns: tuple[TableColumn, ...]
    cells: tuple[tuple[str, ...], ...]
    uneven: tuple[InputError, ...] = ()

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """What every row states; what can't be read is left out, see `errors`."""
        return self._read[0]

    @property
    def errors(self) -> tuple[InputError, ...]:
        """All that hinders, each with row, column, value and remedy."""
        return (*self.uneven, *self._read[1])

    @property
    def notes(self) -> tuple[str, ...]:
        """What is assumed or left out, in sentences."""
        left = [one.title for one in self.columns if one.role == LEFT_OUT and one.title]
        notes = [f"Left out: {', '.join(left)}."] if left else []
        for place, column in enumerate(self.columns):
            what = {TIME: "seconds", MEMORY: "bytes", DATA: "bytes"}.get(column.role)
            if what and not column.unit and any(_PLAIN.fullmatch(row[place]) for row in self.cells):
                notes.append(f"{column.title}: numbers without a unit are {what}.")
        return tuple(notes)

    def place(self, role: str) -> int | None:
        """Position of the column taken for `role`; None: no column is."""
        return next((at for at, one in enumerate(self.columns) if one.role == role), None)

    def taken_as(self, place: int, role: str) -> Proposal:
        """The same table with the column at `place` taken for `role`, and no other column."""
        columns = [
            replace(one, role=LEFT_OUT) if role and one.role == role else one
            for one in self.columns
        ]
        unit = _unit(columns[place].title, role)
        columns[place] = replace(columns[place], role=role, unit=unit)
        return replace(self, columns=tuple(columns))

    def with_cell(self, row: int, place: int, text: str) -> Proposal:
        """The same table with another text in one cell; rows count from 0."""
        cells = list(self.cells)
        cells[row] = (*cells[row][:place], text.strip(), *cells[row][place + 1 :])
        return replace(self, cells=tuple(cells))

    @cached_property
    def _read(self) -> tuple[tuple[TableRow, ...], tuple[InputError, ...]]:
        errors: list[InputError] = []
        if self.place(NAME) is None and self.place(NUMBER) is None:
            remedy = f"Begin with a row of titles, e.g. {EXAMPLE}"
            return (), (InputError("no column has the tasks' names", where="table", remedy=remedy),)
        rows = [self._row(line, cells, errors) for line, cells in enumerate(self.cells, 1)]
        named = [row for row in rows if row.name]
        many = Counter(row.name for row in named)
        title = self.columns[self._naming].title
        errors += [
            _error("another row has this name", row.line, title, row.name, "Choose another")
            for row in named
            if many[row.name] > 1
        ]
        known = many.keys() | {row.number for row in named if row.number}
        named = [replace(row, after=_parts(row.after, known)) for row in named]
        return tuple(named), tuple(errors)

    @property
    def _naming(self) -> int:
        name = self.place(NAME)
        place = self.place(NUMBER) if name is None else name
        assert place is not None  # noqa: S101, RUF100 - looked at before
        return place

    def _row(self, line: int, cells: tuple[str, ...], errors: list[InputError]) -> TableRow:
        found: dict[str, object] = {}
        for column, text in zip(self.columns, cells, strict=True):
            reader = _READERS.get(column.role)
            if reader is None or text.casefold() in _NOTHING:
                continue
            name, read = reader
            try:
                found[name] = read(text, column.unit)
            except PlacewiseError as error:
                errors.append(_error(error.what, line, column.title, text, error.remedy))
        name = cells[self._naming].strip()
        if not name:
            title = self.columns[self._naming].title
            errors.append(
                _error("a task has no name", line, title, "", "Name it, or remove the row")
            )
        return TableRow(line, name, **found)  # type: ignore[arg-type]


def propose(text: str, where: str = "table") -> Proposal:
    """The table in a text, with what its columns are taken for by their titles.

    Raises
    ------
    InputError
        No rows below a row of titles, or text that is no table.
    """
    rows = [row for row in _cells(text, where) if any(row)]
    if len(rows) < 2:
        remedy = f"Copy a row of titles, e.g. {EXAMPLE}, and the rows below it"
        raise InputError("no table with a row of titles", where=where, remedy=remedy)
    if len(rows) > _MOST_ROWS:
        remedy = f"At most {_MOST_ROWS:,} rows are read"
        raise InputError("too many rows", where=where, value=len(rows), remedy=remedy)
    titles, body = rows[0], rows[1:]
    width = max(1, *(place for place, title in enumerate(titles, 1) if title))
    uneven = [
        _error(
            "more cells than titles",
            line,
            titles[width - 1],
            ", ".join(filter(None, row[width:])),
            "Separate columns by tabs or semicolons if cells have commas",
        )
        for line, row in enumerate(body, 1)
        if any(row[width:])
    ]
    cells = tuple(tuple((*row, *([""] * width))[:width]) for row in body)
    return Proposal(_columns(titles[:width]), cells, tuple(uneven))


def is_table(text: str) -> bool:
    """Whether a text begins with a row of titles of a table of tasks: names and another column."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if "=" in first or first.lstrip().startswith(("#", "[", "{")):
        return False
    try:
        titles = next(_cells(first, ""))
    except (InputError, StopIteration):
        return False
    roles = [understood(title).role for title in titles]
    named = NAME in roles or NUMBER in roles
    return named and sum(role != LEFT_OUT for role in roles) > 1


def _columns(titles: list[str]) -> tuple[TableColumn, ...]:
    """The columns; of several with one role the one whose title says it best."""
    found = [understood(title) for title in titles]
    best: dict[str, int] = {}
    for place, one in enumerate(found):
        if one.role not in best or one.rank < found[best[one.role]].rank:
            best[one.role] = place
    return tuple(
        TableColumn(title, one.role, one.unit)
        if best[one.role] == place
        else TableColumn(title, LEFT_OUT)
        for place, (title, one) in enumerate(zip(titles, found, strict=True))
    )


def _unit(title: str, role: str) -> str:
    """The unit in a title, if it is one of what the column is taken for."""
    found = understood(title).unit
    known = {TIME: SECONDS, MEMORY: BYTES, DATA: BYTES}.get(role, {})
    return found if found.lower() in known else ""


def _cells(text: str, where: str) -> Iterator[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = next((one for one in "\t;" if one in first), ",")
    for _, row in csv_text.cells(text.lstrip("\ufeff"), where, mark):
        yield [csv_text.plain_cell(cell.strip()) for cell in row]


def _error(what: str, line: int, title: str, value: str, remedy: str) -> InputError:
    return InputError(what, where=f'row {line}, column "{title}"', value=value, remedy=remedy)


def _seconds(text: str, unit: str) -> float:
    """A time: a number in the title's unit, with a unit of its own, or a clock ("1:30:00")."""
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        days, hours, minutes, seconds = (float(part or 0) for part in clock.groups())
        if clock[4] is None and clock[1] is None:  # as Slurm writes minutes and seconds
            hours, minutes, seconds = 0.0, hours, minutes
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return _not_below_zero(_amount(text, SECONDS[unit.lower() or "s"], "s"), text)


def _size(text: str, unit: str) -> float:
    return _not_below_zero(_amount(text, BYTES[unit.lower() or "b"], "B"), text)


def _amount(text: str, factor: float, unit: str) -> float:
    if _PLAIN.fullmatch(text):
        return entries.real(text) * factor
    return entries.real(text, unit)


def _not_below_zero(value: float, text: str) -> float:
    if value < 0:
        raise InputError("less than nothing", value=text, remedy="Write 0 or more")
    return value


def _cores(text: str, _unit: str) -> int:
    found = entries.count(text)
    if found < 1:
        raise InputError("a task needs a core", value=text, remedy="Write 1 or more")
    return found


_READERS: dict[str, tuple[str, Callable[[str, str], object]]] = {
    TIME: ("seconds", _seconds),
    CORES: ("cores", _cores),
    MEMORY: ("memory_bytes", lambda text, unit: round(_size(text, unit))),
    DATA: ("data_bytes", _size),
    NUMBER: ("number", lambda text, _unit: text),
    MACHINE: ("machine", lambda text, _unit: text),
    AFTER: ("after", lambda text, _unit: (text,)),  # split when all names are known
}


def _parts(after: tuple[str, ...] | None, known: Iterable[str]) -> tuple[str, ...] | None:
    """The names in a cell: separated by semicolons, commas or blanks, which names may have, too."""
    if after is None:
        return None
    found: list[str] = [after[0]]
    for mark in (r"[;|\n]", r",", r"\s+"):
        found = [
            part.strip()
            for one in found
            for part in ([one] if one in known else re.split(mark, one.strip(_AROUND)))
        ]
    named = (part if part in known else part.strip(_AROUND) for part in found)
    return tuple(dict.fromkeys(filter(None, named)))
