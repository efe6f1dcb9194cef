"""The contention-aware schedule, event by event: transfers share links, tasks share processors.

Machines take their tasks in the order of the plan. What a task makes sets out for its readers at
once (*ahead*) or when a reader has its cores (*slot*); it waits for the startups of its route, then
moves at the fair rate of its class (`fairness`). The cores in use of a machine give the speed of
each task there, so that a machine keeps how much each has computed, and a heap of their ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels import engine_kernel, fairness, heaps, memory_kernel
from advisor.kernels import simulation_state as floors
from advisor.kernels.executed import Executed, Run, small
from advisor.kernels.fairness import Flows
from advisor.kernels.heaps import Agenda
from advisor.kernels.simulation_state import SimulationState
from machines.arrays import Floats, Indices

Array = Any

_AT_ONCE = 1.0 + 1e-13  # what is no further apart happens together
_TOGETHER = 1.0 + 1e-12  # of levels, which differ by rounding

INLINED = (
    *("begin", "take", "start_tasks", "complete", "ends", "happen"),
    *("send_out", "arrive", "finish"),
)
BORROWING = (*INLINED, "advance")


def blank(executed: Executed) -> Run:
    """A run in which nothing has happened."""
    tasks, slots = executed.before.size, executed.reader.size
    dispatched = tasks if executed.dispatched else 0
    return Run(
        np.full(dispatched, np.nan),
        np.full(dispatched, np.nan),
        np.full(tasks, np.nan),
        np.full(tasks, np.nan),
        np.full(tasks, np.nan),
        np.zeros(executed.draws.shape[0]),
        np.full(slots, np.nan),
        np.full(slots, np.nan),
        np.full(slots, np.nan),
    )


def begin(
    executed: Executed,
    floor: SimulationState,
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
        floors.compute(executed, floor, allocation, task, now)


def send_out(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    item: int,
    now: float,
) -> bool:
    """Send an item to all that read it, as soon as it is there; False: some can't be reached."""
    source, reached = floors.source_of(executed, allocation, item), True
    for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
        q = allocation[executed.reader[slot]]
        if q == source or not floors.moves(executed, item):
            floors.deliver(executed, floor, run, agenda, allocation, executed.reader[slot], now)
        elif not executed.once or floor.sent[q] != item + 1:
            floor.sent[q] = item + 1
            reached &= floors.send(executed, run, agenda, slot, source, q, now)
    return reached


