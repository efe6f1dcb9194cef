"""Measured scaling: numbers of processors with times, speedups or throughputs, from text or file.

A table (`advisor.scaling.measurement_table`), what Extra-P reads (`advisor.scaling.extrap_file`) or
a folder of logs (`advisor.scaling.log_folder`); which of them is told by the content.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from advisor.basics.quantities import count, takes_prefix
from advisor.scaling.column_titles import KINDS, SECONDS, SPEEDUP, THROUGHPUT, TIME
from advisor.scaling.extrap_file import is_extrap, recorded_by_extrap
from advisor.scaling.log_folder import recorded_in_logs
from advisor.scaling.measurement_table import (
    HEADER,
    MOST_MEASURED_PROCESSORS,
    SMALLEST,
    Part,
    Recorded,
    expect_unit,
    recorded_in_table,
)
from machines.arrays import Floats
from machines.catalogue.shelf import Catalogue
from machines.checks import number, whole
from machines.errors import InputError
from machines.files import MIB, decoded, is_folder, read_bytes

__all__ = [
    "KINDS",
    "MEASUREMENTS",
    "MOST_MEASURED_PROCESSORS",
    "PARAMETER",
    "SPEEDUP",
    "STRONG",
    "THROUGHPUT",
    "TIME",
    "WEAK",
    "Measurements",
    "Part",
    "expect_scaling",
    "measurements",
    "parse_measurements",
    "read_measurements",
    "shipped",
    "shipped_names",
]

STRONG, WEAK, PARAMETER = SCALINGS = ("strong", "weak", "parameter")
"""What stays the same: the work; the work of each processor; the number is none of processors."""

_MOST_POINTS = 10_000
_LIMIT_BYTES = 4 * MIB
_ALIKE = 1e-12  # share of a value below which times are one


@dataclass(frozen=True)
class Measurements:
    """What was measured; ordered by P, repetitions beside each other."""

    name: str  # what to call them
    kind: str  # "time", "speedup" or "throughput"
    unit: str  # of the values; times in s, min … are converted to s, other units kept as they are
    processors: tuple[int, ...]  # P of each measurement
    values: tuple[float, ...]  # what was measured
    unused: tuple[str, ...] = ()  # columns of the file that have no say: spreads
    noun: str = "processors"  # what P counts: "nodes"; of another parameter its name
    scaling: str = ""  # STRONG, WEAK or PARAMETER where the file says it
    said: tuple[str, ...] = ()  # how the file was read, where it could be read otherwise

    def __post_init__(self) -> None:
        where = self.name or "measurements"
        if self.kind not in KINDS:
            remedy = "Allowed: " + ", ".join(KINDS)
            raise InputError("unknown kind", where=where, value=self.kind, remedy=remedy)
        if not self.processors or len(self.processors) != len(self.values):
            given = (len(self.processors), len(self.values))
            raise InputError("each P needs one value", where=where, value=given, remedy=HEADER)
        for P, value in zip(self.processors, self.values, strict=True):
            if whole("P", P, low=1, where=where) > MOST_MEASURED_PROCESSORS:
                remedy = f"Allowed: 1 to {MOST_MEASURED_PROCESSORS:.0e}"
                raise InputError("P is out of range", where=where, value=P, remedy=remedy)
            number(self.kind, value, low=SMALLEST, where=where)
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

    def counted(self, P: int) -> str:
        """So many processors, as they are called: "1 node", "x = 20"."""
        if self.scaling == PARAMETER:
            return f"{self.noun} = {P:,}"
        return count(P, self.noun.removesuffix("s"), self.noun)

    @property
    def rate_unit(self) -> str:
        """Unit of `X`."""
        if self.kind == TIME:
            return f"1/{self.unit}" if self.unit else ""
        return self.unit

    @property
    def demand_unit(self) -> str:
        """Unit of the time that one of what is counted takes: of a throughput's reciprocal."""
        over, _, below = self.unit.partition("/")
        if self.kind == TIME:
            return self.unit
        if not below:
            return self.unit and f"1/{self.unit}"
        if over == "1":
            return below
        return f"{below}/{over}" if takes_prefix(over) else f"{below} per {_single(over)}"

    @property
    def told(self) -> tuple[str, str]:
        """What a result is told as, with its unit: a time where times were, else a throughput."""
        return (TIME, self.unit) if self.kind == TIME else (THROUGHPUT, self.rate_unit)

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

    `processors`: P of each measurement, ≥ 1, in any order; a repeated P is a repetition.
    `values`: times, speedups or throughputs, > 0.
    `kind`: {"throughput", "time", "speedup"}.
    `unit`: of the values.
    `name`: what to call them.
    """
    if kind in KINDS:
        expect_unit(kind, unit, name or "measurements")
    factor = SECONDS.get(unit, 1.0) if kind == TIME else 1.0
    shown = "s" if kind == TIME and unit in SECONDS else unit
    if factor != 1.0:
        values = [number(kind, value) * factor for value in values]
    return Measurements(name, kind, shown, tuple(processors), tuple(values))


def read_measurements(
    path: str | Path, kind: str | None = None, part: Part | None = None
) -> Measurements:
    """The measurements that a file or a folder of logs holds.

    `path`: CSV, Markdown, text, JSON or JSON lines, UTF-8; an experiment of Extra-P; a folder with
    a log of each run. `kind`: what the values are, where the file does not say. `part`: which part
    of them is meant.
    """
    where = str(path)
    if is_folder(path):
        return _checked(recorded_in_logs(Path(path)), Path(path).name, where)
    text = text_of(path)
    return parse_measurements(text, kind, name=Path(path).stem, where=where, part=part)


def text_of(path: str | Path) -> str:
    """The text of a file; of an experiment of Extra-P the JSON inside."""
    content, where = read_bytes(path, _LIMIT_BYTES), str(path)
    if not content.startswith(b"PK"):
        return decoded(content, where)
    remedy = "Export it from Extra-P as JSON, or give the experiment itself"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            (entry,) = (one for one in archive.infolist() if one.filename.endswith(".json"))
            if entry.file_size > _LIMIT_BYTES:
                raise InputError("the experiment inside is too large", where=where,
                                 value=entry.file_size, remedy=remedy)  # fmt: skip
            return decoded(archive.read(entry), where)
    except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError, EOFError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "this archive is no experiment of Extra-P", where=where, remedy=remedy
        ) from error


def parse_measurements(
    text: str,
    kind: str | None = None,
    *,
    name: str = "pasted",
    where: str = "",
    part: Part | None = None,
) -> Measurements:
    """The measurements that a text holds, e.g. a pasted part of a spreadsheet.

    `text`: a header and lines of numbers; without a header two columns, P and `kind`. Or what
        Extra-P reads.
    `kind`: what the values are, where the text does not say.
    `name`, `where`: what to call the measurements, and the place that messages name.
    `part`: of several tables, columns, regions, metrics and parameters.
    """
    place, meant = where or name, part or Part()
    if is_extrap(text):
        found = recorded_by_extrap(text, kind, place, meant)
    else:
        found = recorded_in_table(text, kind, place, meant)
    return _checked(found, name, place)


def _checked(found: Recorded, name: str, place: str) -> Measurements:
    """What was recorded, ordered and converted."""
    if not found.values or len(found.values) > _MOST_POINTS:
        what = "too many measurements" if found.values else "there are no measurements"
        remedy = f"Allowed: 1 to {_MOST_POINTS}"
        raise InputError(what, where=place, value=len(found.values), remedy=remedy)
    data = measurements(found.processors, found.values, found.kind, found.unit, name)
    said = f"{name} {found.title}".lower()
    known = [one for one in (WEAK, STRONG) if one in said]
    return replace(
        data, unused=found.unused, said=found.said, noun=found.noun or found.title,
        scaling=(known[0] if len(known) == 1 else "") if found.noun else PARAMETER,
    )  # fmt: skip


def expect_scaling(data: Measurements) -> None:
    """Refuse measurements that say nothing of scaling."""
    last = data.processors[-1]
    if data.processors[0] == last:
        raise InputError(
            "only one number of processors was measured: nothing says how it scales",
            where=data.name, value=last, remedy="Measure at three or more different P",
        )  # fmt: skip
    least, most = min(data.values), max(data.values)
    if most - least <= _ALIKE * most:
        many = {TIME: "times", SPEEDUP: "speedups", THROUGHPUT: "throughputs"}[data.kind]
        few = data.processors[0]
        raise InputError(
            f"all {many} are equal from P = {few} to {last}: more processors bring nothing",
            where=data.name, value=data.values[0],
            remedy=f"P = {few} does; if the values were rounded, give all their digits",
        )  # fmt: skip


def _single(words: str) -> str:
    """One of what is counted: "scripts" → "script"."""
    for ending, one in (("sses", "ss"), ("ies", "y"), ("ss", "ss"), ("s", "")):
        if words.endswith(ending):
            return words.removesuffix(ending) + one
    return words


def as_measured(data: Measurements, rate: float) -> float:
    """A throughput as what was measured: a time where times were."""
    return 1.0 / rate if data.kind == TIME else rate


MEASUREMENTS = Catalogue("measurements", read_measurements, "data set", ".csv")
shipped_names = MEASUREMENTS.names
shipped = MEASUREMENTS.load
