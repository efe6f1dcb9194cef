"""Paths through the task graph: the least they can take, and the one that a schedule took."""

from __future__ import annotations

import numpy as np

from advisor.kernels import costs_kernel as costs
from advisor.kernels.instance import Instance, tiny
from machines.arrays import Floats, Indices

BORROWING = ("least_in", "least_out", "served", "share", "released")

_ATTEMPTS = 16  # raises of a time by `served`; each gives a bound
_ROUNDING = 1.0 - 1e-12  # of sums, which a schedule adds in another order


def least_in(instance: Instance, edge: int, values: Floats, least: Floats) -> None:
    """``least[q]`` = min over p ≠ q of (``values[p]`` + seconds of the edge from p to q)."""
    least[:] = np.inf
    for p in range(values.size):
        value, kept = values[p], least[p]
        if value == np.inf:
            continue
        if instance.plain:
            messages, size_bytes = instance.messages[edge, 0], instance.size_bytes[edge, 0]
            for q in range(least.size):
                way = value + (
                    messages * instance.startup_s[0, p, q]
                    + size_bytes * instance.per_byte_s[0, p, q]
                )
                least[q] = min(least[q], way)
        else:
            for q in range(least.size):
                least[q] = min(least[q], value + costs.flow_s(instance, edge, p, q))
        least[p] = kept


def least_out(instance: Instance, edge: int, values: Floats, least: Floats) -> None:
    """``least[p]`` = min over q ≠ p of (seconds of the edge from p to q + ``values[q]``)."""
    for p in range(least.size):
        best, kept = np.inf, values[p]
        values[p] = np.inf
        if instance.plain:
            messages, size_bytes = instance.messages[edge, 0], instance.size_bytes[edge, 0]
            for q in range(values.size):
                way = values[q] + (
                    messages * instance.startup_s[0, p, q]
                    + size_bytes * instance.per_byte_s[0, p, q]
                )
                best = min(best, way)
        else:
            for q in range(values.size):
                best = min(best, values[q] + costs.flow_s(instance, edge, p, q))
        values[p] = kept
        least[p] = best


def served(
    count: int, away: Floats, alone: Floats, rest: Floats, work: Floats, time: Floats
) -> None:
    """The least time in which `count` tasks can serve one, by its machine q; fills `time`, (m,).

    Those that can't serve it from elsewhere by a time R share q: the least `rest` among them +
    the sum of their `work` ≤ R. R is raised to the next time at which that can hold.

    Parameters
    ----------
    away, alone : array (count or more, m)
        When each serves at best from another machine, and from q if undisturbed.
    rest, work : array (count or more, m)
        What it can do elsewhere of that, and its core-seconds over the cores of q.
    """
    for q in range(time.size):
        time[q] = 0.0
        for i in range(count):
            time[q] = max(time[q], min(away[i, q], alone[i, q]))
        for _ in range(_ATTEMPTS if count > 1 else 0):
            least, load, later = np.inf, 0.0, np.inf
            for i in range(count):
                if away[i, q] > time[q]:
                    least = min(least, rest[i, q])
                    load += work[i, q]
                    later = min(later, away[i, q])
            if later == np.inf and load == 0.0:
                break
            needed = (least + load) * _ROUNDING
            if needed <= time[q]:
                break
            time[q] = min(needed, later)


def heads(instance: Instance) -> Floats:
    """The earliest conceivable end of every task on every machine, shape (n, m).

    head(t, q) = task_s(t, q) + the least time by which its inputs are on q (`served`): each
    from the machine p where head(u, p) + flow seconds are least, or from q, shared. Files from
    outside are there when they are.
    """
    head = instance.task_s.copy()
    machines = head.shape[1]
    most = (instance.first_in[1:] - instance.first_in[:-1]).max()
    away, alone = np.empty((most, machines)), np.empty((most, machines))
    rest, work = np.empty((most, machines)), np.empty((most, machines))
    ready, second = np.empty(machines), np.empty(machines)
    slot, serves = np.empty(head.shape[0], np.int64), np.full(head.shape[0], -1)
    for task in instance.topological_order:
        count = 0
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            source = instance.source[edge]
            if serves[source] == task:  # its data and its files
                i = slot[source]
                least_in(instance, edge, alone[i], second)
                away[i] = np.maximum(away[i], second)
                continue
            i, serves[source], slot[source] = count, task, count
            count += 1
            alone[i] = head[source]
            least_in(instance, edge, alone[i], away[i])
            share(instance, source, alone[i], rest[i], work[i])
        served(count, away, alone, rest, work, ready)
        for q in range(machines):
            head[task, q] += max(ready[q], costs.fetched_s(instance, task, q))
    return head


