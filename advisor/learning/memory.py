"""Lesson: the memory that tasks hold, from the peaks that logs tell.

Of a kind, the peak that 95 % of its tasks stay under; where peaks grow with input bytes, of a line
through them plus the residual that 95 % stay under. A task that was measured above that has its own
peak.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.workload import Task
from advisor.basics.quantities import count, size
from advisor.learning.calibration import Calibration, some_of
from advisor.learning.estimates import input_bytes
from advisor.learning.run_evidence import Evidence
from machines.arrays import Floats, Ints
from machines.files import MIB

NAME, TITLE = "memory", "Memory"
HEADER = ("Kind", "Tasks measured", "Largest peak", "95 % stay under", "From")
_SHARE = 0.95
_FEWEST = 5  # tasks of a line
_CORRELATED = 0.75  # Pearson's r from which a line is meant
_NONE = (
    "No memory: the log tells no peaks (peak_rss of Nextflow, MaxRSS of sacct, "
    "max_rss of Snakemake's benchmarks, Parsl's monitoring of resources)"
)


@dataclass(frozen=True)
class _Kind:
    """What a kind of tasks holds at most: per byte of input, and beside it."""

    name: str
    measured: int
    largest: float
    beside: float
    slope: float = 0.0

    @property
    def how(self) -> str:
        return "by input bytes" if self.slope else "of all alike"


def memory(evidence: Evidence) -> Calibration:
    """Upper quantiles of peaks; what is stated stays, unless a peak was above it."""
    workload, platform = evidence.problem.workload, evidence.problem.platform
    peaks, inputs = _peaks(evidence), input_bytes(workload)
    groups = np.array(evidence.groups)
    tasks, kinds, notes = list(workload.tasks), [], list(evidence.left_out)
    room = max(one.memory_bytes or np.inf for one in platform.machines)
    above: list[str] = []
    for name in evidence.kinds:
        alike = np.flatnonzero(groups == name)
        known = alike[np.isfinite(peaks[alike])]
        if not known.size:
            continue
        kind = _kind(name, peaks, inputs, known.astype(np.int64))
        kinds.append(kind)
        for place in alike.tolist():
            own = np.nan_to_num(peaks[place])
            needed = max(own, kind.beside + kind.slope * inputs[place])
            tasks[place] = _holding(tasks[place], own, needed, room, above)
    if not kinds:
        return Calibration(NAME, TITLE, _NONE, HEADER, (), platform, workload, learnt=False)
    changed = sum(new != old for new, old in zip(tasks, workload.tasks, strict=True))
    said = [f"{one.name} {size(one.beside)}" if not one.slope else f"{one.name} {one.how}"
            for one in kinds]  # fmt: skip
    measured = count(sum(one.measured for one in kinds), "task")
    text = f"Peaks of {measured}: {some_of(said, 'kind')}; set for {count(changed, 'task')}"
    if above:
        notes.append(f"Above what was stated, and raised: {some_of(above, 'task')}")
    return Calibration(
        NAME, TITLE, text, HEADER, tuple(map(_row, kinds)), platform,
        workload.repriced(tuple(tasks), workload.flows), tuple(notes), learnt=changed > 0,
    )  # fmt: skip


def _peaks(evidence: Evidence) -> Floats:
    """The largest peak of every task that ended well; nan: not told. Shape (tasks,)."""
    found = np.full(len(evidence.groups), np.nan)
    for one in evidence.actuals:
        if one.peak_bytes.size:
            found = np.fmax(found, np.where(one.ran & (one.peak_bytes > 0), one.peak_bytes, np.nan))
    return found


def _kind(name: str, peaks: Floats, inputs: Floats, known: Ints) -> _Kind:
    y, x = peaks[known], inputs[known]
    upper = float(np.quantile(y, _SHARE, method="higher"))
    flat = _Kind(name, known.size, float(y.max()), upper)
    if known.size < _FEWEST or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return flat
    if np.corrcoef(x, y)[0, 1] < _CORRELATED:
        return flat
    slope, beside = np.polyfit(x, y, 1)
    over = float(np.quantile(y - slope * x - beside, _SHARE, method="higher"))
    return replace(flat, beside=max(0.0, float(beside) + over), slope=float(slope))


def _holding(task: Task, own: float, needed: float, room: float, above: list[str]) -> Task:
    """The task with what it needs; one of several variants says so itself and stays."""
    if task.variants or task.program is not None:
        return task
    if task.memory_bytes is not None:
        if own <= task.memory_bytes:
            return task
        above.append(f"{task.name}, {size(own)} where {size(task.memory_bytes)} are stated")
        needed = own
    return replace(task, memory_bytes=int(min(np.ceil(needed / MIB) * MIB, max(room, own))))


def _row(kind: _Kind) -> tuple[str, ...]:
    under = size(kind.beside)
    if kind.slope:
        under += f" + {kind.slope:.3g} × input"
    return kind.name, str(kind.measured), size(kind.largest), under, kind.how
