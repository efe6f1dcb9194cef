"""Simulated annealing of an allocation and its order.

A list of tasks is decoded by appending: each starts when its data and enough cores are there.
Moves: a task to another place or machine, two tasks swapped, a cluster of tasks tied by heavy
flows to one machine, two machines' tasks exchanged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels import costs_kernel as costs
from advisor.kernels import solution
from advisor.kernels.instance import Instance, tiny
from advisor.kernels.solution import Search, Trial

Array = Any

BORROWING = (
    "decode", "window", "grow", "rank_upwards", "reorder", "pick_task", "latest_end", "restore",
    "pick_machine", "try_exchange", "try_cluster", "try_shift", "try_swap", "propose", "anneal",
    "begin", "kick",
)  # fmt: skip


def decode(instance: Instance, search: Search, trial: Trial, first: int, limit: float) -> float:
    """Times of the tasks from position `first` on; inf as soon as `limit` can't be kept."""
    allocation, order, start, end = trial.allocation, trial.order, trial.start, trial.end
    free, holder, core_first = search.free, search.holder, search.core_first
    for core in range(free.shape[0]):
        free[core] = 0.0
        holder[core] = -1
    latest = 0.0
    for position in range(order.shape[0]):
        task = order[position]
        on = allocation[task]
        cores = instance.task_cores[task]
        low, high = core_first[on], core_first[on + 1]
        if position >= first:
            ready, why = costs.fetched_s(instance, task, on), -1
            for edge in range(instance.first_in[task], instance.first_in[task + 1]):
                source = instance.source[edge]
                arrival = end[source]
                if allocation[source] != on:
                    arrival += costs.flow_s(instance, edge, allocation[source], on)
                if arrival > ready:
                    ready, why = arrival, source
            if free[low + cores - 1] > ready:
                ready, why = free[low + cores - 1], holder[low + cores - 1]
            start[task] = ready
            end[task] = ready + instance.task_s[task, on]
            trial.why[task] = why
            if not end[task] + search.tail[task, on] <= limit:
                return np.inf
        if end[task] > latest:
            latest = end[task]
        if instance.task_s[task, on] > 0.0:
            solution.occupy(search, low, high, cores, end[task], task)
    return latest


def window(instance: Instance, search: Search, task: int) -> tuple[int, int]:
    """First and last position that a task may take in the order."""
    source, target, edge_out = instance.source, instance.target, instance.edge_out
    place = search.place
    low, high = 0, place.shape[0] - 1
    for edge in range(instance.first_in[task], instance.first_in[task + 1]):
        if place[source[edge]] >= low:
            low = place[source[edge]] + 1
    for row in range(instance.first_out[task], instance.first_out[task + 1]):
        if place[target[edge_out[row]]] <= high:
            high = place[target[edge_out[row]]] - 1
    return low, high


def grow(instance: Instance, search: Search, task: int, on: int) -> int:
    """Collect in `members` a cluster around `task` over heavy edges; returns its size."""
    first_in, first_out, edge_out = instance.first_in, instance.first_out, instance.edge_out
    sources, targets, task_s = instance.source, instance.target, instance.task_s
    allocation, members, mark = search.now.allocation, search.members, search.mark
    bond, rng = search.bond, search.rng
    greed = 10.0 ** (2.0 * solution.draw(rng) - 1.0)
    home = allocation[task] if solution.draw(rng) < 0.5 else -1
    size, done = 1, 0
    members[0] = task
    mark[task] = 1
    while done < size:
        member = members[done]
        done += 1
        incoming = first_in[member + 1] - first_in[member]
        outgoing = first_out[member + 1] - first_out[member]
        for step in range(incoming + outgoing):
            if step < incoming:
                edge = first_in[member] + step
                other = sources[edge]
            else:
                edge = edge_out[first_out[member] + step - incoming]
                other = targets[edge]
            at = allocation[other]
            if mark[other] != 0 or at == on or (home >= 0 and at != home):
                continue
            if not task_s[other, on] < np.inf:
                continue
            if solution.draw(rng) * (bond[edge] + greed * (1.0 - bond[edge])) < bond[edge]:
                mark[other] = 1
                members[size] = other
                size += 1
    for index in range(size):
        mark[members[index]] = 0
    return size


def rank_upwards(instance: Instance, allocation: Array, rank: Array) -> None:
    """Time from the start of every task to the end of all along flows, as allocated."""
    topological, task_s, target = instance.topological_order, instance.task_s, instance.target
    first_out, edge_out = instance.first_out, instance.edge_out
    for back in range(rank.shape[0] - 1, -1, -1):
        task = topological[back]
        on = allocation[task]
        rest = 0.0
        for row in range(first_out[task], first_out[task + 1]):
            child = target[edge_out[row]]
            way = rank[child]
            if allocation[child] != on:
                way += costs.flow_s(instance, edge_out[row], on, allocation[child])
            if way > rest:
                rest = way
        rank[task] = rest + task_s[task, on]


