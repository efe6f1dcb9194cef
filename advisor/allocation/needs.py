"""What tasks hold beside cores, as arrays: memory and units of resources, and how much there is.

Memory counts only where all that is placed on a machine together could exceed it, resources only
where a task names them: a workload without such needs has arrays without columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.allocation.task import Task
from advisor.allocation.workload import Workload
from machines import Machine, Platform, Resource
from machines.arrays import Flags, Floats, Indices
from machines.resources import MEMORY, RESERVED


@dataclass(frozen=True, eq=False)
class Needs:
    """k kinds, n tasks, m machines; of machine q, kind i has ``room[place[i, q]]``.

    Attributes
    ----------
    kinds : tuple of str
        "memory" first, where it counts.
    amount : array (n, k)
        Bytes of memory, units of resources.
    place : int32 array (k, m)
        Entry of `room`; all machines share that of a resource of the platform.
    room : array (k · m,)
        inf: not limited.
    """

    kinds: tuple[str, ...]
    amount: Floats
    place: Indices
    room: Floats

    @property
    def arrays(self) -> dict[str, Any]:
        """The arrays by their names, as kernels take them."""
        return {"amount": self.amount, "place": self.place, "room": self.room}

    @property
    def exceeded(self) -> Flags:
        """Whether a task alone needs more than a machine has, shape (tasks, machines)."""
        there = self.room[self.place]
        return np.asarray((self.amount[:, :, None] > there[None, :, :]).any(axis=1))

    @property
    def platform_wide(self) -> bool:
        """Whether machines share a kind."""
        return bool(self.place.shape[1] > 1 and (self.place[:, :1] == self.place[:, 1:2]).any())


def needs_of(platform: Platform, workload: Workload, among: Workload | None = None) -> Needs:
    """The needs of a workload; of tasks with open variants those that all their variants have.

    `among`: the workload whose needs say which kinds count, variants and all; default itself.
    """
    tasks, machines = workload.tasks, platform.machines
    every = (among or workload).tasks
    kinds = {kind for task in every for kind, _ in task.resources}
    kinds |= {kind for task in every for one in task.variants for kind, _ in one.resources}
    memory = np.array([float(task.memory_bytes or 0) for task in tasks])
    named = sorted(kinds)
    if _memory_counts(every, machines):
        named = [MEMORY, *named]
    amount = np.zeros((len(tasks), len(named)))
    place = np.zeros((len(named), len(machines)), np.int32)
    room = np.full(len(named) * len(machines), np.inf)
    shared = {one.kind: one.count for one in platform.resources}
    for row, kind in enumerate(named):
        at = row * len(machines) + np.arange(len(machines))
        if kind == MEMORY:
            amount[:, row] = memory
            room[at] = [memory_room(machine) for machine in machines]
        else:
            amount[:, row] = [dict(task.resources).get(kind, 0) for task in tasks]
            if kind in shared:
                at[:] = at[0]
                room[at[0]] = shared[kind]
            else:
                room[at] = [units(machine, kind) for machine in machines]
        place[row] = at
    return Needs(tuple(named), amount, place, room)


def units(machine: Machine, kind: str) -> int:
    """How many units of a resource a machine has."""
    return sum(one.count for one in machine.resources if one.kind == kind)


def memory_room(machine: Machine) -> float:
    """Bytes that the tasks of a machine may hold at a time; inf: not limited so."""
    reserved = machine.memory == RESERVED
    return np.inf if machine.memory_bytes is None or reserved else float(machine.memory_bytes)


def missing(task: Task, machine: Machine, shared: Sequence[Resource] | None) -> str:
    """Which resource, or its memory, keeps a task from a machine, in words; empty if none does.

    `shared`: the resources of the platform; None: not known.
    """
    everywhere = {one.kind: one.count for one in shared or ()}
    for kind, wanted in task.resources:
        there, owner = units(machine, kind), machine.name
        if kind in everywhere:
            there, owner = everywhere[kind], "the platform"
        if wanted > there and (there or shared is not None):
            return f"{task.name} needs {wanted:,} {kind}, {owner} has {there:,}"
        needed = dict(task.unit_memory).get(kind, 0)
        if needed and kind in everywhere:
            return f"{task.name} needs memory of each {kind}, the platform's have none"
        each = next((one.memory_bytes for one in machine.resources if one.kind == kind), None)
        if each is not None and needed > each:
            return (
                f"{task.name} needs {needed:,} bytes of memory of each {kind}, those of {owner} "
                f"have {each:,}"
            )
    return ""


def _memory_counts(tasks: tuple[Task, ...], machines: tuple[Machine, ...]) -> bool:
    """Whether all tasks together, in their largest variants, could exceed some machine."""
    together = 0.0
    for task in tasks:
        own = float(task.memory_bytes or 0)
        together += max((one.memory_bytes or own for one in task.variants), default=own)
    return any(together > memory_room(machine) for machine in machines)
