"""What moves between bars, as arrays: from where to where, when it sets out, when it is there.

One arc for each reader of each file or flow, so that a copy which several tasks of a machine read
is one transfer with several arcs. Built off the window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.allocation.prediction import Prediction, Transfers
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from machines.arrays import Flags, Floats, Indices, Ints

MANY = 80  # from here on only the critical path's and the selection's are drawn
MOST = 300


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arrays (arcs,), in the order of `Workload.edges`, then outside files.

    `source`, `target`: the task that makes it, or -1; the task that reads it.
    `transfer`: row of `Prediction.transfers`; -1 where nothing moves, or transfers are not told.
    `left_s`, `arrived_s`: when it sets out and is there; NaN where nothing moves.
    """

    edge: Ints  # position in the workload's `edges`; -1: a file that no task makes
    source: Ints
    target: Ints
    home: Ints  # the host from which it moves
    transfer: Ints
    first: Ints  # the reader for which the copy was sent: `target`, or another one on its machine
    left_s: Floats
    arrived_s: Floats
    critical: Flags  # whether it is on the critical path
    lines: Ints  # how many arcs it stands for, of `merged`

    @cached_property
    def seconds(self) -> Floats:
        """How long each is on its way; 0 where nothing moves."""
        return np.nan_to_num(self.arrived_s - self.left_s)

    def to_draw(self, tasks: frozenset[int]) -> Ints:
        """Positions of the arcs worth drawing, the longest transfers first among many.

        `tasks`: the selection; its arcs are always among them.
        """
        if self.edge.size <= MANY:
            return np.arange(self.edge.size, dtype=np.int64)
        wanted = self.critical.copy()
        if tasks and len(tasks) <= MANY:
            wanted |= self.touching(tasks)
        found = np.flatnonzero(wanted)
        longest = np.argsort(-self.seconds[found], kind="stable")
        return found[longest[:MOST]]

    def between(self, source: int, target: int) -> Flags:
        """Arcs from one task to another, bool array (arcs,)."""
        found: Flags = (self.source == source) & (self.target == target)
        return found

    def touching(self, tasks: frozenset[int]) -> Flags:
        """Arcs to or from one of `tasks`, bool array (arcs,)."""
        marked = np.zeros(self._ends + 1, dtype=np.bool_)
        chosen = np.fromiter(tasks, dtype=np.int64)
        marked[chosen[chosen < self._ends]] = True
        return marked[self.source] | marked[self.target]

    @cached_property
    def _ends(self) -> int:
        """More than any task that has an arc; what no task makes finds the place after these."""
        return 1 + int(max(self.source.max(initial=-1), self.target.max(initial=-1)))


def arcs_of(problem: Problem, prediction: Prediction) -> Arcs:
    """The arcs of a predicted schedule.

    `problem`: the one that was predicted; any numbers of processors.
    """
    if prediction.transfers is None:
        return _alone(problem.workload, prediction)
    return _executed(problem.settled(prediction.plan), prediction, prediction.transfers)


def merged(arcs: Arcs) -> Arcs:
    """One arc for all that one task hands to another, from the first to leave to the last there.

    Files that no task makes are one from each host; the transfer is the one that arrives last.
    """
    owner = np.where(arcs.source >= 0, arcs.source, -1 - arcs.home)
    order = np.lexsort((np.nan_to_num(arcs.arrived_s, nan=-1.0), arcs.target, owner))
    new = np.ones(order.size, dtype=np.bool_)
    new[1:] = (np.diff(owner[order]) != 0) | (np.diff(arcs.target[order]) != 0)
    if new.all():
        return arcs
    first = np.flatnonzero(new)
    last = order[np.append(first[1:], order.size) - 1]
    edge = np.minimum.reduceat(arcs.edge[order], first)
    place = np.argsort(np.where(edge >= 0, edge, order.size), kind="stable")
    last = last[place]
    return Arcs(
        edge=edge[place],
        source=arcs.source[last],
        target=arcs.target[last],
        home=arcs.home[last],
        transfer=arcs.transfer[last],
        first=arcs.first[last],
        left_s=np.fmin.reduceat(arcs.left_s[order], first)[place],
        arrived_s=np.fmax.reduceat(arcs.arrived_s[order], first)[place],
        critical=np.logical_or.reduceat(arcs.critical[order], first)[place],
        lines=np.add.reduceat(arcs.lines[order], first)[place],
    )


