"""Communication from a file: a CSV matrix of bytes, or a list of edges.

A header ``source,target,bytes`` (and ``messages``) makes it a list of edges; otherwise row i,
column j says what process i sends to process j. Cells are separated by commas, semicolons, tabs
or blanks; empty lines and what follows a ``#`` are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from advisor.messages.mapping.communication import MOST_PROCESSES, Communication, communication
from machines.checks import LARGEST
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

_LIMIT_BYTES = 256 * MIB
_EDGE = ("source", "target", "bytes", "messages")
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")

Line = tuple[int, list[str]]


def read_communication(path: str | Path, processes: int | None = None) -> Communication:
    """The communication that a file holds.

    Parameters
    ----------
    path : str or Path
        CSV or text, UTF-8.
    processes : int, optional
        How many there are, where the file does not say: the edges' largest number + 1.

    Raises
    ------
    InputError
        Naming the file, the line and the value.
    """
    where = str(path)
    lines = _lines(decoded(read_bytes(path, _LIMIT_BYTES), where))
    if not lines:
        raise InputError("the file is empty", where=where, remedy="Expected: a matrix or edges")
    header = [cell.lower() for cell in lines[0][1]]
    edges = header[:3] == list(_EDGE[:3])
    if edges and header not in (list(_EDGE), list(_EDGE[:3])):
        raise _wrong(where, lines[0][0], "unknown column", header[-1], "Known: " + ", ".join(_EDGE))
    name = Path(path).stem or where
    if edges:
        return _from_edges(name, where, lines[1:], len(header), processes)
    return _from_matrix(name, where, lines, processes)


def _from_matrix(name: str, where: str, lines: list[Line], processes: int | None) -> Communication:
    size = len(lines)
    if size > MOST_PROCESSES:
        raise InputError(
            "too many rows", where=where, value=size, remedy=f"Allowed: up to {MOST_PROCESSES}"
        )
    if processes is not None and processes != size:
        raise InputError(
            f"the matrix has {size} rows, not one for each of {processes} processes", where=where
        )
    sources, targets, sizes = [], [], []
    for row, (line, cells) in enumerate(lines):
        if len(cells) != size:
            raise _wrong(
                where,
                line,
                f"the matrix must be square: {size} rows, but {len(cells)} columns here",
                None,
                "A list of edges begins with the header source,target,bytes",
            )
        for column, cell in enumerate(cells):
            amount = _amount(where, line, cell, f"column {column + 1}")
            if amount:
                sources.append(row)
                targets.append(column)
                sizes.append(amount)
    _expect_some(where, sizes)
    return communication(name, size, sources, targets, sizes)


def _from_edges(
    name: str, where: str, lines: list[Line], columns: int, processes: int | None
) -> Communication:
    most = MOST_PROCESSES if processes is None else processes
    ends: tuple[list[int], list[int]] = ([], [])
    amounts: list[list[float]] = [[], []]
    for line, cells in lines:
        if len(cells) != columns:
            raise _wrong(where, line, f"expected {columns} values", ",".join(cells), "")
        for numbers, kind, cell in zip(ends, _EDGE, cells, strict=False):
            numbers.append(_process(where, line, kind, cell, most))
        given = [_amount(where, line, cell, kind) for cell, kind in
                 zip(cells[2:], _EDGE[2:], strict=False)]  # fmt: skip
        amounts[0].append(given[0])
        amounts[1].append(given[1] if columns == len(_EDGE) else 1.0)
    _expect_some(where, amounts[0])
    count = processes if processes is not None else max(*ends[0], *ends[1]) + 1
    return communication(name, count, ends[0], ends[1], amounts[0], amounts[1])


def _lines(text: str) -> list[Line]:
    """(line number, cells) of every line that holds something."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            found.append((number, [cell.strip('"') for cell in _SEPARATORS.split(content)]))
    return found


def _amount(where: str, line: int, cell: str, what: str) -> float:
    """A number of bytes or messages."""
    try:
        value = float(cell)
    except ValueError:
        raise _wrong(where, line, f"{what} is no number", cell, "") from None
    if not 0.0 <= value <= LARGEST:  # false for NaN, too
        raise _wrong(where, line, f"{what} must be finite and ≥ 0", cell, "")
    return value


def _process(where: str, line: int, kind: str, cell: str, most: int) -> int:
    if not (cell.isascii() and cell.isdigit()) or int(cell[:9]) >= most or len(cell) > 9:
        raise _wrong(where, line, f"the {kind} is not a process", cell, f"Allowed: 0 to {most - 1}")
    return int(cell)


def _expect_some(where: str, sizes: list[float]) -> None:
    if not any(sizes):
        raise InputError(
            "nobody sends anything", where=where, remedy="Expected: a number of bytes above 0"
        )


def _wrong(where: str, line: int, what: str, value: object, remedy: str) -> InputError:
    return InputError(what, where=f"{where}: line {line}", value=value, remedy=remedy)
