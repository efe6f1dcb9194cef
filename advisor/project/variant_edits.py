"""Edits that give a task another way to run."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.task import Task, Variant
from advisor.project.project import Project
from advisor.project.project_edits import with_task


def may_vary(task: Task) -> bool:
    """Whether a task states its time by itself, so that it may have variants."""
    return not task.variants and task.program is None and task.scaling is None


def with_variants(project: Project, position: int) -> Project:
    """The task at a position with two variants: as it is, and a second one to be edited."""
    task = project.workload.tasks[position]
    first = Variant("cpu", task.work, task.seconds, task.cores)
    varied = replace(
        task, work=None, seconds=(), cores=1, variants=(first, replace(first, name="other"))
    )
    return with_task(project, position, varied)
