"""Slack: how much later a task could end while the makespan stays.

Classical slack on the schedule as it was carried out: machines, order and cores are those of the
plan, and every task and transfer keeps the time that it took. Where transfers or own tasks share
what they use it is therefore an estimate: who ends later may make others quicker or slower.
"""

from __future__ import annotations

import heapq

import numpy as np

from advisor.allocation.feasibility import places
from advisor.allocation.placement import placement
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from machines.arrays import Floats, Indices, Ints


def slack_s(problem: Problem, prediction: Prediction) -> Floats:
    """Seconds by which every task could end later.

    slack(t) = min(makespan − end(t), min over what follows t of gap(t, f) + later(f)). What
    follows t are its readers (gap: from the arrival of its data to when the reader takes its
    cores) and the tasks that take its cores after it (each takes those that are free longest).
    later(f) = min(slack(f), gap(f, n) + later(n)) is what f could begin later: where a machine
    takes its tasks in the plan's order, the next one n takes its cores no earlier than f. Kelley
    & Walker 1959, with the machines' orders as further precedences.

    Parameters
    ----------
    problem : Problem
    prediction : Prediction
        Of a plan for it.

    Returns
    -------
    array (tasks,)
        0 on the critical path.
    """
    here = problem.settled(prediction.plan)
    allocation, order = placement(problem, prediction.plan)
    taken = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    by_time = np.lexsort((places(order), taken)).astype(np.int32)
    edges = (_readers(here, prediction, taken), _cores(here, prediction, taken, by_time))
    slack = prediction.makespan_s - prediction.end_s
    slack[prediction.critical] = 0.0
    queue = np.full(slack.size, -1)
    if problem.sharing == FAIR and not here.executed.eager:
        queue = _next_in_order(allocation, order)
    return _back(slack, by_time, edges, queue, taken)


Edges = tuple[Indices, Indices, Floats]  # from, to, gap in seconds


def _readers(here: Problem, prediction: Prediction, taken: Floats) -> Edges:
    """From writers to readers; data that come while a reader holds its cores do not gate them."""
    source, target = here.costs.sources, here.costs.targets
    there = prediction.end_s[source]
    if not (here.sharing == FAIR and here.executed.slot):
        there = there + prediction.flow_s
    if prediction.engine_s is not None:
        there = there + prediction.engine_s[target]
    return source, target, taken[target] - there


def _next_in_order(allocation: Indices, order: Indices) -> Ints:
    """The next task of each one's machine; -1 after the last."""
    queue = order[np.argsort(allocation[order], kind="stable")]
    same = allocation[queue[1:]] == allocation[queue[:-1]]
    following = np.full(order.size, -1)
    following[queue[:-1][same]] = queue[1:][same]
    return following


def _cores(here: Problem, prediction: Prediction, taken: Floats, by_time: Indices) -> Edges:
    """From each task to those that take its cores next, the cores that are free longest first."""
    free = [[(0.0, -1, int(cores))] for cores in here.costs.machine_cores]
    need, end_s, begin_s = here.costs.task_cores.tolist(), prediction.end_s.tolist(), taken.tolist()
    source, target, gap = [], [], []
    for task in by_time.tolist():
        mine, wanted = free[prediction.plan.allocation[task]], need[task]
        while wanted > 0 and mine:
            since, owner, cores = heapq.heappop(mine)
            if owner >= 0:
                source.append(owner)
                target.append(task)
                gap.append(begin_s[task] - since)
            if cores > wanted:
                heapq.heappush(mine, (since, owner, cores - wanted))
            wanted -= cores
        heapq.heappush(mine, (end_s[task], task, need[task]))
    return np.array(source, np.int32), np.array(target, np.int32), np.array(gap, np.float64)


def _back(
    slack: Floats, by_time: Indices, edges: tuple[Edges, ...], queue: Ints, taken: Floats
) -> Floats:
    """Carry slack back from the last task to the first: every edge leads to a later one."""
    source, target, gap = (np.concatenate(parts) for parts in zip(*edges, strict=True))
    order = np.argsort(target, kind="stable")
    first = np.searchsorted(target[order], np.arange(slack.size + 1)).tolist()
    before, gaps = source[order].tolist(), np.maximum(gap[order], 0.0).tolist()
    found, following, begin_s = slack.tolist(), queue.tolist(), taken.tolist()
    later = found.copy()
    for task in by_time[::-1].tolist():
        later[task] = found[task]
        if (after := following[task]) >= 0:
            held = max(begin_s[after] - begin_s[task], 0.0) + later[after]
            later[task] = min(found[task], held)
        for row in range(first[task], first[task + 1]):
            earlier = before[row]
            found[earlier] = min(found[earlier], gaps[row] + later[task])
    np.maximum(found, 0.0, out=slack)
    return slack
