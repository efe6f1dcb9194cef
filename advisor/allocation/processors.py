"""How many processors each scalable task may take, and where: what a plan's numbers must be.

A workload with its numbers stated is an ordinary workload (`Workload.at`). What the numbers cost
is in `advisor.allocation.processor_times`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.allocation.costs import misfit
from advisor.allocation.workload import Task, Workload
from advisor.scaling.law import MOST_TASK_PROCESSORS, Scaling
from machines import InputError, Machine, Resource


def unfit(task: Task, machine: Machine, shared: Sequence[Resource] | None = None) -> str:
    """Why a task can't run there with any number of processors, in words; empty if it can.

    As `advisor.allocation.costs.misfit` says, of a scalable task with the fewest processors that it
    takes.
    """
    fewest = task if task.scaling is None else task.on(task.scaling.least)
    return misfit(fewest, machine, shared)


def most_processors(scaling: Scaling, cores: int) -> int:
    """The most that such a task takes of a machine's cores."""
    limit = MOST_TASK_PROCESSORS if scaling.most is None else scaling.most
    return max(scaling.least, min(limit, cores))


def checked(workload: Workload, processors: Sequence[int] | None) -> tuple[int, ...]:
    """Every task's number of processors; ``None``: all take their own `cores`.

    Raises
    ------
    InputError
        Another count of numbers than tasks, or one that its task does not take.
    """
    own = tuple(task.cores for task in workload.tasks)
    if processors is None:
        return own
    if len(processors) != len(own):
        raise InputError(
            "the plan is for another workload",
            where="processors",
            value=len(processors),
            remedy=f"It gives each of {len(own)} tasks its number of processors",
        )
    for task, p in zip(workload.tasks, processors, strict=True):
        if task.scaling is None and p != task.cores:
            raise InputError(
                "this task does not scale",
                where=f'task "{task.name}"',
                value=p,
                remedy=f"It takes {task.cores}; give it a scaling first",
            )
    return tuple(processors)


def canonical(workload: Workload, processors: Sequence[int]) -> tuple[int, ...] | None:
    """The numbers as a plan holds them: ``None`` where every task takes its own `cores`."""
    found = tuple(processors)
    return None if found == tuple(task.cores for task in workload.tasks) else found


def from_counts(workload: Workload, counts: Mapping[str, object]) -> tuple[int, ...] | None:
    """A plan's processors from {task name: number}; tasks left out take their own `cores`.

    Raises
    ------
    InputError
        An unknown task, one that does not scale, or a number that it does not take.
    """
    processors = [task.cores for task in workload.tasks]
    for name, count in counts.items():
        if name not in workload.index:
            raise InputError("unknown task", where="processors", value=name)
        place = workload.index[name]
        if isinstance(count, bool) or not isinstance(count, int):
            remedy = "Write a whole number"
            raise InputError("no number of processors", where=f'task "{name}"', value=count,
                             remedy=remedy)  # fmt: skip
        processors[place] = count
        _ = workload.tasks[place].on(count)
    return canonical(workload, checked(workload, processors))


def lowered(task: Task, processors: int, machine: Machine) -> int:
    """The number nearest to `processors` that a scalable task takes and the machine has."""
    scaling = task.scaling or Scaling(sigma=0.0, least=task.cores)
    return min(max(processors, scaling.least), most_processors(scaling, machine.cores))
