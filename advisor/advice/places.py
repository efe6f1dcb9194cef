"""Where a plan runs things: "workstation: read, 2 analyse · server: 4 analyse · laptop: idle."."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task
from advisor.basics.quantities import count, kind_word

_MOST_MACHINES, _MOST_KINDS, _MOST_IDLE, _FEW = 6, 5, 3, 3


@dataclass(frozen=True)
class Place:
    """A machine and the tasks that run there, as positions; without tasks it is idle."""

    machine: int
    name: str
    tasks: tuple[int, ...]
    words: str  # "read, 2 analyse"; "idle"


def places_of(problem: Problem, plan: Plan) -> tuple[Place, ...]:
    """Every machine and what runs there: those with tasks first, each in the platform's order."""
    tasks, machines = problem.workload.tasks, problem.platform.machines
    ways = problem.variants_of(plan) if problem.workload.variable else ()
    variants = {task: tasks[task].variants[ways[task]].name for task in problem.workload.variable}
    there: dict[int, list[int]] = {machine: [] for machine in range(len(machines))}
    for task, machine in enumerate(plan.allocation):
        there[machine].append(task)
    return tuple(
        Place(at, machines[at].name, tuple(own), _words(tasks, own, variants))
        for at, own in sorted(there.items(), key=lambda item: not item[1])
    )


def places_sentence(places: Sequence[Place]) -> str:
    """Who runs where, the machines with most tasks first where not all can be named."""
    used = [place for place in places if place.tasks]
    busiest = sorted(used, key=lambda place: -len(place.tasks))[:_MOST_MACHINES]
    told = [f"{place.name}: {place.words}" for place in used if place in busiest]
    others = [len(place.tasks) for place in used if place not in busiest]
    if others:
        told.append(f"{count(len(others), 'more machine')}: {count(sum(others), 'task')}")
    idle = [place.name for place in places if not place.tasks]
    if len(idle) > _MOST_IDLE:
        told.append(f"{len(idle)} machines idle")
    elif idle:
        told.append(f"{', '.join(idle)}: idle")
    return f"{' · '.join(told)}."


def _words(tasks: Sequence[Task], own: Sequence[int], variants: Mapping[int, str]) -> str:
    """A few tasks by name, more as kinds with how many of each, in the order in which they come.

    `variants`: of the tasks that have some: "6 small, 7 medium; 9 gpu, 4 cpu".
    """
    if len(own) <= _FEW:
        named = (f"{tasks[one].name}{_in(variants.get(one))}" for one in own)
        return ", ".join(named) or "idle"
    words = _counted(Counter(tasks[one].group for one in own))
    ways = Counter(variants[one] for one in own if one in variants)
    return f"{words}; {_counted(ways, one='1 ')}" if ways else words


def _in(variant: str | None) -> str:
    return f" ({variant})" if variant else ""


def _counted(counts: Counter[str], one: str = "") -> str:
    shown = [
        f"{f'{many} ' if many > 1 else one}{kind_word(kind, many)}" for kind, many in counts.items()
    ]
    more = sum(list(counts.values())[_MOST_KINDS:])
    return ", ".join(shown[:_MOST_KINDS] + ([f"{more} more"] if more else []))
