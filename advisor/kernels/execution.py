"""The executed plan, event by event: transfers share what they cross, tasks share processors.

Machines take their tasks in the order of the plan. What a task makes sets out for its readers at
once (*ahead*) or when a reader has its cores (*slot*); it waits for the startups of its route, then
moves at the fair rate of its class (`fairness`). The cores in use of a machine give the speed of
each task there, so that a machine keeps how much each has computed, and a heap of their ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import fairness, heaps
from advisor.kernels.executed import Executed, Run, small
from advisor.kernels.fairness import Flows
from advisor.kernels.heaps import Agenda
from machines.arrays import Floats, Indices

Array = Any

ABSENT, COMING, HERE = 0, 1, 2
_AT_ONCE = 1.0 + 1e-13  # what is no further apart happens together
_TOGETHER = 1.0 + 1e-12  # of levels, which differ by rounding

INLINED = (
    *("source_of", "moves", "send", "deliver", "work", "compute", "begin", "take", "touch"),
    *("start_tasks", "settle_machine", "settle_class", "complete", "ends", "happen"),
)
BORROWING = (*INLINED, "delay_of", "dispatch", "arrive", "finish", "advance")


class Floor(NamedTuple):
    """Where machines and tasks stand.

    Attributes
    ----------
    queue, first : int32 arrays (n,), (m + 1,)
        Tasks of every machine in the order of the plan.
    head : int64 array (m,)
        The first of them that has not taken its cores, in `queue`.
    free, using : int64 arrays (m,)
        Cores that no task holds, and that compute.
    waiting, missing : int64 arrays (n,)
        What must still happen before a task may take its cores, or compute in its slot.
    done, speed, since : arrays (m,)
        Seconds that each task has computed since the machine was last idle, as of `since`.
    root, due : int64 arrays (m,)
        Tasks that compute, as a heap in `key`, `left` and `right` (n,); the one that ends first.
    copies : int8 array (i, m)
        Of items in slots where one copy suffices: whether a machine has one.
    sent : int64 array (m,)
        The item + 1 that last set out for a machine.
    woken, changed : int8 arrays (m,)
        Machines that may start tasks, and whose speed is to be settled.
    touched, counts : int64 arrays
        Classes with other transfers than before; their number, and the last mark.
    """

    queue: Array
    first: Array
    head: Array
    free: Array
    using: Array
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
    copies: Array
    sent: Array
    woken: Array
    changed: Array
    touched: Array
    counts: Array


def new_floor(executed: Executed, allocation: Indices, order: Indices) -> Floor:
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
    return Floor(
        queue,
        first,
        first[:-1].astype(np.int64),
        executed.machine_cores.astype(np.int64),
        np.zeros(machines, np.int64),
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
        np.zeros((kept, machines), np.int8),
        np.zeros(machines, np.int64),
        np.ones(machines, np.int8),
        np.zeros(machines, np.int8),
        np.zeros(executed.reader.size + 1, np.int64),
        np.zeros(2, np.int64),
    )


def blank(executed: Executed) -> Run:
    """A run in which nothing has happened."""
    tasks, slots = executed.before.size, executed.reader.size
    return Run(
        np.full(tasks, np.nan),
        np.full(tasks, np.nan),
        np.full(tasks, np.nan),
        np.full(slots, np.nan),
        np.full(slots, np.nan),
        np.full(slots, np.nan),
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


def work(floor: Floor, q: int, now: float) -> None:
    """What the tasks of a machine have computed by now; from 0 again when it was idle."""
    done = floor.done[q] + floor.speed[q] * (now - floor.since[q])
    floor.done[q] = done if floor.root[q] >= 0 else 0.0
    floor.since[q] = now


def compute(executed: Executed, floor: Floor, allocation: Indices, task: int, now: float) -> None:
    """A task begins to compute."""
    q = allocation[task]
    work(floor, q, now)
    floor.using[q] += executed.task_cores[task]
    floor.key[task] = floor.done[q] + executed.work_s[task, q]
    floor.root[q] = heaps.melded(floor.key, floor.left, floor.right, floor.root[q], task)
    floor.changed[q] = 1


def begin(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> None:
    """A task has its cores and its data."""
    run.start_s[task] = now
    if executed.overhead_s > 0.0:
        heaps.put(agenda, floor.head.size + task, now + executed.overhead_s)
    else:
        compute(executed, floor, allocation, task, now)


def deliver(floor: Floor, allocation: Indices, task: int) -> None:
    """One of the things that a task waits for has happened."""
    floor.waiting[task] -= 1
    if floor.waiting[task] == 0:
        floor.woken[allocation[task]] = 1


def dispatch(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    item: int,
    now: float,
) -> bool:
    """Send an item to all that read it, as soon as it is there; False: some can't be reached."""
    source, reached = source_of(executed, allocation, item), True
    for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
        q = allocation[executed.reader[slot]]
        if q == source or not moves(executed, item):
            deliver(floor, allocation, executed.reader[slot])
        elif not executed.once or floor.sent[q] != item + 1:
            floor.sent[q] = item + 1
            reached &= send(executed, run, agenda, slot, source, q, now)
    return reached


