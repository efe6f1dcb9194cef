"""A bound for tasks that share more than cores: the best division of work over all kinds.

The linear relaxation of who runs where and in which variant: each task spreads over its places, and
no machine's cores, memory or resources hold more than the makespan allows. Solved by HiGHS.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from advisor.allocation.bounds import reach_of
from advisor.allocation.costs import Costs
from advisor.allocation.executed_bounds import alone_at_least
from advisor.allocation.needs import needs_of
from advisor.allocation.timeline import Instance
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Workload
from advisor.kernels.executed import Executed
from machines import Machine, Platform
from machines.arrays import Flags, Floats, Indices, Ints
from machines.resources import fastest_mean

MOST_PLACES = 6_000  # of tasks in variants on machines: solved in a tenth of a second
_ROUNDING = 1.0 - 1e-7  # the solver's tolerance


class _Ordinary(Protocol):
    """What is used of a problem (`advisor.allocation.problem.Problem`)."""

    @property
    def instance(self) -> Instance: ...
    @property
    def executed(self) -> Executed: ...
    @property
    def workload(self) -> Workload: ...
    @property
    def costs(self) -> Costs: ...
    @property
    def platform(self) -> Platform: ...
    @property
    def sharing(self) -> str: ...


def assigned_s(problem: _Ordinary, variants: Sequence[tuple[_Ordinary, Ints]]) -> float:
    """`assignment_bound` of a problem: of all tasks, and of those between the first and the last.

    `variants`: for each the ordinary problem whose tasks run in it, and which of them can.
    """
    workload, first, loosest = problem.workload, variants[0][0], _least(problem)
    machines = first.platform.machines
    layers = [_layer(workload, one, tasks) for one, tasks in variants]
    there = np.array([_core_room(machine) for machine in machines])
    needs = needs_of(first.platform, first.workload, workload)
    begin, rest = reach_of(loosest).around(loosest.task_s)
    holding = np.array([bool(task.variants or task.resources) for task in workload.tasks])
    if not holding.any():
        holding[:] = True
    found = [assignment_bound(layers, there, needs.place, needs.room)]
    early, late = begin[holding].min(), rest[holding].min()
    if early + late > 0.0:
        inner = (begin >= early) & (rest >= late)
        parts = [layer.of(inner[layer.tasks]) for layer in layers]
        found.append(assignment_bound(parts, there, needs.place, needs.room) + early + late)
    return float(max(found))


def _layer(workload: Workload, one: _Ordinary, tasks: Ints) -> Layer:
    least = _least(one)
    amount = needs_of(one.platform, one.workload, workload).amount[tasks]
    cores = least.task_cores[tasks].tolist()
    # in seconds of the fastest core: what a task does on slower ones takes as much of them
    held = [[n * fastest_mean(q.core_groups, n) for q in one.platform.machines] for n in cores]
    return Layer(tasks, least.task_s[tasks], np.array(held), amount)


def _least(one: _Ordinary) -> Instance:
    """What tasks and edges take at least."""
    if one.sharing != FAIR:
        return one.instance
    return alone_at_least(one.instance, one.executed, one.workload, one.costs.between)


def _core_room(machine: Machine) -> float:
    """A machine's cores, slower ones as parts of the fastest."""
    return machine.cores * fastest_mean(machine.core_groups, machine.cores)


class Layer(NamedTuple):
    """What tasks take in one variant each.

    Attributes
    ----------
    tasks : int array (r,)
        Which tasks have it.
    task_s : array (r, machines)
        Least seconds; inf where it can't run.
    cores, amount : array (r, machines), array (r, kinds)
        What it holds; cores in those as quick as the machine's fastest.
    """

    tasks: Ints
    task_s: Floats
    cores: Floats
    amount: Floats

    def of(self, which: Flags) -> Layer:
        """Some of its tasks."""
        return Layer(self.tasks[which], self.task_s[which], self.cores[which], self.amount[which])


def assignment_bound(
    layers: Sequence[Layer], machine_cores: Floats, place: Indices, room: Floats
) -> float:
    """Seconds that no plan's makespan undercuts; 0 where there are too many places to solve it.

    Least T with sum over places x = 1 of every task, and for every machine's cores and every room:
    sum of amount · seconds · x ≤ T · what there is.

    Parameters
    ----------
    layers : sequence of Layer
        One for each variant.
    machine_cores : array (machines,)
    place, room
        As of `advisor.allocation.needs.Needs`.
    """
    found = [np.argwhere(np.isfinite(layer.task_s)) for layer in layers]
    count = sum(map(len, found))
    if not 0 < count <= MOST_PLACES:
        return 0.0
    pairs = list(zip(layers, found, strict=True))
    machine = np.concatenate([at[:, 1] for _, at in pairs])
    task = np.concatenate([layer.tasks[at[:, 0]] for layer, at in pairs])
    seconds = np.concatenate([layer.task_s[at[:, 0], at[:, 1]] for layer, at in pairs])
    held = [(np.concatenate([one.cores[at[:, 0], at[:, 1]] for one, at in pairs]), machine)]
    limits = [machine_cores]
    for kind in range(place.shape[0]):
        amount = np.concatenate([layer.amount[at[:, 0], kind] for layer, at in pairs])
        held.append((amount, place[kind][machine]))
        limits.append(room)
    return _solved(task, seconds, held, limits) * _ROUNDING


def _solved(
    task: Ints, seconds: Floats, held: list[tuple[Floats, Ints]], limits: list[Floats]
) -> float:
    """The optimum of the relaxation; 0 where it is not found."""
    from scipy import optimize  # noqa: PLC0415 - slow to import: when it is needed
    from scipy.sparse import coo_matrix  # noqa: PLC0415

    count = seconds.size
    rows, columns, values, first = [], [], [], 0
    for (amount, at), limit in zip(held, limits, strict=True):
        used = np.flatnonzero((amount > 0.0) & np.isfinite(limit[at]) & (limit[at] > 0.0))
        rows.append(first + at[used])
        columns.append(used)
        values.append(amount[used] * seconds[used] / limit[at[used]])
        first += limit.size
    named, row = np.unique(np.concatenate(rows), return_inverse=True)
    upper = coo_matrix(
        (
            np.concatenate([*values, -np.ones(named.size)]),
            (
                np.concatenate([row, np.arange(named.size)]),
                np.concatenate([*columns, np.full(named.size, count)]),
            ),
        ),
        shape=(named.size, count + 1),
    )
    _, which = np.unique(task, return_inverse=True)
    once = coo_matrix((np.ones(count), (which, np.arange(count))), (which.max() + 1, count + 1))
    goal = np.zeros(count + 1)
    goal[count] = 1.0
    solve: Any = optimize.linprog
    found = solve(goal, upper, np.zeros(named.size), once, np.ones(which.max() + 1), method="highs")
    return float(found.fun) if found.success else 0.0
