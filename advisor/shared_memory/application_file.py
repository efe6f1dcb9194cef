"""The file of a shared-memory application: operations and phases in TOML (docs/dvsm.md).

The counts may stand in a CSV file beside it instead (`application_counts`), as an instrumented run
writes them. `application_from` and `application_table` are exact inverses.

Counts of a shared-memory application as CSV: one row for each phase and processor.

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
from pathlib import Path, PurePosixPath

from advisor.basics import csv_text
from advisor.models.dvsm_application import KINDS
from advisor.shared_memory.phases import Application, Inputs, Load, OperationKind, Phase
from machines.catalogue.shelf import Catalogue
from machines.checks import LARGEST, number, repeated, text, whole, written_number
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes, write_text
from machines.formats import toml_text
from machines.formats.fields import (
    Table,
    entry,
    names,
    place,
    required,
    rows,
    suggestion,
    table,
    whole_document,
)

FORMAT = "placewise-application"
VERSION = 1

_LIMIT_BYTES = 64 * MIB
_KEYS = ("format", "version", "name", "sequential_us", "networks", "source", "assumed")
_LISTS = ("counts", "operation", "phase")
_LOAD = ("processors", "busy_us", "counts")


def read_application(path: str | Path) -> Application:
    """The application in a file, with its counts where they stand in another."""
    where = str(path)
    document = toml_text.parse(decoded(read_bytes(path, _LIMIT_BYTES), where), where)
    with place(where):
        source = whole_document(document, (*_KEYS, *_LISTS), FORMAT, VERSION)
        if "counts" not in source:
            return application_from(source)
        beside = Path(path).parent / _file_name(source["counts"])
    counts = decoded(read_bytes(beside, _LIMIT_BYTES), str(beside))
    with place(where):
        if "phase" in source:
            raise InputError("counts and [[phase]] say the same", remedy="Leave one of them out")
        operations = _operations(source)
    phases = parse_counts(counts, [kind.name for kind in operations], str(beside))
    with place(where):
        return _application(source, operations, phases)


APPLICATIONS = Catalogue(
    "applications", read_application, "application", titled=lambda application: application.name
)
application_names = APPLICATIONS.names
shipped_application = APPLICATIONS.load


def write_application(
    application: Application, path: str | Path, counts: str | None = None
) -> None:
    """Write the application, atomically.

    `path`: the TOML file. `counts`: name of a CSV file beside it for the counts; ``None``: they
    stand in the TOML file.
    """
    document = application_table(application)
    if counts is not None:
        del document["phase"]
        with place(str(path)):
            beside = Path(path).parent / _file_name(counts)
        operations = [kind.name for kind in application.operations]
        write_text(beside, dump_counts(application.phases, operations))
        document["counts"] = counts
    write_text(path, toml_text.dump(document))


def parse_application(content: str, where: str = "application") -> Application:
    """The application in TOML text that holds its counts; `where` names the text in errors."""
    document = toml_text.parse(content, where)
    with place(where):
        return application_from(whole_document(document, (*_KEYS, *_LISTS), FORMAT, VERSION))


def dump_application(application: Application) -> str:
    """TOML text that `parse_application` reads back to an equal application."""
    return toml_text.dump(application_table(application))


def application_from(document: object) -> Application:
    """The application described by nested dicts with the file's keys."""
    source = table(document, (*_KEYS, "operation", "phase"), "")
    operations = _operations(source)
    phases = tuple(_phase(row, position) for position, row in enumerate(rows(source, "phase")))
    return _application(source, operations, phases)


def application_table(application: Application) -> Table:
    """Nested dicts with the file's keys; what is at its default is left out."""
    result: Table = {
        "format": FORMAT,
        "version": VERSION,
        "name": application.name,
        "sequential_us": float(application.sequential_time),
    }
    for key in ("networks", "assumed"):
        if value := getattr(application, key):
            result[key] = list(value)
    if application.source:
        result["source"] = application.source
    result["operation"] = [_operation_table(kind) for kind in application.operations]
    result["phase"] = [_phase_table(phase) for phase in application.phases]
    return result


def _application(
    source: Table, operations: tuple[OperationKind, ...], phases: tuple[Phase, ...]
) -> Application:
    return Application(
        name=text("name", required(source, "name", "")),
        sequential_time=number("sequential_us", required(source, "sequential_us", ""), above=True),
        operations=operations,
        phases=phases,
        networks=names(source.get("networks", []), "networks", ""),
        source=text("source", source.get("source", ""), empty=True),
        assumed=names(source.get("assumed", []), "assumed", ""),
    )


def _operations(source: Table) -> tuple[OperationKind, ...]:
    return tuple(
        _operation(row, position) for position, row in enumerate(rows(source, "operation"))
    )


