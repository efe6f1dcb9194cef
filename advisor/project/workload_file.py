"""The workload file: tasks, flows and files in TOML, or in JSON with the same keys (docs/files.md).

`read_workload` also recognises WfFormat by its content. `workload_from` and `workload_table`
translate between values and nested dicts whatever the syntax; the project file uses them too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.allocation.data_files import DataFile
from advisor.allocation.task import Variant, check_few_variants
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics import json_text
from advisor.basics.content import HEAD_BYTES, JSON, read_content, read_head
from advisor.basics.table_titles import MACHINE
from advisor.overlays.overlay_tables import overlay_from, overlay_table
from advisor.programs.program_table import program_from, program_table
from advisor.project.held_words import held_from, held_table
from advisor.project.registry import source_of
from advisor.project.sources.elsewhere import known_by_its_looks
from advisor.project.sources.source import Source
from advisor.project.task_table import is_table, propose
from advisor.project.task_table_workload import workload_of
from advisor.project.wfformat import wfformat_reader as wfformat
from advisor.scaling.law import scaling_from, scaling_table
from machines import InputError, Platform
from machines.checks import number, whole
from machines.files import decoded, write_text
from machines.formats import toml_text
from machines.formats.fields import (
    Table,
    entry,
    names,
    place,
    required,
    rows,
    table,
    text,
    whole_document,
)
from machines.formats.platform_toml import spread_from, spread_table
from machines.uncertain import plain

FORMAT = "placewise-workload"
VERSION = 1

_WORKLOAD = ("format", "version", "name", "task", "flow", "file", "overlay", "spread")
_TASK = ("name", "work", "seconds", "cores", "memory_bytes", "allowed", "kind", "program",
         "scaling", "reads", "writes", "command", "resources", "memory_bandwidth",
         "variant")  # fmt: skip
_VARIANT = ("name", "work", "seconds", "cores", "memory_bytes", "resources", "memory_bandwidth")
_FLOW = ("from", "to", "data_sets", "seconds")
_FILE = ("name", "bytes", "at")
_ARROW = ">"


@dataclass(frozen=True)
class WorkloadFile:
    """What a workload file holds.

    Attributes
    ----------
    platform : Platform or None
        The machines that a WfFormat file lists; None: it lists none.
    warnings, platform_warnings : tuple of str
        What was assumed or left out while reading: of the workload, and of the machines.
    ran_on : tuple of str
        The machine that every task of an execution ran on; "" where it is not told.
    """

    workload: Workload
    platform: Platform | None = None
    warnings: tuple[str, ...] = ()
    platform_warnings: tuple[str, ...] = ()
    ran_on: tuple[str, ...] = ()


def read_workload(path: str | Path) -> WorkloadFile:
    """The workload in a file of a known kind, told by its content; gzipped or not."""
    where = str(path)
    with known_by_its_looks(read_head(path), where):
        content, syntax = read_content(path)
    source = source_of(content[:HEAD_BYTES])
    if source is not None:
        return _of_source(source, decoded(content, where), where)
    text_ = "" if syntax == JSON else decoded(content, where)
    table = bool(text_) and is_table(text_)
    with known_by_its_looks(content[:HEAD_BYTES], where, table=table):
        if table:
            return _of_table(text_, Path(path))
        if syntax != JSON:
            return WorkloadFile(parse_workload(text_, where))
        with json_text.collector_paused(), place(where):
            document = json_text.parse(content, "")
            if wfformat.recognises(document):
                return WorkloadFile(*wfformat.workload_from(document))
            return WorkloadFile(workload_from(document))


def _of_source(source: Source, text_: str, where: str) -> WorkloadFile:
    """What a file in somebody else's format holds."""
    found = source.read(text_, where)
    if found.workload is None:
        raise InputError(f"a file of {source.title} describes machines, no tasks", where=where,
                         remedy="Open it as a platform, beside a workload")  # fmt: skip
    return WorkloadFile(found.workload, found.platform, found.warnings)


def _of_table(content: str, path: Path) -> WorkloadFile:
    """The tasks of a table from a spreadsheet, named by its file."""
    with place(str(path)):
        proposal = propose(content, "")
        notes = proposal.notes
        if proposal.place(MACHINE) is not None:
            notes = (*notes, "The machines of the table are left out: a workload has no plan.")
        return WorkloadFile(workload_of(proposal, path.name.partition(".")[0]), warnings=notes)


