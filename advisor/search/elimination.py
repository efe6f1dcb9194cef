"""Any number of machines, total cost: tasks are eliminated one by one.

The total is a sum over tasks and over flows between two of them. The best machine of a task, for
each choice of its neighbours, is noted and the task taken out; its neighbours then share a term
(Bertelè & Brioschi 1972). Exact; the work grows with machines to the power of the largest clique
that comes up, so trees and graphs like them are solved at any size.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from advisor.allocation.objectives import TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.total_terms import Tasks, total_terms
from advisor.search import exact_search
from advisor.search.allocation_search import AllocationSearch
from advisor.search.incumbent import StepBudget
from advisor.search.strategy import AUTO, Role, Strategy
from machines.arrays import Floats

MOST_ENTRIES = 1 << 22  # of all terms: 32 MiB
_MOST_TASKS = 5_000


def order_of(problem: Problem) -> list[tuple[int, Tasks]] | None:
    """The tasks as they are eliminated, each with the neighbours that it then has.

    The task with the fewest neighbours goes first. None: terms would have too many entries.
    """
    tasks, machines = problem.costs.task_s.shape
    near: dict[int, set[int]] = {task: set() for task in range(tasks)}
    for one, other in zip(
        problem.costs.sources.tolist(), problem.costs.targets.tolist(), strict=True
    ):
        near[one].add(other)
        near[other].add(one)
    found, entries = [], 0
    waiting = [(len(around), task) for task, around in near.items()]
    heapify(waiting)
    while near:
        many, task = heappop(waiting)
        if task not in near or many != len(near[task]):
            continue  # it has gone, or other neighbours since
        around = near.pop(task)
        entries += machines ** (len(around) + 1)
        if entries > MOST_ENTRIES:
            return None
        for one in around:
            near[one] |= around
            near[one] -= {one, task}
            heappush(waiting, (len(near[one]), one))
        found.append((task, tuple(sorted(around))))
    return found


def solve(problem: Problem, effort: StepBudget) -> tuple[int, ...] | None:
    """An allocation of least total, memory aside; None: none can run, or the effort is over."""
    order = order_of(problem)
    if order is None:
        return None
    tasks, machines = problem.costs.task_s.shape
    waiting: dict[int, list[tuple[Tasks, Floats]]] = {task: [] for task in range(tasks)}
    place = {task: at for at, (task, _) in enumerate(order)}
    for axes, term in total_terms(problem):
        waiting[min(axes, key=place.__getitem__)].append((axes, term))
    best: list[tuple[int, Tasks, np.ndarray[tuple[int, ...], np.dtype[np.int32]]]] = []
    for task, around in order:
        if not effort.left():
            return None
        axes = tuple(sorted((task, *around)))
        whole = np.zeros((machines,) * len(axes))
        for own, term in waiting.pop(task):
            shape = [machines if axis in own else 1 for axis in axes]
            whole += term.reshape(shape)
        effort.spent += whole.size
        at = axes.index(task)
        best.append((task, around, whole.argmin(axis=at).astype(np.int32)))
        least = whole.min(axis=at)
        if around:
            waiting[min(around, key=place.__getitem__)].append((around, least))
        elif not np.isfinite(least):
            return None
    chosen: dict[int, int] = {}
    for task, around, machine in reversed(best):
        chosen[task] = int(machine[tuple(chosen[one] for one in around)])
    return tuple(chosen[task] for task in range(tasks))


def _suits(problem: Problem, objective: str) -> bool:
    return objective == TOTAL and len(problem.workload.tasks) <= _MOST_TASKS


def _search(search: AllocationSearch) -> bool:
    if search.asked.strategy == AUTO and exact_search.fits(search.problem, TOTAL):
        return False  # to try them all tells what ties, and the second best
    found = solve(search.problem, search.effort)
    if found is None:
        return False
    if not search.memory_suffices(found):
        search.warnings.append("The least total exceeds a machine's memory; searched instead")
        return False
    search.prove(Plan(found, None, "elimination"), (found,), complete=False)
    return True


STRATEGY = Strategy(
    "elimination",
    "Elimination",
    "Exact for the total where few tasks depend on each other at once",
    Role.STRUCTURE,
    _suits,
    _search,
    refusal="it needs the objective total and a graph that is nearly a tree",
    alternatives=True,
    source="Bertelè & Brioschi 1972",
)