def reorder(instance: Instance, search: Search, trial: Trial) -> None:
    """Order by list scheduling: of the ready tasks the one that can start first, ties by rank."""
    free, core_first = search.free, search.core_first
    allocation, order, rank = trial.allocation, trial.order, search.rank
    waiting, ready, ready_s = search.waiting, search.ready, search.ready_s
    first_in, first_out, edge_out = instance.first_in, instance.first_out, instance.edge_out
    task_cores, task_s, target = instance.task_cores, instance.task_s, instance.target
    rank_upwards(instance, allocation, rank)
    for core in range(free.shape[0]):
        free[core] = 0.0
    count = 0
    for task in range(order.shape[0]):
        ready_s[task] = costs.fetched_s(instance, task, allocation[task])
        waiting[task] = first_in[task + 1] - first_in[task]
        if waiting[task] == 0:
            ready[count] = task
            count += 1
    for position in range(order.shape[0]):
        pick, begin = -1, np.inf
        for index in range(count):
            task = ready[index]
            start = free[core_first[allocation[task]] + task_cores[task] - 1]
            if ready_s[task] > start:
                start = ready_s[task]
            if pick < 0 or start < begin or (start == begin and rank[task] > rank[ready[pick]]):
                pick, begin = index, start
        task = ready[pick]
        count -= 1
        ready[pick] = ready[count]
        order[position] = task
        on = allocation[task]
        end = begin + task_s[task, on]
        if end > begin:
            low, high = core_first[on], core_first[on + 1]
            solution.occupy(search, low, high, task_cores[task], end, task)
        for row in range(first_out[task], first_out[task + 1]):
            child = target[edge_out[row]]
            arrival = end
            if allocation[child] != on:
                arrival += costs.flow_s(instance, edge_out[row], on, allocation[child])
            if arrival > ready_s[child]:
                ready_s[child] = arrival
            waiting[child] -= 1
            if waiting[child] == 0:
                ready[count] = child
                count += 1


def pick_task(search: Search) -> int:
    """A task: half the time one of those that the last end waited for."""
    now = search.now
    if solution.draw(search.rng) < 0.5:
        return int(solution.draw(search.rng) * now.order.shape[0])
    last = 0
    for task in range(now.end.shape[0]):
        if now.end[task] > now.end[last]:
            last = task
    length, task = 0, last
    while task >= 0:
        length += 1
        task = now.why[task]
    for _ in range(int(solution.draw(search.rng) * length)):
        last = now.why[last]
    return last


def restore(search: Search) -> None:
    """Give the trial the allocation of what is kept."""
    for task in range(search.now.allocation.shape[0]):
        search.trial.allocation[task] = search.now.allocation[task]


def try_exchange(instance: Instance, search: Search, one: int, other: int) -> int:
    """Exchange two machines' tasks in the trial; first changed position, n if some can't go."""
    now, trial = search.now, search.trial
    tasks = now.order.shape[0]
    for task in range(tasks):
        if now.allocation[task] == one:
            trial.allocation[task] = other
        elif now.allocation[task] == other:
            trial.allocation[task] = one
        if not instance.task_s[task, trial.allocation[task]] < np.inf:
            restore(search)
            return tasks
    return 0


def try_cluster(instance: Instance, search: Search, task: int, on: int) -> int:
    """Move a cluster in the trial; first changed position."""
    first = search.now.order.shape[0]
    for index in range(grow(instance, search, task, on)):
        member = search.members[index]
        search.trial.allocation[member] = on
        first = min(first, search.place[member])
    return first


def try_shift(instance: Instance, search: Search, task: int, on: int) -> int:
    """Move a task within the list and to machine `on`; first changed position, n if none."""
    now, trial = search.now, search.trial
    low, high = window(instance, search, task)
    here = search.place[task]
    there = low + int(solution.draw(search.rng) * (high - low + 1))
    if on == now.allocation[task]:
        crossed = False
        for position in range(min(here, there), max(here, there) + 1):
            other = now.order[position]
            crossed |= other != task and now.allocation[other] == on
        if not crossed:
            return now.order.shape[0]
    trial.allocation[task] = on
    for position in range(here, there):
        trial.order[position] = now.order[position + 1]
    for position in range(here, there, -1):
        trial.order[position] = now.order[position - 1]
    trial.order[there] = task
    return min(here, there)


def try_swap(instance: Instance, search: Search, task: int) -> int:
    """Exchange the machines of two tasks in the trial; first changed position, n if none."""
    now, trial = search.now, search.trial
    tasks = now.order.shape[0]
    other = int(solution.draw(search.rng) * tasks)
    home, on = now.allocation[task], now.allocation[other]
    if on == home or not (
        instance.task_s[task, on] < np.inf and instance.task_s[other, home] < np.inf
    ):
        return tasks
    trial.allocation[task] = on
    trial.allocation[other] = home
    return min(search.place[task], search.place[other])


