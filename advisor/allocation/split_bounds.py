"""What stays on a machine against what leaves it, as a bound on the makespan.

Wherever a task is, each of those that it sends to is either on the same machine, whose cores they
share, or elsewhere, and then its data cross what all ways out of that machine have in common: its
own link, or a bus. The same for those that send to one task, and for the readers of files that lie
on one machine. However the tasks are split between the two, even in parts, one side takes as long.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.allocation.bounds import Reach
from advisor.allocation.execution import Executed
from advisor.allocation.timeline import Instance
from machines.arrays import Flags, Floats, Indices

_ANCHORS = 12  # tasks tried on either side, those of most bytes
_EFFORT = 20_000_000  # entries of routes that may be visited


class _Split(NamedTuple):
    """Tasks whose data leave one task, go to one task, or lie on one host.

    `tasks`, `size_bytes`: each with the bytes that cross if it is elsewhere.
    """

    anchor: int  # that task, or that machine
    tasks: Indices
    size_bytes: Floats


def split_bound(
    executed: Executed, instance: Instance, reach: Reach, after_s: Floats, beyond: float
) -> float:
    """Seconds that no plan undercuts; `beyond` if they would be less.

    Parameters
    ----------
    executed : Executed
    instance, reach
        Whose seconds a task holds its cores at least, and what follows for ends and rests.
    after_s : array (tasks, machines)
        What a task takes from the arrival of its data to its end.
    beyond : float
        A bound that is known.
    """
    machines = executed.machine_cores.size
    if executed.passed.size * machines > _EFFORT or machines < 2:
        return beyond
    trial = _Trial(executed, instance, reach, after_s)
    found = beyond
    for split in trial.splits(executed.writer[executed.item], executed.reader, shared=True):
        found = max(found, min(trial.out_of(split, found)))
    for split in trial.splits(executed.reader, executed.writer[executed.item], shared=False):
        found = max(found, min(trial.into(split, found)))
    for split in trial.at_home():
        found = max(found, trial.from_home(split))
    return found


class _Trial:
    """The tables of one platform and workload."""

    def __init__(
        self, executed: Executed, instance: Instance, reach: Reach, after_s: Floats
    ) -> None:
        self.executed, self.reach = executed, reach
        self.machines, self.hosts = executed.machine_cores.size, executed.startup_s.shape[1]
        self.work_s = instance.task_s * instance.task_cores[:, None] / executed.machine_cores
        self.begin_s = reach.head - np.where(reach.usable, instance.task_s, 0.0)
        self.rest_s = reach.tail + after_s
        self.startup_s = executed.startup_s.min(axis=0)
        self.source, self.target = np.divmod(executed.pair, self.hosts)
        moves = (executed.size_bytes > 0) & (executed.table < 0)
        self.size_bytes = np.where(moves, executed.size_bytes, 0.0)[executed.item]

    def splits(self, anchors: Indices, others: Indices, *, shared: bool) -> list[_Split]:
        """The tasks of most bytes that send to several, or receive; `shared` copies count once."""
        chosen: Flags = (anchors >= 0) & (others >= 0) & (self.size_bytes > 0)
        return self._grouped(chosen, anchors, others, shared=shared)[:_ANCHORS]

    def at_home(self) -> list[_Split]:
        """The readers of what lies on each machine from the start."""
        home = self.executed.home[self.executed.item]
        chosen: Flags = (home >= 0) & (home < self.machines) & (self.size_bytes > 0)
        return self._grouped(chosen, home, self.executed.reader, shared=True)

    def _grouped(
        self, chosen: Flags, anchors: Indices, others: Indices, *, shared: bool
    ) -> list[_Split]:
        sizes, slots = self.size_bytes, np.flatnonzero(chosen)
        if shared and self.executed.once:
            sizes = sizes / np.diff(self.executed.first_slot)[self.executed.item]
        total = np.bincount(anchors[slots], sizes[slots]) if slots.size else np.zeros(0)
        found = []
        for anchor in np.argsort(-total, kind="stable")[: max(_ANCHORS, self.machines)].tolist():
            rows = slots[anchors[slots] == anchor]
            tasks, which = np.unique(others[rows], return_inverse=True)
            if tasks.size > 1:
                crossing: Floats = np.bincount(which.reshape(-1), sizes[rows]).astype(np.float64)
                found.append(_Split(anchor, tasks, crossing))
        return found

    def out_of(self, split: _Split, beyond: float) -> list[float]:
        """Bounds for the places of a sender, until one is not beyond what is known."""
        found = []
        for here in self._places(split):
            begin_s = float(self.reach.head[split.anchor, here])
            found.append(begin_s + self._leaving(split, here))
            if found[-1] <= beyond:
                break
        return found

    def from_home(self, split: _Split) -> float:
        """The bound for readers of what lies on a machine."""
        return self._leaving(split, split.anchor)

    def into(self, split: _Split, beyond: float) -> list[float]:
        """Bounds for the places of a receiver, until one is not beyond what is known."""
        found = []
        for here in self._places(split):
            away = self._away(split.tasks, here)
            capacity, startup_s = self._common(here, away, out=False)
            stay = np.where(self.reach.usable, self.begin_s, np.inf)[split.tasks, here].min()
            ends = np.where(self.reach.usable, self.reach.head, np.inf)[split.tasks]
            gone = ends[:, away].min(initial=np.inf) + startup_s
            longest = self._balanced(split, here, capacity)
            found.append(float(min(stay, gone) + longest + self.rest_s[split.anchor, here]))
            if found[-1] <= beyond:
                break
        return found

    def _places(self, split: _Split) -> list[int]:
        """Where the anchor can be, the likeliest to be quick first."""
        usable = np.flatnonzero(self.reach.usable[split.anchor])
        held = np.where(np.isfinite(self.work_s), self.work_s, 0.0)[split.tasks].sum(axis=0)
        places: list[int] = usable[np.argsort(held[usable], kind="stable")].tolist()
        return places

    def _leaving(self, split: _Split, here: int) -> float:
        """From when data can leave a machine to the last end."""
        away = self._away(split.tasks, here)
        capacity, startup_s = self._common(here, away, out=True)
        usable = self.reach.usable[split.tasks]
        stay = np.where(usable, self.reach.tail[split.tasks], np.inf)[:, here].min()
        rests = np.where(usable, self.rest_s[split.tasks], np.inf)
        gone = startup_s + rests[:, away].min(initial=np.inf)
        return float(min(stay, gone)) + self._balanced(split, here, capacity)

    def _away(self, tasks: Indices, here: int) -> Flags:
        """The other machines on which some of the tasks can be."""
        away = np.array(self.reach.usable[tasks].any(axis=0))
        away[here] = False
        return away

    def _common(self, here: int, away: Flags, *, out: bool) -> tuple[float, float]:
        """The least capacity that all ways out or in have in common, and their least startup."""
        ends, others = (self.source, self.target) if out else (self.target, self.source)
        there = np.zeros(self.hosts, dtype=np.bool_)
        there[: self.machines] = away
        startups = self.startup_s[here] if out else self.startup_s[:, here]
        joined = there & np.isfinite(startups)
        if not joined.any():
            return np.inf, 0.0
        passes = self.executed.passed[(ends == here) & there[others]]
        times = np.bincount(passes, minlength=self.executed.capacity.size)
        common = self.executed.capacity[times == joined.sum()]
        return float(common.min(initial=np.inf)), float(startups[joined].min())

    def _balanced(self, split: _Split, here: int, capacity: float) -> float:
        """The least time in which those that stay compute and what leaves moves.

        min over shares x of max(sum of x · work, sum of (1 − x) · bytes / capacity): those with
        the least work for their bytes stay, as in a fractional knapsack.
        """
        stay_s = self.work_s[split.tasks, here]
        stay_s = np.where(self.reach.usable[split.tasks, here], stay_s, np.inf)
        move_s = split.size_bytes / capacity
        alone = ~np.isfinite(stay_s)  # these leave in any case
        least = float(move_s[alone].sum())
        stay_s, move_s = stay_s[~alone], move_s[~alone]
        with np.errstate(divide="ignore", invalid="ignore"):
            order = np.argsort(np.where(move_s > 0, stay_s / move_s, np.inf), kind="stable")
        stayed = np.concatenate([[0.0], stay_s[order].cumsum()])
        moved = least + np.concatenate([move_s[order][::-1].cumsum()[::-1], [0.0]])
        at = int(np.searchsorted(stayed - moved, 0.0))
        if at in {0, stayed.size}:  # nothing moves, or more than all that could stay
            return float(moved[max(0, at - 1)])
        before, step = order[at - 1], stay_s[order[at - 1]] + move_s[order[at - 1]]
        part = (moved[at - 1] - stayed[at - 1]) / step if step > 0 else 0.0
        return float(stayed[at - 1] + part * stay_s[before])
