"""Snakemake: a profile that carries a plan into a workflow of one's own.

A rule that is named after a task, or after a kind of tasks that its wildcards tell apart, gets the
threads of its tasks and takes units of their machine's resource. Values that differ within a kind
are expressions over wildcards, which Snakemake evaluates for each job. Profiles have no priorities:
they are in the profile's configuration, and a few lines at the end of the Snakefile take them over.

Tried with Snakemake 9.27.1. Snakemake expands ``$NAME`` and a leading ``~`` inside expressions:
nothing but words is in them.
"""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

from advisor.allocation.plan_jobs import Job, Jobs, rules_of
from advisor.engines import yaml_text
from advisor.engines.engine import Engine
from advisor.engines.snakemake import resource_names

_OTHER = re.compile(r"[\W_]+")
_KEY = r"__import__('re').sub(r'[\W_]+', '_', '_'.join(wildcards)).strip('_')"
_COMMENT = (
    "A plan as a Snakemake profile: rules named after tasks, or after kinds of tasks that their",
    "wildcards tell apart. Written by Placewise. Save it as PROFILE/config.yaml, then",
    "    snakemake --profile PROFILE",
    "Profiles have no priorities. For the plan's order, put this at the end of the Snakefile:",
    "    import re",
    "    for each in workflow.rules:",
    "        plan = config.get('placewise', {}).get(each.name, {})",
    "        each.priority = lambda wildcards, plan=plan: int(plan.get(",
    r"            re.sub(r'[\W_]+', '_', '_'.join(wildcards)).strip('_') or '-', 0))",
)


def render(jobs: Jobs) -> str:
    """The profile."""
    return yaml_text.render(_COMMENT, says(jobs))


def says(jobs: Jobs) -> dict[str, object]:
    """The profile as a document."""
    rules = _rules(jobs)
    resources = resource_names(jobs)
    return {
        "cores": sum(count for _, _, count in jobs.machines),
        "scheduler": "greedy",
        "resources": {resources[name]: count for name, _, count in jobs.machines},
        "set-threads": {
            rule: _value({key: job.cores for key, job in found.items()}, 1)
            for rule, found in rules.items()
        },
        "set-resources": {
            rule: {
                resource: _value(
                    {key: job.cores * (job.machine == name) for key, job in found.items()}, 0
                )
                for name, resource in resources.items()
                if any(job.machine == name for job in found.values())
            }
            for rule, found in rules.items()
        },
        "config": {
            "placewise": {
                rule: {key or "-": job.priority for key, job in found.items()}
                for rule, found in rules.items()
            }
        },
    }


def parse(text: str) -> dict[str, object]:
    """The document of a profile."""
    return yaml_text.read(text, "profile")


def commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    """The command lines that use it."""
    path = PurePath(file)
    if path.name == "config.yaml":
        return (f"snakemake --profile {shlex.quote(str(path.parent))}",)
    folder = shlex.quote(str(path.with_suffix("")))
    return (
        f"mkdir -p {folder} && cp {shlex.quote(file)} {folder}/config.yaml",
        f"snakemake --profile {folder}",
    )


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What a profile can't keep of the plan."""
    found = [
        "The profile binds rules by their names: one named otherwise than a task or its kind runs "
        "anywhere, and no message tells it",
        "A profile holds no priorities: with the lines in its head, put at the end of the "
        "Snakefile, the plan's first of the ready jobs goes first; without them Snakemake orders "
        "the jobs",
        "Snakemake places nothing by itself: resources keep each machine's cores, and the rules or "
        "the executor bring commands to the machine",
    ]
    alike = _alike(jobs)
    if alike:
        found.append(
            f"Wildcards do not tell {alike[0].name} from another task of {alike[0].kind}"
            + (f", nor {len(alike) - 1:,} more" if len(alike) > 1 else "")
            + ": the last one counts"
        )
    return tuple(found)


def _rules(jobs: Jobs) -> dict[str, dict[str, Job]]:
    """By name of a rule: the jobs that it may be, by their wildcards' values."""
    return {
        name: {"": alike[0]}
        if len(alike) == 1 and alike[0].slug == name
        else {_key(job): job for job in alike}
        for name, alike in rules_of(jobs).items()
    }


def _key(job: Job) -> str:
    """What tells a task from others of its kind, as wildcards would."""
    return _OTHER.sub("_", job.name.removeprefix(job.kind)).strip("_")


def _alike(jobs: Jobs) -> list[Job]:
    """Jobs that another of their kind takes the place of."""
    last = {(job.kind, _key(job)): job for job in jobs.jobs}
    return [job for job in jobs.jobs if last[job.kind, _key(job)] is not job]


def _value(found: dict[str, int], otherwise: int) -> int | str:
    """A number where all have the same, else an expression over wildcards."""
    values = set(found.values())
    if len(values) == 1:
        return values.pop()
    told = {key: value for key, value in found.items() if value != otherwise}
    return f"{told!r}.get({_KEY}, {otherwise})"


ENGINE = Engine(
    "snakemake-profile",
    "Snakemake: profile for your own workflow",
    ".yaml",
    render,
    parse,
    says,
    commands,
    notes,
    has_commands=False,
)
