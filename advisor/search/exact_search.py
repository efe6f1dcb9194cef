"""Small cases solved exactly: every allocation for the total, branch and bound for the makespan.

Exact for the timeline that is meant: where transfers share every plan is carried out, and the
classical timeline of what is placed is the bound. Where branch and bound does not end, or is not
begun, CP-SAT continues if it is installed (`advisor.search.constraint_proof`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.executed_bounds import alone_at_least
from advisor.allocation.execution import executed_run
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import schedule
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.total_terms import total_terms
from advisor.basics.rounding import ALIKE
from advisor.kernels import exact_kernel as kernel
from advisor.kernels import paths_kernel as paths
from advisor.kernels import shared_exact
from advisor.kernels.instance import Instance
from advisor.search import refine
from advisor.search.allocation_search import AllocationSearch
from advisor.search.constraint_program import Known, installed, small_enough
from advisor.search.constraint_proof import prove
from advisor.search.incumbent import PLACEMENTS_PER_SECOND, StepBudget
from advisor.search.strategy import AUTO, Role, Strategy
from machines.arrays import Flags, Floats, Indices

MOST_TIES = 50
SECOND = "second best"  # the strategy of a plan that is only that
_ENUMERABLE = 20_000  # allocations
_MOST_TASKS = 24  # of branch and bound
_SLICE = 500  # steps between two looks at the clock
_TABLES, _SMALL = 3, 64  # what a pair of machines adds to a step, and machines that add nothing
_REFINED = 0.1  # of what is left, to begin CP-SAT from a good plan
_LEAST_S = 10.0  # from which the automatic choice asks CP-SAT, too
_SPACE = 7_000  # placements that beginning a search stands for: measured, compiled


@dataclass(frozen=True)
class ExactResult:
    """Plans that reach the optimum (all of them if `ties_complete`), and the best that does not.

    Not `proved`: the plans are those found so far, perhaps none.
    """

    plans: tuple[Plan, ...] = ()
    proved: bool = False
    ties_complete: bool = False
    runner_up: Plan | None = None
    lower_bound_s: float = 0.0


def solve(
    problem: Problem, objective: str, upper_s: float, effort: StepBudget, *, ties: bool = True
) -> ExactResult:
    """Solve exactly if the case is small enough for what `effort` leaves.

    Parameters
    ----------
    problem : Problem
    objective : {"makespan", "total"}
    upper_s : float
        A value that some plan reaches; inf if none is known.
    effort : Effort
        All that is left of its budget may be spent.
    ties : bool
        Whether branch and bound looks for all allocations that reach the optimum.
    """
    if not fits(problem, objective):
        return ExactResult()
    if objective == TOTAL:
        return _enumerated(problem, effort)
    if _enumerable(problem) and _sums_up(problem):
        return _of_sums(problem)
    return _branched(problem, upper_s, effort, ties=ties)


def carried_out(problem: Problem) -> bool:
    """Whether plans of the problem share what they cross, so that each must be carried out."""
    return problem.sharing == FAIR


def fits(problem: Problem, objective: str) -> bool:
    """Whether the case is small enough to try."""
    if objective == TOTAL:
        return _enumerable(problem) and not problem.costs.needs.outputs_stay
    few = len(problem.workload.tasks) <= _MOST_TASKS
    if not carried_out(problem):
        return few
    # bounds of a machine's order hold where the plan says all of it
    executed = problem.executed
    ordered = not (executed.eager or executed.wide or executed.dispatched)
    return few and bool(ordered)


def _enumerable(problem: Problem) -> bool:
    tasks, machines = problem.instance.task_s.shape
    return bool(tasks < 64 and machines**tasks <= _ENUMERABLE)


def _sums_up(problem: Problem) -> bool:
    """Whether tasks neither wait for each other nor run side by side, so that order is nothing."""
    costs = problem.costs
    alone = np.equal.outer(costs.task_cores, costs.machine_cores).all()
    free = costs.outside is None and not costs.needs.platform_wide
    return bool(alone and not problem.workload.edges and free)


def _of_sums(problem: Problem) -> ExactResult:
    """Every allocation: a machine ends when it has computed its tasks."""
    instance = problem.instance
    every = _every(instance)
    held_s = instance.task_s + (problem.executed.overhead_s if problem.sharing == FAIR else 0.0)
    values_s = np.zeros(len(every))
    for machine in range(held_s.shape[1]):
        load_s = np.where(every == machine, held_s[:, machine], 0.0).sum(axis=1)
        values_s = np.maximum(values_s, load_s)
    return _ranked(instance, every, values_s)


def _enumerated(problem: Problem, effort: StepBudget) -> ExactResult:
    """Every allocation: the total is a sum."""
    instance = problem.instance
    tasks, machines = instance.task_s.shape
    effort.spent += tasks * machines**tasks
    if not effort.left():
        return ExactResult()
    every = _every(instance)
    values_s = np.zeros(len(every))
    for axes, term in total_terms(problem):
        values_s += term[tuple(every[:, axis] for axis in axes)]
    return _ranked(instance, every, values_s)


def _every(instance: Instance) -> Indices:
    """All allocations, (allocations, tasks)."""
    tasks, machines = instance.task_s.shape
    return np.array(list(itertools.product(range(machines), repeat=tasks)), dtype=np.int32)


def _ranked(instance: Instance, every: Indices, values_s: Floats) -> ExactResult:
    """What all allocations with their values show; those that exceed a memory can't be."""
    for machine, most in enumerate(instance.machine_memory):
        values_s[(every == machine) @ instance.task_memory > most] = np.inf
    ranked = sorted(zip(values_s.tolist(), map(tuple, every.tolist()), strict=True))
    least = ranked[0][0]
    if not np.isfinite(least):
        return ExactResult()
    ties = [a for value, a in ranked if value <= least * (1 + ALIKE)]
    other = next((a for value, a in ranked if least * (1 + ALIKE) < value < np.inf), None)
    return ExactResult(
        plans=tuple(Plan(a, None, "exact") for a in ties[:MOST_TIES]),
        proved=True,
        ties_complete=len(ties) <= MOST_TIES,
        runner_up=None if other is None else Plan(other, None, SECOND),
        lower_bound_s=least,
    )


