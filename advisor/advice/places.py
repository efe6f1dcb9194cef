"""Where a plan runs things: "workstation: read, 2 analyse · server: 4 analyse · laptop: idle."."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task
from advisor.basics.quantities import count

_MOST_MACHINES, _MOST_KINDS, _MOST_IDLE, _FEW = 6, 5, 3, 3


def places_sentence(problem: Problem, plan: Plan) -> str:
    """Who runs where, the machines with most tasks first where not all can be named."""
    tasks, machines = problem.workload.tasks, problem.platform.machines
    there: dict[int, list[Task]] = {}
    for task, machine in zip(tasks, plan.allocation, strict=True):
        there.setdefault(machine, []).append(task)
    busiest = sorted(there, key=lambda machine: -len(there[machine]))[:_MOST_MACHINES]
    told = [f"{machines[machine].name}: {_kinds(there[machine])}" for machine in sorted(busiest)]
    others = [len(there[machine]) for machine in there if machine not in busiest]
    if others:
        told.append(f"{count(len(others), 'more machine')}: {count(sum(others), 'task')}")
    idle = [one.name for place, one in enumerate(machines) if place not in there]
    if len(idle) > _MOST_IDLE:
        told.append(f"{len(idle)} machines idle")
    elif idle:
        told.append(f"{', '.join(idle)}: idle")
    return f"{' · '.join(told)}."


def _kinds(tasks: Sequence[Task]) -> str:
    """A few tasks by name, more as kinds with how many of each, in the order in which they come."""
    if len(tasks) <= _FEW:
        return ", ".join(task.name for task in tasks)
    counts = Counter(task.group for task in tasks)
    shown = [kind if many == 1 else f"{many} {kind}" for kind, many in counts.items()]
    more = sum(list(counts.values())[_MOST_KINDS:])
    return ", ".join(shown[:_MOST_KINDS] + ([f"{more} more"] if more else []))
