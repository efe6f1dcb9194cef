"""Run records: CSV with a header, one line a task and run, seconds from the run's start.

Our runners write it line by line as tasks end, so that a kill leaves whole lines: the text of a
record is that of `header_line` and of a `line` each. A last line that is cut is left out, and said.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from advisor.basics.csv_text import cells, plain_cell, safe_cell
from advisor.runs.record import OK, Run, TaskRun
from machines.checks import written_number
from machines.errors import InputError

HEADER = (
    "run", "task", "machine", "ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in", "status",
)  # fmt: skip
_NUMBERS = ("ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in")
_NEEDED = ("task", "start_s", "end_s")


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
    listed = list(rows)
    for place, (number, row) in enumerate(listed):
        if not row:
            continue
        if cut and place == len(listed) - 1 and len(row) < len(header):
            notes = dict.fromkeys(found, ("The last line is cut and left out",))
            break
        run, one = _task_run(dict(zip(header, row, strict=False)), f"{where}: line {number}")
        found.setdefault(run, []).append(one)
    return tuple(
        Run(name, tuple(tasks), notes=notes.get(name, ())).from_zero()
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
