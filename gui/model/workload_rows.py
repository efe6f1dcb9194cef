"""Tasks and flows as rows of the model's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import cast

from advisor.allocation.moved_programs import moved_plan
from advisor.allocation.workload import Flow, Task
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.flow_sheet import flow_sheet
from gui.inspector.sheet import Field, Sheet, editable
from gui.inspector.task_sheet import task_sheet
from gui.inspector.values import shown_data_sets
from gui.model.row_kind import (
    CellColumn,
    FieldOf,
    RowKind,
    by_action,
    first_of,
    of_sheet,
    one_by_one,
    only,
    shown_bytes,
    shown_seconds,
    swapped,
)
from machines import InputError

# tasks


def _task(project: Project, at: int) -> Task:
    return project.workload.tasks[at]


def _home(project: Project, at: int) -> str:
    return project.platform.machines[project.plan.allocation[at]].name


def _task_time(project: Project, at: int) -> object:
    """Reference seconds, or those stated on its machine; None: as its program takes."""
    task = _task(project, at)
    return task.work if task.work is not None else dict(task.seconds).get(_home(project, at))


def _one_task(project: Project, at: int) -> Sheet:
    return task_sheet(project, (at,))


def _time_field(project: Project, at: int) -> Field | None:
    by_work = _task(project, at).work is not None
    key = "work" if by_work else f"seconds.{_home(project, at)}"
    return of_sheet(_one_task, key)(project, at)


def _home_field(project: Project, at: int) -> Field:
    def write(before: Project, value: object) -> Project:
        platform, name = before.platform, cast("str", value)
        where = f'task "{_task(before, at).name}"'
        if name not in platform.index:
            remedy = f"Write one of {values.shown_names(tuple(platform.index)[:8])}"
            raise InputError("no machine has this name", where=where, value=name, remedy=remedy)
        machine = platform.index[name]
        if edits.seconds_on(_task(before, at), platform.machines[machine]) is None:
            remedy = "It needs a machine that is allowed, has enough cores and memory, and a time"
            raise InputError("it can't run there", where=where, value=name, remedy=remedy)
        plan = moved_plan(before.plan, before.workload, platform, [at], machine)
        return replace(before, plan=plan)

    hint = "Machine on which the present plan runs it"
    return editable("runs_on", "Runs on", hint, _home(project, at), write, values.name)


def _task_value(name: str) -> Callable[[Project, int], object]:
    of = attrgetter(name)
    return lambda project, at: of(_task(project, at))


TASKS = RowKind(
    "task",
    "Tasks",
    (
        CellColumn(
            "Name",
            "Unique among the tasks",
            _task_value("name"),
            of_sheet(_one_task, "name"),
        ),
        CellColumn(
            "Time",
            "Reference seconds, divided by the machine's speed; of a task with a time for each "
            "machine the time on the machine that runs it",
            _task_time,
            _time_field,
            shown_seconds,
            numeric=True,
        ),
        CellColumn(
            "Cores",
            "Cores that it holds while it runs",
            _task_value("cores"),
            of_sheet(_one_task, "cores"),
            numeric=True,
        ),
        CellColumn(
            "Memory",
            "Working set; empty: not counted",
            _task_value("memory_bytes"),
            of_sheet(_one_task, "memory_bytes"),
            shown_bytes,
            numeric=True,
        ),
        CellColumn(
            "Machines",
            "Machines that may run it, separated by commas; empty: any",
            _task_value("allowed"),
            of_sheet(_one_task, "allowed"),
            values.shown_names,
        ),
        CellColumn("Runs on", "Machine on which the present plan runs it", _home, _home_field),
    ),
    lambda project: len(project.workload.tasks),
    lambda project, at: _task(project, at).name,
    by_action("add_task"),
    edits.remove_tasks,
    lambda selection: selection.tasks,
    lambda rows: Selection(tasks=rows),
)


# flows


def _flow(project: Project, at: int) -> Flow:
    return project.workload.flows[at]


def _end_field(end: str, title: str) -> FieldOf:
    def field(project: Project, at: int) -> Field:
        def write(before: Project, value: object) -> Project:
            if value not in before.workload.index:
                raise InputError(
                    "no task has this name",
                    where=f"flow {_flow(before, at).name}",
                    value=value,
                    remedy="Write the name of a task",
                )
            old = _flow(before, at)
            ends = swapped((old.source, old.target), ("source", "target").index(end), value)
            return edits.with_flow(before, at, replace(old, source=ends[0], target=ends[1]))

        now = getattr(_flow(project, at), end)
        return editable(end, title, f"Task {title.lower()} which it goes", now, write, values.name)

    return field


def _add_flow(project: Project) -> Project:
    """A flow between the first two tasks, in the order of the graph, that none joins."""
    workload = project.workload
    names = [workload.tasks[at].name for at in workload.topological_order.tolist()]
    joined = {(flow.source, flow.target) for flow in workload.edges}
    for step in range(1, len(names)):
        for pair in zip(names, names[step:], strict=False):
            if pair not in joined:
                return edits.add_flow(project, Flow(*pair))
    raise InputError("no two tasks are without a flow", remedy="Add a task first")


def _flow_of(project: Project, texts: Mapping[int, str]) -> Project:
    """A flow between the two tasks that the texts name."""
    if not (0 in texts and 1 in texts):
        raise InputError("a flow needs both tasks", remedy="Give the columns From and To")
    return edits.add_flow(project, Flow(texts[0], texts[1]))


FLOWS = RowKind(
    "flow",
    "Flows",
    (
        CellColumn(
            "From",
            "Task that sends",
            lambda project, at: _flow(project, at).source,
            _end_field("source", "From"),
            also=("source", "sender"),
        ),
        CellColumn(
            "To",
            "Task that waits for it",
            lambda project, at: _flow(project, at).target,
            _end_field("target", "To"),
            also=("target", "receiver"),
        ),
        CellColumn(
            "Data",
            "A size, or count × size; several separated by semicolons. Empty: precedence alone",
            lambda project, at: _flow(project, at).data_sets,
            of_sheet(flow_sheet, "data_sets"),
            shown_data_sets,
            numeric=True,
            also=("size",),
        ),
    ),
    lambda project: len(project.workload.flows),
    lambda project, at: _flow(project, at).name,
    _add_flow,
    one_by_one(edits.remove_flow),
    lambda selection: only(selection.flow),
    lambda rows: Selection(flow=first_of(rows)),
    _flow_of,
)
