"""The contention-aware schedule estimated: transfers queue at resources, first come first served.

As `execution`, event by event, but a transfer is sent once: at every resource of its route it waits
for the bytes that came before, and arrives when the last resource has let it pass. So nothing is
solved when others come and go. A task keeps the speed that it has when it begins. Model:
`advisor.models.fair_sharing`; the error is measured in ``tests/benchmarks/bench_network_search``.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import backlog, engine_kernel, heaps, kept_kernel, memory_kernel, solution
from advisor.kernels import simulation_state as floor
from advisor.kernels.backlog import Backlog
from advisor.kernels.executed import Executed, small
from advisor.kernels.solution import Trial
from machines.arrays import Floats, Indices

_HOLDS = -1  # what has ended waits for nothing: its slot is not free yet

INLINED = (
    *("fetch", "fits", "start", "deliver", "depart", "publish", "join", "carried"),
    *("carry", "able", "set_out", "start_tasks", "release", "finish"),
)
BORROWING = (*INLINED, "estimate")


def join(executed: Executed, state: Backlog, item: int, p: int, q: int, now: float) -> None:
    """An item sets out from host p to machine q, with all else that sets out in this round."""
    if executed.table[item] >= 0:
        return
    moved = now + floor.delay_of(executed, item, p, q)
    route, size_bytes = p * executed.startup_s.shape[1] + q, executed.size_bytes[item]
    for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
        one = executed.passed[place]
        if state.round[one] != state.count[0]:
            state.round[one] = state.count[0]
            state.base[one] = max(state.clear[one], moved)
            state.members[one] = 0
            state.clear[one] = state.base[one]
        state.members[one] += 1
        state.clear[one] += size_bytes * state.pace[one]


def carried(executed: Executed, state: Backlog, item: int, p: int, q: int, now: float) -> float:
    """When an item that has joined the round arrives; inf: never.

    Those that set out together share: each waits for as many bytes of any other as it has itself.
    """
    arrived = now + floor.delay_of(executed, item, p, q)
    if executed.table[item] < 0:
        hosts = executed.startup_s.shape[1]
        size_bytes, mix, route = executed.size_bytes[item], executed.mix[item], p * hosts + q
        for size in range(executed.shares.shape[1]):
            if executed.shares[mix, size] > 0.0:
                part = size_bytes * executed.shares[mix, size]
                arrived += part * executed.per_byte_s[size, p, q]
        for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
            one = executed.passed[place]
            shared = state.base[one] + state.members[one] * size_bytes * state.pace[one]
            arrived = max(arrived, min(state.clear[one], shared))
    return arrived


def carry(executed: Executed, state: Backlog, item: int, p: int, q: int, now: float) -> float:
    """When an item that sets out alone from host p arrives on machine q; inf: never."""
    state.count[0] += 1
    join(executed, state, item, p, q, now)
    return carried(executed, state, item, p, q, now)


def depart(
    executed: Executed, state: Backlog, trial: Trial, item: int, source: int, now: float
) -> None:
    """An item sets out for all machines that have readers, in the present round."""
    if not floor.moves(executed, item):
        return
    for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
        q = trial.allocation[executed.reader[slot]]
        if q != source and not (executed.once and state.left[q] == item + 1):
            state.left[q] = item + 1
            join(executed, state, item, source, q, now)


def deliver(
    executed: Executed, state: Backlog, trial: Trial, task: int, by: int, arrived: float, now: float
) -> None:
    """One of the things that a task waits for arrives then; the last one may let it start."""
    if arrived >= state.ready[task]:
        state.ready[task] = arrived
        state.cause[task] = by
    state.waiting[task] -= 1
    if state.waiting[task] == 0:
        if executed.dispatched:
            there = engine_kernel.seen(executed, max(now, state.ready[task]))
            state.ready[task] = engine_kernel.handed_out(
                executed, state.engine, there, trial.allocation[task]
            )
        q = trial.allocation[task]
        if executed.eager or state.queue[state.head[q]] == task:
            heaps.put(state.agenda, trial.order.shape[0] + task, max(now, state.ready[task]))


def publish(
    executed: Executed, state: Backlog, trial: Trial, item: int, source: int, by: int, now: float
) -> None:
    """Let all that read an item know when it arrives, once it has departed."""
    moves = floor.moves(executed, item)
    for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
        task = executed.reader[slot]
        q, arrived = trial.allocation[task], now
        if q != source and moves:
            if executed.once and state.sent[q] == item + 1:
                arrived = state.came[q]
            else:
                arrived = carried(executed, state, item, source, q, now)
                state.sent[q] = item + 1
                state.came[q] = arrived
        deliver(executed, state, trial, task, by, arrived, now)


def fetch(executed: Executed, state: Backlog, trial: Trial, task: int, now: float) -> float:
    """When all that a task fetches in its slot from `now` on is there."""
    q, here = trial.allocation[task], now
    for place in range(executed.first_input[task], executed.first_input[task + 1]):
        item = executed.item[executed.input_slot[place]]
        writer = executed.writer[item]
        source = executed.home[item] if writer < 0 else trial.allocation[writer]
        if source == q or not floor.moves(executed, item):
            continue
        if executed.once and state.copies[item, q] >= 0.0:
            here = max(here, state.copies[item, q])
            continue
        arrived = carry(executed, state, item, source, q, now)
        if executed.once:
            state.copies[item, q] = arrived
        here = max(here, arrived)
    return here


def start(
    executed: Executed, state: Backlog, trial: Trial, task: int, by: int, now: float
) -> float:
    """A task takes its cores and all else that it holds; returns its end."""
    q = trial.allocation[task]
    state.free[q] -= executed.task_cores[task]
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, state.staying, task, kind)
        state.room[executed.place[kind, q]] -= wanted
    begin = now
    if executed.slot:
        begin = fetch(executed, state, trial, task, now)
    using = executed.machine_cores[q] - state.free[q]
    speed = executed.rates[executed.first_rate[q] + using - 1]
    if executed.first_group[q + 1] > executed.first_group[q]:
        speed /= floor.grab(executed, state.groups, state.grabbed, task, q)
    if memory_kernel.draws(executed, task, q):
        state.drawn[q] += executed.draws[task, q]
        speed = min(speed, executed.memory_rate[q] / state.drawn[q])
    trial.start[task] = begin
    trial.end[task] = begin + executed.overhead_s + executed.work_s[task, q] / speed
    trial.why[task] = by
    heaps.put(state.agenda, task, trial.end[task])
    return float(trial.end[task])


def fits(executed: Executed, state: Backlog, task: int, q: int) -> bool:
    """Whether all that a task holds beside cores is free on machine q."""
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, state.staying, task, kind)
        if wanted > state.room[executed.place[kind, q]]:
            return False
    return True


def start_tasks(
    executed: Executed,
    state: Backlog,
    trial: Trial,
    tail: Floats,
    limit: float,
    q: int,
    by: int,
    now: float,
) -> bool:
    """Let a machine's tasks start: in order, or the first that are ready; False: beyond `limit`."""
    last, place = state.first[q + 1], state.head[q]
    while place < last and state.free[q] > 0:
        task = state.queue[place]
        ready = state.waiting[task] == 0 and trial.start[task] < 0.0
        if ready and state.ready[task] > now:
            heaps.put(state.agenda, trial.order.shape[0] + task, state.ready[task])
            ready = False
        roomy = executed.task_cores[task] <= state.free[q]
        if ready and roomy and fits(executed, state, task, q):
            if state.ready[task] == now:
                by = state.cause[task]
            end = start(executed, state, trial, task, by, now)
            if not end + tail[task, q] <= limit:
                return False
        elif not executed.eager or (ready and not roomy):
            break
        place += 1
    while state.head[q] < last and trial.start[state.queue[state.head[q]]] >= 0.0:
        state.head[q] += 1
    return True


