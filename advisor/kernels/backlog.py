"""Machines, tasks and resources while a contention-aware schedule is estimated (`estimate`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import engine_kernel, heaps, kept_kernel, simulation_state, solution
from advisor.kernels.executed import Executed, small
from advisor.kernels.heaps import Agenda
from advisor.kernels.kept_kernel import Staying
from advisor.kernels.solution import Trial

Array = Any

BORROWING = ("lay_out", "refill", "hand_out")


class Backlog(NamedTuple):
    """Where machines, tasks and resources stand; n tasks, m machines, i items, j resources.

    Attributes
    ----------
    queue, first, head : int64 arrays (n,), (m + 1,), (m,)
        Tasks of every machine in the order of the plan; the first that has not started.
    free, room : int64 array (m,), array (c,)
        Cores, and memory and resources, that no task holds.
    staying : Staying
        Outputs that stay in memory.
    groups, grabbed : int64 array, int64 array (n, groups)
        Of unequal cores those that no task holds, and those that each holds.
    waiting : int64 array (n,)
        What must still be made or sent before a task can start.
    ready : array (n,)
        When the last of what was sent so far arrives.
    cause : int64 array (n,)
        The task that sent it, or -1.
    clear, pace : array (j,)
        When every resource has let pass what was sent; seconds a byte.
    base, members, round : array, int64 arrays (j,)
        Of every resource the last round of transfers that set out together: when it begins to let
        them pass, how many they are, and which round it is.
    left, sent, came : int64 arrays (m,), array (m,)
        The item + 1 that last set out for a machine, that was last announced there, and when that
        arrives.
    copies : array (i, m)
        Of items in slots where one copy suffices: when it is on a machine; -1: no copy.
    agenda : Agenda
        Ends of tasks, then the times at which tasks are ready.
    count : int64 array (1,)
        The present round.
    engine : array (1,)
        Until when the engine hands out tasks.
    drawn : array (m,)
        Bytes/s of memory that the tasks of every machine would move alone.
    """

    queue: Array
    first: Array
    head: Array
    free: Array
    room: Array
    staying: Staying
    groups: Array
    grabbed: Array
    waiting: Array
    ready: Array
    cause: Array
    clear: Array
    pace: Array
    base: Array
    members: Array
    round: Array
    left: Array
    sent: Array
    came: Array
    copies: Array
    agenda: Agenda
    count: Array
    engine: Array
    drawn: Array


def new_backlog(executed: Executed) -> Backlog:
    """Room for an estimate; the same room serves any number of them."""
    tasks, machines = executed.work_s.shape
    kept = executed.writer.size if executed.slot and executed.once else 0
    resources = executed.capacity.size
    pace = np.empty(resources)
    for one in range(resources):
        pace[one] = 1.0 / executed.capacity[one]
    return Backlog(
        np.zeros(tasks, np.int64),
        np.zeros(machines + 1, np.int64),
        np.zeros(machines, np.int64),
        np.zeros(machines, np.int64),
        executed.room.copy(),
        kept_kernel.new_staying(executed.kept, tasks),
        executed.group_cores.copy(),
        np.zeros((tasks, simulation_state.most_groups(executed)), np.int64),
        np.zeros(tasks, np.int64),
        np.zeros(tasks),
        np.zeros(tasks, np.int64),
        np.zeros(resources),
        pace,
        np.zeros(resources),
        np.zeros(resources, np.int64),
        np.full(resources, -1),
        np.zeros(machines, np.int64),
        np.zeros(machines, np.int64),
        np.zeros(machines),
        np.zeros((kept, machines)),
        heaps.new_agenda(2 * tasks),
        np.zeros(1, np.int64),
        np.zeros(1),
        np.zeros(machines),
    )


def refill(free: Array, there: Array) -> None:
    """Nobody holds anything."""
    for one in range(free.size):
        free[one] = there[one]


def hand_out(executed: Executed, state: Backlog, trial: Trial) -> None:
    """Hand out the tasks that wait for nothing, in the plan's order."""
    state.engine[0] = executed.begin_s
    for task in trial.order:
        if executed.dispatched and state.waiting[task] == 0:
            state.ready[task] = engine_kernel.handed_out(
                executed, state.engine, 0.0, trial.allocation[task]
            )


def lay_out(executed: Executed, state: Backlog, trial: Trial) -> None:
    """Nothing has started and nothing is under way."""
    tasks, machines = executed.work_s.shape
    first, head, waiting = state.first, state.head, state.waiting
    for q in range(machines):
        first[q + 1] = 0
        state.free[q] = executed.machine_cores[q]
        state.left[q] = 0
        state.sent[q] = 0
        state.drawn[q] = 0.0
    for task in range(tasks):
        first[trial.allocation[task] + 1] += 1
        waiting[task] = executed.before[task]
        state.ready[task] = 0.0
        state.cause[task] = -1
        trial.start[task] = -1.0
    for q in range(machines):
        first[q + 1] += first[q]
        head[q] = first[q]
    for position in range(tasks):
        task = trial.order[position]
        q = trial.allocation[task]
        state.queue[head[q]] = task
        head[q] += 1
    for q in range(machines):
        head[q] = first[q]
    refill(state.room, executed.room)
    refill(state.groups, executed.group_cores)
    kept_kernel.lay_out(executed.kept, executed.amount, trial.allocation, state.staying)
    for one in range(state.clear.size):
        state.clear[one] = 0.0
    for item in range(state.copies.shape[0]):
        for q in range(machines):
            state.copies[item, q] = -1.0
    for place in range(state.agenda.size[0]):
        state.agenda.place[state.agenda.heap[place]] = -1
    state.agenda.size[0] = 0
    if not executed.slot:
        for slot in range(executed.reader.size):
            if executed.writer[executed.item[slot]] < 0:
                waiting[executed.reader[slot]] += 1
    hand_out(executed, state, trial)


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    lay_out(executed, new_backlog(executed), solution.new_trial(2))