def _branched(problem: Problem, upper_s: float, effort: StepBudget, *, ties: bool) -> ExactResult:
    instance = bounding(problem)
    tails = paths.tails(instance)
    state = kernel.new_branching(instance, tails, upper_s, MOST_TIES)
    proved = _branch(problem, instance, state, effort, collect=False)
    plans = []
    if state.best_allocation[0] >= 0:
        order = tuple(state.best_order.tolist())
        plans = [Plan(tuple(state.best_allocation.tolist()), order, "exact")]
    if not proved:
        return ExactResult(tuple(plans))
    optimum = float(state.upper[0])
    if not np.isfinite(optimum):
        return ExactResult()
    if not ties:
        return ExactResult(tuple(plans), proved=True, lower_bound_s=optimum)
    again = kernel.new_branching(instance, tails, optimum, MOST_TIES)
    complete = _branch(problem, instance, again, effort, collect=True)
    found = int(again.control[2])
    known = {plan.allocation for plan in plans}
    plans += [
        Plan(allocation, None, "exact")
        for allocation in map(tuple, again.ties[: min(found, MOST_TIES)].tolist())
        if allocation not in known
    ]
    return ExactResult(
        plans=tuple(plans),
        proved=True,
        ties_complete=complete and found <= MOST_TIES,
        lower_bound_s=optimum,
    )


def beyond(
    problem: Problem,
    best: Sequence[tuple[int, ...]],
    upper_s: float,
    effort: StepBudget,
) -> tuple[Plan | None, bool]:
    """The plan of least makespan among all whose allocation is none of `best`.

    The allocations without `best` are parted into spaces (Lawler 1972): those that agree with some
    of `best` on the first tasks and with none of them on the next. Each is searched by branch and
    bound for what beats the least so far.

    Parameters
    ----------
    upper_s : float
        Of a plan that is none of `best`; what is not less is not looked for.

    Returns
    -------
    plan : Plan or None
        None: nothing is less than `upper_s`.
    all_searched : bool
    """
    instance = bounding(problem)
    found: Plan | None = None
    for allowed in _spaces(best, instance.task_s.shape[1]):
        space = instance._replace(task_s=np.where(allowed, instance.task_s, np.inf))
        state = kernel.new_branching(space, paths.tails(space), upper_s, 1)
        effort.spent += _SPACE
        done = _branch(problem, space, state, effort, collect=False)
        if state.best_allocation[0] >= 0:
            upper_s = float(state.upper[0])
            order = tuple(state.best_order.tolist())
            found = Plan(tuple(state.best_allocation.tolist()), order, SECOND)
        if not done:
            return found, False
    return found, True


def _spaces(best: Sequence[tuple[int, ...]], machines: int) -> Iterator[Flags]:
    """Which machine each task may be on, (tasks, machines), in every part of all others."""
    for depth in range(len(best[0])):
        for prefix in dict.fromkeys(one[:depth] for one in best):
            allowed = np.ones((len(best[0]), machines), dtype=np.bool_)
            for task, machine in enumerate(prefix):
                allowed[task] = np.arange(machines) == machine
            allowed[depth, [one[depth] for one in best if one[:depth] == prefix]] = False
            if allowed[depth].any():
                yield allowed


