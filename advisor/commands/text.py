"""Plain output: aligned columns and the printing of JSON reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from advisor.export.json_answer import as_json
from machines.errors import visible

_CUT = 60


def columns(header: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> str:
    """Rows under a header, columns aligned by two blanks.

    `rows`: as many entries as the header. `right`: one letter a column, "r" for right-aligned;
    missing letters are left-aligned.
    """
    lines = [[_cut(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(header))]
    sides = [">" if side == "r" else "<" for side in right.ljust(len(header), "l")]
    return "\n".join(
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def say(*lines: str) -> None:
    """Print lines on standard output; control characters in names are made visible."""
    for line in lines:
        sys.stdout.write("\n".join(map(visible, line.split("\n"))) + "\n")


@contextmanager
def said_before(write: Callable[[], None]) -> Iterator[None]:
    """What is said within is on standard output before files are written.

    So it is there if they can't be; and they are written also where nobody reads it any more.
    """
    try:
        yield
        sys.stdout.flush()
    finally:
        write()


def say_json(report: Mapping[str, object]) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(as_json(report) + "\n")


def _cut(cell: str) -> str:
    return cell if len(cell) <= _CUT else f"{cell[: _CUT - 1]}…"
