"""Small random problems of every kind, from a seed; for properties that must always hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, LinkPiece, Machine, Platform, Store


def random_problem(
    seed: int, *, most_tasks: int = 9, shared: bool = True, sharing: str = FAIR
) -> Problem:
    """1 to 4 machines, 1 to `most_tasks` tasks; some take no time, are barred or hold two cores.

    Every pair is linked, a third of the links by two pieces; a fifth of the flows state their
    seconds. Half of them read and write files too, some of which lie on a store or machine. Without
    `shared`, every machine has one core.
    """
    rng = np.random.default_rng(seed)
    machines = _machines(rng, shared)
    links = tuple(
        Link(one.name, other.name, _direction(rng), _direction(rng))
        for i, one in enumerate(machines)
        for other in machines[:i]
    )
    tasks = tuple(_task(rng, i, machines) for i in range(rng.integers(1, most_tasks + 1)))
    flows = tuple(
        _flow(rng, tasks[i], tasks[j], machines)
        for j in range(len(tasks))
        for i in range(j)
        if rng.random() < 0.3
    )
    platform, workload = Platform("random", machines, links), Workload("random", tasks, flows)
    rng = np.random.default_rng((seed, 1))  # another one: the rest stays as it is without files
    if rng.random() < 0.5:
        platform, workload = _with_files(rng, platform, workload)
    return Problem.of(platform, workload, sharing=sharing)


def random_plan(problem: Problem, seed: int) -> Plan:
    """Every task on a machine that takes it, in a random topological order or by rank."""
    rng = np.random.default_rng(seed)
    task_s = problem.costs.task_s
    allocation = tuple(int(rng.choice(np.flatnonzero(np.isfinite(row)))) for row in task_s)
    if rng.random() < 0.3:
        return Plan(allocation)
    late = np.zeros(len(task_s))
    draws = rng.random(len(task_s))
    flows = list(zip(problem.costs.sources, problem.costs.targets, strict=True))
    for task in problem.costs.topological_order:
        late[task] = max((late[i] for i, j in flows if j == task), default=0.0) + draws[task]
    return Plan(allocation, tuple(np.argsort(late, kind="stable").tolist()))


def _with_files(
    rng: np.random.Generator, platform: Platform, workload: Workload
) -> tuple[Platform, Workload]:
    """With a store that every machine reaches, and up to four files."""
    store = tuple(
        Link("S", machine.name, _direction(rng), _direction(rng)) for machine in platform.machines
    )
    platform = replace(platform, links=(*platform.links, *store), stores=(Store("S"),))
    tasks, files = list(workload.tasks), []
    for number in range(rng.integers(0, 5)):
        name = f"f{number}"
        writer = int(rng.integers(-2, len(tasks)))
        home = str(rng.choice(platform.hosts)) if rng.random() < 0.7 else None
        files.append(DataFile(name, float(rng.integers(0, 200)), home if writer < 0 else None))
        if writer >= 0:
            tasks[writer] = replace(tasks[writer], writes=(*tasks[writer].writes, name))
        for reader in range(writer + 1 if writer >= 0 else 0, len(tasks)):
            if rng.random() < 0.4:
                tasks[reader] = replace(tasks[reader], reads=(*tasks[reader].reads, name))
    return platform, replace(workload, tasks=tuple(tasks), files=tuple(files))


def _machines(rng: np.random.Generator, shared: bool) -> tuple[Machine, ...]:
    cores = rng.integers(1, 4, 4) if shared else np.ones(4, int)
    cores[0] = 3 if shared else 1
    return tuple(
        Machine(f"M{q}", cores=int(cores[q]), speed=float(rng.choice([0.5, 1.0, 3.0])))
        for q in range(rng.integers(1, 5))
    )


def _direction(rng: np.random.Generator) -> Direction:
    piece = LinkPiece(50.0, 3.0, 100.0) if rng.random() < 0.3 else None
    return Direction(float(rng.integers(0, 3)), float(rng.choice([10.0, 50.0])), piece)


def _task(rng: np.random.Generator, number: int, machines: tuple[Machine, ...]) -> Task:
    work = float(rng.integers(0, 6)) * (rng.random() < 0.8)
    cores = 2 if machines[0].cores > 1 and rng.random() < 0.3 else 1
    barred = len(machines) > 1 and rng.random() < 0.2
    allowed = tuple(machine.name for machine in machines[:-1]) if barred else None
    return Task(f"t{number}", work=work, cores=cores, allowed=allowed)


def _flow(
    rng: np.random.Generator, source: Task, target: Task, machines: tuple[Machine, ...]
) -> Flow:
    if rng.random() < 0.2:
        seconds = tuple(
            ((one.name, other.name), float(rng.integers(0, 9)))
            for one in machines
            for other in machines
            if one != other
        )
        return Flow(source.name, target.name, seconds=seconds)
    sizes = rng.integers(1, 200, rng.integers(0, 3))
    return Flow(source.name, target.name, tuple((1, float(size)) for size in sizes))
