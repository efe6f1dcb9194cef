"""Measurements in a table: one line a measurement, under a header that says what was measured.

``P,time (s)``; lines of the same P, and further columns of the same title, are repetitions. What
titles mean is in `advisor.scaling.column_titles`; of several times or rates the one of the whole
run is taken, what is left open is asked for by ``columns=``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.scaling.column_choice import Chosen, ask, chosen_columns
from advisor.scaling.column_titles import (
    EFFICIENCY,
    KINDS,
    SECONDS,
    SPEEDUP,
    THROUGHPUT,
    TICKS,
    TIME,
)
from advisor.scaling.written_tables import NamedTable, tables_of
from machines.checks import LARGEST
from machines.errors import InputError
from machines.formats.text_table import DECIMALS, Row, TextTable

__all__ = ["KINDS", "SECONDS", "SPEEDUP", "THROUGHPUT", "TIME", "Part", "Recorded"]

MOST_MEASURED_PROCESSORS = 10**7
SMALLEST = 1.0 / LARGEST
HEADER = 'Begin with a header, e.g. "P,time (s)", "P,speedup" or "P,throughput (1/s)"'
_NO_NUMBERS = {"nan", "inf", "null", "none", "n/a"}  # what software prints for a missing one
_NO_UNIT = {"", "x", "×", "1", "-", "%"}
_NONE = {"-", "–", "—", "n/a", "na", "oom", "failed", "dnf", "timeout"}
_CLOCK_PARTS = 3  # h:mm:ss


@dataclass(frozen=True)
class Part:
    """Which part of a file is meant; empty: the only one there is.

    `region`: of a file of Extra-P, or the title of one of several tables. `metric`: of Extra-P.
    `columns`: titles of P and of the values, and ``title=value`` of the rows meant. `hold`: of
    several parameters those that are held fixed, ``n=5000``.
    """

    region: str = ""
    metric: str = ""
    columns: str = ""
    hold: str = ""


@dataclass(frozen=True)
class Recorded:
    """What a text holds, before it is ordered and converted.

    `kind`, `unit`: what the values are, as written. `noun`: what the processors are called; empty:
    the numbers are those of another parameter. `title`: of the table. `said`: how it was read.
    """

    kind: str
    unit: str
    processors: tuple[int, ...]
    values: tuple[float, ...]
    unused: tuple[str, ...] = ()  # columns that were understood, and have no say: spreads
    noun: str = "processors"
    title: str = ""
    said: tuple[str, ...] = ()


def recorded_in_table(
    text: str, kind: str | None, where: str, part: Part | None = None
) -> Recorded:
    """The measurements of a table.

    `text`: a header and lines of numbers; without a header two columns, P and `kind`. `kind`: what
    the values are where no title says it. `where`: the place that messages name. `part`: which
    table and columns.
    """
    meant = part or Part()
    if meant.metric or meant.hold:
        raise InputError(
            "a table has no metrics and parameters", where=where, value=meant.metric or meant.hold,
            remedy="Leave metric and hold out; files of Extra-P have them",
        )  # fmt: skip
    named = _meant_table(tables_of(text, where), meant, kind, where)
    return _recorded(named, kind, where, meant)


def _meant_table(
    tables: tuple[NamedTable, ...], part: Part, kind: str | None, where: str
) -> NamedTable:
    """The table that is asked for, or the only one that can be read."""
    if len(tables) == 1:
        if part.region:
            raise InputError(
                "a table has no regions", where=where, value=part.region,
                remedy="Leave region out; files with several tables and those of Extra-P have them",
            )  # fmt: skip
        return tables[0]
    titles = table_titles(tables)
    if part.region:
        if part.region not in titles:
            raise ask("there is no such table", "region", titles, where, part.region)
        return tables[titles.index(part.region)]
    readable = []
    for one in tables:
        try:
            _recorded(one, kind, where, part)
        except InputError:
            continue
        readable.append(one)
    if len(readable) != 1:
        raise ask(f"there are {len(tables)} tables", "region", titles, where)
    return readable[0]


def table_titles(tables: tuple[NamedTable, ...]) -> list[str]:
    """Each table's own title, or its number."""
    titles = [one.title for one in tables]
    return [
        title if title and titles.count(title) == 1 else f"table {place}"
        for place, title in enumerate(titles, 1)
    ]


