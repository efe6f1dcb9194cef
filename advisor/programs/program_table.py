"""The table of a program inside a parallel task: ``[task.program]`` of a workload file.

`program_from` and `program_table` are exact inverses; what is at its default is left out.
"""

from __future__ import annotations

from dataclasses import MISSING

from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.choices.style import STYLE, style_named
from advisor.programs.kinds import kind_of, known
from advisor.programs.program import Program, ProgramKind
from machines import InputError
from machines.checks import number, text, whole
from machines.formats.fields import Table, place, required, suggestion, table
from machines.parameters import Parameter, parameters_of

_STYLE_FIELDS = ("completion", "transport")


def program_from(row: object, where: str) -> Program:
    """The program that a table describes."""
    place_ = f"{where}, program"
    if not isinstance(row, dict):
        raise InputError("program must be a table of keys and values", where=place_, value=row)
    name, kinds = required(row, "kind", place_), known()
    if not isinstance(name, str) or name not in kinds:
        remedy = suggestion(str(name), kinds)
        raise InputError("unknown kind of program", where=place_, value=name, remedy=remedy)
    kind = kinds[name]
    declared = parameters_of(kind.record)
    keys = (
        "kind",
        *(one.name for one in declared),
        *((STYLE.name,) if STYLE in kind.choices else ()),
    )
    source = _with_style(table(row, keys, place_), place_)
    values = {
        one.name: _value(kind, one, required(source, one.name, place_), place_)
        for one in declared
        if one.name in source or one.default is MISSING
    }
    with place(place_):
        program: Program = kind.record(**values)
    return program


def program_table(program: Program) -> Table:
    """The table of a program."""
    kind = kind_of(program)
    result: Table = {"kind": kind.name}
    if all(getattr(program, name, None) == CHOOSE for name in _STYLE_FIELDS):
        result[STYLE.name] = CHOOSE
    for one in parameters_of(kind.record):
        value, held = getattr(program, one.name), kind.held.get(one.name)
        if value != one.default and not (one.name in _STYLE_FIELDS and STYLE.name in result):
            result[one.name] = value if held is None else held.write(value)
    return result


def _with_style(source: Table, where: str) -> Table:
    """The table with a style, given by its name or left to the plan, as its two fields."""
    if STYLE.name not in source:
        return source
    if any(name in source for name in _STYLE_FIELDS):
        both = f"Leave {' and '.join(_STYLE_FIELDS)} out"
        raise InputError("style says these, too", where=where, remedy=both)
    named, said = source[STYLE.name], (CHOOSE, CHOOSE)
    if named != CHOOSE:
        with place(where):
            style = style_named(named)
        said = style.completion, style.transport
    rest = {key: value for key, value in source.items() if key != STYLE.name}
    return rest | dict(zip(_STYLE_FIELDS, said, strict=True))


def _value(kind: ProgramKind, one: Parameter, value: object, where: str) -> object:
    """The value in the field's type; its range is the record's business."""
    if one.name in kind.held:
        with place(where):
            return kind.held[one.name].read(value)
    if one.kind is float:
        return number(one.name, value, where=where)
    check = text if one.kind is str else whole
    return check(one.name, value, where=where)
