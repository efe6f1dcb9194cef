"""Which allocation is best once the platform's load changes.

A judge answers that for any platform: exactly where the structure allows (a chain by dynamic
programming, the total of few tasks by enumeration), else among a pool of candidate plans.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from advisor.advice.chain_sums import is_chain, shortest_chain, sums
from advisor.advice.judged_plan import Judge, PlanVerdict
from advisor.advice.known import valued
from advisor.allocation.costs import Costs, build_costs
from advisor.allocation.evaluation import reached_s
from advisor.allocation.feasibility import can_run
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline import makespan, total
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.variant_arrays import VariantArrays
from advisor.basics.quantities import count
from advisor.basics.rounding import ALIKE
from advisor.basics.shards import in_order
from advisor.basics.stop_rule import ShouldStop
from advisor.overlays.load import loaded
from advisor.search import advise
from advisor.search.list_scheduling import heft
from machines import InfeasibleError, InputError, Platform
from machines.arrays import Flags, Floats, Indices
from machines.stopping import Stopped, stoppable, stopped

_ENUMERABLE = 4096
_SEARCHED_TASKS = 200


def exact_judge(problem: Problem, objective: str) -> Judge | None:
    """The judge over all allocations, where there is a quick one; else None.

    A chain has its makespan for its total, so that both objectives are a shortest path through
    layers of machines: O(tasks · machines²). Files from outside come meanwhile, files of one task
    for the next come together where transfers share, and a runtime's overhead is in no total, so
    that with these only the total is such a sum. Variants are no part of an allocation.
    """
    if problem.workload.variable:
        return None
    tasks, machines = problem.costs.task_s.shape
    if (objective == MAKESPAN and not _sums_up(problem)) or problem.costs.needs.outputs_stay:
        return None
    chain = is_chain(problem.workload)
    many = machines**tasks
    few = many <= _ENUMERABLE
    number = f"all {many:,} allocations" if tasks <= 30 else "all allocations"
    if many == 1:
        number = "the only allocation"
    cost = 1e-3 + 2e-5 * problem.workload.sources.size + 2e-8 * machines**2
    if few and (chain or objective == TOTAL):
        return Judge(_Enumeration(problem), True, number, cost)
    if chain and np.all(problem.costs.task_memory.sum() <= problem.costs.machine_memory):
        return Judge(partial(_of_chain, problem), True, number, cost + 1e-5 * tasks)
    return None


def _sums_up(problem: Problem) -> bool:
    """Whether nothing of a chain happens at the same time, nor beside its tasks and transfers."""
    if problem.costs.outside is not None:
        return False
    workload = problem.workload
    together = any(len(flow.data_sets) > 1 for flow in workload.edges[len(workload.flows) :])
    instant = problem.platform.runtime.task_overhead_s <= 0.0
    return problem.sharing != FAIR or (instant and not together)


def pool_judge(
    problem: Problem,
    objective: str,
    pool: Iterable[Plan],
    should_stop: ShouldStop = lambda: False,
) -> Judge:
    """The judge over candidate plans, each in its own order.

    Once `should_stop` says so, a verdict is on the plans valued until then.
    """
    plans = tuple(pool)
    tasks, machines = problem.costs.task_s.shape
    # measured, compiled: arrays of the problem, then every plan; gaps are costly on several cores
    edges = problem.workload.sources.size
    arrays_s = 1.2e-3 + 2e-7 * (tasks * machines + edges) + 6e-8 * machines**2
    place_s = 1.2e-6 if problem.costs.machine_cores.max() > 1 else 1e-7
    if problem.sharing == FAIR and objective == MAKESPAN:
        arrays_s *= 2.0  # those of the executed timeline too
        place_s = 3e-7 + 6e-7 * (1.0 + edges / tasks)
    arrays_s *= max([1, *(len(task.variants) for task in problem.workload.tasks)])
    cost = arrays_s + (len(plans) + 1) * tasks * place_s
    return Judge(
        _Pool(problem, objective, plans, should_stop),
        False,
        count(len(plans), "candidate plan"),
        cost,
    )


@dataclass(frozen=True, eq=False)
class _Pool:
    """A judge over plans."""

    problem: Problem
    objective: str
    plans: tuple[Plan, ...]
    should_stop: ShouldStop = stopped

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """In another process it is stopped as all work there."""
        return type(self), (self.problem, self.objective, self.plans)

    @cached_property
    def _arrays(self) -> list[Indices]:
        return [np.array(plan.allocation, dtype=np.int32) for plan in self.plans]

    def __call__(self, platform: Platform, plan: Plan) -> PlanVerdict:
        value_of = _valuer(self.problem.on(platform), self.objective)
        value_s = value_of(np.array(plan.allocation, dtype=np.int32), plan)
        best, best_s = plan, value_s
        for array, one in zip(self._arrays, self.plans, strict=True):
            if self.should_stop():
                break
            one_s = value_of(array, one)
            if one_s < best_s * (1.0 - ALIKE):  # of plans as good the first, whatever rounds
                best, best_s = one, one_s
        return PlanVerdict(value_s, best, best_s)


def values_on(
    problem: Problem, objective: str, platform: Platform, plans: Iterable[Plan]
) -> Floats:
    """What each plan reaches on another platform, as judges value it, shape (plans,)."""
    plans = tuple(plans)
    try:
        here = problem.on(platform)
    except InputError:  # overlays can't keep up there
        return np.full(len(plans), np.inf)
    return values_here(here, objective, plans)


def values_in(problem: Problem, objective: str, plans: Iterable[Plan]) -> Floats:
    """What each plan reaches; infinite where it can't run, shape (plans,)."""
    plans = tuple(plans)
    values = values_here(problem, objective, plans)
    values[[not can_run(problem, plan) for plan in plans]] = np.inf
    return values


