"""Heuristics that weigh every ready task on every machine anew after each placement.

ETF by the start alone, DLS and GDL by what is left to do less the start, BIL by the end of
everything that the best case promises.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import mean_flow_seconds
from advisor.kernels.instance import Instance
from advisor.kernels.partial import Partial
from advisor.search.stepwise import Choices, ready_tasks, static_levels, stepwise
from advisor.search.strategy import heuristic
from machines.arrays import Floats, Indices


def etf(problem: Problem) -> Plan:
    """Earliest Task First: of all ready tasks and machines, the pair of the earliest start.

    Hwang, Chow, Anger & Lee 1989, who leave ties to a priority: here the greater static level,
    then, since machines differ, the earlier end.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it; also from the others.
    """
    return stepwise(problem, "etf", _by_start)


def dls(problem: Problem) -> Plan:
    """Dynamic Level Scheduling: of all ready tasks and machines, the pair of the greatest level.

    DL1(t, p) = SL(t) − start(t, p) + E(t) − task_s(t, p), with E(t) the median of task_s and SL
    the static level of medians; Sih & Lee 1993. A median that is infinite, because half
    of the machines may not run the task, is the longest that is finite.
    """
    return stepwise(problem, "dls", _by_level)


def gdl(problem: Problem) -> Plan:
    """Generalized Dynamic Level: `dls` that looks at the next task and at what waiting costs.

    The level of (t, p) has in addition E(d) − min(task_s(d, p), least of task_s(d, q) and the
    seconds from p to q over q ≠ p), for d the successor that gets most data. The task of the
    greatest level on its preferred machine, plus what it loses on its second best, goes there; Sih
    & Lee 1993. Most data is here most mean flow seconds; a task that only one machine
    takes loses without bound.
    """
    return stepwise(problem, "gdl", _by_general_level)


def bil(problem: Problem) -> Plan:
    """Best Imaginary Level: by the makespan if each task had what is best for its longest way.

    BIL(t, p) = task_s(t, p) + max over successors of the least of BIL(s, q) + flow seconds from p
    to q. BIM(t, p) = start(t, p) + BIL(t, p). Of k ready tasks, the one whose k-th least BIM is
    greatest, its greatest where there are fewer machines; ties by the next smaller. It goes where
    BIM + task_s · max(k/machines − 1, 0) is least; of such machines, where the others' sum of it is
    greatest. Optimal for chains; Oh & Ha 1996, sec. 3. Machines that a task may not use are left
    out of its BIMs.
    """
    return stepwise(problem, "bil", _by_imagination)


def _by_start(problem: Problem, partial: Partial) -> Choices:
    instance = problem.instance
    level = static_levels(instance)
    while partial.number[0]:
        ready = ready_tasks(partial)
        start = partial.start[ready]
        row, on = np.nonzero(start == start.min())
        tasks = ready[row]
        best = np.lexsort((instance.task_s[tasks, on], -level[tasks]))[0]
        yield int(tasks[best]), int(on[best])


def _by_level(problem: Problem, partial: Partial) -> Choices:
    level = _levels(problem.instance)
    while partial.number[0]:
        ready = ready_tasks(partial)
        here = level[ready] - partial.start[ready]
        row, on = np.unravel_index(int(here.argmax()), here.shape)
        yield int(ready[row]), int(on)


def _by_general_level(problem: Problem, partial: Partial) -> Choices:
    level = _levels(problem.instance) + _next_gains(problem)
    while partial.number[0]:
        ready = ready_tasks(partial)
        here = level[ready] - partial.start[ready]
        on, best = here.argmax(axis=1), here.max(axis=1)
        np.put_along_axis(here, on[:, None], -np.inf, axis=1)
        second = here.max(axis=1)
        able = np.where(best > -np.inf, best, 0.0)
        row = np.lexsort((-best, second - 2.0 * able))[0]
        yield int(ready[row]), int(on[row])


def _by_imagination(problem: Problem, partial: Partial) -> Choices:
    instance = problem.instance
    levels = _imaginary_levels(instance)
    machines = levels.shape[1]
    while partial.number[0]:
        ready = ready_tasks(partial)
        imagined = partial.start[ready] + levels[ready]
        row = _most_urgent(np.sort(imagined, axis=1))
        crowd = max(ready.size / machines - 1.0, 0.0)
        revised = imagined + crowd * instance.task_s[ready] if crowd > 0.0 else imagined
        best = np.flatnonzero(revised[row] == revised[row].min())
        if best.size > 1:
            others = np.delete(revised, row, axis=0)[:, best].sum(axis=0)
            best = best[[others.argmax()]]
        yield int(ready[row]), int(best[0])


def _most_urgent(ascending: Floats) -> int:
    """The row whose k-th entry is greatest, k the number of rows; ties by those before it."""
    tasks, machines = ascending.shape
    if np.isinf(ascending).any():
        finite = np.isfinite(ascending)
        if not finite[:, 0].all():
            return int(finite[:, 0].argmin())
        greatest = np.where(finite, ascending, -np.inf).max(axis=1)
        ascending = np.where(finite, ascending, greatest[:, None])
    rows = np.arange(tasks)
    for column in range(min(tasks, machines) - 1, -1, -1):
        values = ascending[rows, column]
        rows = rows[values == values.max()]
        if rows.size == 1:
            break
    return int(rows[0])


def _medians(instance: Instance) -> Floats:
    """The adjusted median of every task's seconds over the machines."""
    median = np.median(instance.task_s, axis=1)
    finite = np.isfinite(instance.task_s)
    longest = np.where(finite, instance.task_s, 0.0).max(axis=1)
    typical: Floats = np.where(np.isfinite(median), median, longest)
    return typical


