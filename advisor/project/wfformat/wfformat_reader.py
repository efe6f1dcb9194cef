"""WfFormat, the workflow instances of WfCommons, schema 1.0 to 1.6 (docs/files.md).

Read offline and leniently: what a real execution log leaves out is assumed and told as a warning;
what contradicts itself is refused. Schemas up to 1.4 list everything in one place
(`old_schema`); from 1.5 on a specification and an execution are apart. Both become `Record`s,
and those a workload.
"""

from __future__ import annotations

import math
from collections import Counter
from statistics import median
from typing import NamedTuple

from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.quantities import count, duration
from advisor.project.wfformat import old_schema
from advisor.project.wfformat.machines import platform_from
from advisor.project.wfformat.task_memory import task_memory
from advisor.project.wfformat.workflow_files import exchange, few
from advisor.project.wfformat.workflow_record import (
    Json,
    Record,
    Sizes,
    as_number,
    as_object,
    as_objects,
    as_text,
    as_texts,
    command_of,
    program_kind,
)
from machines import InputError, Platform
from machines.formats.fields import suggestion

_FEW, _FAR = 3, 1000.0  # tasks of a kind that tell an outlier, and how many times their median

VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6")


def recognises(document: object) -> bool:
    """Whether a JSON document is meant as WfFormat."""
    return isinstance(document, dict) and "format" not in document and "workflow" in document


class Instance(NamedTuple):
    """What a WfFormat document holds.

    Attributes
    ----------
    workload : Workload
    platform : Platform or None
        The machines listed, without links; None if there are none.
    warnings, platform_warnings : tuple of str
        One sentence for each kind of assumption, with its count: of the workload, and of the
        machines, which matter to whoever takes them.
    ran_on : tuple of str
        The machine that every task ran on, the first of several; "": not told.
    """

    workload: Workload
    platform: Platform | None
    warnings: tuple[str, ...]
    platform_warnings: tuple[str, ...]
    ran_on: tuple[str, ...] = ()


def workload_from(document: object) -> Instance:
    """The workload of a WfFormat document, its machines, and what was assumed.

    Work is the recorded runtime and cores the recorded core count, rounded up. Its files are the
    workload's; those that no task makes lie nowhere stated. A dependency without a file is a flow
    of no bytes.

    Parameters
    ----------
    document : nested dicts and lists
        As read from JSON.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        An unknown version, no tasks, repeated ids, unknown parents, a cycle, or a value that is
        no number.
    """
    parts = parts_of(document)
    doubts: list[str] = []
    platform = platform_from(parts.machines, doubts)
    workload = workload_of(parts.name, parts.records, parts.sizes, parts.warnings, platform)
    _warn_of_speeds(parts.records, platform, parts.warnings)
    ran_on = _ran_on(parts.records, doubts)
    return Instance(workload, platform, tuple(parts.warnings), tuple(doubts), ran_on)


def _ran_on(records: list[Record], doubts: list[str]) -> tuple[str, ...]:
    """The machine of every task; of the few that do not tell it, where most ran."""
    found = [record.ran_on[0] if record.ran_on else "" for record in records]
    untold = found.count("")
    if 0 < 2 * untold < len(found):
        ((most, _),) = Counter(filter(None, found)).most_common(1)
        doubts.append(
            f"Where {untold:,} of {count(len(found), 'task')} ran is not told; taken: {most}, "
            "where most ran"
        )
        found = [one or most for one in found]
    return tuple(found)


def machines_from(document: object) -> tuple[Platform, tuple[str, ...]]:
    """The machines of a WfFormat document, without links, and what was assumed.

    Raises
    ------
    InputError
        As `workload_from`, or it lists none.
    """
    warnings: list[str] = []
    platform = platform_from(parts_of(document).machines, warnings)
    if platform is None:
        raise InputError("the workflow lists no machines", where="workflow")
    return platform, tuple(warnings)


class Parts(NamedTuple):
    """What a document of any version holds; more warnings come while it is understood."""

    name: str
    records: list[Record]
    machines: list[Json]
    sizes: Sizes
    warnings: list[str]


