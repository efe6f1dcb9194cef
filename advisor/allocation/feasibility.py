"""Whether a plan can run at all: it fits the workload and platform, tasks and data get along."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.execution import executed_run
from advisor.allocation.outputs import stuck
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.processors import unfit
from advisor.allocation.timeline import flow_seconds, schedule
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.units import Unit
from machines import InfeasibleError, InputError
from machines.arrays import Indices


def why_not(problem: Problem, task: int, machine: int) -> str:
    """Why a task can't run on a machine, in words; empty if it can, as far as it alone goes.

    A scalable task with the fewest processors that it takes, unless the problem states a number.
    """
    platform = problem.platform
    return unfit(problem.workload.tasks[task], platform.machines[machine], platform.resources)


def check_feasible(problem: Problem, plan: Plan) -> None:
    """Refuse a plan that can't run.

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    InfeasibleError
        A task is where it can't run, a machine's memory is exceeded, two machines can't
        exchange the data of a flow, a file from outside can't get to a reader, or outputs that
        stay fill the memory that a task waits for.
    """
    problem = problem.settled(plan)
    check_fitting(problem, plan)
    costs = problem.costs
    allocation = np.array(plan.allocation)
    for task in np.flatnonzero(np.isinf(costs.task_s[np.arange(allocation.size), allocation])):
        raise InfeasibleError(
            why_not(problem, int(task), plan.allocation[task]),
            where=f'task "{problem.workload.tasks[task].name}"',
            remedy="Put it on another machine",
        )
    _check_memory(problem, allocation)
    _check_outside(problem, allocation)
    origins, destinations = allocation[costs.sources], allocation[costs.targets]
    for flow in np.flatnonzero(np.isinf(flow_seconds(costs.flows, origins, destinations))):
        machines = problem.platform.machines
        first, second = machines[origins[flow]].name, machines[destinations[flow]].name
        raise InfeasibleError(
            f"{first} can't send these data to {second}",
            where=f"flow {problem.workload.edges[flow].name}",
            remedy="Add a link, state the flow's seconds, or put both tasks on one machine",
        )
    if costs.needs.outputs_stay:
        _check_outputs(problem, plan)


def can_run(problem: Problem, plan: Plan) -> bool:
    """Whether `check_feasible` has nothing against a plan, whatever it is."""
    try:
        check_feasible(problem, plan)
    except (InfeasibleError, InputError):
        return False
    return True


def _check_outputs(problem: Problem, plan: Plan) -> None:
    allocation, order = placement(problem, plan)
    if problem.sharing == FAIR:
        end_s = executed_run(problem.executed, allocation, order)[1].end_s
    else:
        _, end_s = schedule(problem.instance, allocation, order)
    if not np.isfinite(end_s).all():
        raise stuck(problem, plan, end_s)


def _check_outside(problem: Problem, allocation: NDArray[np.integer]) -> None:
    outside = problem.costs.outside
    if outside is None:
        return
    for task in np.flatnonzero(np.isinf(outside.of(allocation).arrival_s)):
        machine = problem.platform.machines[allocation[task]].name
        raise InfeasibleError(
            f"a file that it reads can't get to {machine}",
            where=f'task "{problem.workload.tasks[task].name}"',
            remedy="Link the machine to where the file lies, or put the task on another machine",
        )


def _check_memory(problem: Problem, allocation: NDArray[np.integer]) -> None:
    costs = problem.costs
    used = np.bincount(allocation, costs.task_memory, minlength=costs.machine_memory.size)
    for machine in np.flatnonzero(used > costs.machine_memory):
        needed, there = float(used[machine]), float(costs.machine_memory[machine])
        unit = Unit.of("B", needed, there)
        raise InfeasibleError(
            f"its tasks need {unit.text(needed)} of memory, it has {unit.text(there)}",
            where=f'machine "{problem.platform.machines[machine].name}"',
            remedy="Move tasks away",
        )


def check_fitting(problem: Problem, plan: Plan) -> None:
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
    place = places(order)
    for flow in np.flatnonzero(place[problem.costs.sources] > place[problem.costs.targets]):
        raise InputError(
            "the order puts a task before its input",
            where=f"flow {problem.workload.edges[flow].name}",
        )


def places(order: NDArray[np.integer]) -> Indices:
    """Position of every task in the order."""
    place = np.empty(order.size, dtype=np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    return place
