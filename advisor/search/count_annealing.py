"""Annealing of numbers of processors: HEFT places what they give, or allocation and order go along.

One task a step: another number, machine or place in the order; or two tasks of one machine, of
which one takes the cores that the other leaves. HEFT finds the region, the rest its best plan.
Deterministic for a seed.
"""

from __future__ import annotations

import math

import numpy as np

from advisor.basics.stopping import ShouldStop
from advisor.search.desk import Desk, Trial
from machines.arrays import Indices

STEPS = 4000  # of one run
_HOT, _COLD = 0.1, 0.002  # temperature, in shares of the makespan to begin with
_EARLY = 0.05  # weight of the mean end, which tells apart schedules of one makespan


class Annealing:
    """The moves, and what they need to know of the tasks."""

    def __init__(self, desk: Desk, rng: np.random.Generator) -> None:
        self._desk, self._rng = desk, rng
        instance = desk.instance
        self._tasks, self._machines = instance.task_s.shape
        self._before: list[list[int]] = [[] for _ in range(self._tasks)]
        self._after: list[list[int]] = [[] for _ in range(self._tasks)]
        ends = zip(instance.source.tolist(), instance.target.tolist(), strict=True)
        for source, target in ends:
            self._before[target].append(source)
            self._after[source].append(target)

    def run(self, trial: Trial, going: ShouldStop, *, by_heft: bool) -> Trial:
        """The best trial met on the way down from hot to cold.

        Parameters
        ----------
        going : callable
            Asked before every step.
        by_heft : bool
            Numbers alone are changed, and HEFT places the tasks.
        """
        best = now = trial
        scale = trial.value_s
        for step in range(STEPS):
            if not going():
                break
            heat = scale * _HOT * (_COLD / _HOT) ** (step / STEPS)
            other = self._renumbered(now, by_heft=True) if by_heft else self._changed(now)
            gain = self._energy(now) - self._energy(other)
            if gain >= 0 or self._rng.random() < math.exp(max(gain / heat, -700.0)):
                now = other
                if now.key < best.key:
                    best = now
        return best

    def _energy(self, trial: Trial) -> float:
        makespan_s, ends_s = trial.key
        return makespan_s + _EARLY * ends_s / float(self._tasks)

    def _changed(self, trial: Trial) -> Trial:
        """One random change; where it can't run, its energy is inf."""
        kind = self._rng.random()
        if kind < 0.45:
            return self._renumbered(trial, by_heft=False)
        if kind < 0.65 and self._machines > 1:
            return self._moved(trial)
        return self._reordered(trial)

    def _renumbered(self, trial: Trial, *, by_heft: bool) -> Trial:
        """Another number near the present one; every second time a neighbour takes the rest."""
        numbers, rows = self._desk.numbers, list(trial.rows)
        position = int(self._rng.integers(len(rows)))
        one = numbers[position]
        reach = max(1, len(one.processors) // 4)
        shift = int(self._rng.integers(1, reach + 1)) * (1 if self._rng.random() < 0.5 else -1)
        rows[position] = min(max(rows[position] + shift, 0), len(one.processors) - 1)
        machine = int(trial.allocation[one.task])
        other = int(self._rng.integers(len(rows)))
        partner = numbers[other]
        beside = other != position and trial.allocation[partner.task] == machine
        if beside and self._rng.random() < 0.5:
            cores = int(self._desk.instance.machine_cores[machine])
            rows[other] = partner.at_most(cores - int(one.processors[rows[position]]))
        placed = self._desk.heft(rows) if by_heft else None
        return placed or self._desk.placed(rows, trial.allocation, trial.order)

    def _moved(self, trial: Trial) -> Trial:
        """One task to another machine, on as many processors as that has."""
        task = int(self._rng.integers(self._tasks))
        shift = int(self._rng.integers(1, self._machines))
        machine = int((trial.allocation[task] + shift) % self._machines)
        allocation = trial.allocation.copy()
        allocation[task] = machine
        rows = list(trial.rows)
        cores = int(self._desk.instance.machine_cores[machine])
        for position, one in enumerate(self._desk.numbers):
            if one.task == task:
                rows[position] = min(rows[position], one.at_most(cores))
        return self._desk.placed(rows, allocation, trial.order)

    def _reordered(self, trial: Trial) -> Trial:
        """One task to another place between what feeds it and what it feeds."""
        order: list[int] = trial.order.tolist()
        place = int(self._rng.integers(self._tasks))
        task = order.pop(place)
        first, last = place, place
        while first > 0 and order[first - 1] not in self._before[task]:
            first -= 1
        while last < len(order) and order[last] not in self._after[task]:
            last += 1
        order.insert(int(self._rng.integers(first, last + 1)), task)
        changed: Indices = np.array(order, dtype=np.int32)
        return self._desk.placed(trial.rows, trial.allocation, changed)
