"""Several runs of one workload together: the one in the middle, and every task's seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.runs.actual import Actual
from machines.arrays import Floats


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
