"""How much of everything a plan holds at most: cores, memory and resources of every machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.allocation.needs import kept_outputs, units
from advisor.allocation.outputs import held_items
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.quantities import size
from advisor.kernels import kept_kernel as kernel
from machines import Machine
from machines.arrays import Floats
from machines.resources import CORES, MEMORY


@dataclass(frozen=True, eq=False)
class Peak:
    """The most that is held of a kind at a time.

    Attributes
    ----------
    machine : int or None
        Position; ``None``: of the whole platform.
    kind : str
        "cores", "memory" (bytes) or a resource.
    held, count : float
        At the peak, and what there is; inf: not limited.
    at_s : float
        When it is first held.
    time_s, level : array (steps,)
        What is held from each time to the next.
    """

    machine: int | None
    kind: str
    held: float
    count: float
    at_s: float
    time_s: Floats
    level: Floats


def peaks(problem: Problem, prediction: Prediction) -> tuple[Peak, ...]:
    """The peaks of all kinds that tasks hold, machine by machine, then of the platform.

    A task holds what it needs from when it takes its slot to its end; where outputs stay in memory,
    no less than those of it that stay, and these hold it from then on.
    """
    workload = problem.settled(prediction.plan).workload
    since = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    allocation = np.array(prediction.plan.allocation)
    kept = kept_outputs(problem.platform, workload)
    items = np.array(held_items(kept, allocation, prediction.end_s)).reshape(-1, 4)
    staying = kernel.new_staying(kept, allocation.size)
    kernel.lay_out(kept, np.zeros((allocation.size, 1)), allocation, staying)
    kinds = held_kinds(workload, items.size > 0)
    shared = {one.kind: float(one.count) for one in problem.platform.resources}

    def peak(machine: int | None, kind: str, tasks: Any, count: float) -> Iterator[Peak]:
        amount, begin, end = _amounts(workload, kind, tasks), since[tasks], prediction.end_s[tasks]
        if kind == MEMORY and staying.stay.size:
            here = items[items[:, 0] == machine]
            amount = np.concatenate((np.maximum(amount, staying.stay[tasks]), here[:, 1]))
            begin, end = np.append(begin, here[:, 2]), np.append(end, here[:, 3])
        if amount.any():
            time_s, level = held_over_time(begin, end, amount)
            top = int(np.argmax(level))
            yield Peak(machine, kind, float(level[top]), count, float(time_s[top]), time_s, level)

    found: list[Peak] = []
    for position, machine in enumerate(problem.platform.machines):
        here = np.flatnonzero(allocation == position)
        for kind in kinds:
            if kind not in shared:
                found += peak(position, kind, here, room(machine, kind))
    for kind, count in shared.items():
        if kind in kinds:
            found += peak(None, kind, np.arange(allocation.size), count)
    return tuple(found)


def peak_words(peak: Peak) -> str:
    """A peak in a few words: "2 of 2 gpu", "memory 43 GB of 64 GB"; empty of cores."""
    if peak.kind == CORES:
        return ""
    known = np.isfinite(peak.count)
    if peak.kind == MEMORY:
        held, there = size(peak.held), size(peak.count) if known else ""
        if there and held.split()[-1] == there.split()[-1]:
            held = held.split()[0]
        return f"memory {held} of {there}" if known else f"memory peak {held}"
    return f"{peak.held:,.0f} of {peak.count:,.0f} {peak.kind}"


def held_kinds(workload: Workload, outputs: bool = False) -> tuple[str, ...]:
    """What tasks of an ordinary workload hold: cores, memory where one states it, resources.

    `outputs`: some stay in memory.
    """
    stated = outputs or any(task.memory_bytes for task in workload.tasks)
    memory = (MEMORY,) if stated else ()
    named = sorted({kind for task in workload.tasks for kind, _ in task.resources})
    return (CORES, *memory, *named)


def room(machine: Machine, kind: str) -> float:
    """What a machine has of a kind; inf: not limited."""
    if kind == CORES:
        return float(machine.cores)
    if kind == MEMORY:
        return np.inf if machine.memory_bytes is None else float(machine.memory_bytes)
    return float(units(machine, kind))


def held_over_time(since: Floats, until: Floats, amount: Floats) -> tuple[Floats, Floats]:
    """(time_s, level): what is held from each time to the next; what ends then is given back."""
    times = np.unique(np.concatenate((since, until)))
    level = np.zeros(times.size)
    np.add.at(level, np.searchsorted(times, since), amount)
    np.subtract.at(level, np.searchsorted(times, until), amount)
    return times, np.cumsum(level)


def _amounts(workload: Workload, kind: str, tasks: Any) -> Floats:
    """What each of some tasks holds of a kind."""
    every = workload.tasks
    if kind == CORES:
        return np.array([float(every[task].cores) for task in tasks])
    if kind == MEMORY:
        return np.array([float(every[task].memory_bytes or 0) for task in tasks])
    return np.array([float(dict(every[task].resources).get(kind, 0)) for task in tasks])
