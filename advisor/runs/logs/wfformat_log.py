"""Executions in WfFormat, as WfCommons collects them: how long tasks took, on which machines.

Most have no start times (`executedAt` of a task), and the format has none before 1.4: such a run
tells durations alone. Tasks are called as in the workload that the same file makes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from advisor.basics import json_text
from advisor.basics.content import read_content
from advisor.basics.quantities import count, duration
from advisor.project.wfformat.wfformat_reader import parts_of, recognises, titles_of
from advisor.project.wfformat.workflow_record import Record, as_number
from advisor.runs.logs.log_lines import instant
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import Run, TaskRun
from machines.errors import InputError

ENGINE = "wfformat"
_KEYS = re.compile(rb'"(?:schemaVersion|wms|runtimeSystem)"\s*:')
_MOST_S = 1e12
PREDICTED = "A plan by Placewise: the execution is predicted"
"""The description of a file that tells no execution, but a plan."""


def _holds(path: Path, head: bytes) -> bool:
    del path
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and b'"workflow"' in head and _KEYS.search(head) is not None


def _read(path: Path) -> tuple[Run, ...]:
    content, _ = read_content(path)
    where = str(path)
    with json_text.collector_paused():
        document = json_text.parse(content, where)
        if not recognises(document):
            raise InputError("this is no WfFormat", where=where)
        try:
            parts = parts_of(document)
            stated_s = _stated_s(document)
            notes = [*_told(document, stated_s), *parts.warnings]
        except InputError as error:
            raise error.at(where) from None
    names = titles_of(parts.records)
    ran = [
        (name, record, record.runtime_s)
        for name, record in zip(names, parts.records, strict=True)
        if record.runtime_s is not None and 0.0 < record.runtime_s < _MOST_S
    ]
    if not ran:
        raise InputError(
            "no task of this workflow has a runtime", where=where,
            remedy="Give an execution, not only a specification",
        )  # fmt: skip
    records = [record for _, record, _ in ran]
    starts = _starts(records, where, notes)
    notes += _lacking(records, len(names))
    tasks = tuple(
        TaskRun(name, record.ran_on[0] if record.ran_on else "", at, at + runtime_s)
        for (name, record, runtime_s), at in zip(ran, starts or [0.0] * len(ran), strict=True)
    )
    timed = starts is not None
    run = Run(
        parts.name, tasks, _engine(document), notes=tuple(notes), timed=timed, stated_s=stated_s
    )
    return (run.from_zero(),)


def _engine(document: object) -> str:
    """What ran it, in lower case, such as "pegasus"; else that it is WfFormat."""
    for key in ("wms", "runtimeSystem"):
        system = document.get(key) if isinstance(document, dict) else None
        name = system.get("name") if isinstance(system, dict) else None
        if isinstance(name, str) and name.strip():
            return name.strip().lower()
    return ENGINE


def _lacking(records: Sequence[Record], tasks: int) -> list[str]:
    """What is not told of some of a workflow's tasks."""
    found = []
    if len(records) < tasks:
        left = count(tasks - len(records), "task")
        found.append(f"{left} without a runtime above 0 s left out")
    wide = sum(len(record.ran_on) > 1 for record in records)
    if wide:
        found.append(f"{count(wide, 'task')} ran on several machines: the first counts")
    if not any(record.ran_on for record in records):
        found.append("The execution does not say on which machines tasks ran")
    return found


def _stated_s(document: object) -> float:
    """The makespan of the execution, as the file states it; 0: it does not."""
    workflow = document.get("workflow") if isinstance(document, dict) else None
    execution = workflow.get("execution", workflow) if isinstance(workflow, dict) else None
    if not isinstance(execution, dict):
        return 0.0
    whole = execution.get("makespanInSeconds", execution.get("makespan"))
    return max(0.0, as_number(whole, "makespanInSeconds") or 0.0)


def _told(document: object, stated_s: float) -> list[str]:
    """What the execution says of itself as a whole."""
    found = []
    if isinstance(document, dict) and document.get("description") == PREDICTED:
        found.append("This execution was predicted by Placewise, not measured")
    if stated_s:
        found.append(f"The execution took {duration(stated_s)} in all, according to the file")
    return found


def _starts(records: Sequence[Record], where: str, notes: list[str]) -> list[float] | None:
    """When each began, since 1970; None: not told of all."""
    told = [record for record in records if record.began is not None]
    if len(told) < len(records):
        few = f" of {len(records) - len(told)} of {len(records)} tasks" if told else ""
        notes.append(f"Start times{few} are missing: only durations are known")
        return None
    found = []
    for record in told:
        at = instant(record.began) if isinstance(record.began, str) else None
        if at is None:
            raise InputError(
                "executedAt is no time", where=f'{where}: task "{record.ident}"',
                value=record.began, remedy="Write 2026-11-22T07:04:47.250+00:00",
            )  # fmt: skip
        found.append(at)
    return found


READER = LogReader("WfFormat execution", ENGINE, _holds, _read, (".json",))
