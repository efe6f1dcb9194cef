"""Where machines, tasks and items stand while a plan is carried out (`execution`).

A machine's tasks all run at one speed, that of its cores in use; so it keeps how much each has
computed, and a heap of the amounts at which they end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import engine_kernel, heaps, kept_kernel, memory_kernel
from advisor.kernels.executed import Executed, Run, small
from advisor.kernels.heaps import Agenda
from advisor.kernels.kept_kernel import Staying
from advisor.kernels.memory_kernel import Streams
from machines.arrays import Indices

Array = Any

ABSENT, COMING, HERE = 0, 1, 2  # of an item on a machine

INLINED = (
    *(
        "source_of",
        "moves",
        "send",
        "deliver",
        "await_engine",
        "work",
        "compute",
        "touch",
        "settle_machine",
    ),
    *("fits", "hold", "give_back", "release"),
)
BORROWING = (*INLINED, "hand_out", "grab", "most_groups", "delay_of")


class SimulationState(NamedTuple):
    """Where machines and tasks stand.

    Attributes
    ----------
    queue, first : int32 arrays (n,), (m + 1,)
        Tasks of every machine in the order of the plan.
    head : int64 array (m,)
        The first of them that has not taken its cores, in `queue`.
    free, using : int64 arrays (m,)
        Cores that no task holds, and that compute.
    room : array (c,)
        What no task holds of memory and resources.
    staying : Staying
        Outputs that stay in memory.
    grabbed, slow : int64 array (n, groups), array (n,)
        Cores that a task holds of every group of its machine; how many times longer it computes
        than on the fastest.
    groups : int64 array
        Cores of every group that no task holds.
    waiting, missing : int64 arrays (n,)
        What must still happen before a task may take its cores, or compute in its slot.
    done, speed, since : arrays (m,)
        Seconds that each task has computed since the machine was last idle, as of `since`.
    root, due : int64 arrays (m,)
        Tasks that compute, as a heap in `key`, `left` and `right` (n,); the one that ends first.
    streams : Streams
        Those of them, in no heap, that share the memory bandwidth of their machine.
    copies : int8 array (i, m)
        Of items in slots where one copy suffices: whether a machine has one.
    sent : int64 array (m,)
        The item + 1 that last set out for a machine.
    woken, changed : int8 arrays (m,)
        Machines that may start tasks, and whose speed is to be settled.
    rank, desk, engine : int64 array (n,), Agenda, array (1,)
        Where tasks are dispatched: the place of each in the plan's order, those that the engine
        sees and has not handed out, and until when it hands out others.
    touched, counts : int64 arrays
        Classes with other transfers than before; their number, and the last mark.
    """

    queue: Array
    first: Array
    head: Array
    free: Array
    using: Array
    room: Array
    staying: Staying
    grabbed: Array
    slow: Array
    groups: Array
    waiting: Array
    missing: Array
    done: Array
    speed: Array
    since: Array
    root: Array
    due: Array
    key: Array
    left: Array
    right: Array
    streams: Streams
    copies: Array
    sent: Array
    woken: Array
    changed: Array
    rank: Array
    desk: Agenda
    engine: Array
    touched: Array
    counts: Array


def new_floor(executed: Executed, allocation: Indices, order: Indices) -> SimulationState:
    """Nothing has started."""
    tasks, machines = executed.work_s.shape
    first = np.zeros(machines + 1, np.int32)
    for task in range(tasks):
        first[allocation[task] + 1] += 1
    for q in range(machines):
        first[q + 1] += first[q]
    queue = np.empty(tasks, np.int32)
    head = first[:-1].astype(np.int64)
    for task in order:
        queue[head[allocation[task]]] = task
        head[allocation[task]] += 1
    waiting = executed.before.astype(np.int64)
    if not executed.slot:
        for slot in range(executed.reader.size):
            if executed.writer[executed.item[slot]] < 0:
                waiting[executed.reader[slot]] += 1
    kept = executed.writer.size if executed.slot and executed.once else 0
    rank = np.zeros(tasks if executed.dispatched else 0, np.int64)
    for place in range(rank.size):
        rank[order[place]] = place
    staying = kept_kernel.new_staying(executed.kept, tasks)
    kept_kernel.lay_out(executed.kept, executed.amount, allocation, staying)
    return SimulationState(
        queue,
        first,
        first[:-1].astype(np.int64),
        executed.machine_cores.astype(np.int64),
        np.zeros(machines, np.int64),
        executed.room.copy(),
        staying,
        np.zeros((tasks, most_groups(executed)), np.int64),
        np.ones(tasks),
        executed.group_cores.copy(),
        waiting,
        np.zeros(tasks, np.int64),
        np.zeros(machines),
        np.ones(machines),
        np.zeros(machines),
        np.full(machines, -1),
        np.full(machines, -1),
        np.zeros(tasks),
        np.full(tasks, -1),
        np.full(tasks, -1),
        memory_kernel.new_streams(executed),
        np.zeros((kept, machines), np.int8),
        np.zeros(machines, np.int64),
        np.ones(machines, np.int8),
        np.zeros(machines, np.int8),
        rank,
        heaps.new_agenda(rank.size),
        np.full(1, executed.begin_s),
        np.zeros(executed.reader.size + 1, np.int64),
        np.zeros(2, np.int64),
    )


def source_of(executed: Executed, allocation: Indices, item: int) -> int:
    """The host from which an item moves."""
    writer = executed.writer[item]
    return int(executed.home[item] if writer < 0 else allocation[writer])


def moves(executed: Executed, item: int) -> bool:
    """Whether an item takes a way at all: it has bytes, or stated seconds."""
    return bool(executed.table[item] >= 0 or executed.size_bytes[item] > 0.0)


def delay_of(executed: Executed, item: int, p: int, q: int) -> float:
    """Stated seconds, or the startups of an item's messages; inf where there is no way."""
    if executed.table[item] >= 0:
        return float(executed.tables[executed.table[item], p, q])
    delay_s = 0.0
    for size in range(executed.messages.shape[1]):
        if executed.messages[item, size] > 0.0:
            delay_s += executed.messages[item, size] * executed.startup_s[size, p, q]
    return delay_s


