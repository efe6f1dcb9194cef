"""Tries of tasks that failed: how much of the gaps before tasks went to them."""

from __future__ import annotations

import numpy as np

from advisor.runs.matched_problem import Question
from advisor.runs.record import FAILED
from machines.arrays import Floats


def tried_s(asked: Question, gap_s: Floats) -> Floats:
    """Seconds of every task's gap in which it failed, or another task failed on its only core.

    `gap_s`: shape (tasks,); until each task's begin.
    """
    found = np.zeros(gap_s.size)
    tries = [one for one in asked.run.tasks if one.status == FAILED]
    platform, workload = asked.problem.platform, asked.problem.workload
    for task in np.flatnonzero(gap_s > 0.0).tolist() if tries else ():
        machine = platform.machines[asked.machine[task]]
        name = asked.names.get(task, workload.tasks[task].name)
        spans = [
            (one.taken_s, one.end_s)
            for one in tries
            if one.task == name or (machine.cores == 1 and one.machine == machine.name)
        ]
        last = float(asked.begin_s[task])
        found[task] = _covered(last - float(gap_s[task]), last, spans)
    return found


def _covered(low: float, high: float, spans: list[tuple[float, float]]) -> float:
    """How much of a stretch of time lies in some of the spans."""
    total, reached = 0.0, low
    for begin, end in sorted(spans):
        total += max(0.0, min(end, high) - max(begin, reached))
        reached = max(reached, min(end, high))
    return total
