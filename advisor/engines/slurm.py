"""Slurm: a script that submits the plan, a job a task, on the plan's nodes and in its order.

The order of a machine is kept by ``afterany`` on the job whose cores a job takes over, what a task
needs by ``afterok``. Tried against priorities by ``--nice``: the gaps between jobs are the same,
and a priority lets a later job pass one that still waits for data. Jobs that wait for nothing are
held until all are submitted, so that a submission that fails leaves nothing behind. Slurm 22.05.

What Slurm is given as one job: a task, short tasks in a row, or an array of alike tasks.

Grouping never delays what others wait for: a task joins the one ahead of it on its machine only if
it waits for nothing that the first of the group does not wait for, and whoever waits for one of the
group waits for its last one anyway.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from dataclasses import dataclass

from advisor.allocation.plan_jobs import (
    CORES_VARIABLE,
    MACHINE_VARIABLE,
    TASK_VARIABLE,
    Job,
    Jobs,
    is_host,
)
from advisor.engines.engine import Engine
from advisor.engines.shell import FETCHED_VARIABLE
from advisor.engines.shell_functions import RECORD, functions
from advisor.engines.shell_words import (
    after_functions,
    comment,
    named,
    number,
    plan_name,
    statement,
    statements,
)
from machines.errors import InputError
from machines.files import MIB

_NODE = "[A-Za-z0-9_][A-Za-z0-9._-]*"
_FUNCTIONS = RECORD + functions(
    "slurm",
    TASK=TASK_VARIABLE,
    MACHINE=MACHINE_VARIABLE,
    NODE=_NODE,
    CORES=CORES_VARIABLE,
    FETCHED=FETCHED_VARIABLE,
)
_HEAD = """
Run it where sbatch works, in a folder that all nodes see and in which the commands work:

    bash FILE

