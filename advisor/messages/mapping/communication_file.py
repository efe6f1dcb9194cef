"""Communication from a file: a matrix of bytes, a list of edges, or a graph (`graph_files`).

A header ``source,target,bytes`` (and ``messages``), in the words of a profiler too, makes it a list
of edges, as do two or three columns of processes without one; otherwise row i, column j says what
process i sends to process j, and the first row, the first column or both may hold the names of
processes. How cells are separated and decimals written is told by `machines.formats.text_table`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from advisor.basics.quantities import size as size_text
from advisor.messages.mapping.graph_files import read_graph
from advisor.messages.mapping.process_communication import (
    MOST_PROCESSES,
    Communication,
    communication,
    expect_flows,
)
from machines.arrays import Floats
from machines.checks import LARGEST, repeated
from machines.errors import InputError, readable
from machines.files import MIB, decoded, read_bytes
from machines.formats.text_table import DECIMALS, Row, TextTable, text_table

_MOST_ROWS = 4096  # of a matrix: a list of edges holds larger ones better
_LIMIT_BYTES = 256 * MIB
_EDGE = ("source", "target", "bytes", "messages")
_OTHER_WORDS = {
    **dict.fromkeys(("src", "from", "sender", "rank", "source rank", "sending rank", "src rank"),
                    "source"),
    **dict.fromkeys(("dst", "dest", "to", "receiver", "peer", "destination", "target rank",
                     "receiving rank", "dst rank", "dest rank", "peer rank"), "target"),
    **dict.fromkeys(("size", "size bytes", "volume", "bytes sent", "total bytes"), "bytes"),
    **dict.fromkeys(("count", "messages sent", "calls"), "messages"),
}  # fmt: skip
_RULE = re.compile(r"[|\s:+-]+")  # under the header of a table between bars
_ONES = "Processes count from 1 in the file: 0 occurs nowhere in it, so 1 is the first one here."
_EDGE_HINT = "A list of edges begins with the header source,target,bytes"


def read_communication(
    path: str | Path, processes: int | None = None, each: float = 1.0, reversed_rows: bool = False
) -> Communication:
    """The communication that a file holds.

    `path`: text, UTF-8. `processes`: how many there are, where the file does not say: as many as
    its edges name. `each`: bytes of an edge whose line has none. `reversed_rows`: the first row of
    the matrix is that of the last process.
    """
    where = str(path)
    text = decoded(read_bytes(path, _LIMIT_BYTES), where)
    name = readable(Path(path).stem or where)
    graph = read_graph(text, name, where, each)
    if graph is not None:
        _expect_count("graph", "vertices", graph.processes, processes, where)
        return graph
    table = text_table(_without_bars(text), where)
    if not table.rows:
        raise InputError("the file is empty", where=where, remedy="Expected: a matrix or edges")
    header = [_word(cell) for cell in table.rows[0].cells]
    if set(_EDGE[:2]) <= set(header):
        return _from_edges(name, _in_columns(table, header), processes, each)
    if _are_edges(table):
        return _from_edges(name, table, processes, each)
    return _from_matrix(name, table, processes, reversed_rows)


def _without_bars(text: str) -> str:
    """A table between bars, as pages of issues hold it, with semicolons instead."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if "|" not in first:
        return text
    kept = ("" if _RULE.fullmatch(line) else line.strip().strip("|") for line in lines)
    return "\n".join(line.replace("|", ";") for line in kept)


def _word(cell: str) -> str:
    """What a column of edges is, by its title."""
    plain = " ".join(cell.lower().replace("_", " ").split())
    return _OTHER_WORDS.get(plain, plain)


def _in_columns(table: TextTable, header: list[str]) -> TextTable:
    """The edges below a header, their columns in the order of `_EDGE`."""
    known = [word for word in _EDGE if word in header]
    if sorted(known) != sorted(header):
        at = next(at for at, word in enumerate(header) if word not in _EDGE or word in header[:at])
        raise _wrong(
            table, table.rows[0], "unknown column", table.rows[0].cells[at],
            "Known: " + ", ".join(_EDGE),
        )  # fmt: skip
    order, rows = [header.index(word) for word in known], table.rows[1:]
    for row in rows:
        if len(row.cells) != len(header):
            remedy = DECIMALS if len(row.cells) > len(header) and table.separator == "," else ""
            what = f"expected {len(header)} values"
            raise _wrong(table, row, what, ",".join(row.cells), remedy)
    if order == list(range(len(order))):
        return replace(table, rows=rows)
    moved = (Row(row.line, tuple(row.cells[at] for at in order)) for row in rows)
    return replace(table, rows=tuple(moved))