def pick_machine(instance: Instance, search: Search, task: int) -> int:
    """A machine: that of a neighbour the more likely the heavier the flow, else any."""
    first, last = instance.first_in[task], instance.first_in[task + 1]
    row, end = instance.first_out[task], instance.first_out[task + 1]
    chosen = int(solution.draw(search.rng) * (last - first + end - row))
    if chosen < last - first:
        edge, other = first + chosen, instance.source[first + chosen]
    elif row < end:
        edge = instance.edge_out[row + chosen - (last - first)]
        other = instance.target[edge]
    else:
        edge, other = -1, task
    if edge >= 0 and solution.draw(search.rng) < search.bond[edge]:
        return int(search.now.allocation[other])
    return int(solution.draw(search.rng) * instance.task_s.shape[1])


def propose(instance: Instance, search: Search) -> int:
    """Change the trial at random; first changed position, n if nothing changes."""
    tasks = search.now.order.shape[0]
    task = pick_task(search)
    on = pick_machine(instance, search, task)
    home = search.now.allocation[task]
    kind = solution.draw(search.rng)
    if kind >= 0.85:
        return try_swap(instance, search, task)
    if kind >= 0.27:
        if solution.draw(search.rng) < 0.3:
            on = home
        return (
            try_shift(instance, search, task, on) if instance.task_s[task, on] < np.inf else tasks
        )
    if on == home or not instance.task_s[task, on] < np.inf:
        return tasks
    if kind < 0.02:
        first = try_exchange(instance, search, home, on)
    else:
        first = try_cluster(instance, search, task, on)
    if first < tasks and solution.draw(search.rng) < 0.8:
        reorder(instance, search, search.trial)
        first = 0
    return first


def latest_end(solved: Trial) -> float:
    """The makespan of a decoded solution."""
    latest = 0.0
    for task in range(solved.end.shape[0]):
        if solved.end[task] > latest:
            latest = solved.end[task]
    return latest


def anneal(
    instance: Instance, search: Search, steps: int, hot: float, cold: float, value: float
) -> tuple[float, float]:
    """Take `steps` steps from `now`, of makespan `value`, cooling from `hot` to `cold` seconds.

    Returns
    -------
    value, best : float
        Makespans of `now` and of `best`, which both are updated.
    """
    now, trial = search.now, search.trial
    tasks = now.order.shape[0]
    best = latest_end(search.best)
    cooling = (cold / hot) ** (1.0 / steps)
    heat = hot
    for _ in range(steps):
        heat *= cooling
        first = propose(instance, search)
        if first >= tasks:
            continue
        limit = value - heat * np.log(1.0 - solution.draw(search.rng))
        reached = np.inf
        if costs.fits(instance, trial.allocation):
            for position in range(first):
                task = now.order[position]
                trial.start[task] = now.start[task]
                trial.end[task] = now.end[task]
                trial.why[task] = now.why[task]
            reached = decode(instance, search, trial, first, limit)
        if reached <= limit and reached < np.inf:
            value = reached
            solution.copy_from(trial, now, trial.order, first)
            for position in range(first, tasks):
                search.place[now.order[position]] = position
            if value < best:
                best = value
                solution.copy_from(now, search.best, now.order, 0)
        else:
            solution.copy_from(now, trial, now.order, first)
    return value, best


def begin(instance: Instance, search: Search, ordered: bool) -> float:
    """Start from `now.allocation`, and its order if `ordered`; its makespan, inf if infeasible."""
    now = search.now
    if not ordered:
        reorder(instance, search, now)
    value = decode(instance, search, now, 0, np.inf)
    for position in range(now.order.shape[0]):
        search.place[now.order[position]] = position
    solution.copy_from(now, search.trial, now.order, 0)
    solution.copy_from(now, search.best, now.order, 0)
    return value


def kick(instance: Instance, search: Search, strength: int) -> None:
    """Move up to `strength` clusters, or exchange machines, whatever it costs."""
    now, trial = search.now, search.trial
    tasks, machines = instance.task_s.shape
    for _ in range(1 + int(solution.draw(search.rng) * strength)):
        task = int(solution.draw(search.rng) * tasks)
        on = int(solution.draw(search.rng) * machines)
        if solution.draw(search.rng) < 0.2:
            try_exchange(instance, search, now.allocation[task], on)
        elif instance.task_s[task, on] < np.inf:
            try_cluster(instance, search, task, on)
        if costs.fits(instance, trial.allocation):
            for moved in range(tasks):
                now.allocation[moved] = trial.allocation[moved]
        else:
            restore(search)


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    search = solution.new_search(instance, np.zeros((2, 2)), np.full(1, 0.5), 1)
    value = begin(instance, search, False)
    anneal(instance, search, 10, 1.0, 0.1, value)
    kick(instance, search, 2)