Partition, account, time limit and memory are Slurm's variables, for example SBATCH_PARTITION,
SBATCH_ACCOUNT, SBATCH_TIMELIMIT, SBATCH_MEM_PER_CPU. PLACEWISE_RECORD names the run record, logs of
tasks are in the folder *.run. Nodes, the last words of the lines "node", and commands, the last
words of the lines "task", may be edited."""
_ASKED = "No command is stated for the next task: write it between the quotes at the line's end"


def render(jobs: Jobs) -> str:
    """The script of a plan."""
    slugs = {name: slug for name, slug, _ in jobs.machines}
    lines = ["#!/bin/bash\n", comment(f"Submits a plan of “{jobs.name}” to Slurm.{_HEAD}"),
             _FUNCTIONS, "\n", statement("plan", plan_name(jobs, says(jobs)))]  # fmt: skip
    lines += [statement("node", slug, name, name) for name, slug, _ in jobs.machines]
    for unit in units_of(jobs):
        first = jobs.jobs[unit.jobs[0]]
        waits = " ".join(f"{kind}:{slug}" for kind, slug in unit.waits)
        kind = "array" if unit.array else "job"
        needs = (asked,) if (asked := asked_of(first)) else ()
        lines.append(statement(kind, slugs[first.machine], first.cores, waits, *needs))
        for job in (jobs.jobs[at] for at in unit.jobs):
            if not job.command:
                lines.append(comment(_ASKED))
            lines.append(statement("task", job.slug, job.name, job.command))
    lines.append("submit\n")
    return "".join(lines)


def parse(text: str) -> object:
    """The jobs as they are submitted: machine, cores, what they wait for, their tasks."""
    found = statements(after_functions(text, _FUNCTIONS))
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    units: list[tuple[str, str, int, str, frozenset[object], list[tuple[str, str]]]] = []
    for words in found[:-1]:
        match words:
            case ("plan", _):
                pass
            case ("node", slug, name, _):
                places[slug] = name
            case ("job" | "array" as kind, slug, cores, waits, *needs) if len(needs) < 2:
                (machine,) = named(places, [slug])
                asked = "".join(needs)
                units.append((kind, machine, number(cores), asked, _waits(waits, names), []))
            case ("task", slug, name, command) if units:
                names[slug] = name
                units[-1][-1].append((name, command))
            case _:
                raise InputError("no statement of the script", value=" ".join(words))
    if not found or found[-1] != ("submit",):
        raise InputError("the script is cut", remedy='Its last line is "submit"')
    return tuple((*unit, tuple(tasks)) for *unit, tasks in units)


def _waits(text: str, names: dict[str, str]) -> frozenset[object]:
    pairs = [word.partition(":") for word in text.split()]
    for kind, _, _ in pairs:
        if kind not in {AFTER_OK, AFTER_ANY}:
            raise InputError("no way to wait for a job", value=kind)
    return frozenset((kind, *named(names, [slug])) for kind, _, slug in pairs)


def says(jobs: Jobs) -> tuple[object, ...]:
    """What the script must say."""
    names = {job.slug: job.name for job in jobs.jobs}
    return tuple(
        (
            "array" if unit.array else "job",
            jobs.jobs[unit.jobs[0]].machine,
            jobs.jobs[unit.jobs[0]].cores,
            asked_of(jobs.jobs[unit.jobs[0]]),
            frozenset((kind, names[slug]) for kind, slug in unit.waits),
            tuple((jobs.jobs[at].name, jobs.jobs[at].command) for at in unit.jobs),
        )
        for unit in units_of(jobs)
    )


def asked_of(job: Job) -> str:
    """What a job asks of Slurm beside cores, as options of sbatch; empty: nothing.

    Memory in whole MiB, resources of the node as generic ones, those of the platform as licences.
    """
    found = [f"--mem={-(-job.memory_bytes // MIB)}M"] if job.memory_bytes else []
    return " ".join([*found, *units_asked(job)])


def units_asked(job: Job) -> list[str]:
    """What a job asks of Slurm beside cores and memory: options of sbatch."""
    return [
        f"{option}=" + ",".join(f"{_word(kind)}:{n}" for kind, n in held)
        for option, held in (("--gres", job.resources), ("--licenses", job.licences))
        if held
    ]


def notes_on_units(jobs: Jobs) -> list[str]:
    """What Slurm has to know of the resources."""
    if any(job.resources for job in jobs.jobs):
        return ["Resources are asked for as Slurm's generic ones: gres.conf must name them"]
    return []


def _word(kind: str) -> str:
    """A kind of resource as Slurm's files may name it."""
    return re.sub(r"[^A-Za-z0-9_]", "_", kind)


def _notes(jobs: Jobs) -> tuple[str, ...]:
    """What differs from the plan."""
    notes = []
    grouped = sum(len(unit.jobs) for unit in units_of(jobs) if len(unit.jobs) > 1 > unit.array)
    if grouped:
        notes.append(
            f"{grouped} tasks shorter than {JOB_OVERHEAD_S:g} s, what Slurm takes for a job, "
            "run in turn in jobs of several tasks; nothing waits longer for it"
        )
    notes += notes_on_units(jobs)
    if any(cores > 1 for _, _, cores in jobs.machines):
        notes.append("On nodes of several cores Slurm chooses which cores a task gets")
    odd = [name for name, _, _ in jobs.machines if not is_host(name)]
    if odd:
        remedy = "write Slurm's name for it at the end of its line in the script"
        notes.append(f"Slurm can have no node “{odd[0]}”: {remedy}")
    return tuple(notes)


def _commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    where = "where sbatch works, in a folder that all nodes see"
    return (f"Slurm: bash {shlex.quote(file)}   ({where})",)


ENGINE = Engine("slurm", "Slurm jobs", ".sh", render, parse, says, _commands, _notes)


JOB_OVERHEAD_S = 1.0
"""From the start of a short job to that of the next: jobs of 0.05 s and of 0.2 s began 0.96 to
1.01 s after one another, by ``afterany`` as by priority (Slurm 22.05.8, four nodes)."""
ARRAY_FROM = 4
"""Tasks from which an array pays: each but the first saves a submission, some milliseconds."""
ARRAY_TO = 256  # a script holds all commands of its array: 4 MiB, unless a site says otherwise

