"""Pegasus 5: an abstract workflow that names each job's site, with the catalogues inside.

Each machine is a site of the site catalogue, and each job has an ``execution.site`` that the
planner's site selector follows. Jobs run the shell; what it runs is told in base64, since Pegasus
expands ``${NAME}`` wherever it stands, and HTCondor ``$(NAME)``, and takes no line breaks.

Written as the Python API of Pegasus 5.1.3 writes (names and places of keys are its), and after the
planner's quoting of arguments: those in single quotes stay one. No planner has read it.
"""

from __future__ import annotations

import base64
import re
import shlex
from typing import Any, NamedTuple

from advisor.allocation.plan_jobs import (
    CORES_VARIABLE,
    MACHINE_VARIABLE,
    TASK_VARIABLE,
    Job,
    Jobs,
    hosts_of,
    said_of_hosts,
)
from advisor.basics.slugs import slug
from advisor.engines import yaml_text
from advisor.engines.engine import Engine
from machines.errors import InputError

VERSION = "5.0.4"  # of the format, as Pegasus 5.1 writes it
SHELL = "/bin/sh"
_ARGUMENT = re.compile(r"'echo ([0-9A-Za-z+/=]+) \| base64 -d > (\w+)\.sh && /bin/sh (\w+)\.sh'")
_MISSING = "echo FILL IN: no command is stated >&2; exit 1"
_COMMENT = (
    "A plan as a Pegasus workflow: each machine a site, each job with its site. Written by",
    "Placewise. The site catalogue is siteCatalog below; for a workflow of your own copy it to",
    "sites.yml, and each job's selector profile to its job. Fill in the directories of the sites,",
    "and how jobs get there (a Condor pool is assumed, with each machine under its name).",
    "What a job runs is in base64 in its arguments. Without a command: FILL IN.",
)


class Said(NamedTuple):
    """What is told of a job."""

    name: str
    machine: str
    site: str
    cores: int
    priority: int
    command: str
    after: tuple[str, ...]


def render(jobs: Jobs) -> str:
    """The workflow."""
    lacking = [job for job in jobs.jobs if not job.command]
    marks = (f"FILL IN the command of {job.slug}" for job in lacking)
    return yaml_text.render((*_COMMENT, *marks), _document(jobs))


def _document(jobs: Jobs) -> dict[str, object]:
    sites = _sites(jobs)
    following: dict[str, list[str]] = {}
    for job in jobs.jobs:
        for one in job.after:
            following.setdefault(jobs.jobs[one].slug, []).append(job.slug)
    shell = [{"name": site, "pfn": SHELL, "type": "installed"} for site in sites.values()]
    return {
        "pegasus": VERSION,
        "name": slug(jobs.name),
        "siteCatalog": {"sites": [_local(), *_catalogue(jobs)]},
        "transformationCatalog": {"transformations": [{"name": "shell", "sites": shell}]},
        "jobs": [_job(job, sites[job.machine]) for job in jobs.jobs],
        "jobDependencies": [
            {"id": parent, "children": children} for parent, children in following.items()
        ],
    }


def _sites(jobs: Jobs) -> dict[str, str]:
    """A site for each machine; "local" is the submit host's."""
    return {name: f"on_{slug}" for name, slug, _ in jobs.machines}


def _directory(kind: str, path: str) -> dict[str, object]:
    servers = [{"url": f"file://{path}", "operation": "all"}]
    return {"type": kind, "path": path, "fileServers": servers}


def _local() -> dict[str, object]:
    """The submit host, without which nothing is planned."""
    return {
        "name": "local",
        "directories": [
            _directory("sharedScratch", "/tmp/placewise/scratch"),
            _directory("localStorage", "/tmp/placewise/outputs"),
        ],
    }


def _catalogue(jobs: Jobs) -> list[dict[str, object]]:
    """The machines as sites of a Condor pool."""
    hosts = hosts_of(jobs)
    return [
        {
            "name": site,
            "arch": "x86_64",
            "os.type": "linux",
            "directories": [_directory("sharedScratch", f"/tmp/placewise/{site}")],
            "profiles": {
                "condor": {
                    "universe": "vanilla",
                    "requirements": f'(Machine == "{hosts[machine]}")',
                },
                "pegasus": {"style": "condor"},
            },
        }
        for machine, site in _sites(jobs).items()
    ]


