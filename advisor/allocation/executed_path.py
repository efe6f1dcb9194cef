"""The critical path of a contention-aware schedule: the cause of each moment until the last end.

Walked back from the last end: a task's run, what it fetched in its slot, then whatever it took its
cores upon last: the arrival of its data, the end of a task that it waits for, cores that became
free, or the task before it in its machine's order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.execution import Executed, Run
from advisor.allocation.feasibility import places
from advisor.allocation.prediction import Transfers
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import inside_programs
from advisor.basics.causes import (
    CAUSES,
    COMPUTING,
    IDLE,
    LINK_SHARING,
    LINK_WAIT,
    MEMORY_SHARING,
    PROCESSOR_WAIT,
    STARTING,
    TRANSFERRING,
)
from advisor.kernels.engine_kernel import reclaimed
from machines.arrays import Floats, Indices, Ints

_SAME = 1.0 - 1e-9


@dataclass(frozen=True, eq=False)
class Carried:
    """A plan that was carried out.

    Attributes
    ----------
    run : Run
    transfers : Transfers
        What moved, in the order of `order_of`.
    copy, edge : int32 arrays (slots,)
        Slot whose transfer served each, and the edge that it serves; else -1.
    task_s, task_dedicated_s : array (tasks,)
        Beside contenders but no own tasks, and alone.
    """

    run: Run
    transfers: Transfers
    copy: Indices
    edge: Indices
    task_s: Floats
    task_dedicated_s: Floats


@dataclass(eq=False)
class Path:
    """Tasks, edges and transfers (positions in `Transfers`) on the way back.

    The seconds by cause sum to the makespan.
    """

    tasks: list[int] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    transfers: list[int] = field(default_factory=list)
    breakdown_s: dict[str, float] = field(default_factory=dict)

    def add(self, cause: str, seconds: float) -> None:
        """Seconds of a cause; rounding below 0 counts as none."""
        if seconds > 0.0:
            self.breakdown_s[cause] = self.breakdown_s.get(cause, 0.0) + seconds


def critical_path(problem: Problem, allocation: Indices, order: Indices, carried: Carried) -> Path:
    """Walk back from the last end."""
    return _Walk(problem, allocation, order, carried).back()


class _Walk:
    """One walk, with what it looks things up in."""

    def __init__(
        self, problem: Problem, allocation: Indices, order: Indices, carried: Carried
    ) -> None:
        self.problem, self.instance = problem, problem.executed
        self.allocation, self.carried, self.run = allocation, carried, carried.run
        place = places(order)
        self.queue = np.lexsort((place, allocation))
        self.turn = places(self.queue.astype(np.int32))
        reclaim_s = problem.executed.reclaim_s
        self.free_s = np.array([reclaimed(end_s, reclaim_s) for end_s in self.run.end_s.tolist()])
        self.by_end = np.lexsort((self.run.end_s, allocation))
        self.on = allocation[self.by_end]
        self.programs = set(problem.costs.program_tasks.tolist())
        self.row = {slot: row for row, slot in enumerate(sent_slots(self.run).tolist())}
        self.path = Path()
        self.rest_s = 0.0  # what is left before the first thing on the path

    def back(self) -> Path:
        """The whole way."""
        task: int | None = int(self.run.end_s.argmax())
        while task is not None:
            self.path.tasks.append(task)
            self._spend(task)
            task = self._before(task)
        found = self.path.breakdown_s
        makespan_s = float(self.run.end_s.max())
        self.path.add(IDLE, makespan_s - sum(found.values()) if self.rest_s > 0 else 0.0)
        self.path.breakdown_s = {c: found[c] for c in (*CAUSES, IDLE) if c in found}
        return self.path

    def _spend(self, task: int) -> None:
        """The seconds from a task's start to its end, by cause."""
        alone = float(self.carried.task_dedicated_s[task])
        lasted = float(self.run.end_s[task] - self.run.start_s[task]) - self.instance.overhead_s
        inside: dict[str, float] = {}
        if task in self.programs:
            one = np.array([task], dtype=np.int32)
            inside = inside_programs(self.problem.costs, self.allocation, one)
        self.path.add(STARTING, self.instance.overhead_s)
        self.path.add(COMPUTING, alone - sum(inside.values()))
        for cause, seconds in inside.items():
            self.path.add(cause, seconds)
        # alone on the machine, own tasks hold a core each: all of the rest is the contenders'
        starved = float(self.run.starved_s[task]) if self.run.starved_s.size else 0.0
        self.path.add(PROCESSOR_WAIT, lasted - alone - starved)
        self.path.add(MEMORY_SHARING, starved)

    def _move(self, slot: int) -> None:
        """The seconds of a transfer, by cause."""
        moved, row = self.carried.transfers, self.row[slot]
        self.path.transfers.append(row)
        lasted = float(moved.arrived_s[row] - moved.left_s[row])
        alone, contended = float(moved.dedicated_s[row]), float(moved.alone_s[row])
        self.path.add(TRANSFERRING, alone)
        self.path.add(LINK_WAIT, contended - alone)
        self.path.add(LINK_SHARING, lasted - contended)
        if self.carried.edge[slot] >= 0:
            self.path.edges.append(int(self.carried.edge[slot]))

    def _before(self, task: int) -> int | None:
        """The task whose end this one waited for; None: it began with the plan, or by itself."""
        begin = float(self.run.start_s[task])
        if self.instance.slot and self.run.taken_s[task] < begin:
            slot = self._arriving(task, begin)
            if slot is not None:
                self._move(slot)
                task = int(self.instance.reader[self.carried.copy[slot]])
        time = self._let_start(task, float(self.run.taken_s[task]))
        while time > 0.0:
            found = self._cause_of(task, time)
            if found is None:
                earlier = self._ahead_of(task)
                if earlier is None or self.run.taken_s[earlier] != time:
                    self.rest_s = time
                    return None
                task = earlier
                time = self._let_start(task, time)
                continue
            return found if found >= 0 else None
        return None

    def _let_start(self, task: int, time: float) -> float:
        """When all but the engine would have let a task start that took its cores at `time`."""
        if not self.instance.dispatched or self.run.released_s[task] < time * _SAME:
            return time
        ready_s = float(self.run.ready_s[task])
        self.path.add(STARTING, time - ready_s)
        return ready_s

    def _cause_of(self, task: int, time: float) -> int | None:
        """The task whose data or end let this one go on; -1: data from outside; None: neither."""
        if not self.instance.slot:
            slot = self._arriving(task, time)
            if slot is not None:
                self._move(slot)
                return int(self.instance.writer[self.instance.item[slot]])
        costs, ends = self.problem.costs, self.run.end_s
        instance = self.problem.instance
        for row in range(instance.first_in[task], instance.first_in[task + 1]):
            source = int(instance.source[row])
            if ends[source] == time:
                local = self.allocation[source] == self.allocation[task]
                if (
                    local
                    or self.instance.slot
                    or costs.flows.messages[instance.flow[row]].sum() <= 0
                ):
                    self.path.edges.append(int(instance.flow[row]))
                    return source
        return self._released(task, time)

    def _arriving(self, task: int, time: float) -> int | None:
        """A slot of the task whose copy arrives then."""
        first, last = self.instance.first_input[task], self.instance.first_input[task + 1]
        for slot in self.instance.input_slot[first:last].tolist():
            copy = int(self.carried.copy[slot])
            if copy >= 0 and self.run.arrived_s[copy] == time:
                return copy if self.instance.slot else self._served(slot, copy)
        return None

    def _served(self, slot: int, copy: int) -> int:
        """The slot under which the transfer is listed; notes the edge of the one that reads it."""
        if slot != copy and self.carried.edge[slot] >= 0:
            self.path.edges.append(int(self.carried.edge[slot]))
        return copy

    def _released(self, task: int, time: float) -> int | None:
        """A task on the same machine whose slot was free then."""
        on, ends = self.allocation[task], self.run.end_s
        low, high = np.searchsorted(self.on, (on, on + 1))
        rows = self.by_end[low:high]
        place = int(np.searchsorted(self.free_s[rows], time))
        while place < rows.size and self.free_s[rows[place]] == time:
            other = int(rows[place])
            # what took no time then may have gone on by itself: only its turn says who was first
            took_time = self.run.taken_s[other] < time
            if self.turn[other] < self.turn[task] or (self.instance.eager and took_time):
                self.path.add(STARTING, time - float(ends[other]))
                return other
            place += 1
        return None

    def _ahead_of(self, task: int) -> int | None:
        """The task before this one in its machine's order."""
        turn = int(self.turn[task])
        if turn == 0 or self.allocation[self.queue[turn - 1]] != self.allocation[task]:
            return None
        return int(self.queue[turn - 1])


# Which transfer brought each reader what it reads, where several readers share a copy.


def sent_slots(run: Run) -> Ints:
    """The slots whose transfers moved, in the order in which they set out."""
    slots = np.flatnonzero(~np.isnan(run.arrived_s))
    return slots[np.lexsort((slots, run.left_s[slots]))]


def copies_of(instance: Executed, allocation: Indices, run: Run) -> Indices:
    """The slot by whose transfer every slot was served; -1: nothing had to move.

    Returns
    -------
    int32 array (slots,)
    """
    moved = ~np.isnan(run.arrived_s)
    own = np.where(moved, np.arange(moved.size), -1)
    if not instance.once:
        return own.astype(np.int32)
    machines = instance.machine_cores.size
    key = instance.item.astype(np.int64) * machines + allocation[instance.reader]
    sent = np.flatnonzero(moved)
    order = sent[np.argsort(key[sent], kind="stable")]
    if not order.size:
        return own.astype(np.int32)
    place = np.minimum(np.searchsorted(key[order], key), order.size - 1)
    return np.where(key[order][place] == key, order[place], -1).astype(np.int32)
