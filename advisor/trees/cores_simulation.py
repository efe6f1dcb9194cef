"""Processes on shared cores, simulated by processor sharing: a check of `advisor.trees.host_cores`.

All processes of a host that have something to do run at once, each at the share of a core that is
left for it, as a time-sharing system runs them; there is no list, no bound and no time reversal. A
process does one thing at a time: it takes in what has come, and sends. A reduction begins at the
back-ends. Messages to other hosts leave, and are taken in, a gap apart.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import BROADCAST, REDUCTION
from advisor.models.process_tree import Tree
from advisor.models.tree_times import latencies
from advisor.trees.tree_costs import TreeCosts
from machines.errors import InputError

_SLICE = 2048  # events between two looks at `should_stop`
_BUSY, _COMES = "busy", "comes"
_SEND, _TAKE = "send", "take"
_Job = tuple[str, int]  # what, with which process at the other end


@dataclass
class _Host:
    """Cores that are shared alike; jobs end in the order of the service that they still need."""

    cores: int
    now: float = 0.0
    served: float = 0.0  # processor time that each job present since the start would have
    jobs: list[tuple[float, int]] = field(default_factory=list)  # served at its end, process
    turn: int = 0  # of the latest look, so that older ones are void

    def advance(self, now: float) -> None:
        """Serve all jobs until then."""
        if self.jobs:
            self.served += (now - self.now) * min(1.0, self.cores / len(self.jobs))
        self.now = now

    def next_end(self) -> float:
        """When the next job ends if none comes."""
        left = max(0.0, self.jobs[0][0] - self.served)
        return self.now + left / min(1.0, self.cores / len(self.jobs))


def simulate_on_cores(
    tree: Tree, costs: TreeCosts, operation: str = BROADCAST, should_stop: ShouldStop | None = None
) -> float | None:
    """µs of one operation on the hosts and cores of the costs; None when it was stopped.

    A round trip is a broadcast that each back-end answers at once.
    """
    sharing = costs.sharing(tree)
    if sharing is None:
        raise InputError("without hosts and cores nothing is shared", where="simulate_on_cores")
    return _Run(tree, costs, operation, sharing.host.tolist()).to_end(should_stop)


class _Run:
    """One operation under way."""

    def __init__(self, tree: Tree, costs: TreeCosts, operation: str, host: list[int]) -> None:
        self.operation, self.costs = operation, costs
        self.host, self.parent = host, tree.parent.tolist()
        _, turn = latencies(tree, costs.message(BROADCAST))
        self.children: list[list[int]] = [[] for _ in range(tree.size)]
        for child in sorted(range(1, tree.size), key=turn.__getitem__):
            self.children[self.parent[child]].append(child)
        self.missing = [len(each) for each in self.children]
        self.waiting_for = tree.back_ends
        self.hosts = [_Host(costs.cores or 1) for _ in range(max(host) + 1)]
        self.queues: list[deque[_Job]] = [deque() for _ in range(tree.size)]
        self.under_way: list[_Job | None] = [None] * tree.size
        self.gone, self.come = [-1e300] * tree.size, [-1e300] * tree.size  # the last through it
        self.events: list[tuple[float, int, str, int, int, int]] = []
        self.count = 0
        self.gap = costs.p.g + (costs.size - 1.0) * costs.p.G
        step = costs.message(BROADCAST)
        self.flight = step.delay - 2.0 * costs.p.o_s
        self.end: float | None = None

    def to_end(self, should_stop: ShouldStop | None) -> float | None:
        """Run; None when it was stopped."""
        if self.operation == REDUCTION:
            for process, children in enumerate(self.children):
                if not children:
                    self._wants(process, (_SEND, self.parent[process]), 0.0)
        else:
            self._hand_on(0, 0.0)
        while self.events and self.end is None:
            now, _, kind, process, at, turn = heappop(self.events)
            if kind == _COMES:
                self._wants(process, (_TAKE, at), now)
            elif kind == _BUSY:
                if self.hosts[at].turn == turn:
                    self._job_ends(at, now)
            else:  # the interface is free again
                self._begin(process, now)
            if should_stop is not None and self.count % _SLICE == 0 and should_stop():
                return None
        return self.end

    def _at(self, time: float, kind: str, process: int, at: int = 0, turn: int = 0) -> None:
        self.count += 1
        heappush(self.events, (time, self.count, kind, process, at, turn))

    def _hand_on(self, process: int, now: float) -> None:
        for child in self.children[process]:
            self._wants(process, (_SEND, child), now)

    def _wants(self, process: int, job: _Job, now: float) -> None:
        self.queues[process].append(job)
        self._begin(process, now)

    def _begin(self, process: int, now: float) -> None:
        """Let an idle process begin its next job, if its interface is free."""
        if self.under_way[process] is not None or not self.queues[process]:
            return
        what, other = self.queues[process][0]
        last = self.gone if what == _SEND else self.come
        if self.host[process] != self.host[other]:
            free = last[process] + self.gap
            if free > now:
                self._at(free, "free", process)
                return
            last[process] = now
        self.under_way[process] = self.queues[process].popleft()
        host = self.hosts[self.host[process]]
        host.advance(now)
        heappush(host.jobs, (host.served + self._busy(process, what, other), process))
        self._look(self.host[process])

    def _busy(self, process: int, what: str, other: int) -> float:
        up = what == _TAKE and self.parent[other] == process and other != 0
        return self.costs.p.o_s + (self.costs.filter_cost if up else 0.0)

    def _look(self, at: int) -> None:
        host = self.hosts[at]
        host.turn += 1
        if host.jobs:
            self._at(host.next_end(), _BUSY, 0, at, host.turn)

    def _job_ends(self, at: int, now: float) -> None:
        host = self.hosts[at]
        host.advance(now)
        process = heappop(host.jobs)[1]
        self._look(at)
        job = self.under_way[process]
        assert job is not None
        self.under_way[process] = None
        what, other = job
        if what == _SEND:
            self._at(now + self.flight, _COMES, other, process)
        elif other == self.parent[process] and process != 0:
            self._received(process, now)
        else:
            self._answered(process, now)
        self._begin(process, now)

    def _received(self, process: int, now: float) -> None:
        """A message from above."""
        if self.children[process]:
            self._hand_on(process, now)
        elif self.operation == BROADCAST:
            self.waiting_for -= 1
            self.end = None if self.waiting_for else now
        else:
            self._wants(process, (_SEND, self.parent[process]), now)

    def _answered(self, process: int, now: float) -> None:
        """A message from below."""
        self.missing[process] -= 1
        if not self.missing[process]:
            if process == 0:
                self.end = now
            else:
                self._wants(process, (_SEND, self.parent[process]), now)
