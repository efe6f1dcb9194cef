"""Plan → Prediction: timeline, costs by cause, critical path, bounds; and previews of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.costs import Costs
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical, checked, lowered, unfit
from advisor.allocation.timeline import flow_seconds, previews, schedule, total
from advisor.basics.causes import COMPUTING, LINK_WAIT, PROCESSOR_WAIT, TRANSFERRING
from advisor.kernels import paths
from advisor.programs.costs import PROGRAM_CAUSES
from machines import InfeasibleError, InputError
from machines.arrays import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class Preview:
    """What moving tasks together to each machine would give.

    Attributes
    ----------
    values_s : array (machines,)
        The objective in seconds; inf where infeasible.
    reasons : tuple of str
        Why a machine is out of the question; empty where it is not.
    best : int or None
        The machine of the least value, the first of several.
    start_s, end_s : array (machines,)
        When the first of the tasks would run there; inf where infeasible.
    processors : tuple of int
        How many the first of the tasks would take there.
    """

    values_s: Floats
    reasons: tuple[str, ...]
    best: int | None
    start_s: Floats
    end_s: Floats
    processors: tuple[int, ...]


def predict(problem: Problem, plan: Plan) -> Prediction:
    """Predict the schedule of a plan.

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
    bounds_s = dict(problem.lower_bounds_s)
    problem = problem.at(plan.processors)
    check_feasible(problem, plan)
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
    along = _by_cause(
        task_s[tasks],
        task_dedicated_s[tasks],
        flow_s[flows],
        flow_dedicated_s[flows],
        _inside_programs(costs, allocation, tasks),
    )
    return Prediction(
        plan=plan,
        start_s=start_s,
        end_s=end_s,
        task_dedicated_s=task_dedicated_s,
        task_s=task_s,
        flow_dedicated_s=flow_dedicated_s,
        flow_s=flow_s,
        critical=_marked(tasks, task_s.size),
        critical_flows=_marked(flows, flow_s.size),
        makespan_s=makespan_s,
        total_s=total(instance, allocation),
        breakdown_s=_by_cause(
            task_s,
            task_dedicated_s,
            flow_s,
            flow_dedicated_s,
            _inside_programs(costs, allocation, costs.program_tasks),
        ),
        critical_breakdown_s=along,
        utilisation=_utilisation(costs, allocation, task_s, makespan_s),
        lower_bounds_s=bounds_s,
        warnings=costs.warnings,
    )


def preview(
    problem: Problem, plan: Plan, tasks: Sequence[int], objective: str = MAKESPAN
) -> Preview:
    """The objective if `tasks` moved together to each machine, as `predict` would give it.

    A scalable task that takes more processors than a machine has would take all of these there, as
    with `Plan.settled`.

    Parameters
    ----------
    tasks : sequence of int
        Positions of the tasks that move; at least one.
    objective : {"makespan", "total"}

    Returns
    -------
    Preview

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    """
    _check_fitting(problem, plan)
    count = len(problem.platform.machines)
    values_s, start_s, end_s = (np.full(count, np.inf) for _ in range(3))
    reasons, taken = [""] * count, [0] * count
    for counts, machines in _settled_counts(problem, plan, tasks).items():
        there = replace(plan, processors=counts)
        fixed = problem.at(counts)
        allocation, order = placement(fixed, there)
        moved = np.array(tasks, dtype=np.int32)
        makespans, totals, starts, ends = previews(fixed.instance, allocation, order, moved)
        found = makespans if objective == MAKESPAN else totals
        values_s[machines], start_s[machines] = found[machines], starts[machines]
        end_s[machines] = ends[machines]
        for machine in machines:
            taken[machine] = int(fixed.costs.task_cores[tasks[0]])
            if not np.isfinite(makespans[machine]):
                reasons[machine] = _obstacle(fixed, there, tasks, machine)
    best = int(np.argmin(values_s)) if np.isfinite(values_s).any() else None
    return Preview(values_s, tuple(reasons), best, start_s, end_s, tuple(taken))


def _settled_counts(
    problem: Problem, plan: Plan, tasks: Sequence[int]
) -> dict[tuple[int, ...] | None, list[int]]:
    """Numbers of processors after a move → the machines to which it leads to them."""
    machines, workload = problem.platform.machines, problem.workload
    scalable = [task for task in tasks if workload.tasks[task].scaling is not None]
    if not scalable:
        return {plan.processors: list(range(len(machines)))}
    chosen = checked(workload, plan.processors)
    found: dict[tuple[int, ...] | None, list[int]] = {}
    for position, machine in enumerate(machines):
        counts = list(chosen)
        for task in scalable:
            counts[task] = lowered(workload.tasks[task], chosen[task], machine)
        found.setdefault(canonical(problem.workload, counts), []).append(position)
    return found


def why_not(problem: Problem, task: int, machine: int) -> str:
    """Why a task can't run on a machine, in words; empty if it can, as far as it alone goes.

    A scalable task with the fewest processors that it takes, unless the problem states a number.
    """
    return unfit(problem.workload.tasks[task], problem.platform.machines[machine])


