"""Of all plans that are known the best is the answer, and of those alike the one that moves least.

The search is one source of plans; the present plan, pins, and what is met while loads are varied
are others. `best_known` offers them all to its recommendation. `least_moves` then says what to do:
a difference within the model's own error is no reason to move a task.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from advisor.advice.how_sure import draws_for, is_even
from advisor.allocation.evaluation import reached_s
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.objectives import MAKESPAN, SPREAD, alike
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.decisions.tree import trees_of
from machines import InfeasibleError

# placements of a task that all trials together may cost, about half a second compiled; what one
# trial costs beside its tasks: the call, or new prices of tasks on other numbers of processors; and
# how many placements a task or transfer of the executed timeline is worth
_PLACEMENTS, _CALLED, _PRICED, _EXECUTED = 10_000_000, 1_000, 40_000, 20
EVEN_DRAWS = 256  # that tell whether two plans are about equal
_MANY = 5_000  # tasks from which what is about equal is not simulated
_FAR = 1.5  # a plan that takes so many times as long is not
_VALUED = 2  # evaluations of a plan that is valued: in its own order, and without


@dataclass(frozen=True)
class Valued:
    """A plan with the order that it is valued in, and what it reaches."""

    plan: Plan
    value_s: float


def valued(problem: Problem, objective: str, plan: Plan) -> Valued | None:
    """The plan in the better of its own order and the default one; None if it can't run."""
    try:
        check_feasible(problem, plan)
    except InfeasibleError:
        return None
    usual = ordered(problem, replace(plan, order=None))
    found = Valued(usual, reached_s(problem, objective, usual))
    if plan.order is None:
        return found
    own = Valued(plan, reached_s(problem, objective, plan))
    return found if found.value_s < own.value_s * (1.0 - ALIKE) else own


def best_known(
    problem: Problem, recommendation: Recommendation, plans: Iterable[Plan | None]
) -> Recommendation:
    """The recommendation, or that of the best of `plans` where one is better."""
    found = recommendation
    others = (plan for _, plan, _ in recommendation.alternatives)
    for plan in dict.fromkeys((recommendation.plan, *others, *plans)):
        one = None if plan is None else valued(problem, recommendation.objective, plan)
        if one is not None and one.value_s < found.value_s * (1.0 - ALIKE):
            found = recommendation.beaten_by(one.plan, one.value_s)
    return found


def least_moves(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan | None,
    known: Iterable[Plan] = (),
    should_stop: ShouldStop = lambda: False,
) -> Valued:
    """Of the plans alike to the recommended one, that which changes least of the current plan.

    Looked at are the current plan, the known ones, ties, alternatives, and what remains of the
    recommended plan when tasks are left where they are, one after the other, cheapest first, while
    the plan stays alike; as many as about half a second allows.
    """
    best, objective = Valued(recommendation.plan, recommendation.value_s), recommendation.objective
    if current is None or (now := valued(problem, objective, current)) is None:
        return best
    if alike(now.value_s, best.value_s) or _about_equal(problem, objective, now, best):
        own = ordered(problem, current)
        own_s = reached_s(problem, objective, own)
        return Valued(own, own_s) if own_s <= now.value_s / (1.0 - SPREAD) else now
    chosen, trials = best, _trials(problem, objective)
    others = [plan for _, plan, _ in recommendation.alternatives]
    others += [recommendation.tied(tie) for tie in recommendation.ties]
    for plan in dict.fromkeys((*others, *known)):
        if trials < _VALUED or should_stop():
            break
        trials -= _VALUED
        one = valued(problem, objective, plan)
        if one is not None and alike(one.value_s, best.value_s):
            chosen = _nearer(problem, current, chosen, one)
    kept = _left_where_they_are(problem, recommendation, current, trials, should_stop)
    return _nearer(problem, current, chosen, kept)


