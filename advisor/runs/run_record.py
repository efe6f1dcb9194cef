"""What happened in one run of a workload: a line a task, whoever carried it out.

Frozen values. Every reader of logs (`advisor.runs.logs`) makes them, and so do our own runners;
names are those of the log, and belong to no workload yet (`advisor.runs.actual`).

Run records: CSV with a header, one line a task and run, seconds from the run's start.

Our runners write it line by line as tasks end, so that a kill leaves whole lines: the text of a
record is that of `header_line` and of a `line` each. A last line that is cut is left out, and said.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, replace

from advisor.basics.csv_text import cells, plain_cell, safe_cell
from machines.checks import LARGEST, written_number
from machines.errors import InputError

OK, FAILED = "ok", "failed"
GONE, REPLANNED = " is gone", "replanned at "
"""In notes of our own runs: after the machine that was lost, and before the time."""
STATUSES = (OK, FAILED)


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One task of one run; times in seconds from the run's start.

    `task`, `machine`: as the log names them; an empty machine: the log does not say.
    `start_s`, `end_s`: when it began to compute, after what it fetched in its slot, and when it
        ended.
    `fetch_start_s`: when it took its slot, if it fetched inputs there before it computed.
    `after`: the tasks that it waited for, where the log names them; not part of run records.
    `peak_bytes`: the most memory that it held, where the log tells it; not part of run records.
    `made_bytes`: the size of its result, where the log tells it; not part of files.
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
    peak_bytes: float | None = None
    made_bytes: float | None = None

    def __post_init__(self) -> None:
        if not self.task.strip():
            raise InputError(
                "a task has no name", where=f"the task that takes {self.end_s - self.start_s:g} s",
                remedy="Name it in the log, or leave it out",
            )  # fmt: skip
        where = f'task "{self.task}"'
        sizes = ("bytes_in", "peak_bytes", "made_bytes")
        for name in ("start_s", "end_s", "ready_s", "fetch_start_s", *sizes):
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
        for name in sizes:
            value = getattr(self, name)
            if value is not None and value < 0:
                raise InputError(f"{name} must be ≥ 0", where=where, value=value)
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
        0: how long tasks took is known, and nothing of their order and gaps.
    `stated_s`: the makespan that such a log states; 0: it states none.
    """

    name: str  # what tells it from other runs
    tasks: tuple[TaskRun, ...]
    engine: str = ""
    resolution_s: float = 0.0
    notes: tuple[str, ...] = ()  # what the reader noticed, in sentences
    timed: bool = True
    stated_s: float = 0.0

    @property
    def makespan_s(self) -> float:
        """From the first slot taken to the last end, or stated; 0 without tasks, or not known."""
        if not self.tasks or not self.timed:
            return self.stated_s
        return max(one.end_s for one in self.tasks) - min(one.taken_s for one in self.tasks)

    def from_zero(self) -> Run:
        """The same with the first slot taken at 0, and the tasks in the order of their ends."""
        if not self.tasks:
            return self
        first = min(one.taken_s for one in self.tasks)
        moved = (one.shifted(-first) if first else one for one in self.tasks)
        return replace(self, tasks=tuple(sorted(moved, key=lambda one: (one.end_s, one.task))))


HEADER = (
    "run", "task", "machine", "ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in", "status",
)  # fmt: skip
_NUMBERS = ("ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in")
_REMARK = "# "  # what a line begins with that tells of no task
_NOTE_CELLS = 2  # of such a line that is a note
_NEEDED = ("task", "start_s", "end_s")
_MOST_TASKS, _MOST_RUNS = 200_000, 1_000  # of a record


def header_line() -> str:
    """The first line of a record, with its end."""
    return ",".join(HEADER) + "\n"


def line(run: str, one: TaskRun) -> str:
    """The line of a task, with its end."""
    text = io.StringIO()
    row = [run, one.task, one.machine, one.ready_s, one.fetch_start_s, one.start_s, one.end_s,
           one.bytes_in, one.status]  # fmt: skip
    csv.writer(text, lineterminator="\n").writerow(
        "" if cell is None else safe_cell(cell) for cell in row
    )
    return text.getvalue()


def remark(run: str, *cells: str) -> str:
    """A line that tells of a run what no task does; the first cell alone is one of its notes."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(safe_cell, (f"{_REMARK}{run}", *cells)))
    return text.getvalue()


def render(runs: Iterable[Run]) -> str:
    """The text of a record of several runs."""
    return header_line() + "".join(line(run.name, one) for run in runs for one in run.tasks)


def is_record(head: str) -> bool:
    """Whether a text that begins so is a run record: its columns, in any order."""
    first = [cell.strip().strip('"') for cell in head.partition("\n")[0].split(",")]
    return set(_NEEDED) <= set(first) <= set(HEADER)


def parse(text: str, where: str) -> tuple[Run, ...]:
    """The runs of a record, each from its own zero."""
    cut = bool(text) and not text.endswith("\n")
    if (lines := text.count("\n")) > _MOST_TASKS:
        raise InputError(
            "the record has too many tasks", where=where, value=lines,
            remedy=f"Allowed: {_MOST_TASKS:,}; split it by its runs",
        )  # fmt: skip
    rows = cells(text, where)
    _, header = next(rows, (0, []))
    lacking = [name for name in _NEEDED if name not in header]
    if lacking:
        raise InputError(
            "the record lacks a column", where=where, value=lacking[0],
            remedy=f"Header: {','.join(HEADER)}",
        )  # fmt: skip
    found: dict[str, list[TaskRun]] = {}
    notes: dict[str, tuple[str, ...]] = {}
    remarks: dict[str, tuple[str, ...]] = {}
    listed = list(rows)
    for place, (number, row) in enumerate(listed):
        if not row:
            continue
        if cut and place == len(listed) - 1 and len(row) < len(header):
            notes = dict.fromkeys(found, ("The last line is cut and left out",))
            break
        if row[0].startswith(_REMARK) and len(row) < len(header):
            name = row[0].removeprefix(_REMARK)
            if len(row) == _NOTE_CELLS:
                remarks[name] = (*remarks.get(name, ()), plain_cell(row[1]))
            continue
        run, one = _task_run(dict(zip(header, row, strict=False)), f"{where}: line {number}")
        found.setdefault(run, []).append(one)
        if len(found) > _MOST_RUNS:
            raise InputError(
                "the record has too many runs", where=f"{where}: line {number}", value=run,
                remedy=f"Allowed: {_MOST_RUNS:,}; split it",
            )  # fmt: skip
    return tuple(
        Run(name, tuple(tasks), notes=remarks.get(name, ()) + notes.get(name, ())).from_zero()
        for name, tasks in found.items()
    )


def _task_run(row: dict[str, str], where: str) -> tuple[str, TaskRun]:
    found = [_number(name, row.get(name, "").strip(), where) for name in _NUMBERS]
    ready_s, fetch_start_s, start_s, end_s, bytes_in = found
    assert start_s is not None
    assert end_s is not None
    task, machine = (plain_cell(row.get(name, "")) for name in ("task", "machine"))
    status = row.get("status") or OK
    try:
        one = TaskRun(task, machine, start_s, end_s, ready_s, fetch_start_s, bytes_in, status)
    except InputError as error:
        raise error.at(where) from None
    return plain_cell(row.get("run", "")), one


def _number(name: str, cell: str, where: str) -> float | None:
    value = written_number(cell) if cell else None
    if value is None and (cell or name in _NEEDED):
        raise InputError(f"{name} is no number", where=where, value=cell)
    return value
