"""Schedules that are made task by task, in an order that comes out only on the way.

The heuristics in `immediate`, `batch`, `dynamic_levels` and `fast_lists` are such. Where a paper
appends tasks after what a machine runs already, the reading here is that of all list schedulers of
Placewise: a task may start in idle time before it, because the timeline of a plan lets it. Cores,
memory, forbidden machines and missing routes are respected; ties go by position of the task, then
of the machine, unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.kernels import partial as kernel
from advisor.kernels import schedule_kernel as schedule
from advisor.kernels.instance import Instance
from advisor.kernels.partial import Partial
from advisor.search.list_scheduling import listed
from machines.arrays import Floats, Indices

Choices: TypeAlias = Iterator[tuple[int, int]]
"""(task, machine) after (task, machine); each is placed before the next is asked for."""


def stepwise(
    problem: Problem, strategy: str, choices: Callable[[Problem, Partial], Choices]
) -> Plan:
    """The plan that comes of one choice after the other.

    Parameters
    ----------
    choices : callable
        From the problem and what is placed so far, which changes between two choices; each is of
        a ready task. A machine where that can't start says that the task fits nowhere.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it.
    """
    instance = problem.instance
    partial = kernel.begun(instance)
    order: list[int] = []
    for task, on in choices(problem, partial):
        if partial.start[task, on] == np.inf:
            return listed(problem, strategy, partial.allocation, np.array(order), task)
        kernel.step(instance, partial, task, on)
        order.append(task)
    return listed(problem, strategy, partial.allocation, np.array(order), -1)


def ready_tasks(partial: Partial) -> Indices:
    """The tasks whose inputs are all placed, ascending; empty at the end."""
    tasks: Indices = partial.ready[: partial.number[0]].copy()
    return tasks


def ends(instance: Instance, partial: Partial, task: int) -> Floats:
    """When a ready task would end on each machine, shape (machines,)."""
    end_s: Floats = partial.start[task] + instance.task_s[task]
    return end_s


def static_levels(instance: Instance, seconds: Floats | None = None) -> Floats:
    """Seconds of the longest way from each task to an exit, without what is sent.

    Parameters
    ----------
    seconds : array (tasks,), optional
        Of every task; default the mean over the machines that may run it.
    """
    if seconds is not None:
        instance = instance._replace(task_s=seconds[:, None])
    return schedule.upward_ranks(instance, np.zeros(instance.source.size))
