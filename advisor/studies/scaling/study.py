"""What the study is made of: question, parameters and answer.

The scaling study as a close look at a task that scales, or at one that was measured.

A task's law opens as a machine repairman and gives the number of processors back; measurements
give a law, with which an ordinary task becomes a scalable one (*Use as task*).
"""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.workload import Task
from advisor.basics.quantities import count
from advisor.project.project import Project
from advisor.project.project_edits import add_task, seconds_on, with_processors, with_task
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import TASK, Subject
from advisor.scaling.law import Scaling, speedups
from advisor.studies.of_project import PlannedTask, rounded
from advisor.studies.scaling.parameters import DATA, DEMANDS, ScalingParameters
from advisor.studies.scaling.processor_choice import FittedTask
from advisor.studies.scaling.run import run
from advisor.studies.study import Study, StudyOf, StudyResult, Use
from machines import InputError
from machines.parameters import parameters_of

USE_AS_TASK = "Use as task"
_MOST_DRAWN = 4096


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its law as times Z and D of its machine; one that does not scale waits for measurements."""
    task = PlannedTask.of(project, subject)
    scaling = task.task.scaling
    if scaling is None:
        if task.program is not None:
            raise InputError(
                "a program says itself how it scales", where=subject.words,
                remedy="Ask the study of its program",
            )  # fmt: skip
        return {"source": DATA, "data": ""}
    think, demands = _queue(scaling, _one_s(task) or 1.0)
    if not any(demands):
        raise InputError(
            "the task scales without limit: there is nothing to find", where=subject.words,
            remedy="Give it a serial fraction above 0, or fit measurements",
        )  # fmt: skip
    most = min(task.machine.cores, scaling.most or task.machine.cores, _MOST_DRAWN)
    return {
        "source": DEMANDS,
        "unit": "s",
        "think_time": rounded(think),
        "demands": ", ".join(repr(rounded(one)) for one in demands),
        "style": scaling.completion,
        "coherency": rounded(scaling.kappa / scaling.sigma) if scaling.sigma else 0.0,
        "processors": max(2, most),
    }


def _queue(scaling: Scaling, one_s: float) -> tuple[float, tuple[float, ...]]:
    """(Z, D_k): of a serial fraction shares of the time on one processor."""
    if scaling.sigma is None:
        return float(scaling.think_time_s or 0.0), scaling.demands_s
    most = next(one.high for one in parameters_of(ScalingParameters) if one.name == "coherency")
    if scaling.kappa > most * scaling.sigma:
        raise InputError(
            "messages slow each other by more than their own time: the study has no such queue",
            where="scaling", value=scaling.kappa, remedy="Allowed: kappa up to sigma",
        )  # fmt: skip
    return (1.0 - scaling.sigma) * one_s, (scaling.sigma * one_s,)


def _one_s(task: PlannedTask) -> float | None:
    """Its dedicated seconds on one processor of its machine."""
    own = replace(task.task, scaling=None, cores=1)
    return seconds_on(own, task.machine)


def _used(
    project: Project, subject: Subject, parameters: ScalingParameters, result: StudyResult
) -> Use:
    """The task with the number of processors that is advised, or with the law that was fitted."""
    position = project.workload.index[subject.name]
    if parameters.source == DATA:
        return _measured(project, position, _fitted(result))
    processors = result.answer
    assert isinstance(processors, int)
    changed = with_processors(project, position, processors)
    return Use(changed, f"Use {count(processors, 'processor')} for {subject.name}")


def _measured(project: Project, position: int, found: FittedTask) -> Use:
    """A task that scales as was measured; its own seconds stay those on its own cores."""
    task = project.workload.tasks[position]
    scaling = found.scaling
    assert scaling is not None
    if task.program is not None:
        raise InputError(
            "a program says itself how it scales", where=f'task "{task.name}"',
            remedy="Choose a task with work or seconds",
        )  # fmt: skip
    slower = 1.0
    if task.scaling is None and task.cores > 1:
        slower = float(speedups(scaling, [task.cores])[0])
    scaled = replace(
        task,
        scaling=scaling,
        work=None if task.work is None else task.work * slower,
        seconds=tuple((machine, seconds * slower) for machine, seconds in task.seconds),
    )
    changed = _on_advised(with_task(project, position, scaled), position, found.processors)
    return Use(changed, f"Use measured scaling for {task.name}")


def _as_task(
    project: Project, _subject: None, parameters: ScalingParameters, result: StudyResult
) -> Use:
    """One more task, which takes the time that was measured and scales like it."""
    if parameters.source != DATA:
        raise InputError(
            "only measurements make a task of their own", where="study scaling",
            remedy="Open the study from a scalable task, or fit measurements",
        )  # fmt: skip
    found = _fitted(result)
    if found.one_s is None:
        raise InputError(
            "the measurements hold no times, so the time of a task is unknown",
            where=f"measurements {found.name}",
            remedy="Open the study from a task whose seconds are known, and fit them there",
        )
    name, again = found.name, 2
    while name in project.workload.index:
        name, again = f"{found.name} {again}", again + 1
    changed = add_task(project, Task(name, work=found.one_s, scaling=found.scaling))
    position = len(project.workload.tasks)
    return Use(_on_advised(changed, position, found.processors), f"Use {found.name} as task")


def _fitted(result: StudyResult) -> FittedTask:
    found = result.answer
    assert isinstance(found, FittedTask)
    if found.scaling is None:
        raise InputError(
            "no fitted law applies to tasks",
            where=f"measurements {found.name}", remedy="Measure at more numbers of processors",
        )  # fmt: skip
    return found


def _on_advised(project: Project, position: int, processors: int) -> Project:
    """On so many processors, or all cores of the machine where these are fewer."""
    machine = project.platform.machines[project.plan.allocation[position]]
    return with_processors(project, position, min(processors, machine.cores))


def _nothing(_project: Project, _subject: None) -> dict[str, object]:
    return {}


OF_PROJECT = (
    StudyOf(TASK, _settings, _used),
    StudyOf("", _nothing, _as_task, USE_AS_TASK),
)


STUDY = Study(QUESTIONS["scaling"], ScalingParameters, run, of_project=OF_PROJECT)
