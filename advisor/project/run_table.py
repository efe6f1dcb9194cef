"""Runs as tables of a project file, a compact row a task; both functions are exact inverses.

A row has the columns of a run record in their order, but for the run, and last the names of what it
waited for; what is missing at its end is not told, a status: ok.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from advisor.runs.record import OK, Run, TaskRun
from machines import InputError
from machines.checks import flag, number, plain_name, text
from machines.formats.fields import Table, entry, names, place, required, rows, table

_RUN = ("name", "engine", "resolution_s", "notes", "timed", "tasks")
_ROW = (
    "task", "machine", "ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in", "status",
    "after",
)  # fmt: skip
_LEAST = 6  # up to when it ended


def runs_from(source: Table) -> tuple[Run, ...]:
    """The runs under the key ``runs``; none where it is absent.

    Raises
    ------
    InputError
        Naming the run and the row: a name twice, a row too short or long, times out of order.
    """
    found: dict[str, Run] = {}
    for position, row in enumerate(rows(source, "runs")):
        with place(entry("run", row, position)):
            run = _run(table(row, _RUN, ""))
            if run.name in found:
                raise InputError("two runs have one name", value=run.name)
            found[run.name] = run
    return tuple(found.values())


def runs_table(runs: tuple[Run, ...]) -> list[Table]:
    """What a file holds of them."""
    return [_table(run) for run in runs]


def _run(row: Table) -> Run:
    return Run(
        name=plain_name("name", required(row, "name", "")),
        tasks=tuple(_tasks(rows(row, "tasks"))),
        engine=text("engine", row.get("engine", ""), empty=True),
        resolution_s=number("resolution_s", row.get("resolution_s", 0.0)),
        notes=names(row.get("notes", []), "notes", ""),
        timed=flag("timed", row.get("timed", True)),
    )


def _tasks(listed: list[object]) -> Iterator[TaskRun]:
    for position, row in enumerate(listed, 1):
        with place(f"task run {position}"):
            yield _task(row)


def _task(row: object) -> TaskRun:
    if not isinstance(row, list) or not _LEAST <= len(row) <= len(_ROW):
        raise InputError("a task run is a list", value=row, remedy=f"In order: {', '.join(_ROW)}")
    filled = [*row, *[None] * (len(_ROW) - len(row))]
    task, machine, ready, fetch, start, end, received, status, after = filled
    return TaskRun(
        text("task", task, empty=True),
        text("machine", machine, empty=True),
        _seconds("start_s", start),
        _seconds("end_s", end),
        None if ready is None else _seconds("ready_s", ready),
        None if fetch is None else _seconds("fetch_start_s", fetch),
        None if received is None else number("bytes_in", received, high=math.inf),
        OK if status is None else text("status", status),
        after=() if after is None else names(after, "after", ""),
    )


def _seconds(name: str, value: object) -> float:
    return number(name, value, low=-math.inf, high=math.inf)


def _table(run: Run) -> Table:
    result: Table = {"name": run.name}
    if run.engine:
        result["engine"] = run.engine
    if run.resolution_s:
        result["resolution_s"] = run.resolution_s
    if run.notes:
        result["notes"] = list(run.notes)
    if not run.timed:
        result["timed"] = False
    result["tasks"] = [_row(one) for one in run.tasks]
    return result


def _row(one: TaskRun) -> list[object]:
    row: list[object] = [
        one.task, one.machine, one.ready_s, one.fetch_start_s, one.start_s, one.end_s,
        one.bytes_in, None if one.status == OK else one.status,
        list(one.after) or None,
    ]  # fmt: skip
    while row[-1] is None:
        row.pop()
    return row
