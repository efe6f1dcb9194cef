"""A tree of processes message by message: a check of `advisor.models.mrnet` that knows no formula.

A process has one processor, which takes o for a send and o for a receive (and c more for filtering
a message of a reduction), and a network interface that starts sends, and accepts arrivals, each at
least g + tail apart. Between the end of a send and the arrival lie L + tail.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import BROADCAST, EACH, REDUCTION, Message
from advisor.models.process_tree import Tree, ranges
from advisor.models.tree_times import latencies
from advisor.trees.tree_costs import ASKED, ROUND_TRIP, TreeCosts
from machines.arrays import Floats, Ints
from machines.checks import number, whole
from machines.errors import InputError

MOST_MESSAGES = 20_000_000

_SLICE = 2048  # events between two looks at `should_stop`
_UP = -1  # instead of a child's turn: a message to the parent

_Outgoing = tuple[int, int, float]  # operation, turn of the child or _UP, since when
_Arrived = tuple[int, float, int]  # operation, arrival, messages of children: 0 from the parent


@dataclass(frozen=True, eq=False)
class SimulatedTree:
    """What was simulated; times in µs."""

    latency: float  # from the start of the first operation to its end
    period: float  # of the stream, by its slowest process; not a number for a single operation
    ends: Floats  # shape (operations,); when each operation ended, from the start of the first
    complete: bool  # False when it was stopped before its end: nothing is known then


def simulate_tree(
    tree: Tree,
    costs: TreeCosts,
    operation: str = BROADCAST,
    operations: int = 1,
    interval: float | None = None,
    window: int | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> SimulatedTree:
    """Run a stream of operations through a tree.

    A free processor sends if its interface may start a send; else it takes in what has come first,
    if that may be accepted. Messages of children are taken in by operation: those of the next one
    wait in the interface until all of the last have come. Buffers are unlimited.

    - Broadcast: the front-end, and each process that has received, sends to its children in the
      order of decreasing time of their subtrees. Back-ends always keep up.
    - Reduction: back-ends start at 0 and send as fast as they can; a process sends to its parent
      when the last child's message of the operation has been filtered.
    - Round trip: a back-end answers each broadcast at once; the answers are reduced. The broadcast
      of operation i starts when operation i − `window` has ended. As receives of both ways share
      an interface, a round trip may even be a little longer than its halves where L is small.

    Single broadcasts and reductions take exactly the latency of the model. Periods of the model
    are lower bounds that streams of reductions reach, and of broadcasts where 2o ≤ g + tail or
    o ≥ g + tail. Between, a process takes messages in between two sends, where they don't fit: it
    loses some percent, up to g + tail − o for each. The period of a broadcast is the time
    from the first receive until the interface is free again, by operations; that of a reduction
    and of round trips is taken without the first half of the stream, as its first messages wait.

    `costs`: the convention "each" lengthens every flight by a step.
    `operation`: {"broadcast", "reduction", "round trip"}.
    `interval`: µs between the starts of two operations; as fast as it goes unless given.
    `window`: round trips under way at once, ≥ 1; any number unless given.
    `should_stop`: asked every few milliseconds.
    `on_progress`: told the share that is done.
    """
    if operation not in ASKED:
        remedy = f"Allowed: {', '.join(ASKED)}"
        raise InputError("unknown operation", where="operation", value=operation, remedy=remedy)
    messages = (tree.size - 1) * whole("operations", operations, low=1)
    if messages > MOST_MESSAGES:
        raise InputError(
            "these are too many messages to simulate",
            where="simulate_tree",
            value=messages,
            remedy=f"Allowed: up to {MOST_MESSAGES}: simulate fewer operations",
        )
    pause = 0.0 if interval is None else number("interval", interval)
    at_once = operations if window is None else whole("window", window, low=1)
    run = _StreamUnderWay(tree, costs, _Stream(operation, operations, pause, at_once))
    complete = run.to_end(should_stop or (lambda: False), on_progress or (lambda _share: None))
    return run.result(complete)


def busiest_part(tree: Tree) -> Tree:
    """The part of a tree that decides its period, everything else cut down to back-ends.

    Of each level the process with the most children stays, with its ancestors; all their other
    children become back-ends, which never bind. Its streams are much cheaper to simulate.
    """
    kept = np.zeros(tree.size, dtype=np.bool_)
    kept[0] = True
    for first, end in zip(tree.levels[1:-2].tolist(), tree.levels[2:-1].tolist(), strict=True):
        process = first + int(np.argmax(tree.fanouts[first:end]))
        while not kept[process]:
            kept[process] = True
            process = int(tree.parent[process])
    inner = np.flatnonzero(kept)
    shown = kept.copy()
    shown[ranges(tree.first_child[inner], tree.fanouts[inner])] = True
    return Tree(np.where(kept, tree.fanouts, 0)[shown])


@dataclass(frozen=True)
class _Stream:
    """What is to be simulated: see `simulate_tree`."""

    operation: str
    operations: int
    interval: float
    window: int


class _Process:
    """A process with children: what it has to send, what has arrived, and how far it is.

    `free`, `wakes`: when its processor is free, and when it goes on by itself.
    `sent`, `accepted`: last start of a send and of a receive.
    `outbox`, `above`, `below`: messages to send, and those that have come from the parent and from
        children.
    `wave`, `missing`: operation whose messages are accepted from children, and how many of them are
        missing.
    `began`: first receive, or send of the front-end.
    `done`: when it had taken in the last child's message of each operation.
    """

    __slots__ = (
        "above", "accepted", "began", "below", "children", "done", "first", "free", "leaves",
        "missing", "outbox", "parent", "sent", "wakes", "wave",
    )  # fmt: skip

    def __init__(self, parent: int, children: int, first: int, leaves: int) -> None:
        self.parent, self.children, self.first, self.leaves = parent, children, first, leaves
        self.free, self.wakes, self.began = 0.0, math.inf, 0.0
        self.sent = self.accepted = -math.inf
        self.outbox: list[_Outgoing] = []
        self.above: list[_Arrived] = []
        self.below: list[_Arrived] = []
        self.wave, self.missing = 0, children
        self.done: list[float] = []


class _StreamUnderWay:
    """A simulation under way; lists, as they are read and written one entry at a time."""

    def __init__(self, tree: Tree, costs: TreeCosts, stream: _Stream) -> None:
        self.stream = stream
        message = costs.message(BROADCAST if stream.operation == BROADCAST else REDUCTION)
        tail = (costs.size - 1.0) * costs.p.G
        self.o, self.gap = costs.p.o_s, costs.p.g + tail
        self.filtered = costs.p.o_s + costs.filter_cost
        self.flight = costs.p.L + tail + (message.step if costs.convention == EACH else 0.0)
        self.order = _best_order(tree, message).tolist()
        self.processes = _processes(tree)
        self.front = self._with_children(0)
        self.answering = stream.operation == ROUND_TRIP
        self.back_end_free = [0.0] * tree.size if self.answering else []
        self.ends = [0.0] * stream.operations
        self.begun, self.ended, self.jobs, self.count = 0, 0, 0, itertools.count()
        self.events: list[tuple[float, int, _Process, _Arrived | None]] = []

    def to_end(self, should_stop: ShouldStop, tell: Callable[[float], None]) -> bool:
        """Run until nothing happens any more; False when stopped."""
        self._begin()
        events, steps = self.events, 0
        ways = 2 if self.answering else 1
        inner = len(self.processes) - self.processes.count(None) - 1
        all_jobs = ways * (len(self.processes) - 1 + inner) * self.stream.operations
        while events:
            if steps % _SLICE == 0:
                if should_stop():
                    return False
                tell(self.jobs / all_jobs)
            steps += 1
            now, _, process, message = heappop(events)
            if message is not None:
                heappush(process.below if message[2] else process.above, message)
            elif now == process.wakes:
                process.wakes = math.inf
            else:  # an earlier time has been found since
                continue
            if process.free <= now:
                self._go_on(process, now)
            else:
                self._wake(process, process.free)
        return True

    def _go_on(self, process: _Process, now: float) -> None:
        """A free processor does what can begin first; then it sleeps until it can go on."""
        send, down, up = self._ready(process)
        if min(send, down, up) <= now:
            self.jobs += 1
            if send <= now:
                self._send(process, now)
            elif down <= up:
                self._receive_from_parent(process, now)
            else:
                self._receive_from_child(process, now)
            send, down, up = self._ready(process)
        self._wake(process, max(min(send, down, up), process.free))

    def _wake(self, process: _Process, time: float) -> None:
        if time < process.wakes:
            process.wakes = time
            self._at(time, process)

    def _ready(self, process: _Process) -> tuple[float, float, float]:
        """When a send and receives from the parent and a child may begin, but for the processor."""
        send = down = up = math.inf
        if process.outbox:
            send = max(process.sent + self.gap, process.outbox[0][2])
        if process.above:
            down = max(process.accepted + self.gap, process.above[0][1])
        if process.below and process.below[0][0] == process.wave:
            up = max(process.accepted + self.gap, process.below[0][1])
        return send, down, up

    def _send(self, process: _Process, now: float) -> None:
        process.sent, process.free = now, now + self.o
        operation, turn, since = process.outbox[0]
        arrival = process.free + self.flight
        if turn == _UP:
            heappop(process.outbox)
            self._at(arrival, self._with_children(process.parent), (operation, arrival, 1))
            return
        child = self.order[process.first + turn]
        if turn + 1 < process.children:
            heapreplace(process.outbox, (operation, turn + 1, since))
        else:
            heappop(process.outbox)
            if process is self.front:
                self._issue(process.free)
        receiver = self.processes[child]
        if receiver is not None:
            self._at(arrival, receiver, (operation, arrival, 0))
        elif self.answering:
            self._answer(process, child, operation, arrival)
        else:
            self._end_at(operation, arrival + self.o)

    def _receive_from_parent(self, process: _Process, now: float) -> None:
        operation, _, _ = heappop(process.above)
        if operation == 0:
            process.began = now
        process.accepted, process.free = now, now + self.o
        heappush(process.outbox, (operation, 0, process.free))

    def _receive_from_child(self, process: _Process, now: float) -> None:
        operation, arrival, number = process.below[0]
        process.accepted, process.free = now, now + self.filtered
        if number > 1:
            heapreplace(process.below, (operation, arrival, number - 1))
        else:
            heappop(process.below)
        process.missing -= 1
        if process.missing:
            return
        process.wave, process.missing = operation + 1, process.children
        process.done.append(process.free)
        if process is self.front:
            self._end_at(operation, process.free)
            self.ended += 1
            if self.answering:
                self._issue(process.free)
        else:
            heappush(process.outbox, (operation, _UP, process.free))
        if not self.answering:
            self._supply(process)

    def _begin(self) -> None:
        if self.stream.operation == REDUCTION:
            for process in self.processes:
                if process is not None:
                    self._supply(process)
        else:
            self._issue(0.0)
            self._wake(self.front, 0.0)

    def _issue(self, now: float) -> None:
        """Let the front-end begin the next broadcast, if it may."""
        stream, front = self.stream, self.front
        sending = front.outbox and front.outbox[0][1] != _UP
        under_way = self.begun - self.ended if self.answering else 0
        if not sending and self.begun < stream.operations and under_way < stream.window:
            since = max(now, self.begun * stream.interval)
            heappush(front.outbox, (self.begun, 0, since))
            self.begun += 1

    def _supply(self, process: _Process) -> None:
        """The next messages of its back-ends: they have sent as early as they could."""
        if process.leaves and process.wave < self.stream.operations:
            pause = max(self.o, self.gap, self.stream.interval)
            arrival = process.wave * pause + self.o + self.flight
            message = (process.wave, arrival, process.leaves)
            self._at(max(arrival, process.accepted), process, message)

    def _answer(self, process: _Process, back_end: int, operation: int, arrival: float) -> None:
        """A back-end receives and sends at once."""
        sent = max(arrival, self.back_end_free[back_end]) + self.o
        self.back_end_free[back_end] = sent + self.o
        self._at(sent + self.o + self.flight, process, (operation, sent + self.o + self.flight, 1))

    def _end_at(self, operation: int, time: float) -> None:
        self.ends[operation] = max(self.ends[operation], time)

    def _at(self, time: float, process: _Process, message: _Arrived | None = None) -> None:
        heappush(self.events, (time, next(self.count), process, message))

    def _with_children(self, number: int) -> _Process:
        process = self.processes[number]
        assert process is not None
        return process

    def result(self, complete: bool) -> SimulatedTree:
        """What is known."""
        if not complete:
            return SimulatedTree(math.nan, math.nan, np.zeros(0), complete=False)
        period = math.nan
        if self.stream.operations > 1:
            period = max(self._period(one) for one in self.processes if one is not None)
        return SimulatedTree(self.ends[0], period, np.array(self.ends), complete=True)

    def _period(self, process: _Process) -> float:
        operations, done = self.stream.operations, process.done
        if self.stream.operation == BROADCAST:
            return (max(process.sent + self.gap, process.free) - process.began) / operations
        # the last round trips meet no new broadcasts any more
        skipped = min(self.stream.window, operations // 2) if self.answering else 0
        last = max(operations - 1 - skipped, 1)
        half = last // 2
        return (done[last] - done[half]) / (last - half)


def _processes(tree: Tree) -> list[_Process | None]:
    """One for each process with children."""
    below = np.concatenate(([0], np.cumsum(tree.fanouts == 0)))
    leaves = below[tree.first_child + tree.fanouts] - below[tree.first_child]
    columns = (tree.parent, tree.fanouts, tree.first_child, leaves)
    return [
        _Process(*values) if values[1] else None
        for values in zip(*(one.tolist() for one in columns), strict=True)
    ]


def _best_order(tree: Tree, message: Message) -> Ints:
    """The children of each process by their turn, at the place of its first child on."""
    order = np.zeros(tree.size, dtype=np.int64)
    turn = latencies(tree, message)[1]
    order[tree.first_child[tree.parent[1:]] + turn[1:]] = np.arange(1, tree.size)
    return order
