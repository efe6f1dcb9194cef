"""The table of a program inside a parallel task: ``[task.program]`` of a workload file.

`program_from` and `program_table` are exact inverses; what is at its default is left out.
"""

from __future__ import annotations

import typing
from dataclasses import MISSING, fields

from advisor.programs.kinds import kind_of, known
from advisor.programs.program import Entry, Program
from machines import InputError
from machines.checks import number, text, whole
from machines.formats.fields import Table, place, required, suggestion, table


def program_from(row: object, where: str) -> Program:
    """The program that a table describes.

    Raises
    ------
    InputError
        An unknown kind or key, a missing or wrong value.
    """
    place_ = f"{where}, program"
    if not isinstance(row, dict):
        raise InputError("program must be a table of keys and values", where=place_, value=row)
    name, kinds = required(row, "kind", place_), known()
    if not isinstance(name, str) or name not in kinds:
        remedy = suggestion(str(name), kinds)
        raise InputError("unknown kind of program", where=place_, value=name, remedy=remedy)
    kind = kinds[name]
    source = table(row, ("kind", *(entry.name for entry in kind.entries)), place_)
    hints = typing.get_type_hints(kind.record)
    optional = {field.name for field in fields(kind.record) if field.default is not MISSING}
    values: dict[str, object] = {}
    for entry in kind.entries:
        if entry.name in source:
            values[entry.name] = _value(entry, source[entry.name], hints[entry.name], place_)
        elif entry.name not in optional:
            required(source, entry.name, place_)
    with place(place_):
        program: Program = kind.record(**values)
    return program


def program_table(program: Program) -> Table:
    """The table of a program."""
    kind = kind_of(program)
    defaults = {field.name: field.default for field in fields(kind.record)}
    result: Table = {"kind": kind.name}
    for entry in kind.entries:
        value = getattr(program, entry.name)
        if value != defaults[entry.name]:
            result[entry.name] = value if entry.write is None else entry.write(value)
    return result


def _value(entry: Entry, value: object, hint: object, where: str) -> object:
    """The value in the field's type; its range is the record's business."""
    if entry.read is not None:
        with place(where):
            return entry.read(value)
    if hint is float:
        return number(entry.name, value, where=where)
    if hint is str:
        return text(entry.name, value, where=where)
    return whole(entry.name, value, where=where)
