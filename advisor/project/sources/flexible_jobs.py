"""Flexible job shops as Brandimarte (1993) wrote his: `.fjs`, a line a job.

A first line has the numbers of jobs and machines; a job's line its number of operations, then for
each the number of machines that can do it and, of each, its number and the time. Operations are
tasks with seconds by machine, one after the other in a job; machines have one core. Numbers begin
at 0 where a 0 occurs, else at 1.
"""

from __future__ import annotations

import re

from advisor.allocation.task import Task
from advisor.allocation.workload import Flow, Workload
from advisor.project.sources.source import Graph, Source
from machines import InputError, Machine, Platform

_HEAD = re.compile(rb"\A\s*+\d{1,6}[ \t]+\d{1,6}(?:[ \t]+[\d.]{1,9})?[ \t]*+\r?\n")
_SITE = "job shop"
_MOST = 100_000  # operations
Operation = tuple[tuple[int, int], ...]  # pairs (machine, time)


def _recognises(head: bytes) -> bool:
    """Whether the first job's line holds what its numbers announce, and nothing else."""
    found = _HEAD.match(head)
    if found is None:
        return False
    line = head[found.end() :].split(b"\n", 1)[0].split()
    if not line or not all(word.isdigit() for word in line):
        return False
    try:
        _operations([int(word[:9]) for word in line], int(found[0].split()[1]), "")
    except InputError:
        return False
    return True


def _read(text: str, where: str) -> Graph:
    rows = [line.split() for line in text.splitlines() if line.strip()]
    counts = _wholes(rows[0][:2], f"{where}, line 1")
    jobs, machines = counts[0], counts[1]
    if len(rows) - 1 != jobs:
        raise InputError(f"the file holds {len(rows) - 1} of {jobs} jobs", where=where,
                         remedy="It may be cut off; fetch it again")  # fmt: skip
    shop = [
        _operations(_wholes(row, f"{where}, line {at}"), machines, f"{where}, line {at}")
        for at, row in enumerate(rows[1:], 2)
    ]
    numbers = {machine for job in shop for one in job for machine, _ in one}
    first = 0 if 0 in numbers else 1
    if max(numbers, default=0) - first >= machines or sum(map(len, shop)) > _MOST:
        raise InputError("a machine's number is not among those announced", where=where,
                         value=max(numbers, default=0))  # fmt: skip
    names = [f"machine {place + 1}" for place in range(machines)]
    tasks, flows = [], []
    for job, operations in enumerate(shop, 1):
        for place, one in enumerate(operations, 1):
            seconds = tuple((names[machine - first], float(time)) for machine, time in one)
            tasks.append(Task(f"job {job} step {place}", seconds=seconds))
            if place > 1:
                flows.append(Flow(tasks[-2].name, tasks[-1].name))
    platform = Platform(_SITE, tuple(Machine(name) for name in names))
    note = "Units of time are taken as seconds; between machines nothing is moved"
    return Graph(Workload(_SITE, tuple(tasks), tuple(flows)), platform, (note,))


def _wholes(words: list[str], where: str) -> list[int]:
    if not words or not all(word.isdigit() and len(word) < 10 for word in words):
        raise InputError("a job shop has whole numbers alone", where=where,
                         value=" ".join(words[:8]))  # fmt: skip
    return [int(word) for word in words]


def _operations(line: list[int], machines: int, where: str) -> list[Operation]:
    """The operations of a job's line, which they fill."""
    found: list[Operation] = []
    at = 1
    for _ in range(line[0]):
        ways = line[at] if at < len(line) else 0
        end = at + 1 + 2 * ways
        if not 1 <= ways <= machines or end > len(line):
            break
        found.append(tuple(zip(line[at + 1 : end : 2], line[at + 2 : end : 2], strict=True)))
        at = end
    if at != len(line) or len(found) != line[0] or not found:
        raise InputError(
            "a job needs the number of its operations and, of each, the number of machines and "
            "these with their times",
            where=where, value=" ".join(map(str, line[:8])),
        )  # fmt: skip
    return found


SOURCE = Source("flexible-jobs", "Flexible job shop", (".fjs",), _recognises, _read, machines=True)
