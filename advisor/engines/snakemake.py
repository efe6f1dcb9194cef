"""Snakemake: a Snakefile that carries a plan out as it is, one rule a task.

What jobs are is a table of literals at its head; the rules below it are made of the table. Each
machine is a resource of as many units as it has cores, a job takes the units of its machine, and
among jobs that are ready the plan's order is their priority. Benchmarks bring the times back.
For a workflow of one's own there is the profile (`advisor.engines.snakemake_profile`).

Tried with Snakemake 9.27.1. Texts in ``params`` are functions, since Snakemake would take braces in
plain ones for wildcards.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from string import Template

from advisor.allocation.plan_jobs import CORES_VARIABLE, MACHINE_VARIABLE, TASK_VARIABLE, Job, Jobs
from advisor.basics.slugs import unique_slugs
from advisor.engines import python_table
from advisor.engines.engine import Engine
from machines.errors import InputError
from machines.files import MIB
from machines.resources import MEMORY

RESOURCE = "on_"  # before a machine's slug: never one of Snakemake's own, such as mem or runtime
_NEEDED = ("task", "rule", "machine", "cores", "holds", "priority", "after", "command")

_HEAD = Template("""\
# A plan run by Snakemake: one rule a task, in the plan's order.
# Written by Placewise. Run it by
#     $command

import shlex

# What runs a command line of each machine: the line is its last argument. For another machine
# something like ['ssh', 'HOST', 'cd /shared/folder &&'], to pin cores
# ['taskset', '-c', '0', 'bash', '-c'].
REACH = {
$reach}

# Markers of what is done, and benchmarks with the times that jobs took.
FOLDER = $folder

# Holds: resources, each of a machine or of all. After: the rules whose data it needs. Command: what
# the shell runs.
""")

_RULES = f'''
LACKING = [job["task"] for job in JOBS if not job["command"]]
if LACKING:
    raise ValueError("fill in the commands of " + ", ".join(LACKING))


def line(job):
    named = [
        "{TASK_VARIABLE}=" + job["task"],
        "{MACHINE_VARIABLE}=" + job["machine"],
        "{CORES_VARIABLE}=" + str(job["cores"]),
    ]
    inner = shlex.join(["env", *named, "sh", "-c", "--", job["command"]])
    return shlex.join([*REACH[job["machine"]], inner])


def plain(text):
    return lambda wildcards: text


rule _all:
    input: [FOLDER + "/done/" + job["rule"] for job in JOBS]
    default_target: True


for job in JOBS:
    rule:
        name: job["rule"]
        input: [FOLDER + "/done/" + name for name in job["after"]]
        output: touch(FOLDER + "/done/" + job["rule"])
        benchmark: FOLDER + "/benchmarks/" + job["rule"] + ".tsv"
        priority: job["priority"]
        threads: job["cores"]
        resources: **job["holds"]
        params: line=plain(line(job))
        shell: "{{params.line}}"
'''


def render(jobs: Jobs) -> str:
    """The Snakefile."""
    reach = "".join(f"    {name!r}: ['bash', '-c'],\n" for name, _, _ in jobs.machines)
    (command,) = commands(jobs, "Snakefile")
    head = _HEAD.substitute(command=command, reach=reach, folder=repr(_folder(jobs)))
    return head + python_table.render("JOBS", map(dict, says(jobs))) + _RULES


def _folder(jobs: Jobs) -> str:
    """Where markers and benchmarks are: another plan of the workload has another folder."""
    (slug,) = unique_slugs([jobs.name or "plan"])
    return f"placewise-{slug}-{hashlib.sha256(repr(says(jobs)).encode()).hexdigest()[:8]}"


def says(jobs: Jobs) -> list[tuple[tuple[str, object], ...]]:
    """The rows of the table."""
    resources = resource_names(jobs)
    return [
        (
            ("task", job.name),
            ("rule", job.slug),
            ("machine", job.machine),
            ("cores", job.cores),
            ("holds", _holds(job, resources[job.machine])),
            ("priority", job.priority),
            ("after", [jobs.jobs[one].slug for one in job.after]),
            ("command", job.command),
        )
        for job in jobs.jobs
    ]


def _holds(job: Job, machine: str) -> dict[str, int]:
    """Units of its machine's cores, memory in MiB and other kinds, and of what all share."""
    memory = {f"mem_mb_{machine}": -(-job.memory_bytes // MIB)} if job.memory_bytes else {}
    own = {f"{_word(kind)}_{machine}": count for kind, count in job.resources}
    return {machine: job.cores} | memory | own | {_word(kind): n for kind, n in job.licences}


def _word(kind: str) -> str:
    """A kind of resource as Python may name it."""
    return "has_" + re.sub(r"[^A-Za-z0-9_]", "_", kind)


def parse(text: str) -> list[tuple[tuple[str, object], ...]]:
    """The rows of a Snakefile."""
    rows = python_table.read(text, "JOBS")
    if not text.endswith(_RULES):
        raise InputError("the rules are not those of a plan", where="Snakefile")
    for number, row in enumerate(rows, 1):
        if tuple(row) != _NEEDED:
            raise InputError("a job lacks something", where=f"Snakefile: job {number}")
    return [tuple(row.items()) for row in rows]


def resource_names(jobs: Jobs) -> dict[str, str]:
    """The resource of each machine that the plan uses."""
    return {name: RESOURCE + slug for name, slug, _ in jobs.machines}


def commands(jobs: Jobs, file: str) -> tuple[str, ...]:
    """The command line that carries it out; the greedy scheduler is the one that keeps to order."""
    cores = sum(count for _, _, count in jobs.machines)
    limits = [f"{RESOURCE}{slug}={count}" for _, slug, count in jobs.machines]
    names = resource_names(jobs)
    for machine, room in jobs.room:
        for kind, count in room:
            own = f"{_word(kind)}_{names[machine]}={count}"
            limits.append(f"mem_mb_{names[machine]}={count // MIB}" if kind == MEMORY else own)
    limits += [f"{_word(kind)}={count}" for kind, count in jobs.shared]
    return (
        f"snakemake --snakefile {shlex.quote(file)} --scheduler greedy --cores {cores} "
        f"--resources {' '.join(limits)}",
    )


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What Snakemake can't keep of the plan."""
    found = [
        "Snakemake keeps the order by priorities alone: among jobs that are ready the plan's first "
        "goes first, but a machine never waits for a job that is not ready or needs more cores "
        "than "
        "are free",
        "Snakemake places nothing by itself: a job takes units of its machine's resource, and "
        "REACH in the file says how a command gets to the machine: at first all run here",
        "Files that tasks read and write are not watched: a marker records each finished "
        "task. Add --forceall to run all of it again",
    ]
    if any(job.cores > 1 for job in jobs.jobs):
        found.append("The cores of a job are counted, not bound: see REACH for taskset")
    return tuple(found)


ENGINE = Engine(
    "snakemake",
    "Snakemake: Snakefile of the plan",
    ".smk",
    render,
    parse,
    says,
    commands,
    notes,
    stem="Snakefile",
)
