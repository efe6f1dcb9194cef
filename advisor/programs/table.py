"""The table of a program inside a parallel task: ``[task.program]`` of a workload file.

`program_from` and `program_table` are exact inverses; what is at its default is left out. An
application may be told by the name of one that ships, too; it is written with all its counts.
"""

from __future__ import annotations

import typing
from dataclasses import MISSING, fields

from advisor.programs.records import KINDS, Program, kind_of
from advisor.shared_memory.application import Application
from advisor.shared_memory.application_file import (
    application_from,
    application_table,
    shipped_application,
)
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
    kind = required(row, "kind", place_)
    if not isinstance(kind, str) or kind not in KINDS:
        remedy = suggestion(str(kind), KINDS)
        raise InputError("unknown kind of program", where=place_, value=kind, remedy=remedy)
    record = KINDS[kind]
    known = [field.name for field in fields(record)]
    source = table(row, ("kind", *known), place_)
    hints = typing.get_type_hints(record)
    values: dict[str, typing.Any] = {}
    for field in fields(record):
        if field.name in source:
            values[field.name] = _value(field.name, source[field.name], hints[field.name], place_)
        elif field.default is MISSING:
            required(source, field.name, place_)
    with place(place_):
        return record(**values)


def program_table(program: Program) -> Table:
    """The table of a program."""
    result: Table = {"kind": kind_of(program)}
    for field in fields(program):
        value = getattr(program, field.name)
        if isinstance(value, Application):
            result[field.name] = _bare_table(value)
        elif value != field.default:
            result[field.name] = value
    return result


def _value(name: str, value: object, hint: object, where: str) -> object:
    """The value in the field's type; its range is the record's business."""
    if hint is float:
        return number(name, value, where=where)
    if hint is str:
        return text(name, value, where=where)
    if hint is Application:
        with place(where):
            return _application(value)
    return whole(name, value, where=where)


def _application(value: object) -> Application:
    if isinstance(value, str):
        return shipped_application(value)
    with place("application"):
        return application_from(value)


def _bare_table(application: Application) -> Table:
    """The table of an application without what marks a file of its own."""
    found = application_table(application)
    return {key: found[key] for key in found if key not in {"format", "version"}}
