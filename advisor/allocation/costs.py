"""Models → arrays: seconds of every task on every machine and of all that moves between them.

The only place where the models meet. `timeline` and `search` see these arrays and no model.
Contended arrays include slowdown; dedicated ones do not; their difference is the waiting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from advisor.allocation.host_costs import BothHostCosts, host_costs
from advisor.allocation.needs import Needs, missing, needs_of
from advisor.allocation.outside_costs import OutsideCosts, outside_costs
from advisor.allocation.pair_costs import FlowCosts, flow_costs, machine_position
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Task, Workload
from advisor.models.contention import (
    CONTENTION_READINGS,
    EXACT,
    PUBLISHED,
    check_reading,
    machine_slowdown,
)
from advisor.programs.program import PROGRAM_CAUSES, obstacle
from machines import InfeasibleError, InputError, Machine, Platform, Resource
from machines.arrays import Flags, Floats, Indices
from machines.resources import RESERVED, fastest_mean
from machines.routes import fits_tables

__all__ = [
    "CONTENTION_READINGS",
    "EXACT",
    "PUBLISHED",
    "Costs",
    "FlowCosts",
    "OutsideCosts",
    "build_costs",
    "misfit",
]


@dataclass(frozen=True, eq=False)
class Costs:
    """All that a timeline needs, in arrays; picklable, no names, no model.

    Attributes
    ----------
    task_s, task_dedicated_s : array (tasks, machines)
        Duration under contention and alone; inf where the task may not run.
    sources, targets : int32 array (edges,)
        Task positions.
    flows, flows_dedicated : FlowCosts
        Of the edges, under contention and alone; they share `messages`, `size_bytes` and `table`.
    task_cores, machine_cores : int32 array
        Cores a task holds, cores a machine has.
    task_memory, machine_memory : array
        Bytes that are reserved for all tasks placed on a machine together; machine_memory is inf
        where it is not limited so.
    needs : Needs
        What tasks hold beside cores while they run.
    topological_order : int32 array (tasks,)
        From the workload.
    between : BothHostCosts
        What a message costs between every two machines and stores.
    warnings : tuple of str
        Validity notes of the models that were used.
    program_tasks : int32 array (programs,)
        Positions of the tasks that run a program, in increasing order.
    program_parts_s : array (programs, machines, causes)
        Their dedicated seconds by `advisor.programs.program.PROGRAM_CAUSES`; zero where seconds are
        stated or the task can't run.
    outside : OutsideCosts or None
        What the files from outside take; ``None``: there are none.
    """

    task_s: Floats
    task_dedicated_s: Floats
    sources: Indices
    targets: Indices
    flows: FlowCosts
    flows_dedicated: FlowCosts
    task_cores: Indices
    machine_cores: Indices
    task_memory: Floats
    machine_memory: Floats
    needs: Needs
    topological_order: Indices
    between: BothHostCosts
    warnings: tuple[str, ...] = ()
    program_tasks: Indices = field(default_factory=lambda: _int32([]))
    program_parts_s: Floats = field(default_factory=lambda: np.zeros((0, 0, len(PROGRAM_CAUSES))))
    outside: OutsideCosts | None = None

    def noted(self, notes: Sequence[str]) -> Costs:
        """The same with warnings that come first."""
        return replace(self, warnings=tuple(dict.fromkeys((*notes, *self.warnings))))


def build_costs(
    platform: Platform, workload: Workload, reading: str = EXACT, sharing: str = NONE,
    known: BothHostCosts | None = None,
) -> Costs:  # fmt: skip
    """Seconds of every task on every machine, and of every edge on every pair of machines.

    A task takes its stated seconds, or work/speed, or what its program takes on the machine's
    network, times the machine's slowdown; a flow its stated seconds, or sum of count (startup +
    bytes/bandwidth) over its route (`advisor.allocation.host_costs`). A file is one message to each
    reader. O(tasks · machines + edges).

    Parameters
    ----------
    reading : {"exact", "published"}
        Contention model (`advisor.models.contention`).
    sharing : {"fair", "none"}
        The timeline that they are for (`advisor.allocation.host_costs`).
    known : BothHostCosts, optional
        Of the same machines in the same timeline, under other loads.

    Returns
    -------
    Costs

    Raises
    ------
    InputError
        An unknown reading or machine, too short a delay table, or too large numbers or tables.
    InfeasibleError
        A task that fits on no machine.
    """
    check_reading(reading)
    fits_tables(platform, len(workload.tasks))
    programs = _programs(platform, workload)
    needs = needs_of(platform, workload)
    dedicated = _dedicated_seconds(platform, workload, programs, needs)
    slowdowns, notes = _task_slowdowns(platform, workload, reading)
    between = host_costs(platform, reading, sharing, known)
    pairs = flow_costs(platform, workload, between)
    outside = outside_costs(platform, workload, between)
    found = (*programs.notes, *notes, *between.notes, *(() if outside is None else outside.notes))
    return Costs(
        task_s=_contended(workload, dedicated, slowdowns),
        task_dedicated_s=dedicated,
        sources=workload.sources,
        targets=workload.targets,
        flows=pairs.contended,
        flows_dedicated=pairs.dedicated,
        task_cores=_int32([task.cores for task in workload.tasks]),
        machine_cores=_int32([machine.cores for machine in platform.machines]),
        task_memory=_memories(workload),
        machine_memory=np.array([_reserved(machine) for machine in platform.machines]),
        needs=needs,
        topological_order=workload.topological_order,
        warnings=tuple(dict.fromkeys(found)),
        program_tasks=_int32(programs.tasks),
        program_parts_s=programs.parts_s,
        outside=outside,
        between=between,
    )


def holding(costs: Costs, platform: Platform, workload: Workload) -> Costs:
    """The costs with what the tasks of this ordinary workload hold beside cores."""
    return replace(costs, task_memory=_memories(workload), needs=needs_of(platform, workload))


def _memories(workload: Workload) -> Floats:
    """Bytes that every task needs."""
    return np.array([float(task.memory_bytes or 0) for task in workload.tasks])


def misfit(task: Task, machine: Machine, shared: Sequence[Resource] | None = None) -> str:
    """Why `task` can't run on `machine`, in words; empty if it can, in some variant.

    Known from what it needs and what the machine has: asked while one drags, it prices nothing.

    Parameters
    ----------
    shared : sequence of Resource, optional
        Of the platform; not stated: what a machine does not list may be among them.
    """
    if task.variants:
        reasons = [
            f"{one.name}: {why}"
            for place, one in enumerate(task.variants)
            if (why := misfit(task.in_variant(place), machine, shared))
        ]
        return "; ".join(reasons) if len(reasons) == len(task.variants) else ""
    if task.allowed is not None and machine.name not in task.allowed:
        return f"{task.name} is not allowed on {machine.name}"
    stated = machine.name in dict(task.seconds)
    if task.program is not None and not stated:
        why = obstacle(task.program, machine)
        if why:
            return f"{task.name} can't run on {machine.name}: {why}"
    if task.program is None and task.seconds and not stated:
        return f"{task.name} has no time on {machine.name}"
    return _too_small(task, machine) or missing(task, machine, shared)


def _too_small(task: Task, machine: Machine) -> str:
    """Whether a task needs more cores or memory than a machine has, in words."""
    if task.cores > machine.cores:
        return f"{task.name} needs {_cores(task.cores)}, {machine.name} has {machine.cores}"
    if (task.memory_bytes or 0) > _memory(machine):
        return (
            f"{task.name} needs {task.memory_bytes:,} bytes of memory, "
            f"{machine.name} has {machine.memory_bytes:,}"
        )
    return ""


def speed_of(task: Task, machine: Machine) -> float:
    """What divides a task's work there: the speed of the machine, its fastest cores, resources."""
    groups = machine.core_groups
    speed = machine.speed
    if groups:
        speed *= max(one.speed for one in groups) * fastest_mean(groups, task.cores)
    held = {kind for kind, _ in task.resources}
    return speed * math.prod(one.speed for one in machine.resources if one.kind in held)