def _alone(workload: Workload, prediction: Prediction) -> Arcs:
    """Each edge takes its time from the end of its source on."""
    source = workload.sources.astype(np.int64)
    moves = prediction.flow_s > 0
    left = np.where(moves, prediction.end_s[source], np.nan)
    target = workload.targets.astype(np.int64)
    allocation = np.array(prediction.plan.allocation, dtype=np.int64)
    return Arcs(
        edge=np.arange(source.size, dtype=np.int64),
        source=source,
        target=target,
        home=allocation[source],
        transfer=np.full(source.size, -1, dtype=np.int64),
        first=target,
        left_s=left,
        arrived_s=left + prediction.flow_s,
        critical=prediction.critical_flows,
        lines=np.ones(source.size, dtype=np.int64),
    )


def _executed(problem: Problem, prediction: Prediction, transfers: Transfers) -> Arcs:
    """One arc for each reader of each item, then the edges that only mean order."""
    workload, instance, items = problem.workload, problem.executed, problem.items
    allocation = np.array(prediction.plan.allocation, dtype=np.int64)
    flow = items.flow[instance.item].astype(np.int64)
    file = items.file[instance.item].astype(np.int64)
    source = instance.writer[instance.item].astype(np.int64)
    target = instance.reader.astype(np.int64)
    home = np.where(source >= 0, allocation[source], instance.home[instance.item])
    row = _copies(problem, transfers, flow, file, target, allocation[target])
    row[home == allocation[target]] = -1
    edge = _edges(workload, flow, source, target)
    waits = np.setdiff1d(np.arange(len(workload.flows)), items.flow)
    edge = np.concatenate([edge, waits])
    place = np.argsort(np.where(edge >= 0, edge, edge.size), kind="stable")

    def joined(of_items: Ints, of_waits: Ints) -> Ints:
        return np.concatenate([of_items, of_waits])[place]

    row = joined(row, np.full(waits.size, -1))
    target = joined(target, workload.targets[waits].astype(np.int64))
    moves = row >= 0
    arrived_s = np.where(moves, _of(transfers.arrived_s, row), np.nan)
    return Arcs(
        edge=edge[place],
        source=joined(source, workload.sources[waits].astype(np.int64)),
        target=target,
        home=joined(home, allocation[workload.sources[waits]]),
        transfer=row,
        first=np.where(moves, transfers.reader[row], target) if moves.any() else target,
        left_s=np.where(moves, _of(transfers.left_s, row), np.nan),
        arrived_s=arrived_s,
        critical=_critical(prediction, edge[place], target, arrived_s),
        lines=np.ones(edge.size, dtype=np.int64),
    )


def _copies(
    problem: Problem, transfers: Transfers, flow: Ints, file: Ints, reader: Ints, machine: Ints
) -> Ints:
    """The transfer that brought each reader its data, or -1."""
    flows, once = len(problem.workload.flows), problem.executed.once
    wide = 1 + max(len(problem.workload.tasks), len(problem.platform.hosts))

    def key(flow: Ints | Indices, file: Ints | Indices, to: Ints | Indices) -> Ints:
        item = np.where(flow >= 0, flow, flows + file).astype(np.int64)
        found: Ints = item * wide + to
        return found

    sent = key(transfers.flow, transfers.file, transfers.target if once else transfers.reader)
    order = np.argsort(sent, kind="stable")
    wanted = key(flow, file, machine if once else reader)
    return _found(sent[order], wanted, order)


def _edges(workload: Workload, flow: Ints, source: Ints, target: Ints) -> Ints:
    """The edge of each item's reader: its flow, or the one that files make; -1: outside."""
    first, wide = len(workload.flows), len(workload.tasks)
    pair = workload.sources[first:].astype(np.int64) * wide + workload.targets[first:]
    order = np.argsort(pair, kind="stable")
    by_files = _found(pair[order], source * wide + target, order + first)
    return np.where(flow >= 0, flow, np.where(source >= 0, by_files, -1)).astype(np.int64)


def _found(known: Ints, wanted: Ints, values: Ints) -> Ints:
    """``values[i]`` where ``known[i]`` (ascending) is wanted, else -1."""
    if not known.size:
        return np.full(wanted.size, -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return np.where(known[at] == wanted, values[at], -1).astype(np.int64)


def _of(values: Floats, row: Ints) -> Floats:
    """``values[row]``, anything where the row is -1."""
    return values[row] if values.size else np.zeros(row.size)


def _critical(prediction: Prediction, edge: Ints, target: Ints, arrived_s: Floats) -> Flags:
    """Critical edges, and of what lies outside the files for which a critical task waited."""
    marks = np.append(prediction.critical_flows, False)
    waited = prediction.critical[target] & (edge < 0)
    waited &= np.abs(arrived_s - prediction.start_s[target]) <= 1e-9 * prediction.makespan_s
    led = np.zeros(prediction.critical.size, dtype=np.bool_)
    led[target[marks[edge]]] = True
    return marks[edge] | (waited & ~led[target])
