"""Processes that share the cores of a host: what one operation takes of them, and when.

A latency is at least a host's processor work over its cores: every message takes a send and a
receive, wherever they run. Between the bound and the tree alone lies a list schedule: on each
host a free core takes what has been ready longest (Graham 1969). A message between processes of
one host does not pass the network interface, so that no gap follows it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from typing import NamedTuple

import numpy as np

from advisor.models.mrnet import Message
from advisor.models.process_tree import Tree
from advisor.models.tree_times import latencies, root_latency
from advisor.trees.tree_hosts import Hosts, place_tree
from machines.arrays import Floats, Ints

MOST_SCHEDULED = 100_000  # processes; of larger trees only the bound is known
_Event = tuple[float, float, int, int]  # time, urgency, child, kind
_SEND, _COMES, _TAKE, _ENDS = range(4)


class Work(NamedTuple):
    """What one message between a process and its child takes.

    `above`, `below`: processor time of the process and of its child. `up`: whether the child sends,
    when all its own children's messages have been taken in.
    """

    above: float
    below: float
    step: float  # between the starts of two messages of one process through its interface
    flight: float  # from the end of the send to the arrival
    up: bool = False

    @property
    def message(self) -> Message:
        """The same where every process has a processor of its own."""
        busy = self.above + self.below
        return Message(self.step, busy + self.flight, busy)


@dataclass(frozen=True, eq=False)
class Sharing:
    """The processes of a tree on hosts of so many cores."""

    tree: Tree
    host: Ints  # shape (processes,); the number of each process's host
    cores: int  # of every host

    @classmethod
    def of(cls, tree: Tree, hosts: Hosts, cores: int) -> Sharing:
        """The tree on hosts; one that is too large for them crowds them."""
        return cls(tree, place_tree(tree, hosts, crowd=True).host, cores)

    def work(self, *parts: Work) -> Floats:
        """Processor time that one operation of these parts takes on each host."""
        above, below = (sum(part[at] for part in parts) for at in (0, 1))
        each: Floats = (self.tree.fanouts * float(above) + float(below)).astype(np.float64)
        each[0] -= below
        found: Floats = np.bincount(self.host, weights=each).astype(np.float64)
        return found

    def least(self, *parts: Work) -> float:
        """The longest that the cores of a host are busy with one operation: no latency is less."""
        return float(self.work(*parts).max()) / self.cores

    def period(self, *parts: Work, gap: float) -> float:
        """Least time between two operations of a stream: of hosts, processes and interfaces.

        A process with n children on its host and f on others takes n above + f step +
        max(0, above + below − step), as `advisor.models.mrnet.period_of` says
        where all are on others; for two parts all its processor time, or `gap` for each message
        through its interface.
        """
        tree = self.tree
        inner = tree.fanouts > 0
        away = self.host != self.host[tree.parent]
        away[0] = False  # nobody is above the front-end
        far = np.bincount(tree.parent[1:], weights=away[1:], minlength=tree.size)
        above = np.arange(tree.size) > 0
        if len(parts) == 1:
            (part,) = parts
            step = np.where(far > 0, part.step, part.above)
            taken = (tree.fanouts - far) * part.above + far * part.step
            taken += above * np.maximum(0.0, part.above + part.below - step)
        else:
            own, child = (sum(one[at] for one in parts) for at in (0, 1))
            taken = np.maximum(tree.fanouts * own + above * child, (far + away) * gap)
        return max(float(taken[inner].max()), self.least(*parts))

    def latency(self, part: Work) -> float:
        """From the first send until the last message is taken in."""
        if self.tree.size > MOST_SCHEDULED:
            return max(root_latency(self.tree, part.message), self.least(part))
        return float(self.schedule(part)[1].max())

    def schedule(self, part: Work) -> tuple[Floats, Floats]:
        """When the message between each process and its parent is sent, and taken in.

        Of the front-end: 0, or of messages that go up when the last is taken in.
        """
        return (_Up if part.up else _Down)(self, part).run()


class _Listing:
    """A list schedule under way: of a host's processes, that which was ready first goes first."""

    def __init__(self, sharing: Sharing, part: Work) -> None:
        tree = sharing.tree
        self.part = part
        self.host: list[int] = sharing.host.tolist()
        self.free = [[0.0] * sharing.cores for _ in range(max(self.host) + 1)]
        self.parent: list[int] = tree.parent.tolist()
        self.fanouts: list[int] = tree.fanouts.tolist()
        self.sent, self.done = np.zeros(tree.size), np.zeros(tree.size)
        below, turn = latencies(tree, part.message)
        self.urgency: list[float] = (-below).tolist()
        self.turn = turn
        self.first: list[int] = tree.first_child.tolist()
        self.waiting: list[_Event] = []

    def run(self) -> tuple[Floats, Floats]:
        """(when each message is sent, when it is taken in)."""
        raise NotImplementedError

    def push(self, time: float, child: int, kind: int) -> None:
        """Have something happen to the message of a child; at one time the urgent ones first."""
        heappush(self.waiting, (time, self.urgency[child], child, kind))

    def taken(self, process: int, ready: float, busy: float) -> float:
        """When the next free core of a process's host begins to serve it."""
        cores = self.free[self.host[process]]
        start = max(ready, cores[0])
        heapreplace(cores, start + busy)
        return start

    def is_near(self, child: int) -> bool:
        """Whether a process and its parent are on one host."""
        return self.host[child] == self.host[self.parent[child]]


