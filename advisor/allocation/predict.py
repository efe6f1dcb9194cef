"""Plan → Prediction: timeline, costs by cause, critical path and bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.executed_prediction import executed_prediction
from advisor.allocation.feasibility import check_feasible, places
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.sharing import FAIR
from advisor.allocation.tally import add_transfers, by_cause, inside_programs, marked, utilisation
from advisor.allocation.timeline import flow_seconds, schedule, total
from advisor.kernels import paths
from advisor.overlays.measures import overlay_measures
from advisor.overlays.options import trees_of
from machines.arrays import Floats, Indices


def predict(problem: Problem, plan: Plan) -> Prediction:
    """Predict the schedule of a plan: executed where the problem's sharing is fair, else alone.

    Parameters
    ----------
    problem : Problem
    plan : Plan
        Made for the problem's workload and platform.

    Returns
    -------
    Prediction

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    InfeasibleError
        A task can't run where the plan puts it, or its data can't get there.
    """
    bounds_s = dict(problem.bounds_for(plan))
    found = _settled(problem.settled(plan), plan, bounds_s)
    notes = _overlay_notes(problem, plan)
    return replace(found, warnings=(*found.warnings, *notes)) if notes else found


def _overlay_notes(problem: Problem, plan: Plan) -> tuple[str, ...]:
    """What is assumed of the overlays as the plan places them, and where their model ends."""
    platform, overlays = problem.platform, problem.workload.overlays
    trees = trees_of(platform, overlays, plan.overlays)
    return tuple(
        f'overlay "{overlay.name}": {note}'
        for overlay, tree in zip(overlays, trees, strict=True)
        for note in overlay_measures(platform, overlay, tree).notes
    )


def _settled(problem: Problem, plan: Plan, bounds_s: dict[str, float]) -> Prediction:
    """The prediction of a plan that has nothing left to decide."""
    check_feasible(problem, plan)
    if problem.sharing == FAIR:
        return executed_prediction(problem, plan, bounds_s)
    costs, instance = problem.costs, problem.instance
    allocation, order = placement(problem, plan)
    start_s, end_s = schedule(instance, allocation, order)
    makespan_s = float(end_s.max())
    each = np.arange(allocation.size)
    task_s = costs.task_s[each, allocation]
    task_dedicated_s = costs.task_dedicated_s[each, allocation]
    origins, destinations = allocation[costs.sources], allocation[costs.targets]
    flow_s = flow_seconds(costs.flows, origins, destinations)
    flow_dedicated_s = flow_seconds(costs.flows_dedicated, origins, destinations)
    tasks, flows = _critical_path(problem, allocation, order, start_s, end_s)
    along = by_cause(
        task_s[tasks],
        task_dedicated_s[tasks],
        flow_s[flows],
        flow_dedicated_s[flows],
        inside_programs(costs, allocation, tasks),
    )
    spent = by_cause(
        task_s,
        task_dedicated_s,
        flow_s,
        flow_dedicated_s,
        inside_programs(costs, allocation, costs.program_tasks),
    )
    if costs.outside is not None:
        fetched, first = costs.outside.of(allocation), tasks[-1]
        add_transfers(spent, fetched.total_s.sum(), fetched.total_dedicated_s.sum())
        if start_s[first] == fetched.arrival_s[first]:
            latest_s = fetched.arrival_dedicated_s[first]
            add_transfers(along, fetched.arrival_s[first], latest_s)
    return Prediction(
        plan=plan,
        start_s=start_s,
        end_s=end_s,
        task_dedicated_s=task_dedicated_s,
        task_s=task_s,
        flow_dedicated_s=flow_dedicated_s,
        flow_s=flow_s,
        critical=marked(tasks, task_s.size),
        critical_flows=marked(flows, flow_s.size),
        makespan_s=makespan_s,
        total_s=total(instance, allocation),
        breakdown_s=spent,
        critical_breakdown_s=along,
        utilisation=utilisation(costs, allocation, task_s, makespan_s),
        lower_bounds_s=bounds_s,
        warnings=costs.warnings,
    )


def _critical_path(
    problem: Problem, allocation: Indices, order: Indices, start_s: Floats, end_s: Floats
) -> tuple[Indices, Indices]:
    """Tasks and flows on a chain without slack that ends at the makespan."""
    instance = problem.instance
    by_end = np.lexsort((end_s, allocation)).astype(np.int32)
    tasks, edges = paths.chain(instance, allocation, places(order), by_end, start_s, end_s)
    return tasks, instance.flow[edges[edges >= 0]]