def parts_of(document: object) -> Parts:
    """What a document of any version holds, before it becomes a workload.

    Raises
    ------
    InputError
        An unknown version, no tasks, or a value of the wrong type.
    """
    source = as_object(document, "the document")
    version = str(source.get("schemaVersion", ""))
    if version not in VERSIONS:
        raise InputError(
            "unknown schemaVersion",
            where="WfFormat",
            value=source.get("schemaVersion"),
            remedy=suggestion("", VERSIONS),
        )
    workflow = as_object(source.get("workflow"), "workflow")
    # what a document holds decides, not the number it claims
    split = "specification" in workflow
    sizes, warnings = Sizes(), list[str]()
    if split:
        records, machines = _records(workflow, sizes, warnings)
    else:
        records, machines = old_schema.records(workflow, sizes)
    if not records:
        raise InputError("the workflow has no tasks", where="workflow")
    return Parts(str(source.get("name") or "workflow"), records, machines, sizes, warnings)


def _records(workflow: Json, sizes: Sizes, warnings: list[str]) -> tuple[list[Record], list[Json]]:
    """The tasks and machines of schema 1.5 and 1.6."""
    specification = as_object(workflow["specification"], "specification")
    execution = as_object(workflow.get("execution") or {}, "execution")
    for file in as_objects(specification.get("files"), "files"):
        size = as_number(file.get("sizeInBytes"), "sizeInBytes")
        sizes.add(as_text(file.get("id"), "a file's id"), size)
    runs = _runs(execution, warnings)
    records = []
    for position, task in enumerate(as_objects(specification.get("tasks"), "tasks")):
        ident = as_text(task.get("id", task.get("name")), f"the id of task {position + 1}")
        run = runs.get(ident, {})
        outputs = as_texts(task.get("outputFiles"), ident, "outputFiles")
        records.append(
            Record(
                ident=ident,
                name=as_text(task.get("name", ident), f"the name of task {position + 1}"),
                kind=str(task.get("category") or "") or program_kind(run, task),
                runtime_s=as_number(run.get("runtimeInSeconds"), "runtimeInSeconds", ident),
                cores=as_number(run.get("coreCount"), "coreCount", ident),
                parents=as_texts(task.get("parents"), ident, "parents"),
                children=as_texts(task.get("children"), ident, "children"),
                inputs=as_texts(task.get("inputFiles"), ident, "inputFiles"),
                outputs={file: sizes.known.get(file) for file in outputs},
                ran_on=as_texts(run.get("machines"), ident, "machines"),
                began=run.get("executedAt"),
                memory_bytes=as_number(run.get("memoryInBytes"), "memoryInBytes", ident),
                command=command_of(run),
            )
        )
    unknown = set(runs) - {record.ident for record in records}
    if unknown:
        warnings.append(
            f"The execution names {count(len(unknown), 'task')} that the workflow does not have "
            f"({few(unknown)}): left out"
        )
    return records, as_objects(execution.get("machines"), "machines")


def _runs(execution: Json, warnings: list[str]) -> dict[str, Json]:
    """What is told of each task's run, by id; of several runs the last."""
    runs: dict[str, Json] = {}
    repeated = set()
    for run in as_objects(execution.get("tasks"), "the execution's tasks"):
        ident = as_text(run.get("id"), "the id of a task of the execution")
        if ident in runs:
            repeated.add(ident)
        runs[ident] = run
    if repeated:
        warnings.append(
            f"{count(len(repeated), 'task')} ran more than once ({few(repeated)}): the last run "
            "counts"
        )
    return runs


def _warn_of_speeds(records: list[Record], platform: Platform | None, warnings: list[str]) -> None:
    """Run times of machines that differ are no reference work: how many, and by how much."""
    if platform is None:
        return
    speeds = {machine.name: machine.speed for machine in platform.machines}
    ran = [speeds[name] for record in records for name in record.ran_on[:1] if name in speeds]
    faster = sum(speed > min(ran) for speed in ran)
    if faster:
        warnings.append(
            f"Run times were measured on machines of different speed: {faster} of {len(ran)} tasks "
            f"ran on machines up to {max(ran) / min(ran):.2g} times as fast as the slowest. They "
            "are kept as measured, so that these tasks look shorter than they are"
        )