def send(
    executed: Executed, run: Run, agenda: Agenda, slot: int, p: int, q: int, now: float
) -> bool:
    """A transfer sets out from host p to machine q; False if it never arrives."""
    item = executed.item[slot]
    delay_s = delay_of(executed, item, p, q)
    run.left_s[slot] = now
    heaps.put(agenda, sum(executed.work_s.shape) + slot, now + delay_s)
    return delay_s < np.inf


def deliver(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> None:
    """One of the things that a task waits for has happened."""
    floor.waiting[task] -= 1
    if floor.waiting[task] == 0:
        if executed.dispatched:
            await_engine(executed, floor, run, agenda, task, now)
        else:
            floor.woken[allocation[task]] = 1


def await_engine(
    executed: Executed, floor: SimulationState, run: Run, agenda: Agenda, task: int, now: float
) -> None:
    """All that a task waits for is there: only the engine is left."""
    floor.waiting[task] = 1
    run.ready_s[task] = now
    heaps.put(agenda, floor.head.size + task, engine_kernel.seen(executed, now))


def hand_out(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    now: float,
) -> None:
    """Hand out what the engine sees by now, in the plan's order."""
    while floor.desk.size[0] > 0:
        task = floor.desk.heap[0]
        heaps.drop(floor.desk, task)
        q = allocation[task]
        run.released_s[task] = engine_kernel.handed_out(executed, floor.engine, now, q)
        heaps.put(agenda, floor.head.size + task, run.released_s[task])


def work(floor: SimulationState, q: int, now: float) -> None:
    """What the tasks of a machine have computed by now; from 0 again when it was idle."""
    memory_kernel.move(floor.streams, q, floor.speed[q], now - floor.since[q])
    done = floor.done[q] + floor.speed[q] * (now - floor.since[q])
    floor.done[q] = done if floor.root[q] >= 0 else 0.0
    floor.since[q] = now


def compute(
    executed: Executed, floor: SimulationState, allocation: Indices, task: int, now: float
) -> None:
    """A task begins to compute."""
    q = allocation[task]
    work(floor, q, now)
    floor.using[q] += executed.task_cores[task]
    floor.changed[q] = 1
    seconds = executed.work_s[task, q] * floor.slow[task]
    if memory_kernel.draws(executed, task, q):
        memory_kernel.join(floor.streams, task, q, seconds)
        return
    floor.key[task] = floor.done[q] + seconds
    floor.root[q] = heaps.melded(floor.key, floor.left, floor.right, floor.root[q], task)


def fits(executed: Executed, floor: SimulationState, task: int, q: int) -> bool:
    """Whether all that a task holds beside cores is free on machine q."""
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, floor.staying, task, kind)
        if wanted > floor.room[executed.place[kind, q]]:
            return False
    return True