class _Down(_Listing):
    """A message from each process to its children, the urgent ones first."""

    def run(self) -> tuple[Floats, Floats]:
        order = np.lexsort((self.turn, np.array(self.parent)))  # siblings by turn
        self.served: list[int] = order.tolist()
        self.next = list(self.first)
        part = self.part
        self._send(0, 0.0)
        while self.waiting:
            ready, _, child, kind = heappop(self.waiting)
            if kind == _TAKE:
                self.done[child] = end = self.taken(child, ready, part.below) + part.below
                self._send(child, end)
                continue
            parent = self.parent[child]
            self.sent[child] = start = self.taken(parent, ready, part.above)
            self.push(start + part.above + part.flight, child, _TAKE)
            self._send(parent, start + (part.above if self.is_near(child) else part.step))
        return self.sent, self.done

    def _send(self, process: int, ready: float) -> None:
        """Let a process send to its next child."""
        at = self.next[process]
        if at < self.first[process] + self.fanouts[process]:
            self.next[process] = at + 1
            self.push(ready, self.served[at], _SEND)


class _Up(_Listing):
    """A message from each process to its parent, taken in as they come."""

    def run(self) -> tuple[Floats, Floats]:
        size = len(self.parent)
        self.come: list[deque[int]] = [deque() for _ in range(size)]
        self.missing, self.busy = list(self.fanouts), [False] * size
        self.accepts = [0.0] * size  # when the interface takes the next message
        for process in range(size):
            if not self.missing[process]:
                self.push(0.0, process, _SEND)
        while self.waiting:
            now, _, child, kind = heappop(self.waiting)
            self._happens(now, child, kind)
        self.sent[0] = self.done[0] = self.done.max()
        return self.sent, self.done

    def _happens(self, now: float, child: int, kind: int) -> None:
        part, parent = self.part, self.parent[child]
        if kind == _SEND:
            self.sent[child] = start = self.taken(child, now, part.below)
            self.push(start + part.below + part.flight, child, _COMES)
        elif kind == _COMES:
            self.come[parent].append(child)
            self._next(parent, now)
        elif kind == _TAKE:
            start = self.taken(parent, now, part.above)
            if not self.is_near(child):
                self.accepts[parent] = start + part.step
            self.done[child] = start + part.above
            self.push(start + part.above, child, _ENDS)
        else:
            self.busy[parent] = False
            self.missing[parent] -= 1
            self._next(parent, now)
            if parent and not self.missing[parent]:
                self.push(now, parent, _SEND)

    def _next(self, process: int, now: float) -> None:
        """Let a process take in what has come first, if it is idle."""
        if not self.busy[process] and self.come[process]:
            child = self.come[process].popleft()
            self.busy[process] = True
            ready = now if self.is_near(child) else max(now, self.accepts[process])
            self.push(ready, child, _TAKE)
