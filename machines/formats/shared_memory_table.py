"""The table ``[machine.shared_memory]`` of a platform file.

`shared_memory_from` and `shared_memory_table` translate between values and nested dicts, exact
inverses of each other. Types and ranges of single values are the record's business.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from machines.formats.fields import Table, names, place, required, rows, table
from machines.shared_memory import SharedMemory

_WHERE = "shared_memory"
_FIELDS = fields(SharedMemory)
_PAIRS = ("software_small", "software_large")


def shared_memory_from(row: object) -> SharedMemory:
    """The shared memory that a table describes."""
    source = table(row, [field.name for field in _FIELDS], _WHERE)
    given: dict[str, Any] = dict(source)
    for field in _FIELDS:
        if field.default is MISSING:
            required(source, field.name, _WHERE)
    with place(_WHERE):
        given |= {name: tuple(rows(source, name)) for name in _PAIRS}
    if "assumed" in source:
        given["assumed"] = names(source["assumed"], "assumed", _WHERE)
    return SharedMemory(**given)


def shared_memory_table(memory: SharedMemory) -> Table:
    """The table of a shared memory; what is at its default is left out."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in _FIELDS
        if (value := getattr(memory, field.name)) != field.default
    }