def workload_of(
    name: str,
    records: list[Record],
    sizes: Sizes,
    warnings: list[str],
    platform: Platform | None = None,
) -> Workload:
    """The workload of records of any origin; what was assumed is added to `warnings`.

    `platform`: the machines that the records name.
    """
    titles = titles_of(records)
    kinds = _kinds(records, titles)
    missing = sum(record.runtime_s is None for record in records)
    idle = sum(record.runtime_s is not None and record.runtime_s <= 0 for record in records)
    if missing or idle:
        counts = [f"{idle} of 0 or less"] * (idle > 0) + [f"{missing} without any"] * (missing > 0)
        warnings.append(
            f"Runtimes are missing: {' and '.join(counts)} of {len(records)} tasks; kept as 0 s"
        )
    warnings += _implausible(records, titles, kinds)
    if len(records) > 1 and not _depends(records):
        warnings.insert(
            0,
            f"None of the {len(records)} tasks waits for another: the file tells no dependencies, "
            "as those of some log parsers; draw flows between tasks that do wait",
        )
    held = task_memory(records, titles, platform, warnings)
    found = exchange(records, _edges(records), sizes, warnings)
    handed = zip(found.reads, found.writes, strict=True)
    tasks = tuple(map(_task, records, titles, kinds, handed, held))
    flows = tuple(Flow(titles[parent], titles[child]) for parent, child in found.bare)
    return Workload(name, tasks, flows, found.files)


def _depends(records: list[Record]) -> bool:
    """Whether any task waits for another, or reads what another writes."""
    made = {file for record in records for file in record.outputs}
    return any(
        record.parents or record.children or any(file in made for file in record.inputs)
        for record in records
    )


def _implausible(records: list[Record], titles: list[str], kinds: list[str]) -> list[str]:
    """Run times that can't be believed."""
    said = []
    by_kind: dict[str, list[float]] = {}
    for record, kind in zip(records, kinds, strict=True):
        if record.runtime_s and record.runtime_s > 0.0:
            by_kind.setdefault(kind, []).append(record.runtime_s)
    for record, title, kind in zip(records, titles, kinds, strict=True):
        alike = by_kind.get(kind, [])
        if record.runtime_s and len(alike) >= _FEW and record.runtime_s > _FAR * median(alike):
            said.append(f"{title} took {duration(record.runtime_s)}, the median of its kind is "
                        f"{duration(median(alike))}: kept, though implausible")  # fmt: skip
    return said


def _task(
    record: Record,
    title: str,
    kind: str,
    handed: tuple[tuple[str, ...], tuple[str, ...]],
    memory_bytes: int | None,
) -> Task:
    cores = 1 if record.cores is None else math.ceil(record.cores)
    if cores < 0:
        raise InputError(
            "coreCount must not be negative", where=f'task "{title}"', value=record.cores
        )
    return Task(
        title,
        work=max(record.runtime_s or 0.0, 0.0),
        cores=max(cores, 1),
        memory_bytes=memory_bytes,
        kind=kind,
        command=record.command,
        reads=handed[0],
        writes=handed[1],
    )


def titles_of(records: list[Record]) -> list[str]:
    """A unique name for every task: its name where no other has it, else its id."""
    idents = [record.ident for record in records]
    _refuse_repeated(idents)
    uses = Counter(record.name for record in records)
    titles = [record.name if uses[record.name] == 1 else record.ident for record in records]
    return titles if len(set(titles)) == len(titles) else idents


def _kinds(records: list[Record], titles: list[str]) -> list[str]:
    """The category, or the name where several tasks share it; else the title tells it."""
    return [
        record.kind or (record.name if record.name != title else "")
        for record, title in zip(records, titles, strict=True)
    ]


def _refuse_repeated(idents: list[str]) -> None:
    ((ident, uses),) = Counter(idents).most_common(1)
    if uses > 1:
        raise InputError("two tasks have one id", where="task", value=ident)


def _edges(records: list[Record]) -> dict[tuple[int, int], None]:
    """(parent, child) positions, each once: children in order, then what only parents tell."""
    known = _references(records)
    edges: dict[tuple[int, int], None] = {}
    for child, record in enumerate(records):
        for name in record.parents:
            edges[_position(known, name, record, "parent"), child] = None
    for parent, record in enumerate(records):
        for name in record.children:
            edges[parent, _position(known, name, record, "child")] = None
    return edges


def _references(records: list[Record]) -> dict[str, int]:
    """How tasks are referred to: by id, or by a name that only one has."""
    uses = Counter(record.name for record in records)
    by_name = {
        record.name: position for position, record in enumerate(records) if uses[record.name] == 1
    }
    return by_name | {record.ident: position for position, record in enumerate(records)}


def _position(known: dict[str, int], name: str, record: Record, kind: str) -> int:
    if name not in known:
        raise InputError(
            f"unknown {kind}",
            where=f'task "{record.ident}"',
            value=name,
            remedy=suggestion(name, known) if len(known) <= 1000 else "No task has this id",
        )
    return known[name]
