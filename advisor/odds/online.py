"""Tasks that go to machines one after the other, in times as drawn, also where a machine is lost.

Transfers take what they take alone. What a lost machine ran begins again on others, which take
what was to run there, too; what it had made before stays within reach.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from advisor.odds.draws import Draws
from advisor.odds.spread_factors import Factors, spreads_of
from machines.arrays import Floats, Indices

NONE_LOST = (-1, np.inf)
ANYWHERE = -1


@dataclass(frozen=True, eq=False)
class Rule:
    """How tasks are started.

    Attributes
    ----------
    priority : array (tasks,)
        The least that is ready goes first; of equals the one that became ready first.
    places : array (tasks,) or None
        The machine of each; ``None``: an idle one with most of its input, then most free cores.
    strict : bool
        A machine starts what is placed there by priority, and waits for what is not ready.
    lost : (int, float)
        A machine, and when it is lost, seconds.
    """

    priority: Floats
    places: Indices | None = None
    strict: bool = False
    lost: tuple[int, float] = NONE_LOST


class Online:
    """Simulates the draws of a question one at a time."""

    def __init__(self, problem: Problem, draws: Draws) -> None:
        factors = Factors(problem.platform, draws, spreads_of(problem))
        tasks, count = problem.workload.tasks, len(problem.platform.machines)
        each = [
            factors.work(tasks, (), np.full(len(tasks), machine, np.int32))
            for machine in range(count)
        ]
        self._slower = np.stack(each, axis=2)  # draws, tasks, machines
        self.costs, self._task_s = problem.costs, problem.instance.task_s
        self.size_bytes = problem.workload.edge_bytes.tolist()
        self.sources, targets = self.costs.sources.tolist(), self.costs.targets.tolist()
        self.into: list[list[int]] = [[] for _ in tasks]
        self.after: list[list[int]] = [[] for _ in tasks]
        for edge, (source, target) in enumerate(zip(self.sources, targets, strict=True)):
            self.into[target].append(edge)
            self.after[source].append(target)
        self.flow_s = [pair_seconds(self.costs.flows, edge) for edge in range(len(self.sources))]

    def spare(self, places: Indices) -> Indices:
        """The machines of a plan without which every task can still run."""
        fits = self.costs.task_cores[:, None] <= self.costs.machine_cores[None, :]
        able = np.isfinite(self._task_s) & fits
        used = np.unique(places)
        return used[[bool(np.delete(able, one, axis=1).any(axis=1).all()) for one in used]]

    def run(self, draw: int, rule: Rule) -> tuple[Indices, Indices, float]:
        """Machine of every task, the order in which they start, and when the last one ends."""
        return _Run(self, self._task_s * self._slower[draw], rule).to_the_end()


@dataclass(eq=False)
class _Run:
    """One draw on its way.

    A task in strict order needs the start of the one before it as it needs the ends of others.
    """

    asked: Online
    seconds: Floats  # tasks, machines
    rule: Rule
    order: list[int] = field(default_factory=list)
    ends: list[tuple[float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        tasks, rule = len(self.seconds), self.rule
        self.now, self.came, self.lost = 0.0, 0, rule.lost
        self.cores = self.asked.costs.task_cores.tolist()
        self.free: list[int] = self.asked.costs.machine_cores.tolist()
        self.takes_s: list[list[float]] = self.seconds.tolist()
        self.places = [ANYWHERE] * tasks if rule.places is None else rule.places.tolist()
        self.where, self.end_s = [ANYWHERE] * tasks, [0.0] * tasks
        self.missing = [len(edges) for edges in self.asked.into]
        self.known_s = [0.0] * tasks  # when the machine that fetches for it is known
        self.behind = [-1] * tasks  # the task that waits for its start
        if rule.strict and rule.places is not None:
            ranked = np.lexsort((rule.priority, rule.places)).tolist()
            for one, other in pairwise(ranked):
                if self.places[one] == self.places[other]:
                    self.behind[one] = other
                    self.missing[other] += 1
        # by machine, the last of them of what may run anywhere
        self.ready: list[list[tuple[float, int, int]]] = [[] for _ in (*self.free, ANYWHERE)]
        for task in range(tasks):
            self._need_less(task, 0)

    def to_the_end(self) -> tuple[Indices, Indices, float]:
        """Until nothing runs and nothing can start."""
        while True:
            self._start_some()
            if self.lost[0] >= 0 and (not self.ends or self.lost[1] <= self.ends[0][0]):
                self._lose()
            elif self.ends:
                self._end_one()
            else:
                break
        done_s = max(self.end_s) if min(self.where) >= 0 else float(np.inf)
        return np.array(self.where, np.int32), np.array(self.order, np.int32), done_s

    def _start_some(self) -> None:
        """Start what is ready and has room, first things first."""
        for machine, cores in enumerate(self.free):
            if cores > 0 and self.ready[machine]:
                self._take(self.ready[machine], [machine])
        idle = [machine for machine, cores in enumerate(self.free) if cores > 0]
        self._take(self.ready[ANYWHERE], idle)

    def _take(self, ready: list[tuple[float, int, int]], idle: list[int]) -> None:
        waiting = []
        while ready and idle:
            first = heapq.heappop(ready)
            task = first[2]
            cores, takes_s = self.cores[task], self.takes_s[task]
            able = [one for one in idle if self.free[one] >= cores and takes_s[one] < np.inf]
            if not able:
                waiting.append(first)
                continue
            machine = able[0] if len(able) == 1 else self._chosen(task, able)
            self._start(task, machine)
            if not self.free[machine]:
                idle.remove(machine)
        for one in waiting:
            heapq.heappush(ready, one)

    def _start(self, task: int, machine: int) -> None:
        arrivals = (
            max(self.end_s[source], self.known_s[task])
            + float(self.asked.flow_s[edge][self.where[source], machine])
            for edge in self.asked.into[task]
            for source in (self.asked.sources[edge],)
        )
        begin = max([self.now, *arrivals])
        self.where[task] = machine
        self.order.append(task)
        self.free[machine] -= self.cores[task]
        self.end_s[task] = begin + self.takes_s[task][machine]
        heapq.heappush(self.ends, (self.end_s[task], task))
        if self.behind[task] >= 0:
            self._need_less(self.behind[task], 1)
            self.behind[task] = -1

    def _end_one(self) -> None:
        self.now, ended = heapq.heappop(self.ends)
        self.free[self.where[ended]] += self.cores[ended]
        for task in self.asked.after[ended]:
            self._need_less(task, 1)

    def _need_less(self, task: int, by: int) -> None:
        """It is ready once nothing is missing."""
        self.missing[task] -= by
        if not self.missing[task]:
            self.came += 1
            one = (float(self.rule.priority[task]), self.came, task)
            heapq.heappush(self.ready[self.places[task]], one)

    def _lose(self) -> None:
        """The machine runs nothing from now on; others take what is left of its tasks."""
        (machine, self.now), self.lost = self.lost, NONE_LOST
        self.free[machine] = 0
        for takes_s in self.takes_s:
            takes_s[machine] = np.inf
        gone = [task for _, task in self.ends if self.where[task] == machine]
        self.ends = [one for one in self.ends if self.where[one[1]] != machine]
        heapq.heapify(self.ends)
        for task in gone:
            self.where[task] = ANYWHERE
            self.order.remove(task)
        left = [
            task for task, place in enumerate(self.places)
            if place == machine and self.where[task] == ANYWHERE
        ]  # fmt: skip
        for task in {*gone, *left}:
            self.places[task], self.known_s[task] = ANYWHERE, self.now
        waiting, self.ready[machine] = self.ready[machine], []
        for one in waiting:
            heapq.heappush(self.ready[ANYWHERE], one)
        for task in gone:
            self._need_less(task, 0)
        for task in left:
            if self.behind[task] >= 0:  # no order holds elsewhere
                self._need_less(self.behind[task], 1)
                self.behind[task] = -1

    def _chosen(self, task: int, able: list[int]) -> int:
        """Of machines that are idle the one with most of its input, then with most free cores."""
        held = dict.fromkeys(able, 0.0)
        for edge in self.asked.into[task]:
            source = self.where[self.asked.sources[edge]]
            if source in held:
                held[source] += self.asked.size_bytes[edge]
        return max(able, key=lambda one: (held[one], self.free[one]))
