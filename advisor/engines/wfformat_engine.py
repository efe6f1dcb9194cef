"""WfFormat 1.5: the workflow with the plan as its execution, as if it had run as predicted.

Read by WfCommons, WRENCH and others, which take 1.5 and mostly no other version. The schema's ids
are letters, digits and ``-_.``; names are free. Every flow of data without a name becomes a file of
its own. A plan has no date: its execution begins with 1970.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from advisor.allocation.plan_jobs import Job, Jobs, is_host
from advisor.basics.slugs import unique_slugs
from advisor.engines.engine import Engine
from advisor.project.wfformat.wfformat_reader import workload_from
from advisor.runs.logs.wfformat_log import PREDICTED
from machines.errors import InputError

VERSION = "1.5"
_ZERO = datetime(1970, 1, 1, tzinfo=UTC)
_ID = re.compile(r"[0-9a-zA-Z._-]+")


class Said(NamedTuple):
    """What is told of a task."""

    name: str
    kind: str
    machine: str
    cores: int
    command: str
    start_s: float
    seconds: float
    after: tuple[str, ...]


def render(jobs: Jobs) -> str:
    """The JSON text."""
    ids = _file_ids(jobs)
    sizes = dict(jobs.files) | {_flow_name(jobs, one): one[2] for one in _data(jobs)}
    document = {
        "name": jobs.name or "plan",
        "description": PREDICTED,
        "schemaVersion": VERSION,
        "workflow": {
            "specification": {
                "tasks": _tasks(jobs, ids),
                "files": [
                    {"id": ids[name], "sizeInBytes": round(size)} for name, size in sizes.items()
                ],
            },
            "execution": {
                "makespanInSeconds": jobs.makespan_s,
                "executedAt": _instant(0.0),
                "tasks": [_run(job) for job in jobs.jobs],
                "machines": [
                    {"nodeName": name, "cpu": {"coreCount": cores}}
                    for name, _, cores in jobs.machines
                ],
            },
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _tasks(jobs: Jobs, ids: dict[str, str]) -> list[dict[str, object]]:
    """The tasks of the specification, with who follows each and what flows between them."""
    children: list[list[str]] = [[] for _ in jobs.jobs]
    for job in jobs.jobs:
        for one in job.after:
            children[one].append(job.slug)
    read = [list(job.reads) for job in jobs.jobs]
    written = [list(job.writes) for job in jobs.jobs]
    for flow in _data(jobs):
        written[flow[0]].append(_flow_name(jobs, flow))
        read[flow[1]].append(_flow_name(jobs, flow))
    return [
        {
            "name": job.name,
            "id": job.slug,
            "category": job.kind,
            "parents": [jobs.jobs[one].slug for one in job.after],
            "children": following,
            "inputFiles": [ids[name] for name in inputs],
            "outputFiles": [ids[name] for name in outputs],
        }
        for job, following, inputs, outputs in zip(jobs.jobs, children, read, written, strict=True)
    ]


def _run(job: Job) -> dict[str, object]:
    command = {"command": {"program": job.command}} if job.command else {}
    return {
        "id": job.slug,
        "executedAt": _instant(job.start_s),
        "runtimeInSeconds": job.seconds,
        **command,
        "coreCount": job.cores,
        "priority": job.priority,
        "machines": [job.machine],
    }


def says(jobs: Jobs) -> list[Said]:
    """What is told of the tasks, in the plan's order."""
    return [
        Said(
            job.name,
            job.kind,
            job.machine,
            job.cores,
            job.command,
            _seconds(_instant(job.start_s)),
            job.seconds,
            tuple(sorted(jobs.jobs[one].name for one in job.after)),
        )
        for job in jobs.jobs
    ]


def parse(text: str) -> list[Said]:
    """What a text tells of the tasks; the graph and the names as our importer reads them."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", where="WfFormat") from None
    workload = workload_from(document).workload
    parents: dict[str, list[str]] = {task.name: [] for task in workload.tasks}
    for edge in workload.edges:
        parents[edge.target].append(edge.source)
    try:
        runs = {one["id"]: one for one in document["workflow"]["execution"]["tasks"]}
        idents = [one["id"] for one in document["workflow"]["specification"]["tasks"]]
        return [
            Said(
                task.name,
                task.kind,
                runs[ident]["machines"][0],
                task.cores,
                runs[ident].get("command", {}).get("program", ""),
                _seconds(runs[ident]["executedAt"]),
                runs[ident]["runtimeInSeconds"],
                tuple(sorted(parents[task.name])),
            )
            for task, ident in zip(workload.tasks, idents, strict=True)
        ]
    except (KeyError, TypeError, AttributeError, IndexError, ValueError):
        raise InputError("the execution does not tell each task", where="WfFormat") from None


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What WfFormat can't keep of the plan."""
    found = [
        "WfFormat tells what ran, and runs nothing: runtimes and start times are predicted, and "
        "the dates begin with 1970",
        "A task's runtime is that on its machine in the plan, which WfFormat does not know to be "
        "faster or slower than others; links and where files lie are not in it",
    ]
    names = [name for name, _, _ in jobs.machines if not is_host(name)]
    if names:
        found.append(f'The schema wants host names as nodeName: "{names[0]}" is kept, and is none')
    renamed = [name for name, ident in _file_ids(jobs).items() if name != ident]
    kept = {name for name, _ in jobs.files}
    if kept.intersection(renamed):
        found.append("Files are called by ids: signs that an id can't have are replaced")
    return tuple(found)


def _data(jobs: Jobs) -> list[tuple[int, int, float]]:
    """Flows that carry something."""
    return [one for one in jobs.flows if one[2] > 0]


def _flow_name(jobs: Jobs, flow: tuple[int, int, float]) -> str:
    """Of the file that a flow becomes; no name of a file has a line break."""
    return f"{jobs.jobs[flow[0]].slug}\n{jobs.jobs[flow[1]].slug}"


def _file_ids(jobs: Jobs) -> dict[str, str]:
    """An id for each file: its name where that is one already."""
    names = [name for name, _ in jobs.files]
    found = {name: name for name in names if _ID.fullmatch(name)}
    others = [name for name in names if name not in found]
    others += [_flow_name(jobs, one) for one in _data(jobs)]
    slugs = unique_slugs([*found, *(name.replace("\n", "_to_") for name in others)])
    return found | dict(zip(others, slugs[len(found) :], strict=True))


def _instant(seconds: float) -> str:
    try:
        return (_ZERO + timedelta(seconds=seconds)).isoformat(timespec="microseconds")
    except OverflowError:
        raise InputError(
            "a start is later than any date",
            where="WfFormat",
            value=seconds,
            remedy="Dates end with the year 9999: state shorter times",
        ) from None


def _seconds(instant: str) -> float:
    return (datetime.fromisoformat(instant) - _ZERO).total_seconds()


ENGINE = Engine(
    "wfformat",
    "WfFormat 1.5 with the plan as execution",
    ".json",
    render,
    parse,
    says,
    notes=notes,
    has_commands=False,
)