def _are_edges(table: TextTable) -> bool:
    """Whether two or three columns without a header are edges; InputError if they may be both."""
    rows = table.rows
    columns = len(rows[0].cells)
    if columns not in {2, 3} or any(len(row.cells) != columns for row in rows):
        return False
    if all(named(table, row.cells[:2]) and not named(table, row.cells[2:]) for row in rows):
        return True
    ends = [cell for row in rows for cell in row.cells[:2]]
    if any(table.number(cell) is None for row in rows for cell in row.cells):
        return False
    headed = columns == 3 and len(rows) == 4 and counting(rows[0].cells)
    if len(rows) != columns and not headed:
        return True
    different = all(row.cells[0] != row.cells[1] for row in rows)
    pairs = len({row.cells[:2] for row in rows}) == len(rows)
    plausible = different and pairs and set(ends) == {str(i) for i in range(len(set(ends)))}
    zero = all(table.number(row.cells[i]) == 0.0 for i, row in enumerate(rows) if i < columns)
    if headed or (plausible and not zero):
        raise _wrong(
            table, rows[0], f"this may be a matrix of {columns} processes or {len(rows)} edges",
            ", ".join(rows[0].cells), f"{_EDGE_HINT}; a matrix may begin with a row of names",
        )  # fmt: skip
    return False


def _from_matrix(
    name: str, table: TextTable, processes: int | None, reversed_rows: bool
) -> Communication:
    rows, first, labels = _body(table)
    size = len(rows)
    if size > _MOST_ROWS:
        raise InputError(
            "too many rows", where=table.where, value=size,
            remedy=f"Allowed: up to {_MOST_ROWS}, or a list of edges",
        )  # fmt: skip
    _expect_count("matrix", "rows", size, processes, table.where)
    sources, targets, sizes = [], [], []
    for source, row in enumerate(reversed(rows) if reversed_rows else rows):
        for target, cell in enumerate(row.cells[first:]):
            if cell == "0":
                continue
            amount = _amount(table, row, cell, f"column {first + target + 1}")
            if amount:
                sources.append(source)
                targets.append(target)
                sizes.append(amount)
        expect_flows(len(sizes), table.where)
    _expect_some(table, sources, targets)
    found = communication(name, size, sources, targets, sizes, labels=labels)
    return replace(found, doubts=matrix_doubts(size, sources, targets, sizes))


def _expect_count(what: str, of: str, found: int, processes: int | None, where: str) -> None:
    if processes is not None and processes != found:
        raise InputError(
            f"the {what} has {found} {of}, not one for each of {processes} processes", where=where
        )


def _body(table: TextTable) -> tuple[tuple[Row, ...], int, tuple[str, ...]]:
    """The rows of numbers, the column where they begin, and the names of the processes."""
    rows = table.rows
    above, beside = _names_of(table)
    top = rows[0].cells[len(rows[0].cells) - (len(rows[-1].cells) - beside) :] if above else ()
    body = rows[above:]
    size = len(body)
    for row in body:
        if len(row.cells) - beside != size:
            remedy = DECIMALS if len(row.cells) == 2 * size else _EDGE_HINT
            what = f"{size} rows, but {len(row.cells) - beside} columns here"
            raise _wrong(table, row, f"the matrix must be square: {what}", None, remedy)
    left = tuple(row.cells[0] for row in body) if beside else ()
    for place, (over, row) in enumerate(zip(top, body, strict=True) if top and left else ()):
        if over != left[place]:
            raise _wrong(
                table, row, f'row "{left[place]}" stands where column "{over}" does', None,
                "Rows and columns are the same processes in the same order",
            )  # fmt: skip
    labels = left or top
    twice = repeated(labels)
    if twice is not None:
        raise InputError("a process is named twice", where=table.where, value=twice)
    plain = all(cell == str(place) for place, cell in enumerate(labels))
    return body, int(beside), () if plain else labels


def _names_of(table: TextTable) -> tuple[bool, bool]:
    """Whether a matrix has names in its first row, and in its first column."""
    rows = table.rows
    top, columns = rows[0].cells, len(rows[-1].cells)
    if any(len(row.cells) != columns for row in rows[1:]):
        return False, False
    if len(top) == columns - 1 and len(rows) == columns:  # a row of names without a corner
        return True, True
    if len(top) != columns:
        return False, False
    above, beside = top, [row.cells[0] for row in rows]
    if len(rows) == columns + 1:
        return _are_names(table, above), False
    if len(rows) == columns - 1:
        return False, _are_names(table, beside)
    corner = not top[0] or table.number(top[0]) is None
    both = corner and _are_names(table, above[1:]) and _are_names(table, beside[1:])
    return both, both


def _are_names(table: TextTable, cells: Sequence[str]) -> bool:
    return named(table, cells) or counting(cells)


