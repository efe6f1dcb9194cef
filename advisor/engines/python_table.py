"""Tables of jobs inside scripts: Python literals, a row a line, which `ast` reads back as data.

Whatever a name or command holds is inside a literal: nothing of it is ever code of the script. A
row whose command is not stated is marked in its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from machines.errors import InputError

COMMAND = "command"
TO_FILL_IN = "  # ← FILL IN: what runs it"

Row = dict[str, object]


def render(name: str, rows: Iterable[Mapping[str, object]]) -> str:
    """``NAME = [``, a line for each row, ``]``."""
    lines = (
        f"    {dict(row)!r},{TO_FILL_IN if row.get(COMMAND) == '' else ''}\n" for row in rows
    )  # no literal holds a line break: repr escapes them
    return f"{name} = [\n{''.join(lines)}]\n"


def read(text: str, name: str) -> list[Row]:
    """The rows of a table that `render` made, wherever it stands in a script."""
    rows = [row for part in _literals(text, name, "[", "]") for row in part]
    return rows if all(isinstance(row, dict) for row in rows) else []


def read_mapping(text: str, name: str) -> Row:
    """A mapping of an entry a line, wherever it stands in a script."""
    return {key: value for part in _literals(text, name, "{", "}") for key, value in part.items()}


def _literals(text: str, name: str, first: str, last: str) -> list[Any]:
    """What the lines between brackets hold, each line by itself: no other thread waits for all."""
    _, _, rest = f"\n{text}".partition(f"\n{name} = {first}")
    body, closed, _ = rest.partition(f"\n{last}\n")
    if not closed:
        raise InputError("the table of the script is missing", where="script", value=name)
    try:
        try:
            return [ast.literal_eval(f"{first}{line}\n{last}") for line in body.split("\n")]
        except SyntaxError:  # an entry that somebody wrote over several lines
            return [ast.literal_eval(f"{first}{body}\n{last}")]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise InputError("the table holds more than literals", where=name) from None
