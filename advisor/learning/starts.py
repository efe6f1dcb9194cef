"""When the tasks of a run took their slots: how long each had waited, and whether at ticks.

An engine that starts tasks at ticks of its own clock, such as once a second, makes each wait for
the next one, so that waits differ though starts are regular. Tasks that all take equally long start
regularly under any overhead: then waits are equal, and nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.learning.run_evidence import Evidence
from advisor.runs.actual import Actual
from machines.arrays import Flags, Floats
from machines.stopping import ask

_PERIODS_S = (60.0, 30.0, 20.0, 15.0, 10.0, 5.0, 2.0, 1.0, 0.5)
_NEAR = 0.06  # of a period, from a tick to a start
USUAL = 0.9  # of the starts
_LEAST = 10  # starts
_VARIED = 0.2  # of a period, by which waits differ
_FINE = 0.2  # of a period: a clock that steps by more tells no tick


@dataclass(frozen=True)
class Start:
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


def starts(evidence: Evidence, actual: Actual) -> Iterator[Start]:
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
            yield Start(task, machine, ready_s, free_s, taken_s, blocked=waited_until > free_s)
            if not ready_s <= free_s:
                waited_until = max(waited_until, taken_s)
            free[:cores] = [float(actual.end_s[task])] * cores


@dataclass(frozen=True)
class Waits:
    """When the tasks of a run that had to wait started, from its first start on, and how long.

    `start_s`: array (tasks,). `wait_s`: array; of those that waited for no other task's turn.
    """

    start_s: Floats
    wait_s: Floats


def waits(evidence: Evidence, actual: Actual) -> Waits:
    """Of a run, from the end of what a task needs, or of who had its slot, whichever is later."""
    found = list(starts(evidence, actual))
    taken_s = np.array([one.taken_s for one in found])
    since_s = np.array([max(one.ready_s, one.free_s) for one in found])
    taken_s, since_s = taken_s - taken_s.min(initial=np.inf), since_s - taken_s.min(initial=np.inf)
    waited: Flags = np.isfinite(since_s) & (since_s > 0.0)
    own = waited & ~np.array([one.blocked for one in found], np.bool_) & (taken_s >= since_s)
    return Waits(taken_s[waited], (taken_s - since_s)[own])


def tick_period_s(runs: Sequence[Waits], clock_s: float) -> float | None:
    """The time from tick to tick; None: starts tell of no ticks. `clock_s`: step of the clock."""
    wait_s = np.concatenate([np.empty(0), *(run.wait_s for run in runs)])
    for period in _PERIODS_S:
        later, near = at_ticks(runs, period)
        if min(later, wait_s.size) < _LEAST or near < USUAL * later or clock_s > _FINE * period:
            continue
        low, high = np.quantile(wait_s, (0.05, USUAL)).tolist()
        if high <= (1.0 + _NEAR) * period and high - low >= _VARIED * period:
            return period
    return None


def at_ticks(runs: Sequence[Waits], period: float) -> tuple[int, int]:
    """How many tasks had to wait, and how many of them started at a tick."""
    later, near = 0, 0
    for run in runs:
        ticks: Floats = run.start_s / period
        later += ticks.size
        near += int((np.abs(ticks - np.round(ticks)) <= _NEAR).sum())
    return later, near