def write_workload(workload: Workload, path: str | Path) -> None:
    """Write the workload, atomically: JSON if the name ends in .json, else TOML."""
    as_json = Path(path).suffix.lower() == ".json"
    write_text(path, dump_json(workload) if as_json else dump_workload(workload))


def parse_workload(text: str, where: str = "workload") -> Workload:
    """The workload in TOML text; `where` names the text in errors."""
    document = toml_text.parse(text, where)
    with place(where):
        return workload_from(document)


def dump_workload(workload: Workload) -> str:
    """TOML text that `parse_workload` reads back to an equal workload."""
    return toml_text.dump(workload_table(workload))


def dump_json(workload: Workload) -> str:
    """The same keys in JSON, one task, flow or file a line."""
    return json_text.dump_rows(workload_table(workload))


def workload_from(document: object) -> Workload:
    """The workload described by nested dicts with the file's keys.

    Raises
    ------
    InputError
        Unknown keys, wrong types, values out of range, unknown or repeated names, cycles.
    """
    source = whole_document(document, _WORKLOAD, FORMAT, VERSION)
    name = required(source, "name", "workload")
    if not isinstance(name, str):
        raise InputError("name must be a text", where="workload", value=name)
    return Workload(
        name,
        tuple(_task(row, position) for position, row in enumerate(rows(source, "task"))),
        tuple(_flow(row, position) for position, row in enumerate(rows(source, "flow"))),
        tuple(_file(row, position) for position, row in enumerate(rows(source, "file"))),
        tuple(
            overlay_from(row, entry("overlay", row, position))
            for position, row in enumerate(rows(source, "overlay"))
        ),
        spread_from(source),
    )


def workload_table(workload: Workload) -> Table:
    """The workload as nested dicts with the file's keys; what is at its default is left out."""
    result: Table = {
        "format": FORMAT,
        "version": VERSION,
        "name": workload.name,
        "task": [_task_table(task) for task in workload.tasks],
        "flow": [_flow_table(flow) for flow in workload.flows],
    }
    if workload.files:
        result["file"] = [_file_table(file) for file in workload.files]
    if workload.overlays:
        result["overlay"] = [overlay_table(overlay) for overlay in workload.overlays]
    return result | spread_table(workload.spread)


def _task(row: object, position: int) -> Task:
    where = entry("task", row, position)
    source = table(row, _TASK, where)
    kind, command = source.get("kind", ""), source.get("command", "")
    name = required(source, "name", where)
    if not isinstance(name, str) or not isinstance(kind, str):
        raise InputError("name and kind must be texts", where=where, value=name)
    if not isinstance(command, str):
        raise InputError("command must be a text", where=where, value=command)
    allowed = source.get("allowed")
    scaling = scaling_from(source["scaling"], where) if "scaling" in source else None
    least = 1 if scaling is None else scaling.least
    return Task(
        name=name,
        **_needs(source, least, where),
        allowed=None if allowed is None else names(allowed, "allowed", where),
        kind=kind,
        program=program_from(source["program"], where) if "program" in source else None,
        scaling=scaling,
        reads=names(source.get("reads", []), "reads", where),
        writes=names(source.get("writes", []), "writes", where),
        command=command,
        variants=_variants(source, where),
    )


def _variants(source: Table, where: str) -> tuple[Variant, ...]:
    every = rows(source, "variant")
    check_few_variants(where, len(every))
    return tuple(_variant(each, where, entry("variant", each, at)) for at, each in enumerate(every))


def _variant(row: object, task: str, own: str) -> Variant:
    where = f"{task}: {own}"
    source = table(row, _VARIANT, where)
    name, found = text(source, "name", where), _needs(source, 1, where)
    with place(task):
        return Variant(name, **found)


def _needs(source: Table, cores: int, where: str) -> dict[str, Any]:
    """Time, cores and what is held, of a task or a variant."""
    return {
        "work": _given(source, "work", number, where),
        "seconds": _seconds(source, where),
        "cores": whole("cores", source.get("cores", cores), low=1, where=where),
        "memory_bytes": _given(source, "memory_bytes", whole, where),
        "memory_bandwidth": _given(source, "memory_bandwidth", number, where),
        **held_from(source, where),
    }


def _seconds(source: Table, where: str) -> tuple[tuple[str, float], ...]:
    """Seconds by machine."""
    return tuple(
        (machine, number(f"seconds on {machine}", value, where=where))
        for machine, value in _by_key(source, where).items()
    )


def _given(source: Table, key: str, read: Callable[..., Any], where: str) -> Any:
    return None if source.get(key) is None else read(key, source[key], where=where)


