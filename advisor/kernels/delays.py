"""Tasks taken in one order, after delays of their own: when each begins, and what it waits for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

PLAIN = ("standing",)
BORROWING = ("carry", "gaps", "set_out", "floor", "take")

NOTHING, ARC, CORES, TURN = range(4)


class Waits(NamedTuple):
    """Who waits for whom; n tasks, m machines."""

    order: Array  # int32 (n,), tasks by their begin
    machine: Array  # int32 (n,)
    cores: Array  # int32 (n,), that each holds
    first_core: Array  # int32 (m + 1,), where those of each machine begin
    first_input: Array  # int32 (n + 1,), where what each task waits for begins
    source: Array  # int32 (inputs,), the task that hands it on; -1: it is there from the start
    arc: Array  # int32 (inputs,)


class Standing(NamedTuple):
    """Where machines and tasks are, and what each task waited for."""

    free_s: Array  # float64 (cores,), when the cores of every machine are free, the first first
    holder: Array  # int32 (cores,), who holds them until then; -1: nobody did yet
    begun_s: Array  # float64 (m,), the last begin on every machine
    beginner: Array  # int32 (m,), of this task
    end_s: Array  # float64 (n,)
    kind: Array  # int8 (n,), what its begin waited for: nothing, an arc, cores or its turn
    other: Array  # int32 (n,), the task that this came from; -1: none
    through: Array  # int32 (n,), the arc


def standing(waits: Waits) -> Standing:
    """Room for it."""
    tasks, machines = waits.order.size, waits.first_core.size - 1
    cores = int(waits.first_core[-1])
    return Standing(
        free_s=np.zeros(cores),
        holder=np.zeros(cores, np.int32),
        begun_s=np.zeros(machines),
        beginner=np.zeros(machines, np.int32),
        end_s=np.zeros(tasks),
        kind=np.zeros(tasks, np.int8),
        other=np.zeros(tasks, np.int32),
        through=np.zeros(tasks, np.int32),
    )


def carry(waits: Waits, gap_s: Array, held_s: Array, arc_s: Array, now: Standing) -> int:
    """Let every task begin as early as it can, and its gap after that; the task that ends last."""
    set_out(now)
    latest, last = -np.inf, -1
    for place in range(waits.order.size):
        task = waits.order[place]
        begin = floor(waits, task, arc_s, now) + gap_s[task]
        end = begin + held_s[task]
        take(waits, task, begin, end, now)
        if end > latest:
            latest, last = end, task
    return last


def gaps(
    waits: Waits, begin_s: Array, end_s: Array, arc_s: Array, gap_s: Array, now: Standing
) -> None:
    """How much later than it could every task began; fills `gap_s`."""
    set_out(now)
    for place in range(waits.order.size):
        task = waits.order[place]
        gap_s[task] = begin_s[task] - floor(waits, task, arc_s, now)
        take(waits, task, begin_s[task], end_s[task], now)


def set_out(now: Standing) -> None:
    """Nothing has begun."""
    for core in range(now.free_s.size):
        now.free_s[core] = -np.inf
        now.holder[core] = -1
    for q in range(now.begun_s.size):
        now.begun_s[q] = 0.0
        now.beginner[q] = -1


def floor(waits: Waits, task: int, arc_s: Array, now: Standing) -> float:
    """When a task could begin, and what it waits for until then."""
    found, kind, other, through = 0.0, NOTHING, -1, -1
    for slot in range(waits.first_input[task], waits.first_input[task + 1]):
        source, arc = waits.source[slot], waits.arc[slot]
        there = arc_s[arc]
        if source >= 0:
            there += now.end_s[source]
        if there > found:
            found, kind, other, through = there, ARC, source, arc
    q = waits.machine[task]
    if now.begun_s[q] > found:
        found, kind, other, through = now.begun_s[q], TURN, now.beginner[q], -1
    first = waits.first_core[q]
    last = first + min(waits.cores[task], waits.first_core[q + 1] - first) - 1
    if now.free_s[last] > found:
        found, kind, other, through = now.free_s[last], CORES, now.holder[last], -1
    now.kind[task], now.other[task], now.through[task] = kind, other, through
    return found


def take(waits: Waits, task: int, begin: float, end: float, now: Standing) -> None:
    """It holds the cores that are free first."""
    q = waits.machine[task]
    now.end_s[task] = end
    if begin > now.begun_s[q] or (begin == now.begun_s[q] and task > now.beginner[q]):
        now.begun_s[q], now.beginner[q] = begin, task
    core, stop = waits.first_core[q], waits.first_core[q + 1]
    held = min(waits.cores[task], stop - core)
    later = core + held
    while later < stop and (
        now.free_s[later] < end or (now.free_s[later] == end and now.holder[later] < task)
    ):
        now.free_s[core], now.holder[core] = now.free_s[later], now.holder[later]
        core += 1
        later += 1
    for place in range(core, later):
        now.free_s[place], now.holder[place] = end, task


def warm_up() -> None:
    """Compile for the array types in use."""
    one, none = np.zeros(1, np.int32), np.zeros(0, np.int32)
    ends = np.array([0, 1], np.int32)
    waits = Waits(one, one, one + np.int32(1), ends, np.zeros(2, np.int32), none, none)
    now, times = standing(waits), np.ones(1)
    carry(waits, times, times, np.zeros(0), now)
    gaps(waits, times, times, np.zeros(0), times, now)
