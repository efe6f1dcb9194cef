"""The arrays that an execution works on: tasks, what moves between them, and what they share.

Hosts are the machines, then the stores. An *item* is a file, or what a flow carries; it moves from
its writer's machine, or from its home, to its readers. A *slot* is one reader of one item. Items
whose messages are of the same mix of sizes and that take the same route are one *class*: they move
at one rate, and class ``mix·hosts² + source·hosts + target`` is theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import kept_kernel
from advisor.kernels.kept_kernel import Kept
from machines.arrays import Floats, Indices, Ints


class Executed(NamedTuple):
    """n tasks, m machines, h hosts, i items, s slots, j resources.

    Attributes
    ----------
    work_s : array (n, m)
        Dedicated seconds of every task; inf where it may not run.
    overhead_s : float
        Seconds for which a task holds its cores before it computes.
    dispatched : bool
        Whether a task waits for the engine when all else is there (`engine_kernel`).
    begin_s, poll_s, submit_s, cycle_s, reclaim_s : float
        When the engine is up; seconds between its looks, that handing out a task takes, between the
        moments at which those handed out can start, and at which what a task held is free again.
    up_s : array (m,)
        When the worker of each machine is up: the engine lets no task start there before.
    task_cores, machine_cores : int32 arrays (n,), (m,)
    amount, place, room : array (n, k), int32 array (k, m), array (c,)
        What tasks hold beside cores, by kind; kind i of machine q has ``room[place[i, q]]``.
    wide : bool
        Machines share a kind.
    kept : Kept
        Outputs that stay in memory.
    first_group, group_cores, group_speed : int32 array (m + 1,), int64 array, array
        Core groups of machines whose cores differ, fastest first: how many, and how fast against
        the fastest.
    first_rate, rates : int64 array (m + 1,), array
        ``rates[first_rate[q] + r - 1]`` is the speed of each task when r cores of machine q
        compute.
    draws, memory_rate : array (n, m) or (0, 0), array (m,)
        Bytes/s of memory that a task moves where it computes alone, none if no machine is short of
        them; bytes/s of every machine.
    writer, home : int32 arrays (i,)
        The task that makes an item, or the host where it lies from the start; else -1.
    first_slot, reader : int32 arrays (i + 1,), (s,)
        Slots of every item, and the task of each.
    first_input, input_slot : int32 arrays (n + 1,), (s,)
        The slots through which a task reads.
    item : int32 array (s,)
        The item of every slot.
    first_made, made : int32 arrays (n + 1,), (…)
        Items that a task makes.
    first_next, following : int32 arrays (n + 1,), (…)
        Tasks that only wait for a task's end.
    before : int32 array (n,)
        How many slots of made items, and ends of other tasks, a task waits for.
    size_bytes : array (i,)
    messages, shares : array (i, bins), array (mixes, bins)
        Messages by protocol bin; shares of an item's bytes by bin, of every mix.
    mix, table : int32 arrays (i,)
        Mix of every item; row of `tables` that states its seconds, or -1.
    startup_s, per_byte_s : array (bins, h, h)
        A route's startups together; a byte at its narrowest link or switch; inf: no route.
    tables : array (tables, h, h)
        Stated seconds.
    first_pass, passed : int32 arrays (h·h + 1,), (…)
        The resources on every route, in the order of travel.
    pair : int32 array (…)
        The route to which each entry of `passed` belongs.
    capacity : array (j,)
        Bytes/s of every resource.
    weight : array (h·h,)
        Share that a transfer takes against others where both are limited.
    slot, once, eager : bool
        Fetch in the slot; one copy a machine; start the first that is ready, not the first.
    """

    work_s: Floats
    overhead_s: float
    dispatched: bool
    begin_s: float
    poll_s: float
    submit_s: float
    cycle_s: float
    reclaim_s: float
    up_s: Floats
    task_cores: Indices
    machine_cores: Indices
    amount: Floats
    place: Indices
    room: Floats
    wide: bool
    kept: Kept
    first_group: Indices
    group_cores: Ints
    group_speed: Floats
    first_rate: Ints
    rates: Floats
    draws: Floats
    memory_rate: Floats
    writer: Indices
    home: Indices
    first_slot: Indices
    reader: Indices
    first_input: Indices
    input_slot: Indices
    item: Indices
    first_made: Indices
    made: Indices
    first_next: Indices
    following: Indices
    before: Indices
    size_bytes: Floats
    messages: Floats
    shares: Floats
    mix: Indices
    table: Indices
    startup_s: Floats
    per_byte_s: Floats
    tables: Floats
    first_pass: Indices
    passed: Indices
    pair: Indices
    capacity: Floats
    weight: Floats
    slot: bool
    once: bool
    eager: bool


class Run(NamedTuple):
    """What an execution fills: when everything happened, in seconds; nan: it did not.

    Attributes
    ----------
    ready_s, released_s : array (n,)
        When all that a task waits for was there, and when the engine let it start; only where
        tasks are dispatched.
    taken_s, start_s, end_s : array (n,)
        When a task took its cores, when its data were there too, and its end.
    starved_s : array (n,) or (0,)
        Seconds that it lost to others which moved memory; none if no machine is short of it.
    left_s, moved_s, arrived_s : array (s,)
        When a transfer set out, when its bytes began to move, and when it arrived; of a copy that
        several readers share, at the slot of the first.
    """

    ready_s: Floats
    released_s: Floats
    taken_s: Floats
    start_s: Floats
    end_s: Floats
    starved_s: Floats
    left_s: Floats
    moved_s: Floats
    arrived_s: Floats


def small() -> Executed:
    """Two linked machines and two tasks of which the second reads from the first: to try with."""
    int32 = np.int32
    pair = np.array([[[0.0, 1.0], [1.0, 0.0]]])
    return Executed(
        work_s=np.ones((2, 2)),
        overhead_s=0.0,
        dispatched=False,
        begin_s=0.0,
        poll_s=0.0,
        submit_s=0.0,
        cycle_s=0.0,
        reclaim_s=0.0,
        up_s=np.zeros(2),
        task_cores=np.ones(2, int32),
        machine_cores=np.ones(2, int32),
        amount=np.ones((2, 1)),
        place=np.array([[0, 1]], int32),
        room=np.ones(2),
        wide=False,
        kept=kept_kernel.nothing(),
        first_group=np.array([0, 1, 2], int32),
        group_cores=np.ones(2, np.int64),
        group_speed=np.ones(2),
        first_rate=np.array([0, 1, 2]),
        rates=np.ones(2),
        draws=np.ones((2, 2)),
        memory_rate=np.ones(2),
        writer=np.array([0], int32),
        home=np.array([-1], int32),
        first_slot=np.array([0, 1], int32),
        reader=np.array([1], int32),
        first_input=np.array([0, 0, 1], int32),
        input_slot=np.array([0], int32),
        item=np.array([0], int32),
        first_made=np.array([0, 1, 1], int32),
        made=np.array([0], int32),
        first_next=np.zeros(3, int32),
        following=np.zeros(0, int32),
        before=np.array([0, 1], int32),
        size_bytes=np.ones(1),
        messages=np.ones((1, 1)),
        shares=np.ones((1, 1)),
        mix=np.zeros(1, int32),
        table=np.full(1, -1, int32),
        startup_s=pair,
        per_byte_s=pair.copy(),
        tables=np.zeros((0, 2, 2)),
        first_pass=np.array([0, 0, 1, 2, 2], int32),
        passed=np.array([0, 1], int32),
        pair=np.array([1, 2], int32),
        capacity=np.ones(2),
        weight=np.ones(4),
        slot=False,
        once=True,
        eager=False,
    )
