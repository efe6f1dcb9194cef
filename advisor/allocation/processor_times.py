"""What each scalable task takes, by number of processors and machine.

`processor_times` prices the numbers worth trying on every machine; `at_best` gives the times with
every task at its best number wherever it is. Which numbers a plan may hold is in
`advisor.allocation.processors`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.allocation.costs import Costs, slowdowns_holding, speed_of
from advisor.allocation.processors import most_processors, unfit
from advisor.allocation.workload import Task, Workload
from advisor.scaling.law import Scaling, speedups
from machines import Platform
from machines.arrays import Floats, Indices, Ints

_EVERY = 128  # up to here every number is priced; beyond, numbers in steps of …
_STEP = 1.03


@dataclass(frozen=True, eq=False)
class ProcessorTimes:
    """What one scalable task takes by number of processors.

    Attributes
    ----------
    task : int
        Its position.
    processors : int array (numbers,)
        Increasing.
    task_s, dedicated_s : array (numbers, machines)
        Under contention and alone; inf where it can't run.
    floor_s : array (machines,)
        No number of processors, priced or not, takes less.
    core_s : array (machines,)
        No number holds fewer core-seconds.
    every : bool
        All numbers that it may take were priced.
    """

    task: int
    processors: Ints
    task_s: Floats
    dedicated_s: Floats
    floor_s: Floats
    core_s: Floats
    every: bool

    def best(self, machine: int) -> int:
        """Row of the least time on a machine, of the fewest processors if several take it."""
        return int(np.argmin(self.task_s[:, machine]))

    @property
    def efficient(self) -> Ints:
        """Rows of the numbers that are quicker on some machine than all smaller ones.

        A number without that holds more cores for longer: with any schedule the smaller one can
        take its place.
        """
        before = np.minimum.accumulate(self.task_s, axis=0)
        quicker = (self.task_s[1:] < before[:-1]).any(axis=1)
        return np.flatnonzero(np.concatenate(([True], quicker)))

    def nearest(self, processors: float) -> int:
        """Row of the number closest to `processors`."""
        return int(np.argmin(np.abs(self.processors - processors)))


def processor_times(
    platform: Platform, workload: Workload, reading: str
) -> tuple[ProcessorTimes, ...]:
    """The times of every scalable task, in the workload's order."""
    slowdowns: dict[bytes, Floats] = {}  # tasks of one range share them
    found = []
    for place in workload.scalable:
        task = workload.tasks[place]
        scaling = task.scaling or Scaling(sigma=0.0)
        homes = [
            place
            for place, one in enumerate(platform.machines)
            if not unfit(task, one, platform.resources)
        ]
        cores = [platform.machines[home].cores for home in homes]
        most = most_processors(scaling, max(cores))
        numbers = _numbers(scaling, most, cores)
        key = numbers.tobytes()
        if key not in slowdowns:
            slowdowns[key], _ = slowdowns_holding(numbers.tolist(), platform, reading)
        dedicated_s = _dedicated(platform, task, numbers, homes)
        task_s = dedicated_s * slowdowns[key]
        bounds = _bounds(scaling, numbers, task_s)
        every = bool(numbers.size == most - scaling.least + 1)
        found.append(ProcessorTimes(place, numbers, task_s, dedicated_s, *bounds, every))
    return tuple(found)


def _dedicated(platform: Platform, task: Task, numbers: Ints, homes: Sequence[int]) -> Floats:
    """Seconds alone by number and machine, to the last bit as `build_costs` prices `task.on`."""
    S = speedups(task.scaling or Scaling(sigma=0.0), numbers)
    seconds = np.full((numbers.size, len(platform.machines)), np.inf)
    stated = dict(task.seconds)
    for home in homes:
        machine = platform.machines[home]
        if task.work is not None:
            column = task.work / S / speed_of(task, machine)
        if machine.name in stated:
            column = stated[machine.name] / S
        seconds[:, home] = np.where(numbers <= machine.cores, column, np.inf)
    return seconds


def _numbers(scaling: Scaling, most: int, homes: Sequence[int]) -> Ints:
    """All numbers if they are few, else steps, with the cores of every machine and the peak."""
    least = scaling.least
    if most - least < _EVERY:
        return np.arange(least, most + 1)
    small = np.arange(least, least + _EVERY // 2)
    steps = int(math.log(most / small[-1]) / math.log(_STEP)) + 2 if most > small[-1] else 0
    large = np.geomspace(small[-1], most, max(2, steps)).round()
    turns = [p for p in (scaling.peak, scaling.knee) if math.isfinite(p)]
    special = [*homes, *map(math.floor, turns), *map(math.ceil, turns)]
    found = np.unique(np.concatenate((small, large, special)).astype(np.int64))
    return found[(found >= least) & (found <= most)]


def _bounds(scaling: Scaling, numbers: Ints, task_s: Floats) -> tuple[Floats, Floats]:
    """Seconds and core-seconds that no number undercuts, by machine.

    Between two numbers that were priced speedup is monotonic, as the peak is among them, and
    slowdown does not fall: a number between takes at least the first one's slowdown at the
    greater speedup of the two. p/S(p) never falls, so that the fewest processors hold the fewest
    core-seconds.
    """
    least_s = task_s.min(axis=0)
    core_s = (task_s * numbers[:, None]).min(axis=0)
    apart = np.flatnonzero(np.diff(numbers) > 1)
    if apart.size:
        S = speedups(scaling, numbers)
        between = task_s[apart] * (S[apart] / np.maximum(S[apart], S[apart + 1]))[:, None]
        # a machine has the cores for a number between only if it has them for the next one
        between[np.isinf(task_s[apart + 1])] = np.inf
        least_s = np.minimum(least_s, between.min(axis=0))
    return least_s, core_s


def core_seconds(costs: Costs, scalable: Sequence[ProcessorTimes]) -> Floats:
    """Core-seconds that each task holds at least, by machine; shape (tasks, machines)."""
    found: Floats = costs.task_s * costs.task_cores[:, None]
    for one in scalable:
        found[one.task] = one.core_s
    return found


def at_best(
    costs: Costs, scalable: Sequence[ProcessorTimes], *, bound: bool = False
) -> tuple[Floats, Floats, Indices]:
    """Times with every scalable task at its best number of processors wherever it is.

    Returns
    -------
    task_s, task_dedicated_s : array (tasks, machines)
        With `bound`, what no number undercuts, in place of the best that was priced.
    task_cores : int32 array (tasks,)
        Cores for which task_s times cores is at most the core-seconds of any number: at most the
        best number itself.
    """
    task_s, dedicated_s = costs.task_s.copy(), costs.task_dedicated_s.copy()
    cores = costs.task_cores.copy()
    machines = range(task_s.shape[1])
    for one in scalable:
        rows = [one.best(machine) for machine in machines]
        task_s[one.task] = one.floor_s if bound else one.task_s[rows, machines]
        dedicated_s[one.task] = one.dedicated_s[rows, machines]
        held = np.isfinite(one.floor_s) & (one.floor_s > 0.0)
        ratio = (one.core_s[held] / one.floor_s[held]).min(initial=np.inf)
        least = int(one.processors[0])
        # rounded down with a margin, as a sum of core-seconds must stay below the true one
        cores[one.task] = max(least, int(ratio * (1 - 1e-12))) if np.isfinite(ratio) else least
    return task_s, dedicated_s, cores
