"""What the tables of the model hold: for each kind of thing its columns and its edits.

A cell is a field of the inspector's sheet of its row, where that has one: declared once, read and
written in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, cast

from advisor.allocation.moved_programs import moved_plan
from advisor.allocation.workload import Flow, Task
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.flow_sheet import flow_sheet
from gui.inspector.link_sheet import link_sheet
from gui.inspector.machine_sheet import machine_sheet
from gui.inspector.project_sheet import project_sheet
from gui.inspector.sheet import VARIOUS, Field, Sheet, editable, with_field
from gui.inspector.task_sheet import task_sheet
from gui.model.amounts import amount, data_sets, shown_data_sets
from machines import Direction, InputError, Link

FieldOf = Callable[[Project, int], Field | None]
_NEW_WAY = Direction(startup_s=1e-3, bandwidth=125e6)


@dataclass(frozen=True)
class CellColumn:
    """One column: what it shows of the row at a position, and the field that writes it."""

    title: str
    hint: str
    value: Callable[[Project, int], object]
    field: FieldOf  # None where the cell is read-only
    show: Callable[[object], str] = values.shown
    numeric: bool = False


@dataclass(frozen=True)
class RowKind:
    """One table: tasks, flows, machines or links."""

    name: str  # of one row
    title: str
    columns: tuple[CellColumn, ...]
    length: Callable[[Project], int]
    called: Callable[[Project, int], str]
    add: Callable[[Project], Project]  # one more row, the last one
    remove: Callable[[Project, Collection[int]], Project]
    chosen: Callable[[Selection], frozenset[int]]
    choice: Callable[[frozenset[int]], Selection]


def _of_sheet(sheet: Callable[[Project, int], Sheet], key: str) -> FieldOf:
    return lambda project, at: next(
        (one for one in sheet(project, at).fields if one.key == key), None
    )


def _read_only(_project: Project, _at: int) -> None:
    return None


def _bytes(value: object) -> str:
    return amount(value, "B")


def _seconds(value: object) -> str:
    return amount(value, "s")


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
    return _of_sheet(_one_task, key)(project, at)


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


def _act(key: str) -> Callable[[Project], Project]:
    """The edit behind a button of the project's sheet."""

    def run(project: Project) -> Project:
        found = next(one for one in project_sheet(project).actions if one.key == key)
        return found.run(project)

    return run