def hold(executed: Executed, floor: SimulationState, task: int, q: int) -> None:
    """A task takes its cores, of unequal ones the fastest that are free, and all else."""
    floor.free[q] -= executed.task_cores[task]
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, floor.staying, task, kind)
        floor.room[executed.place[kind, q]] -= wanted
    if executed.first_group[q + 1] > executed.first_group[q]:
        floor.slow[task] = grab(executed, floor.groups, floor.grabbed, task, q)


def grab(executed: Executed, groups: Array, grabbed: Array, task: int, q: int) -> float:
    """A task takes the fastest of unequal cores that are free.

    Returns how many times longer it computes there than on the fastest of all.
    """
    first, needs = executed.first_group[q], executed.task_cores[task]
    left, speed, best, ideal = needs, 0.0, needs, 0.0
    for group in range(first, executed.first_group[q + 1]):
        taken = min(left, groups[group])
        groups[group] -= taken
        grabbed[task, group - first] = taken
        speed += taken * executed.group_speed[group]
        left -= taken
        could = min(best, executed.group_cores[group])
        ideal += could * executed.group_speed[group]
        best -= could
    return float(ideal / speed)


def give_back(executed: Executed, groups: Array, grabbed: Array, task: int, q: int) -> None:
    """The cores of a task are free."""
    first = executed.first_group[q]
    for group in range(first, executed.first_group[q + 1]):
        groups[group] += grabbed[task, group - first]


def most_groups(executed: Executed) -> int:
    """The most groups of a machine; 0 where all cores of every machine are alike."""
    most = 0
    for q in range(executed.first_group.size - 1):
        most = max(most, executed.first_group[q + 1] - executed.first_group[q])
    return most


def release(
    executed: Executed, floor: SimulationState, allocation: Indices, task: int, q: int
) -> None:
    """A task gives back what it took with `hold` and does not keep; who waits for it may start."""
    floor.free[q] += executed.task_cores[task]
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, floor.staying, task, kind)
        floor.room[executed.place[kind, q]] += wanted
    if floor.staying.stay.size > 0:
        freed = kept_kernel.ended(executed.kept, floor.staying, allocation, task)
        floor.room[executed.place[0, q]] += freed - floor.staying.stay[task]
    give_back(executed, floor.groups, floor.grabbed, task, q)
    floor.woken[q] = 1
    if executed.wide:
        for other in range(floor.woken.size):
            floor.woken[other] = 1


def touch(floor: SimulationState, one: int) -> None:
    """Note a class whose rate is to be settled."""
    floor.touched[floor.counts[0]] = one
    floor.counts[0] += 1


def settle_machine(
    executed: Executed, floor: SimulationState, agenda: Agenda, q: int, now: float
) -> None:
    """The speed of a machine's tasks from now on, and when the first of them ends."""
    floor.changed[q] = 0
    work(floor, q, now)
    if floor.using[q] == 0:
        heaps.drop(agenda, q)
        return
    floor.speed[q] = executed.rates[executed.first_rate[q] + floor.using[q] - 1]
    floor.due[q], first_s = floor.root[q], np.inf
    if floor.due[q] >= 0:
        first_s = max(0.0, floor.key[floor.due[q]] - floor.done[q]) / floor.speed[q]
    if executed.draws.shape[0] > 0:
        memory_kernel.share(executed, floor.streams, q, floor.speed[q])
        end_s, task = memory_kernel.first_end(floor.streams, q)
        if end_s < first_s:
            floor.due[q], first_s = task, end_s
    heaps.put(agenda, q, now + first_s)


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    order = np.array([0, 1], np.int32)
    floor, agenda = new_floor(executed, order, order), heaps.new_agenda(8)
    source_of(executed, order, 0)
    moves(executed, 0)
    delay_of(executed, 0, 0, 1)
    run = Run(*np.zeros((len(Run._fields), 2)))
    deliver(executed, floor, run, agenda, order, 1, 0.0)
    hand_out(executed, floor, run, agenda, order, 0.0)
    fits(executed, floor, 0, 0)
    hold(executed, floor, 0, 0)
    release(executed, floor, order, 0, 0)
    compute(executed, floor, order, 0, 0.0)
    settle_machine(executed, floor, agenda, 0, 0.0)
    touch(floor, 0)