def _levels(instance: Instance) -> Floats:
    """SL(t) + E(t) − task_s(t, p), shape (tasks, machines)."""
    typical = _medians(instance)
    levels: Floats = (static_levels(instance, typical) + typical)[:, None] - instance.task_s
    return levels


def _next_gains(problem: Problem) -> Floats:
    """How much less than typical the main successor takes after (t, p); (tasks, machines)."""
    instance = problem.instance
    typical, mean_s = _medians(instance), mean_flow_seconds(instance)
    gains = np.zeros(instance.task_s.shape)
    for task in range(typical.size):
        edges = _edges_out(instance, task)
        if edges.size:
            edge = edges[mean_s[edges].argmax()]
            after = int(instance.target[edge])
            least = (_flow_s(instance, edge) + instance.task_s[after]).min(axis=1)
            gains[task] = typical[after] - least
    return gains


def _imaginary_levels(instance: Instance) -> Floats:
    """BIL of every task on every machine."""
    levels = instance.task_s.copy()
    for task in instance.topological_order[::-1]:
        ahead = np.zeros(levels.shape[1])
        for edge in _edges_out(instance, task):
            after = int(instance.target[edge])
            ahead = np.maximum(ahead, (_flow_s(instance, edge) + levels[after]).min(axis=1))
        levels[task] += ahead
    return levels


def _edges_out(instance: Instance, task: int) -> Indices:
    """The edges that leave a task."""
    edges: Indices = instance.edge_out[instance.first_out[task] : instance.first_out[task + 1]]
    return edges


def _flow_s(instance: Instance, edge: int) -> Floats:
    """Seconds of an edge from every machine to every machine."""
    if instance.table[edge] >= 0:
        stated: Floats = instance.tables[instance.table[edge]]
        return stated
    used = instance.messages[edge] > 0.0
    with np.errstate(invalid="ignore"):
        seconds = np.tensordot(instance.messages[edge, used], instance.startup_s[used], 1)
        seconds += np.tensordot(instance.size_bytes[edge, used], instance.per_byte_s[used], 1)
    return np.where(np.isnan(seconds), np.inf, seconds)


ETF = heuristic(
    "etf",
    "ETF",
    "The ready task with the earliest start",
    etf,
    source="Hwang, Chow, Anger & Lee 1989",
    by_name=True,
)
DLS = heuristic(
    "dls",
    "DLS",
    "The ready task with the longest remaining path and an early start",
    dls,
    source="Sih & Lee 1993",
    by_name=True,
)
GDL = heuristic(
    "gdl",
    "GDL",
    "DLS with the next task and the cost of waiting",
    gdl,
    source="Sih & Lee 1993",
    by_name=True,
)
BIL = heuristic(
    "bil",
    "BIL",
    "The ready task whose best case ends last",
    bil,
    source="Oh & Ha 1996",
    by_name=True,
)