def values_here(here: Problem, objective: str, plans: Iterable[Plan]) -> Floats:
    """What each plan reaches that can run, shape (plans,)."""
    value_of = _valuer(here, objective)
    return np.array([value_of(np.array(one.allocation, dtype=np.int32), one) for one in plans])


def candidates(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan | None,
    known: Iterable[Plan] = (),
    limit: int = 48,
) -> tuple[Plan, ...]:
    """Plans worth comparing, one an allocation: what the search tried, ties, all on one machine.

    The present plan and those known from elsewhere are among them; none that can't run is.
    """
    tasks, machines = problem.costs.task_s.shape
    plans = [recommendation.plan]
    plans += [current] if current is not None else []
    plans += known
    plans += [plan for _, plan, _ in recommendation.alternatives]
    plans += [Plan(allocation, strategy="tie") for allocation in recommendation.ties]
    plans += [Plan((machine,) * tasks) for machine in range(machines)]
    if machines**tasks <= limit:
        every = itertools.product(range(machines), repeat=tasks)
        plans += [Plan(allocation) for allocation in every]
    runnable = (plan for plan in distinct(plans)[:limit] if can_run(problem, plan))
    return tuple(in_best_order(problem, recommendation.objective, plan) for plan in runnable)


def in_best_order(problem: Problem, objective: str, plan: Plan) -> Plan:
    """A plan that can run in the better of its own order and the default one.

    It keeps that order, and its variants, wherever it competes.
    """
    if problem.workload.variable and plan.variants is None:
        plan = replace(plan, variants=problem.variants_of(plan))
    found = valued(problem, objective, open_in(problem, plan))
    return plan if found is None else replace(plan, order=found.plan.order)


def open_in(problem: Problem, plan: Plan) -> Plan:
    """What a plan says of that which the problem leaves open: places, order, and variants."""
    return replace(plan.bare(), variants=plan.variants if problem.workload.variable else None)


