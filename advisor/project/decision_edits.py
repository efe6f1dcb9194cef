"""Edits of what a plan chooses about tasks: their variants, the programs inside them.

As `edits`: pure functions from project to project, each one undo step.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import cast

from advisor.allocation.choices import Choices, choosable, chosen_task, of_task
from advisor.allocation.choices import with_choice as choices_with
from advisor.allocation.workload import Task, Workload
from advisor.decisions.tree import TREE
from advisor.decisions.variant_decision import VARIANT
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.programs.program import obstacle
from advisor.project import overlay_edits
from advisor.project.project import Project
from machines import InfeasibleError, Machine


def with_choice(project: Project, task: int, name: str, value: Hashable | None) -> Project:
    """Another choice about the program of a task; ``None``: what the program says.

    Raises
    ------
    InputError
        The program has no such choice, or refuses the value.
    InfeasibleError
        With it the program can't run on its machine.
    """
    choices = choices_with(project.plan.choices, task, name, value)
    declared = project.workload.tasks[task]
    before = chosen_task(declared, of_task(project.plan.choices, task))
    after = chosen_task(declared, of_task(choices, task))
    machine = project.platform.machines[project.plan.allocation[task]]
    reason = _obstacle(after, machine)
    if reason and not _obstacle(before, machine):
        raise InfeasibleError(
            f"it could not run on {machine.name}: {reason}",
            where=f'task "{declared.name}", {name}',
            remedy="Choose another, or move the task",
        )
    return replace(project, plan=replace(project.plan, choices=choices, strategy="manual"))


def with_decision(project: Project, kind: str, subject: int, value: Hashable | None) -> Project:
    """Another decision of a kind (its name) about a task or an overlay, by position.

    Raises
    ------
    InputError, InfeasibleError
        It can't be carried out.
    """
    if kind == TREE.name:
        return overlay_edits.with_tree(project, subject, cast("OverlayPlan | None", value))
    if kind == VARIANT.name:
        changed = VARIANT.put(project.problem(), project.plan, subject, value)
        return replace(project, plan=changed)
    return with_choice(project, subject, kind, value)


def choices_in_words(workload: Workload, before: Choices, after: Choices) -> str:
    """What is newly chosen: "asynchronous short, optimised"; of several programs how many."""
    said: dict[int, list[str]] = {}
    for one in after:
        if one not in before:
            known = {kind.name: kind for kind in choosable(workload.tasks[one.task])}
            said.setdefault(one.task, []).append(known[one.name].words(one.value))
    if len(said) > 1:
        return f"choices of {len(said)} programs"
    return ", ".join(words for parts in said.values() for words in parts)


def _obstacle(task: Task, machine: Machine) -> str:
    """Why its program can't run there; nothing where its seconds are stated."""
    if task.program is None or any(name == machine.name for name, _ in task.seconds):
        return ""
    return obstacle(task.program, machine)
