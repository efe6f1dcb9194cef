"""Counts of a shared-memory application as CSV: one row for each phase and processor.

What an instrumented run writes at every barrier. Columns: ``phase, repeat, processor, busy_us``,
then one for each operation. Rows in any order, and the header again wherever the file of the next
processor begins, so that the files of all processors may simply be joined.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from advisor.basics import csv_text
from advisor.shared_memory.application import Load, Phase
from machines.checks import LARGEST, repeated, written_number
from machines.errors import InputError
from machines.formats.fields import suggestion

COLUMNS = ("phase", "repeat", "processor", "busy_us")
MOST_COUNTED_PROCESSORS = 4096

_DIGITS = re.compile(r"[0-9]{1,9}")


def parse_counts(text: str, operations: Iterable[str], where: str) -> tuple[Phase, ...]:
    """The phases that CSV text describes, in the order in which they are first named.

    Parameters
    ----------
    text : str
        CSV with a header line.
    operations : iterable of str
        Names of the operations; each further column is one of them, absent ones are 0.
    where : str
        What to call the text in messages.

    Raises
    ------
    InputError
        Naming the line, the column and the value.
    """
    known = tuple(operations)
    header: list[str] = []
    found: dict[str, _Rows] = {}
    for line, cells in csv_text.cells(text, where):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped) or stripped == header:
            continue
        place = f"{where}: line {line}"
        if not header:
            header = _header(stripped, known, place)
            continue
        if len(stripped) != len(header):
            raise InputError(f"expected {len(header)} values", where=place, value=",".join(cells))
        _add(found, dict(zip(header, stripped, strict=True)), place)
    if not found:
        raise InputError(
            "there are no counts", where=where, remedy="Expected: " + ",".join(COLUMNS)
        )
    return tuple(rows.phase(where) for rows in found.values())


def dump_counts(phases: Sequence[Phase], operations: Sequence[str]) -> str:
    """CSV text that `parse_counts` reads back to equal phases."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *operations])
    for phase in phases:
        for processor, load in enumerate(phase.loads):
            counts = dict(load.counts)
            cells = [repr(float(counts.get(name, 0.0))) for name in operations]
            writer.writerow([phase.name, phase.repeat, processor, repr(float(load.busy)), *cells])
    return text.getvalue()


@dataclass
class _Rows:
    """The rows of one phase while the file is read."""

    name: str
    repeat: int
    loads: dict[int, Load] = field(default_factory=dict)

    def phase(self, where: str) -> Phase:
        processors = len(self.loads)
        missing = next((i for i in range(processors) if i not in self.loads), None)
        if missing is not None:
            raise InputError(
                f"processor {missing} has no row",
                where=f'{where}: phase "{self.name}"',
                remedy="Processors are numbered from 0",
            )
        return Phase(self.name, self.repeat, tuple(self.loads[i] for i in range(processors)))


def _header(cells: list[str], operations: Sequence[str], place: str) -> list[str]:
    if tuple(cells[: len(COLUMNS)]) != COLUMNS:
        raise InputError(
            "this is not the header of counts",
            where=place,
            value=",".join(cells),
            remedy="Expected: " + ",".join(COLUMNS) + ", then the operations",
        )
    further = cells[len(COLUMNS) :]
    for name in further:
        if name not in operations:
            remedy = suggestion(name, operations)
            raise InputError("unknown operation", where=place, value=name, remedy=remedy)
    twice = repeated(further)
    if twice is not None:
        raise InputError("this column appears twice", where=place, value=twice)
    return cells


def _add(found: dict[str, _Rows], cells: dict[str, str], place: str) -> None:
    name, repeat = cells["phase"], _whole(cells, "repeat", place)
    processor = _whole(cells, "processor", place)
    if not name:
        raise InputError("phase has no name", where=place)
    if processor >= MOST_COUNTED_PROCESSORS:
        remedy = f"Allowed: 0 to {MOST_COUNTED_PROCESSORS - 1}"
        raise InputError(
            "the processor is out of range", where=place, value=processor, remedy=remedy
        )
    rows = found.setdefault(name, _Rows(name, repeat))
    if rows.repeat != repeat:
        remedy = f'Phase "{name}" has {rows.repeat} further up'
        raise InputError("repeat differs within a phase", where=place, value=repeat, remedy=remedy)
    if processor in rows.loads:
        raise InputError(f'processor {processor} appears twice in phase "{name}"', where=place)
    counts = ((key, _amount(cells, key, place)) for key in cells if key not in COLUMNS)
    rows.loads[processor] = Load(
        _amount(cells, "busy_us", place), tuple((key, count) for key, count in counts if count)
    )


def _whole(cells: dict[str, str], column: str, place: str) -> int:
    if not _DIGITS.fullmatch(cells[column]):
        raise InputError(f"{column} must be a whole number", where=place, value=cells[column])
    return int(cells[column])


def _amount(cells: dict[str, str], column: str, place: str) -> float:
    value = written_number(cells[column])
    if value is None:
        raise InputError(f"{column} is no number", where=place, value=cells[column])
    if not 0.0 <= value <= LARGEST:  # false for NaN, too
        raise InputError(f"{column} must be finite and ≥ 0", where=place, value=cells[column])
    return value
