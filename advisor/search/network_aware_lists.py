"""Plans that know of the shared network: lists with its backlog, one machine, clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.kernels import shared_lists_kernel as kernel
from advisor.kernels import solution
from advisor.search.list_scheduling import by_optimism, listed
from advisor.search.strategy import heuristic
from machines import InfeasibleError
from machines.arrays import Floats, Indices

_MOST_SIMULATED = 64
_PARTS = (1, 2, 4)  # clusters hold at most so many shares of all work, a machine each


def heft_shared(problem: Problem) -> Plan:
    """HEFT whose transfers wait for those before: by upward rank, each where it ends first.

    Order and choice as of Topcuoglu, Hariri & Wu 2002; a transfer passes every resource of its
    route after the bytes sent there before.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it; also from the others.
    """
    machines = problem.instance.task_s.shape[1]
    return _by_order(problem, "heft-shared", problem.rank_order, np.zeros((1, machines)))


def peft_shared(problem: Problem) -> Plan:
    """PEFT whose transfers wait for those before; Arabnejad & Barbosa 2014."""
    order, ahead = by_optimism(problem)
    return _by_order(problem, "peft-shared", order, ahead)


def one_machine(problem: Problem) -> Plan:
    """Everything on the one machine where it ends first."""
    refusal = InfeasibleError(
        "no machine can take all tasks", where="search", remedy="Try another strategy"
    )
    plans = all_on_one(problem)
    return quickest(problem, plans, refusal, [_least_s(problem, plan) for plan in plans])


def all_on_one(problem: Problem) -> list[Plan]:
    """The plans that put everything on one machine, of those machines that can."""
    instance = problem.instance
    tasks = instance.task_s.shape[0]
    able = np.isfinite(instance.task_s).all(axis=0)
    able &= instance.task_memory.sum() <= instance.machine_memory
    return [Plan((q,) * tasks, None, "one-machine") for q in np.flatnonzero(able).tolist()]


def _least_s(problem: Problem, plan: Plan) -> float:
    """No less than this takes everything on one machine: its longest task, its cores all busy."""
    instance, machine = problem.instance, plan.allocation[0]
    seconds = instance.task_s[:, machine]
    busy_s = float((seconds * instance.task_cores).sum()) / float(instance.machine_cores[machine])
    return max(float(seconds.max()), busy_s) * (1.0 - ALIKE)


def clusters(problem: Problem) -> Plan:
    """Tasks that share much data together on a machine; the best of several sizes of clusters.

    Files and flows are taken by decreasing size; each joins its writer and readers as long as
    their work is no more than a share of all. Clusters then go, the longest first, where they end
    first (edge zeroing; Sarkar 1989).
    """
    refusal = InfeasibleError(
        "no machines are found for the clusters of heavy flows",
        where="search",
        remedy="Give more memory or links, or try another strategy",
    )
    return quickest(problem, clustered(problem), refusal)


def clustered(problem: Problem) -> list[Plan]:
    """A plan of each size of clusters."""
    found = {}
    for parts in _PARTS:
        allocation = _mapped(problem, _joined(problem, parts))
        if allocation is not None:
            found[allocation] = Plan(allocation, None, "clusters")
    return list(found.values())


def quickest(
    problem: Problem, plans: list[Plan], refusal: InfeasibleError, least_s: Sequence[float] = ()
) -> Plan:
    """The first plan of least makespan; raises `refusal` where none can run.

    `least_s`: what each takes at least; a plan that can't be the quickest is not simulated, and of
        very many only those that may be quickest are.
    """
    bounds = least_s or [0.0] * len(plans)
    best_s, best = np.inf, -1
    for at in np.argsort(bounds, kind="stable")[:_MOST_SIMULATED].tolist():
        if bounds[at] > best_s:
            break
        value_s = reached_s(problem, MAKESPAN, plans[at])
        best_s, best = min((best_s, best), (value_s, at))
    if best < 0:
        raise refusal
    return plans[best]


def _joined(problem: Problem, parts: int) -> Indices:
    """The cluster of every task, named by one of its tasks."""
    instance, executed = problem.instance, problem.executed
    tasks, machines = instance.task_s.shape
    work = _work(instance.task_s) * instance.task_cores
    most = float(work.sum()) / (machines * parts)
    head = np.arange(tasks)

    def found(task: int) -> int:
        while head[task] != task:
            head[task] = head[head[task]]
            task = int(head[task])
        return task

    for item in np.argsort(-executed.size_bytes, kind="stable").tolist():
        readers = executed.reader[executed.first_slot[item] : executed.first_slot[item + 1]]
        ends = [*readers.tolist()]
        if executed.writer[item] >= 0:
            ends.insert(0, int(executed.writer[item]))
        for other in ends[1:]:
            one, two = found(ends[0]), found(other)
            if one != two and work[one] + work[two] <= most:
                head[two] = one
                work[one] += work[two]
    return np.array([found(task) for task in range(tasks)], np.int32)


def _mapped(problem: Problem, cluster: Indices) -> tuple[int, ...] | None:
    """Machines for clusters, the longest first, each where its work ends first."""
    instance = problem.instance
    machines = instance.task_s.shape[1]
    names, row = np.unique(cluster, return_inverse=True)
    seconds = np.zeros((names.size, machines))
    memory = np.bincount(row, instance.task_memory, names.size)
    np.add.at(seconds, row, instance.task_s * instance.task_cores[:, None])
    seconds /= instance.machine_cores
    busy, free = np.zeros(machines), instance.machine_memory.copy()
    chosen = np.zeros(names.size, np.int64)
    for one in np.argsort(-_work(seconds), kind="stable").tolist():
        ends = np.where(memory[one] <= free, busy + seconds[one], np.inf)
        q = int(np.argmin(ends))
        if not np.isfinite(ends[q]):
            return None
        busy[q], chosen[one] = ends[q], q
        free[q] -= memory[one]
    return tuple(chosen[row].tolist())


def _work(seconds: Floats) -> Floats:
    """Mean of every row over the machines that can."""
    can = np.isfinite(seconds)
    mean: Floats = np.where(can, seconds, 0.0).sum(axis=1) / np.maximum(can.sum(axis=1), 1)
    return mean


def _by_order(problem: Problem, strategy: str, order: Indices, ahead: Floats) -> Plan:
    instance, edges = problem.instance, problem.instance.source.size
    room = solution.new_search(instance, np.zeros((1, 1)), np.zeros(edges), 0)
    allocation, homeless = kernel.by_order(instance, problem.executed, room, order, ahead)
    return listed(problem, strategy, allocation, order, homeless)


def _shared(problem: Problem, _objective: str) -> bool:
    """Whether transfers share what they cross."""
    return problem.sharing == FAIR


HEFT_SHARED = heuristic(
    "heft-shared",
    "HEFT, shared network",
    "HEFT with transfers that queue at links",
    heft_shared,
    source="after Topcuoglu, Hariri & Wu 2002",
    suits=_shared,
)
PEFT_SHARED = heuristic(
    "peft-shared",
    "PEFT, shared network",
    "PEFT with transfers that queue at links",
    peft_shared,
    source="after Arabnejad & Barbosa 2014",
    suits=_shared,
)
ONE_MACHINE = heuristic(
    "one-machine",
    "One machine",
    "Everything on the machine where it ends first",
    one_machine,
    suits=_shared,
)
CLUSTERS = heuristic(
    "clusters",
    "Clusters",
    "Tasks that share much data on one machine",
    clusters,
    source="after Sarkar 1989",
    suits=_shared,
)
