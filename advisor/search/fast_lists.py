"""Lists that look at two machines only, and lookahead, which looks at all for the tasks after.

FCP and FLB try, for a task, its *enabling* machine, from which its last message comes, and the
machine that is idle first: no other lets it start earlier where all machines and links are equal. A
message counts by its mean seconds between two machines. Of machines that are idle since the same
time, and of the two where it would start at the same time, the one where it ends first.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import mean_flow_seconds
from advisor.kernels import lookahead as kernel
from advisor.kernels import schedule_kernel as schedule
from advisor.kernels.instance import Instance
from advisor.kernels.partial import Partial
from advisor.search.list_scheduling import listed
from advisor.search.stepwise import Choices, ends, ready_tasks, stepwise
from advisor.search.strategy import heuristic
from machines.arrays import Floats


def fcp(problem: Problem) -> Plan:
    """Fast Critical Path: by decreasing upward rank of the ready tasks, on one of two machines.

    Its enabling machine or the one that is idle first, whichever ends it earlier: on machines that
    are equal that is where it starts earlier, as Radulescu & van Gemund 1999 (ICS) have it. All
    ready tasks are ordered, not only as many as there are machines.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it; also from the others.
    """
    return stepwise(problem, "fcp", _by_rank)


def flb(problem: Problem) -> Plan:
    """Fast Load Balancing: of two pairs of a ready task and a machine, the one that starts earlier.

    The task that can start earliest on its enabling machine, of those whose last message comes
    when that machine is idle already; and of the others, the one whose last message comes first,
    on the machine that is idle first, which is preferred if both start together. Ties by upward
    rank. Radulescu & van Gemund 1999 (ICPP).
    """
    return stepwise(problem, "flb", _by_two_pairs)


def lookahead(problem: Problem) -> Plan:
    """HEFT with lookahead: each task where the last of its successors would end first.

    By decreasing upward rank. For every machine the successors of the task are placed as HEFT
    would, each where it ends first; what they get from tasks not placed yet is left out. Ties by
    the end of the task itself, which also decides for exits. Bittencourt, Sakellariou & Madeira
    2010.
    """
    order = problem.rank_order
    allocation, homeless = kernel.by_outlook(problem.instance, order)
    return listed(problem, "lookahead", allocation, order, homeless)


def _by_rank(problem: Problem, partial: Partial) -> Choices:
    instance = problem.instance
    mean_s, place = mean_flow_seconds(instance), np.argsort(problem.rank_order)
    while partial.number[0]:
        ready = ready_tasks(partial)
        task = int(ready[place[ready].argmin()])
        end_s = ends(instance, partial, task)
        enabling, _ = _last_message(instance, partial, mean_s, task)
        on = _idle_first(partial, end_s)
        if enabling >= 0 and (end_s[enabling], enabling) < (end_s[on], on):
            on = enabling
        yield task, on


def _by_two_pairs(problem: Problem, partial: Partial) -> Choices:
    instance = problem.instance
    mean_s = mean_flow_seconds(instance)
    rank = schedule.upward_ranks(instance, mean_s)
    enabling = np.full(rank.size, -2)
    comes = np.zeros(rank.size)
    while partial.number[0]:
        ready = ready_tasks(partial)
        for task in ready[enabling[ready] == -2].tolist():
            enabling[task], comes[task] = _last_message(instance, partial, mean_s, task)
        at = enabling[ready]
        own = np.where(at >= 0, partial.start[ready, at], np.inf)
        bound = (own < np.inf) & (comes[ready] >= partial.idle[at])
        pairs = []
        if not bound.all():
            others = ready[~bound]
            task = int(others[np.lexsort((-rank[others], comes[others]))[0]])
            pairs.append((task, _idle_first(partial, ends(instance, partial, task))))
        if bound.any():
            row = np.lexsort((-rank[ready[bound]], own[bound]))[0]
            pairs.append((int(ready[bound][row]), int(at[bound][row])))
        yield min(pairs, key=lambda pair: partial.start[pair])


def _last_message(
    instance: Instance, partial: Partial, mean_s: Floats, task: int
) -> tuple[int, float]:
    """The machine that the last message to a task comes from, -1 for none; when, if it is sent."""
    edges = slice(instance.first_in[task], instance.first_in[task + 1])
    sources = instance.source[edges]
    if not sources.size:
        return -1, 0.0
    arrival = partial.end[sources] + mean_s[edges]
    last = int(arrival.argmax())
    return int(partial.allocation[sources[last]]), float(arrival[last])


def _idle_first(partial: Partial, end_s: Floats) -> int:
    """Of the machines where a task would end some time, the one that is idle first."""
    since = np.where(end_s < np.inf, partial.idle, np.inf)
    return int(np.lexsort((end_s, since))[0])


FCP = heuristic(
    "fcp",
    "FCP",
    "By upward rank, on the machine of the last input or the one idle first",
    fcp,
    source="Radulescu & van Gemund 1999",
    by_name=True,
)
FLB = heuristic(
    "flb",
    "FLB",
    "The earliest start, on the machine of the last input or the one idle first",
    flb,
    source="Radulescu & van Gemund 1999",
    by_name=True,
)
LOOKAHEAD = heuristic(
    "lookahead",
    "Lookahead",
    "HEFT with the ends of successors",
    lookahead,
    source="Bittencourt, Sakellariou & Madeira 2010",
    by_name=True,
)
