"""What programs take at the best of what they leave open, by machine: style, mapping and blocks.

A program's time depends on its machine and its own choices alone, so that the best of them on each
machine is found once, whatever else a plan decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np

from advisor.allocation.choices import TaskChoice, open_choices
from advisor.allocation.costs import Costs, misfit, slowdowns_holding
from advisor.allocation.workload import Task, Workload
from advisor.basics.rounding import ALIKE
from advisor.programs.choices.program_choice import ProgramChoice
from advisor.programs.program import PROGRAM_CAUSES, Program, obstacle
from machines import Machine, Platform
from machines.arrays import Floats
from machines.stopping import ask

Chosen = tuple[tuple[str, Hashable], ...]


@dataclass(frozen=True, eq=False)
class ProgramOptions:
    """The best of what one task's program leaves open.

    Attributes
    ----------
    task : int
        Its position.
    chosen : tuple of ((name, value), ...), length machines
        What is best on each machine; nothing where its seconds are stated or it can't run.
    parts_s : array (machines, causes)
        Dedicated seconds by `PROGRAM_CAUSES` there; nan where the choice does not matter.
    """

    task: int
    chosen: tuple[Chosen, ...]
    parts_s: Floats

    def on(self, machine: int) -> tuple[TaskChoice, ...]:
        """The best choices on a machine, as a plan holds them."""
        return tuple(TaskChoice(self.task, *one) for one in self.chosen[machine])


def program_options(platform: Platform, workload: Workload) -> tuple[ProgramOptions, ...]:
    """The best choices of every task whose program leaves something open."""
    return tuple(
        options_of(position, task, platform)
        for position, task in enumerate(workload.tasks)
        if open_choices(task)
    )


def options_of(position: int, task: Task, platform: Platform) -> ProgramOptions:
    """The best choices of one task, whose program leaves something open."""
    best = [_best_there(task, machine) for machine in platform.machines]
    parts_s = np.array([parts for _, parts in best])
    return ProgramOptions(position, tuple(chosen for chosen, _ in best), parts_s)


def at_best_choices(
    costs: Costs,
    platform: Platform,
    workload: Workload,
    options: tuple[ProgramOptions, ...],
    reading: str,
) -> tuple[Floats, Floats, Floats]:
    """(task_s, dedicated_s, program_parts_s) with every program at its best wherever it is."""
    task_s, dedicated_s = costs.task_s.copy(), costs.task_dedicated_s.copy()
    parts_s = costs.program_parts_s.copy()
    held = [workload.tasks[one.task].cores for one in options]
    slowdowns, _ = slowdowns_holding(held, platform, reading)
    for one, slowdown in zip(options, slowdowns, strict=True):
        matters = np.isfinite(one.parts_s[:, 0])
        alone = one.parts_s.sum(axis=1)
        dedicated_s[one.task, matters] = alone[matters]
        task_s[one.task, matters] = (alone * slowdown)[matters]
        row = int(np.searchsorted(costs.program_tasks, one.task))
        parts_s[row, matters] = one.parts_s[matters]
    return task_s, dedicated_s, parts_s


def _best_there(task: Task, machine: Machine) -> tuple[Chosen, tuple[float, ...]]:
    nothing = (), (np.nan,) * len(PROGRAM_CAUSES)
    program = task.program
    if program is None or any(name == machine.name for name, _ in task.seconds):
        return nothing
    if misfit(task, machine):
        return nothing
    return _best(cast("Hashable", program), open_choices(task), machine)


# a drag asks for the same programs and machines again and again
@lru_cache(maxsize=1024)
def _best(
    program: Any, choices: tuple[ProgramChoice, ...], machine: Machine
) -> tuple[Chosen, tuple[float, ...]]:
    present: Chosen = tuple((one.name, one.present(program, machine)) for one in choices)
    best, parts = present, program.cost(machine).parts_s
    for chosen, candidate in _every(program, choices, machine):
        ask()
        if obstacle(candidate, machine):
            continue
        found = candidate.cost(machine).parts_s
        if sum(found) < sum(parts) * (1.0 - ALIKE):
            best, parts = chosen, found
    return best, parts


def _every(
    program: Program, choices: tuple[ProgramChoice, ...], machine: Machine
) -> Iterator[tuple[Chosen, Program]]:
    """Every combination of options, later ones by what the earlier ones are."""
    if not choices:
        yield (), program
        return
    first, *rest = choices
    for value in first.options(program, machine):
        changed = first.applied(program, value)
        for chosen, candidate in _every(changed, tuple(rest), machine):
            yield ((first.name, value), *chosen), candidate
