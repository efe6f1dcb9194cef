"""Who took a machine when in a run: gaps between tasks, and who was let past.

A run is replayed machine by machine in the order in which its tasks took their slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.learning.evidence import Evidence, fetching, needing, tells_fetching
from advisor.runs.actual import Actual
from machines.arrays import Flags, Floats, Indices
from machines.runtime import SLOT
from machines.stopping import ask

_NEAR = 64  # tasks of the plan that are looked at for one that might have been let past
_LATE = 1e-3  # s: what is ready so much before a slot was free was waiting


@dataclass(frozen=True)
class Turn:
    """A task that took its slot.

    `blocked`: since those cores became free the machine waited for another task that was not ready.
    """

    task: int
    machine: int
    ready_s: float  # when all that it needs had ended; nan: not known
    free_s: float  # when the cores that it took had become free; −inf: they had not been used
    taken_s: float
    blocked: bool

    @property
    def gap_s(self) -> float | None:
        """From the free slot to this task, if it was what the engine could have started."""
        if not np.isfinite(self.free_s) or self.blocked or not self.ready_s <= self.free_s:
            return None
        gap_s = self.taken_s - self.free_s
        return gap_s if gap_s >= 0.0 else None


@dataclass(frozen=True)
class Passed:
    """How often a machine that had a slot to give, gave it to whom, against the plan's order."""

    starts: int = 0  # tasks that started where the plan has them, others of the plan's being left
    unready: int = 0  # another started since the plan's next was not ready
    waited: int = 0  # the plan's next started, and another that was ready had been waiting for it
    against: int = 0  # another started though the plan's next was ready

    def __add__(self, other: Passed) -> Passed:
        return Passed(
            self.starts + other.starts, self.unready + other.unready,
            self.waited + other.waited, self.against + other.against,
        )  # fmt: skip


def turns(evidence: Evidence, actual: Actual) -> Iterator[Turn]:
    """The tasks of a run, machine by machine, by when they took their slots."""
    costs = evidence.here.costs
    if not actual.run.timed:
        return
    known = np.flatnonzero(actual.placed)
    for machine in np.unique(actual.machine[known]).tolist():
        rows = known[actual.machine[known] == machine]
        rows = rows[np.lexsort((actual.end_s[rows], actual.taken_s[rows]))]
        free = [-np.inf] * int(costs.machine_cores[machine])
        waited_until = -np.inf
        for task in rows.tolist():
            ask()
            cores = min(int(costs.task_cores[task]), len(free))
            free.sort()
            taken_s, ready_s = float(actual.taken_s[task]), float(actual.ready_s[task])
            free_s = free[cores - 1]
            yield Turn(task, machine, ready_s, free_s, taken_s, blocked=waited_until > free_s)
            if not ready_s <= free_s:
                waited_until = max(waited_until, taken_s)
            free[:cores] = [float(actual.end_s[task])] * cores


def there(evidence: Evidence, actual: Actual) -> Flags:
    """Tasks whose data were there when they were ready, or fetched in their slots; (tasks,).

    Of the others nobody knows when they could have begun: their data were on the way; unless the
    platform says that its runtime fetches in the slot, which the log then counts as the task.
    """
    workload, runtime = evidence.problem.workload, evidence.problem.platform.runtime
    if runtime.fetch == SLOT and not tells_fetching(actual):
        return np.ones(len(workload.tasks), np.bool_)
    found: Flags = ~needing(evidence.problem, actual) | fetching(evidence.problem, actual)
    return found


def passed(evidence: Evidence, actual: Actual, order: Indices) -> Passed:
    """How a run's starts lie to a plan's order; of the tasks on the plan's machines alone."""
    plan_on = np.array(evidence.plan.allocation)
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    late_s = max(_LATE, actual.run.resolution_s)
    found = Passed()
    by_machine: dict[int, list[Turn]] = {}
    for turn in turns(evidence, actual):
        if plan_on[turn.task] == turn.machine:
            by_machine.setdefault(turn.machine, []).append(turn)
    for listed in by_machine.values():
        planned = sorted((turn.task for turn in listed), key=place.__getitem__)
        listed.sort(key=lambda turn: (turn.taken_s, place[turn.task]))
        started: set[int] = set()
        first = 0
        for turn in listed:
            while planned[first] in started:
                first += 1
            near = [task for task in planned[first : first + _NEAR] if task not in started]
            others = [task for task in near if task != turn.task]
            if others:
                found += _one(turn, planned[first], others, actual.ready_s, late_s)
            started.add(turn.task)
    return found


def _one(turn: Turn, planned: int, others: list[int], ready_s: Floats, late_s: float) -> Passed:
    if turn.task != planned:
        if ready_s[planned] > turn.taken_s + late_s:
            return Passed(1, unready=1)
        return Passed(1, against=int(ready_s[planned] < turn.taken_s - late_s))
    earliest = float(np.nanmin(ready_s[others], initial=np.inf))
    idle = turn.ready_s > max(turn.free_s, earliest) + late_s
    return Passed(1, waited=int(idle and earliest < turn.taken_s - late_s))