def _recorded(named: NamedTable, kind: str | None, where: str, part: Part) -> Recorded:
    table = named.table
    rows = table.rows
    if not rows:
        raise InputError("there are no measurements", where=where, remedy=HEADER)
    first = table.number(rows[0].cells[0])
    if first is not None and not math.isnan(first):
        if kind is None:
            raise InputError(
                "the header does not say what was measured", where=where,
                value=list(rows[0].cells), remedy=f"Say it: quantity=time. Or b{HEADER[1:]}",
            )  # fmt: skip
        header = ("P", *[kind] * (len(rows[0].cells) - 1))
        table = replace(table, rows=(Row(0, header), *rows))
    for row in table.rows[1:]:
        if len(row.cells) != len(table.rows[0].cells):
            wanted = f"expected {len(table.rows[0].cells)} values"
            more = len(row.cells) > len(table.rows[0].cells) and table.separator == ","
            given = ", ".join(row.cells)
            remedy = DECIMALS if more else ""
            raise InputError(wanted, where=table.at(row), value=given, remedy=remedy)
    chosen = chosen_columns(table, part.columns, kind)
    expect_unit(chosen.kind, chosen.unit, table.at(table.rows[0]))
    return _read(table, chosen, named.title)


def _read(table: TextTable, chosen: Chosen, title: str) -> Recorded:
    header, processors, values, clocks = table.rows[0], list[int](), list[float](), False
    for row in chosen.rows:
        P = _processors(table, row, row.cells[chosen.processors])
        for column in chosen.spreads:
            if row.cells[column]:
                table.amount(row, f"the spread {header.cells[column]}", row.cells[column])
        for column in chosen.values:
            cell = row.cells[column]
            if (not cell and len(chosen.values) > 1) or cell.lower() in _NONE:
                continue  # a missing repetition is none
            clock = _clock(cell) if chosen.kind == TIME else None
            clocks = clocks or clock is not None
            value = _value(table, row, chosen.kind, cell) if clock is None else clock
            processors.append(P)
            values.append(value * P if chosen.each else value)
    kind, unit = chosen.kind, "s" if clocks and not chosen.unit else chosen.unit
    if kind == EFFICIENCY:
        scale = 100.0 if unit == "%" or max(values, default=0.0) > 2.0 else 1.0
        values = [value * P / scale for P, value in zip(processors, values, strict=True)]
        kind, unit = SPEEDUP, ""
    unused = tuple(header.cells[column] for column in chosen.spreads)
    return Recorded(
        kind, unit, tuple(processors), tuple(values), unused, chosen.noun, title, chosen.said
    )


def expect_unit(kind: str, unit: str, at: str) -> None:
    """Refuse a unit in which that kind can't be measured."""
    if kind == TIME:
        fits = unit in SECONDS or unit.lower() in TICKS or not unit
        remedy = "Units of times: s, ms, us, µs, ns, min, h, cycles, ticks; or none"
    elif kind == THROUGHPUT:
        fits = unit not in SECONDS and unit.lower() not in _NO_NUMBERS
        remedy = 'A throughput counts per time, e.g. "1/s"; of times say "time (s)"'
    else:
        fits = unit in _NO_UNIT
        remedy = "A speedup is a ratio and has no unit"
    if not fits:
        raise InputError(f"a {kind} can't be in {unit}", where=at, value=unit, remedy=remedy)


def _clock(cell: str) -> float | None:
    """Seconds of 1:03:25.94 or 38:58.46; None: it is no such time."""
    parts = cell.split(":")
    if not 1 < len(parts) <= _CLOCK_PARTS:
        return None
    *whole, last = parts
    if not all(one.strip().isascii() and one.strip().isdigit() for one in whole):
        return None
    tail = last.strip().replace(",", ".")
    if not tail.isascii() or not tail.replace(".", "", 1).isdigit() or float(tail) >= 60.0:
        return None
    seconds = float(tail)
    for power, one in enumerate(reversed(whole), 1):
        seconds += float(one) * 60.0**power
    return seconds


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
    value = _number(table, row, kind, cell.rstrip("%x×") if kind != TIME else cell)
    if not SMALLEST <= value <= LARGEST:
        raise InputError(f"{kind} must be finite and > 0", where=table.at(row), value=cell)
    return value


def _number(table: TextTable, row: Row, what: str, cell: str) -> float:
    value = table.number(cell)
    if value is None or math.isnan(value):
        hint = DECIMALS if "," in cell else "Units belong into the header"
        raise InputError(f"{what} is no number", where=table.at(row), value=cell, remedy=hint)
    return value
