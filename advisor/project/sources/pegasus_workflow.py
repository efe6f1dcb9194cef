"""Pegasus 5 abstract workflows: jobs in YAML with profiles, files and dependencies."""

from __future__ import annotations

import re

from advisor.project.sources.source import Graph, Source, plain, quantity
from advisor.project.sources.yaml_documents import a_list, a_table, document
from advisor.project.wfformat.wfformat_reader import workload_of
from advisor.project.wfformat.workflow_record import Record, Sizes
from machines import InputError

_HEAD = re.compile(rb"^(?:pegasus|x-pegasus)\s*:", re.MULTILINE)
_JOBS = re.compile(rb"^(?:jobs|jobDependencies)\s*:", re.MULTILINE)
_MB = 1_000_000


def _read(text: str, where: str) -> Graph:
    source, sizes = document(text, where), Sizes()
    parents: dict[str, list[str]] = {}
    for one in a_list(source.get("jobDependencies"), "jobDependencies", where):
        row = a_table(one, "a dependency", where)
        for child in a_list(row.get("children"), "children", where):
            parents.setdefault(str(child), []).append(str(row.get("id")))
    jobs = [a_table(one, "a job", where) for one in a_list(source.get("jobs"), "jobs", where)]
    if not jobs:
        raise InputError("the workflow has no jobs", where=where)
    records = [_record(job, parents, sizes, where) for job in jobs]
    warnings: list[str] = []
    workload = workload_of(plain(str(source.get("name") or "workflow")), records, sizes, warnings)
    return Graph(workload, None, tuple(warnings))


def _record(
    job: dict[str, object], parents: dict[str, list[str]], sizes: Sizes, where: str
) -> Record:
    ident = str(job.get("id") or job.get("name") or "")
    place = f'{where}, job "{ident}"'
    if not ident:
        raise InputError("a job has neither id nor name", where=where)
    inputs: list[str] = []
    outputs: dict[str, float | None] = {}
    for one in a_list(job.get("uses"), "uses", place):
        use = a_table(one, "a file", place)
        file, given = str(use.get("lfn", "")), use.get("size")
        size = None if given is None else quantity(given, "size", place)
        sizes.add(file, size)
        if use.get("type") == "input":
            inputs.append(file)
        elif use.get("type") == "output":
            outputs[file] = size
    profiles = a_table(job.get("profiles") or {}, "profiles", place)
    asked = a_table(profiles.get("pegasus") or {}, "profiles.pegasus", place)
    told = {key: quantity(asked[key], key, place)
            for key in ("runtime", "cores", "memory") if key in asked}  # fmt: skip
    name = str(job.get("name") or ident)
    return Record(
        ident=ident,
        name=name,
        kind=name,
        runtime_s=told.get("runtime"),
        cores=told.get("cores"),
        parents=tuple(parents.get(ident, ())),
        children=(),
        inputs=tuple(dict.fromkeys(inputs)),
        outputs=outputs,
        memory_bytes=told["memory"] * _MB if "memory" in told else None,
        command=" ".join([name, *map(str, a_list(job.get("arguments"), "arguments", place))]),
    )


SOURCE = Source(
    "pegasus",
    "Pegasus workflow",
    (".yml", ".yaml"),
    lambda head: bool(_HEAD.search(head) and _JOBS.search(head)),
    _read,
)
