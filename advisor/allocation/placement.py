"""Plan → machine of every task, and the order in which a timeline places or starts them.

A plan without an order of its own takes the default one, which follows what is known at present.
`ordered` writes it into the plan: wherever that is valued later, it is the same plan.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.outputs import freeing_order
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import schedule
from advisor.allocation.timeline_modes import FAIR
from machines.arrays import Indices


def placement(problem: Problem, plan: Plan) -> tuple[Indices, Indices]:
    """Allocation of a plan, and the order of its tasks under the problem's sharing.

    Where transfers share, machines take their tasks in this order: the plan's own, else that of
    the starts of the classical timeline, ties as in the topological order of the workload. In the
    classical timeline tasks are placed in it: the plan's own, else by decreasing upward rank
    without contention, so that the load of a machine without tasks changes nothing. Where outputs
    stay in memory and fill it for ever in that order, the order is one that frees it soon.
    """
    allocation = np.array(plan.allocation, dtype=np.int32)
    if plan.order is not None:
        return allocation, np.array(plan.order, dtype=np.int32)
    here = problem.settled(plan)
    stays = here.costs.needs.outputs_stay
    if problem.sharing != FAIR and not stays:
        return allocation, here.default_order
    start_s, _ = schedule(here.instance, allocation, here.default_order)
    if stays and not np.isfinite(start_s).all():
        return allocation, freeing_order(here, allocation)
    if problem.sharing != FAIR:
        return allocation, here.default_order
    topological = here.costs.topological_order
    place = np.empty(topological.size, dtype=np.int32)
    place[topological] = np.arange(topological.size, dtype=np.int32)
    return allocation, np.lexsort((place, start_s)).astype(np.int32)


def ordered(problem: Problem, plan: Plan) -> Plan:
    """The plan with the order that it is valued in; one that has an order is itself."""
    if plan.order is not None:
        return plan
    _, order = placement(problem, plan)
    return replace(plan, order=tuple(order.tolist()))
