"""Proved lower bounds on makespan and total over all plans.

Makespan: the longest path, each task alone on any machine and transfers priced; the work that all
cores share; what tasks hold of memory and resources; and path and work together for tasks that
can't start early and leave much to follow. Total: the exact minimum after leaving flows out until
the graph is a forest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.timeline import Instance, mean_flow_seconds
from advisor.kernels import paths_kernel as kernel
from machines.arrays import Flags, Floats

_SHARING_WORK = 8_000_000  # entries of the work matrix that price rounds may visit
_THRESHOLDS = 48


def bounds_of(instance: Instance, core_s: Floats | None = None) -> dict[str, float]:
    """Objective → seconds that no plan undercuts. O(flows · machines²).

    Parameters
    ----------
    instance : Instance
    core_s : array (tasks, machines), optional
        Core-seconds that a task holds at least, where its seconds and cores in the instance are
        of different numbers of processors.
    """
    makespan_s = makespan_bound(instance, reach_of(instance), core_s)
    return {MAKESPAN: makespan_s, TOTAL: total_bound(instance) if makespan_s < np.inf else np.inf}


class Reach(NamedTuple):
    """The earliest end of every task on every machine, and the least time from there to the last.

    Arrays (tasks, machines); `usable` says on which machines a task can be in some plan.
    """

    head: Floats
    tail: Floats
    usable: Flags

    def around(self, task_s: Floats) -> tuple[Floats, Floats]:
        """The least time before every task and after it, on any machine; each shape (tasks,)."""
        usable = self.usable
        begin = np.where(usable, self.head - np.where(usable, task_s, 0.0), np.inf)
        return begin.min(axis=1), np.where(usable, self.tail, np.inf).min(axis=1)


def reach_of(instance: Instance) -> Reach:
    """The longest paths to and from every task."""
    head, tail = kernel.heads(instance), kernel.tails(instance)
    return Reach(head, tail, np.isfinite(head + tail))


def total_bound(instance: Instance) -> float:
    """Seconds that no plan's total undercuts."""
    return float(kernel.least_total(instance, mean_flow_seconds(instance)))


def makespan_bound(instance: Instance, reach: Reach, core_s: Floats | None = None) -> float:
    """Seconds that no plan's makespan undercuts; inf where no plan can run. As `bounds_of`."""
    head, tail, usable = reach
    longest = float((head + tail).min(axis=1).max())
    if longest == np.inf:
        return longest
    begin, rest = reach.around(instance.task_s)
    if core_s is None:
        core_s = instance.task_s * instance.task_cores[:, None]
    load, share = shared_work(instance, np.where(usable, core_s, np.inf))
    held_s = held_bound(instance, usable)
    return max(longest, load, held_s, squeezed(begin, rest, share))


def held_bound(instance: Instance, usable: Flags) -> float:
    """Seconds in which memory or a resource of all machines can be held for all tasks' needs.

    Each task holds its amount for its seconds where it is quickest: sum of amount · seconds ≤
    makespan · what all machines have.
    """
    seconds = np.where(usable, instance.task_s, np.inf).min(axis=1)
    most = 0.0
    for kind, place in enumerate(instance.place):
        there = instance.room[np.unique(place)]
        if np.isfinite(there).all() and there.sum() > 0:
            most = max(most, float(instance.amount[:, kind] @ seconds / there.sum()))
    return most * (1.0 - 1e-12)  # of sums in another order


def shared_work(instance: Instance, work: Floats) -> tuple[float, Floats]:
    """Seconds in which all cores can hold tasks for `work` core-seconds, and each one's share."""
    rounds = max(5, min(200, _SHARING_WORK // work.size))
    cores: Floats = instance.machine_cores.astype(np.float64)
    load, share = kernel.fair_share(work, cores, rounds)
    return float(load), share


def squeezed(begin: Floats, rest: Floats, share: Floats) -> float:
    """What begins at a or later, and leaves b or more, shares the time from a to makespan − b.

    makespan ≥ a + b + sum of their shares, for every a and b. All arrays are of one length, of
    tasks or of transfers.
    """
    early, late = _thresholds(begin), _thresholds(rest)
    row = np.searchsorted(early, begin, side="right") - 1
    column = np.searchsorted(late, rest, side="right") - 1
    cell = row * late.size + column
    shape = (early.size, late.size)

    def beyond(weights: Floats | None) -> Floats:
        """Sum over the cells at or beyond each pair of thresholds."""
        table = np.bincount(cell, weights=weights, minlength=early.size * late.size)
        return table.reshape(shape)[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]

    least = early[:, None] + late + beyond(share)
    return float(least[beyond(None) > 0].max())


def _thresholds(values: Floats) -> Floats:
    """The distinct values, or evenly many of them, with the least."""
    distinct = np.unique(values)
    if distinct.size > _THRESHOLDS:
        distinct = distinct[np.linspace(0, distinct.size - 1, _THRESHOLDS).astype(int)]
    return distinct
