"""What Slurm is given as one job: a task, short tasks in a row, or an array of alike tasks.

Grouping never delays what others wait for: a task joins the one ahead of it on its machine only if
it waits for nothing that the first of the group does not wait for, and whoever waits for one of the
group waits for its last one anyway.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from advisor.engines.jobs import Job, Jobs

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
        key = (first.machine, first.cores, first.kind, first.after, first.behind)
        alike[key if len(row) == 1 else row].append(row)
    found = []
    for rows_alike in alike.values():
        members = [row[0] for row in rows_alike]
        if len(members) < ARRAY_FROM:
            found += [Unit(row, False, _waits(jobs.jobs, row)) for row in rows_alike]
            continue
        for at in range(0, len(members), ARRAY_TO):
            part = tuple(members[at : at + ARRAY_TO])
            found.append(Unit(part, len(part) > 1, _waits(jobs.jobs, part[:1])))
    return tuple(sorted(found, key=lambda unit: unit.jobs[0]))


def _waits(jobs: tuple[Job, ...], row: tuple[int, ...]) -> tuple[Wait, ...]:
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
        if (job.machine, job.cores) != (ahead.machine, ahead.cores):
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
