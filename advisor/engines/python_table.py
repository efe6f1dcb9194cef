"""Tables of jobs inside scripts: Python literals, a row a line, which `ast` reads back as data.

Whatever a name or command holds is inside a literal: nothing of it is ever code of the script. A
row whose command is not stated is marked in its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

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
    _, _, rest = f"\n{text}".partition(f"\n{name} = [")
    body, closed, _ = rest.partition("\n]\n")
    if not closed:
        raise InputError("the table of the script is missing", where="script", value=name)
    try:
        rows = ast.literal_eval(f"[{body}\n]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise InputError("the table holds more than literals", where=name) from None
    return rows if all(isinstance(row, dict) for row in rows) else []