def arrive(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    slot: int,
    now: float,
) -> None:
    """A transfer is there: all that wait for it on that machine may go on."""
    run.arrived_s[slot] = now
    item, q = executed.item[slot], allocation[executed.reader[slot]]
    first, last = slot, slot + 1
    if executed.once:
        first, last = executed.first_slot[item], executed.first_slot[item + 1]
        if executed.slot:
            floor.copies[item, q] = HERE
    for other in range(first, last):
        task = executed.reader[other]
        if allocation[task] != q:
            continue
        if not executed.slot:
            deliver(floor, allocation, task)
        elif floor.missing[task] > 0:
            floor.missing[task] -= 1
            if floor.missing[task] == 0:
                begin(executed, floor, run, agenda, allocation, task, now)


def take(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> bool:
    """A task takes its cores, and fetches what is not there; False if that never arrives."""
    q, reached = allocation[task], True
    floor.free[q] -= executed.task_cores[task]
    run.taken_s[task] = now
    if executed.slot:
        for place in range(executed.first_input[task], executed.first_input[task + 1]):
            slot = executed.input_slot[place]
            item = executed.item[slot]
            source = source_of(executed, allocation, item)
            if source == q or not moves(executed, item):
                continue
            if executed.once:
                if floor.copies[item, q] == HERE:
                    continue
                floor.missing[task] += 1
                if floor.copies[item, q] == COMING:
                    continue
                floor.copies[item, q] = COMING
            else:
                floor.missing[task] += 1
            reached &= send(executed, run, agenda, slot, source, q, now)
    if floor.missing[task] == 0:
        begin(executed, floor, run, agenda, allocation, task, now)
    return reached


def start_tasks(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    q: int,
    now: float,
) -> bool:
    """Let a machine's tasks take their cores: in order, or the first that are ready."""
    floor.woken[q] = 0
    last, reached, place = floor.first[q + 1], True, floor.head[q]
    while place < last and floor.free[q] > 0:
        task = floor.queue[place]
        ready = floor.waiting[task] == 0 and np.isnan(run.taken_s[task])
        if ready and executed.task_cores[task] <= floor.free[q]:
            reached &= take(executed, floor, run, agenda, allocation, task, now)
        elif not executed.eager or ready:
            break
        place += 1
    while floor.head[q] < last and not np.isnan(run.taken_s[floor.queue[floor.head[q]]]):
        floor.head[q] += 1
    return reached


def finish(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> bool:
    """A task ends: its cores are free and what it made is there; False: some can't be reached."""
    q, reached = allocation[task], True
    run.end_s[task] = now
    floor.free[q] += executed.task_cores[task]
    floor.using[q] -= executed.task_cores[task]
    floor.woken[q] = floor.changed[q] = 1
    for place in range(executed.first_made[task], executed.first_made[task + 1]):
        item = executed.made[place]
        if not executed.slot:
            reached &= dispatch(executed, floor, run, agenda, allocation, item, now)
            continue
        for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
            deliver(floor, allocation, executed.reader[slot])
    for place in range(executed.first_next[task], executed.first_next[task + 1]):
        deliver(floor, allocation, executed.following[place])
    return reached


def settle_machine(executed: Executed, floor: Floor, agenda: Agenda, q: int, now: float) -> None:
    """The speed of a machine's tasks from now on, and when the first of them ends."""
    floor.changed[q] = 0
    work(floor, q, now)
    if floor.using[q] > 0:
        floor.speed[q] = executed.rates[executed.first_rate[q] + floor.using[q] - 1]
        floor.due[q] = floor.root[q]
        left_s = max(0.0, floor.key[floor.due[q]] - floor.done[q])
        heaps.put(agenda, q, now + left_s / floor.speed[q])
    else:
        heaps.drop(agenda, q)


def settle_class(
    executed: Executed,
    flows: Flows,
    agenda: Agenda,
    one: int,
    now: float,
    trace: Floats,
    changes: int,
) -> int:
    """Rates of what shares resources with a class, piece by piece, and the next end of each.

    Notes the new loads in `trace` as far as there is room; returns how many there are by now.
    """
    route = one % executed.weight.size
    low, high = executed.first_pass[route], executed.first_pass[route + 1]
    classes = agenda.when.size - flows.members.size
    if low == high and flows.seen[one] != flows.count[fairness.MARK]:
        heaps.drop(agenda, classes + one)
        when, first = fairness.alone(flows, one, now)
        if first >= 0:
            heaps.put(agenda, classes + first, when)
    for place in range(low, high):
        resource = executed.passed[place]
        if flows.met[resource] == flows.count[fairness.MARK]:
            continue
        fairness.collect(executed, flows, resource)
        for index in range(flows.count[fairness.CLASSES]):
            heaps.drop(agenda, classes + flows.classes[index])
        when, first = fairness.settle(executed, flows, now)
        if first >= 0:
            heaps.put(agenda, classes + first, when)
        for index in range(flows.count[fairness.RESOURCES]):
            if changes < trace.shape[0]:
                other = flows.resources[index]
                trace[changes, 0] = now
                trace[changes, 1] = other
                trace[changes, 2] = executed.capacity[other] - flows.spare[other]
            changes += 1
    return changes


def ends(
    executed: Executed,
    floor: Floor,
    flows: Flows,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    one: int,
    now: float,
) -> None:
    """The transfers of a class that have moved all their bytes arrive."""
    fairness.move(flows, one, now)
    flows.level[one] = max(flows.level[one], flows.key[flows.due[one]])
    while flows.root[one] >= 0 and flows.key[flows.root[one]] <= flows.level[one] * _TOGETHER:
        slot = fairness.leave(executed, flows, one)
        arrive(executed, floor, run, agenda, allocation, slot, now)
    touch(floor, one)


def touch(floor: Floor, one: int) -> None:
    """Note a class whose rate is to be settled."""
    floor.touched[floor.counts[0]] = one
    floor.counts[0] += 1


def happen(
    executed: Executed,
    floor: Floor,
    flows: Flows,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    now: float,
) -> bool:
    """What is due next; False: something can't get where it is needed.

    The agenda is of the machines whose first task ends, then of tasks that are prepared, then of
    transfers whose startup is over, then of classes whose first transfer ends.
    """
    tasks, machines = executed.work_s.shape
    who, slots, hosts = agenda.heap[0], executed.reader.size, executed.startup_s.shape[1]
    heaps.drop(agenda, who)
    if who < machines:
        return complete(executed, floor, run, agenda, allocation, who, now)
    who -= machines
    if who < tasks:
        compute(executed, floor, allocation, who, now)
        return True
    who -= tasks
    if who >= slots:
        ends(executed, floor, flows, run, agenda, allocation, who - slots, now)
        return True
    item = executed.item[who]
    run.moved_s[who] = now
    if executed.table[item] >= 0:
        arrive(executed, floor, run, agenda, allocation, who, now)
        return True
    source = source_of(executed, allocation, item)
    one = (executed.mix[item] * hosts + source) * hosts + allocation[executed.reader[who]]
    fairness.join(executed, flows, one, who, now)
    touch(floor, one)
    return True


def complete(
    executed: Executed,
    floor: Floor,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    q: int,
    now: float,
) -> bool:
    """The tasks of a machine that have computed all end; False: as of `finish`."""
    reached = True
    work(floor, q, now)
    floor.done[q] = max(floor.done[q], floor.key[floor.due[q]])
    while floor.root[q] >= 0 and floor.key[floor.root[q]] <= floor.done[q] * _TOGETHER:
        task = floor.root[q]
        floor.root[q] = heaps.without_least(floor.key, floor.left, floor.right, task)
        reached &= finish(executed, floor, run, agenda, allocation, task, now)
    return reached


def advance(
    executed: Executed,
    floor: Floor,
    flows: Flows,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    trace: Floats,
) -> int:
    """Let everything happen; returns the number of changes of load, or -1 if it never ends."""
    now, reached, changes = 0.0, True, 0
    while reached:
        floor.counts[0] = 0
        while reached and agenda.size[0] > 0 and floor.counts[0] < floor.touched.size:
            if agenda.when[agenda.heap[0]] > now * _AT_ONCE:
                break
            reached = happen(executed, floor, flows, run, agenda, allocation, now)
        for q in range(floor.head.size):
            if floor.woken[q] == 1:
                reached &= start_tasks(executed, floor, run, agenda, allocation, q, now)
            if floor.changed[q] == 1:
                settle_machine(executed, floor, agenda, q, now)
        flows.count[fairness.MARK] += 1
        for index in range(floor.counts[0]):
            one = floor.touched[index]
            changes = settle_class(executed, flows, agenda, one, now, trace, changes)
        if agenda.size[0] == 0:
            return changes
        now = agenda.when[agenda.heap[0]]
        reached &= now < np.inf
    return -1


def execute(
    executed: Executed, allocation: Indices, order: Indices, run: Run, trace: Floats
) -> tuple[float, int]:
    """Carry the plan out; fills `run`.

    Parameters
    ----------
    allocation, order : int32 arrays (n,)
        Machine of every task, and the order in which machines take theirs; every task after those
        that it reads from.
    trace : array (room, 3)
        Takes time, resource, and the bytes/s that move through it from then on.

    Returns
    -------
    makespan_s : float
        inf if a task can't run where it is, or its data can't get there.
    changes : int
        How much room the trace needs.
    """
    tasks, machines = executed.work_s.shape
    for task in range(tasks):
        q = allocation[task]
        if executed.work_s[task, q] == np.inf or (
            executed.task_cores[task] > executed.machine_cores[q]
        ):
            return np.inf, 0
    floor = new_floor(executed, allocation, order)
    flows = fairness.new_flows(executed)
    agenda = heaps.new_agenda(machines + tasks + executed.reader.size + flows.members.size)
    if not executed.slot:
        for item in range(executed.writer.size):
            if executed.writer[item] < 0 and not dispatch(
                executed, floor, run, agenda, allocation, item, 0.0
            ):
                return np.inf, 0
    changes = advance(executed, floor, flows, run, agenda, allocation, trace)
    latest = 0.0
    for task in range(tasks):
        if np.isnan(run.end_s[task]):
            return np.inf, 0
        latest = max(latest, run.end_s[task])
    return latest, changes


def makespan(executed: Executed, allocation: Indices, order: Indices) -> float:
    """The last end in seconds; inf if infeasible."""
    value, _ = execute(executed, allocation, order, blank(executed), np.empty((0, 3)))
    return value


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    order = np.array([0, 1], np.int32)
    makespan(executed, order, order)
