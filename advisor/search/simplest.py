"""Of plans that reach the same, the simplest.

That is the one on fewer machines, with fewer moves, fewer processors, then less total.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.rounding import ALIKE

_MACHINES = 16  # on which everything is tried


def simplest(problem: Problem, found: Recommendation, start: Plan | None) -> Recommendation:
    """The recommendation of the simplest plan that is as good; moves are counted from `start`."""
    here = () if start is None else start.allocation

    def key(one: tuple[str, Plan]) -> tuple[int, int, int, float]:
        plan = one[1]
        moves = sum(there != now for there, now in zip(plan.allocation, here, strict=False))
        processors = sum(plan.processors or ())
        return len({*plan.allocation}), moves, processors, reached_s(problem, TOTAL, plan)

    strategy, plan = min(((found.strategy, found.plan), *_equal(problem, found)), key=key)
    if plan is found.plan:
        return found
    ties = dict.fromkeys((found.plan.allocation, *found.ties)) if found.ties else {}
    ties.pop(plan.allocation, None)
    others = (one for one in found.alternatives if one[1] is not plan)
    return replace(
        found,
        plan=replace(plan, strategy=strategy),
        strategy=strategy,
        ties=tuple(ties),
        alternatives=((found.strategy, found.plan, found.value_s), *others),
    )


def _equal(problem: Problem, found: Recommendation) -> Iterator[tuple[str, Plan]]:
    """What the search met that is as good: its plans, ties, all on a machine that is used."""
    limit_s = found.value_s * (1.0 + ALIKE)
    yield from ((name, plan) for name, plan, value_s in found.alternatives if value_s <= limit_s)
    others = [replace(found.plan, allocation=tie, order=None) for tie in found.ties]
    tasks = len(problem.workload.tasks)
    used = list(dict.fromkeys(found.plan.allocation))[:_MACHINES]
    others += [Plan((machine,) * tasks, strategy="one-machine") for machine in used]
    for plan in others:
        if (1.0 - ALIKE) * found.value_s <= reached_s(problem, found.objective, plan) <= limit_s:
            yield plan.strategy, plan
