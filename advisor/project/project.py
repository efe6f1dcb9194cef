"""What the user has open: platform, workload, current plan, choices, pins, cases and runs.

Frozen; the window's document holds one and every edit makes the next.
`advisor.project.project_file` reads and writes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.costs import EXACT
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.sharing import FAIR
from advisor.allocation.workload import Workload
from advisor.project.study_case import StudyCase
from advisor.runs.record import Run
from machines import Platform
from machines.checks import plain_name


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

    def problem(self) -> Problem:
        """What is asked: platform and workload under the chosen readings."""
        return Problem.of(self.platform, self.workload, self.reading, self.sharing)
