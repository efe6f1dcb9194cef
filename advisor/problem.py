"""One allocation question: a platform, a workload and a contention reading, with their arrays.

Built once for each edit and shared by predictions, previews, searches and explanations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from advisor.bounds import bounds_of
from advisor.costs import EXACT, Costs, build_costs
from advisor.timeline import Instance, Ints, prepare, rank_order
from advisor.workload import Workload
from machines import Platform


@dataclass(frozen=True, eq=False)
class Problem:
    """Platform and workload under one reading, with the arrays derived from them.

    Attributes
    ----------
    reading : str
        "exact" (processor sharing) or "published" (Figueira & Berman's formula).
    costs : Costs
        Seconds by task, machine and flow.
    instance : Instance
        The same, laid out for the kernels.
    """

    platform: Platform
    workload: Workload
    reading: str
    costs: Costs
    instance: Instance

    @cached_property
    def lower_bounds_s(self) -> dict[str, float]:
        """Objective → proved lower bound over all plans (`advisor.bounds`)."""
        return bounds_of(self.instance)

    @cached_property
    def rank_order(self) -> Ints:
        """Task positions by decreasing upward rank (`advisor.timeline.rank_order`)."""
        return rank_order(self.instance)

    @classmethod
    def of(cls, platform: Platform, workload: Workload, reading: str = EXACT) -> Problem:
        """Derive the arrays.

        Raises
        ------
        InputError
            The workload names a machine that the platform lacks, or an unknown reading.
        InfeasibleError
            A task can run on no machine.
        """
        costs = build_costs(platform, workload, reading)
        return cls(platform, workload, reading, costs, prepare(costs))
