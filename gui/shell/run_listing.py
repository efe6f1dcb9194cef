"""What a plan will run, as the table that is agreed to: task, machine, command, as plain text.

Also the digest by which an agreement is remembered: of exactly these commands of this file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.basics.quantities import count, duration, few
from gui.document.document import Outcome
from gui.tables.table_columns import Column, Texts
from machines.errors import readable, visible

_NAMED = 3
NO_COMMAND = "▲ no command"


@dataclass(frozen=True, eq=False)
class Listing:
    """What will run."""

    columns: tuple[Column, ...]  # a row a task, in the plan's order
    digest: str  # of the commands and the file that states them; where tasks run is not in it
    heading: str  # how much it is
    missing: str  # which tasks have no command, and what to do; empty: none


def listing(outcome: Outcome, path: Path | None) -> Listing:
    """List what the plan of a project runs; not for the window's thread."""
    jobs = jobs_of(outcome.problem, outcome.project.plan, outcome.prediction)
    commands = [visible(job.command) or NO_COMMAND for job in jobs.jobs]
    columns = (
        Column("Task", "In the plan's order", Texts([visible(job.name) for job in jobs.jobs])),
        Column(
            "Machine",
            "Where the plan puts it",
            Texts.grouped([visible(job.machine) for job in jobs.jobs]),
        ),
        Column("Command", "What /bin/sh runs, all of it", Texts.grouped(commands)),
    )
    for column in columns:
        assert isinstance(column.values, Texts)  # noqa: S101, RUF100 - all of them are
        column.values.prepare()
    heading = (
        f"Run “{readable(outcome.project.name)}”: {count(len(jobs.jobs), 'task')} on "
        f"{count(len(jobs.machines), 'machine')}, predicted {duration(jobs.makespan_s)}"
    )
    return Listing(columns, _digest(jobs, path), heading, _missing(jobs))


def _digest(jobs: Jobs, path: Path | None) -> str:
    place = "" if path is None else str(path.absolute())
    stated = [place, *sorted((job.name, job.command) for job in jobs.jobs)]
    return hashlib.sha256(json.dumps(stated).encode()).hexdigest()


def _missing(jobs: Jobs) -> str:
    lacking = [readable(job.name) for job in jobs.without_command]
    if not lacking:
        return ""
    verb = "has" if len(lacking) == 1 else "have"
    return (
        f"{few(lacking, _NAMED)} {verb} no command. Select a task and write its Command in the "
        'inspector, or state command = "…" in the workload file.'
    )
