"""The plan that a run carried out: the machines and the order that it used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.ordering import after_needs
from advisor.runs.actual import Actual


def carried_plan(problem: Problem, plan: Plan, actual: Actual) -> Plan:
    """Machines and order of a run, else the plan's; all else is as the plan decides it.

    Tasks are ordered by when they took their slots, every task after those that feed it, whatever
    the clocks say; without times the plan's order holds.
    """
    machines = np.where(actual.placed, actual.machine, np.array(plan.allocation))
    order = plan.order
    if actual.run.timed:
        taken_s = np.where(actual.ran, actual.taken_s, np.inf)
        order = after_needs(taken_s.tolist(), problem.workload.ends())
    return replace(plan, allocation=tuple(machines.tolist()), order=order, strategy="as run")


def follows(plan: Plan, actual: Actual) -> bool:
    """Whether every task that ran did so on the plan's machine."""
    return bool((actual.machine == np.array(plan.allocation))[actual.placed].all())
