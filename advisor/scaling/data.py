"""Measured scaling: numbers of processors with times, speedups or throughputs, from text or CSV.

One line a measurement under a header that says what was measured, e.g. ``P,time (s)``; lines of
the same P, and further columns of the same kind, are repetitions. Cells are separated by
semicolons, tabs, commas or blanks, whichever the header has; empty lines and what follows a ``#``
are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.basics.quantities import duration
from advisor.basics.quantities import number as number_text
from machines.arrays import Floats
from machines.catalogue.shelf import Shelf
from machines.checks import LARGEST, number, whole
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

TIME = "time"
SPEEDUP = "speedup"
THROUGHPUT = "throughput"
KINDS = (TIME, SPEEDUP, THROUGHPUT)

MOST_MEASURED_PROCESSORS = 10**7
_MOST_POINTS = 10_000
_SMALLEST = 1.0 / LARGEST
_LIMIT_BYTES = 4 * MIB
_PROCESSORS = {"p", "n", "processors", "processes", "cores", "cpus", "nodes", "threads", "load"}
_REPETITION = {"repetition", "repetitions", "run", "rep"}
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "min": 60.0,
            "h": 3600.0}  # fmt: skip
# "time (ms)", "time [ms]", "time_ms", "time 2": kind, unit, number of the repetition
_TITLE = re.compile(r"(time|speedup|throughput)s?[\s_]*(?:[(\[](.*)[)\]]|([a-zµμ/]*))[\s_]*\d*")
_HEADER = 'Begin with a header, e.g. "P,time (s)", "P,speedup" or "P,throughput (1/s)"'

Line = tuple[int, list[str]]


@dataclass(frozen=True)
class Measurements:
    """What was measured; ordered by P, repetitions beside each other.

    Attributes
    ----------
    name : str
        What to call them.
    kind : str
        "time", "speedup" or "throughput".
    unit : str
        Of the values; times in s, min … are converted to s, other units kept as they are.
    processors : tuple of int
        P of each measurement.
    values : tuple of float
        What was measured.
    """

    name: str
    kind: str
    unit: str
    processors: tuple[int, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        where = self.name or "measurements"
        if self.kind not in KINDS:
            remedy = "Allowed: " + ", ".join(KINDS)
            raise InputError("unknown kind", where=where, value=self.kind, remedy=remedy)
        if not self.processors or len(self.processors) != len(self.values):
            given = (len(self.processors), len(self.values))
            raise InputError("each P needs one value", where=where, value=given, remedy=_HEADER)
        for P, value in zip(self.processors, self.values, strict=True):
            if whole("P", P, low=1, where=where) > MOST_MEASURED_PROCESSORS:
                remedy = f"Allowed: 1 to {MOST_MEASURED_PROCESSORS:.0e}"
                raise InputError("P is out of range", where=where, value=P, remedy=remedy)
            number(self.kind, value, low=_SMALLEST, where=where)
        order = sorted(range(len(self.processors)), key=self.processors.__getitem__)
        object.__setattr__(self, "processors", tuple(self.processors[i] for i in order))
        object.__setattr__(self, "values", tuple(float(self.values[i]) for i in order))

    @property
    def P(self) -> Floats:
        """Processors of each measurement, shape (points,)."""
        return np.array(self.processors, dtype=np.float64)

    @property
    def X(self) -> Floats:
        """Throughput of each measurement, shape (points,): of a time T it is 1/T."""
        values = np.array(self.values)
        return 1.0 / values if self.kind == TIME else values

    @property
    def rate_unit(self) -> str:
        """Unit of `X`."""
        if self.kind == TIME:
            return f"1/{self.unit}" if self.unit else ""
        return self.unit

    def means(self) -> tuple[Floats, Floats]:
        """(P, mean X) of every different number of processors."""
        different, place = np.unique(self.P, return_inverse=True)
        return different, np.bincount(place, self.X) / np.bincount(place)

    @property
    def rate_of_one(self) -> float | None:
        """Mean throughput measured with one processor; ``None`` if there was no such run."""
        P, X = self.means()
        return float(X[0]) if P[0] == 1.0 else None


def measurements(
    processors: Sequence[int],
    values: Sequence[float],
    kind: str = THROUGHPUT,
    unit: str = "",
    name: str = "",
) -> Measurements:
    """Checked measurements from two lists.

    Parameters
    ----------
    processors : sequence of int
        P of each measurement, ≥ 1, in any order; a repeated P is a repetition.
    values : sequence of float
        Times, speedups or throughputs, > 0.
    kind : {"throughput", "time", "speedup"}
    unit : str
        Of the values.
    name : str
        What to call them.

    Raises
    ------
    InputError
        Lists of different length, P < 1 or not whole, a value that is not > 0.
    """
    factor = _SECONDS.get(unit, 1.0) if kind == TIME else 1.0
    shown = "s" if kind == TIME and unit in _SECONDS else unit
    if factor != 1.0:
        values = [number(kind, value) * factor for value in values]
    return Measurements(name, kind, shown, tuple(processors), tuple(values))


def read_measurements(path: str | Path, kind: str | None = None) -> Measurements:
    """The measurements that a CSV file holds.

    Parameters
    ----------
    path : str or Path
        CSV or text, UTF-8.
    kind : str, optional
        What the second column is, where the file has no header.

    Raises
    ------
    InputError
        Naming the file, the line and the value.
    """
    where = str(path)
    text = decoded(read_bytes(path, _LIMIT_BYTES), where)
    return parse_measurements(text, kind, name=Path(path).stem, where=where)


def parse_measurements(
    text: str, kind: str | None = None, *, name: str = "pasted", where: str = ""
) -> Measurements:
    """The measurements that a text holds, e.g. a pasted part of a spreadsheet.

    Parameters
    ----------
    text : str
        A header and lines of numbers; without a header two columns, P and `kind`.
    kind : str, optional
        What the second column is, where there is no header.
    name, where : str
        What to call the measurements, and the place that messages name.

    Raises
    ------
    InputError
        No header, unknown or mixed columns, no number, P < 1, a value that is not > 0.
    """
    place = where or name
    lines = _lines(text)
    if not lines:
        raise InputError("there are no measurements", where=place, remedy=_HEADER)
    if _is_number(lines[0][1][0]):
        if kind is None:
            raise InputError(
                "nothing says what was measured", where=place, value=lines[0][1], remedy=_HEADER
            )
        lines.insert(0, (0, ["P", *[kind] * (len(lines[0][1]) - 1)]))
    columns, found, unit = _columns(place, lines[0])
    processors, values = [], []
    for line, cells in lines[1:]:
        at = f"{place}: line {line}"
        if len(cells) != len(lines[0][1]):
            wanted = f"expected {len(lines[0][1])} values"
            raise InputError(wanted, where=at, value=", ".join(cells))
        P = _processors(at, cells[columns[0]])
        for column in columns[1:]:
            if cells[column] or len(columns) == 2:  # a missing repetition is none
                processors.append(P)
                values.append(_value(at, found, cells[column]))
    if not values or len(values) > _MOST_POINTS:
        what = "too many measurements" if values else "there are no measurements"
        remedy = f"Allowed: 1 to {_MOST_POINTS}"
        raise InputError(what, where=place, value=len(values), remedy=remedy)
    return measurements(processors, values, found, unit, name)


def amount(data: Measurements, rate: float) -> str:
    """A throughput in words: as a time where times were measured."""
    if data.kind == TIME and data.unit == "s":
        return duration(1.0 / rate)
    value = 1.0 / rate if data.kind == TIME else rate
    unit = data.unit if data.kind == TIME else data.rate_unit
    return f"{number_text(value)} {unit}".rstrip()


MEASUREMENTS = Shelf("measurements", read_measurements, "data set", ".csv")
shipped_names = MEASUREMENTS.names
shipped = MEASUREMENTS.load


def _lines(text: str) -> list[Line]:
    """(line number, cells) of every line that holds something."""
    contents = [
        (number, content)
        for number, line in enumerate(text.splitlines(), 1)
        if (content := line.partition("#")[0].strip(" ")) and content.strip()
    ]
    if not contents:
        return []
    separator = next((mark for mark in ";\t," if mark in contents[0][1]), None)
    return [
        (number, [cell.strip().strip('"').strip() for cell in content.split(separator)])
        for number, content in contents
    ]


def _columns(place: str, header: Line) -> tuple[list[int], str, str]:
    """Columns of P and of the values, what the values are, and their unit."""
    at, found, chosen = f"{place}: line {header[0]}", set(), []
    processors = [i for i, cell in enumerate(header[1]) if cell.lower() in _PROCESSORS]
    for column, cell in enumerate(header[1]):
        if column in processors or cell.lower() in _REPETITION:
            continue
        match = _TITLE.fullmatch(cell.lower())
        if match is None:
            raise InputError("unknown column", where=at, value=cell, remedy=_HEADER)
        start, end = match.span(2) if match[2] is not None else match.span(3)
        found.add((match[1], cell[start:end].strip()))  # as written: MB/s is not mb/s
        chosen.append(column)
    if len(processors) != 1 or not chosen:
        what = "one column must be P" if len(processors) != 1 else "nothing was measured"
        raise InputError(what, where=at, value=", ".join(header[1]), remedy=_HEADER)
    if len(found) > 1:
        mixed = ", ".join(sorted(f"{kind} ({unit})" if unit else kind for kind, unit in found))
        raise InputError(
            "the columns mix kinds or units",
            where=at,
            value=mixed,
            remedy="Give one kind in one unit; further columns of it are repetitions",
        )
    ((kind, unit),) = found
    return [*processors, *chosen], kind, unit


def _processors(at: str, cell: str) -> int:
    value = _number(at, "P", cell)
    if not value.is_integer() or not 1 <= value <= MOST_MEASURED_PROCESSORS:
        raise InputError(
            "P must be a whole number",
            where=at,
            value=cell,
            remedy=f"1 to {MOST_MEASURED_PROCESSORS:.0e}",
        )
    return int(value)


def _value(at: str, kind: str, cell: str) -> float:
    value = _number(at, kind, cell)
    if not _SMALLEST <= value <= LARGEST:
        raise InputError(f"{kind} must be finite and > 0", where=at, value=cell)
    return value


def _number(at: str, what: str, cell: str) -> float:
    if not _is_number(cell):
        hint = "Write decimals with a point" if "," in cell else "Units belong into the header"
        raise InputError(f"{what} is no number", where=at, value=cell, remedy=hint)
    return float(cell)


def _is_number(cell: str) -> bool:
    try:
        return not math.isnan(float(cell))
    except ValueError:
        return False
