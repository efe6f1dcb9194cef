"""A new project: a platform, a workload and a first plan that can be carried out.

The first plan is the simplest there is, everything on one machine, so that the first thing a user
sees is what dividing the work would gain.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.costs import Costs
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.project.project import Project
from advisor.search.lists import heft
from machines import Platform


def new_project(platform: Platform, workload: Workload) -> Project:
    """A project whose plan puts all tasks on the machine where they take least together.

    If no single machine can run them all, the plan is HEFT's (Topcuoglu, Hariri & Wu 2002).

    Raises
    ------
    InputError
        The workload names a machine that the platform lacks.
    InfeasibleError
        A task can run nowhere, or no plan was found.
    """
    problem = Problem.of(platform, workload)
    machine = _best_single(problem.costs)
    if machine is None:
        return Project(platform, workload, heft(problem))
    return Project(platform, workload, Plan((machine,) * len(workload.tasks)))


def _best_single(costs: Costs) -> int | None:
    """The machine with the least total that holds all tasks; None if none does."""
    total_s = costs.task_s.sum(axis=0)
    if costs.outside is not None:
        total_s += costs.outside.total_s.sum(axis=0)
    total_s[costs.task_memory.sum() > costs.machine_memory] = np.inf
    best = int(np.argmin(total_s))
    return best if np.isfinite(total_s[best]) else None
