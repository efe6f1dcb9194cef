"""The tasks and flows that the rows of a table state, alone or beside those that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.table_titles import AFTER
from advisor.project.task_table import Proposal, TableRow
from machines import InputError
from machines.errors import PlacewiseError

Pair = tuple[str, str]


def workload_of(proposal: Proposal, name: str) -> Workload:
    """A workload of the tasks and flows of the table alone; its machines are no part of it.

    Raises
    ------
    InputError
        The first error of the table, an unknown name or a cycle.
    """
    if proposal.errors:
        raise proposal.errors[0]
    tasks = tuple(task_of(row, None) for row in proposal.rows)
    return Workload(name, tasks, tuple(flows_of(proposal, {}, tasks).values()))


def task_of(row: TableRow, before: Task | None) -> Task:
    """The task that a row states; what it leaves open is as `before`, or as of a new task."""
    try:
        if before is None:
            work = 1.0 if row.seconds is None else row.seconds
            return Task(row.name, work=work, cores=row.cores or 1, memory_bytes=row.memory_bytes)
        if row.seconds is not None:
            before = replace(before, work=row.seconds, seconds=(), program=None)
        if row.cores is not None:
            before = replace(before, cores=row.cores)
        if row.memory_bytes is not None:
            before = replace(before, memory_bytes=row.memory_bytes)
    except PlacewiseError as error:
        raise error.at(f"row {row.line}") from error
    return before


def flows_of(
    proposal: Proposal, old: Mapping[Pair, Flow], tasks: Sequence[Task]
) -> dict[Pair, Flow]:
    """All flows: those stated in the rows, and the old ones into tasks that state none."""
    names = {task.name for task in tasks}
    numbers = {row.number: row.name for row in proposal.rows if row.number}
    lines = {str(row.line): row.name for row in proposal.rows}
    data = {row.name: row.data_bytes for row in proposal.rows if row.data_bytes is not None}
    stating = {row.name for row in proposal.rows if row.after is not None}
    flows = {pair: _with_data(flow, data) for pair, flow in old.items() if pair[1] not in stating}
    for row in proposal.rows:
        for stated in row.after or ():
            source = stated if stated in names else numbers.get(stated) or lines.get(stated)
            if source is None or source == row.name:
                raise InputError(
                    "no task has this name" if source is None else "a task can't wait for itself",
                    where=f'row {row.line}, column "{title_of(proposal, AFTER)}"',
                    value=stated,
                    remedy="Write names of tasks, separated by semicolons, or numbers of rows",
                )
            pair = source, row.name
            flows[pair] = _with_data(old.get(pair) or Flow(*pair), data)
    return flows


def _with_data(flow: Flow, data: Mapping[str, float]) -> Flow:
    size = data.get(flow.source)
    if size is None or size == flow.size_bytes:
        return flow
    return replace(flow, data_sets=((1, size),) if size else ())


def title_of(proposal: Proposal, role: str) -> str:
    """The title of the column taken for `role`."""
    place = proposal.place(role)
    return "" if place is None else proposal.columns[place].title
