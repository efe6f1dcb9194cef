"""Times of tasks that did not run, from others of their kind.

After J. Bader, F. Lehmann, L. Thamsen, U. Leser & O. Kao, *Lotaru: Locally predicting workflow task
runtimes for resource management on heterogeneous infrastructures*, 2023 (arXiv:2309.06918): a
kind's time against its input bytes by Bayesian linear regression, scaled by machine speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, percent
from advisor.learning.regression import bayesian_line, correlation
from advisor.learning.robust import summary
from machines.arrays import Floats

_FEWEST = 3  # points of a line
_CORRELATED = 0.75  # Pearson's r from which a line is meant


@dataclass(frozen=True)
class Estimate:
    """Seconds that a task would take on the reference machine, with a 90 % range."""

    seconds: float
    low: float
    high: float
    how: str  # from what, in words
    outside: bool = False  # its input bytes lie outside those of the tasks that were measured


def input_bytes(workload: Workload) -> Floats:
    """What every task reads, from other tasks and from outside; shape (tasks,)."""
    found = np.zeros(len(workload.tasks))
    np.add.at(found, workload.targets, workload.edge_bytes)
    sizes = {file.name: file.size_bytes for file in workload.files if file.at is not None}
    for place, task in enumerate(workload.tasks):
        found[place] += sum(sizes.get(name, 0.0) for name in task.reads)
    return found


def estimates(workload: Workload, reference_s: Floats) -> dict[int, Estimate]:
    """Estimates of the tasks without a time whose kind has some.

    `reference_s`: shape (tasks,); measured seconds, as on the reference machine; nan: not measured.
    """
    sizes = input_bytes(workload)
    kinds = np.array([task.group for task in workload.tasks])
    found = {}
    for task in np.flatnonzero(np.isnan(reference_s)).tolist():
        alike = np.flatnonzero((kinds == kinds[task]) & np.isfinite(reference_s))
        if alike.size:
            found[task] = _estimate(
                str(kinds[task]), sizes[alike], reference_s[alike], float(sizes[task])
            )
    return found


def _estimate(kind: str, x: Floats, y: Floats, at: float) -> Estimate:
    """By the line where there are points enough and they lie along one, else the median."""
    outside = not x.min() <= at <= x.max()
    related = correlation(x, y) if x.size >= _FEWEST else 0.0
    if related >= _CORRELATED and y.mean() > 0.0:
        middle, low, high = bayesian_line(x, y).predicted(at)
        if middle > 0.0:
            how = f"estimated: line through {x.size} {kind} by input bytes (r = {related:.2f})"
            return Estimate(middle, max(low, 0.0), high, how, outside)
    said = summary(y)
    how = f"estimated: median of {count(x.size, 'measured ' + kind, 'measured ' + kind)}"
    return Estimate(said.middle, said.low, said.high, how)


def estimates_sentence(workload: Workload, found: dict[int, Estimate]) -> str:
    """How many tasks were estimated, how, and how far: empty where none was."""
    if not found:
        return ""
    lines = [one for one in found.values() if "line" in one.how]
    wide = [(one.high - one.low) / 2 / one.seconds for one in found.values() if one.seconds > 0]
    by = f"{len(lines)} by input bytes, " if lines else ""
    medians = len(found) - len(lines)
    by += f"{medians} by their kind's median" if medians else ""
    half = f", ± {percent(float(np.median(wide)))} (median of 90 % ranges)" if wide else ""
    text = f"{count(len(found), 'task')} that did not run are estimated ({by.rstrip(', ')}{half})"
    far = [workload.tasks[task].name for task, one in found.items() if one.outside and one in lines]
    if far:
        text += f"; {far[0]} and {len(far) - 1} more" if len(far) > 1 else f"; {far[0]}"
        text += " beyond the sizes that were measured"
    return text