def distinct(plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """The plans without those whose allocation and variants came before."""
    first: dict[tuple[tuple[int, ...], tuple[int, ...] | None], Plan] = {}
    for plan in plans:
        first.setdefault((plan.allocation, plan.variants), plan)
    return tuple(first.values())


def contestants_at(
    problem: Problem,
    platform: Platform,
    objective: str,
    seconds: float,
    should_stop: ShouldStop | None = None,
    start: Plan | None = None,
) -> tuple[Plan, ...]:
    """What a short search, from `start`, finds best on `platform`; nothing if none is feasible."""
    try:
        here = problem.on(platform)
        if len(problem.workload.tasks) > _SEARCHED_TASKS and not problem.workload.variable:
            return (heft(here),)
        found = advise(here, objective, seconds=seconds, start=start, should_stop=should_stop)
    except (InfeasibleError, InputError):
        return ()
    return (found.plan,)


def contestants_on(
    problem: Problem,
    platforms: Iterable[Platform],
    objective: str,
    seconds: float,
    should_stop: ShouldStop,
    pool: Iterable[Plan] = (),
) -> list[Plan]:
    """What short searches find best on several platforms, in their order; those until stopped.

    Each begins with the best of `pool` on its platform.
    """
    found: list[Plan] = []
    search = partial(_contestants, problem, objective, seconds, tuple(pool))
    with stoppable(should_stop), suppress(Stopped):
        for plans in in_order(search, tuple(platforms)):
            found += plans
    return found


def _contestants(
    problem: Problem, objective: str, seconds: float, pool: tuple[Plan, ...], platform: Platform
) -> tuple[Plan, ...]:
    values_s = values_on(problem, objective, platform, pool)
    start = pool[int(values_s.argmin())] if pool and np.isfinite(values_s.min()) else None
    return contestants_at(problem, platform, objective, seconds, stopped, start)


def _valuer(here: Problem, objective: str) -> Callable[[Indices, Plan], float]:
    instance = here.instance
    if here.workload.variable:
        return _variant_valuer(here, objective)
    if here.sharing == FAIR and objective == MAKESPAN:
        return lambda _, plan: reached_s(here, MAKESPAN, open_in(here, plan))
    if objective != MAKESPAN:
        return lambda allocation, _: float(total(instance, allocation))
    usual = here.default_order

    def value(allocation: Indices, plan: Plan) -> float:
        order = usual if plan.order is None else np.array(plan.order, dtype=np.int32)
        return float(makespan(instance, allocation, order))

    return value


def _variant_valuer(here: Problem, objective: str) -> Callable[[Indices, Plan], float]:
    arrays = VariantArrays(here)

    def value(allocation: Indices, plan: Plan) -> float:
        if plan.variants is None or plan.order is None:
            return reached_s(here, objective, open_in(here, plan))
        variants, order = (np.array(one, np.int32) for one in (plan.variants, plan.order))
        return arrays.value_s(variants, allocation, order, objective)

    return value


@dataclass(frozen=True, eq=False)
class _Enumeration:
    """A judge over all allocations."""

    problem: Problem

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """The arrays follow from the problem."""
        return type(self), (self.problem,)

    @cached_property
    def _every(self) -> Indices:
        tasks, machines = self.problem.costs.task_s.shape
        return np.array(list(itertools.product(range(machines), repeat=tasks)), dtype=np.int32)

    @cached_property
    def _fits(self) -> Flags:
        return _fits(self.problem.costs, self._every)

    def __call__(self, platform: Platform, plan: Plan) -> PlanVerdict:
        costs = _costs_on(self.problem, platform)
        values_s = np.where(self._fits, sums(costs, self._every), np.inf)
        value_s = float(sums(costs, np.array([plan.allocation], dtype=np.int32))[0])
        least_s = values_s.min()  # of plans as good the first, whatever rounds
        best = int(np.argmax(values_s <= least_s * (1.0 + ALIKE)))
        if values_s[best] >= value_s * (1.0 - ALIKE):
            return PlanVerdict(value_s, plan, value_s)
        best_plan = Plan(tuple(self._every[best].tolist()))
        return PlanVerdict(value_s, best_plan, float(values_s[best]))


def _fits(costs: Costs, allocations: Indices) -> Flags:
    fits = np.ones(len(allocations), dtype=np.bool_)
    for machine, memory in enumerate(costs.machine_memory):
        used = (allocations == machine) @ costs.task_memory
        fits &= used <= memory
    return fits


def _costs_on(problem: Problem, platform: Platform) -> Costs:
    met = loaded(platform, problem.beside)
    known = problem.costs.between
    return build_costs(met, problem.workload, problem.reading, problem.sharing, known)


def _of_chain(problem: Problem, platform: Platform, plan: Plan) -> PlanVerdict:
    costs = _costs_on(problem, platform)
    value_s = float(sums(costs, np.array([plan.allocation], dtype=np.int32))[0])
    best, best_s = shortest_chain(costs)
    if best_s >= value_s * (1.0 - ALIKE):
        return PlanVerdict(value_s, plan, value_s)
    return PlanVerdict(value_s, Plan(best, strategy="chain"), best_s)
