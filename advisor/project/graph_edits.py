"""Edits of the task graph by hand: connect tasks, add the next one, duplicate, copy and paste."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace
from itertools import count, product

from advisor.allocation.workload import Flow, Task, Workload
from advisor.project import project_edits as edits
from advisor.project.other_machines import fitted
from advisor.project.project import Project
from advisor.project.workload_file import FORMAT, dump_workload, parse_workload
from machines import InputError, Machine

_NUMBERED = re.compile(r"(.+?) (\d{1,9})")
_LAST_NUMBER = re.compile(r"(.*?\D)(\d{1,9})")
_FEW = 3  # names of many
PASTABLE = "Copy tasks on the board, or the text of a workload file"

FIRST_MACHINE = Machine("machine 1")
"""What a new project begins with."""

DataSets = tuple[tuple[int, float], ...]


def numbered(stem: str, taken: Collection[str]) -> str:
    """The stem with the next free number: "task 3" beside two others."""
    number = len(taken) + 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def free_name(wish: str, taken: Container[str]) -> str:
    """The wished name, with the next free number behind it where it is taken: "A", then "A 2"."""
    if wish not in taken:
        return wish
    found = _NUMBERED.fullmatch(wish)
    stem, number = (wish, 2) if found is None else (found[1], int(found[2]) + 1)
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


def new_task(name: str) -> Task:
    """A task of one reference second, until somebody says how long it takes."""
    return Task(name, work=1.0)


def add_new_task(project: Project, machine: int | None = None) -> Project:
    """One more task, under a free name; on `machine` or the fastest one."""
    task = new_task(numbered("task ", project.workload.index))
    return edits.add_task(project, task, machine)


def add_new_machine(project: Project) -> Project:
    """One more machine of one core at reference speed, numbered on: "M3" behind "M2"."""
    platform = project.platform
    last = _LAST_NUMBER.fullmatch(platform.machines[-1].name)
    stem, digits = ("machine ", str(len(platform.machines))) if last is None else last.groups()
    names = (f"{stem}{number:0{len(digits)}}" for number in count(int(digits) + 1))
    name = next(one for one in names if one not in platform.degree)
    return edits.add_machine(project, Machine(name))


def connect(
    project: Project, sources: Iterable[int], targets: Iterable[int], data_sets: DataSets = ()
) -> Project:
    """A flow from every source to every target, each with the same data.

    A task that is both is not connected with itself; flows that exist already stay as they are.

    Parameters
    ----------
    project : Project
    sources, targets : iterable of int
        Positions of tasks.
    data_sets : tuple of (count, bytes)
        What each new flow carries; empty: precedence alone.

    Raises
    ------
    InputError
        Nothing is left to connect, or the flows would form a cycle.
    """
    names = [task.name for task in project.workload.tasks]
    pairs = [
        (names[source], names[target])
        for source, target in product(dict.fromkeys(sources), dict.fromkeys(targets))
        if source != target
    ]
    if not pairs:
        raise InputError("a task can't feed itself", remedy="Choose another task")
    existing = {(flow.source, flow.target) for flow in project.workload.flows}
    new = [Flow(*pair, data_sets) for pair in pairs if pair not in existing]
    if not new:
        where = f"flow {pairs[0][0]} → {pairs[0][1]}"
        raise InputError("this flow exists already", where=where, remedy="Edit its data")
    return edits.add_flows(project, new)


def grow(project: Project, sources: Iterable[int], data_sets: DataSets = ()) -> Project:
    """A new task, the last one, with a flow from every source."""
    return connect(add_new_task(project), sources, (len(project.workload.tasks),), data_sets)


def fragment(project: Project, positions: Iterable[int]) -> Workload:
    """The tasks at those positions with the flows and files among them, as a workload."""
    workload = project.workload
    tasks = tuple(workload.tasks[position] for position in sorted(set(positions)))
    names = {task.name for task in tasks}
    used = {file for task in tasks for file in (*task.reads, *task.writes)}
    return Workload(
        workload.name,
        tasks,
        tuple(flow for flow in workload.flows if names.issuperset((flow.source, flow.target))),
        tuple(file for file in workload.files if file.name in used),
    )


def copied(project: Project, positions: Iterable[int]) -> str:
    """The tasks as text for `pasted`: a workload file in TOML."""
    return dump_workload(fragment(project, positions))


def pasted(project: Project, text: str) -> Project:
    """With the tasks, flows and files of a workload file's text, behind those of the project.

    Raises
    ------
    InputError
        The text is not of a workload.
    InfeasibleError
        No machine can run one of the tasks.
    """
    if FORMAT not in text:
        raise InputError("the text contains no tasks", remedy=PASTABLE)
    return joined(project, parse_workload(text, "the pasted text"))


def duplicate(project: Project, positions: Iterable[int]) -> Project:
    """Copies of the tasks on the same machines, with the flows among them, behind all others."""
    chosen = sorted(set(positions))
    machines = [project.plan.allocation[position] for position in chosen]
    return joined(project, fragment(project, chosen), machines)


def joined(project: Project, more: Workload, machines: Sequence[int] | None = None) -> Project:
    """With the tasks of another workload; a name that is taken gets a number.

    Files that these tasks write are theirs, under names of their own; those that they only read
    are the project's where it has them. Overlays stay out.

    Parameters
    ----------
    project : Project
    more : Workload
        What it says of machines that the project lacks is left out.
    machines : sequence of int, optional
        Where the tasks go; each to the fastest machine otherwise.
    """
    more = fitted(more, project.platform)[0]
    names = _renamed([task.name for task in more.tasks], project.workload.index)
    written = {file for task in more.tasks for file in task.writes}
    known = {file.name: file for file in project.workload.files}
    files = _renamed(sorted(written), known)
    here = project.platform.index
    tasks = [
        replace(
            task,
            name=names[task.name],
            seconds=tuple(pair for pair in task.seconds if pair[0] in here),
            allowed=_allowed(task, here),
            reads=tuple(files.get(file, file) for file in task.reads),
            writes=tuple(files[file] for file in task.writes),
        )
        for task in more.tasks
    ]
    flows = [
        replace(
            flow,
            source=names[flow.source],
            target=names[flow.target],
            seconds=tuple(pair for pair in flow.seconds if here.keys() >= set(pair[0])),
        )
        for flow in more.flows
    ]
    fresh = [
        replace(file, name=files.get(file.name, file.name))
        for file in more.files
        if file.name in written or file.name not in known
    ]
    return edits.add_tasks(project, tasks, flows, fresh, machines)


def _allowed(task: Task, here: Collection[str]) -> tuple[str, ...] | None:
    """The machines on which it may run, as far as the platform has them."""
    if task.allowed is None:
        return None
    found = tuple(name for name in task.allowed if name in here)
    if not found:
        remedy = f"It is allowed on {', '.join(task.allowed[:_FEW])}"
        raise InputError(
            "the platform lacks its machines", where=f'task "{task.name}"', remedy=remedy
        )
    return found


def _renamed(names: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """Each name with the one that it gets, unique among all."""
    used, found = set(taken), {}
    for name in names:
        found[name] = free_name(name, used)
        used.add(found[name])
    return found
