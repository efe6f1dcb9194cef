"""Proved lower bounds on the makespan of contention-aware schedules, over all plans.

Those of `advisor.allocation.bounds`, with what a runtime adds: the overhead of a task, what it
fetches in its slot, and the speed of a machine all of whose cores compute. Files that one task
makes for another come together there, not one after the other. And the load of each link, store
and switch that no plan avoids.

Of that load: what lies on a store, or is made and read where tasks must be apart, crosses the same
resources wherever its readers are. Those bytes move one after the other through each: from the
first that can leave to the last, after which its reader must still run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.allocation.bounds import (
    Reach,
    makespan_bound,
    reach_of,
    shared_work,
    squeezed,
    total_bound,
)
from advisor.allocation.equivalence_classes import alike_rows
from advisor.allocation.execution import Executed
from advisor.allocation.host_costs import BothHostCosts
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.split_bounds import split_bound
from advisor.allocation.timeline import Instance
from advisor.allocation.workload import Workload
from advisor.kernels import engine_kernel as engine
from machines.arrays import Flags, Floats, Indices, Ints

_TICK = 1e-9  # of a period
_ROUNDING = 1.0 - 1e-12  # of sums, which an execution adds in another order


def executed_bounds(
    instance: Instance,
    executed: Executed,
    workload: Workload,
    between: BothHostCosts,
    core_s: Floats | None = None,
) -> dict[str, float]:
    """Objective → seconds that no contention-aware schedule undercuts; the total's as `bounds_of`.

    Parameters
    ----------
    instance : Instance
        Seconds alone; of scalable tasks what no number of processors undercuts.
    executed : Executed
        Of the same platform and workload.
    between : BothHostCosts
        What the executed timeline's messages cost.
    core_s : array (tasks, machines), optional
        As of `bounds_of`.
    """
    loosest = _together(instance, executed, workload, between)
    after_s = loosest.task_s + executed.overhead_s
    longer = loosest._replace(task_s=after_s)
    if core_s is None and executed.overhead_s <= 0.0:
        core_s = _work(longer, executed)
    reach = reach_of(longer)
    found = makespan_bound(longer, reach, core_s)
    if found == np.inf:
        return {MAKESPAN: np.inf, TOTAL: np.inf}
    if executed.slot:
        held_s = fetched_in_slot(executed) + after_s
        work = np.where(reach.usable, held_s * instance.task_cores[:, None], np.inf)
        found = max(found, shared_work(longer, work)[0])
    found = max(found, network_bound(executed, reach, after_s) * _ROUNDING)
    if executed.cycle_s == executed.reclaim_s > 0.0 and not executed.up_s.any():
        found = max(found, tick_bound(longer, executed.cycle_s) * _ROUNDING)
    if executed.dispatched:
        found = max(found, dispatch_bound(loosest, executed) * _ROUNDING)
    split = split_bound(executed, longer, reach, after_s, found / _ROUNDING) * _ROUNDING
    return {MAKESPAN: max(found, split), TOTAL: total_bound(instance)}


def fetched_in_slot(executed: Executed) -> Floats:
    """Seconds for which each task holds its cores before its start, at least; (tasks, machines).

    Files from outside that only it brings to its machine: all of its own where every reader
    fetches its copy, else those that nobody else reads. The longest, alone.
    """
    tasks, machines = executed.work_s.shape
    found = np.zeros((tasks, machines))
    if not executed.slot:
        return found
    readers = np.diff(executed.first_slot)
    alone = (executed.writer < 0) & (executed.size_bytes > 0) & (executed.home >= 0)
    if executed.once:
        alone &= readers == 1
    slots = np.flatnonzero(alone[executed.item])
    item = executed.item[slots]
    home = executed.home[item]
    seconds = np.zeros((slots.size, machines))
    for size in range(executed.messages.shape[1]):
        startup_s = executed.startup_s[size][home, :machines]
        per_byte_s = executed.per_byte_s[size][home, :machines]
        share = executed.size_bytes[item] * executed.shares[executed.mix[item], size]
        used = executed.messages[item, size] > 0
        seconds[used] += executed.messages[item[used], size, None] * startup_s[used]
        moved = share > 0
        seconds[moved] += share[moved, None] * per_byte_s[moved]
    seconds[~np.isfinite(seconds)] = 0.0
    seconds[home[:, None] == np.arange(machines)] = 0.0
    np.maximum.at(found, executed.reader[slots], seconds)
    return found


def _work(instance: Instance, executed: Executed) -> Floats:
    """Core-seconds of every task where cores are only as quick as when most gets done.

    r cores of a machine get r · speed(r) done together, at most the greatest of these; without
    contenders that is their number.
    """
    first, cores = executed.first_rate, executed.machine_cores
    most = np.array(
        [
            (np.arange(1, count + 1) * executed.rates[begin : begin + count]).max()
            for begin, count in zip(first[:-1].tolist(), cores.tolist(), strict=True)
        ]
    )
    held = executed.task_cores[:, None]
    full = executed.work_s * held * (cores / most)
    alone: Floats = instance.task_s * held
    can = np.isfinite(alone)
    more = np.where(can, full, 0.0).sum(axis=0) > np.where(can, alone, 0.0).sum(axis=0)
    return np.where(more & can, full, alone)


def _together(
    instance: Instance, executed: Executed, workload: Workload, between: BothHostCosts
) -> Instance:
    """The instance in which several files from one task to another are one message.

    Of all their bytes where every route passes something that all transfers of it share; else of
    the largest.
    """
    use, stated = workload.use, len(workload.flows)
    pair = np.repeat(np.arange(use.source.size), np.diff(use.first))
    sizes = np.array([one.size_bytes for one in workload.files])[use.carried]
    several = np.bincount(pair, sizes > 0, minlength=use.source.size) > 1
    if not several.any():
        return instance
    at = instance.flow - stated
    rows = np.flatnonzero((at >= 0) & several[np.maximum(at, 0)])
    largest, together = np.zeros((2, use.source.size))
    np.maximum.at(largest, pair, sizes)
    np.add.at(together, pair, sizes)
    largest, together = largest[at[rows]], together[at[rows]]
    messages, size_bytes = instance.messages.copy(), instance.size_bytes.copy()
    at_once = messages.shape[1] == 1 and _shares_every_route(executed)
    place = np.searchsorted(between.thresholds, largest)
    messages[rows], size_bytes[rows] = 0.0, 0.0
    messages[rows, place] = 1.0
    size_bytes[rows, place] = together if at_once else largest
    return instance._replace(messages=messages, size_bytes=size_bytes)


def _shares_every_route(executed: Executed) -> bool:
    """Whether transfers of one route never move more together than one of them alone."""
    machines, hosts = executed.machine_cores.size, executed.startup_s.shape[1]
    capacity = np.full(hosts * hosts, np.inf)
    np.minimum.at(capacity, executed.pair, executed.capacity[executed.passed])
    between = capacity.reshape(hosts, hosts)[:machines, :machines]
    per_byte_s = executed.per_byte_s[0, :machines, :machines]
    joined = np.isfinite(per_byte_s) & ~np.eye(machines, dtype=np.bool_)
    return bool((between[joined] * per_byte_s[joined] <= 1.0 / _ROUNDING).all())


def alone_at_least(
    instance: Instance, executed: Executed, workload: Workload, between: BothHostCosts
) -> Instance:
    """The instance in which no task and no edge takes longer than in any execution.

    So that a schedule of it bounds the execution of the same allocation and order of machines
    that start their tasks in order. Arguments as of `executed_bounds`.
    """
    loosest = _together(instance, executed, workload, between)
    return loosest._replace(task_s=loosest.task_s + executed.overhead_s)


_EFFORT = 20_000_000  # entries of routes that may be visited


class _Crossing(NamedTuple):
    """Slots that must pass a resource; arrays of one length.

    When their bytes can begin to move at the earliest, and what must still follow their arrival.
    """

    resource: Indices
    item: Indices
    release_s: Floats
    rest_s: Floats


def network_bound(executed: Executed, reach: Reach, after_s: Floats) -> float:
    """Seconds that no plan undercuts, for the load of any one resource.

    makespan ≥ a + (bytes that can't move before a and leave b or more) / capacity + b. One copy of
    an item counts where a machine keeps it, one for each reader where each fetches its own.

    Parameters
    ----------
    executed : Executed
    reach : Reach
        Earliest ends and least rests; where tasks can be.
    after_s : array (tasks, machines)
        What a task takes from the arrival of its data to its end.
    """
    found = _crossings(executed, reach, after_s)
    if not found.resource.size:
        return 0.0
    order = np.lexsort((-found.rest_s, found.item, found.resource))
    resource, item = found.resource[order], found.item[order]
    release_s, rest_s = found.release_s[order], found.rest_s[order]
    kept = np.ones(resource.size, dtype=np.bool_)
    if executed.once:
        kept[1:] = (resource[1:] != resource[:-1]) | (item[1:] != item[:-1])
    share = executed.size_bytes[item] / executed.capacity[resource]
    return max(
        squeezed(release_s[rows], rest_s[rows], share[rows])
        for one in np.unique(resource)
        for rows in [np.flatnonzero((resource == one) & kept)]
    )


def _crossings(executed: Executed, reach: Reach, after_s: Floats) -> _Crossing:
    """All slots that must pass some resource wherever their tasks are."""
    usable = reach.usable
    ends = np.where(usable, reach.head, np.inf).min(axis=1)
    rests = np.where(usable, reach.tail + after_s, np.inf).min(axis=1)
    groups, group = alike_rows(usable)
    slots = np.flatnonzero(
        (executed.size_bytes[executed.item] > 0) & (executed.table[executed.item] < 0)
    )
    item = executed.item[slots]
    writer, reader = executed.writer[item], executed.reader[slots]
    slots = slots[(writer >= 0) | (executed.home[item] >= 0)]
    item, reader = executed.item[slots], executed.reader[slots]
    writer = executed.writer[item]
    source = np.where(writer >= 0, group[writer], len(groups) + executed.home[item])
    key = source.astype(np.int64) * len(groups) + group[reader]
    keys, which = np.unique(key, return_inverse=True)
    which = which.reshape(-1)
    weight = np.bincount(which, executed.size_bytes[item], minlength=keys.size)
    ranked = np.argsort(-weight, kind="stable")[: _EFFORT // (executed.passed.size + 1)]
    startup_s = executed.startup_s.min(axis=0)
    parts = []
    for one in ranked.tolist():
        origin, target = divmod(int(keys[one]), len(groups))
        passed, least_s = _unavoidable(executed, groups, origin, groups[target], startup_s)
        if not passed.size:
            continue
        rows = np.flatnonzero(which == one)
        made = writer[rows] >= 0
        release_s = np.where(made, ends[writer[rows]], 0.0)
        release_s += executed.messages[item[rows]].sum(axis=1) * least_s
        count = passed.size
        parts.append(
            _Crossing(
                np.tile(passed, rows.size).astype(np.int32),
                np.repeat(item[rows], count),
                np.repeat(release_s, count),
                np.repeat(rests[reader[rows]], count),
            )
        )
    if not parts:
        none = np.zeros(0)
        return _Crossing(none.astype(np.int32), none.astype(np.int32), none, none)
    return _Crossing(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _unavoidable(
    executed: Executed, groups: Flags, origin: int, targets: Flags, startup_s: Floats
) -> tuple[Ints, float]:
    """Resources on all routes from a group of machines, or a host, to `targets`; least startup.

    None where some may be on the same machine, or no route joins them.
    """
    hosts = startup_s.shape[0]
    from_host, to_host = np.zeros((2, hosts), dtype=np.bool_)
    if origin >= len(groups):
        from_host[origin - len(groups)] = True
    else:
        from_host[: targets.size] = groups[origin]
    to_host[: targets.size] = targets
    none = np.zeros(0, dtype=np.int64)
    if (from_host & to_host).any():
        return none, 0.0
    joined = np.isfinite(startup_s) & from_host[:, None] & to_host
    if not joined.any():
        return none, 0.0
    source, target = np.divmod(executed.pair, hosts)
    passes = from_host[source] & to_host[target]
    times = np.bincount(executed.passed[passes], minlength=executed.capacity.size)
    return np.flatnonzero(times == joined.sum()), float(startup_s[joined].min())


def tick_bound(instance: Instance, period_s: float) -> float:
    """A bound where slots are taken at ticks and free again at ticks, in seconds.

    Each task then holds its cores for a multiple of the period p. If all cores can hold these no
    sooner than by B, the last end lies in the period that ends at ⌈B⌉ₚ, or later.
    """
    ticks = np.ceil(instance.task_s / period_s - _TICK)
    held_s = ticks * period_s * instance.task_cores[:, None]
    shared_s, _ = shared_work(instance, held_s)
    return period_s * (float(np.ceil(shared_s / period_s - _TICK)) - 1.0)


def dispatch_bound(instance: Instance, executed: Executed) -> float:
    """A bound for engines that take their time to hand tasks out, in seconds.

    Each task is handed out as if it were the only one. With ⌈t⌉ₚ the first multiple of p from t on,
    every task t that follows tasks u has

        end(t) ≥ max(⌈max(begin, ⌈max end(u)⌉_poll) + submit⌉_cycle, up(m)) + overhead + its seconds

    on the machine m where that is least, and the last of n tasks is handed out after
    begin + n · submit.
    """
    there_s = instance.task_s + executed.overhead_s
    first = int(executed.up_s.argmin())
    alone = np.full(1, executed.begin_s)
    ends = np.zeros(len(there_s))
    for task in instance.topological_order.tolist():
        before = instance.source[instance.first_in[task] : instance.first_in[task + 1]]
        alone[0] = executed.begin_s
        seen_s = engine.seen(executed, float(ends[before].max(initial=0.0)))
        out_s = engine.handed_out(executed, alone, seen_s, first)
        ends[task] = (np.maximum(out_s, executed.up_s) + there_s[task]).min()
    alone[0] = executed.begin_s + (len(there_s) - 1) * executed.submit_s
    last_s = engine.handed_out(executed, alone, 0.0, first) + float(there_s.min())
    return max(float(ends.max(initial=0.0)), last_s)
