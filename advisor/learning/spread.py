"""Lesson: how far times vary from run to run, in place of what is assumed.

Of tasks that ran repeatedly on one machine, ln of each time deviates from its mean over the runs.
What the tasks of one run on one machine have in common is the machine's; the rest is the tasks'.
Both variances are estimated by the method of moments of a random effect (S. Searle, G. Casella &
C. McCulloch, *Variance Components*, 1992, sec. 3.5), less what the clock of the log rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.quantities import count, percent
from advisor.learning.calibration import Calibration
from advisor.learning.run_evidence import Evidence
from machines.arrays import Floats, Ints
from machines.uncertain import MOST_CV

NAME, TITLE = "spread", "How times vary"
HEADER = ("Of", "Standard deviation", "Give or take", "Repeats")
_FEWEST = 8  # deviations that are free, from which a spread is told
_FEWEST_RUNS = 4  # the same, of machines
_LEAST, _MOST = 0.01, 10.0  # less is not told from rounding; more is no spread
_ROUNDED = 1.0 / 6.0  # variance of a difference of two times that are whole numbers


@dataclass(frozen=True)
class Deviations:
    """How repeated times deviate from their means.

    Attributes
    ----------
    task_cv, machine_cv : float or None
        Standard deviations as shares; ``None``: too few repeats tell it.
    repeats, rounds : int
        Deviations that are free: of tasks, and of machines from run to run.
    """

    task_cv: float | None
    machine_cv: float | None
    repeats: int
    rounds: int


def spread(evidence: Evidence) -> Calibration:
    """Coefficients of variation of task times and speeds, where repeats tell them."""
    problem = evidence.problem
    found = deviations(evidence)
    if found.task_cv is None:
        text = (
            f"Not how times vary: {count(found.repeats, 'repeat')} of a task on its machine "
            f"where {_FEWEST} would tell; run the plan again"
        )
        return Calibration(NAME, TITLE, text, HEADER, (), problem.platform, problem.workload,
                           learnt=False)  # fmt: skip
    if max(found.task_cv, found.machine_cv or 0.0) > MOST_CV:
        text = (
            f"Not how times vary: those of one task differ by more than {percent(MOST_CV)}; the "
            "runs are of other inputs, or in other units"
        )
        return Calibration(NAME, TITLE, text, HEADER, _rows(found), problem.platform,
                           problem.workload, learnt=False)  # fmt: skip
    text = f"Task times vary by {percent(found.task_cv)}"
    platform = problem.platform
    if found.machine_cv is not None:
        text += f", all times on a machine together by {percent(found.machine_cv)} between runs"
        platform = replace(platform, spread=replace(platform.spread, machine_cv=found.machine_cv))
    text += f" ({count(found.repeats, 'repeat')})"
    notes = () if found.machine_cv is not None else (
        "Too few runs tell whether machines vary as a whole: it is in the times of tasks",
    )  # fmt: skip
    workload = problem.workload.with_spread(replace(problem.workload.spread, task_cv=found.task_cv))
    return Calibration(NAME, TITLE, text, HEADER, _rows(found), platform, workload, notes)


def deviations(evidence: Evidence) -> Deviations:
    """What the typical entries say that are long enough for their clock."""
    rows = np.flatnonzero(evidence.typical & evidence.clear)
    cell = evidence.task[rows].astype(np.int64) * len(evidence.names) + evidence.machine[rows]
    rounded = _ROUNDED * (evidence.resolution_s / evidence.alone_s[rows]) ** 2
    number = np.bincount(cell, minlength=1)
    again = number[cell] > 1
    rows, cell, rounded = rows[again], cell[again], rounded[again]
    if not rows.size:
        return Deviations(None, None, 0, 0)
    off = _from_mean(np.log(evidence.alone_s[rows]), cell)
    free = rows.size - np.unique(cell).size
    machine = evidence.machine[rows].astype(np.int64)
    round_ = machine * len(evidence.actuals) + evidence.run[rows]
    _, place, sizes = np.unique(round_, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    common = np.bincount(place, off) / sizes
    rounds = sizes.size - np.unique(machine).size
    noise = float(rounded.mean())
    if rounds < _FEWEST_RUNS or free - rounds < _FEWEST:
        if free < _FEWEST:
            return Deviations(None, None, free, rounds)
        return Deviations(_cv(float(off @ off) / free - noise), None, free, rounds)
    rest = off - common[place]
    own = float(rest @ rest) / (free - rounds)
    between = float(common @ common) / rounds - own * float((1.0 / sizes).mean())
    return Deviations(_cv(own - noise), _cv(between), free - rounds, rounds)


def _from_mean(values: Floats, cell: Ints) -> Floats:
    _, place, sizes = np.unique(cell, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    return values - (np.bincount(place, values) / sizes)[place]


def _cv(variance: float) -> float:
    """Of a log-normal variable whose logarithm varies so, two digits."""
    return float(f"{max(_LEAST, math.sqrt(math.expm1(min(max(0.0, variance), _MOST)))):.2g}")


def _rows(found: Deviations) -> tuple[tuple[str, ...], ...]:
    told: Sequence[tuple[str, float | None, int]] = (
        ("task times", found.task_cv, found.repeats),
        ("speeds, from run to run", found.machine_cv, found.rounds),
    )
    return tuple(
        (what, percent(cv), percent(1.0 / math.sqrt(2.0 * free)), str(free))
        for what, cv, free in told
        if cv is not None
    )
