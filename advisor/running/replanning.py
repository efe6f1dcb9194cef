"""The rest of a plan while it runs: when it ends, and where its tasks should run from now on.

What has ended is over and what runs stays. Each machine's pace is what its tasks took against what
was predicted, drawn towards 1 as if two more had taken just that. The waiting tasks are placed by
HEFT (Topcuoglu, Hariri & Wu 2002) from the moment on at which cores become free; the present places
stay unless the new ones end clearly earlier or a machine is gone. Transfers count alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from machines.arrays import Floats, Ints

_PRIOR = 2.0  # tasks that took what was predicted, on every machine
_SPREAD = 0.15  # of ln of what tasks take, before any has ended
_CLEARLY = 0.05  # of the rest: less is not worth moving for
_Z90 = 1.645


@dataclass
class Progress:
    """A run so far; tasks and machines by position, seconds from its start.

    `ended`: task → machine, start, end. `running`: task → machine, start. `lost`: machines that are
    gone.
    """

    now_s: float = 0.0
    ended: dict[int, tuple[int, float, float]] = field(default_factory=dict)
    running: dict[int, tuple[int, float]] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Rest:
    """Where the waiting tasks run, in the order in which they start, and when all ends, s.

    `moved`: how many of them run elsewhere than before. `low_s`, `high_s`: 90 % of the ends.
    """

    machine: dict[int, int]
    end_s: float
    low_s: float
    high_s: float
    moved: int


class Replanner:
    """The rest of one plan, asked again and again."""

    def __init__(self, problem: Problem, plan: Plan) -> None:
        allocation, order = placement(problem, plan)
        self.machine: dict[int, int] = dict(enumerate(allocation.tolist()))
        self._order: list[int] = order.tolist()
        self._ranked: list[int] = problem.rank_order.tolist()
        self._task_s = problem.costs.task_s + problem.executed.overhead_s
        self._cores = problem.costs.task_cores.tolist()
        self._machine_cores = problem.costs.machine_cores.tolist()
        sources, targets = problem.costs.sources.tolist(), problem.costs.targets.tolist()
        self._into: list[list[tuple[int, Floats]]] = [[] for _ in self._order]
        for edge, (source, target) in enumerate(zip(sources, targets, strict=True)):
            self._into[target].append((source, pair_seconds(problem.costs.flows, edge)))

    def paces(self, progress: Progress) -> tuple[Floats, float]:
        """How many times as long as predicted tasks take on each machine; the spread of ln."""
        total, number = np.zeros(len(self._machine_cores)), np.zeros(len(self._machine_cores))
        logs = []
        for task, (machine, start_s, end_s) in progress.ended.items():
            predicted_s = self._task_s[task, machine]
            if end_s > start_s and 0.0 < predicted_s < np.inf:
                logs.append(math.log((end_s - start_s) / predicted_s))
                total[machine] += logs[-1]
                number[machine] += 1.0
        found: Floats = np.exp(total / (number + _PRIOR))
        spread = math.sqrt((_PRIOR * _SPREAD**2 + float(np.var(logs or [0.0])) * len(logs))
                           / (_PRIOR + len(logs)))  # fmt: skip
        return found, spread

    def rest(self, progress: Progress) -> Rest:
        """What is best for the waiting tasks now; they are meant to run there from then on."""
        pace, spread = self.paces(progress)
        gone = {*progress.ended, *progress.running}
        waiting = [task for task in self._order if task not in gone]
        stays = all(self.machine[task] not in progress.lost for task in waiting)
        kept = self._placed(progress, pace, waiting, self.machine) if stays else None
        ranked = [task for task in self._ranked if task not in gone]
        made = self._placed(progress, pace, ranked, None)
        left_s = made[1] - progress.now_s
        if kept is not None and kept[1] - made[1] <= _CLEARLY * max(left_s, 0.0):
            made = kept
        where, end_s = made
        moved = sum(self.machine[task] != machine for task, machine in where.items())
        self.machine |= where
        if kept is None or made is not kept:
            self._order = [*(task for task in self._order if task in gone), *where]
        ended = len(progress.ended)
        doubt = spread * math.sqrt(1.0 / (ended + _PRIOR) + 1.0 / max(1.0, math.sqrt(len(where))))
        left_s = max(0.0, end_s - progress.now_s)
        return Rest(
            where,
            end_s,
            progress.now_s + left_s * math.exp(-_Z90 * doubt),
            progress.now_s + left_s * math.exp(_Z90 * doubt),
            moved,
        )

    def _placed(
        self, progress: Progress, pace: Floats, tasks: list[int], where: Mapping[int, int] | None
    ) -> tuple[dict[int, int], float]:
        """Machine of each waiting task, in the order of starts, and the last end, s.

        `where`: machines that stay; None: each goes where it ends first.
        """
        now, able = progress.now_s, self._able(progress)
        end_s = {task: end for task, (_, _, end) in progress.ended.items()}
        at = {task: machine for task, (machine, _, _) in progress.ended.items()}
        free: list[list[float]] = [[now] * count for count in self._machine_cores]
        for task, (machine, start_s) in progress.running.items():
            taken = start_s + float(self._task_s[task, machine] * pace[machine])
            end_s[task], at[task] = max(now, taken), machine
            _hold(free[machine], self._cores[task], end_s[task])
        starts: dict[int, tuple[float, int]] = {}
        for task in tasks:
            ready = np.full(len(self._machine_cores), now)
            for source, seconds in self._into[task]:
                ready = np.maximum(ready, end_s[source] + seconds[at[source]])
            seconds = self._task_s[task] * pace
            best, first = np.inf, -1
            places = able.tolist() if where is None else [where[task]]
            for machine in places:
                if self._cores[task] > self._machine_cores[machine]:
                    continue
                begin = max(float(ready[machine]), free[machine][self._cores[task] - 1])
                if begin + seconds[machine] < best:
                    best, first = begin + float(seconds[machine]), machine
            if first < 0:
                return {task: self.machine[task] for task in tasks}, np.inf
            _hold(free[first], self._cores[task], best)
            end_s[task], at[task] = best, first
            starts[task] = (best - float(seconds[first]), first)
        listed = sorted(starts, key=lambda task: starts[task][0])
        return {task: starts[task][1] for task in listed}, max(end_s.values(), default=now)

    def _able(self, progress: Progress) -> Ints:
        places = [one for one in range(len(self._machine_cores)) if one not in progress.lost]
        return np.array(places, np.int64)


def _hold(free: list[float], cores: int, until: float) -> None:
    """Hold the cores that are free first; `free` stays sorted."""
    free[:cores] = [until] * cores
    free.sort()
