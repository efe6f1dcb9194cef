"""Runs of tasks and machines that are renamed: under the new names they are still matched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from advisor.project.project import Project

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
