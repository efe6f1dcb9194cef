"""Short names of allocations: "both on M1", "A on M2, B on M1", "3 tasks moved"."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.problem import Problem
from advisor.quantities import count

_NAMED_TASKS = 3


def label(
    problem: Problem, allocation: Sequence[int], reference: Sequence[int] | None = None
) -> str:
    """What tells an allocation from others, in a few words.

    Parameters
    ----------
    problem : Problem
        Gives the names.
    allocation : sequence of int, length tasks
        Machine positions.
    reference : sequence of int, optional
        Allocation from which moves of many tasks are counted.
    """
    machines = problem.platform.machines
    tasks = problem.workload.tasks
    used = sorted(set(allocation))
    if len(used) == 1:
        who = {1: tasks[0].name, 2: "both"}.get(len(tasks), "all")
        return f"{who} on {machines[used[0]].name}"
    if len(tasks) <= _NAMED_TASKS:
        pairs = zip(tasks, allocation, strict=True)
        return ", ".join(f"{task.name} on {machines[place].name}" for task, place in pairs)
    if reference is not None:
        moved = [task for task in range(len(tasks)) if allocation[task] != reference[task]]
        if not moved:
            return "the same allocation"
        return moves_in_words(problem, moved, allocation)
    return f"{count(len(tasks), 'task')} on {count(len(used), 'machine')}"


def moves_in_words(problem: Problem, moved: Sequence[int], allocation: Sequence[int]) -> str:
    """What moves: "A to M2", "A and B to M2", "A to M2, B to M1", "12 of 58 tasks moved"."""
    tasks, machines = problem.workload.tasks, problem.platform.machines
    if len(moved) > _NAMED_TASKS:
        return f"{len(moved):,} of {count(len(tasks), 'task')} moved"
    targets = {allocation[task] for task in moved}
    names = [tasks[task].name for task in moved]
    if len(targets) == 1:
        joined = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        return f"{joined} to {machines[targets.pop()].name}"
    return ", ".join(
        f"{name} to {machines[allocation[task]].name}"
        for name, task in zip(names, moved, strict=True)
    )
