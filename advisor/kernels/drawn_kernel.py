"""What a plan takes in each of many draws: what varies is put into its arrays, in place."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import execution_kernel, schedule_kernel
from advisor.kernels.executed import Executed, small
from advisor.kernels.instance import Instance, tiny

Array = Any

BORROWING = ("put", "vary")


class Varied(NamedTuple):
    """What d draws change of a plan of n tasks that moves data on w routes, by k mixes of sizes."""

    source: Array  # int64 (w,), where each route begins in the arrays
    target: Array  # int64 (w,)
    work_s: Array  # float64 (d, n), of every task on its machine
    startup_s: Array  # float64 (d, k, w)
    per_byte_s: Array  # float64 (d, k, w)
    stated_s: Array  # float64 (d, tables, w)
    capacity: Array  # float64 (d, j), what a draw leaves of each resource


def put(of_draws: Array, draw: int, varied: Varied, table: Array) -> None:
    """What routes cost in a draw, into a table (k, h, h)."""
    for kind in range(table.shape[0]):
        for way in range(varied.source.size):
            table[kind, varied.source[way], varied.target[way]] = of_draws[draw, kind, way]


def vary(
    instance: Executed | Instance, varied: Varied, draw: int, seconds: Array, allocation: Array
) -> None:
    """What routes and tasks take in a draw, into a plan's arrays; `seconds` (n, m) of its tasks."""
    put(varied.startup_s, draw, varied, instance.startup_s)
    put(varied.per_byte_s, draw, varied, instance.per_byte_s)
    put(varied.stated_s, draw, varied, instance.tables)
    for task in range(allocation.size):
        seconds[task, allocation[task]] = varied.work_s[draw, task]


def executed(
    instance: Executed, allocation: Array, order: Array, varied: Varied, values: Array
) -> None:
    """Fill the makespan of every draw in s, on the contention-aware schedule."""
    for draw in range(values.size):
        vary(instance, varied, draw, instance.work_s, allocation)
        for resource in range(instance.capacity.size):
            instance.capacity[resource] = varied.capacity[draw, resource]
        values[draw] = execution_kernel.makespan(instance, allocation, order)


def scheduled(
    instance: Instance, allocation: Array, order: Array, varied: Varied, values: Array
) -> None:
    """The same on the contention-free schedule."""
    for draw in range(values.size):
        vary(instance, varied, draw, instance.task_s, allocation)
        values[draw] = schedule_kernel.makespan(instance, allocation, order)


def warm_up() -> None:
    """Compile for the array types in use."""
    none, order, values = np.zeros(0, np.int64), np.array([0, 1], np.int32), np.empty(1)
    routes = np.zeros((1, 1, 0))
    varied = Varied(none, none, np.ones((1, 2)), routes, routes, routes, np.ones((1, 1)))
    scheduled(tiny(), order, order, varied, values)
    executed(
        small(), order, order, varied._replace(capacity=np.ones((1, small().capacity.size))), values
    )
