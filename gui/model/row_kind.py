"""What a table of the model declares: its edits, and columns of the inspector's fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from advisor.basics import entries
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.project_sheet import project_sheet
from gui.inspector.sheet import Field, Sheet

FieldOf = Callable[[Project, int], Field | None]


@dataclass(frozen=True)
class CellColumn:
    """One column: what it shows of the row at a position, and the field that writes it."""

    title: str
    hint: str
    value: Callable[[Project, int], object]
    field: FieldOf  # None where the cell is read-only
    show: Callable[[object], str] = values.shown
    numeric: bool = False
    also: tuple[str, ...] = ()  # other titles in pasted tables, in lower case

    def text(self, project: Project, position: int) -> str:
        """What the project has there."""
        value = self.value(project, position)
        text = self.show(value)
        plain = isinstance(value, int | float) and text.isdecimal()
        return entries.grouped(text) if plain else text


@dataclass(frozen=True)
class RowKind:
    """One table: tasks, flows, machines or links."""

    name: str  # of one row
    title: str
    columns: tuple[CellColumn, ...]
    length: Callable[[Project], int]
    called: Callable[[Project, int], str]
    add: Callable[[Project], Project]  # one more row, the last one
    remove: Callable[[Project, Collection[int]], Project]
    chosen: Callable[[Selection], frozenset[int]]
    choice: Callable[[frozenset[int]], Selection]
    add_of: Callable[[Project, Mapping[int, str]], Project] | None = None  # if it needs cells

    def begin(self, project: Project, texts: Mapping[int, str]) -> Project:
        """One more row for the texts by column, which are still to be written."""
        return self.add(project) if self.add_of is None else self.add_of(project, texts)


def of_sheet(sheet: Callable[[Project, int], Sheet], key: str) -> FieldOf:
    """The field of that key on the sheet of a row."""
    return lambda project, at: next(
        (one for one in sheet(project, at).fields if one.key == key), None
    )


def written(project: Project, field: Field, text: str) -> Project:
    """The project with what a text says in a field."""
    return field.write(project, entries.read(field.parameter, text, spread=True))


def read_only(_project: Project, _at: int) -> None:
    """No field: the cell can only be read."""
    return


def amount(value: object, unit: str) -> str:
    """A quantity with its plainest unit; empty for None."""
    return entries.quantity(value, unit) if isinstance(value, int | float) else ""


shown_bytes = partial(amount, unit="B")
shown_seconds = partial(amount, unit="s")


def one_by_one(
    remove: Callable[[Project, int], Project],
) -> Callable[[Project, Collection[int]], Project]:
    """The removal of several, the last one first."""

    def run(project: Project, positions: Collection[int]) -> Project:
        for at in sorted(positions, reverse=True):
            project = remove(project, at)
        return project

    return run


def first_of(rows: frozenset[int]) -> int | None:
    """The first of these rows."""
    return min(rows, default=None)


def only(position: int | None) -> frozenset[int]:
    """The row of a position, if there is one."""
    return frozenset() if position is None else frozenset((position,))


def swapped(ends: tuple[str, str], place: int, value: object) -> tuple[str, str]:
    """The ends with another one at `place`; the other end's name swaps them."""
    name = cast("str", value)
    other = ends[place] if ends[1 - place] == name else ends[1 - place]
    return (name, other) if place == 0 else (other, name)


def by_action(key: str) -> Callable[[Project], Project]:
    """The edit behind a button of the project's sheet."""

    def run(project: Project) -> Project:
        found = next(one for one in project_sheet(project).actions if one.key == key)
        return found.run(project)

    return run