def _flow(row: object, position: int) -> Flow:
    where = f"flow {position + 1}"
    if isinstance(row, dict) and {"from", "to"} <= row.keys():
        where = f"flow {row['from']} → {row['to']}"
    source = table(row, _FLOW, where)
    first, second = required(source, "from", where), required(source, "to", where)
    if not isinstance(first, str) or not isinstance(second, str):
        raise InputError("from and to must be names of tasks", where=where)
    data_sets = source.get("data_sets", [])
    data_sets = [data_sets] if isinstance(data_sets, str) else data_sets
    if not isinstance(data_sets, list):
        raise InputError("data_sets must be a list", where=where, value=data_sets)
    return Flow(
        first,
        second,
        data_sets=tuple(_data_set(pair, where) for pair in data_sets),
        seconds=tuple(
            (_direction(key, where), number(f"seconds {key}", value, where=where))
            for key, value in _by_key(source, where).items()
        ),
    )


def _file(row: object, position: int) -> DataFile:
    where = entry("file", row, position)
    source = table(row, _FILE, where)
    size = number("bytes", required(source, "bytes", where), where=where)
    return DataFile(
        text(source, "name", where), size, text(source, "at", where) if "at" in source else None
    )


def _by_key(source: Table, where: str) -> Table:
    """The table `seconds`, whose keys are names and not the format's."""
    seconds = source.get("seconds", {})
    if not isinstance(seconds, dict):
        raise InputError("seconds must be a table", where=where, value=seconds)
    return seconds


def _data_set(pair: object, where: str) -> tuple[int, float]:
    pair = [1, pair] if isinstance(pair, str) else pair
    if not isinstance(pair, list) or len(pair) != 2:
        remedy = 'Write [count, bytes], or a size in words: "2 GB"'
        raise InputError("a data set is a pair", where=where, value=pair, remedy=remedy)
    count, size = pair
    return whole("count", count, where=where), number("bytes", size, above=True, where=where)


def _direction(key: str, where: str) -> tuple[str, str]:
    first, arrow, second = key.partition(_ARROW)
    if not arrow or not first or not second or _ARROW in second:
        raise InputError(
            "seconds of a flow are by direction",
            where=where,
            value=key,
            remedy='Write "M1>M2" = 7.0; names of machines there may not contain ">"',
        )
    return first, second


def _task_table(task: Task) -> Table:
    result = _timed_table(task)
    if task.cores != (1 if task.scaling is None else task.scaling.least):
        result["cores"] = task.cores
    _add_memory(result, task)
    if task.allowed is not None:
        result["allowed"] = list(task.allowed)
    if task.kind:
        result["kind"] = task.kind
    if task.program is not None:
        result["program"] = program_table(task.program)
    if task.scaling is not None:
        result["scaling"] = scaling_table(task.scaling)
    more = {
        "reads": list(task.reads),
        "writes": list(task.writes),
        "command": task.command,
        "resources": held_table(task),
        "variant": [_variant_table(one) for one in task.variants],
    }
    return result | {key: value for key, value in more.items() if value}


def _add_memory(result: Table, one: Task | Variant) -> None:
    if one.memory_bytes is not None:
        result["memory_bytes"] = one.memory_bytes
    if one.memory_bandwidth is not None:
        result["memory_bandwidth"] = plain(one.memory_bandwidth)


def _timed_table(one: Task | Variant) -> Table:
    """Name and time of a task or variant."""
    result: Table = {"name": one.name}
    if one.work is not None:
        result["work"] = plain(one.work)
    if one.seconds:
        result["seconds"] = {machine: plain(seconds) for machine, seconds in one.seconds}
    return result


def _variant_table(variant: Variant) -> Table:
    result = _timed_table(variant)
    result["cores"] = variant.cores
    _add_memory(result, variant)
    if variant.resources:
        result["resources"] = held_table(variant)
    return result


def _file_table(file: DataFile) -> Table:
    at = {} if file.at is None else {"at": file.at}
    return {"name": file.name, "bytes": plain(file.size_bytes), **at}


def _flow_table(flow: Flow) -> Table:
    result: Table = {"from": flow.source, "to": flow.target}
    if flow.data_sets:
        result["data_sets"] = [[count, plain(size)] for count, size in flow.data_sets]
    if flow.seconds:
        result["seconds"] = {
            _direction_key(*direction): plain(seconds) for direction, seconds in flow.seconds
        }
    return result


def _direction_key(first: str, second: str) -> str:
    key = f"{first}{_ARROW}{second}"
    _direction(key, f"flow seconds {key}")
    return key
