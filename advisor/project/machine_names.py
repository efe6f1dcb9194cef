"""What a workload says about machines, when these are renamed or go."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.workload import Task, Workload
from advisor.project.file_edits import with_places
from machines import InputError


def with_machine_names(workload: Workload, rename: dict[str, str]) -> Workload:
    """The workload with other names of machines in tasks, flows and files."""

    def new(name: str) -> str:
        return rename.get(name, name)

    tasks = tuple(
        replace(
            task,
            seconds=tuple((new(name), seconds) for name, seconds in task.seconds),
            allowed=None if task.allowed is None else tuple(map(new, task.allowed)),
        )
        if task.seconds or task.allowed
        else task
        for task in workload.tasks
    )
    flows = tuple(
        replace(flow, seconds=tuple(((new(a), new(b)), s) for (a, b), s in flow.seconds))
        if flow.seconds
        else flow
        for flow in workload.flows
    )
    return with_places(workload.repriced(tasks, flows), rename)


def without_machine(workload: Workload, gone: str) -> Workload:
    """The workload without what it says of a machine; refused where a task needs it."""

    def kept(task: Task) -> Task:
        if not (task.seconds or task.allowed):
            return task
        seconds = tuple(pair for pair in task.seconds if pair[0] != gone)
        allowed = task.allowed and tuple(name for name in task.allowed if name != gone)
        lost = task.seconds and not seconds and task.program is None
        if lost or (task.allowed and not allowed):
            raise InputError(
                f"this task can run on {gone} only",
                where=f'task "{task.name}"',
                remedy="Let it run elsewhere, or remove it first",
            )
        return replace(task, seconds=seconds, allowed=allowed)

    flows = tuple(
        replace(flow, seconds=tuple(pair for pair in flow.seconds if gone not in pair[0]))
        if flow.seconds
        else flow
        for flow in workload.flows
    )
    return with_places(workload.repriced(tuple(map(kept, workload.tasks)), flows), {gone: None})
