"""Immediate heuristics: one task after the other, as they come, each with one look at the machines.

They are what more careful ones are measured against. As tasks *come*: of the ready ones, the first
by position. Braun et al. 2001, sec. 3, describe them for independent tasks.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.kernels.partial import Partial
from advisor.search.stepwise import Choices, ends, stepwise
from advisor.search.strategy import heuristic


def mct(problem: Problem) -> Plan:
    """Minimum Completion Time: each task where it ends first (Armstrong et al. 1998).

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it; also from the others.
    """
    return stepwise(problem, "mct", _by_completion)


def met(problem: Problem) -> Plan:
    """Minimum Execution Time: each task where it computes least, busy or not.

    Braun et al. 2001.
    """
    return stepwise(problem, "met", _by_execution)


def olb(problem: Problem) -> Plan:
    """Opportunistic Load Balancing: each task on the machine that is idle first.

    However long it takes there, and whenever its inputs arrive (Armstrong et al. 1998). A machine
    of several cores is idle when one of them is.
    """
    return stepwise(problem, "olb", _by_idleness)


def _by_completion(problem: Problem, partial: Partial) -> Choices:
    while partial.number[0]:
        task = int(partial.ready[0])
        yield task, int(ends(problem.instance, partial, task).argmin())


def _by_execution(problem: Problem, partial: Partial) -> Choices:
    while partial.number[0]:
        task = int(partial.ready[0])
        able = partial.start[task] < np.inf
        yield task, int(np.where(able, problem.instance.task_s[task], np.inf).argmin())


def _by_idleness(_problem: Problem, partial: Partial) -> Choices:
    while partial.number[0]:
        task = int(partial.ready[0])
        able = partial.start[task] < np.inf
        yield task, int(np.where(able, partial.idle, np.inf).argmin())


MCT = heuristic(
    "mct",
    "MCT",
    "Tasks in order, each where it ends first",
    mct,
    source="Armstrong, Hensgen & Kidd 1998",
    by_name=True,
)
MET = heuristic(
    "met",
    "MET",
    "Tasks in order, each where it computes least",
    met,
    source="Braun et al. 2001",
    by_name=True,
)
OLB = heuristic(
    "olb",
    "OLB",
    "Tasks in order, each on the machine that is idle first",
    olb,
    source="Armstrong, Hensgen & Kidd 1998",
    by_name=True,
)
