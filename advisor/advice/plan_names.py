"""What tells plans from one another: which machine takes which tasks that another one has now."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.allocation.comparison import label, other_variants
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.instructions import kinds_in_words

_NAMED = 3  # tasks of a machine that are named, the rest are counted


def names_beside(problem: Problem, plans: Sequence[Plan]) -> tuple[str, ...]:
    """Names of plans beside the first: "laptop takes analyse-5", no two alike if their tasks move.

    Plans in which everything runs on one machine, and those of few tasks, are named alone.
    """
    reference = plans[0]
    names = [_name(problem, plan, reference, _NAMED) for plan in plans]
    return tuple(
        _name(problem, plan, reference, len(plan.allocation)) if names.count(name) > 1 else name
        for plan, name in zip(plans, names, strict=True)
    )


def _name(problem: Problem, plan: Plan, reference: Plan, most: int) -> str:
    placed = _placed(problem, plan, reference.allocation, most)
    ways = [
        f"{variant} for {_few(problem, tasks, most)}"
        for variant, tasks in other_variants(problem, plan, reference).items()
    ]
    if plan.allocation == reference.allocation and ways:
        return "; ".join(ways)
    return "; ".join([placed, *ways])


def _placed(problem: Problem, plan: Plan, reference: Sequence[int], most: int) -> str:
    """Who takes which tasks that another machine has in the reference."""
    alone = label(problem, plan.allocation)
    if alone == label(problem, plan.allocation, reference) or plan.allocation == reference:
        return alone
    taken: dict[int, list[int]] = {}
    for task, place in enumerate(plan.allocation):
        if place != reference[task]:
            taken.setdefault(place, []).append(task)
    machines = problem.platform.machines
    return "; ".join(
        f"{machines[place].name} takes {_few(problem, tasks, most)}"
        for place, tasks in taken.items()
    )


def _few(problem: Problem, tasks: Sequence[int], most: int) -> str:
    """Tasks by name, many by kind."""
    if len(tasks) > most:
        return kinds_in_words(problem, tasks)
    names = [problem.workload.tasks[task].name for task in tasks]
    return " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])
