"""What tasks of a run would have taken alone, by the slowdowns that the platform states."""

from __future__ import annotations

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.sharing import FAIR
from advisor.runs.actual import Actual
from machines.arrays import Floats, Ints


def alone_seconds(problem: Problem, actual: Actual, rows: Ints) -> Floats:
    """Dedicated seconds of some tasks; shape of `rows`.

    Under fair sharing a machine of which the own tasks use r cores runs them at a speed v(r), as
    its contenders have it (`advisor.allocation.execution`): dedicated = ∫ v(r(t)) dt from start to
    end. A run without times, or own tasks that do not share: seconds over the stated slowdown.

    `problem`: at the plan's decisions. `rows`: tasks that ended well on known machines, in known
    times.
    """
    if problem.sharing != FAIR or not actual.run.timed:
        costs, machine = problem.costs, actual.machine[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            slowdown = costs.task_s[rows, machine] / costs.task_dedicated_s[rows, machine]
        slowdown = np.where(np.isfinite(slowdown) & (slowdown >= 1.0), slowdown, 1.0)
        return actual.task_s[rows] / slowdown
    found = actual.task_s[rows].copy()
    for machine in np.unique(actual.machine[rows]).tolist():
        first, end = problem.executed.first_rate[machine : machine + 2]
        speeds = problem.executed.rates[first:end]
        if (speeds != 1.0).any():
            here = actual.machine[rows] == machine
            found[here] = _worked(problem, actual, rows[here], speeds)
    return found


def _worked(problem: Problem, actual: Actual, tasks: Ints, speeds: Floats) -> Floats:
    """The integral of the speed over each task of one machine."""
    start_s, end_s = actual.start_s[tasks], actual.end_s[tasks]
    cores = problem.costs.task_cores[tasks]
    times = np.concatenate((start_s, end_s))
    change = np.concatenate((cores, -cores))
    order = np.argsort(times, kind="stable")
    used = np.clip(np.cumsum(change[order]), 1, speeds.size)
    steps = np.diff(times[order]) * speeds[used[:-1] - 1]
    worked = np.empty(times.size)
    worked[order] = np.concatenate(([0.0], np.cumsum(steps)))
    found: Floats = worked[tasks.size :] - worked[: tasks.size]
    return found
