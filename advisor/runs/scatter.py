"""Predicted and actual seconds of every task, and how they compare by machine and kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.runs.actual import Actual
from advisor.runs.matched_problem import question
from advisor.runs.timelines import predicted
from machines.arrays import Floats, Indices, Ints

_QUARTILES = (25.0, 50.0, 75.0)


@dataclass(frozen=True)
class FactorRow:
    """How many times as long as predicted some tasks took: actual / predicted seconds.

    `machine`, `kind`: whose tasks; an empty kind: of all kinds. `median`, `low`, `high`: of their
    factors; the lower and upper quartile. nan without tasks.
    """

    machine: str
    kind: str
    tasks: int  # how many with a predicted time above 0
    median: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Scatter:
    """A point for every task that ran; arrays (points,).

    `predicted_s`, `actual_s`: what it computed there: without what it fetched, and without the
        engine's overhead.
    """

    task: Ints  # its position in the workload
    machine: Indices  # where it ran, on the platform; where it was planned, if the run does not say
    kind: tuple[str, ...]
    predicted_s: Floats
    actual_s: Floats
    rows: tuple[FactorRow, ...]  # machine by machine, first all of its tasks, then by kind

    @property
    def factor(self) -> Floats:
        """Actual / predicted; nan where nothing was predicted."""
        return factors(self.actual_s, self.predicted_s)


def scatter(problem: Problem, plan: Plan, actual: Actual) -> Scatter:
    """Predicted and actual seconds of the tasks of a run, which need not tell when they ran.

    `problem`, `plan`, `actual`: as of `advisor.runs.difference.difference`. Predicted is the plan
        carried out where the tasks ran, so that what contenders and own tasks take from one another
        is in it.
    """
    asked = question(problem, plan, actual, timed=False)
    here = asked.problem
    if here.sharing != FAIR:
        here = replace(here, sharing=FAIR).about(here.workload)
    _, order = placement(here, asked.plan)
    meant = predicted(here, asked.machine, order).compute_s
    took = asked.end_s - asked.start_s
    kind = tuple(problem.workload.tasks[task].group for task in asked.tasks.tolist())
    names = [one.name for one in problem.platform.machines]
    rows = _rows(names, asked.machine, kind, factors(took, meant))
    return Scatter(asked.tasks, asked.machine, kind, meant, took, rows)


def factors(actual_s: Floats, predicted_s: Floats) -> Floats:
    """Actual / predicted; nan where nothing was predicted."""
    none = np.full(actual_s.shape, np.nan)
    found: Floats = np.divide(actual_s, predicted_s, out=none, where=predicted_s > 0.0)
    return found


def _rows(
    names: list[str], machine: Indices, kind: tuple[str, ...], factor: Floats
) -> tuple[FactorRow, ...]:
    """By machine, then by kind in the order in which kinds appear."""
    found = []
    kinds = np.array(kind, dtype=object)
    for place, name in enumerate(names):
        here = machine == place
        found += [_row(name, "", factor[here])] if here.any() else []
        found += [
            _row(name, one, factor[here & (kinds == one)])
            for one in dict.fromkeys(kinds[here].tolist())
        ]
    return tuple(found)


def _row(machine: str, kind: str, factor: Floats) -> FactorRow:
    known = factor[~np.isnan(factor)]
    low, median, high = np.percentile(known, _QUARTILES).tolist() if known.size else [np.nan] * 3
    return FactorRow(machine, kind, known.size, median, low, high)