AFTER_OK, AFTER_ANY = "afterok", "afterany"
Wait = tuple[str, str]


@dataclass(frozen=True)
class Unit:
    """One job of Slurm.

    `waits`: pairs (kind, slug); which tasks' jobs must have ended before: "afterok" well,
        "afterany" in any way.
    """

    jobs: tuple[int, ...]  # positions of its tasks: one after the other, or elements of an array
    array: bool
    waits: tuple[Wait, ...]


def units_of(jobs: Jobs) -> tuple[Unit, ...]:
    """What is submitted, each after all that it waits for."""
    rows = _rows(jobs.jobs)
    alike: dict[object, list[tuple[int, ...]]] = defaultdict(list)
    for row in rows:
        first = jobs.jobs[row[0]]
        key = (first.machine, first.cores, asked_of(first), first.kind, first.after, first.behind)
        alike[key if len(row) == 1 else row].append(row)
    found = []
    for rows_alike in alike.values():
        members = [row[0] for row in rows_alike]
        if len(members) < ARRAY_FROM:
            found += [Unit(row, False, _unit_waits(jobs.jobs, row)) for row in rows_alike]
            continue
        for at in range(0, len(members), ARRAY_TO):
            part = tuple(members[at : at + ARRAY_TO])
            found.append(Unit(part, len(part) > 1, _unit_waits(jobs.jobs, part[:1])))
    return tuple(sorted(found, key=lambda unit: unit.jobs[0]))


def _unit_waits(jobs: tuple[Job, ...], row: tuple[int, ...]) -> tuple[Wait, ...]:
    needs = {one for at in row for one in jobs[at].after} - set(row)
    behind = jobs[row[0]].behind
    last = [] if behind is None or behind in needs else [(AFTER_ANY, jobs[behind].slug)]
    return (*((AFTER_OK, jobs[one].slug) for one in sorted(needs)), *last)


def _rows(jobs: tuple[Job, ...]) -> list[tuple[int, ...]]:
    """Every task with those that are grouped with it, in the order of the first ones."""
    before = _before(jobs)
    waiting: list[list[int]] = [[] for _ in jobs]
    followers: list[list[int]] = [[] for _ in jobs]
    for at, job in enumerate(jobs):
        for one in {*job.after, *([] if job.behind is None else [job.behind])}:
            waiting[one].append(at)
        if job.behind is not None:
            followers[job.behind].append(at)
    taken: set[int] = set()
    rows = []
    for at in range(len(jobs)):
        if at not in taken:
            row = _row(at, jobs, before, waiting, followers)
            taken.update(row)
            rows.append(row)
    return rows


def _row(
    first: int, jobs: tuple[Job, ...], before: list[int],
    waiting: list[list[int]], followers: list[list[int]],
) -> tuple[int, ...]:  # fmt: skip
    """The longest row from a task on that delays nobody."""
    row, longest = [first], 1
    known = before[first] | 1 << first
    while len(followers[row[-1]]) == 1:
        at = followers[row[-1]][0]
        job, ahead = jobs[at], jobs[row[-1]]
        if (job.machine, job.cores, asked_of(job)) != (
            ahead.machine, ahead.cores, asked_of(ahead),
        ):  # fmt: skip
            break
        if max(job.seconds, jobs[first].seconds) >= JOB_OVERHEAD_S or before[at] & ~known:
            break
        row.append(at)
        known |= 1 << at
        if all(other in row or before[other] >> at & 1 for one in row[:-1]
               for other in waiting[one]):  # fmt: skip
            longest = len(row)
    return tuple(row[:longest])


def _before(jobs: tuple[Job, ...]) -> list[int]:
    """All that must have ended before each task starts, as bits."""
    found: list[int] = []
    for job in jobs:
        bits = 0
        for one in {*job.after, *([] if job.behind is None else [job.behind])}:
            bits |= found[one] | 1 << one
        found.append(bits)
    return found
