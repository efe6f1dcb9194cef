"""One allocation question: a platform, a workload and a contention reading, with their arrays.

Built once for each edit and shared by predictions, previews, searches and explanations.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.costs import EXACT, Costs, build_costs
from advisor.timeline import Instance, prepare
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
