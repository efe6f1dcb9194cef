"""Which of unequal cores a plan's tasks hold: performance or efficiency cores, by task and group.

A task takes the fastest cores that are free when it takes its slot, and gives them back at its end,
or when the engine reclaims them; what ends goes before what begins then, and what begins at one
time is in the plan's order.
"""

from __future__ import annotations

import heapq

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.kernels.engine_kernel import reclaimed
from machines import CoreGroup, Machine
from machines.arrays import Ints
from machines.resources import fastest


def unequal_groups(machine: Machine) -> tuple[CoreGroup, ...]:
    """The core groups of a machine, the fastest first; none where all cores are alike."""
    groups = sorted(machine.core_groups, key=lambda group: -group.speed)
    return tuple(groups) if len({group.speed for group in groups}) > 1 else ()


def held_cores(problem: Problem, prediction: Prediction) -> Ints:
    """Cores of every group that each task holds, shape (tasks, groups), the fastest group first.

    0 on machines whose cores are alike, and for all where no schedule says which cores are free
    (contention-free).
    """
    groups = [unequal_groups(machine) for machine in problem.platform.machines]
    most = max(map(len, groups))
    found = np.zeros((len(prediction.plan.allocation), most), np.int64)
    if most == 0 or problem.sharing != FAIR:
        return found
    allocation, order = placement(problem, prediction.plan)
    cores = problem.settled(prediction.plan).costs.task_cores
    since = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    reclaim_s = problem.platform.runtime.reclaim_s
    for machine, own in enumerate(groups):
        if not own:
            continue
        here = np.flatnonzero(allocation == machine)
        free = np.array([group.count for group in own])
        busy: list[tuple[float, int]] = []
        for task in here[np.lexsort((rank[here], since[here]))].tolist():
            while busy and busy[0][0] <= since[task]:
                free += found[heapq.heappop(busy)[1], : len(own)]
            found[task, : len(own)] = fastest(free.tolist(), int(cores[task]))
            free -= found[task, : len(own)]
            free_s = reclaimed(float(prediction.end_s[task]), reclaim_s)
            heapq.heappush(busy, (free_s, task))
    return found
