"""The contention-aware schedule: transfers share links, switches and stores, tasks processors.

Platform, workload and costs → arrays (`executed_of`), and those with a plan → when everything
happens (`executed`, `executed_makespan`). The counterpart of `advisor.allocation.timeline`, where
each transfer and task is alone. Model and sources: `advisor.models.fair_sharing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.costs import Costs
from advisor.allocation.equivalence_classes import alike
from advisor.allocation.host_costs import SharedRoutes
from advisor.allocation.outside_costs import file_homes
from advisor.allocation.pair_costs import binned
from advisor.allocation.used_machines import of_used_machines
from advisor.allocation.workload import Flow, Workload
from advisor.kernels import execution_kernel as kernel
from advisor.kernels.executed import Executed, Run
from advisor.models.contention import machine_slowdown
from machines import Platform
from machines.arrays import Floats, Indices, Ints
from machines.resources import by_speed
from machines.runtime import ENGINE_TIMES, ONCE, READY, SLOT

__all__ = [
    "Executed",
    "Items",
    "Run",
    "executed",
    "executed_makespan",
    "executed_of",
    "executed_run",
]


@dataclass(frozen=True, eq=False)
class Items:
    """What may move: flows that carry something, then files that are read.

    Attributes
    ----------
    flow, file : int32 array (items,)
        Position of the stated flow, or of the file; else -1.
    """

    flow: Indices
    file: Indices


def executed(instance: Executed, allocation: Indices, order: Indices) -> tuple[float, Run, Floats]:
    """Carry a plan out.

    Parameters
    ----------
    allocation, order : int32 array (tasks,)
        Machine of every task; the order in which machines take theirs, every task after those
        that it needs.

    Returns
    -------
    makespan_s : float
        The last end; inf where the plan can't be carried out.
    run : Run
    trace : array (changes, 3)
        Time, resource and the bytes/s that move through it from then on.
    """
    instance, allocation = of_used_machines(instance, allocation)
    trace, changes = np.empty((0, 3)), 1 + 4 * instance.reader.size
    while changes > len(trace):
        run, trace = kernel.blank(instance), np.empty((changes, 3))
        makespan_s, changes = kernel.execute(instance, allocation, order, run, trace)
    return float(makespan_s), run, trace[:changes]


def executed_run(instance: Executed, allocation: Indices, order: Indices) -> tuple[float, Run]:
    """As `executed`, without the load of resources: half the time."""
    instance, allocation = of_used_machines(instance, allocation)
    run = kernel.blank(instance)
    makespan_s, _ = kernel.execute(instance, allocation, order, run, np.empty((0, 3)))
    return float(makespan_s), run


def executed_makespan(instance: Executed, allocation: Indices, order: Indices) -> float:
    """The last end in seconds, as of `executed`."""
    instance, allocation = of_used_machines(instance, allocation)
    return float(kernel.makespan(instance, allocation, order))


def executed_of(
    platform: Platform, workload: Workload, costs: Costs, shared: SharedRoutes, reading: str
) -> tuple[Executed, Items]:
    """Arrays of what is to be simulated.

    Parameters
    ----------
    platform, workload
        What runs where.
    costs : Costs
        Of both; dedicated seconds of tasks and stated seconds of flows are taken from it.
    shared : SharedRoutes
        Of the platform, under the same reading.
    reading : {"exact", "published"}
        Contention model: it gives the speed of r own cores on a machine as 1 / the slowdown of a
        task that holds r of them.

    Returns
    -------
    Executed, Items
    """
    flow, waits = _carrying(workload.flows)
    homes = file_homes(platform, workload)
    file = _readable(workload, homes)
    items = Items(
        np.array([*flow, *[-1] * len(file)], np.int32),
        np.array([*[-1] * len(flow), *file], np.int32),
    )
    runtime = platform.runtime
    messages, size_bytes, shares, mix = _sizes(costs.between.thresholds, workload, flow, file)
    instance = Executed(
        work_s=costs.task_dedicated_s,
        overhead_s=float(runtime.task_overhead_s),
        **_engine(platform),
        task_cores=costs.task_cores,
        machine_cores=costs.machine_cores,
        **costs.needs.arrays,
        wide=costs.needs.platform_wide,
        **_speeds(platform, reading),
        **_memory(platform, workload, costs),
        home=np.array([*[-1] * len(flow), *homes[file].tolist()], np.int32),
        **_needs(workload, flow, file, waits)._asdict(),
        size_bytes=size_bytes,
        messages=messages,
        shares=shares,
        mix=mix,
        table=_stated_rows(workload, costs, flow, len(file)),
        startup_s=costs.between.contended.startup_s,
        per_byte_s=costs.between.contended.per_byte_s,
        tables=_among_hosts(costs.flows.tables, len(platform.hosts)),
        first_pass=shared.first_pass,
        passed=shared.passed,
        pair=shared.pair,
        capacity=shared.capacity,
        weight=shared.weight,
        slot=runtime.fetch == SLOT,
        once=runtime.copies == ONCE,
        eager=runtime.order == READY,
    )
    return instance, items


def _engine(platform: Platform) -> dict[str, Any]:
    """What the engine takes between a task's last input and its start: fields of `Executed`."""
    times = {name: float(getattr(platform.runtime, name)) for name in ENGINE_TIMES}
    up_s = np.array([machine.up_s or 0.0 for machine in platform.machines])
    return {"dispatched": platform.runtime.dispatches or bool(up_s.any()), "up_s": up_s, **times}


