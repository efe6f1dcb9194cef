"""Times of tasks that did not run, from others of their kind (`advisor.learning.kind_time`).

After J. Bader, F. Lehmann, L. Thamsen, U. Leser & O. Kao, *Lotaru: Locally predicting workflow task
runtimes for resource management on heterogeneous infrastructures*, 2023 (arXiv:2309.06918): a
kind's time against its input bytes by Bayesian linear regression, times a factor of the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, percent
from advisor.learning.kind_time import Expected, kind_time
from machines.arrays import Floats


@dataclass(frozen=True)
class Estimate:
    """What a task would take on the reference machine."""

    expected: Expected
    how: str  # from what, in words
    grows: bool = False  # with its input bytes
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
        alike = np.flatnonzero((kinds == kinds[task]) & (reference_s > 0.0))
        if alike.size:
            found[task] = _estimate(
                str(kinds[task]), sizes[alike], reference_s[alike], float(sizes[task])
            )
    return found


def _estimate(kind: str, x: Floats, y: Floats, at: float) -> Estimate:
    """By the line or the constant that the times make likelier."""
    found = kind_time(x, y)
    if found.grows:
        how = f"estimated: line through {x.size} {kind} by input bytes"
        outside = not x.min() <= at <= x.max()
        return Estimate(found.expected(at), how, True, outside)
    how = f"estimated: mean of {count(x.size, 'measured ' + kind, 'measured ' + kind)}"
    return Estimate(found.expected(at), how)


def estimates_sentence(workload: Workload, found: dict[int, Estimate]) -> str:
    """How many tasks were estimated, how, and how far: empty where none was."""
    if not found:
        return ""
    lines = sum(one.grows for one in found.values())
    means = len(found) - lines
    by = [f"{lines} by input bytes"] if lines else []
    by += [f"{means} by the mean of their kind"] if means else []
    factor = math.exp(float(np.median([one.expected.half() for one in found.values()])))
    by.append(f"9 of 10 within {percent(factor - 1.0)}")
    text = f"{count(len(found), 'task')} that did not run are estimated ({', '.join(by)})"
    far = [workload.tasks[task].name for task, one in found.items() if one.outside]
    if far:
        text += f"; {far[0]} and {len(far) - 1} more" if len(far) > 1 else f"; {far[0]}"
        text += " beyond the sizes that were measured"
    return text
