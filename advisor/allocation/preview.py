"""What moving tasks to each machine would give: the previews while one drags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.feasibility import check_feasible, check_fitting, why_not
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical, checked, lowered
from advisor.allocation.timeline import previews
from machines import InfeasibleError
from machines.arrays import Floats


@dataclass(frozen=True, eq=False)
class Preview:
    """What moving tasks together to each machine would give.

    Attributes
    ----------
    values_s : array (machines,)
        The objective in seconds; inf where infeasible.
    reasons : tuple of str
        Why a machine is out of the question; empty where it is not.
    best : int or None
        The machine of the least value, the first of several.
    start_s, end_s : array (machines,)
        When the first of the tasks would run there; inf where infeasible.
    processors : tuple of int
        How many the first of the tasks would take there.
    """

    values_s: Floats
    reasons: tuple[str, ...]
    best: int | None
    start_s: Floats
    end_s: Floats
    processors: tuple[int, ...]


def preview(
    problem: Problem, plan: Plan, tasks: Sequence[int], objective: str = MAKESPAN
) -> Preview:
    """The objective if `tasks` moved together to each machine, as `predict` would give it.

    A scalable task that takes more processors than a machine has would take all of these there, as
    with `Plan.settled`.

    Parameters
    ----------
    tasks : sequence of int
        Positions of the tasks that move; at least one.
    objective : {"makespan", "total"}

    Returns
    -------
    Preview

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    """
    check_fitting(problem, plan)
    count = len(problem.platform.machines)
    values_s, start_s, end_s = (np.full(count, np.inf) for _ in range(3))
    reasons, taken = [""] * count, [0] * count
    for counts, machines in _settled_counts(problem, plan, tasks).items():
        there = replace(plan, processors=counts)
        fixed = problem.at(counts)
        allocation, order = placement(fixed, there)
        moved = np.array(tasks, dtype=np.int32)
        makespans, totals, starts, ends = previews(fixed.instance, allocation, order, moved)
        found = makespans if objective == MAKESPAN else totals
        values_s[machines], start_s[machines] = found[machines], starts[machines]
        end_s[machines] = ends[machines]
        for machine in machines:
            taken[machine] = int(fixed.costs.task_cores[tasks[0]])
            if not np.isfinite(makespans[machine]):
                reasons[machine] = _obstacle(fixed, there, tasks, machine)
    best = int(np.argmin(values_s)) if np.isfinite(values_s).any() else None
    return Preview(values_s, tuple(reasons), best, start_s, end_s, tuple(taken))


def _settled_counts(
    problem: Problem, plan: Plan, tasks: Sequence[int]
) -> dict[tuple[int, ...] | None, list[int]]:
    """Numbers of processors after a move → the machines to which it leads to them."""
    machines, workload = problem.platform.machines, problem.workload
    scalable = [task for task in tasks if workload.tasks[task].scaling is not None]
    if not scalable:
        return {plan.processors: list(range(len(machines)))}
    chosen = checked(workload, plan.processors)
    found: dict[tuple[int, ...] | None, list[int]] = {}
    for position, machine in enumerate(machines):
        counts = list(chosen)
        for task in scalable:
            counts[task] = lowered(workload.tasks[task], chosen[task], machine)
        found.setdefault(canonical(problem.workload, counts), []).append(position)
    return found


def _obstacle(problem: Problem, plan: Plan, tasks: Sequence[int], machine: int) -> str:
    """Why `tasks` can't move to `machine`, in words."""
    for task in tasks:
        if reason := why_not(problem, task, machine):
            return reason
    try:
        check_feasible(problem, plan.moved(tasks, machine))
    except InfeasibleError as error:
        return f"{error.where}: {error.what}"
    return ""
