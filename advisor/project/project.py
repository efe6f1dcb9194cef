"""What the user has open: platform, workload, current plan, choices and pinned strategies.

Frozen; the window's document holds one and every edit makes the next.
`advisor.project.project_file` reads and writes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.costs import EXACT
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Workload
from machines import Platform


@dataclass(frozen=True)
class Pin:
    """A plan kept for comparison under a name."""

    name: str
    plan: Plan


@dataclass(frozen=True)
class Project:
    """One open project.

    Attributes
    ----------
    objective : str
        "makespan" or "total".
    reading : str
        Contention reading, "exact" or "published".
    pins : tuple of Pin
        Strategies side by side.
    """

    platform: Platform
    workload: Workload
    plan: Plan
    objective: str = MAKESPAN
    reading: str = EXACT
    pins: tuple[Pin, ...] = ()

    @property
    def name(self) -> str:
        """The workload's name, shown in the window's title."""
        return self.workload.name