def release(executed: Executed, state: Backlog, trial: Trial, task: int) -> None:
    """What a task that has ended held is free again."""
    q = trial.allocation[task]
    state.free[q] += executed.task_cores[task]
    for kind in range(executed.amount.shape[1]):
        wanted = kept_kernel.wanted(executed.amount, state.staying, task, kind)
        state.room[executed.place[kind, q]] += wanted
    if state.staying.stay.size > 0:
        freed = kept_kernel.ended(executed.kept, state.staying, trial.allocation, task)
        state.room[executed.place[0, q]] += freed - state.staying.stay[task]
    floor.give_back(executed, state.groups, state.grabbed, task, q)


def finish(executed: Executed, state: Backlog, trial: Trial, task: int, now: float) -> None:
    """A task ends: its cores are free, at once or later, and what it made is there."""
    q = trial.allocation[task]
    free_s = engine_kernel.reclaimed(now, executed.reclaim_s)
    if free_s > now:
        state.waiting[task] = _HOLDS
        heaps.put(state.agenda, trial.order.shape[0] + task, free_s)
    else:
        release(executed, state, trial, task)
    if memory_kernel.draws(executed, task, q):
        state.drawn[q] -= executed.draws[task, q]
    state.count[0] += 1
    if not executed.slot:
        for place in range(executed.first_made[task], executed.first_made[task + 1]):
            depart(executed, state, trial, executed.made[place], q, now)
    for place in range(executed.first_made[task], executed.first_made[task + 1]):
        item = executed.made[place]
        if not executed.slot:
            publish(executed, state, trial, item, q, task, now)
            continue
        for slot in range(executed.first_slot[item], executed.first_slot[item + 1]):
            deliver(executed, state, trial, executed.reader[slot], task, now, now)
    for place in range(executed.first_next[task], executed.first_next[task + 1]):
        deliver(executed, state, trial, executed.following[place], task, now, now)