def _operation(row: object, position: int) -> OperationKind:
    where = entry("operation", row, position)
    known = {name for kind in KINDS.values() for name in kind.arguments}
    kind = row.get("kind") if isinstance(row, dict) else None
    if isinstance(kind, str) and kind in KINDS:
        known = set(KINDS[kind].arguments)
    source = table(row, ("name", "kind", "measured", *sorted(known)), where)
    kind = text("kind", required(source, "kind", where), where=where)
    if kind not in KINDS:
        remedy = suggestion(kind, KINDS)
        raise InputError("unknown kind of operation", where=where, value=kind, remedy=remedy)
    measured = source.get("measured", {})
    if not isinstance(measured, dict):
        raise InputError("measured must be a table of networks", where=where, value=measured)
    return OperationKind(
        name=text("name", required(source, "name", where), where=where),
        kind=kind,
        inputs=_inputs({key: value for key, value in source.items() if key in known}, where),
        measured=tuple(
            (network, _inputs(table(values, known, f"{where}, {network}"), f"{where}, {network}"))
            for network, values in measured.items()
        ),
    )


def _inputs(source: Table, where: str) -> Inputs:
    """Numbers as they stand: their ranges are the operation's business."""
    return tuple(
        (name, value if isinstance(value, int) and not isinstance(value, bool)
         else number(name, value, low=-LARGEST, where=where))
        for name, value in source.items()
    )  # fmt: skip


def _phase(row: object, position: int) -> Phase:
    where = entry("phase", row, position)
    source = table(row, ("name", "repeat", "load"), where)
    loads: dict[int, Load] = {}
    given = rows(source, "load")
    for at, load in enumerate(given, 1):
        inside = f"{where}, load {at}"
        values = table(load, _LOAD, inside)
        counts = values.get("counts", {})
        if not isinstance(counts, dict):
            raise InputError("counts must be a table of operations", where=inside, value=counts)
        shared = Load(
            number("busy_us", values.get("busy_us", 0.0), where=inside),
            tuple((name, number(name, count, where=inside)) for name, count in counts.items()),
        )
        for processor in _processors(values, inside):
            if processor in loads:
                raise InputError(f"processor {processor} has two loads", where=inside)
            loads[processor] = shared
    missing = next((i for i in range(len(loads)) if i not in loads), None)
    if missing is not None:
        raise InputError(
            f"processor {missing} has no load",
            where=where,
            remedy="Processors are numbered from 0",
        )
    return Phase(
        name=text("name", source.get("name", f"{position + 1}"), where=where),
        repeat=whole("repeat", source.get("repeat", 1), low=1, where=where),
        loads=tuple(loads[i] for i in range(len(loads))),
    )


def _processors(source: Table, where: str) -> list[int]:
    """The processors that a load is of: a list of numbers."""
    value = required(source, "processors", where)
    if not isinstance(value, list) or not value:
        raise InputError(
            "processors must be a list of numbers", where=where, value=value, remedy="[0, 1, 2]"
        )
    return [whole("processor", one, where=where) for one in value]


def _operation_table(kind: OperationKind) -> Table:
    result: Table = {"name": kind.name, "kind": kind.kind, **dict(kind.inputs)}
    if kind.measured:
        result["measured"] = {network: dict(inputs) for network, inputs in kind.measured}
    return result


def _phase_table(phase: Phase) -> Table:
    together: dict[Load, list[int]] = {}
    for processor, load in enumerate(phase.loads):
        together.setdefault(load, []).append(processor)
    loads: list[Table] = []
    for load, processors in together.items():
        row: Table = {"processors": processors, "busy_us": float(load.busy)}
        if load.counts:
            row["counts"] = {name: float(count) for name, count in load.counts}
        loads.append(row)
    return {"name": phase.name, "repeat": phase.repeat, "load": loads}


def _file_name(value: object) -> str:
    """A name without folders: the counts stand beside their application."""
    name = text("counts", value)
    if PurePosixPath(name).name != name or "\\" in name or name in {".", ".."}:
        raise InputError(
            "counts is the name of a file in the same folder",
            value=name,
            remedy="Leave folders out",
        )
    return name


COLUMNS = ("phase", "repeat", "processor", "busy_us")
MOST_COUNTED_PROCESSORS = 4096

_DIGITS = re.compile(r"[0-9]{1,9}")


def parse_counts(text: str, operations: Iterable[str], where: str) -> tuple[Phase, ...]:
    """The phases that CSV text describes, in the order in which they are first named.

    `text`: CSV with a header line. `operations`: names of the operations; each further column is
    one of them, absent ones are 0. `where`: what to call the text in messages.
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