def tails(instance: Instance) -> Floats:
    """The least conceivable time from the end of every task on every machine to the last end.

    tail(t, p) = the least time in which its outputs, to tasks u, are worked off (`served`): each
    on the machine q where flow seconds + task_s(u, q) + tail(u, q) are least, or on p, shared.
    Shape (n, m).
    """
    tasks, machines = instance.task_s.shape
    tail = np.zeros((tasks, machines))
    most = (instance.first_out[1:] - instance.first_out[:-1]).max()
    away, alone = np.empty((most, machines)), np.empty((most, machines))
    rest, work = np.empty((most, machines)), np.empty((most, machines))
    second = np.empty(machines)
    slot, serves = np.empty(tasks, np.int64), np.full(tasks, -1)
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        count = 0
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            target = instance.target[edge]
            if serves[target] == task:  # by data and by files
                i = slot[target]
                least_out(instance, edge, alone[i], second)
                away[i] = np.maximum(away[i], second)
                continue
            i, serves[target], slot[target] = count, task, count
            count += 1
            alone[i] = instance.task_s[target] + tail[target]
            least_out(instance, edge, alone[i], away[i])
            share(instance, target, alone[i], rest[i], work[i])
        served(count, away, alone, rest, work, tail[task])
    return tail


def share(instance: Instance, task: int, alone: Floats, rest: Floats, work: Floats) -> None:
    """Split what a task takes `alone` on each machine into `rest` and `work` of `served`."""
    for q in range(alone.size):
        rest[q], work[q] = 0.0, np.inf
        if alone[q] < np.inf:
            seconds = instance.task_s[task, q]
            rest[q] = alone[q] - seconds
            work[q] = seconds * instance.task_cores[task] / instance.machine_cores[q]


def least_total(instance: Instance, weight: Floats) -> float:
    """The least sum of task and transfer seconds, flows left out until the graph is a forest.

    Of every task's inputs only that of most `weight` (e,) is kept, or of its outputs; the
    greater of the two minima, each found exactly from the leaves up.
    """
    tasks, machines = instance.task_s.shape
    least = np.empty(machines)
    kept_in = np.full(tasks, -1)
    kept_out = np.full(tasks, -1)
    for edge in range(weight.size):
        source, target = instance.source[edge], instance.target[edge]
        if kept_in[target] < 0 or weight[edge] > weight[kept_in[target]]:
            kept_in[target] = edge
        if kept_out[source] < 0 or weight[edge] > weight[kept_out[source]]:
            kept_out[source] = edge
    below = instance.task_s.copy()
    if instance.outside:
        below += instance.outside_total_s
    above = below.copy()
    out_tree, in_tree = 0.0, 0.0
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        edge = kept_in[task]
        if edge < 0:
            out_tree += below[task].min()
        else:
            least_out(instance, edge, below[task], least)
            below[instance.source[edge]] += np.minimum(least, below[task])
    for task in instance.topological_order:
        edge = kept_out[task]
        if edge < 0:
            in_tree += above[task].min()
        else:
            least_in(instance, edge, above[task], least)
            above[instance.target[edge]] += np.minimum(least, above[task])
    return max(out_tree, in_tree)