def arrive(
    executed: Executed,
    floor: SimulationState,
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
            floor.copies[item, q] = floors.HERE
    for other in range(first, last):
        task = executed.reader[other]
        if allocation[task] != q:
            continue
        if not executed.slot:
            floors.deliver(executed, floor, run, agenda, allocation, task, now)
        elif floor.missing[task] > 0:
            floor.missing[task] -= 1
            if floor.missing[task] == 0:
                begin(executed, floor, run, agenda, allocation, task, now)


def take(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> bool:
    """A task takes its cores, and fetches what is not there; False if that never arrives."""
    q, reached = allocation[task], True
    floors.hold(executed, floor, task, q)
    run.taken_s[task] = now
    if executed.slot:
        for place in range(executed.first_input[task], executed.first_input[task + 1]):
            slot = executed.input_slot[place]
            item = executed.item[slot]
            source = floors.source_of(executed, allocation, item)
            if source == q or not floors.moves(executed, item):
                continue
            if executed.once:
                if floor.copies[item, q] == floors.HERE:
                    continue
                floor.missing[task] += 1
                if floor.copies[item, q] == floors.COMING:
                    continue
                floor.copies[item, q] = floors.COMING
            else:
                floor.missing[task] += 1
            reached &= floors.send(executed, run, agenda, slot, source, q, now)
    if floor.missing[task] == 0:
        begin(executed, floor, run, agenda, allocation, task, now)
    return reached


def start_tasks(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    q: int,
    now: float,
) -> bool:
    """Let a machine's tasks take their cores: in order, or the first that are ready.

    Of those that are ready, one that waits for memory or a resource lets others pass.
    """
    floor.woken[q] = 0
    last, reached, place = floor.first[q + 1], True, floor.head[q]
    while place < last and floor.free[q] > 0:
        task = floor.queue[place]
        ready = floor.waiting[task] == 0 and np.isnan(run.taken_s[task])
        roomy = executed.task_cores[task] <= floor.free[q]
        if ready and roomy and floors.fits(executed, floor, task, q):
            reached &= take(executed, floor, run, agenda, allocation, task, now)
        elif not executed.eager or (ready and not roomy):
            break
        place += 1
    while floor.head[q] < last and not np.isnan(run.taken_s[floor.queue[floor.head[q]]]):
        floor.head[q] += 1
    return reached


def finish(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    task: int,
    now: float,
) -> bool:
    """A task ends, and what it made is there; False: some can't be reached."""
    q, reached = allocation[task], True
    run.end_s[task] = now
    if executed.draws.shape[0] > 0:
        run.starved_s[task] = floor.streams.lost_s[task]
    free_s = engine_kernel.reclaimed(now, executed.reclaim_s)
    if free_s > now:
        heaps.put(agenda, floor.head.size + task, free_s)
    else:
        floors.release(executed, floor, allocation, task, q)
    floor.using[q] -= executed.task_cores[task]
    floor.changed[q] = 1
    for place in range(executed.first_made[task], executed.first_made[task + 1]):
        item = executed.made[place]
        if not executed.slot:
            reached &= send_out(executed, floor, run, agenda, allocation, item, now)
            continue
        for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
            floors.deliver(executed, floor, run, agenda, allocation, executed.reader[slot], now)
    for place in range(executed.first_next[task], executed.first_next[task + 1]):
        floors.deliver(executed, floor, run, agenda, allocation, executed.following[place], now)
    return reached


def ends(
    executed: Executed,
    floor: SimulationState,
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
    floors.touch(floor, one)


def happen(
    executed: Executed,
    floor: SimulationState,
    flows: Flows,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    now: float,
) -> bool:
    """What is due next; False: something can't get where it is needed.

    The agenda is of the machines whose first task ends, then of tasks that are prepared (before
    they hold cores, that the engine sees or lets start; after their end, whose slot is free), then
    of transfers whose startup is over, then of classes whose first transfer ends.
    """
    tasks, machines = executed.work_s.shape
    who, slots, hosts = agenda.heap[0], executed.reader.size, executed.startup_s.shape[1]
    heaps.drop(agenda, who)
    if who < machines:
        return complete(executed, floor, run, agenda, allocation, who, now)
    who -= machines
    if who < tasks:
        if not np.isnan(run.end_s[who]):
            floors.release(executed, floor, allocation, who, allocation[who])
        elif not executed.dispatched or not np.isnan(run.taken_s[who]):
            floors.compute(executed, floor, allocation, who, now)
        elif np.isnan(run.released_s[who]):
            heaps.put(floor.desk, who, floor.rank[who])
        else:
            floor.waiting[who] = 0
            floor.woken[allocation[who]] = 1
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
    source = floors.source_of(executed, allocation, item)
    one = (executed.mix[item] * hosts + source) * hosts + allocation[executed.reader[who]]
    fairness.join(executed, flows, one, who, now)
    floors.touch(floor, one)
    return True


def complete(
    executed: Executed,
    floor: SimulationState,
    run: Run,
    agenda: Agenda,
    allocation: Indices,
    q: int,
    now: float,
) -> bool:
    """The tasks of a machine that have computed all end; False: as of `finish`."""
    reached = True
    floors.work(floor, q, now)
    if memory_kernel.draws(executed, floor.due[q], q):
        floor.streams.left_s[floor.due[q]] = 0.0
    else:
        floor.done[q] = max(floor.done[q], floor.key[floor.due[q]])
    while floor.root[q] >= 0 and floor.key[floor.root[q]] <= floor.done[q] * _TOGETHER:
        task = floor.root[q]
        floor.root[q] = heaps.without_least(floor.key, floor.left, floor.right, task)
        reached &= finish(executed, floor, run, agenda, allocation, task, now)
    other = floor.streams.first[q] if executed.draws.shape[0] > 0 else -1
    while other >= 0:
        task, other = other, floor.streams.after[other]
        if memory_kernel.ended(executed, floor.streams, task, q):
            memory_kernel.leave(floor.streams, task, q)
            reached &= finish(executed, floor, run, agenda, allocation, task, now)
    return reached


def advance(
    executed: Executed,
    floor: SimulationState,
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
        floors.hand_out(executed, floor, run, agenda, allocation, now)
        for q in range(floor.head.size):
            if floor.woken[q] == 1:
                reached &= start_tasks(executed, floor, run, agenda, allocation, q, now)
            if floor.changed[q] == 1:
                floors.settle_machine(executed, floor, agenda, q, now)
        flows.count[fairness.MARK] += 1
        for index in range(floor.counts[0]):
            one = floor.touched[index]
            changes = fairness.settle_class(executed, flows, agenda, one, now, trace, changes)
        if agenda.size[0] == 0:
            return changes
        now = agenda.when[agenda.heap[0]]
        reached &= now < np.inf
    return -1


def execute(
    executed: Executed, allocation: Indices, order: Indices, run: Run, trace: Floats
) -> tuple[float, int]:
    """Simulate the plan; fills `run`.

    `allocation`, `order`: int32 arrays (n,), the machine of every task, and the order in which
    machines take theirs, every task after those that it reads from. `trace`: array (room, 3) that
    takes time, resource, and the bytes/s that move through it from then on.

    Returns the makespan in s, inf if a task can't run where it is or its data can't get there; and
    how much room the trace needs.
    """
    tasks, machines = executed.work_s.shape
    for task in range(tasks):
        q = allocation[task]
        if executed.work_s[task, q] == np.inf or (
            executed.task_cores[task] > executed.machine_cores[q]
        ):
            return np.inf, 0
    floor = floors.new_floor(executed, allocation, order)
    flows = fairness.new_flows(executed)
    agenda = heaps.new_agenda(machines + tasks + executed.reader.size + flows.members.size)
    if executed.dispatched:
        for task in order:
            if floor.waiting[task] == 0:
                floors.await_engine(executed, floor, run, agenda, task, 0.0)
    if not executed.slot:
        for item in range(executed.writer.size):
            if executed.writer[item] < 0 and not send_out(
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
