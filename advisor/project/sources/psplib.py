"""Projects of PSPLIB (Kolisch & Sprecher 1997), `.sm` and `.mm`: jobs hold renewable resources.

One machine carries all jobs out; the resources of the project are those of its platform, and the
modes of a job are variants of its task. The supersource and the supersink, which take no time, are
left out. A list in order of start reaches every schedule that no other beats, so that the least
makespan of such a project is the best plan's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from advisor.allocation.task import Held, Task, Variant
from advisor.allocation.workload import Flow, Workload
from advisor.project.sources.source import Graph, Source, quantity
from machines import InputError, Machine, Platform, Resource

_HEAD = re.compile(rb"^[ \t]*+jobs[ \t]*+\(incl\. supersource", re.MULTILINE)
_COUNT = re.compile(r"-\s*+(renewable|nonrenewable|doubly constrained)\s*+:\s*+(\d{1,9})(?!\d)")
_JOBS = re.compile(r"jobs\s*+\(incl\. supersource/sink\s*+\)\s*+:\s*+(\d{1,9})(?!\d)")
_SITE = "project"
_PARTS = ("PRECEDENCE RELATIONS", "REQUESTS/DURATIONS", "RESOURCEAVAILABILITIES")


@dataclass(frozen=True)
class _Mode:
    """One way to carry a job out: seconds, and units of each resource."""

    seconds: float
    units: tuple[int, ...]


def _read(text: str, where: str) -> Graph:
    kinds = _kinds(text, where)
    after, modes, there = (list(_rows(text, part, where)) for part in _PARTS)
    counts = _wholes(there[-1], "availability", f"{where}, resource availabilities")
    if len(counts) != len(kinds):
        raise InputError(
            f"{len(counts)} availabilities for {len(kinds)} resources", where=where,
            remedy="The file may be cut off; fetch it again",
        )  # fmt: skip
    jobs = _jobs(modes, len(kinds), where)
    stated = _JOBS.search(text)
    if stated and len(jobs) != int(stated[1]):
        raise InputError(f"the file holds {len(jobs)} of {stated[1]} jobs", where=where,
                         remedy="It may be cut off; fetch it again")  # fmt: skip
    ends = {min(jobs), max(jobs)}
    named = {
        job: f"job {job}"
        for job, own in jobs.items()
        if job not in ends or any(mode.seconds for mode in own)
    }
    tasks = tuple(_task(named[job], jobs[job], kinds) for job in named)
    flows = tuple(
        Flow(named[job], named[other])
        for job, others in _successors(after, jobs, where)
        for other in others
        if job in named and other in named
    )
    most = max(1, len(tasks))
    own = tuple(Resource(kind, count) for kind, count in zip(kinds, counts, strict=True) if count)
    platform = Platform(_SITE, (Machine(_SITE, most),), resources=own)
    note = "Units of time are taken as seconds; jobs hold resources alone, no cores limit them"
    return Graph(Workload(_SITE, tasks, flows), platform, (note,))


def _kinds(text: str, where: str) -> tuple[str, ...]:
    """Names of the renewable resources; others can't be told here."""
    counts = {kind: int(number) for kind, number in _COUNT.findall(text)}
    if "renewable" not in counts:
        raise InputError("the file tells no number of renewable resources", where=where)
    for kind in ("nonrenewable", "doubly constrained"):
        if counts.get(kind):
            raise InputError(f"{kind} resources are no part of a plan", where=where,
                             value=counts[kind],
                             remedy="Open a project that has renewable ones alone")  # fmt: skip
    return tuple(f"R{number}" for number in range(1, counts["renewable"] + 1))


def _rows(text: str, part: str, where: str) -> Iterator[list[str]]:
    """The rows of numbers below a heading."""
    _, found, rest = text.partition(part)
    rows = [line.split() for line in rest.split("***", 1)[0].splitlines()]
    numbers = [row for row in rows if row and all(word.lstrip("-").isdigit() for word in row)]
    if not found or not numbers:
        raise InputError(f"the part {part} is missing", where=where,
                         remedy="The file may be cut off; fetch it again")  # fmt: skip
    yield from numbers


def _wholes(words: list[str], what: str, where: str) -> tuple[int, ...]:
    return tuple(int(quantity(word, what, where)) for word in words)


def _jobs(rows: list[list[str]], kinds: int, where: str) -> dict[int, list[_Mode]]:
    """The modes of every job; a further mode of the same one has no number of it."""
    jobs: dict[int, list[_Mode]] = {}
    job = 0
    for number, row in enumerate(rows, 1):
        place = f"{where}, row {number} of the durations"
        if len(row) == kinds + 3:
            (job,) = _wholes(row[:1], "job", place)
        elif len(row) != kinds + 2 or not jobs or row[0] != str(len(jobs[job]) + 1):
            raise InputError("a job needs its mode, duration and units of each resource",
                             where=place, value=" ".join(row[:8]))  # fmt: skip
        seconds, *units = _wholes(row[-kinds - 1 :], "duration or units", place)
        jobs.setdefault(job, []).append(_Mode(float(seconds), tuple(units)))
    return jobs


def _successors(
    rows: list[list[str]], jobs: dict[int, list[_Mode]], where: str
) -> Iterator[tuple[int, tuple[int, ...]]]:
    for number, row in enumerate(rows, 1):
        place = f"{where}, row {number} of the precedence relations"
        job, *rest = _wholes(row, "job", place)
        if len(rest) < 2 or len(rest) != 2 + rest[1]:
            raise InputError("a job needs its modes, the number of its successors and these",
                             where=place, value=" ".join(row[:8]))  # fmt: skip
        for one in (job, *rest[2:]):
            if one not in jobs:
                raise InputError("this job has no duration", where=place, value=one)
        yield job, tuple(rest[2:])


def _task(name: str, modes: list[_Mode], kinds: tuple[str, ...]) -> Task:
    variants = tuple(
        Variant(f"mode {number}", mode.seconds, resources=_held(mode, kinds))
        for number, mode in enumerate(modes, 1)
    )
    if len(variants) > 1:
        return Task(name, variants=variants)
    return replace(Task(name, work=modes[0].seconds), resources=variants[0].resources)


def _held(mode: _Mode, kinds: tuple[str, ...]) -> Held:
    return tuple((kind, units) for kind, units in zip(kinds, mode.units, strict=True) if units)


SOURCE = Source(
    "psplib", "PSPLIB project", (".sm", ".mm"), lambda head: bool(_HEAD.search(head)), _read,
    machines=True,
)  # fmt: skip
