"""Short names of allocations: "both on M1", "A on M2, B on M1", "3 tasks moved".

Those of plans with scalable tasks say on how many processors: "solve on 12 processors of M2".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count

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


def plan_label(problem: Problem, plan: Plan, reference: Plan | None = None) -> str:
    """`label` of a plan's allocation, with the processors of its scalable tasks.

    Against a `reference` of the same allocation: what takes another number of processors.
    """
    counts = plan.counts(problem.workload)
    if reference is not None and reference.allocation == plan.allocation:
        before = reference.counts(problem.workload)
        changed = {name: count for name, count in counts.items() if before[name] != count}
        if changed:
            return counts_in_words(changed)
    name = label(problem, plan.allocation, None if reference is None else reference.allocation)
    if not counts:
        return name
    tasks, machines = problem.workload.tasks, problem.platform.machines
    if len(tasks) == 1 or (len(tasks) <= _NAMED_TASKS and len(set(plan.allocation)) > 1):
        return ", ".join(
            f"{counts_in_words({task.name: counts[task.name]})} of {machines[place].name}"
            if task.name in counts
            else f"{task.name} on {machines[place].name}"
            for task, place in zip(tasks, plan.allocation, strict=True)
        )
    return f"{name}, {counts_in_words(counts)}"


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Who takes how many processors: "solve on 12 processors, fit on 1 processor"."""
    fewest, most = min(counts.values()), max(counts.values())
    each = f"{count(fewest, 'processor')}{' each' if len(counts) > 1 else ''}"
    if len(counts) > _NAMED_TASKS:
        span = each if fewest == most else f"{fewest:,} to {most:,} processors"
        return f"{count(len(counts), 'scalable task')} on {span}"
    if fewest == most:
        *others, last = counts
        return f"{', '.join(others)}{' and ' if others else ''}{last} on {each}"
    return ", ".join(f"{name} on {count(p, 'processor')}" for name, p in counts.items())


def moves_in_words(problem: Problem, moved: Sequence[int], allocation: Sequence[int]) -> str:
    """What moves: "A to M2", "A and B to M2", "A to M2, B to M1".

    Many are counted: "4 of 58 tasks to M2", "12 of 58 tasks moved".
    """
    tasks, machines = problem.workload.tasks, problem.platform.machines
    targets = {allocation[task] for task in moved}
    if len(moved) > _NAMED_TASKS:
        to = f"to {machines[targets.pop()].name}" if len(targets) == 1 else "moved"
        return f"{len(moved):,} of {count(len(tasks), 'task')} {to}"
    names = [tasks[task].name for task in moved]
    if len(targets) == 1:
        joined = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        return f"{joined} to {machines[targets.pop()].name}"
    return ", ".join(
        f"{name} to {machines[allocation[task]].name}"
        for name, task in zip(names, moved, strict=True)
    )
