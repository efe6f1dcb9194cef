"""HEFT with lookahead: each task where the tasks after it could end first.

What a trial places beside the schedule is taken back by machine: what was held of those that it
touched is kept meanwhile, and the room that their lists have outgrown is free again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import cores_kernel as cores
from advisor.kernels import costs_kernel as costs
from advisor.kernels import lists_kernel as lists
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Flags, Floats, Indices

BORROWING = ("chosen", "successors", "known_arrivals", "outlook", "keep")


class Trial(NamedTuple):
    """Room to try the successors of a task in, for m machines.

    Attributes
    ----------
    kept : Held
        What was held of the machines that are touched.
    touched : bool array (m,)
    free_memory : array (m,)
        While the successors are placed.
    after : int32 array (w,)
        The successors of the task; w is the most that any has.
    known : array (w, m)
        When what they get from other tasks that are placed is on each machine.
    arrival : array (m,)
        When all that one of them gets from placed tasks is.
    nothing : array (m,)
        0 everywhere.
    """

    kept: cores.Held
    touched: Flags
    free_memory: Floats
    after: Indices
    known: Floats
    arrival: Floats
    nothing: Floats


def by_outlook(instance: Instance, order: Indices) -> tuple[Indices, int]:
    """Place tasks in `order`, each where the last of its successors would end first.

    Returns
    -------
    allocation : int32 array (n,)
    homeless : int
        The first task that fits nowhere, or -1.
    """
    tasks, machines = instance.task_s.shape
    position = np.empty(tasks, np.int32)
    widest = 1
    for place in range(tasks):
        task = order[place]
        position[task] = place
        widest = max(widest, instance.first_out[task + 1] - instance.first_out[task])
    held = cores.empty(instance)
    trial = Trial(
        cores.copied(held),
        np.zeros(machines, np.bool_),
        np.empty(machines),
        np.empty(widest, np.int32),
        np.empty((widest, machines)),
        np.empty(machines),
        np.zeros(machines),
    )
    free_memory = instance.machine_memory.copy()
    allocation = np.full(tasks, -1, np.int32)
    end = np.empty(tasks)
    ready = np.empty(machines)
    for task in order:
        lists.arrivals(instance, allocation, end, task, ready)
        count = successors(instance, position, task, trial.after)
        known_arrivals(instance, allocation, end, task, trial.after[:count], trial.known)
        on = chosen(instance, held, free_memory, trial, count, task, ready)
        if on < 0:
            return allocation, task
        end[task] = lists.settle(instance, held, free_memory, task, on, ready[on])
        allocation[task] = on
    return allocation, -1


def chosen(
    instance: Instance,
    held: cores.Held,
    free_memory: Floats,
    trial: Trial,
    count: int,
    task: int,
    ready: Floats,
) -> int:
    """The machine with the best outlook for a task; of equal ones, where it ends first; or -1."""
    on, best, soonest = -1, np.inf, np.inf
    for q in range(ready.size):
        seconds = instance.task_s[task, q]
        if ready[q] + seconds == np.inf or instance.task_memory[task] > free_memory[q]:
            continue
        done = cores.earliest(instance, held, task, q, ready[q], seconds) + seconds
        for p in range(ready.size):
            trial.free_memory[p] = free_memory[p]
        trial.free_memory[q] -= instance.task_memory[task]
        last = outlook(instance, held, trial, count, task, q, done)
        if on < 0 or last < best or (last == best and done < soonest):
            on, best, soonest = q, last, done
    return on


def successors(instance: Instance, position: Indices, task: int, after: Indices) -> int:
    """Fill `after` with the tasks that read from `task`, each once, by position; their number."""
    count = 0
    for row in range(instance.first_out[task], instance.first_out[task + 1]):
        child = instance.target[instance.edge_out[row]]
        slot = count
        while slot > 0 and position[after[slot - 1]] > position[child]:
            slot -= 1
        if slot > 0 and after[slot - 1] == child:
            continue
        for later in range(count, slot, -1):
            after[later] = after[later - 1]
        after[slot] = child
        count += 1
    return count


def known_arrivals(
    instance: Instance,
    allocation: Indices,
    end: Floats,
    task: int,
    after: Indices,
    known: Floats,
) -> None:
    """When what each successor of `task` gets from elsewhere arrives, of what is placed already."""
    for slot in range(after.size):
        child = after[slot]
        for q in range(known.shape[1]):
            known[slot, q] = costs.fetched_s(instance, child, q)
        for edge in range(instance.first_in[child], instance.first_in[child + 1]):
            source = instance.source[edge]
            p = allocation[source]
            if source != task and p >= 0:
                for q in range(known.shape[1]):
                    comes = end[source] + costs.flow_s(instance, edge, p, q)
                    known[slot, q] = max(known[slot, q], comes)


def outlook(
    instance: Instance,
    held: cores.Held,
    trial: Trial,
    count: int,
    task: int,
    on: int,
    done: float,
) -> float:
    """The last end of the successors, each where it ends first, if `task` is `done` on a machine.

    The task itself needs not be held: no successor starts before it is done. `held` is as before
    afterwards.
    """
    top, arrival = held.lists.shape[0] - 1, trial.arrival
    first_free = held.lists[top, 0]
    last = done
    machines = arrival.size
    for unit in range(machines, machines + instance.room.size):
        keep(held, trial.kept, unit)
    for slot in range(count):
        child = trial.after[slot]
        for q in range(arrival.size):
            arrival[q] = trial.known[slot, q]
        for edge in range(instance.first_in[child], instance.first_in[child + 1]):
            if instance.source[edge] == task:
                for q in range(arrival.size):
                    comes = done + costs.flow_s(instance, edge, on, q)
                    arrival[q] = max(arrival[q], comes)
        room = trial.free_memory
        q, least = lists.best_machine(instance, held, room, child, arrival, trial.nothing)
        last = max(last, least)
        if q < 0:
            break
        if not trial.touched[q]:
            trial.touched[q] = True
            keep(held, trial.kept, q)
        lists.settle(instance, held, room, child, q, arrival[q])
    for q in range(arrival.size):
        if trial.touched[q]:
            trial.touched[q] = False
            keep(trial.kept, held, q)
    for unit in range(machines, machines + instance.room.size):
        keep(trial.kept, held, unit)
    held.lists[top, 0] = first_free
    return last


def keep(held: cores.Held, kept: cores.Held, q: int) -> None:
    """Copy to `kept` what is held of machine q, or of a room after them, at the same places."""
    if q < held.tail.size:
        kept.tail[q] = held.tail[q]
    for which in range(q, held.lists.shape[0] - 1, held.lists.shape[0] // 2):
        for column in range(3):
            kept.lists[which, column] = held.lists[which, column]
        base = held.lists[which, 0]
        for row in range(base, base + held.lists[which, 1]):
            kept.rows[row, 0] = held.rows[row, 0]
            kept.rows[row, 1] = held.rows[row, 1]


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    by_outlook(instance, instance.topological_order)
