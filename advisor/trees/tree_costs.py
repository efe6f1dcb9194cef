"""What a tree of processes does under given costs: measures, times of every process, hot path.

Times are in µs, as `advisor.models.mrnet` takes any one unit; rates are per second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from advisor.models.mrnet import (
    BROADCAST,
    FIRST,
    OPERATIONS,
    REDUCTION,
    Message,
    Tree,
    broadcast_message,
    front_end_share,
    front_end_utilisation,
    instantiation_latency,
    period_of,
    reduction_message,
    utilisation,
)
from advisor.models.tree_times import latencies, root_latency
from advisor.trees.host_cores import MOST_SCHEDULED, Sharing, Work
from advisor.trees.tree_hosts import Hosts
from machines.arrays import Floats, Ints
from machines.interconnect import LogGP

US = 1e-6
ROUND_TRIP = "round trip"
ASKED = (BROADCAST, REDUCTION, ROUND_TRIP)


@dataclass(frozen=True)
class TreeCosts:
    """What messages, filters and processes of a tree cost.

    `convention`: {"first", "each"}; whether the first message pays a gap, too:
        `advisor.models.mrnet.broadcast_message`.
    `create`, `connect`, `report`: µs to start a process:
        `advisor.models.mrnet.instantiation_latency`.
    `operation`: {"broadcast", "reduction", "round trip"}; which operation comes at that rate; a
        round trip is a broadcast, then a reduction.
    `cores`: of each host; with `hosts`, processes of one host share them
    (`advisor.trees.host_cores`).
    """

    p: LogGP  # in µs, o_s = o_r
    size: float = 1.0  # bytes of a message
    filter_cost: float = 0.0  # µs of the filter for each incoming message of a reduction
    convention: str = FIRST
    create: float = 0.0
    connect: float = 0.0
    report: float = 0.0
    rate: float = 0.0  # operations per second that are wanted
    operation: str = BROADCAST
    hosts: Hosts | None = None  # where the processes run
    cores: int | None = None

    def sharing(self, tree: Tree) -> Sharing | None:
        """The tree on its hosts; None where hosts or their cores are not known."""
        if self.hosts is None or self.cores is None:
            return None
        return Sharing.of(tree, self.hosts, self.cores)

    def work(self, operation: str) -> Work:
        """What a message of a broadcast or of a reduction takes at both ends."""
        message, o = self.message(operation), self.p.o_s
        c = self.filter_cost if operation == REDUCTION else 0.0
        return Work(o + c, o, message.step, message.delay - 2.0 * o - c, operation == REDUCTION)

    @property
    def starting(self) -> Work:
        """What starting a child takes: its parent's processor creates it."""
        return Work(self.create, 0.0, self.create, self.connect + self.report)

    def message(self, operation: str) -> Message:
        """A message of an operation."""
        if operation == REDUCTION:
            return reduction_message(self.p, self.size, self.filter_cost, self.convention)
        return broadcast_message(self.p, self.size, self.convention)

    @property
    def search_message(self) -> Message:
        """The message of the operation that is asked for; of a round trip both summed."""
        if self.operation != ROUND_TRIP:
            return self.message(self.operation)
        down, up = self.message(BROADCAST), self.message(REDUCTION)
        return Message(down.step + up.step, down.delay + up.delay, down.busy + up.busy)

    def share(self, fanout: int, *, front_end: bool = False) -> float:
        """Share of a processor that a process of this fan-out takes at the wanted rate."""
        model = front_end_utilisation if front_end else utilisation
        parts = OPERATIONS if self.operation == ROUND_TRIP else (self.operation,)
        rate = self.rate * US
        return sum(model(fanout, self.p, rate, one, self.filter_cost) for one in parts)

    def period(self, own: int, inner: int) -> float:
        """Least µs between two operations, by the fan-outs of front-end and internal processes.

        Of broadcasts and reductions the model's; of round trips the longest of what processors
        and of what interfaces of a process take: front-end max(k (2o + c), k (g + tail)),
        internal max(2o (k + 1) + k c, (k + 1) (g + tail)).
        """
        if self.operation != ROUND_TRIP:
            return period_of(own, inner, self.message(self.operation))
        busy = self.message(REDUCTION).busy
        gap = self.p.g + (self.size - 1.0) * self.p.G
        through = max(2.0 * self.p.o_s + inner * busy, (inner + 1) * gap) if inner else 0.0
        return max(own * max(busy, gap), through)


@dataclass(frozen=True)
class TreeMeasures:
    """What a tree costs; times in µs.

    `back_ends`, `internal`, `depth`, `front_end_fanout`, `inner_fanout`: counts; `inner_fanout` is
        the largest of an internal process, 0 where there is none.
    `broadcast`, `reduction`, `round_trip`: latencies; the round trip is their sum: a reduction that
        starts when the broadcast has ended everywhere.
    `front_end_share`, `inner_share`: of a processor, at the wanted rate; above 1 it can't keep up.
    """

    back_ends: int
    internal: int
    depth: int
    front_end_fanout: int
    inner_fanout: int
    broadcast: float
    reduction: float
    period: float  # least time between two operations of a stream, of the kind that is asked for
    start_up: float  # until all processes run
    front_end_share: float
    inner_share: float

    @property
    def round_trip(self) -> float:
        """A broadcast, then a reduction."""
        return self.broadcast + self.reduction

    def latency(self, operation: str) -> float:
        """Of an operation."""
        return {BROADCAST: self.broadcast, REDUCTION: self.reduction}.get(
            operation, self.round_trip
        )