def bounding(problem: Problem) -> Instance:
    """What tasks and edges take, or take at least where they share."""
    if not carried_out(problem):
        return problem.instance
    between = problem.costs.between
    return alone_at_least(problem.instance, problem.executed, problem.workload, between)


def _branch(
    problem: Problem,
    instance: Instance,
    state: kernel.Branching,
    effort: StepBudget,
    *,
    collect: bool,
) -> bool:
    """Search in slices; whether everything was searched."""
    machines = instance.machine_cores.size
    cost = 3 * len(problem.workload.tasks) * machines
    if carried_out(problem):  # each in tables of all hosts
        cost += _TABLES * max(0, machines - _SMALL) ** 2
    while effort.left():
        before = int(state.control[1])
        steps = max(1, min(_SLICE, (effort.budget - effort.spent) // cost))
        alone = not carried_out(problem)
        if not alone or problem.costs.needs.outputs_stay:
            done = shared_exact.branch(instance, problem.executed, state, steps, collect, alone)
        else:
            done = kernel.branch(instance, state, steps, collect)
        if done:
            return True
        effort.spent += (int(state.control[1]) - before) * cost
        effort.on_slice()
    return False


def _least_s(problem: Problem, objective: str) -> float:
    """Seconds from which the automatic choice tries a proof."""
    return 0.0 if fits(problem, objective) else _LEAST_S


def _suits(problem: Problem, objective: str) -> bool:
    return fits(problem, objective) or _programmable(problem, objective)


def _programmable(problem: Problem, objective: str) -> bool:
    """Whether CP-SAT can be asked."""
    return objective == MAKESPAN and installed() and small_enough(problem.instance)


def _search(search: AllocationSearch) -> bool:
    """Branch and bound where the case is small, then CP-SAT with what is left."""
    problem, effort = search.problem, search.effort
    after = _programmable(problem, search.objective)
    if after and search.asked.strategy == AUTO:
        after = search.asked.seconds >= _LEAST_S
    if not fits(problem, search.objective):
        return after and _programmed(search)
    held = effort.budget
    if after:
        effort.budget = (effort.spent + held) // 2
    result = solve(problem, search.objective, search.best_s, effort)
    effort.budget = held
    for plan in result.plans:
        search.offer(plan)
    if result.proved and result.plans:
        search.proved = True
        search.ties = tuple(plan.allocation for plan in result.plans)
        search.ties_complete = result.ties_complete
    if result.runner_up is not None:
        search.offer(result.runner_up)
    search.bound_s = max(search.bound_s, result.lower_bound_s)
    return result.proved or (after and _programmed(search))


def _programmed(search: AllocationSearch) -> bool:
    """Bound the makespan by CP-SAT from the best plan; whether that proves a plan.

    Where transfers share, the bound is that of tasks and transfers alone, and of what all transfers
    move together.
    """
    if not search.plans or not search.effort.left():
        return False
    effort, clocked = search.effort, search.asked.clocked

    def stopped() -> bool:
        effort.on_slice()
        return effort.stopped or not effort.left()

    if search.asked.strategy != AUTO:  # which refined already
        held = effort.budget
        effort.budget = effort.spent + int(_REFINED * (held - effort.spent))
        refine.STRATEGY.search(search)
        effort.budget = held
    left_s = (effort.budget - effort.spent) / PLACEMENTS_PER_SECOND
    guard_s = search.watch.guard_s if clocked else None
    shared = search.problem.executed if carried_out(search.problem) else None
    known = known_schedule(search.problem, search.plans[0])
    found = prove(bounding(search.problem), known, left_s, stopped, guard_s, shared, search.bound_s)
    effort.spent += int(found.seconds * PLACEMENTS_PER_SECOND)
    search.watch.guarded |= found.clocked
    for plan in found.plans:
        search.offer(replace(plan, strategy="exact"))
    if found.bound_s <= search.best_s * (1 + ALIKE):  # else the solver is wrong, not our timeline
        search.bound_s = max(search.bound_s, found.bound_s)
    return search.best_s <= search.bound_s * (1 + ALIKE)


def known_schedule(problem: Problem, plan: Plan) -> Known:
    """The starts of a plan that can run, on the timeline that is meant."""
    allocation, order = placement(problem, plan)
    if not carried_out(problem):
        start, end = schedule(problem.instance, allocation, order)
        return Known(allocation, start, float(end.max()))
    makespan_s, run = executed_run(problem.executed, allocation, order)
    return Known(allocation, run.start_s, makespan_s)


STRATEGY = Strategy(
    "exact",
    "Exact search",
    "Branch and bound with all ties, then CP-SAT if it is installed",
    Role.PROOF,
    _suits,
    _search,
    refusal="the case is too large to be solved exactly in this time",
    least_s=_least_s,
)
