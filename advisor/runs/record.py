"""What happened in one run of a workload: a line a task, whoever carried it out.

Frozen values. Every reader of logs (`advisor.runs.logs`) makes them, and so do our own runners;
names are those of the log, and belong to no workload yet (`advisor.runs.actual`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from machines.checks import LARGEST
from machines.errors import InputError

OK, FAILED = "ok", "failed"
STATUSES = (OK, FAILED)


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One task of one run; times in seconds from the run's start.

    `task`, `machine`: as the log names them; an empty machine: the log does not say.
    `start_s`, `end_s`: when it began to compute, after what it fetched in its slot, and when it
        ended.
    `fetch_start_s`: when it took its slot, if it fetched inputs there before it computed.
    `after`: the tasks that it waited for, where the log names them; not part of run records.
    """

    task: str
    machine: str
    start_s: float
    end_s: float
    ready_s: float | None = None  # when the last of what it needs had ended; None: not told
    fetch_start_s: float | None = None
    bytes_in: float | None = None  # what it fetched from other machines
    status: str = OK  # {"ok", "failed"}
    output: str = ""  # what a failed task said last; not part of files
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = f'task "{self.task}"'
        for name in ("start_s", "end_s", "ready_s", "fetch_start_s", "bytes_in"):
            value = getattr(self, name)
            if value is not None and not abs(value) <= LARGEST:
                raise InputError(
                    f"{name} is out of range", where=where, value=value,
                    remedy=f"Allowed: finite, within ±{LARGEST:g}",
                )  # fmt: skip
        if self.end_s < self.start_s:
            raise InputError(
                "it ends before it starts", where=where, value=self.end_s - self.start_s,
                remedy="The clock was set back, or the log is of another kind",
            )  # fmt: skip
        if self.fetch_start_s is not None and self.fetch_start_s > self.start_s:
            raise InputError("it fetches after it starts", where=where, value=self.fetch_start_s)
        if self.bytes_in is not None and self.bytes_in < 0:
            raise InputError("bytes_in must be ≥ 0", where=where, value=self.bytes_in)
        if self.status not in STATUSES:
            remedy = f"Use {' or '.join(STATUSES)}"
            raise InputError("unknown status", where=where, value=self.status, remedy=remedy)

    @property
    def taken_s(self) -> float:
        """When it took its slot."""
        return self.start_s if self.fetch_start_s is None else self.fetch_start_s

    def shifted(self, by_s: float) -> TaskRun:
        """The same so many seconds later."""
        ready, fetch = self.ready_s, self.fetch_start_s
        return replace(
            self,
            start_s=self.start_s + by_s,
            end_s=self.end_s + by_s,
            ready_s=None if ready is None else ready + by_s,
            fetch_start_s=None if fetch is None else fetch + by_s,
        )


@dataclass(frozen=True)
class Run:
    """One run.

    `tasks`: in the order of their ends; a task that was tried again is there several times.
    `engine`: what carried it out: "dask", "slurm", "snakemake", "parsl", "nextflow", …; empty: not
        told.
    `resolution_s`: the log knows times no better: 1 for whole seconds; 0: as good as a clock.
    `timed`: whether the log tells when tasks started. If not, each is there as if it had started at
        0: how long tasks took is known, and nothing of their order, gaps and makespan.
    """

    name: str  # what tells it from other runs
    tasks: tuple[TaskRun, ...]
    engine: str = ""
    resolution_s: float = 0.0
    notes: tuple[str, ...] = ()  # what the reader noticed, in sentences
    timed: bool = True

    @property
    def makespan_s(self) -> float:
        """From the first slot taken to the last end; 0 without tasks, or without start times."""
        if not self.tasks or not self.timed:
            return 0.0
        return max(one.end_s for one in self.tasks) - min(one.taken_s for one in self.tasks)

    def from_zero(self) -> Run:
        """The same with the first slot taken at 0, and the tasks in the order of their ends."""
        if not self.tasks:
            return self
        first = min(one.taken_s for one in self.tasks)
        moved = (one.shifted(-first) if first else one for one in self.tasks)
        return replace(self, tasks=tuple(sorted(moved, key=lambda one: (one.end_s, one.task))))