def able(executed: Executed, trial: Trial) -> bool:
    """Whether every task can run where it is."""
    for task in range(trial.order.shape[0]):
        q = trial.allocation[task]
        if executed.task_cores[task] > executed.machine_cores[q]:
            return False
        if not executed.work_s[task, q] < np.inf:
            return False
    return True


def set_out(executed: Executed, state: Backlog, trial: Trial) -> None:
    """What lies outside departs for all its readers."""
    for item in range(executed.writer.size):
        if executed.writer[item] < 0:
            depart(executed, state, trial, item, executed.home[item], 0.0)
    for item in range(executed.writer.size):
        if executed.writer[item] < 0:
            publish(executed, state, trial, item, executed.home[item], -1, 0.0)


def estimate(executed: Executed, state: Backlog, trial: Trial, tail: Floats, limit: float) -> float:
    """About when the last task ends; fills `start`, `end` and `why` of the trial.

    Parameters
    ----------
    tail : array (n, m)
        Least time from a task's end on a machine to the end of all.
    limit : float
        What is sure to end later is given up.

    Returns
    -------
    float
        Seconds; inf if infeasible or given up.
    """
    tasks, machines = executed.work_s.shape
    backlog.lay_out(executed, state, trial)
    if not able(executed, trial):
        return np.inf
    if not executed.slot:
        set_out(executed, state, trial)
    for q in range(machines):
        if not start_tasks(executed, state, trial, tail, limit, q, -1, 0.0):
            return np.inf
    agenda, latest, ended = state.agenda, 0.0, 0
    while agenda.size[0] > 0:
        who = agenda.heap[0]
        now = agenda.when[who]
        if now == np.inf:
            return np.inf
        heaps.drop(agenda, who)
        by, task = -1, who - tasks
        if who < tasks:
            by, task = who, who
            finish(executed, state, trial, task, now)
            latest = now
            ended += 1
        elif state.waiting[task] == _HOLDS:
            by = task
            release(executed, state, trial, task)
        q = trial.allocation[task]
        first, last = (0, machines) if executed.wide and by >= 0 else (q, q + 1)
        for other in range(first, last):
            if not start_tasks(executed, state, trial, tail, limit, other, by, now):
                return np.inf
    return latest if ended == tasks else np.inf


def lanes(
    executed: Executed,
    allocation: Indices,
    order: Indices,
    moved: Indices,
    makespans: Floats,
    starts: Floats,
    ends: Floats,
) -> None:
    """Makespans if the `moved` tasks went to each machine in turn.

    Fills `makespans`, and `starts` and `ends` of the first moved task; each of shape (m,), inf
    where infeasible.
    """
    tasks, machines = executed.work_s.shape
    state, tail = backlog.new_backlog(executed), np.zeros((tasks, machines))
    trial = Trial(
        allocation.copy(),
        order.copy(),
        np.empty(tasks),
        np.empty(tasks),
        np.empty(tasks, np.int32),
    )
    for q in range(machines):
        for task in moved:
            trial.allocation[task] = q
        makespans[q] = estimate(executed, state, trial, tail, np.inf)
        found = makespans[q] < np.inf
        starts[q] = trial.start[moved[0]] if found else np.inf
        ends[q] = trial.end[moved[0]] if found else np.inf


def warm_up() -> None:
    """Compile for the array types in use."""
    executed, values = small(), np.empty(2)
    order = np.array([0, 1], np.int32)
    state = backlog.new_backlog(executed)
    estimate(executed, state, solution.new_trial(2), np.zeros((2, 2)), np.inf)
    lanes(executed, order, order, order, values, values.copy(), values.copy())
