"""Names of processes in the cells of a table, and the order in which they are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from machines.formats.text_table import TextTable

_DIGITS = re.compile(r"([0-9]+)")


def named(table: TextTable, cells: Sequence[str]) -> bool:
    """Whether all cells are names: something that is no number."""
    return bool(cells) and all(cell and table.number(cell) is None for cell in cells)


def counting(cells: Sequence[str]) -> bool:
    """Whether the cells count on from 0 or 1, one each."""
    return any(
        list(cells) == [str(number) for number in range(first, first + len(cells))]
        for first in (0, 1)
    )


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of the numbers in them: rank2 before rank10."""
    return tuple(sorted(names, key=_key))


def _key(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    parts = [part for part in _DIGITS.split(name) if part]
    keys = [(not part.isdigit(), int(part[:18]) if part.isdigit() else 0, part) for part in parts]
    return keys, name
