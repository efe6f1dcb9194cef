"""Runs from logs alone, ready to be simulated again under any values of their engine.

Tasks keep the machines and seconds that the log has; what it does not have, an engine's own jobs
without times, takes what is fitted. Nothing is moved: a log tells no network, and what its tasks
fetch is in their seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from advisor.allocation.execution import Executed, executed_run
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import duration, few
from advisor.project.opening import open_file
from advisor.project.project import Project
from advisor.project.wfformat.pegasus_jobs import REGISTRATION, own_job, with_own_jobs
from advisor.runs.actual import Actual
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from machines import Direction, Link, Machine
from machines.arrays import Flags, Floats, Indices
from machines.errors import InputError
from machines.resources import Resource
from machines.runtime import ENGINE_TIMES

PEGASUS = "pegasus"
_SUBMIT_HOST, _AT_ONCE = "submit host", 10  # jobs of Pegasus's own, of each kind
_AT_ANY_RATE = 1e12  # bytes/s: nothing is moved
_PARTS = (0.25, 0.5, 0.75, 1.0)  # of the tasks, whose last end is compared
_LEAST_TASKS = 3
_FEW = 2  # names of runs in a note
_LATE = 0.05  # of the makespan, by which a machine begins later than another


@dataclass(frozen=True)
class EngineValues:
    """What an engine takes, in s (`machines.runtime.Runtime`); `own_s`: each job of its own."""

    task_overhead_s: float = 0.0
    begin_s: float = 0.0
    poll_s: float = 0.0
    submit_s: float = 0.0
    cycle_s: float = 0.0
    reclaim_s: float = 0.0
    own_s: float = 0.0


@dataclass(frozen=True, eq=False)
class EngineRun:
    """A run that is simulated again.

    `project`: what the log alone opens as. `executed`: its tasks, as long as they took.
    `own`: jobs of the engine without a time of their own, (tasks,).
    `actual_s`: when the first quarter of the tasks had ended, half, three quarters, and all; all
        alone, where the log tells no more.
    """

    name: str
    engine: str
    project: Project
    executed: Executed
    allocation: Indices
    order: Indices
    own: Flags
    actual_s: Floats

    @property
    def makespan_s(self) -> float:
        """What the run took; nan: the log does not tell."""
        return float(self.actual_s[-1])

    def predicted_s(self, values: EngineValues) -> Floats:
        """What is predicted of `actual_s`."""
        work_s = np.where(self.own[:, None], values.own_s, self.executed.work_s)
        times: dict[str, Any] = {name: getattr(values, name) for name in ENGINE_TIMES}
        instance = self.executed._replace(
            work_s=work_s,
            overhead_s=values.task_overhead_s,
            dispatched=any(times.values()) or bool(self.executed.up_s.any()),
            **times,
        )
        _, run = executed_run(instance, self.allocation, self.order)
        if self.actual_s.size == 1:
            return np.array([run.end_s.max()])
        return _milestones(run.end_s, run.taken_s.min())


def engine_runs(paths: Sequence[str | Path]) -> tuple[tuple[EngineRun, ...], tuple[str, ...]]:
    """The runs of logs, and what was noticed.

    Raises
    ------
    InputError
        A log of another kind, too few tasks, no makespan, or one that its longest task exceeds.
    """
    found: list[EngineRun] = []
    said: dict[str, list[str]] = {}  # by note, the runs that it is about
    left: list[str] = []
    for path in map(Path, paths):
        runs = read_runs([path])
        project = open_file(path).project
        refused: list[InputError] = []
        several = len(runs) > 1
        for run in runs:
            try:
                one = _engine_run(
                    project, run, f"{path.name}: {run.name}" if several else path.name
                )
            except InputError as error:
                refused.append(error)
                continue
            found.append(one)
            for note in (*run.notes, *_noticed(one, run)):
                said.setdefault(note, []).append(one.name)
        if len(refused) == len(runs):
            raise refused[0]
        left += [f"Left out: {error}" for error in refused]
    notes = (f"{few(names, _FEW)}: {note}" for note, names in said.items())
    return tuple(found), (*notes, *dict.fromkeys(left))


def _noticed(one: EngineRun, run: Run) -> list[str]:
    """What the simulation of a run lacks."""
    said = []
    if not one.project.workload.edges:
        said.append("The log tells no dependencies: what tasks waited for is not simulated")
    if run.timed:
        first: dict[str, float] = {}
        for task in run.tasks:
            first[task.machine] = min(task.taken_s, first.get(task.machine, task.taken_s))
        name, at_s = max(first.items(), key=lambda each: each[1])
        if at_s - min(first.values()) > _LATE * one.makespan_s:
            said.append(f"{name} ran its first task {duration(at_s)} after the first of all: a "
                        "worker that comes up late is not simulated")  # fmt: skip
    return said


def _engine_run(project: Project, run: Run, name: str) -> EngineRun:
    if run.engine == PEGASUS:
        project = _with_submit_host(project)
    problem = Problem.of(project.platform, project.workload)
    actual = matched(run, problem)
    _check(actual, name)
    own = ~actual.ran & np.array([own_job(task.name) for task in project.workload.tasks])
    plan = Plan(tuple(_placed(project, actual, own).tolist()))
    allocation, order = placement(problem, plan)
    work_s = problem.executed.work_s.copy()
    ran = np.flatnonzero(actual.ran)
    work_s[ran] = actual.task_s[ran, None]
    executed = problem.executed._replace(
        work_s=work_s,
        size_bytes=np.zeros_like(problem.executed.size_bytes),
        table=np.full_like(problem.executed.table, -1),
        eager=True,
    )
    makespan_s, _ = executed_run(executed, allocation, order)
    if not np.isfinite(makespan_s):
        raise InputError(
            "its tasks don't fit where they ran", where=f'run "{name}"',
            remedy="Describe the machines as they are: cores, memory",
        )  # fmt: skip
    if actual.run.timed:
        ends = np.where(actual.ran, actual.end_s, np.nanmin(actual.end_s))
        times_s = _milestones(ends, float(np.nanmin(actual.taken_s)))
    else:
        times_s = np.array([run.stated_s or np.nan])
    return EngineRun(name, run.engine, project, executed, allocation, order, own, times_s)


def _placed(project: Project, actual: Actual, own: Flags) -> Indices:
    """The machine of every task: where it ran, else as the project has it."""
    places = np.array(project.plan.allocation, np.int32)
    found = np.where(actual.machine >= 0, actual.machine, places)
    if own.any() and _SUBMIT_HOST in project.platform.index:
        found[own] = project.platform.index[_SUBMIT_HOST]
    return found.astype(np.int32)


def _with_submit_host(project: Project) -> Project:
    """The project with the host on which Pegasus runs its own jobs, and what these wait for."""
    workload = with_own_jobs(project.workload)
    if workload is project.workload or _SUBMIT_HOST in project.platform.index:
        return project
    beside = [one.name for one in project.platform.switches[:1] or project.platform.machines]
    way = Direction(0.0, _AT_ANY_RATE)
    platform = replace(
        project.platform,
        machines=(*project.platform.machines, Machine(_SUBMIT_HOST, _AT_ONCE)),
        links=(*project.platform.links, *(Link(_SUBMIT_HOST, one, way, way) for one in beside)),
        resources=(*project.platform.resources, Resource(REGISTRATION, 1)),
    )
    return replace(project, platform=platform, workload=workload)


def _milestones(end_s: Floats, begin_s: float) -> Floats:
    """From the first start to the end of a quarter of the tasks, of half, of three, and of all."""
    ends = np.sort(end_s) - begin_s
    places = [max(0, round(part * ends.size) - 1) for part in _PARTS]
    found: Floats = ends[places]
    return found


def _check(actual: Actual, name: str) -> None:
    """Refuse what no engine can be told from."""
    where = f'run "{name}"'
    seconds = actual.task_s[actual.ran]
    if seconds.size < _LEAST_TASKS or not seconds.max() > 0.0:
        raise InputError(
            "too few tasks took any time to tell what the engine takes", where=where,
            value=int((seconds > 0.0).sum()), remedy=f"Give a run of {_LEAST_TASKS} tasks or more",
        )  # fmt: skip
    whole_s = actual.run.makespan_s
    if 0.0 < whole_s < seconds.max():
        raise InputError(
            f"it took less than its longest task, {duration(float(seconds.max()))}", where=where,
            value=duration(whole_s), remedy="Correct the makespan or the task's time",
        )  # fmt: skip