def _job(job: Job, site: str) -> dict[str, object]:
    file = f"{job.slug}.sh"
    return {
        "type": "job",
        "name": "shell",
        "id": job.slug,
        "arguments": ["-c", f"'echo {_script(job)} | base64 -d > {file} && /bin/sh {file}'"],
        "uses": [],
        "profiles": {
            "selector": {"execution.site": site},
            "condor": {"request_cpus": job.cores, "priority": job.priority},
            "dagman": {"PRIORITY": job.priority},
        },
    }


def _script(job: Job) -> str:
    """What the shell runs, in base64."""
    named = (f"export {name}={shlex.quote(value)}\n" for name, value in job.environment)
    return base64.b64encode(("".join(named) + (job.command or _MISSING)).encode()).decode()


def says(jobs: Jobs) -> tuple[dict[str, int], list[Said]]:
    """The sites with how many jobs are there, and what is told of each job."""
    sites = _sites(jobs)
    said = [
        Said(
            job.name,
            job.machine,
            sites[job.machine],
            job.cores,
            job.priority,
            job.command,
            tuple(sorted(jobs.jobs[one].slug for one in job.after)),
        )
        for job in jobs.jobs
    ]
    return {
        site: sum(one.site == site for one in said) for site in ("local", *sites.values())
    }, said


def parse(text: str) -> tuple[dict[str, int], list[Said]]:
    """The sites and the jobs of a workflow."""
    document = yaml_text.read(text, "Pegasus")
    try:
        return _said(document)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError("no workflow whose jobs name their sites", where="Pegasus") from None


def _said(document: Any) -> tuple[dict[str, int], list[Said]]:
    sites = dict.fromkeys((one["name"] for one in document["siteCatalog"]["sites"]), 0)
    after: dict[str, list[str]] = {job["id"]: [] for job in document["jobs"]}
    for one in document["jobDependencies"]:
        for child in one["children"]:
            after[child].append(one["id"])
    found = []
    for job in document["jobs"]:
        site = job["profiles"]["selector"]["execution.site"]
        sites[site] += 1
        name, machine, cores, command = _told(job["id"], job["arguments"])
        if job["profiles"]["condor"]["request_cpus"] != cores:
            raise ValueError
        found.append(
            Said(
                name,
                machine,
                site,
                cores,
                job["profiles"]["condor"]["priority"],
                command,
                tuple(sorted(after[job["id"]])),
            )
        )
    return sites, found


def _told(ident: str, arguments: list[str]) -> tuple[str, str, int, str]:
    """Name, machine, cores and command of a job's arguments."""
    option, argument = arguments
    found = _ARGUMENT.fullmatch(argument)
    if option != "-c" or found is None or not found[2] == found[3] == ident:
        raise ValueError
    *exports, command = base64.b64decode(found[1], validate=True).decode().split("\n", 3)
    values = dict(shlex.split(line)[1].split("=", 1) for line in exports)
    return (
        values[TASK_VARIABLE],
        values[MACHINE_VARIABLE],
        int(values[CORES_VARIABLE]),
        "" if command == _MISSING else command,
    )


def commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    """The command line that plans and submits it."""
    return (f"pegasus-plan --submit --output-sites local {shlex.quote(file)}",)


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What Pegasus can't keep of the plan."""
    return (
        "Pegasus keeps sites and priorities: among jobs that are ready the plan's first goes "
        "first, but no site waits for a job that is not ready, and transfer jobs come between",
        "The sites are machines of one Condor pool: fill in their directories, and another style "
        "where they are not",
        "Files that tasks read and write are not registered with Pegasus: commands must find them, "
        "as on a shared file system",
        "The file follows Pegasus' Python API 5.1.3 and has been planned by no Pegasus",
        *said_of_hosts(jobs),
    )


ENGINE = Engine(
    "pegasus",
    "Pegasus workflow with site catalogue",
    ".yml",
    render,
    parse,
    says,
    commands,
    notes,
)
