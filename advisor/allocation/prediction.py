"""What will happen: the predicted schedule of one plan, its totals, causes and bounds."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from machines.arrays import Flags, Floats


@dataclass(frozen=True, eq=False)
class Prediction:
    """The timeline of a plan; all times in seconds from the start of the first task.

    Attributes
    ----------
    start_s, end_s : array (tasks,)
        Start and end of every task.
    task_dedicated_s, task_s : array (tasks,)
        Duration on its machine alone, and under contention.
    flow_dedicated_s, flow_s : array (flows,)
        The same of every flow; 0 between tasks on one machine.
    critical : bool array (tasks,)
        Tasks on the critical path: a chain of tasks without slack that ends at the makespan.
    critical_flows : bool array (flows,)
        Flows on that chain.
    makespan_s, total_s : float
        The last end; the sum of all task and transfer times.
    breakdown_s : dict
        Cause (`advisor.basics.causes`) → seconds; sums to `total_s`.
    critical_breakdown_s : dict
        Cause, or "idle", → seconds along the critical path; sums to `makespan_s`.
    utilisation : array (machines,)
        Busy core time over cores × makespan.
    lower_bounds_s : dict
        Objective → proved lower bound over all plans.
    warnings : tuple of str
        Validity notes.
    """

    plan: Plan
    start_s: Floats
    end_s: Floats
    task_dedicated_s: Floats
    task_s: Floats
    flow_dedicated_s: Floats
    flow_s: Floats
    critical: Flags
    critical_flows: Flags
    makespan_s: float
    total_s: float
    breakdown_s: dict[str, float]
    critical_breakdown_s: dict[str, float]
    utilisation: Floats
    lower_bounds_s: dict[str, float]
    warnings: tuple[str, ...] = field(default=())

    def value_s(self, objective: str) -> float:
        """The makespan or the total."""
        return self.makespan_s if objective == MAKESPAN else self.total_s

    def gap(self, objective: str) -> float:
        """value/bound − 1; 0 where both are 0."""
        bound = self.lower_bounds_s[objective]
        value = self.value_s(objective)
        return value / bound - 1.0 if bound > 0 else (0.0 if value <= 0 else float("inf"))