TASKS = RowKind(
    "task",
    "Tasks",
    (
        CellColumn(
            "Name",
            "Unique among the tasks",
            _task_value("name"),
            _of_sheet(_one_task, "name"),
        ),
        CellColumn(
            "Time",
            "Reference seconds, divided by the machine's speed; of a task with a time for each "
            "machine the time on the machine that runs it",
            _task_time,
            _time_field,
            _seconds,
            numeric=True,
        ),
        CellColumn(
            "Cores",
            "Cores that it holds while it runs",
            _task_value("cores"),
            _of_sheet(_one_task, "cores"),
            numeric=True,
        ),
        CellColumn(
            "Memory",
            "Working set; empty: not counted",
            _task_value("memory_bytes"),
            _of_sheet(_one_task, "memory_bytes"),
            _bytes,
            numeric=True,
        ),
        CellColumn(
            "Machines",
            "Machines that may run it, separated by commas; empty: any",
            _task_value("allowed"),
            _of_sheet(_one_task, "allowed"),
            values.shown_names,
        ),
        CellColumn("Runs on", "Machine on which the present plan runs it", _home, _home_field),
    ),
    lambda project: len(project.workload.tasks),
    lambda project, at: _task(project, at).name,
    _act("add_task"),
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
            ends = _swapped((old.source, old.target), ("source", "target").index(end), value)
            return edits.with_flow(before, at, replace(old, source=ends[0], target=ends[1]))

        now = getattr(_flow(project, at), end)
        return editable(end, title, f"Task {title.lower()} which it goes", now, write, values.name)

    return field


def _swapped(ends: tuple[str, str], place: int, value: object) -> tuple[str, str]:
    """The ends with another one at `place`; the other end's name swaps them."""
    name = cast("str", value)
    other = ends[place] if ends[1 - place] == name else ends[1 - place]
    return (name, other) if place == 0 else (other, name)


def _data_field(project: Project, at: int) -> Field | None:
    field = _of_sheet(flow_sheet, "data_sets")(project, at)
    if field is None:
        return None
    return replace(field, parameter=replace(field.parameter, reads=data_sets))


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


def _without(
    remove: Callable[[Project, int], Project],
) -> Callable[[Project, Collection[int]], Project]:
    def run(project: Project, positions: Collection[int]) -> Project:
        for at in sorted(positions, reverse=True):
            project = remove(project, at)
        return project

    return run


def _first(rows: frozenset[int]) -> int | None:
    return min(rows, default=None)


def _only(position: int | None) -> frozenset[int]:
    return frozenset() if position is None else frozenset((position,))


FLOWS = RowKind(
    "flow",
    "Flows",
    (
        CellColumn(
            "From",
            "Task that sends",
            lambda project, at: _flow(project, at).source,
            _end_field("source", "From"),
        ),
        CellColumn(
            "To",
            "Task that waits for it",
            lambda project, at: _flow(project, at).target,
            _end_field("target", "To"),
        ),
        CellColumn(
            "Data",
            "A size, or count × size; several separated by semicolons. Empty: precedence alone",
            lambda project, at: _flow(project, at).data_sets,
            _data_field,
            shown_data_sets,
            numeric=True,
        ),
    ),
    lambda project: len(project.workload.flows),
    lambda project, at: _flow(project, at).name,
    _add_flow,
    _without(edits.remove_flow),
    lambda selection: _only(selection.flow),
    lambda rows: Selection(flow=_first(rows)),
)


# machines


def _machine_column(key: str, title: str, hint: str, **more: Any) -> CellColumn:
    of = attrgetter(key)
    return CellColumn(
        title,
        hint,
        lambda project, at: of(project.platform.machines[at]),
        _of_sheet(machine_sheet, key),
        **more,
    )


MACHINES = RowKind(
    "machine",
    "Machines",
    (
        _machine_column("name", "Name", "Unique among machines, stores and switches"),
        _machine_column("cores", "Cores", "Processor cores", numeric=True),
        _machine_column(
            "speed", "Speed", "Speed; a task takes its work divided by it", numeric=True
        ),
        _machine_column(
            "memory_bytes", "Memory", "Main memory; empty: unlimited", show=_bytes, numeric=True
        ),
        CellColumn(
            "Contenders",
            "How many other applications run there; edit them in the inspector",
            lambda project, at: len(project.platform.machines[at].contenders),
            _read_only,
            numeric=True,
        ),
    ),
    lambda project: len(project.platform.machines),
    lambda project, at: project.platform.machines[at].name,
    _act("add_machine"),
    _without(edits.remove_machine),
    lambda selection: _only(selection.machine),
    lambda rows: Selection(machine=_first(rows)),
)


# links


def _link(project: Project, at: int) -> Link:
    return project.platform.links[at]


def _link_end(end: str, title: str) -> CellColumn:
    def field(project: Project, at: int) -> Field:
        def write(before: Project, value: object) -> Project:
            old = _link(before, at)
            ends = _swapped((old.first, old.second), ("first", "second").index(end), value)
            return edits.with_link(before, at, replace(old, first=ends[0], second=ends[1]))

        hint = "Machine, switch or store"
        return editable(end, title, hint, getattr(_link(project, at), end), write, values.name)

    return CellColumn(
        title,
        "Machine, switch or store at this end",
        lambda project, at: getattr(_link(project, at), end),
        field,
    )


def _both_ways(name: str, title: str, unit: str, hint: str) -> CellColumn:
    """A value of both directions alike; several values are shown as such, and become one."""

    def value(project: Project, at: int) -> object:
        link = _link(project, at)
        there, back = getattr(link.to_second, name), getattr(link.to_first, name)
        return there if there == back else VARIOUS

    def field(project: Project, at: int) -> Field | None:
        def write(before: Project, value: object) -> Project:
            link = _link(before, at)
            changed = replace(
                link,
                to_second=with_field(link.to_second, name, value),
                to_first=with_field(link.to_first, name, value),
            )
            return edits.with_link(before, at, changed)

        one = _of_sheet(link_sheet, f"to_second.{name}")(project, at)
        if one is None:
            return None
        parameter = replace(one.parameter, name=name, title=title)
        return replace(one, parameter=parameter, value=value(project, at), write=write)

    return CellColumn(
        title,
        f"{hint}; both directions become the same",
        value,
        field,
        lambda found: "various" if found is VARIOUS else amount(found, unit),
        numeric=True,
    )


def _add_link(project: Project) -> Project:
    """A link between the first two machines that none joins."""
    platform = project.platform
    joined = {link.ends for link in platform.links}
    names = [machine.name for machine in platform.machines]
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            if frozenset((first, second)) not in joined:
                return edits.add_link(project, Link(first, second, _NEW_WAY, _NEW_WAY))
    raise InputError("no two machines are without a link", remedy="Add a machine first")


LINKS = RowKind(
    "link",
    "Links",
    (
        _link_end("first", "First"),
        _link_end("second", "Second"),
        _both_ways("startup_s", "Startup", "s", "Startup α: time of an empty message"),
        _both_ways("bandwidth", "Bandwidth", "B/s", "Bandwidth β of a dedicated link"),
    ),
    lambda project: len(project.platform.links),
    lambda project, at: _link(project, at).name,
    _add_link,
    _without(edits.remove_link),
    lambda selection: _only(selection.link),
    lambda rows: Selection(link=_first(rows)),
)

KINDS = (TASKS, FLOWS, MACHINES, LINKS)