def check_feasible(problem: Problem, plan: Plan) -> None:
    """Refuse a plan that can't run.

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    InfeasibleError
        A task is where it can't run, a machine's memory is exceeded, or two machines can't
        exchange the data of a flow.
    """
    problem = problem.at(plan.processors)
    _check_fitting(problem, plan)
    costs = problem.costs
    allocation = np.array(plan.allocation)
    for task in np.flatnonzero(np.isinf(costs.task_s[np.arange(allocation.size), allocation])):
        raise InfeasibleError(
            why_not(problem, int(task), plan.allocation[task]),
            where=f'task "{problem.workload.tasks[task].name}"',
            remedy="Put it on another machine",
        )
    _check_memory(problem, allocation)
    origins, destinations = allocation[costs.sources], allocation[costs.targets]
    for flow in np.flatnonzero(np.isinf(flow_seconds(costs.flows, origins, destinations))):
        machines = problem.platform.machines
        first, second = machines[origins[flow]].name, machines[destinations[flow]].name
        raise InfeasibleError(
            f"{first} can't send these data to {second}",
            where=f"flow {problem.workload.edges[flow].name}",
            remedy="Add a link, state the flow's seconds, or put both tasks on one machine",
        )


def _check_memory(problem: Problem, allocation: NDArray[np.integer]) -> None:
    costs = problem.costs
    used = np.bincount(allocation, costs.task_memory, minlength=costs.machine_memory.size)
    for machine in np.flatnonzero(used > costs.machine_memory):
        raise InfeasibleError(
            "its tasks need more memory than it has",
            where=f'machine "{problem.platform.machines[machine].name}"',
            value=int(used[machine]),
            remedy=f"It has {int(costs.machine_memory[machine]):,} bytes; move tasks away",
        )


def _check_fitting(problem: Problem, plan: Plan) -> None:
    """The plan's positions exist, and its order is a topological one of all tasks."""
    tasks, machines = problem.costs.task_s.shape
    allocation = np.array(plan.allocation, dtype=np.int64)
    if allocation.size != tasks or (allocation < 0).any() or (allocation >= machines).any():
        raise InputError(
            "the plan is for another workload or platform",
            where="allocation",
            value=allocation.size,
            remedy=f"It gives each of {tasks} tasks one of {machines} machines",
        )
    if plan.order is None:
        return
    order = np.array(plan.order, dtype=np.int64)
    if not np.array_equal(np.sort(order), np.arange(tasks)):
        raise InputError(
            "the order must name every task once",
            where="order",
            value=order.size,
            remedy=f"It is a permutation of 0 to {tasks - 1}",
        )
    place = _places(order)
    for flow in np.flatnonzero(place[problem.costs.sources] > place[problem.costs.targets]):
        raise InputError(
            "the order puts a task before one that feeds it",
            where=f"flow {problem.workload.edges[flow].name}",
        )


def _obstacle(problem: Problem, plan: Plan, tasks: Sequence[int], machine: int) -> str:
    """Why `tasks` can't move to `machine`, in words."""
    for task in tasks:
        if reason := why_not(problem, task, machine):
            return reason
    try:
        check_feasible(problem, plan.moved(tasks, machine))
    except InfeasibleError as error:
        return f"{error.where}: {error.what}"
    return ""


def placement(problem: Problem, plan: Plan) -> tuple[Indices, Indices]:
    """Allocation and order of placement of a plan."""
    if plan.order is None:
        order = problem.at(plan.processors).rank_order
    else:
        order = np.array(plan.order, dtype=np.int32)
    return np.array(plan.allocation, dtype=np.int32), order


def _places(order: NDArray[np.integer]) -> Indices:
    """Position of every task in the order."""
    place = np.empty(order.size, dtype=np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    return place


def _critical_path(
    problem: Problem, allocation: Indices, order: Indices, start_s: Floats, end_s: Floats
) -> tuple[Indices, Indices]:
    """Tasks and flows on a chain without slack that ends at the makespan."""
    instance = problem.instance
    by_end = np.lexsort((end_s, allocation)).astype(np.int32)
    tasks, edges = paths.chain(instance, allocation, _places(order), by_end, start_s, end_s)
    return tasks, instance.flow[edges[edges >= 0]]


def _marked(positions: Indices, size: int) -> Flags:
    marks = np.zeros(size, dtype=np.bool_)
    marks[positions] = True
    return marks


def _by_cause(
    task_s: Floats,
    task_dedicated_s: Floats,
    flow_s: Floats,
    flow_dedicated_s: Floats,
    inside: dict[str, float],
) -> dict[str, float]:
    """Cause → seconds: what takes long by itself, and what contention adds.

    `inside` is what the dedicated time of parallel programs goes to beside computing.
    """
    alone, transferring = float(task_dedicated_s.sum()), float(flow_dedicated_s.sum())
    found = {
        COMPUTING: max(0.0, alone - sum(inside.values())),
        PROCESSOR_WAIT: max(0.0, float(task_s.sum()) - alone),
        TRANSFERRING: transferring,
        LINK_WAIT: max(0.0, float(flow_s.sum()) - transferring),
    }
    for cause, seconds in inside.items():
        found[cause] = found.get(cause, 0.0) + seconds
    return found


def _inside_programs(costs: Costs, allocation: Indices, tasks: Indices) -> dict[str, float]:
    """Cause → seconds beside computing that the programs among `tasks` spend; empty without any."""
    rows = np.flatnonzero(np.isin(costs.program_tasks, tasks))
    if not rows.size:
        return {}
    parts = costs.program_parts_s[rows, allocation[costs.program_tasks[rows]]].sum(axis=0)
    spent = dict(zip(PROGRAM_CAUSES, parts.tolist(), strict=True))
    return {cause: seconds for cause, seconds in spent.items() if cause != COMPUTING}


def _utilisation(costs: Costs, allocation: Indices, task_s: Floats, makespan_s: float) -> Floats:
    """Busy core time over cores × makespan, by machine; 0 of a makespan of 0."""
    machines = costs.machine_cores.size
    busy = np.bincount(allocation, task_s * costs.task_cores, minlength=machines)
    available = costs.machine_cores * makespan_s
    share: Floats = np.divide(busy, available, out=np.zeros(machines), where=available > 0)
    return share
