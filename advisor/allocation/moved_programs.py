"""Tasks that move to another machine: what their programs leave open is chosen anew there.

Style, mapping and blocks that are best on one network may be bad, or impossible, on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.allocation.choices import Choices, chosen_task, of_task, open_choices, ordered
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.program_options import ProgramOptions, options_of
from advisor.allocation.workload import Workload
from machines import Platform


def without_open(workload: Workload, choices: Choices, tasks: Sequence[int]) -> Choices:
    """The choices but those that programs of the tasks leave open."""
    free = {(task, one.name) for task in tasks for one in open_choices(workload.tasks[task])}
    return tuple(one for one in choices if (one.task, one.name) not in free)


def moved_plan(
    plan: Plan,
    workload: Workload,
    platform: Platform,
    tasks: Sequence[int],
    machine: int,
    best: Choices | None = None,
) -> Plan:
    """The plan with tasks on another machine, where their programs do what is best of what is open.

    A scalable task that takes more processors than the machine has takes all of these.

    Parameters
    ----------
    best : Choices, optional
        `best_elsewhere` of that machine, of other tasks ignored: it takes the place of all that
        was chosen of what the programs leave open. ``None``: that stays.
    """
    choices = plan.choices
    if best is not None:
        kept = without_open(workload, choices, tasks)
        choices = ordered((*kept, *(one for one in best if one.task in tasks)))
    return replace(plan.moved(tasks, machine), choices=choices).settled(workload, platform)


def best_elsewhere(problem: Problem, plan: Plan, tasks: Sequence[int]) -> tuple[Choices, ...]:
    """By machine: the best of what the programs of tasks that move there leave open.

    Parameters
    ----------
    tasks : sequence of int
        Positions; those that are there already choose nothing.
    """
    return _by_machine(problem, _options(problem, plan, tasks))


def at_best_where_moved(
    problem: Problem, plan: Plan, tasks: Sequence[int]
) -> tuple[Problem, tuple[Choices, ...]]:
    """The problem of a plan with `best_elsewhere` put in, and these choices.

    Numbers of processors are left open. On its own machine a task does what the plan says.
    """
    decided = problem.decided(plan.choices, plan.overlays)
    options = _options(problem, plan, tasks)
    choices = _by_machine(problem, options)
    return decided.with_programs(options) if options else decided, choices


def _options(problem: Problem, plan: Plan, tasks: Sequence[int]) -> tuple[ProgramOptions, ...]:
    """Of the tasks that have any, in their order; nothing where a task is already."""
    kept, found = without_open(problem.workload, plan.choices, tasks), []
    for task in sorted(tasks):
        declared = problem.workload.tasks[task]
        if not open_choices(declared):
            continue
        stated = chosen_task(declared, of_task(kept, task))
        one = _known(problem, task) if stated is declared else None
        one = one or options_of(task, stated, problem.platform)
        home, parts_s = plan.allocation[task], one.parts_s.copy()
        parts_s[home] = np.nan
        chosen = (*one.chosen[:home], (), *one.chosen[home + 1 :])
        found.append(replace(one, chosen=chosen, parts_s=parts_s))
    return tuple(found)


def _known(problem: Problem, task: int) -> ProgramOptions | None:
    """Of programs that do what they state these were found with the bounds of a prediction."""
    return next((one for one in problem.program_options if one.task == task), None)


def _by_machine(problem: Problem, options: tuple[ProgramOptions, ...]) -> tuple[Choices, ...]:
    machines = range(len(problem.platform.machines))
    if not options:
        return ((),) * len(machines)
    return tuple(
        ordered(choice for one in options for choice in one.on(machine)) for machine in machines
    )
