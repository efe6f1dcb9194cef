"""Small problems with scalable tasks, from a seed, and their optimum by trying everything."""

from __future__ import annotations

import itertools

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, total
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Flow, Task, Workload
from advisor.messages.styles import ASYNCHRONOUS
from advisor.scaling.law import Scaling
from machines import Contender, Direction, InfeasibleError, Link, Machine, Platform

WAY = Direction(0.2, 1e6)


def linked(*machines: Machine) -> Platform:
    """The machines, all linked."""
    links = tuple(
        Link(one.name, other.name, WAY, WAY) for i, one in enumerate(machines)
        for other in machines[:i]
    )  # fmt: skip
    return Platform("linked", machines, links)


def random_scalable(seed: int) -> Problem:
    """1 or 2 machines of 2 to 4 cores, 1 to 3 tasks of which the first scales by some law."""
    rng = np.random.default_rng(seed)
    machines = tuple(
        Machine(
            f"M{q}",
            cores=int(rng.integers(2, 5)),
            speed=float(rng.choice([1.0, 1.5])),
            contenders=(Contender("other", 0.5, 0.25),) if rng.random() < 0.3 else (),
        )
        for q in range(rng.integers(1, 3))
    )
    tasks = tuple(_task(rng, i) for i in range(rng.integers(1, 4)))
    flows = tuple(
        Flow(one.name, other.name, ((1, float(rng.integers(1, 4)) * 1e6),))
        for j, other in enumerate(tasks)
        for one in tasks[:j]
        if rng.random() < 0.4
    )
    return Problem.of(linked(*machines), Workload("random", tasks, flows))


def least(problem: Problem, objective: str = MAKESPAN) -> float:
    """The least value of all numbers of processors, allocations and orders, on its timeline."""
    tasks, machines = problem.costs.task_s.shape
    orders = _orders(problem)
    best = np.inf
    for counts in itertools.product(*(_numbers(problem, task) for task in range(tasks))):
        try:
            here = problem.at(counts)
        except InfeasibleError:
            continue
        for allocation in itertools.product(range(machines), repeat=tasks):
            home = np.array(allocation, dtype=np.int32)
            if objective == TOTAL:
                values = [total(here.instance, home)]
            elif problem.sharing == FAIR:
                values = [executed_makespan(here.executed, home, order) for order in orders]
            else:
                values = [makespan(here.instance, home, order) for order in orders]
            best = min(best, *values)
    return float(best)


def _numbers(problem: Problem, task: int) -> list[int]:
    one = problem.workload.tasks[task]
    if one.scaling is None:
        return [one.cores]
    most = max(machine.cores for machine in problem.platform.machines)
    return list(range(one.scaling.least, min(most, one.scaling.most or most) + 1))


def _orders(problem: Problem) -> list[np.ndarray[tuple[int], np.dtype[np.int32]]]:
    ends = list(zip(problem.costs.sources, problem.costs.targets, strict=True))
    return [
        np.array(order, dtype=np.int32)
        for order in itertools.permutations(range(len(problem.workload.tasks)))
        if all(order.index(source) < order.index(target) for source, target in ends)
    ]


def _task(rng: np.random.Generator, number: int) -> Task:
    work = float(rng.integers(5, 40))
    if number and rng.random() < 0.3:
        return Task(f"t{number}", work=work, cores=int(rng.integers(1, 3)))
    return Task(f"t{number}", work=work, scaling=_scaling(rng))


def _scaling(rng: np.random.Generator) -> Scaling:
    most = int(rng.integers(2, 5)) if rng.random() < 0.3 else None
    law = rng.integers(0, 3)
    if law == 0:
        return Scaling(sigma=float(rng.choice([0.0, 0.1, 0.4])), kappa=0.05, most=most)
    if law == 1:
        demands = tuple(rng.uniform(0.1, 2.0, rng.integers(1, 4)).tolist())
        return Scaling(think_time_s=5.0, demands_s=demands, completion=ASYNCHRONOUS, most=most)
    return Scaling(sigma=float(rng.uniform(0.0, 0.5)), most=most)