@dataclass(frozen=True, eq=False)
class _Programs:
    """Positions of the tasks with programs, where these run, and what they spend there."""

    tasks: list[int]
    run: Flags
    parts_s: Floats
    notes: list[str] = field(default_factory=list)


def _programs(platform: Platform, workload: Workload) -> _Programs:
    """Price every program on every machine that can run it and whose seconds are not stated."""
    tasks = [place for place, task in enumerate(workload.tasks) if task.program is not None]
    shape = (len(tasks), len(platform.machines))
    found = _Programs(tasks, np.zeros(shape, np.bool_), np.zeros((*shape, len(PROGRAM_CAUSES))))
    for row, place in enumerate(tasks):
        task = workload.tasks[place]
        stated = {name for name, _ in task.seconds}
        for column, machine in enumerate(platform.machines):
            if task.program is None or machine.name in stated or obstacle(task.program, machine):
                continue
            found.run[row, column] = True
            found.parts_s[row, column] = task.program.cost(machine).parts_s
            where = f"{task.name} on {machine.name}"
            found.notes.extend(f"{where}: {note}" for note in task.program.caveats(machine))
    return found


def _dedicated_seconds(
    platform: Platform, workload: Workload, programs: _Programs, needs: Needs
) -> Floats:
    """work/speed, stated or a program's seconds; inf where the task can't run.

    Shape (tasks, machines).
    """
    tasks, machines = workload.tasks, platform.machines
    work = np.fromiter((0.0 if task.work is None else task.work for task in tasks), np.float64)
    with np.errstate(over="ignore"):
        seconds: Floats = work[:, None] / np.array([machine.speed for machine in machines])
    for column, machine in enumerate(machines):
        if machine.core_groups or any(one.speed != 1.0 for one in machine.resources):
            seconds[:, column] = work / [speed_of(task, machine) for task in tasks]
    _refuse_infinite(workload, seconds)
    seconds[programs.tasks] = np.where(programs.run, programs.parts_s.sum(axis=2), np.inf)
    for position, task in enumerate(tasks):
        if task.seconds:
            stated = _stated(task, platform)
            if task.program is None:
                seconds[position] = stated
            else:
                seconds[position] = np.minimum(seconds[position], stated)
        if task.allowed is not None:
            allowed = [
                machine_position(name, platform, f'task "{task.name}"') for name in task.allowed
            ]
            barred = np.ones(len(machines), dtype=np.bool_)
            barred[allowed] = False
            seconds[position, barred] = np.inf
    cores, memory = np.array([task.cores for task in tasks]), _memories(workload)
    seconds[cores[:, None] > np.array([machine.cores for machine in machines])] = np.inf
    seconds[memory[:, None] > np.array([_memory(machine) for machine in machines])] = np.inf
    seconds[needs.exceeded] = np.inf
    for position in [at for at, task in enumerate(tasks) if task.unit_memory]:
        reasons = [missing(tasks[position], machine, platform.resources) for machine in machines]
        seconds[position, np.array(list(map(bool, reasons)))] = np.inf
    nowhere = np.flatnonzero(np.isinf(seconds).all(axis=1))
    if nowhere.size:
        raise _fits_nowhere(tasks[int(nowhere[0])], platform)
    return seconds


