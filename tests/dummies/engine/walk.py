"""A made-up engine: a person who walks from machine to machine with a list of commands."""

from __future__ import annotations

from advisor.allocation.plan_jobs import Jobs
from advisor.engines.engine import Engine


def render(jobs: Jobs) -> str:
    """A line a job: machine, then command."""
    return "".join(f"{job.machine}\t{job.command!r}\n" for job in jobs.jobs)


def _says(jobs: Jobs) -> object:
    return [[job.machine, repr(job.command)] for job in jobs.jobs]


def _parse(text: str) -> object:
    return [line.split("\t") for line in text.splitlines()]


ENGINE = Engine("walk", "On foot", ".walk", render, _parse, _says)
