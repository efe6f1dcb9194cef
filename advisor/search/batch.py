"""Batch heuristics beside Min-Min and Max-Min: Duplex and Sufferage look at all ready tasks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.kernels.partial import Partial
from advisor.search.list_scheduling import max_min, min_min
from advisor.search.network_aware_lists import quickest
from advisor.search.stepwise import Choices, ready_tasks, stepwise
from advisor.search.strategy import heuristic
from machines import InfeasibleError


def duplex(problem: Problem) -> Plan:
    """The quicker plan of Min-Min and Max-Min, on the timeline that is meant (Braun et al. 2001).

    Raises
    ------
    InfeasibleError
        Neither finds a plan.
    """
    return quickest(problem, list(_both(problem)), refusal=_REFUSAL)


def sufferage(problem: Problem) -> Plan:
    """Each machine goes to the task that would suffer most without it.

    A task's sufferage is its second earliest end over the machines less the earliest. In a pass
    over the ready tasks each wants the machine where it ends first; of those that want the same,
    the one of the greatest sufferage gets it, and the others wait for the next pass, as tasks do
    that become ready meanwhile (Maheswaran et al. 1999). A task that only one machine
    takes suffers without bound.

    Raises
    ------
    InfeasibleError
        A task fits nowhere beside those placed before it.
    """
    return stepwise(problem, "sufferage", _passes)


def _both(problem: Problem) -> Iterator[Plan]:
    for make in (min_min, max_min):
        try:
            yield make(problem)
        except InfeasibleError:
            continue


def _passes(problem: Problem, partial: Partial) -> Choices:
    while partial.number[0]:
        tasks = ready_tasks(partial)
        end_s = partial.start[tasks] + problem.instance.task_s[tasks]
        wanted = end_s.argmin(axis=1)
        first = end_s.min(axis=1)
        np.put_along_axis(end_s, wanted[:, None], np.inf, axis=1)
        alone = ~np.isfinite(end_s).any(axis=1)
        suffers = np.where(alone, np.inf, end_s.min(axis=1) - np.where(alone, 0.0, first))
        rows = np.lexsort((tasks, -suffers, wanted))
        machines, foremost = np.unique(wanted[rows], return_index=True)
        for row, on in zip(rows[foremost].tolist(), machines.tolist(), strict=True):
            yield int(tasks[row]), on


_REFUSAL = InfeasibleError(
    "neither Min-Min nor Max-Min finds machines for all tasks",
    where="search",
    remedy="Give more memory or links, or try another strategy",
)
DUPLEX = heuristic(
    "duplex",
    "Duplex",
    "The better of Min-Min and Max-Min",
    duplex,
    source="Braun et al. 2001",
    by_name=True,
)
SUFFERAGE = heuristic(
    "sufferage",
    "Sufferage",
    "Each machine to the ready task that loses most without it",
    sufferage,
    source="Maheswaran et al. 1999",
    by_name=True,
)
