"""Communication from files of graphs: Matrix Market, METIS and Scotch, told by their content.

An undirected graph of METIS or Scotch lists every edge at both ends: its weight is what goes each
way. Vertices count from 1 in Matrix Market and METIS, from the base that a Scotch file states.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.process_communication import (
    MOST_PROCESSES,
    Communication,
    communication,
    expect_flows,
)
from machines.errors import InputError

_MATRIX_MARKET = "%%MatrixMarket"
_ROW = re.compile(r"[0-9]+(?:[ \t]+[0-9]+)*")
# a version or two to four numbers, comments before them
_HEADED = re.compile(r"(?:[ \t]*(?:%[^\n]*)?\r?\n)*[ \t]*[0-9]+(?:[ \t]+[0-9]+){0,3}[ \t]*\r?\n")
_COORDINATE = 3  # numbers of the line of sizes: rows, columns, entries


def read_graph(text: str, name: str, where: str, each: float) -> Communication | None:
    """The communication of a graph file; None: the text is none.

    `each`: bytes of an edge without a weight.
    """
    if text.startswith(_MATRIX_MARKET):
        return _matrix_market(text, name, where, each)
    if not _HEADED.match(text):
        return None
    rows = _whole_numbers(text)
    lists = _scotch(rows) or _metis(rows)
    return None if lists is None else lists.communication(name, where, each)


def _whole_numbers(text: str) -> list[list[int]]:
    """The numbers of each line without comments; empty where a line has something else."""
    rows = []
    for line in text.splitlines():
        content = line.strip()
        if content.startswith("%"):
            continue
        if content and not _ROW.fullmatch(content):
            return []
        rows.append([int(word[:18]) for word in content.split()])
    while rows and not rows[-1]:
        rows.pop()
    return rows


@dataclass(frozen=True)
class _Lists:
    """The neighbours of every vertex, and the weights of the edges to them."""

    base: int  # number of the first vertex
    neighbours: list[list[int]]
    weights: list[list[int]] | None

    def communication(self, name: str, where: str, each: float) -> Communication:
        """Every edge as a flow from the vertex that lists it."""
        processes = len(self.neighbours)
        _expect_processes(processes, where)
        ends = [len(one) for one in self.neighbours]
        expect_flows(sum(ends), where)
        sources = np.repeat(np.arange(processes), ends)
        targets = np.array([to for one in self.neighbours for to in one], np.int64) - self.base
        sizes = each if self.weights is None else [w for one in self.weights for w in one]
        with_edges = communication(name, processes, sources, targets, sizes)
        _expect_some(with_edges, where)
        return with_edges


def _scotch(rows: list[list[int]]) -> _Lists | None:
    """Version 0, "vertices arcs", "base flags"; then label, weight, degree and arcs of each."""
    if len(rows) < 4 or rows[0] != [0] or len(rows[1]) != 2 or len(rows[2]) != 2:
        return None
    (vertices, arcs), (base, flags) = rows[1], rows[2]
    labelled, weighed, loaded = (flags // place % 10 for place in (100, 10, 1))
    first, step = (1 if labelled else 0) + (1 if loaded else 0), 2 if weighed else 1
    body = rows[3:]
    if len(body) != vertices or labelled:
        return None
    neighbours, weights = [], []
    for row in body:
        if len(row) <= first or len(row) != first + 1 + step * row[first]:
            return None
        neighbours.append(row[first + step :: step])
        weights.append(row[first + 1 :: 2] if weighed else [])
    if sum(map(len, neighbours)) != arcs:
        return None
    return _Lists(base, neighbours, weights if weighed else None)


def _metis(rows: list[list[int]]) -> _Lists | None:
    """Of "vertices edges [format [weights of a vertex]]", then the neighbours of each."""
    if not rows or not 2 <= len(rows[0]) <= 4:
        return None
    vertices, edges, *more = rows[0]
    form = more[0] if more else 0
    sized, loaded, weighed = (form // place % 10 for place in (100, 10, 1))
    first = (1 if sized else 0) + ((more[1] if len(more) > 1 else 1) if loaded else 0)
    step = 2 if weighed else 1
    if vertices > 10 * MOST_PROCESSES or not 0 < len(rows) - 1 <= vertices:
        return None
    body = rows[1:] + [[]] * (vertices - len(rows) + 1)  # the last may have no neighbours
    ends = sum(max(len(row) - first, 0) for row in body)
    if ends != 2 * edges * step:
        return None
    neighbours = [row[first::step] for row in body]
    arcs = {(at, to) for at, one in enumerate(neighbours, 1) for to in one}
    if not all((to, at) in arcs and to != at for at, to in arcs):
        return None
    return _Lists(1, neighbours, [row[first + 1 :: 2] for row in body] if weighed else None)


def _matrix_market(text: str, name: str, where: str, each: float) -> Communication:
    """Entry i, j is what process i sends to j; of a pattern without values each `each` bytes."""
    from scipy.io import mmread  # noqa: PLC0415 - scipy is slow to import
    from scipy.sparse import find  # noqa: PLC0415

    sizes = next(
        (line.split() for line in text.splitlines() if line.strip() and line[0] != "%"), []
    )
    if not 2 <= len(sizes) <= _COORDINATE or not all(one.isdigit() for one in sizes):
        raise InputError(
            "there is no line of sizes", where=where, remedy="Write ROWS COLUMNS ENTRIES"
        )
    rows, columns, *entries = (int(one[:18]) for one in sizes)
    if rows != columns:
        raise InputError(
            "the matrix must be square", where=where, value=f"{rows} x {columns}",
            remedy="A row and a column for each process",
        )  # fmt: skip
    _expect_processes(rows, where)
    expect_flows(entries[0] if entries else rows * columns, where)
    try:
        found = mmread(io.BytesIO(text.encode()))
    except (ValueError, OverflowError, TypeError) as error:
        raise InputError(
            f"this is no whole Matrix Market file: {error}", where=where,
            remedy="Compare the header with the entries",
        ) from error  # fmt: skip
    at, to, values = find(found)  # a matrix in full, or its entries
    if np.iscomplexobj(values):
        raise InputError("bytes can't be complex numbers", where=where, remedy="Write real ones")
    if " pattern" in text.splitlines()[0]:
        values = np.full(len(at), each)
    read = communication(name, rows, at, to, values)
    _expect_some(read, where)
    return read


def _expect_processes(processes: int, where: str) -> None:
    if processes > MOST_PROCESSES:
        raise InputError(
            "too many processes", where=where, value=processes,
            remedy=f"Allowed: up to {MOST_PROCESSES}",
        )  # fmt: skip


def _expect_some(found: Communication, where: str) -> None:
    if not found.sources.size:
        raise InputError(
            "no process sends anything to another one", where=where,
            remedy="Expected: an edge with a weight above 0",
        )  # fmt: skip