def _memory(platform: Platform, workload: Workload, costs: Costs) -> dict[str, Any]:
    """What tasks move through memory, and what machines can: fields of `Executed`.

    A task moves the same bytes wherever it runs: more of them a second where it is quicker.
    """
    rates = [one.memory_bandwidth for one in platform.machines]
    memory_rate = np.array([np.inf if rate is None else float(rate) for rate in rates])
    if not np.isfinite(memory_rate).any():
        return {"draws": np.zeros((0, 0)), "memory_rate": memory_rate}
    draws = np.zeros(costs.task_dedicated_s.shape)
    for row, task in enumerate(workload.tasks):
        if not task.memory_bandwidth:
            continue
        draws[row] = float(task.memory_bandwidth)
        if task.work is not None:
            draws[row] *= task.work / np.maximum(costs.task_dedicated_s[row], np.finfo(float).tiny)
    return {"draws": draws if draws.any() else draws[:0, :0].copy(), "memory_rate": memory_rate}


def _speeds(platform: Platform, reading: str) -> dict[str, Any]:
    """How fast cores are: fields of `Executed`."""
    return {**_groups(platform)._asdict(), **_rates(platform, reading)._asdict()}


class _Groups(NamedTuple):
    """Core groups of all machines: fields of `Executed`."""

    first_group: Indices
    group_cores: Ints
    group_speed: Floats


def _groups(platform: Platform) -> _Groups:
    """Of every machine the fastest first."""
    rows = [by_speed(one.core_groups) for one in platform.machines]
    return _Groups(
        _starts(np.array([len(row) for row in rows])),
        np.array([count for row in rows for count, _ in row], np.int64),
        np.array([speed for row in rows for _, speed in row], np.float64),
    )


class _Needs(NamedTuple):
    """Who makes and who reads each item, and which tasks wait for others: fields of `Executed`."""

    writer: Indices
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


