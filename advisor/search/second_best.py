"""The second best plan: what an advice is compared with is no plan that a search happened to meet.

Where the best is proved by branch and bound, so is the second. Else it is the best of all that the
search met and of the neighbours of the best plan: every task on another machine, every other
decision, every two tasks in each other's place, as far as the effort reaches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.registry import DECISIONS
from advisor.search import exact_search as exact
from advisor.search.incumbent import StepBudget
from advisor.search.joint import is_joint
from machines import InputError

# placements that pricing a plan's choices, executing one of its tasks or transfers, and the call
# itself with each machine stand for
_PRICED, _EXECUTED, _CALLED, _MACHINE = 40_000, 20, 4_000, 200
_ENUMERABLE = 512  # allocations


def with_second_best(problem: Problem, found: Recommendation, effort: StepBudget) -> Recommendation:
    """The recommendation with the second best plan among its alternatives, best first.

    It takes longer than the best; where no choice but the allocation is open, on other machines.
    """
    ties = {found.plan.allocation, *found.ties}
    plain = problem.workload.settled and not is_joint(problem)

    def differs(plan: Plan, value_s: float) -> bool:
        if value_s <= found.value_s * (1.0 + ALIKE):
            return False
        return plan.allocation not in ties if plain else not plan.alike(found.plan)

    if plain and any(name == exact.SECOND for name, *_ in found.alternatives):
        return found  # all allocations were valued
    others = [one for one in found.alternatives if differs(one[1], one[2])]
    best_s = min((value_s for _, _, value_s in others), default=float("inf"))
    second = None
    plan = found.plan.bare() if plain else found.plan  # all else is the problem's
    cost = _cost(problem, found.objective, plain)
    for neighbour in _neighbours(problem, plan):
        if not effort.left():
            break
        effort.spent += cost
        other, value_s = _valued(problem, found.objective, neighbour)
        if value_s < best_s * (1.0 - ALIKE) and differs(other, value_s):
            second, best_s = other, value_s
    if plain and found.proved_optimal:
        proved = _proved(problem, found, ties, best_s, effort)
        second = proved or second
    if second is None:
        return found
    value_s = reached_s(problem, found.objective, second)
    one = (exact.SECOND, replace(second, strategy=exact.SECOND), value_s)
    ranked = sorted((one, *found.alternatives), key=lambda each: each[2])
    return replace(found, alternatives=tuple(ranked))


def _proved(
    problem: Problem,
    found: Recommendation,
    ties: set[tuple[int, ...]],
    upper_s: float,
    effort: StepBudget,
) -> Plan | None:
    """The least of all allocations beyond the best and its ties; None: not below `upper_s`."""
    if not exact.fits(problem, found.objective):
        return None
    if found.objective == TOTAL:
        other = exact.solve(problem, TOTAL, upper_s, effort, ties=False).runner_up
        return other and _valued(problem, TOTAL, other)[0]
    while effort.left():
        plan, _ = exact.beyond(problem, sorted(ties), upper_s, effort)
        if plan is None:
            break
        plan, value_s = _valued(problem, MAKESPAN, plan)
        if value_s > found.value_s * (1.0 + ALIKE):
            return plan
        ties.add(plan.allocation)
    return None


def _neighbours(problem: Problem, plan: Plan) -> Iterator[Plan]:
    """The plan with one decision otherwise, then with two tasks in each other's place.

    Of few allocations, all.
    """
    tasks, machines = problem.instance.task_s.shape
    few = machines**tasks <= _ENUMERABLE
    if few:
        for allocation in itertools.product(range(machines), repeat=tasks):
            moved = replace(plan, allocation=allocation)
            yield moved.settled(problem.workload, problem.platform)
    for kind in DECISIONS:
        if few and kind is ALLOCATION:
            continue
        for subject in kind.values(problem, plan):
            if kind.is_open(problem, subject):
                for value in kind.moves(problem, plan, subject):
                    yield kind.put(problem, plan, subject, value)
    for one, other in itertools.combinations(range(0 if few else tasks), 2):
        here, there = plan.allocation[one], plan.allocation[other]
        if here != there:
            moved = plan.moved((one,), there).moved((other,), here)
            yield moved.settled(problem.workload, problem.platform)


def _cost(problem: Problem, objective: str, plain: bool) -> int:
    """What valuing a plan costs, in placements of a task."""
    cost = len(problem.workload.tasks) + _MACHINE * len(problem.platform.machines)
    if objective == MAKESPAN and problem.sharing == FAIR:
        cost = _EXECUTED * (cost + len(problem.workload.edges))
    return cost + (_CALLED if plain else _PRICED)


def _valued(problem: Problem, objective: str, plan: Plan) -> tuple[Plan, float]:
    """The plan in its own order or without one, and what it reaches; inf: it can't run."""
    try:
        value_s = reached_s(problem, objective, plan)
        if plan.order is not None:
            without = replace(plan, order=None)
            other_s = reached_s(problem, objective, without)
            if other_s < value_s:
                return without, other_s
    except InputError:  # a tree that can't keep up, a choice that its network refuses
        return plan, float("inf")
    return plan, value_s
