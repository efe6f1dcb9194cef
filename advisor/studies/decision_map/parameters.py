"""The parameters of the decision map."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.studies.parameters import parameter


@dataclass(frozen=True)
class DecisionMapParameters:
    """What the decision map asks for."""

    problem: Problem
    objective: str = parameter(MAKESPAN, choices=OBJECTIVES, help="What is to be smallest.")
    x: str = parameter("", help="Horizontal load, e.g. contenders:M1; empty: a relevant one.")
    y: str = parameter("", help="Vertical load, e.g. link slowdown:M1-M2; empty: a relevant one.")
    x_low: float | None = parameter(None, help="Left end; auto: the load's own range.")
    x_high: float | None = parameter(None, help="Right end.")
    y_low: float | None = parameter(None, help="Lower end.")
    y_high: float | None = parameter(None, help="Upper end.")
    points: int = parameter(41, low=2, high=401, help="Grid points on either axis.")
    seconds: float = parameter(
        4.0,
        unit="s",
        low=0.01,
        high=3600.0,
        help="Approximate time; large workloads get a coarser grid.",
    )
    known: tuple[Plan, ...] = ()  # contestants from elsewhere: the present plan, pins, the answer
