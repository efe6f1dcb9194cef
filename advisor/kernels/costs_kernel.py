"""What a flow and a task of an instance take, and whether the machines' memory suffices."""

from __future__ import annotations

import numpy as np

from advisor.kernels.instance import Instance, tiny
from machines.arrays import Indices

INLINED = ("flow_s", "fetched_s", "spent_s")
BORROWING = (*INLINED, "general_flow_s", "mean_task_s")


def flow_s(instance: Instance, edge: int, p: int, q: int) -> float:
    """Seconds of an edge from machine p to q; 0 on one machine, inf without a route."""
    seconds = 0.0
    if instance.plain:
        seconds = (
            instance.messages[edge, 0] * instance.startup_s[0, p, q]
            + instance.size_bytes[edge, 0] * instance.per_byte_s[0, p, q]
        )
    else:
        seconds = general_flow_s(instance, edge, p, q)
    return seconds


def general_flow_s(instance: Instance, edge: int, p: int, q: int) -> float:
    """`flow_s` where sizes fall into several bins, or seconds are stated."""
    seconds = 0.0
    if instance.table[edge] >= 0:
        seconds = instance.tables[instance.table[edge], p, q]
    else:
        for size in range(instance.messages.shape[1]):
            if instance.messages[edge, size] > 0.0:
                seconds += (
                    instance.messages[edge, size] * instance.startup_s[size, p, q]
                    + instance.size_bytes[edge, size] * instance.per_byte_s[size, p, q]
                )
    return seconds


def fetched_s(instance: Instance, task: int, q: int) -> float:
    """When all that a task reads from outside is on machine q."""
    return instance.outside_s[task, q] if instance.outside else 0.0


def spent_s(instance: Instance, task: int, q: int) -> float:
    """Seconds of a task on machine q and of all that it fetches from outside."""
    seconds = instance.task_s[task, q]
    if instance.outside:
        seconds += instance.outside_total_s[task, q]
    return seconds


def fits(instance: Instance, allocation: Indices) -> bool:
    """Whether the tasks of every machine share its memory."""
    if instance.limited:
        used = np.zeros(instance.machine_memory.size)
        for task in range(allocation.size):
            used[allocation[task]] += instance.task_memory[task]
        for q in range(used.size):
            if used[q] > instance.machine_memory[q]:
                return False
    return True


def mean_task_s(instance: Instance, task: int) -> float:
    """Mean duration over the machines that may run the task."""
    seconds, allowed = 0.0, 0
    for q in range(instance.task_s.shape[1]):
        if instance.task_s[task, q] < np.inf:
            seconds += instance.task_s[task, q]
            allowed += 1
    return seconds / max(allowed, 1)


def warm_up() -> None:
    """Call each kernel once, so that it is compiled."""
    instance = tiny()
    flow_s(instance, 0, 0, 1)
    fetched_s(instance, 0, 0)
    spent_s(instance, 0, 0)
    mean_task_s(instance, 0)
    fits(instance, np.zeros(2, np.int32))