def fair_share(work: Floats, cores: Floats, rounds: int) -> tuple[float, Floats]:
    """A lower bound on the time in which machines can share work, by prices of a core-second.

    For any prices with sum of cores · price = 1: sum over tasks of min over q of (price(q) ·
    work(t, q)) ≤ the makespan, by duality of the fractional problem. Prices of machines that get
    too much are raised, `rounds` times.

    Parameters
    ----------
    work : array (n, m)
        Core-seconds; inf where the task may not run.
    cores : array (m,)

    Returns
    -------
    bound : float
        The best that was found.
    share : array (n,)
        What each task adds to it.
    """
    tasks, machines = work.shape
    price = np.empty(machines)
    for q in range(machines):
        seconds, allowed = 0.0, 0
        for task in range(tasks):
            if work[task, q] < np.inf:
                seconds += work[task, q]
                allowed += 1
        price[q] = allowed / seconds if seconds > 0.0 else 0.0
    dearest = price.max()
    for q in range(machines):
        if price[q] == 0.0:
            price[q] = dearest if dearest > 0.0 else 1.0
    best, share, trial, load = -1.0, np.zeros(tasks), np.zeros(tasks), np.zeros(machines)
    for attempt in range(rounds):
        price /= (price * cores).sum()
        load[:] = 0.0
        bound = 0.0
        for task in range(tasks):
            on, least = 0, np.inf
            for q in range(machines):
                if price[q] * work[task, q] < least * _ROUNDING:
                    on, least = q, price[q] * work[task, q]
            trial[task] = least * _ROUNDING
            bound += trial[task]
            load[on] += work[task, on]
        if bound > best:
            best = bound
            share[:] = trial
        if bound <= 0.0:
            break
        step = 0.5 / (1.0 + 0.2 * attempt)
        for q in range(machines):
            price[q] *= np.exp(step * (min(load[q] / cores[q] / bound, 3.0) - 1.0))
    return best, share


def chain(
    instance: Instance,
    allocation: Indices,
    place: Indices,
    by_end: Indices,
    start: Floats,
    end: Floats,
) -> tuple[Indices, Indices]:
    """Walk back from the last end along what each start waited for: data, else a core.

    It ends where one waited for a file from outside.

    Parameters
    ----------
    place : int32 array (n,)
        Position of every task in the order of placement.
    by_end : int32 array (n,)
        Tasks by machine, then by end.

    Returns
    -------
    tasks : int32 array
        The last first.
    edges : int32 array
        By which each was reached; -1: by a core that became free, or by nothing.
    """
    tasks = np.empty(end.size, np.int32)
    edges = np.full(end.size, -1, np.int32)
    task, count = int(end.argmax()), 0
    while task >= 0 and count < tasks.size:  # rounding may make a circle of equal times
        tasks[count] = task
        before = -1
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            source = instance.source[edge]
            flow_s = costs.flow_s(instance, edge, allocation[source], allocation[task])
            if end[source] + flow_s == start[task]:
                edges[count] = edge
                before = int(source)
                break
        if before < 0 and start[task] > costs.fetched_s(instance, task, allocation[task]):
            before = released(allocation, place, by_end, end, task, start[task])
        task = before
        count += 1
    return tasks[:count], edges[:count]


def released(
    allocation: Indices, place: Indices, by_end: Indices, end: Floats, task: int, time: float
) -> int:
    """A task placed before `task` on its machine that ends at `time`; -1 if none does."""
    on = allocation[task]
    low, high = 0, by_end.size
    while low < high:
        middle = (low + high) // 2
        other = by_end[middle]
        if allocation[other] < on or (allocation[other] == on and end[other] < time):
            low = middle + 1
        else:
            high = middle
    while low < by_end.size and allocation[by_end[low]] == on and end[by_end[low]] == time:
        if place[by_end[low]] < place[task]:
            return int(by_end[low])
        low += 1
    return -1


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    order = instance.topological_order
    times = np.array([0.0, 1.0])
    heads(instance)
    tails(instance)
    least_total(instance, np.ones(1))
    fair_share(np.ones((2, 2)), np.ones(2), 1)
    chain(instance, np.zeros(2, np.int32), order, order, times, times + 1.0)
