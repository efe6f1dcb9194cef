"""Plans side by side on common axes, with signed differences against the first.

What a table of them shows is in `advisor.allocation.traits`, which of them are worth a look in
`advisor.allocation.measures`.

Short names of allocations: "both on M1", "A on M2, B on M1", "3 tasks moved".

Those of plans with scalable tasks say on how many processors: "solve on 12 processors of M2".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, alike
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.spending import Spending, spending
from advisor.basics.quantities import count
from machines import InputError


@dataclass(frozen=True, eq=False)
class Row:
    """One plan of a comparison.

    Attributes
    ----------
    problem : Problem
        The question that the plan answers.
    first : Plan
        The plan that it is set against.
    makespan_s, total_s : float
        Both objectives.
    spent : Spending
        Machines, processors, money and energy that it takes.
    breakdown_s : dict
        Cause → seconds; sums to `total_s`.
    utilisation : tuple of float
        Busy share of every machine's cores.
    gap : float
        value/bound − 1 of the objective asked for.
    makespan_difference_s, total_difference_s : float
        Against the first plan; negative is better.
    busiest, busy_share : str and float
        The link, direction or switch that transfers used most, and its mean load; "" and 0 where
        nothing is shared.
    endless_s : float
        The makespan without network contention, where each transfer has it to itself.
    sharing : {"fair", "none"}
        Which timeline it rests on.
    p90_s : float
        The makespan that nine of ten runs stay below; NaN: no draws were made.
    """

    name: str
    problem: Problem
    first: Plan
    plan: Plan
    prediction: Prediction
    makespan_s: float
    total_s: float
    spent: Spending
    breakdown_s: dict[str, float]
    utilisation: tuple[float, ...]
    gap: float
    makespan_difference_s: float
    total_difference_s: float
    busiest: str
    busy_share: float
    endless_s: float
    sharing: str
    p90_s: float = math.nan

    def difference_s(self, objective: str) -> float:
        """The signed difference of that objective against the first plan."""
        return self.makespan_difference_s if objective == MAKESPAN else self.total_difference_s

    def alike_to(self, other: Row, objective: str) -> bool:
        """Whether the two differ in that objective by no more than the model's own error."""
        return alike(self.prediction.value_s(objective), other.prediction.value_s(objective))


def compare(
    problem: Problem,
    named_plans: Iterable[tuple[str, Plan]],
    objective: str = MAKESPAN,
    bound_s: float = 0.0,
) -> tuple[Row, ...]:
    """Predict every plan and set it against the first.

    Parameters
    ----------
    problem : Problem
        The question that all plans answer.
    named_plans : iterable of (name, plan)
        In the order of the rows.
    objective : str
        "makespan" or "total": the one that `gap` is of.
    bound_s : float
        A bound that a search has proved (`Recommendation.bound_s`), s.

    Raises
    ------
    InfeasibleError
        One of the plans can't run; the message names it.
    """
    if objective not in OBJECTIVES:
        raise InputError("unknown objective", value=objective, remedy="Use makespan or total")
    named = [(name, predict(problem, plan)) for name, plan in named_plans]
    first = named[0][1] if named else None
    return tuple(
        Row(
            name=name,
            problem=problem,
            first=first.plan,
            plan=prediction.plan,
            prediction=prediction,
            makespan_s=prediction.makespan_s,
            total_s=prediction.total_s,
            spent=spending(problem, prediction),
            breakdown_s=prediction.breakdown_s,
            utilisation=tuple(prediction.utilisation.tolist()),
            gap=prediction.gap(objective, bound_s),
            makespan_difference_s=prediction.makespan_s - first.makespan_s,
            total_difference_s=prediction.total_s - first.total_s,
            busiest="" if (use := prediction.busiest) is None else use.name,
            busy_share=0.0 if use is None else use.busy_share,
            endless_s=_endless(prediction),
            sharing=prediction.sharing,
        )
        for name, prediction in named
        if first is not None
    )


def _endless(prediction: Prediction) -> float:
    found = prediction.endless_s
    return prediction.makespan_s if found is None else found


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

    Against a `reference` of the same allocation: what takes another number of processors, or runs
    in another variant.
    """
    counts = plan.counts(problem.workload)
    if reference is not None and reference.allocation == plan.allocation:
        before = reference.counts(problem.workload)
        changed = {name: count for name, count in counts.items() if before[name] != count}
        if changed:
            return counts_in_words(changed)
        if ways := other_variants(problem, plan, reference):
            return variants_in_words(problem, ways)
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


def other_variants(
    problem: Problem, plan: Plan, reference: Plan | None = None
) -> dict[str, list[int]]:
    """{variant: the tasks that run in it, though not in the reference}."""
    found: dict[str, list[int]] = {}
    if problem.workload.variable:
        own = problem.variants_of(plan)
        before = None if reference is None else problem.variants_of(reference)
        for place in problem.workload.variable:
            task = problem.workload.tasks[place]
            if before is None or own[place] != before[place]:
                found.setdefault(task.variants[own[place]].name, []).append(place)
    return found


def variants_in_words(problem: Problem, changed: Mapping[str, Sequence[int]]) -> str:
    """Which tasks run how: "small 01 as gpu", "4 tasks as gpu, 2 tasks as cpu"."""
    tasks = problem.workload.tasks
    return ", ".join(
        f"{tasks[ones[0]].name if len(ones) == 1 else count(len(ones), 'task')} as {variant}"
        for variant, ones in changed.items()
    )


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
