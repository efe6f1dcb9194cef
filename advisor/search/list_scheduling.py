"""List schedulers: HEFT, CPOP, PEFT, Min-Min and Max-Min, one function each.

All insert tasks into idle time and respect cores, memory, forbidden machines and missing routes.
Ties go by position of the task, then of the machine. Their plans carry the order of placement, so
that a prediction reproduces their schedule.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import mean_flow_seconds
from advisor.kernels import lists_kernel as kernel
from advisor.kernels import schedule_kernel as schedule
from advisor.search.strategy import heuristic
from machines import InfeasibleError
from machines.arrays import Floats, Indices

_WIDE = 20_000_000  # tasks² · machines from which Min-Min and Max-Min are left out of auto


def heft(problem: Problem) -> Plan:
    """Heterogeneous Earliest Finish Time: by decreasing upward rank, each where it ends first.

    Topcuoglu, Hariri & Wu 2002, sec. 4.1.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it; also from the other schedulers.
    """
    return _by_order(problem, "heft", problem.rank_order)


def cpop(problem: Problem) -> Plan:
    """Critical Path on a Processor: the critical path on the one machine that runs it fastest.

    By decreasing sum of upward and downward rank; the other tasks each where they end first.
    Topcuoglu, Hariri & Wu 2002, sec. 4.2. Tasks that this machine can't take go elsewhere.
    """
    instance = problem.instance
    flow_s = mean_flow_seconds(instance)
    priority = schedule.upward_ranks(instance, flow_s) + kernel.downward_ranks(instance, flow_s)
    path = kernel.critical_path(instance, priority)
    seconds = instance.task_s[path]
    barred = np.isinf(seconds)
    together = np.where(barred, 0.0, seconds).sum(axis=0)
    machine = np.lexsort((together, barred.sum(axis=0)))[0]
    pinned = np.where(path, machine, -1).astype(np.int32)
    return _by_order(problem, "cpop", kernel.priority_order(instance, priority), pinned=pinned)


def peft(problem: Problem) -> Plan:
    """Predict Earliest Finish Time: each where its end plus the optimistic rest is least.

    By decreasing mean optimistic cost. Arabnejad & Barbosa 2014, sec. 4.
    """
    order, ahead = by_optimism(problem)
    return _by_order(problem, "peft", order, ahead=ahead)


def by_optimism(problem: Problem) -> tuple[Indices, Floats]:
    """PEFT's order of the tasks, and the optimistic rest after each on every machine."""
    instance = problem.instance
    ahead = kernel.optimistic_costs(instance, mean_flow_seconds(instance))
    return kernel.priority_order(instance, ahead.mean(axis=1)), ahead


def min_min(problem: Problem) -> Plan:
    """Of all ready tasks, the one that can end first, there (Ibarra & Kim 1977)."""
    return _by_finish(problem, "min-min", latest_first=False)


def max_min(problem: Problem) -> Plan:
    """Of all ready tasks, the one whose earliest end is latest, there (Ibarra & Kim 1977)."""
    return _by_finish(problem, "max-min", latest_first=True)


def _by_order(
    problem: Problem,
    strategy: str,
    order: Indices,
    pinned: Indices | None = None,
    ahead: Floats | None = None,
) -> Plan:
    tasks, machines = problem.instance.task_s.shape
    if pinned is None:
        pinned = np.full(tasks, -1, dtype=np.int32)
    if ahead is None:
        ahead = np.zeros((1, machines))
    allocation, homeless = kernel.by_order(problem.instance, order, pinned, ahead)
    return listed(problem, strategy, allocation, order, homeless)


def _by_finish(problem: Problem, strategy: str, *, latest_first: bool) -> Plan:
    allocation, order, homeless = kernel.by_finish(problem.instance, latest_first)
    return listed(problem, strategy, allocation, order, homeless)


def listed(
    problem: Problem, strategy: str, allocation: Indices, order: Indices, homeless: int
) -> Plan:
    """The plan of a list scheduler; InfeasibleError: it found no machine for task `homeless`."""
    if homeless >= 0:
        raise InfeasibleError(
            f"{strategy} finds no machine for this task with the tasks placed before it",
            where=f'task "{problem.workload.tasks[homeless].name}"',
            remedy="Give more memory or links, or try another strategy",
        )
    return Plan(tuple(allocation.tolist()), tuple(order.tolist()), strategy)


def _narrow(problem: Problem, _objective: str) -> bool:
    """Whether looking at all ready tasks at every step is worth its time."""
    tasks, machines = problem.costs.task_s.shape
    return bool(tasks * tasks * machines <= _WIDE)


HEFT = heuristic(
    "heft",
    "HEFT",
    "By upward rank, each task where it ends first",
    heft,
    source="Topcuoglu, Hariri & Wu 2002",
)
CPOP = heuristic(
    "cpop",
    "CPOP",
    "The critical path on one machine",
    cpop,
    source="Topcuoglu, Hariri & Wu 2002",
)
PEFT = heuristic(
    "peft",
    "PEFT",
    "HEFT that looks ahead through an optimistic cost table",
    peft,
    source="Arabnejad & Barbosa 2014",
)
MIN_MIN = heuristic(
    "min-min",
    "Min-Min",
    "The ready task with the earliest end",
    min_min,
    source="Ibarra & Kim 1977",
    suits=_narrow,
)
MAX_MIN = heuristic(
    "max-min",
    "Max-Min",
    "The ready task with the latest earliest end",
    max_min,
    source="Ibarra & Kim 1977",
    suits=_narrow,
)