def _needs(workload: Workload, flow: list[int], file: list[int], waits: list[int]) -> _Needs:
    use, tasks = workload.use, len(workload.tasks)
    writer = np.array(
        [*workload.sources[flow].tolist(), *use.writer[file].tolist()], dtype=np.int32
    )
    readers = [[int(workload.targets[one])] for one in flow]
    readers += [list(use.readers[one]) for one in file]
    slots = np.array([len(one) for one in readers], dtype=np.int32)
    item = np.repeat(np.arange(len(readers), dtype=np.int32), slots)
    reader = np.array([task for one in readers for task in one], dtype=np.int32)
    made = np.flatnonzero(writer >= 0)
    made = made[np.argsort(writer[made], kind="stable")]
    sources, targets = workload.sources[waits], workload.targets[waits]
    following = np.argsort(sources, kind="stable")
    before = np.bincount(reader[writer[item] >= 0], minlength=tasks)
    before += np.bincount(targets, minlength=tasks)
    return _Needs(
        writer=writer,
        first_slot=_starts(slots),
        reader=reader,
        first_input=_starts(np.bincount(reader, minlength=tasks)),
        input_slot=np.argsort(reader, kind="stable").astype(np.int32),
        item=item,
        first_made=_starts(np.bincount(writer[made], minlength=tasks)),
        made=made.astype(np.int32),
        first_next=_starts(np.bincount(sources, minlength=tasks)),
        following=targets[following].astype(np.int32),
        before=before.astype(np.int32),
    )


def _carrying(flows: tuple[Flow, ...]) -> tuple[list[int], list[int]]:
    """Positions of the flows that carry something, and of those that only order."""
    carrying = [place for place, one in enumerate(flows) if one.data_sets or one.seconds]
    known = set(carrying)
    return carrying, [place for place in range(len(flows)) if place not in known]


def _readable(workload: Workload, homes: Indices) -> list[int]:
    """Positions of the files that some task reads and that lie or are made somewhere."""
    return [
        place
        for place, readers in enumerate(workload.use.readers)
        if readers and (workload.use.writer[place] >= 0 or homes[place] >= 0)
    ]


def _sizes(
    thresholds: Floats, workload: Workload, flow: list[int], file: list[int]
) -> tuple[Floats, Floats, Floats, Indices]:
    """Messages by bin and bytes of every item, the mixes of bins, and the mix of each."""
    data_sets = [workload.flows[one].data_sets for one in flow]
    sizes = [workload.files[one].size_bytes for one in file]
    data_sets += [((1, size),) if size > 0 else () for size in sizes]
    messages, content = binned(data_sets, thresholds)
    size_bytes = content.sum(axis=1)
    each = np.divide(
        content, size_bytes[:, None], out=np.zeros_like(content), where=size_bytes[:, None] > 0
    )
    each[size_bytes <= 0, 0] = 1.0
    if not each.size:
        return messages, size_bytes, np.ones((1, each.shape[1])), np.zeros(0, np.int32)
    first, mix = alike(each.T)
    return messages, size_bytes, each[first], mix.astype(np.int32)


def _stated_rows(workload: Workload, costs: Costs, flow: list[int], files: int) -> Indices:
    """Row of the tables of stated seconds of every item, or -1."""
    rows = [int(costs.flows.table[one]) if workload.flows[one].seconds else -1 for one in flow]
    return np.array([*rows, *[-1] * files], np.int32)


def _among_hosts(tables: Floats, hosts: int) -> Floats:
    """Tables by machines as tables by hosts; nothing is stated from or to a store."""
    count, machines, _ = tables.shape
    found = np.full((count, hosts, hosts), np.inf)
    found[:, :machines, :machines] = tables
    return found


class _Rates(NamedTuple):
    """Speeds by cores in use: fields of `Executed`."""

    first_rate: Ints
    rates: Floats


def _rates(platform: Platform, reading: str) -> _Rates:
    """Where each machine's speeds begin, and its speed with 1, 2, … of its cores computing."""
    rows = []
    for machine in platform.machines:
        alone = not machine.contenders or machine.slowdown is not None
        used = [1] if alone else range(1, machine.cores + 1)
        speeds = [1.0 / machine_slowdown(machine, cores, reading).value for cores in used]
        rows.append(speeds * machine.cores if alone else speeds)
    first = _starts(np.array([len(row) for row in rows])).astype(np.int64)
    return _Rates(first, np.array([speed for row in rows for speed in row]))


def _starts(counts: NDArray[np.integer]) -> Indices:
    """Where each part begins when parts of so many lie one after the other, and the end."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
