"""Few numbers of processors proved: every combination is bounded away or solved exactly.

Combinations come by increasing bound; a number that is nowhere quicker than a smaller one is left
out, as the smaller one can take its place in any schedule.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from advisor.allocation.bounds import bounds_of
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.search import exact_search as exact
from advisor.search.incumbent import StepBudget
from advisor.search.trial_evaluator import TrialEvaluator
from machines.arrays import Floats, Ints

MOST_COMBINATIONS = 20_000
_BOUND, _PRICE = 4_000, 20_000  # of one combination, in placements of a task: measured


def fits(desk: TrialEvaluator) -> bool:
    """Whether all numbers are known and their combinations few enough to try."""
    few = math.prod(len(one.processors) for one in desk.numbers) <= MOST_COMBINATIONS
    every = all(one.every for one in desk.problem.processor_times)
    # several files from one task to another come together when carried out, quicker than alone
    apart = desk.problem.sharing != FAIR or all(
        len(files) <= 1 for _, _, files in desk.problem.workload.use.pairs
    )
    return few and every and apart and exact.fits(desk.problem, MAKESPAN)


def prove(
    desk: TrialEvaluator, best_s: float, effort: StepBudget, on_better: Callable[[Plan], float]
) -> bool:
    """Solve every combination that could beat `best_s`; whether all were settled.

    Parameters
    ----------
    best_s : float
        A makespan that some plan reaches; inf if none is known.
    on_better : callable
        Gets every better plan and returns its makespan.
    """
    every = list(itertools.product(*(range(len(one.processors)) for one in desk.numbers)))
    bound_s = _quick_bounds(desk, np.array(every))
    for place in np.argsort(bound_s, kind="stable").tolist():
        if bound_s[place] >= best_s * (1 - ALIKE):
            return True
        if not effort.left():
            return False
        rows = every[place]
        effort.spent += _BOUND
        if bounds_of(desk.taken(rows))[MAKESPAN] >= best_s * (1 - ALIKE):
            continue
        effort.spent += _PRICE
        here = desk.problem.at(desk.counts(rows))
        result = exact.solve(here, MAKESPAN, best_s, effort, ties=False)
        for plan in result.plans:
            best_s = min(best_s, on_better(desk.dressed(plan, rows)))
        if not result.proved:
            return False
    return True


def _quick_bounds(desk: TrialEvaluator, rows: Ints) -> Floats:
    """The longest task, and all core-seconds over all cores, of every combination."""
    instance = desk.instance
    cores = float(instance.machine_cores.sum())
    scalable = [one.task for one in desk.numbers]
    others = np.ones(len(instance.task_s), dtype=np.bool_)
    others[scalable] = False
    quickest = instance.task_s.min(axis=1)
    longest = np.full(len(rows), quickest[others].max(initial=0.0))
    work = np.full(len(rows), (quickest * instance.task_cores)[others].sum())
    for column, one in enumerate(desk.numbers):
        seconds = one.quickest_s[rows[:, column]]
        longest = np.maximum(longest, seconds)
        work += seconds * one.processors[rows[:, column]]
    # a schedule adds the same seconds in another order
    found: Floats = np.maximum(longest, work / cores * (1 - ALIKE))
    return found
