"""The database of Snakemake's logger plugin snkmt: a row for each job of each workflow.

Times are of the logger, in UTC: a start may lag behind the job's own by tenths of a second. Job
states are SUCCESS, ERROR, RUNNING and UNKNOWN. Its files of benchmarks are single letters: no use.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from advisor.basics import json_text
from advisor.basics.quantities import count
from advisor.runs.logs.database import Value, database, has_tables
from advisor.runs.logs.log_lines import instant
from advisor.runs.logs.snakemake_jobs import SnakemakeJob
from advisor.runs.run_record import FAILED, OK
from machines.errors import PlacewiseError

_TABLES = frozenset(("workflows", "rules", "jobs", "files"))
_JOB = (
    "workflow_id", "rule_id", "started_at", "end_time", "status", "wildcards", "resources",
    "shellcmd",
)  # fmt: skip
_ENDED = {"SUCCESS": OK, "ERROR": FAILED}
_LONGEST_JSON = 1 << 20


class Workflow(NamedTuple):
    """One run: when it began, since 1970; its jobs, and what was noticed."""

    started_s: float
    jobs: list[SnakemakeJob]
    notes: list[str]


def is_snkmt(path: Path, head: bytes) -> bool:
    """Whether a file is such a database."""
    return has_tables(path, head, _TABLES)


def read(path: Path) -> list[Workflow]:
    """The workflows of a database that ran, oldest first."""
    with database(path) as found:
        workflows = found.rows("workflows", ("id", "started_at", "dryrun", "status"), 2)
        rules = {row[1]: str(row[2]) for row in found.rows("rules", ("id", "name"), 2)}
        rows = found.rows("jobs", _JOB, 5)
        outputs: dict[Value, list[str]] = defaultdict(list)
        for _, job, kind, file in found.rows("files", ("job_id", "file_type", "path"), 3):
            if kind == "OUTPUT":
                outputs[job].append(str(file))
        errors: dict[tuple[Value, Value], str] = {}
        if "errors" in found.tables:
            told = found.rows("errors", ("rule_id", "workflow_id", "exception"))
            errors = {(row[1], row[2]): str(row[3] or "") for row in told}
        unmerged = found.unmerged
    by_workflow: dict[Value, list[tuple[Value, ...]]] = defaultdict(list)
    for row in rows:
        by_workflow[row[1]].append(row)
    result = []
    for _, ident, started, dry, status in workflows:
        notes = [] if status != "RUNNING" else ["The workflow had not ended when this was copied"]
        if unmerged:
            notes.append("The database was in use: its newest rows lie in the -wal file beside it")
        jobs = _jobs(by_workflow[ident], rules, outputs, errors, notes)
        if jobs and not dry:
            began = instant(str(started))
            result.append(Workflow(jobs[0].start_s if began is None else began, jobs, notes))
    return sorted(result, key=lambda one: one.started_s)


def _jobs(
    rows: list[tuple[Value, ...]],
    rules: dict[Value, str],
    outputs: dict[Value, list[str]],
    errors: dict[tuple[Value, Value], str],
    notes: list[str],
) -> list[SnakemakeJob]:
    """The jobs that ended, by their starts; those that did not, and targets, are said."""
    jobs: list[SnakemakeJob] = []
    open_, targets, turned = [], [], []
    for ident, workflow, rule, started, ended, status, wildcards, resources, command in rows:
        name = rules.get(rule, f"rule {rule!r}")
        start_s, end_s = instant(str(started)), instant(str(ended))
        if not command and not outputs.get(ident):
            targets.append(name)
        elif start_s is None or end_s is None or status not in _ENDED:
            open_.append(name)
        elif end_s < start_s:
            turned.append(name)
        else:
            failed = _ENDED[str(status)] == FAILED
            jobs.append(
                SnakemakeJob(
                    name, tuple(sorted(outputs.get(ident, ()))), start_s, end_s,
                    tuple(str(value) for value in _object(wildcards).values()),
                    str(command or ""),
                    resources=_counts(resources),
                    status=_ENDED[str(status)],
                    message=errors.get((rule, workflow), "") if failed else "",
                )
            )  # fmt: skip
    reasons = (
        ("without an end", open_), ("that ended before the start", turned),
        ("without command and output, as targets are", targets),
    )  # fmt: skip
    for reason, some in reasons:
        if some:
            notes.append(f"{count(len(some), 'job')} {reason}, left out: {some[0]}")
    return sorted(jobs, key=lambda one: one.start_s)


def _object(cell: Value) -> dict[str, object]:
    """The JSON object of a cell; an empty one for anything else."""
    if not isinstance(cell, str) or len(cell) > _LONGEST_JSON:
        return {}
    try:
        found = json_text.parse(cell.encode("utf-8", "replace"), "")
    except PlacewiseError:
        return {}
    return found if isinstance(found, dict) else {}


def _counts(cell: Value) -> tuple[tuple[str, float], ...]:
    return tuple(
        (name, float(amount))
        for name, amount in _object(cell).items()
        if isinstance(amount, int | float) and not isinstance(amount, bool) and abs(amount) < 1e15
    )
