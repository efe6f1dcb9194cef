"""Plan → Prediction: timeline, costs by cause, critical path and bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.executed_path import Carried, copies_of, critical_path, sent_slots
from advisor.allocation.execution import Executed, Run, executed, executed_makespan
from advisor.allocation.feasibility import check_feasible, places
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction, ResourceUse, Transfers
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import (
    add_transfers,
    by_cause,
    inside_programs,
    marked,
    utilisation,
)
from advisor.allocation.timeline import flow_seconds, schedule, total
from advisor.allocation.timeline_modes import FAIR
from advisor.kernels import paths_kernel as paths
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_options import trees_of
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
        A task can't run where the plan puts it, its data can't get there, or outputs that stay
        fill the memory that it needs for ever.
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


# Plan → Prediction under the executed timeline: when everything moves and what it shares.


def executed_prediction(
    problem: Problem, plan: Plan, lower_bounds_s: dict[str, float]
) -> Prediction:
    """Carry a plan out and tell what happened.

    Parameters
    ----------
    problem : Problem
        At the plan's numbers of processors; the plan can run.
    lower_bounds_s : dict
        Objective → proved bound over all plans.
    """
    costs, instance = problem.costs, problem.executed
    allocation, order = placement(problem, plan)
    makespan_s, run, trace = executed(instance, allocation, order)
    each = np.arange(allocation.size)
    task_s = costs.task_s[each, allocation]
    task_dedicated_s = costs.task_dedicated_s[each, allocation]
    origins, destinations = allocation[costs.sources], allocation[costs.targets]
    alone_s = flow_seconds(costs.flows, origins, destinations)
    dedicated_s = flow_seconds(costs.flows_dedicated, origins, destinations)
    transfers = _transfers(problem, run, allocation)
    copy = copies_of(instance, allocation, run)
    edge = _edges(problem)
    carried = Carried(run, transfers, copy, edge, task_s, task_dedicated_s)
    path = critical_path(problem, allocation, order, carried)
    programs = inside_programs(costs, allocation, costs.program_tasks)
    spent = by_cause(task_s, task_dedicated_s, alone_s, dedicated_s, programs)
    if costs.outside is not None:
        fetched = costs.outside.of(allocation)
        add_transfers(spent, fetched.total_s.sum(), fetched.total_dedicated_s.sum())
    return Prediction(
        plan=plan,
        start_s=run.start_s,
        end_s=run.end_s,
        task_dedicated_s=task_dedicated_s,
        task_s=run.end_s - run.start_s,
        flow_dedicated_s=dedicated_s,
        flow_s=_flow_seconds(run, copy, edge, costs.sources.size),
        critical=marked(path.tasks, allocation.size),
        critical_flows=marked(path.edges, costs.sources.size),
        makespan_s=makespan_s,
        total_s=total(problem.instance, allocation),
        breakdown_s=spent,
        critical_breakdown_s=path.breakdown_s,
        utilisation=utilisation(costs, allocation, run.end_s - run.start_s, makespan_s),
        lower_bounds_s=lower_bounds_s,
        warnings=costs.warnings,
        sharing=FAIR,
        overhead_s=instance.overhead_s,
        taken_s=run.taken_s,
        engine_s=run.released_s - run.ready_s if instance.dispatched else None,
        starved_s=run.starved_s if run.starved_s.size else None,
        endless_s=_endless(instance, allocation, order),
        transfers=transfers,
        critical_transfers=marked(path.transfers, transfers.left_s.size),
        resources=_uses(problem, transfers, trace, makespan_s),
    )


def _endless(instance: Executed, allocation: Indices, order: Indices) -> float:
    """What the plan takes where each transfer has the network to itself: nothing is passed."""
    nothing = np.zeros(0, np.int32)
    endless = instance._replace(
        first_pass=np.zeros_like(instance.first_pass),
        passed=nothing,
        pair=nothing,
        capacity=np.zeros(0),
    )
    return executed_makespan(endless, allocation, order)


def _transfers(problem: Problem, run: Run, allocation: Indices) -> Transfers:
    """What moved, by the time at which it set out."""
    instance, items = problem.executed, problem.items
    dedicated = problem.costs.between.dedicated
    slots = sent_slots(run)
    item = instance.item[slots]
    writer = instance.writer[item]
    source = np.where(writer >= 0, allocation[writer], instance.home[item])
    target = allocation[instance.reader[slots]]
    flows = problem.costs.flows_dedicated

    def seconds(startup_s: Floats, per_byte_s: Floats, tables: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            parts = instance.messages[item] * startup_s[:, source, target].T
            sizes = instance.size_bytes[item, None] * instance.shares[instance.mix[item]]
            parts = np.where(parts > 0, parts, 0.0)
            parts += np.where(sizes > 0, sizes * per_byte_s[:, source, target].T, 0.0)
        found: Floats = parts.sum(axis=1)
        stated = instance.table[item] >= 0
        found[stated] = tables[instance.table[item][stated], source[stated], target[stated]]
        return found

    return Transfers(
        flow=items.flow[item],
        file=items.file[item],
        reader=instance.reader[slots],
        slot=slots,
        source=source.astype(np.int32),
        target=target,
        left_s=run.left_s[slots],
        moved_s=run.moved_s[slots],
        arrived_s=run.arrived_s[slots],
        size_bytes=instance.size_bytes[item],
        dedicated_s=seconds(dedicated.startup_s, dedicated.per_byte_s, flows.tables),
        alone_s=seconds(instance.startup_s, instance.per_byte_s, instance.tables),
    )


def _edges(problem: Problem) -> Indices:
    """The edge of the task graph that each slot serves; -1: its file lies outside."""
    instance, items, workload = problem.executed, problem.items, problem.workload
    flow, file = items.flow[instance.item], items.file[instance.item]
    use, tasks = workload.use, len(workload.tasks)
    if not use.carried.size:
        return flow.astype(np.int32)
    pair = np.repeat(np.arange(use.source.size), np.diff(use.first))
    key = use.carried.astype(np.int64) * tasks + use.target[pair]
    order = np.argsort(key)
    wanted = file.astype(np.int64) * tasks + instance.reader
    place = np.minimum(np.searchsorted(key[order], wanted), key.size - 1)
    by_file = np.where(key[order][place] == wanted, len(workload.flows) + pair[order][place], -1)
    return np.where(flow >= 0, flow, by_file).astype(np.int32)


def _flow_seconds(run: Run, copy: Indices, edge: Indices, edges: int) -> Floats:
    """How long what each edge carries was on its way: the longest of its transfers, 0 if none."""
    seconds = np.zeros(edges)
    moved = (copy >= 0) & (edge >= 0)
    slots = copy[moved]
    np.maximum.at(seconds, edge[moved], run.arrived_s[slots] - run.left_s[slots])
    return seconds


def _uses(
    problem: Problem, transfers: Transfers, trace: Floats, makespan_s: float
) -> tuple[ResourceUse, ...]:
    """Load of every resource over time."""
    instance = problem.executed
    count, hosts = instance.capacity.size, instance.startup_s.shape[1]
    route = transfers.source * hosts + transfers.target
    passes = instance.first_pass[route + 1] - instance.first_pass[route]
    at = np.repeat(instance.first_pass[route] - np.cumsum(passes) + passes, passes)
    crossed = instance.passed[at + np.arange(at.size)]
    flowed = np.where(transfers.arrived_s > transfers.moved_s, transfers.size_bytes, 0.0)
    size_bytes = np.bincount(crossed, np.repeat(flowed, passes), minlength=count)
    order = np.argsort(trace[:, 1], kind="stable")
    bounds = np.searchsorted(trace[order, 1], np.arange(count + 1))
    found = []
    for place, resource in enumerate(problem.shared.resources):
        rows = trace[order[bounds[place] : bounds[place + 1]]]
        capacity = float(instance.capacity[place])
        last = np.append(rows[1:, 0] > rows[:-1, 0], True)  # of changes at one time, the last
        available = capacity * makespan_s
        found.append(
            ResourceUse(
                name=resource.name,
                capacity=capacity,
                size_bytes=float(size_bytes[place]),
                busy_share=float(size_bytes[place]) / available if available > 0 else 0.0,
                time_s=rows[last[: len(rows)], 0],
                load=rows[last[: len(rows)], 2] / capacity,
            )
        )
    return tuple(found)