def measure(tree: Tree, costs: TreeCosts) -> TreeMeasures:
    """All measures of a tree."""
    alone = _measured_alone(tree, costs)
    sharing = costs.sharing(tree)
    if sharing is None:
        return alone
    down, up = costs.work(BROADCAST), costs.work(REDUCTION)
    parts = {BROADCAST: (down,), REDUCTION: (up,)}.get(costs.operation, (down, up))
    return replace(
        alone,
        broadcast=sharing.latency(down),
        reduction=sharing.latency(up),
        period=sharing.period(*parts, gap=costs.p.g + (costs.size - 1.0) * costs.p.G),
        start_up=sharing.latency(costs.starting),
    )


def _measured_alone(tree: Tree, costs: TreeCosts) -> TreeMeasures:
    """With a processor for every process."""
    down, up = costs.message(BROADCAST), costs.message(REDUCTION)
    own, inner = tree.busiest
    broadcast = root_latency(tree, down)
    return TreeMeasures(
        back_ends=tree.back_ends,
        internal=tree.internal,
        depth=tree.depth,
        front_end_fanout=own,
        inner_fanout=inner,
        broadcast=broadcast,
        reduction=broadcast if up == down else root_latency(tree, up),
        period=costs.period(own, inner),
        start_up=instantiation_latency(tree, costs.create, costs.connect, costs.report),
        front_end_share=costs.share(own, front_end=True),
        inner_share=costs.share(inner) if inner else 0.0,
    )


@dataclass(frozen=True, eq=False)
class TreeTimes:
    """When one operation passes each process of a tree.

    `sent`, `done`: shape (processes,); µs from the start of the operation: when the message between
        a process and its parent is started and when it is ready at the other end; 0 for the
        front-end of a broadcast, the latency for that of a reduction.
    `path`: shape (depth of the path + 1,); the critical path: from the front-end to the back-end
        that decides the latency.
    """

    sent: Floats
    done: Floats
    path: Ints
    latency: float


def times_of(tree: Tree, costs: TreeCosts, operation: str = BROADCAST) -> TreeTimes:
    """When a broadcast or a reduction passes each process, the children in their best order."""
    sharing = costs.sharing(tree)
    if sharing is not None and tree.size <= MOST_SCHEDULED:
        starts, done = sharing.schedule(costs.work(operation))
        last = _critical(tree, done) if operation == REDUCTION else _down_to(tree, done)
        return TreeTimes(starts, done, last, float(done.max()))
    message = costs.message(operation)
    below, turn = latencies(tree, message)
    starts = np.zeros(tree.size)
    for first, end in pairwise(tree.levels[1:].tolist()):
        parent = tree.parent[first:end]
        ready = starts[parent] + np.where(parent == 0, 0.0, message.delay)
        starts[first:end] = ready + turn[first:end] * message.step
    latency, done = float(below[0]), starts + message.delay
    done[0] = 0.0
    path = _critical(tree, done + below)
    if operation == REDUCTION:  # the same, time reversed
        starts, done = latency - done, latency - starts
    return TreeTimes(starts, done, path, latency)


def _down_to(tree: Tree, done: Floats) -> Ints:
    """From the front-end to the back-end that is ready last."""
    path = [int(np.argmax(done))]
    while path[-1]:
        path.append(int(tree.parent[path[-1]]))
    return np.array(path[::-1])


def _critical(tree: Tree, ends: Floats) -> Ints:
    """From the front-end always to the child whose subtree ends last."""
    path = [0]
    while fanout := int(tree.fanouts[path[-1]]):
        first = int(tree.first_child[path[-1]])
        path.append(first + int(np.argmax(ends[first : first + fanout])))
    return np.array(path)


@dataclass(frozen=True)
class FrontEndLoad:
    """Samples that a front-end must process: see `advisor.models.mrnet.front_end_share`."""

    metrics: int  # samples that each input sends at a time
    cost_us: float  # µs per sample and input
    rate: float  # samples of a metric per second

    def serviced(self, inputs: int) -> float:
        """Share of the samples that is processed."""
        return front_end_share(inputs, self.metrics, self.cost_us * US, self.rate)

    def offered(self, inputs: int) -> float:
        """Samples per second."""
        return self.rate * inputs * self.metrics

    @property
    def largest(self) -> int | None:
        """Most inputs that are served fully; None where any number is, 0 where not even one."""
        each = self.rate * self.metrics * self.cost_us * US
        if each == 0.0:
            return None
        inputs = int(each**-0.5)
        return inputs + 1 if self.serviced(inputs + 1) == 1.0 else inputs
