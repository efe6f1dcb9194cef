"""Paths through the task graph: the least they can take, and the one that a schedule took."""

from __future__ import annotations

import numpy as np

from advisor.kernels import schedule
from advisor.kernels.instance import Floats, Instance, Ints, tiny

BORROWING = ("least_in", "least_out", "released")


def least_in(instance: Instance, edge: int, values: Floats, least: Floats) -> None:
    """``least[q]`` = min over p of (``values[p]`` + seconds of the edge from p to q)."""
    least[:] = np.inf
    for p in range(values.size):
        value = values[p]
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
                least[q] = min(least[q], value + schedule.flow_s(instance, edge, p, q))


def least_out(instance: Instance, edge: int, values: Floats, least: Floats) -> None:
    """``least[p]`` = min over q of (seconds of the edge from p to q + ``values[q]``)."""
    for p in range(least.size):
        best = np.inf
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
                best = min(best, values[q] + schedule.flow_s(instance, edge, p, q))
        least[p] = best


def heads(instance: Instance) -> Floats:
    """The earliest conceivable end of every task on every machine, shape (n, m).

    head(t, q) = task_s(t, q) + max over inputs, from u, of min over p of (head(u, p) + seconds of
    the flow from p to q): as if every task had its machine to itself.
    """
    head = instance.task_s.copy()
    machines = head.shape[1]
    ready, least = np.empty(machines), np.empty(machines)
    for task in instance.topological_order:
        ready[:] = 0.0
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            least_in(instance, edge, head[instance.source[edge]], least)
            for q in range(machines):
                ready[q] = max(ready[q], least[q])
        for q in range(machines):
            head[task, q] += ready[q]
    return head


def tails(instance: Instance) -> Floats:
    """The least conceivable time from the end of every task on every machine to the last end.

    tail(t, p) = max over outputs, to u, of min over q of (seconds of the flow from p to q +
    task_s(u, q) + tail(u, q)). Shape (n, m).
    """
    tail = np.zeros(instance.task_s.shape)
    tasks, machines = tail.shape
    after, least = np.empty(machines), np.empty(machines)
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        for row in range(instance.first_out[task], instance.first_out[task + 1]):
            edge = instance.edge_out[row]
            target = instance.target[edge]
            for q in range(machines):
                after[q] = instance.task_s[target, q] + tail[target, q]
            least_out(instance, edge, after, least)
            for p in range(machines):
                tail[task, p] = max(tail[task, p], least[p])
    return tail


def least_total(instance: Instance, weight: Floats) -> float:
    """The least sum of task and flow seconds, flows left out until the graph is a forest.

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
    above = instance.task_s.copy()
    out_tree, in_tree = 0.0, 0.0
    for position in range(tasks - 1, -1, -1):
        task = instance.topological_order[position]
        edge = kept_in[task]
        if edge < 0:
            out_tree += below[task].min()
        else:
            least_out(instance, edge, below[task], least)
            below[instance.source[edge]] += least
    for task in instance.topological_order:
        edge = kept_out[task]
        if edge < 0:
            in_tree += above[task].min()
        else:
            least_in(instance, edge, above[task], least)
            above[instance.target[edge]] += least
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
        price[q] = allowed / seconds if seconds > 0.0 else 1.0
    best, share, trial, load = -1.0, np.zeros(tasks), np.zeros(tasks), np.zeros(machines)
    for attempt in range(rounds):
        price /= (price * cores).sum()
        load[:] = 0.0
        bound = 0.0
        for task in range(tasks):
            on, least = 0, np.inf
            for q in range(machines):
                if price[q] * work[task, q] < least:
                    on, least = q, price[q] * work[task, q]
            trial[task] = least
            bound += least
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
    allocation: Ints,
    place: Ints,
    by_end: Ints,
    start: Floats,
    end: Floats,
) -> tuple[Ints, Ints]:
    """Walk back from the last end along what each start waited for: data, else a core.

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
    task, count = np.int64(end.argmax()), 0
    while task >= 0:
        tasks[count] = task
        before = np.int64(-1)
        for edge in range(instance.first_in[task], instance.first_in[task + 1]):
            source = instance.source[edge]
            flow_s = schedule.flow_s(instance, edge, allocation[source], allocation[task])
            if end[source] + flow_s == start[task]:
                edges[count] = edge
                before = np.int64(source)
                break
        if before < 0 and start[task] > 0.0:
            before = released(allocation, place, by_end, end, task, start[task])
        task = before
        count += 1
    return tasks[:count], edges[:count]


def released(
    allocation: Ints, place: Ints, by_end: Ints, end: Floats, task: int, time: float
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
            return np.int64(by_end[low])
        low += 1
    return np.int64(-1)


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
