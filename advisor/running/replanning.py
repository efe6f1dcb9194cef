"""The rest of a plan while it runs: when it ends, and where its tasks should run from now on.

What has ended is over and what runs stays. Each machine's pace is what its tasks took against what
was predicted, drawn towards 1 as if two more had taken just that. The waiting tasks are placed by
HEFT (Topcuoglu, Hariri & Wu 2002) from the moment on at which cores become free; the present places
stay unless the new ones end clearly earlier or a machine is gone. Transfers count alone. Of a task
that runs, the median of what it takes counts, given that it takes longer than so far; one that is
late is evidence of its machine's pace, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from advisor.runs.left_band import PRIOR, left_between, spread_of
from machines.arrays import Floats, Ints

_CLEARLY = 0.05  # of the rest: less is not worth moving for
_FAR = 30.0  # standard deviations, from which on the tail is taken for exponential
_NORMAL = NormalDist()


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

    `span_s`: from when to when each is expected to run, and what runs already; inf: nowhere.
    `low_s`, `high_s`: 90 % of the ends.
    `before_s`: the end where nothing moves; inf: one of them waits for a machine that is gone.
    `moved_from`: of those that moved, their previous machine.
    """

    machine: dict[int, int]
    span_s: dict[int, tuple[float, float]]
    end_s: float
    low_s: float
    high_s: float
    before_s: float
    moved_from: dict[int, int]

    @property
    def moved(self) -> int:
        """How many tasks run elsewhere than before."""
        return len(self.moved_from)


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
        logs = []
        total, number = np.zeros(len(self._machine_cores)), np.zeros(len(self._machine_cores))
        for task, (machine, start_s, end_s) in progress.ended.items():
            predicted_s = self._task_s[task, machine]
            if end_s > start_s and 0.0 < predicted_s < np.inf:
                logs.append(math.log((end_s - start_s) / predicted_s))
                total[machine] += logs[-1]
                number[machine] += 1.0
        found: Floats = np.exp(total / (number + PRIOR))
        for task, (machine, start_s) in progress.running.items():  # takes at least that long
            predicted_s, for_s = self._task_s[task, machine], progress.now_s - start_s
            if 0.0 < predicted_s < np.inf and for_s > predicted_s * found[machine]:
                logs.append(math.log(for_s / predicted_s))
                total[machine] += logs[-1]
                number[machine] += 1.0
        return np.exp(total / (number + PRIOR)), spread_of(logs)

    def rest(self, progress: Progress) -> Rest:
        """What is best for the waiting tasks now; they are meant to run there from then on."""
        pace, spread = self.paces(progress)
        gone = {*progress.ended, *progress.running}
        waiting = [task for task in self._order if task not in gone]
        known = self._known(progress, pace, spread)
        stays = all(self.machine[task] not in progress.lost for task in waiting)
        kept = self._placed(progress, known, pace, waiting, self.machine) if stays else None
        ranked = [task for task in self._ranked if task not in gone]
        made = self._placed(progress, known, pace, ranked, None)
        before_s = np.inf if kept is None else kept[1]
        if kept is not None and before_s - made[1] <= _CLEARLY * max(made[1] - progress.now_s, 0.0):
            made = kept
        placed, end_s = made
        where = {task: machine for task, (machine, _, _) in placed.items()}
        moved = {
            task: self.machine[task] for task, one in where.items() if one != self.machine[task]
        }
        self.machine |= where
        if made is not kept:
            self._order = [*(task for task in self._order if task in gone), *where]
        left_s = max(0.0, end_s - progress.now_s)
        low_s, high_s = left_between(left_s, spread, len(progress.ended), len(where))
        spans = {task: (start, end) for task, (_, start, end) in placed.items()}
        spans |= {task: (start, known[task][1]) for task, (_, start) in progress.running.items()}
        return Rest(
            where, spans, end_s, progress.now_s + low_s, progress.now_s + high_s, before_s, moved
        )

    def _known(
        self, progress: Progress, pace: Floats, spread: float
    ) -> dict[int, tuple[int, float]]:
        """Machine and end of what has ended or runs, s."""
        known = {task: (machine, end) for task, (machine, _, end) in progress.ended.items()}
        for task, (machine, start_s) in progress.running.items():
            usual_s = float(self._task_s[task, machine] * pace[machine])
            taken_s = lasting(usual_s, progress.now_s - start_s, spread)
            known[task] = machine, max(progress.now_s, start_s + taken_s)
        return known

    def _placed(
        self,
        progress: Progress,
        known: dict[int, tuple[int, float]],
        pace: Floats,
        tasks: list[int],
        where: Mapping[int, int] | None,
    ) -> tuple[dict[int, tuple[int, float, float]], float]:
        """Machine, start and end of each waiting task, in the order of starts; the last end, s.

        `known`: machine and end of the others. `where`: machines that stay; None: each goes where
        it ends first, and stays where that is as good.
        """
        now, able = progress.now_s, self._able(progress).tolist()
        at = dict(known)
        free: list[list[float]] = [[now] * count for count in self._machine_cores]
        for task in progress.running:
            _hold(free[at[task][0]], self._cores[task], at[task][1])
        spans: dict[int, tuple[int, float, float]] = {}
        for task in tasks:
            ready = np.full(len(self._machine_cores), now)
            for source, seconds in self._into[task]:
                ready = np.maximum(ready, at[source][1] + seconds[at[source][0]])
            seconds = self._task_s[task] * pace
            best, first = np.inf, -1
            here = self.machine[task]
            places = sorted(able, key=here.__ne__) if where is None else [where[task]]
            for machine in places:
                if self._cores[task] > self._machine_cores[machine]:
                    continue
                begin = max(float(ready[machine]), free[machine][self._cores[task] - 1])
                if begin + seconds[machine] < best:
                    best, first = begin + float(seconds[machine]), machine
            if first < 0:  # no machine that is left can run it, or what it needs
                at[task], spans[task] = (here, np.inf), (here, np.inf, np.inf)
                continue
            _hold(free[first], self._cores[task], best)
            at[task] = first, best
            spans[task] = first, best - float(seconds[first]), best
        ordered = sorted(spans, key=lambda task: spans[task][1])
        last_s = max((end for _, end in at.values()), default=now)
        return {task: spans[task] for task in ordered}, last_s

    def _able(self, progress: Progress) -> Ints:
        places = [one for one in range(len(self._machine_cores)) if one not in progress.lost]
        return np.array(places, np.int64)


def lasting(usual_s: float, for_s: float, spread: float) -> float:
    """The median of what a task takes that runs for so long already, s.

    Of ln T normal about ln `usual_s` with `spread`: P(T > median) = P(T > `for_s`) / 2.
    """
    if usual_s <= 0.0 or for_s <= 0.0:
        return max(usual_s, for_s)
    z = math.log(for_s / usual_s) / spread
    if z > _FAR:
        return for_s * math.exp(spread * math.log(2.0) / z)
    return usual_s * math.exp(-spread * _NORMAL.inv_cdf(math.erfc(z / math.sqrt(2.0)) / 4.0))


def _hold(free: list[float], cores: int, until: float) -> None:
    """Hold the cores that are free first; `free` stays sorted."""
    free[:cores] = [until] * cores
    free.sort()
