"""bash: a script without an engine: a queue for each machine, over ssh or here.

A task starts when all that it needs have ended and its machine has the cores, machine by machine in
the plan's order: the next one of a machine never starts before the one ahead of it. A failure lets
what runs end and starts nothing more; the script run again goes on from there.
"""

from __future__ import annotations

import shlex

from advisor.allocation.plan_jobs import Jobs, said_of_ssh
from advisor.engines.engine import Engine
from advisor.engines.shell_functions import MACHINES, functions
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

_FUNCTIONS = f"""if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
    echo 'placewise: this script needs bash 4.4 or newer' >&2
    exit 2
fi
{MACHINES}{functions("bash")}"""
_HEAD = """
Run it in the folder in which the commands work, with bash 4.4 or newer:

    bash FILE            tasks run over ssh, but for those of this host (or "localhost")
    LOCAL=1 bash FILE    all run here

ssh must need no password. The folder is the same on every machine. PLACEWISE_RECORD names the run
record, logs of tasks are in the folder *.run. Hosts, the last words of the lines "machine", and
commands, the last words of the lines "task", may be edited. After a failure or Ctrl-C the script
resumes what is not done; remove the folder *.run to begin anew."""
_ASKED = "No command is stated for the next task: write it between the quotes at the line's end"


def render(jobs: Jobs) -> str:
    """The script of a plan."""
    said = says(jobs)
    lines = ["#!/usr/bin/env bash\n", comment(f"Runs a plan of “{jobs.name}”.{_HEAD}"),
             _FUNCTIONS, "\n", statement("plan", plan_name(jobs, said))]  # fmt: skip
    slugs = {}
    for name, slug, cores in jobs.machines:
        slugs[name] = slug
        lines.append(statement("machine", slug, name, cores, name))
    for job in jobs.jobs:
        needs = " ".join(jobs.jobs[one].slug for one in job.after)
        if not job.command:
            lines.append(comment(_ASKED))
        lines.append(statement("task", job.slug, job.name, slugs[job.machine], job.cores, needs,
                               job.command))  # fmt: skip
    lines.append("carry_out\n")
    return "".join(lines)


def parse(text: str) -> object:
    """Machines with their cores, and tasks in their order, as the script's statements say."""
    found = statements(after_functions(text, _FUNCTIONS))
    machines: list[tuple[str, int]] = []
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    tasks = []
    for words in found:
        match words:
            case ("plan", _) | ("carry_out",):
                pass
            case ("machine", slug, name, cores, _):
                places[slug] = name
                machines.append((name, number(cores)))
            case ("task", slug, name, machine, cores, needs, command):
                after = named(names, needs.split())
                names[slug] = name
                (on,) = named(places, [machine])
                tasks.append((name, on, number(cores), after, command))
            case _:
                raise InputError("no statement of the script", value=" ".join(words))
    if not found or found[-1] != ("carry_out",):
        raise InputError("the script is cut", remedy='Its last line is "carry_out"')
    return tuple(machines), tuple(tasks)


def says(jobs: Jobs) -> tuple[object, ...]:
    """What the script must say."""
    tasks = tuple(
        (job.name, job.machine, job.cores, frozenset(jobs.jobs[one].name for one in job.after),
         job.command)
        for job in jobs.jobs
    )  # fmt: skip
    return tuple((name, cores) for name, _, cores in jobs.machines), tasks


def _commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    name = shlex.quote(file)
    return (f"Over ssh: bash {name}", f"All here: LOCAL=1 bash {name}")


ENGINE = Engine("bash", "bash script (ssh or this host)", ".sh", render, parse, says, _commands,
                said_of_ssh)  # fmt: skip