def _stated(task: Task, platform: Platform) -> Floats:
    row = np.full(len(platform.machines), np.inf)
    for name, seconds in task.seconds:
        row[machine_position(name, platform, f'task "{task.name}"')] = seconds
    return row


def _fits_nowhere(task: Task, platform: Platform) -> InfeasibleError:
    found = [misfit(task, machine, platform.resources) for machine in platform.machines]
    reasons = list(dict.fromkeys(found))  # what the platform lacks is the same of all
    shown = "; ".join(reasons[:4]) + ("; …" if len(reasons) > 4 else "")
    return InfeasibleError("the task fits on no machine", where=f'task "{task.name}"', remedy=shown)


def _task_slowdowns(
    platform: Platform, workload: Workload, reading: str
) -> tuple[Floats, list[str]]:
    """Slowdown of every task on every machine, shape (tasks, machines), and its notes."""
    held, kind = np.unique([task.cores for task in workload.tasks], return_inverse=True)
    table, notes = slowdowns_holding(held.tolist(), platform, reading)
    return table[kind], notes


def slowdowns_holding(
    held: Sequence[int], platform: Platform, reading: str
) -> tuple[Floats, list[str]]:
    """Slowdown of a task that holds so many cores, shape (held, machines), and its notes.

    1 where a machine has fewer.
    """
    table = np.ones((len(held), len(platform.machines)))
    notes = []
    for column, machine in enumerate(platform.machines):
        for row, cores in enumerate(held):
            if cores <= machine.cores:
                found = machine_slowdown(machine, cores, reading)
                table[row, column] = found.value
                notes += [f"{machine.name}: {note}" for note in found.notes]
    return table, notes


def _refuse_infinite(workload: Workload, seconds: Floats) -> None:
    """Finite input must give finite seconds."""
    large = np.argwhere(~np.isfinite(seconds))
    if large.size:
        raise _too_large(workload.tasks[int(large[0, 0])])


def _contended(workload: Workload, dedicated: Floats, slowdowns: Floats) -> Floats:
    """Seconds beside others; refused where they overflow, one by one or together."""
    with np.errstate(over="ignore"):
        contended = dedicated * slowdowns
    _refuse_infinite(workload, np.where(np.isinf(dedicated), 0.0, contended))
    longest = np.where(np.isinf(contended), 0.0, contended).max(axis=1)
    with np.errstate(over="ignore"):
        together = longest.sum()
    if not np.isfinite(together):
        raise _too_large(workload.tasks[int(np.argmax(longest))])
    return np.asarray(contended)


def _too_large(task: Task) -> InputError:
    return InputError(
        "numbers too large: the seconds overflow",
        where=f'task "{task.name}"',
        value=max((seconds for _, seconds in task.seconds), default=task.work),
        remedy="Give smaller work or seconds, a larger speed or a smaller slowdown",
    )


def _memory(machine: Machine) -> float:
    return np.inf if machine.memory_bytes is None else float(machine.memory_bytes)


def _reserved(machine: Machine) -> float:
    """Bytes that all tasks placed on a machine may need together."""
    return _memory(machine) if machine.memory == RESERVED else np.inf


def _cores(count: int) -> str:
    return f"{count} core" if count == 1 else f"{count} cores"


def _int32(values: list[int]) -> Indices:
    """Cores beyond 2^31 − 1 exceed every need and are cut there."""
    return np.array([min(value, 2**31 - 1) for value in values], dtype=np.int32)
