"""A task as its plan has it: its program with what is chosen about it, and its machine.

What the studies of programs open with, and how they put a choice into the plan.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from advisor.allocation.choices import chosen_task, of_task, with_choice
from advisor.allocation.workload import Task
from advisor.programs.program import Program
from advisor.project.project import Project
from advisor.project.study_case import Subject
from advisor.studies.network_settings import PLATFORM
from machines import InputError, Machine

P = TypeVar("P")


@dataclass(frozen=True)
class PlannedTask:
    """One task of a project."""

    position: int
    task: Task  # as the workload has it
    program: Program | None  # doing what the plan chooses
    machine: Machine  # where the plan puts it

    @classmethod
    def of(cls, project: Project, subject: Subject) -> PlannedTask:
        """The task of that name, which is there."""
        position = project.workload.index[subject.name]
        task = project.workload.tasks[position]
        choices = of_task(project.plan.choices, position)
        machine = project.platform.machines[project.plan.allocation[position]]
        return cls(position, task, chosen_task(task, choices).program, machine)

    def running(self, kind: type[P], what: str) -> P:
        """Its program of a kind, that can run where it is."""
        if not isinstance(self.program, kind):
            raise InputError(
                f"the task has no program {what}", where=f'task "{self.task.name}"',
                remedy="Choose a task with such a program",
            )  # fmt: skip
        self.program.check(self.machine)  # type: ignore[attr-defined]
        return self.program


def rounded(value: float) -> float:
    """With the digits that a product of stated numbers has: 410, not 410.00000000000006."""
    return float(f"{value:.12g}")


def network_settings(task: PlannedTask) -> dict[str, object]:
    """The network inside its machine, as settings."""
    return {"network": PLATFORM, "machine": task.machine.name}


def with_task_choice(project: Project, task: PlannedTask, name: str, value: Hashable) -> Project:
    """The plan with one choice about a task's program, which its machine must then still run."""
    choices = with_choice(project.plan.choices, task.position, name, value)
    program: Any = chosen_task(task.task, of_task(choices, task.position)).program
    program.check(task.machine)
    return replace(project, plan=replace(project.plan, choices=choices, strategy="manual"))
