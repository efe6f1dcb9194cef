"""Measurements in a table: one line a measurement, under a header that says what was measured.

``P,time (s)``; lines of the same P, and further columns of the same kind, are repetitions. How
cells are separated and decimals written is told by `machines.formats.text_table`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from machines.checks import LARGEST
from machines.errors import InputError
from machines.formats.text_table import DECIMALS, SPREADS, Row, TextTable, text_table

TIME = "time"
SPEEDUP = "speedup"
THROUGHPUT = "throughput"
KINDS = (TIME, SPEEDUP, THROUGHPUT)

MOST_MEASURED_PROCESSORS = 10**7
SMALLEST = 1.0 / LARGEST
HEADER = 'Begin with a header, e.g. "P,time (s)", "P,speedup" or "P,throughput (1/s)"'
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "min": 60.0,
           "h": 3600.0}  # fmt: skip
# units that are a time, but none that seconds follow from
_TICKS = {"cycle", "cycles", "kcycles", "mcycles", "gcycles", "clocks", "tick", "ticks", "step",
          "steps", "unit", "units", "a.u.", "a.u"}  # fmt: skip
_NO_UNIT = {"", "x", "×", "1", "-"}
PROCESSORS = frozenset(
    {"p", "n", "processors", "processes", "cores", "cpus", "nodes", "threads", "load"}
)
_REPETITION = {"repetition", "repetitions", "run", "rep"}
# "time (ms)", "time [ms]", "time_ms", "time 2": kind, unit, number of the repetition
_TITLE = re.compile(r"(time|speedup|throughput)s?[\s_]*(?:[(\[](.*)[)\]]|([a-zµμ/]*))[\s_]*\d*")
_SPREAD = re.compile(r"(?:(?:time|speedup|throughput)[\s_]*)?([^\d\s_(\[]+)(?:\s*[(\[].*[)\]])?")


@dataclass(frozen=True)
class Recorded:
    """What a text holds, before it is ordered and converted.

    `kind`, `unit`: what the values are, as written.
    """

    kind: str
    unit: str
    processors: tuple[int, ...]
    values: tuple[float, ...]
    unused: tuple[str, ...] = ()  # columns that were understood, and have no say: spreads


@dataclass(frozen=True)
class _Columns:
    """Where P, the values and spreads are."""

    processors: int
    values: tuple[int, ...]
    spreads: tuple[int, ...]
    kind: str
    unit: str


def recorded_in_table(text: str, kind: str | None, where: str) -> Recorded:
    """The measurements of a table.

    `text`: a header and lines of numbers; without a header two columns, P and `kind`. `kind`: what
    the second column is, where there is no header. `where`: the place that messages name.
    """
    table = text_table(text, where)
    rows = table.rows
    if not rows:
        raise InputError("there are no measurements", where=where, remedy=HEADER)
    first = table.number(rows[0].cells[0])
    if first is not None and not math.isnan(first):
        if kind is None:
            cells = list(rows[0].cells)
            raise InputError(
                "the header does not say what was measured", where=where, value=cells, remedy=HEADER
            )
        rows = (Row(0, ("P", *[kind] * (len(rows[0].cells) - 1))), *rows)
    columns = _columns(table, rows[0])
    processors, values = [], []
    for row in rows[1:]:
        if len(row.cells) != len(rows[0].cells):
            wanted = f"expected {len(rows[0].cells)} values"
            more = len(row.cells) > len(rows[0].cells) and table.separator == ","
            given = ", ".join(row.cells)
            remedy = DECIMALS if more else ""
            raise InputError(wanted, where=table.at(row), value=given, remedy=remedy)
        P = _processors(table, row, row.cells[columns.processors])
        for column in columns.spreads:
            if row.cells[column]:
                table.amount(row, f"the spread {rows[0].cells[column]}", row.cells[column])
        for column in columns.values:
            if row.cells[column] or len(columns.values) == 1:  # a missing repetition is none
                processors.append(P)
                values.append(_value(table, row, columns.kind, row.cells[column]))
    unused = tuple(rows[0].cells[column] for column in columns.spreads)
    return Recorded(columns.kind, columns.unit, tuple(processors), tuple(values), unused)


def kind_and_unit(title: str) -> tuple[str, str] | None:
    """What a title such as ``time (ms)`` names, its unit as written; None: nothing known."""
    match = _TITLE.fullmatch(title.lower())
    if match is None:
        return None
    start, end = match.span(2) if match[2] is not None else match.span(3)
    return match[1], title[start:end].strip()  # as written: MB/s is not mb/s


def expect_unit(kind: str, unit: str, at: str) -> None:
    """Refuse a unit in which that kind can't be measured."""
    if kind == TIME:
        fits = unit in SECONDS or unit.lower() in _TICKS or not unit
        remedy = "Units of times: s, ms, us, µs, ns, min, h, cycles, ticks; or none"
    elif kind == THROUGHPUT:
        fits = unit not in SECONDS
        remedy = 'A throughput counts per time, e.g. "1/s"; of times say "time (s)"'
    else:
        fits = unit in _NO_UNIT
        remedy = "A speedup is a ratio and has no unit"
    if not fits:
        raise InputError(f"a {kind} can't be in {unit}", where=at, value=unit, remedy=remedy)


def _columns(table: TextTable, header: Row) -> _Columns:
    """Columns of P, of the values and of spreads, what the values are, and their unit."""
    at, found, chosen, spreads = table.at(header), set(), [], []
    processors = [i for i, cell in enumerate(header.cells) if cell.lower() in PROCESSORS]
    for column, cell in enumerate(header.cells):
        if column in processors or cell.lower() in _REPETITION:
            continue
        spread = _SPREAD.fullmatch(cell.lower())
        if spread is not None and spread[1] in SPREADS:
            spreads.append(column)
            continue
        known = kind_and_unit(cell)
        if known is None:
            raise InputError("unknown column", where=at, value=cell, remedy=HEADER)
        found.add(known)
        chosen.append(column)
    if len(processors) != 1 or not chosen:
        what = "one column must be P" if len(processors) != 1 else "nothing was measured"
        raise InputError(what, where=at, value=", ".join(header.cells), remedy=HEADER)
    if len(found) > 1:
        mixed = ", ".join(sorted(f"{kind} ({unit})" if unit else kind for kind, unit in found))
        raise InputError(
            "the columns mix kinds or units",
            where=at,
            value=mixed,
            remedy="Give one kind in one unit; further columns of it are repetitions",
        )
    ((kind, unit),) = found
    expect_unit(kind, unit, at)
    return _Columns(processors[0], tuple(chosen), tuple(spreads), kind, unit)


def _processors(table: TextTable, row: Row, cell: str) -> int:
    value = _number(table, row, "P", cell)
    if not value.is_integer() or not 1 <= value <= MOST_MEASURED_PROCESSORS:
        raise InputError(
            "P must be a whole number",
            where=table.at(row),
            value=cell,
            remedy=f"1 to {MOST_MEASURED_PROCESSORS:.0e}",
        )
    return int(value)


def _value(table: TextTable, row: Row, kind: str, cell: str) -> float:
    value = _number(table, row, kind, cell)
    if not SMALLEST <= value <= LARGEST:
        raise InputError(f"{kind} must be finite and > 0", where=table.at(row), value=cell)
    return value


def _number(table: TextTable, row: Row, what: str, cell: str) -> float:
    value = table.number(cell)
    if value is None or math.isnan(value):
        hint = DECIMALS if "," in cell else "Units belong into the header"
        raise InputError(f"{what} is no number", where=table.at(row), value=cell, remedy=hint)
    return value
