"""What tasks hold beside cores, as arrays: memory and units of resources, and how much there is.

Memory counts only where all that is placed on a machine together could exceed it, resources only
where a task names them: a workload without such needs has arrays without columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from advisor.allocation.task import Task
from advisor.allocation.workload import Workload
from advisor.kernels import kept_kernel
from advisor.kernels.kept_kernel import Kept
from machines import Machine, Platform, Resource
from machines.arrays import Flags, Floats, Indices
from machines.resources import MEMORY, OUTPUTS, RESERVED


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
    kept : Kept
        Outputs that stay in memory, where memory counts.
    """

    kinds: tuple[str, ...]
    amount: Floats
    place: Indices
    room: Floats
    kept: Kept = field(default_factory=kept_kernel.nothing)

    @property
    def arrays(self) -> dict[str, Any]:
        """The arrays by their names, as kernels take them."""
        return {
            "amount": self.amount, "place": self.place, "room": self.room, "kept": self.kept,
        }  # fmt: skip

    @property
    def outputs_stay(self) -> bool:
        """Whether outputs hold memory that tasks wait for."""
        return self.kept.size.size > 0

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
    every, kept = (among or workload).tasks, kept_outputs(platform, workload)
    kinds = {kind for task in every for kind, _ in task.resources}
    kinds |= {kind for task in every for one in task.variants for kind, _ in one.resources}
    memory = np.array([float(task.memory_bytes or 0) for task in tasks])
    named = sorted(kinds)
    if _memory_counts(every, machines, float(kept.size.sum())):
        named = [MEMORY, *named]
    else:
        kept = kept_kernel.nothing()
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
    return Needs(tuple(named), amount, place, room, kept)


def kept_outputs(platform: Platform, workload: Workload) -> Kept:
    """What stays in memory until its last reader on its machine has ended: files, data of flows."""
    keeps = np.array([one.holds == OUTPUTS for one in platform.machines])
    if not keeps.any():
        return kept_kernel.nothing()
    use, ends = workload.use, zip(workload.sources, workload.targets, strict=True)
    items: list[tuple[float, int, tuple[int, ...]]] = [
        (flow.size_bytes, int(source), (int(target),))
        for flow, (source, target) in zip(workload.flows, ends, strict=False)
    ]
    items += [
        (file.size_bytes, int(writer), readers)
        for file, writer, readers in zip(workload.files, use.writer, use.readers, strict=True)
        if writer >= 0
    ]
    items = [one for one in items if one[0] > 0.0 and one[2]]
    counts = [len(readers) for _, _, readers in items]
    reader = np.array([task for _, _, readers in items for task in readers], np.int32)
    item = np.repeat(np.arange(len(items), dtype=np.int32), counts)
    read = np.bincount(reader, minlength=len(workload.tasks))
    return Kept(
        keeps=keeps,
        size=np.ceil([size_bytes for size_bytes, _, _ in items]),
        writer=np.array([writer for _, writer, _ in items], np.int32),
        first_read=np.concatenate(([0], np.cumsum(read))).astype(np.int32),
        read=item[np.argsort(reader, kind="stable")],
    )


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


def _memory_counts(tasks: tuple[Task, ...], machines: tuple[Machine, ...], together: float) -> bool:
    """Whether all tasks, in their largest variants, and so many bytes could exceed some machine."""
    for task in tasks:
        own = float(task.memory_bytes or 0)
        together += max((one.memory_bytes or own for one in task.variants), default=own)
    return any(together > memory_room(machine) for machine in machines)
