"""Where numbers of processors are tried: one instance whose scalable tasks change in place.

Pricing a whole problem for every trial would take a hundred times as long as the trial itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical
from advisor.allocation.timeline import Instance, rank_order, schedule
from advisor.kernels import lists_kernel as kernel
from advisor.search.incumbent import StepBudget
from machines.arrays import Floats, Indices

# what a trial costs in placements of a task: measured, compiled; most of a small one is Python
_DECODE, _HEFT, _PLACE = 500, 1500, 5


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of processors of one scalable task that are worth trying.

    Attributes
    ----------
    task : int
    processors : int array (numbers,)
        Increasing; each is quicker on some machine than all smaller ones.
    task_s : array (numbers, machines)
    """

    task: int
    processors: Indices
    task_s: Floats

    @property
    def quickest_s(self) -> Floats:
        """Least seconds on any machine, shape (numbers,)."""
        least: Floats = self.task_s.min(axis=1)
        return least

    def at_most(self, processors: float) -> int:
        """Row of the largest number that is no greater; the first if all are."""
        return max(0, int(np.searchsorted(self.processors, processors, side="right")) - 1)


@dataclass(frozen=True)
class Trial:
    """One schedule: numbers (rows), allocation, order, and how good it is.

    `key` is the makespan, then the sum of all ends: of two schedules that end together, that with
    more done early is nearer to a better one.
    """

    rows: tuple[int, ...]
    allocation: Indices
    order: Indices
    key: tuple[float, float]

    @property
    def value_s(self) -> float:
        """The makespan."""
        return self.key[0]


class TrialEvaluator:
    """The instance, and what is tried on it."""

    def __init__(self, problem: Problem, effort: StepBudget) -> None:
        self.problem, self._effort = problem, effort
        self.numbers = tuple(
            Numbers(
                one.task,
                one.processors[one.efficient].astype(np.int32),
                np.ascontiguousarray(one.task_s[one.efficient]),
            )
            for one in problem.processor_times
        )
        first = problem.instance
        self.instance = first._replace(
            task_s=first.task_s.copy(), task_cores=first.task_cores.copy()
        )
        self._tasks, self._machines = first.task_s.shape
        self._pinned = np.full(self._tasks, -1, dtype=np.int32)
        self._ahead = np.zeros((1, self._machines))
        self._taken = [-1] * len(self.numbers)

    def counts(self, rows: Sequence[int]) -> tuple[int, ...]:
        """Processors of every task, shape (tasks,)."""
        found = [task.cores for task in self.problem.workload.tasks]
        for one, row in zip(self.numbers, rows, strict=True):
            found[one.task] = int(one.processors[row])
        return tuple(found)

    def rows(self, counts: Sequence[int]) -> tuple[int, ...]:
        """The nearest rows below the processors of every task."""
        return tuple(one.at_most(counts[one.task]) for one in self.numbers)

    def plan(self, trial: Trial, strategy: str) -> Plan:
        """The plan of a trial."""
        counts = canonical(self.problem.workload, self.counts(trial.rows))
        allocation, order = trial.allocation.tolist(), trial.order.tolist()
        return Plan(tuple(allocation), tuple(order), strategy, counts)

    def dressed(self, plan: Plan, rows: Sequence[int]) -> Plan:
        """A plan of the ordinary problem at these rows, with their processors."""
        counts = canonical(self.problem.workload, self.counts(rows))
        return replace(plan, processors=counts)

    def taken(self, rows: Sequence[int]) -> Instance:
        """The instance at these rows, until the next ones are taken."""
        self._take(rows)
        return self.instance

    def heft(self, rows: Sequence[int]) -> Trial | None:
        """HEFT's schedule; None where a task finds no machine."""
        self._take(rows)
        self._effort.spent += _HEFT + _PLACE * self._tasks * self._machines
        order = rank_order(self.instance)
        allocation, homeless = kernel.by_order(self.instance, order, self._pinned, self._ahead)
        return None if homeless >= 0 else self._trial(rows, allocation, order)

    def placed(self, rows: Sequence[int], allocation: Indices, order: Indices) -> Trial:
        """The schedule of an allocation and order."""
        self._take(rows)
        return self._trial(rows, allocation, order)

    def _trial(self, rows: Sequence[int], allocation: Indices, order: Indices) -> Trial:
        self._effort.spent += _DECODE + _PLACE * self._tasks
        _, end = schedule(self.instance, allocation, order)
        return Trial(tuple(rows), allocation, order, (float(end.max()), float(end.sum())))

    def _take(self, rows: Sequence[int]) -> None:
        for place, (one, row) in enumerate(zip(self.numbers, rows, strict=True)):
            if self._taken[place] != row:
                self.instance.task_s[one.task] = one.task_s[row]
                self.instance.task_cores[one.task] = one.processors[row]
                self._taken[place] = row
