"""Outputs that stay in the memory of their machine: orders that free it soon, and plans that stick.

A task may need memory that only those behind it would free, the readers of what is kept: such a
plan never ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.units import Unit
from advisor.kernels import kept_kernel as kernel
from advisor.kernels.kept_kernel import Kept
from machines import InfeasibleError
from machines.arrays import Floats, Indices


def freeing_order(problem: Problem, allocation: Indices) -> Indices:
    """Of the tasks whose inputs are made, always the one that leaves least in memory; else by rank.

    `problem`: settled.
    """
    costs, kept = problem.costs, problem.costs.needs.kept
    if not kept.size.size:
        return problem.default_order
    staying = kernel.new_staying(kept, allocation.size)
    kernel.lay_out(kept, costs.needs.amount, allocation, staying)
    place = np.argsort(problem.default_order)

    def left(task: int) -> float:
        reads = kept.read[kept.first_read[task] : kept.first_read[task + 1]]
        last = (staying.readers[reads] == 1) & (allocation[kept.writer[reads]] == allocation[task])
        return float(staying.stay[task] - kept.size[reads[last]].sum())

    waiting = np.bincount(costs.targets, minlength=allocation.size)
    ready = [(left(task), int(place[task]), task) for task in np.flatnonzero(waiting == 0).tolist()]
    heapify(ready)
    order = []
    while ready:
        value, rank, task = heappop(ready)
        if left(task) != value:  # others have read since
            heappush(ready, (left(task), rank, task))
            continue
        order.append(task)
        kernel.ended(kept, staying, allocation, task)
        for child in costs.targets[costs.sources == task].tolist():
            waiting[child] -= 1
            if waiting[child] == 0:
                heappush(ready, (left(child), int(place[child]), child))
    return np.array(order, np.int32)


def staying_items(kept: Kept, allocation: Indices) -> Iterator[tuple[int, int, Indices]]:
    """Every item that stays: (item, machine, its readers there)."""
    tasks = np.arange(kept.first_read.size - 1, dtype=np.int32)
    reader = np.repeat(tasks, np.diff(kept.first_read))
    machine = allocation[kept.writer[kept.read]]
    here = np.flatnonzero((allocation[reader] == machine) & kept.keeps[machine])
    here = here[np.argsort(kept.read[here], kind="stable")]
    items, first = np.unique(kept.read[here], return_index=True)
    for item, readers in zip(items.tolist(), np.split(reader[here], first[1:]), strict=False):
        yield item, int(allocation[kept.writer[item]]), readers


def held_items(
    kept: Kept, allocation: Indices, end_s: Floats
) -> list[tuple[int, float, float, float]]:
    """What stays: (machine, bytes, since, until) of every item; until inf: a reader never ends."""
    found = []
    for item, on, readers in staying_items(kept, allocation):
        since = float(end_s[kept.writer[item]])
        if np.isfinite(since):
            until = float(np.nan_to_num(end_s[readers], nan=np.inf, posinf=np.inf).max())
            found.append((on, float(kept.size[item]), since, until))
    return found


def stuck(problem: Problem, plan: Plan, end_s: Floats) -> InfeasibleError:
    """What to say of a plan some of whose tasks never end: which one waits for what memory.

    `problem`: settled. `end_s`: inf or nan of a task that never ends.
    """
    allocation, needs = np.array(plan.allocation, np.int32), problem.costs.needs
    staying = kernel.new_staying(needs.kept, allocation.size)
    kernel.lay_out(needs.kept, needs.amount, allocation, staying)
    held = np.zeros(len(problem.platform.machines))
    for on, size_bytes, _, until in held_items(needs.kept, allocation, end_s):
        held[on] += 0.0 if np.isfinite(until) else size_bytes
    ended = np.isfinite(end_s)
    late = np.bincount(
        problem.costs.targets, ~ended[problem.costs.sources], minlength=allocation.size
    )
    needed = needs.amount[:, 0] + staying.extra
    room = needs.room[needs.place[0]]
    waits = np.flatnonzero(~ended & (late == 0))
    short = waits[needed[waits] > (room - held)[allocation[waits]]]
    task = int(short[0] if short.size else waits[0])
    on = allocation[task]
    unit = Unit.of("B", float(needed[task]), float(held[on]), float(room[on]))
    return InfeasibleError(
        f"it needs {unit.text(float(needed[task]))} of memory, and outputs that wait for their "
        f"readers hold {unit.text(float(held[on]))} of the {unit.text(float(room[on]))} of "
        f"{problem.platform.machines[on].name}",
        where=f'task "{problem.workload.tasks[task].name}"',
        remedy="Put those that read them before it in the order, or on other machines",
    )
