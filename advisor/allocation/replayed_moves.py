"""Moves estimated from how the plan was carried out: the longest path with the tasks elsewhere.

In one pass over tasks and data for each machine, a thirtieth of what simulating queues takes; the
error is in docs/executed-plan.md.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.executed_path import copies_of
from advisor.allocation.execution import Executed, Run
from advisor.allocation.feasibility import places
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.kernels import replay_kernel as kernel
from advisor.kernels.replay_kernel import Carried
from machines.arrays import Floats, Indices

_LEFT = 0.5


def suits(problem: Problem, now: Prediction) -> bool:
    """Whether tasks decide how long the plan takes, so that replays are right about its moves.

    No engine hands out tasks, and at least half of the makespan is left without contention. Where
    transfers decide, what they let wait is all that matters, and a replay leaves it as it was.
    """
    if problem.executed.dispatched:
        return False
    return now.endless_s is not None and now.endless_s >= _LEFT * now.makespan_s


def replayed(
    problem: Problem, plan: Plan, tasks: Indices, now: Prediction
) -> tuple[Floats, Floats, Floats]:
    """About when the plan ends if `tasks` moved together to each machine.

    Every task that stays and every transfer between such takes as long as it took. With
    lag(u, t) what passed from the end of u until its data were with t,

        taken(t) = max(end(u) + lag(u, t) over what t reads, its machine's cores are free,
        taken of the task before it there), end(t) = taken(t) + duration(t);

    what moves to or from a moved task takes what it takes alone, a moved task its work at the speed
    that its machine has beside those that hold its cores: the longest path through data and
    machine orders (Kelley & Walker 1959). Exact where neither transfers nor tasks share and the
    plan states its order, and where the tasks are now.

    Domain: feasible contention-aware schedules (`sharing` "fair"). That others come to wait on
    links for what is moved is left out, so it is good where `suits`: of 1,285 moves of large plans
    there, the median error is 0.000 %, the ninth decile 0.11 %, and of the 323 that change more
    than 0.5 % the sign is right for 98.8 % (``tests/benchmarks/bench_previews``).

    Parameters
    ----------
    problem : Problem
        At the plan's numbers of processors.
    tasks : int32 array
        Positions of the tasks that move; at least one.
    now : Prediction
        Of the plan.

    Returns
    -------
    makespans_s, start_s, end_s : array (machines,)
        Seconds, and when the first of `tasks` would run; inf where it can't.
    """
    found = np.empty((3, problem.executed.machine_cores.size))
    kernel.lanes(problem.executed, carried_of(problem, plan, now), tasks, *found)
    makespans_s, start_s, end_s = found
    return makespans_s, start_s, end_s


def carried_of(problem: Problem, plan: Plan, now: Prediction) -> Carried:
    """How the plan went, as the replay needs it."""
    instance = problem.executed
    allocation, order = placement(problem, plan)
    taken_s = now.start_s if now.taken_s is None else now.taken_s
    if instance.eager:
        order = np.lexsort((places(order), taken_s)).astype(np.int32)
    tasks = allocation.size
    waiting = np.repeat(np.arange(tasks, dtype=np.int32), np.diff(instance.first_next))
    by_task = np.argsort(instance.following, kind="stable")
    first = np.searchsorted(instance.following[by_task], np.arange(tasks + 1)).astype(np.int32)
    return Carried(
        allocation,
        order,
        first,
        waiting[by_task],
        instance.writer[instance.item[instance.input_slot]],
        places(instance.input_slot),
        taken_s,
        now.start_s,
        now.end_s,
        _lags(instance, allocation, taken_s, now),
    )


def _lags(instance: Executed, allocation: Indices, taken_s: Floats, now: Prediction) -> Floats:
    """From each writer's end, or from when the reader had its cores, to arrival; by reader."""
    assert now.transfers is not None
    arrived_s, none = np.full(instance.reader.size, np.nan), np.zeros(0)
    arrived_s[now.transfers.slot] = now.transfers.arrived_s
    copy = copies_of(
        instance, allocation, Run(none, none, none, none, none, none, none, none, arrived_s)
    )
    if instance.slot:
        since = taken_s[instance.reader]
    else:
        writer = instance.writer[instance.item]
        since = np.where(writer >= 0, now.end_s[writer], 0.0)
    lag: Floats = np.where(copy >= 0, arrived_s[copy] - since, 0.0)
    return np.maximum(lag, 0.0)[instance.input_slot]