def _from_edges(name: str, table: TextTable, processes: int | None, each: float) -> Communication:
    """Of rows with source, target and, if known, bytes and messages."""
    rows = table.rows
    columns = len(rows[0].cells) if rows else 0
    labels: tuple[str, ...] = ()
    place: dict[str, int] = {}
    if rows and all(named(table, row.cells[:2]) for row in rows):
        labels = in_order({cell for row in rows for cell in row.cells[:2]})
        place = {label: number for number, label in enumerate(labels)}
    most = MOST_PROCESSES if processes is None else processes
    if len(labels) > most:
        remedy = f"Allowed: up to {most}"
        raise InputError("too many processes", where=table.where, value=len(labels), remedy=remedy)
    expect_flows(len(rows), table.where)
    first = 0 if place or any("0" in row.cells[:2] for row in rows) else 1
    if first and processes is not None and not any(str(most) in row.cells[:2] for row in rows):
        first = 0  # the user counts one more than the file names
    ends: tuple[list[int], list[int]] = ([], [])
    amounts: list[list[float]] = [[], []]
    for row in rows:
        cells = row.cells
        for numbers, kind, cell in zip(ends, _EDGE, cells, strict=False):
            numbers.append(place[cell] if place else _process(table, row, kind, cell, most, first))
        given = [_amount(table, row, cell, kind) for cell, kind in
                 zip(cells[2:], _EDGE[2:], strict=False)]  # fmt: skip
        amounts[0].append(given[0] if given else each)
        amounts[1].append(given[1] if columns == len(_EDGE) else 1.0)
    kept = [i for i, amount in enumerate(amounts[0]) if amount]
    _expect_some(table, [ends[0][i] for i in kept], [ends[1][i] for i in kept])
    count = processes if processes is not None else max(*ends[0], *ends[1]) + 1
    if processes is not None and labels:
        labels += tuple(str(number) for number in range(len(labels), processes))
    found = communication(name, count, ends[0], ends[1], amounts[0], amounts[1], labels)
    return replace(found, doubts=(_ONES,)) if first else found


def _amount(table: TextTable, row: Row, cell: str, what: str) -> float:
    """A number of bytes or messages."""
    value = table.amount(row, what, cell)
    if value > LARGEST:
        raise _wrong(table, row, f"{what} must be finite and ≥ 0", cell, f"Up to {LARGEST:g}")
    return value


def _process(table: TextTable, row: Row, kind: str, cell: str, most: int, first: int) -> int:
    """The number from 0 of a process; those of the file begin at `first`."""
    digits = cell.isascii() and cell.isdigit() and len(cell) <= 9
    if not digits or not first <= int(cell) < most + first:
        remedy = f"Allowed: {first} to {most - 1 + first}"
        if cell and table.number(cell) is None:
            remedy += "; or names alone, none of them a number"
        raise _wrong(table, row, f"the {kind} is not a process", cell, remedy)
    return int(cell) - first


def _expect_some(table: TextTable, sources: list[int], targets: list[int]) -> None:
    if not sources:
        raise InputError(
            "no process sends anything",
            where=table.where,
            remedy="Expected: a number of bytes above 0",
        )
    if sources == targets:
        raise InputError(
            "no process sends anything to another one: all bytes are on the diagonal",
            where=table.where,
            remedy="Row i, column j is what process i sends to process j",
        )


def _wrong(table: TextTable, row: Row, what: str, value: object, remedy: str) -> InputError:
    return InputError(what, where=table.at(row), value=value, remedy=remedy)


# Names of processes in the cells of a table, and the order in which they are numbered.

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


_CLOSE = 0.1  # asymmetry, as a share of all bytes, of what counts as symmetric


def matrix_doubts(
    processes: int, sources: Sequence[int], targets: Sequence[int], size_bytes: Sequence[float]
) -> tuple[str, ...]:
    """Sentences about a matrix of some entries: its rows, and what is on its diagonal.

    Rows from the last process to the first: the matrix is symmetric when they are reversed, and no
    process sends to itself then.
    """
    found: Floats = np.zeros((processes, processes))
    np.add.at(found, (sources, targets), size_bytes)
    inside = float(found.trace())
    if not inside:
        return ()
    upright = found[::-1]
    backwards = (
        np.count_nonzero(found.diagonal()) == processes > 2
        and not upright.trace()
        and _asymmetry(upright) < _CLOSE
    )
    if backwards:
        return (
            "The rows seem to run from the last process to the first: the diagonal is full, the "
            "other one is empty, and with the rows reversed the matrix is symmetric. Set "
            "rows=reversed if so; the mapping below takes them as they are.",
        )
    return (
        f"{size_text(inside)} on the diagonal, which processes send to themselves, cross no "
        "channel and are left out.",
    )


def _asymmetry(matrix: Floats) -> float:
    """From 0, symmetric, to 1: what goes one way alone, as a share of all."""
    total = float(matrix.sum() - matrix.trace())
    return float(np.abs(matrix - matrix.T).sum()) / (2.0 * total) if total else 1.0
