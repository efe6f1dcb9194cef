"""What the user has open: platform, workload, current plan, choices, pins, cases and runs.

Frozen; the window's document holds one and every edit makes the next.
`advisor.project.project_file` reads and writes it.

A new project: a platform, a workload and a first plan that can be carried out.

The first plan is the simplest there is, everything on one machine, so that the first thing a user
sees is what dividing the work would gain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.costs import EXACT, Costs
from advisor.allocation.evaluation import best_single_machine
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Workload
from advisor.project.study_case import StudyCase
from advisor.runs.run_record import Run
from advisor.search.list_scheduling import heft
from advisor.search.portfolio import advise
from machines import Platform
from machines.checks import plain_name

_SEARCHED_S = 0.5  # of effort for a first plan where a machine alone can not run all


@dataclass(frozen=True)
class Pin:
    """A plan kept for comparison under a name."""

    name: str
    plan: Plan

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="pin")


@dataclass(frozen=True)
class Project:
    """One open project.

    Attributes
    ----------
    objective : str
        "makespan" or "total".
    reading : str
        Contention model, "exact" or "published".
    pins : tuple of Pin
        Strategies side by side.
    sharing : str
        Timeline: "fair", the contention-aware schedule, or "none", each transfer and task alone.
    cases : tuple of StudyCase
        Close looks at one decision each.
    runs : tuple of Run
        What happened when the workload was run, oldest first; each under a name of its own.
    """

    platform: Platform
    workload: Workload
    plan: Plan
    objective: str = MAKESPAN
    reading: str = EXACT
    pins: tuple[Pin, ...] = ()
    sharing: str = FAIR
    cases: tuple[StudyCase, ...] = ()
    runs: tuple[Run, ...] = ()

    @property
    def name(self) -> str:
        """The workload's name, shown in the window's title."""
        return self.workload.name

    def same_places(self, other: Project) -> bool:
        """Whether every position of a task, edge, machine, link, … means the same in both."""
        return (
            self.platform is other.platform or _parts_of(self.platform) == _parts_of(other.platform)
        ) and (
            self.workload is other.workload or _tasks_of(self.workload) == _tasks_of(other.workload)
        )

    def problem(self) -> Problem:
        """What is asked: platform and workload under the chosen readings."""
        return Problem.of(self.platform, self.workload, self.reading, self.sharing)


def _parts_of(platform: Platform) -> tuple[object, ...]:
    """What stands at every position of a platform that can be selected."""
    return (
        [machine.name for machine in platform.machines],
        [(link.first, link.second) for link in platform.links],
        [switch.name for switch in platform.switches],
        [store.name for store in platform.stores],
    )


def _tasks_of(workload: Workload) -> tuple[object, ...]:
    """What stands at every position of a workload that can be selected."""
    return (
        [task.name for task in workload.tasks],
        workload.sources.tobytes(),
        workload.targets.tobytes(),
        [file.name for file in workload.files],
        [overlay.name for overlay in workload.overlays],
    )


def new_project(platform: Platform, workload: Workload) -> Project:
    """A project whose plan puts all tasks on the machine where they take least together.

    If no single machine can run them all, the plan is HEFT's (Topcuoglu, Hariri & Wu 2002); where
    outputs stay in memory, so that it may stick, what a short search finds.

    Raises
    ------
    InputError
        The workload names a machine that the platform lacks.
    InfeasibleError
        A task can run nowhere, or no plan was found.
    """
    problem = Problem.of(platform, workload)
    if problem.costs.needs.outputs_stay:
        alone = best_single_machine(problem, TOTAL)
        plan = alone[1] if alone else advise(problem, seconds=_SEARCHED_S, clocked=False).plan
        return Project(platform, workload, plan)
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
