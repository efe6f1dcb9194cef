"""The parameters of the allocation study."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.search import STRATEGIES
from advisor.studies.parameters import parameter


@dataclass(frozen=True)
class AllocationParameters:
    """What the allocation study asks for."""

    problem: Problem
    current: Plan | None = None
    objective: str = parameter(
        MAKESPAN, choices=OBJECTIVES, help="Minimise the last end, or the sum of all times."
    )
    strategy: str = parameter(
        "auto",
        choices=STRATEGIES,
        titled=lambda name: STRATEGIES[name].title,
        help="How to search; auto takes what fits the workload.",
    )
    seconds: float = parameter(2.0, unit="s", low=0.01, high=3600.0, help="Search budget.")
    seed: int = parameter(0, low=0, high=2**31 - 1, help="Seed of the search's random choices.")
