"""HEFT with lookahead: each task where the tasks after it could end first.

What a trial places beside the schedule is taken back by lists: those of the machines that it
touched are kept, and whatever room they outgrew meanwhile is free again.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import cores, costs, lists
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Flags, Floats, Indices

BORROWING = ("successors", "known_arrivals", "outlook", "keep")


def by_outlook(instance: Instance, order: Indices) -> tuple[Indices, int]:
    """Place tasks in `order`, each where the last of its successors would end first.

    Returns
    -------
    allocation : int32 array (n,)
    homeless : int
        The first task that fits nowhere, or -1.
    """
    tasks, machines = instance.task_s.shape
    widest = (instance.first_out[1:] - instance.first_out[:-1]).max()
    held = cores.empty(instance)
    kept = cores.copied(held)
    allocation = np.full(tasks, -1, np.int32)
    end = np.empty(tasks)
    position = np.empty(tasks, np.int32)
    position[order] = np.arange(tasks).astype(np.int32)
    ready = np.empty(machines)
    after = np.empty(max(widest, 1), np.int32)
    known = np.empty((max(widest, 1), machines))
    room = np.empty(machines)
    there = np.empty(machines)
    touched = np.zeros(machines, np.bool_)
    free_memory = instance.machine_memory.copy()
    for task in order:
        lists.arrivals(instance, allocation, end, task, ready)
        count = successors(instance, position, task, after)
        known_arrivals(instance, allocation, end, task, after[:count], known)
        on, best, soonest = -1, np.inf, np.inf
        for q in range(machines):
            seconds = instance.task_s[task, q]
            if ready[q] + seconds == np.inf or instance.task_memory[task] > free_memory[q]:
                continue
            done = cores.earliest(instance, held, task, q, ready[q], seconds) + seconds
            room[:] = free_memory
            room[q] -= instance.task_memory[task]
            last = done
            if count > 0:
                last = outlook(
                    instance, held, kept, touched, room, task, q, done, after[:count], known, there
                )
            if on < 0 or last < best or (last == best and done < soonest):
                on, best, soonest = q, last, done
        if on < 0:
            return allocation, task
        end[task] = lists.settle(instance, held, free_memory, task, on, ready[on])
        allocation[task] = on
    return allocation, -1


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
    machines = known.shape[1]
    for slot in range(after.size):
        child = after[slot]
        for q in range(machines):
            known[slot, q] = costs.fetched_s(instance, child, q)
        for edge in range(instance.first_in[child], instance.first_in[child + 1]):
            source = instance.source[edge]
            p = allocation[source]
            if source != task and p >= 0:
                for q in range(machines):
                    arrival = end[source] + costs.flow_s(instance, edge, p, q)
                    known[slot, q] = max(known[slot, q], arrival)


def outlook(
    instance: Instance,
    held: cores.Held,
    kept: cores.Held,
    touched: Flags,
    room: Floats,
    task: int,
    on: int,
    done: float,
    after: Indices,
    known: Floats,
    there: Floats,
) -> float:
    """The last end of the successors, each where it ends first, if `task` is `done` on a machine.

    The task itself needs not be held: no successor starts before it is done. `held` is as before
    afterwards; `kept`, `touched`, `room` and `there` are for use within.
    """
    top = held.lists.shape[0] - 1
    first_free = held.lists[top, 0]
    last = done
    for slot in range(after.size):
        child = after[slot]
        for q in range(there.size):
            there[q] = known[slot, q]
        for edge in range(instance.first_in[child], instance.first_in[child + 1]):
            if instance.source[edge] == task:
                for q in range(there.size):
                    arrival = done + costs.flow_s(instance, edge, on, q)
                    there[q] = max(there[q], arrival)
        best, least = -1, np.inf
        for q in range(there.size):
            seconds = instance.task_s[child, q]
            if there[q] + seconds < least and instance.task_memory[child] <= room[q]:
                ends = cores.earliest(instance, held, child, q, there[q], seconds) + seconds
                if ends < least:
                    best, least = q, ends
        last = max(last, least)
        if best < 0:
            break
        if not touched[best]:
            touched[best] = True
            keep(held, kept, best)
        room[best] -= instance.task_memory[child]
        cores.hold(instance, held, child, best, there[best], instance.task_s[child, best])
    for q in range(there.size):
        if touched[q]:
            touched[q] = False
            keep(kept, held, q)
    held.lists[top, 0] = first_free
    return last


def keep(held: cores.Held, kept: cores.Held, q: int) -> None:
    """Copy to `kept` what is held of machine q, at the same places."""
    kept.tail[q] = held.tail[q]
    for which in range(q, held.lists.shape[0] - 1, held.tail.size):
        for column in range(3):
            kept.lists[which, column] = held.lists[which, column]
        base = held.lists[which, 0]
        for row in range(base, base + held.lists[which, 1]):
            kept.rows[row, 0] = held.rows[row, 0]
            kept.rows[row, 1] = held.rows[row, 1]


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    by_outlook(tiny(), np.arange(2).astype(np.int32))
