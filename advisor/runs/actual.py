"""What happened to the tasks of a workload in one run: arrays, beside those of a prediction.

`advisor.runs.matching` makes them from a `Run`; comparing, learning and drawing work on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.runs.run_record import Run
from machines.arrays import Flags, Floats, Indices

_NEARLY_ALL = 0.9  # of the tasks


@dataclass(frozen=True, eq=False)
class Actual:
    """One run, task by task; arrays (tasks,) in the workload's order, nan where nothing is known.

    `run`: whose times these are, on one clock (`advisor.runs.clocks`), from its first slot taken.
    `ready_s`, `taken_s`, `start_s`, `end_s`: when all that it needs had ended, when it took its
        slot, computed, and ended.
    """

    run: Run
    machine: Indices  # position on the platform; -1: not told, or not one of its machines
    ready_s: Floats
    taken_s: Floats
    start_s: Floats
    end_s: Floats
    bytes_in: Floats  # what it fetched from other machines
    ran: Flags  # whether it ended well; of several tries the last counts, `taken_s` of that one
    failed: tuple[int, ...] = ()  # tasks that never ended well
    missing: tuple[int, ...] = ()  # tasks that the run does not name
    unknown: tuple[str, ...] = ()  # names of the run that are no task of the workload
    renamed: tuple[tuple[str, int], ...] = ()  # names that were matched by pattern, and their task
    notes: tuple[str, ...] = ()  # what was noticed, in sentences; begins with the run's own
    peak_bytes: Floats = field(default_factory=lambda: np.zeros(0))  # memory; empty: not told

    @property
    def makespan_s(self) -> float:
        """From the first slot taken to the last end of what ran; 0: none did, or it is not known.

        A log without start times may state it, of all its tasks; some of which, such as transfers,
        may have no times.
        """
        if not self.ran.any():
            return 0.0
        if not self.run.timed:
            told = not self.unknown and self.ran.mean() >= _NEARLY_ALL
            return self.run.stated_s if told else 0.0
        return float(np.max(self.end_s[self.ran]) - np.min(self.taken_s[self.ran]))

    @property
    def task_s(self) -> Floats:
        """Seconds that every task computed."""
        return self.end_s - self.start_s

    @property
    def fetch_s(self) -> Floats:
        """Seconds that every task fetched in its slot."""
        return self.start_s - self.taken_s

    @property
    def placed(self) -> Flags:
        """Whether every task ended well on a known machine."""
        found: Flags = self.ran & (self.machine >= 0)
        return found

    @property
    def complete(self) -> bool:
        """Whether every task ran."""
        return bool(self.ran.all())


# Several runs of one workload together: the one in the middle, and every task's seconds.


@dataclass(frozen=True, eq=False)
class TaskSeconds:
    """Seconds that tasks computed in several runs, arrays (tasks,); nan where none tells."""

    median: Floats
    least: Floats
    most: Floats


def middle(actuals: Sequence[Actual]) -> int:
    """Position of the run whose makespan is the median, the lower one of two.

    Complete runs count alone where there are any: what did not end makes a run short. One whole run
    has causes that add up; a mean of several would have times that no run had.
    """
    among = [place for place, one in enumerate(actuals) if one.complete] or range(len(actuals))
    ranked = sorted(among, key=lambda place: actuals[place].makespan_s)
    return ranked[(len(ranked) - 1) // 2]


def task_seconds(actuals: Sequence[Actual]) -> TaskSeconds:
    """The median of every task over the runs in which it ended well, and its extremes."""
    seconds = np.array([np.where(one.ran, one.task_s, np.nan) for one in actuals])
    known = np.isfinite(seconds).any(axis=0)
    told = seconds[:, known]
    median, least, most = (np.full(seconds.shape[1], np.nan) for _ in range(3))
    median[known] = np.nanmedian(told, axis=0)
    least[known], most[known] = np.nanmin(told, axis=0), np.nanmax(told, axis=0)
    return TaskSeconds(median, least, most)
