"""Edits of runs and of what they teach: pure functions from project to project, one step each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Workload
from advisor.project.project import Project
from advisor.project.project_edits import repaired
from advisor.runs.run_record import Run
from machines import InputError, Platform
from machines.errors import UNSEEN
from machines.formats.fields import suggestion

_UNNAMED = "run"
_LONGEST = 200  # characters of a run's name


def add_runs(project: Project, runs: Iterable[Run]) -> Project:
    """With more runs behind the others, each under a name that is free.

    Raises
    ------
    InputError
        There are none, or one has no tasks.
    """
    found = list(project.runs)
    taken = {run.name for run in found}
    for run in runs:
        if not run.tasks:
            raise InputError("the run has no tasks", where=f'run "{run.name}"')
        name = _free(_plain(run.name), taken)
        taken.add(name)
        found.append(run if name == run.name else replace(run, name=name))
    if len(found) == len(project.runs):
        raise InputError("there are no runs", remedy="Choose the log of a run, or a folder of logs")
    return replace(project, runs=tuple(found))


def remove_run(project: Project, name: str) -> Project:
    """Without the run of that name."""
    kept = tuple(run for run in project.runs if run.name != name)
    if len(kept) == len(project.runs):
        known = [run.name for run in project.runs]
        remedy = suggestion(name, known) if known else "The project has no runs"
        raise InputError("no such run", value=name, remedy=remedy)
    return replace(project, runs=kept)


def calibrated(project: Project, platform: Platform, workload: Workload) -> Project:
    """The project with what a calibration made of its machines and tasks, which stay the same ones.

    Raises
    ------
    InfeasibleError
        A task fits nowhere any more.
    """
    return repaired(replace(project, platform=platform, workload=workload))


def grouped(project: Project, workload: Workload, plan: Plan, overhead_s: float) -> Project:
    """The project whose short tasks are grouped, on machines whose runtime takes so long for each.

    Pins are of other tasks and go; what happened stays.
    """
    runtime = replace(project.platform.runtime, task_overhead_s=overhead_s)
    platform = replace(project.platform, runtime=runtime)
    return replace(project, platform=platform, workload=workload, plan=plan, pins=())


def _plain(name: str) -> str:
    """A log's name as a project's file can have it: on one line, every character seen."""
    return " ".join(UNSEEN.sub(" ", name).split())[:_LONGEST].strip() or _UNNAMED


def _free(wish: str, taken: set[str]) -> str:
    name, again = wish, 2
    while name in taken:
        name, again = f"{wish} {again}", again + 1
    return name
