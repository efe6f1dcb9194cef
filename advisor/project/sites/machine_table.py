"""A table of machines from a spreadsheet: `name, cores, speed, memory (GB), GPUs`, titles first."""

from __future__ import annotations

import re
from collections.abc import Callable

from advisor.basics import csv_text, entries
from advisor.basics.table_titles import CORES, MACHINE, MEMORY, NAME, understood
from advisor.project.sources.site import Node, Site
from machines.errors import InputError, PlacewiseError

SIGN = (
    rb"(?i)\A(?:\xef\xbb\xbf)?(?![^\n]*\b(?:after|tasks?|jobs?|(?:run|wall)?time|duration|minutes?"
    rb"|seconds?|depend\w*|parents?)\b)"
    rb"(?:name(?=[^\n]*[,;\t] *speed)|(?:machine|host(?:name)?|node(?:name)?|server)s?"
    rb"(?=[^\n]*[,;\t] *(?:speed|n?cores?|n?cpus?|memory|ram)\b))"
    rb"(?: name)? *[,;\t][^\n]*\n(?! *[0-9.]+ *[,;\t])[^\n]*[^\s,;]"
)
"""Titles that name machines, with what machines have, and none of what tasks have; below, a name:
a number of nodes begins a table of measurements.
"""

_SPEED, _GPUS = "speed", "gpus"
_WORDS = {_SPEED: ("speed", "factor"), _GPUS: ("gpu", "gpus", "accelerators")}
_PLAIN = re.compile(r"[0-9.,_]+(?:[eE][-+]?[0-9]+)?")


def read(text: str, where: str) -> Site:
    """The machines, one a row; an empty cell tells nothing."""
    mark = next(one for one in "\t;," if one in text.partition("\n")[0])
    rows = [(line, [csv_text.plain_cell(cell.strip()) for cell in row])
            for line, row in csv_text.cells(text.lstrip("\ufeff"), where, mark)]  # fmt: skip
    titles = rows[0][1]
    columns = [_column(title) for title in titles]
    left = [one for one, (role, _) in zip(titles, columns, strict=True) if not role and one]
    nodes = {}
    for line, cells in rows[1:]:
        if not any(cells):
            continue
        found = _row(cells, columns, titles, f"{where}, line {line}")
        if found.name in nodes:
            raise InputError("another row has this name", where=f"{where}, line {line}",
                             value=found.name, remedy="Choose another")  # fmt: skip
        nodes[found.name] = found
    notes = (f"Left out: {', '.join(left)}",) if left else ()
    return Site("machines", tuple(nodes.values()), notes=notes)


def _column(title: str) -> tuple[str, str]:
    """The role of a column, "" for none, and the unit in its title."""
    words = re.split(r"[^a-z]+", title.lower())
    for role, known in _WORDS.items():
        if set(known) & set(words):
            return role, ""
    found = understood(title)
    role = NAME if found.role == MACHINE else found.role
    return (role, found.unit) if role in {NAME, CORES, MEMORY} else ("", "")


def _row(cells: list[str], columns: list[tuple[str, str]], titles: list[str], where: str) -> Node:
    told: dict[str, object] = {"name": ""}
    if len(cells) > len(columns):
        remedy = "Separate columns by tabs or semicolons if cells have commas"
        raise InputError(
            "more cells than titles", where=where, value=cells[len(columns)], remedy=remedy
        )
    for title, (role, unit), text in zip(titles, columns, cells, strict=False):
        if not role or not text:
            continue
        name, taken = _TAKEN[role]
        try:
            told[name] = taken(f"{text} {unit}" if unit and _PLAIN.fullmatch(text) else text)
        except PlacewiseError as error:
            raise error.at(f'{where}, column "{title}"') from None
    if not told["name"]:
        raise InputError("a machine has no name", where=where, remedy="Name it, or remove the row")
    return Node(**told)  # type: ignore[arg-type]


def _above_zero(read_: Callable[[str], float]) -> Callable[[str], float]:
    def taken(text: str) -> float:
        value = read_(text)
        if value <= 0:
            raise InputError("this must be above 0", value=text, remedy="Leave the cell empty")
        return value

    return taken


_TAKEN: dict[str, tuple[str, Callable[[str], object]]] = {
    NAME: ("name", str),
    CORES: ("cores", _above_zero(entries.count)),
    MEMORY: ("memory_bytes", _above_zero(entries.whole_bytes)),
    _SPEED: ("speed", _above_zero(entries.real)),
    _GPUS: ("gpus", entries.count),
}
