"""Applications beside a tree of processes, simulated message by message; knows no contenders.

Operations come at their rate whatever else runs. A process does one thing at a time, in the order
in which it comes: it sends (o), or takes in a message and filters it (o + c); a parent goes on
once all its children have come. What is busy on a host, and every thread of the task that always
computes there, has the same share of its cores.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from advisor.models.process_tree import Tree

_ENDS, _COMES, _BEGINS = 0, 1, 2


@dataclass
class Host:
    """Cores that are shared alike by busy processes and the threads of a task."""

    cores: int
    threads: int
    now: float = 0.0
    served: float = 0.0  # processor time of each that is there since the start: the task's progress
    busy: list[tuple[float, int]] = field(default_factory=list)  # served at its end, process
    turn: int = 0

    def speed(self) -> float:
        return min(1.0, self.cores / (len(self.busy) + self.threads))

    def advance(self, now: float) -> None:
        self.served += (now - self.now) * self.speed()
        self.now = now


def slowdowns(
    tree: Tree,
    host: Sequence[int],
    hosts: Sequence[tuple[int, int]],
    o: float,
    c: float,
    latency: float,
    rate: float,
    operations: int,
    *,
    apart: bool = False,
) -> list[float]:
    """How many times longer a task of each of `hosts` (cores, its threads) takes.

    Parameters
    ----------
    tree : Tree
    host : sequence of int, length processes
    o, c, latency : float
        Processor seconds of either end of a message and of its filter, and seconds on its way.
    rate : float
        Reductions a second.
    operations : int
        So many are simulated; a twentieth of them is left out at the begin.
    apart : bool
        Back-ends begin at any time of a period instead of together.
    """
    run = _Run(tree, host, [Host(*one) for one in hosts], o, c, latency)
    leaves = [one for one in range(tree.size) if not tree.fanouts[one]]
    rng = np.random.default_rng(1)
    first = (0.0, [0.0] * len(hosts))
    for operation in range(operations):
        at = operation / rate
        run.until(at)
        if operation == operations // 20:
            first = (at, [one.served for one in run.hosts])
        for leaf in leaves:
            late = rng.random() / rate if apart else 0.0
            heappush(run.events, (at + late, _BEGINS, leaf, operation))
    end = operations / rate
    run.until(end)
    taken = zip(run.hosts, first[1], strict=True)
    return [(end - first[0]) / (one.served - before) for one, before in taken]


class _Run:
    def __init__(
        self, tree: Tree, host: Sequence[int], hosts: list[Host], o: float, c: float, latency: float
    ) -> None:
        self.parent, self.fanouts = tree.parent.tolist(), tree.fanouts.tolist()
        self.host, self.hosts = host, hosts
        self.o, self.c, self.latency = o, c, latency
        self.jobs: list[deque[tuple[float, int, bool]]] = [deque() for _ in range(tree.size)]
        self.came: dict[tuple[int, int], int] = {}
        self.events: list[tuple[float, int, int, int]] = []

    def until(self, end: float) -> None:
        while self.events and self.events[0][0] <= end:
            at, kind, which, what = heappop(self.events)
            if kind == _COMES:
                self.give(which, self.o + self.c, at, what, sends=False)
            elif kind == _BEGINS:
                self.give(which, self.o, at, what, sends=True)
            elif self.hosts[which].turn == what:
                self.finish(which, at)
        for one in self.hosts:
            one.advance(end)

    def give(self, process: int, work: float, at: float, operation: int, *, sends: bool) -> None:
        self.jobs[process].append((work, operation, sends))
        if len(self.jobs[process]) == 1:
            self.start(process, at)

    def start(self, process: int, at: float) -> None:
        here = self.hosts[self.host[process]]
        here.advance(at)
        heappush(here.busy, (here.served + self.jobs[process][0][0], process))
        self.look(self.host[process], at)

    def look(self, which: int, at: float) -> None:
        here = self.hosts[which]
        here.turn += 1
        if here.busy:
            left = max(0.0, here.busy[0][0] - here.served)
            heappush(self.events, (at + left / here.speed(), _ENDS, which, here.turn))

    def finish(self, which: int, at: float) -> None:
        here = self.hosts[which]
        here.advance(at)
        _, process = heappop(here.busy)
        _, operation, sends = self.jobs[process].popleft()
        if self.jobs[process]:
            self.start(process, at)
        else:
            self.look(which, at)
        above = self.parent[process]
        if sends:
            heappush(self.events, (at + self.latency, _COMES, above, operation))
            return
        key = process, operation
        self.came[key] = self.came.get(key, 0) + 1
        if self.came[key] == self.fanouts[process]:
            del self.came[key]
            if process:
                self.give(process, self.o, at, operation, sends=True)
