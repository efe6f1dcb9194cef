"""Runs of tasks and machines that are renamed: under the new names they are still matched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from advisor.allocation.task import Task, Variant
from advisor.allocation.workload import Workload
from advisor.project.file_edits import with_places
from advisor.project.project import Project
from machines import InputError

_NONE: Mapping[str, str] = MappingProxyType({})


def with_names_in_runs(
    project: Project, tasks: Mapping[str, str] = _NONE, machines: Mapping[str, str] = _NONE
) -> Project:
    """The project with new names of some tasks and machines in its runs."""
    if not project.runs:
        return project
    runs = tuple(
        replace(
            run,
            tasks=tuple(
                replace(
                    one,
                    task=tasks.get(one.task, one.task),
                    machine=machines.get(one.machine, one.machine),
                )
                if one.task in tasks or one.machine in machines
                else one
                for one in run.tasks
            ),
        )
        for run in project.runs
    )
    return replace(project, runs=runs)


# What a workload says about machines, when these are renamed or go.


Stated = tuple[tuple[str, float], ...]  # seconds by machine


def with_machine_names(workload: Workload, rename: dict[str, str]) -> Workload:
    """The workload with other names of machines in tasks, flows and files."""

    def new(name: str) -> str:
        return rename.get(name, name)

    def renamed(stated: Stated) -> Stated:
        return tuple((new(name), seconds) for name, seconds in stated)

    tasks = tuple(
        replace(
            task,
            seconds=renamed(task.seconds),
            allowed=None if task.allowed is None else tuple(map(new, task.allowed)),
            variants=tuple(replace(one, seconds=renamed(one.seconds)) for one in task.variants),
        )
        if task.seconds or task.allowed or task.variants
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


def _without(variant: Variant, gone: str) -> Variant | None:
    """A variant without what it says of a machine; None: it runs nowhere else."""
    if not variant.seconds:
        return variant
    seconds = tuple(pair for pair in variant.seconds if pair[0] != gone)
    return replace(variant, seconds=seconds) if seconds else None


def without_machine(workload: Workload, gone: str) -> Workload:
    """The workload without what it says of a machine; refused where a task needs it."""

    def kept(task: Task) -> Task:
        if not (task.seconds or task.allowed or task.variants):
            return task
        seconds = tuple(pair for pair in task.seconds if pair[0] != gone)
        allowed = task.allowed and tuple(name for name in task.allowed if name != gone)
        ways = [_without(one, gone) for one in task.variants]
        variants = tuple(one for one in ways if one is not None)
        nowhere = bool(task.seconds) and not seconds and task.program is None
        lost = nowhere or len(variants) < bool(task.variants)
        if lost or (task.allowed and not allowed):
            raise InputError(
                f"this task can run on {gone} only",
                where=f'task "{task.name}"',
                remedy="Let it run elsewhere, or remove it first",
            )
        return replace(task, seconds=seconds, allowed=allowed, variants=variants)

    flows = tuple(
        replace(flow, seconds=tuple(pair for pair in flow.seconds if gone not in pair[0]))
        if flow.seconds
        else flow
        for flow in workload.flows
    )
    return with_places(workload.repriced(tuple(map(kept, workload.tasks)), flows), {gone: None})