def _about_equal(problem: Problem, objective: str, now: Valued, best: Valued) -> bool:
    """Whether what is not known exactly decides which of two plans ends first."""
    if objective != MAKESPAN or now.value_s > _FAR * best.value_s:
        return False
    if len(problem.workload.tasks) > _MANY:
        return False
    draws = draws_for(problem, EVEN_DRAWS)
    return draws is not None and is_even(problem, best.plan, now.plan, draws)


def _trials(problem: Problem, objective: str) -> int:
    """How many evaluations of a plan the budget allows."""
    tasks = placed = len(problem.workload.tasks)
    if objective == MAKESPAN and problem.sharing == FAIR:
        placed = _EXECUTED * (tasks + len(problem.workload.edges))
    return _PLACEMENTS // (placed + (_CALLED if problem.workload.settled else _PRICED))


def moves(problem: Problem, plan: Plan, current: Plan) -> int:
    """How many tasks change machine, processors, variant or choice, and overlays their tree."""
    pairs = zip(_places(problem, plan), _places(problem, current), strict=True)
    moved = {task for task, (one, other) in enumerate(pairs) if one != other}
    chosen = {one.task for one in {*plan.choices} ^ {*current.choices}}
    trees = zip(trees_of(problem, plan), trees_of(problem, current), strict=True)
    return len(moved | chosen) + sum(one != other for one, other in trees)


def _places(problem: Problem, plan: Plan) -> list[tuple[int, int, int]]:
    own = tuple(task.cores for task in problem.workload.tasks)
    ways = problem.variants_of(plan) if problem.workload.variable else (0,) * len(own)
    return list(zip(plan.allocation, plan.processors or own, ways, strict=True))


def _nearer(problem: Problem, current: Plan, one: Valued, other: Valued) -> Valued:
    """The one that moves less; of two that move as many, the quicker one."""
    keys = [(moves(problem, each.plan, current), each.value_s) for each in (one, other)]
    return other if keys[1] < keys[0] else one


def _left_where_they_are(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan,
    trials: int,
    should_stop: ShouldStop,
) -> Valued:
    """The recommended plan with as many tasks unmoved as it stays alike.

    Round by round the tasks are ranked by what the plan takes without the move of each; then as
    many of the first as possible stay, half as many after every failure; at most `trials` are
    evaluated.
    """
    objective, chosen = recommendation.objective, recommendation.plan
    own = tuple(one.cores for one in problem.workload.tasks)
    chosen_s = recommendation.value_s

    def without(tasks: list[int]) -> Valued:
        nonlocal trials
        trials -= 1
        plan = _unmoved(chosen, current, own, tasks)
        return Valued(plan, reached_s(problem, objective, plan))

    while not should_stop():
        moved = [t for t, q in enumerate(chosen.allocation) if q != current.allocation[t]]
        if len(moved) < 2 or len(moved) > trials:
            break
        ranked = sorted(moved, key=lambda task: without([task]).value_s)
        batch = len(ranked) - 1
        while batch and trials > 0 and not should_stop():
            found = without(ranked[:batch])
            if alike(found.value_s, recommendation.value_s):
                break
            batch //= 2
        else:
            break
        chosen, chosen_s = found.plan, found.value_s
    return Valued(chosen, chosen_s)


def _unmoved(chosen: Plan, current: Plan, own: tuple[int, ...], tasks: list[int]) -> Plan:
    """The chosen plan with some tasks as they are now."""
    allocation, counts = list(chosen.allocation), list(chosen.processors or own)
    for task in tasks:
        allocation[task] = current.allocation[task]
        counts[task] = (current.processors or own)[task]
    processors = None if tuple(counts) == own else tuple(counts)
    variants = chosen.variants
    if variants is not None and current.variants is not None:
        kept = dict.fromkeys(tasks)
        both = enumerate(zip(variants, current.variants, strict=True))
        variants = tuple(now if task in kept else way for task, (way, now) in both)
    return replace(chosen, allocation=tuple(allocation), processors=processors, variants=variants)
