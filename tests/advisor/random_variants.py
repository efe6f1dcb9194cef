"""Small random problems whose tasks have variants, GPUs, memory and licences, from a seed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.task import Flow, Task, Variant
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Workload
from machines import Direction, Link, Machine, Platform, Resource


def random_variants(seed: int, most_tasks: int = 4, sharing: str = FAIR) -> Problem:
    """Two machines of two cores, one with a GPU; tasks of one variant or two."""
    rng = np.random.default_rng(seed)
    machines = (
        Machine("M0", 2, memory_bytes=10, resources=(Resource("gpu", int(rng.integers(1, 3))),)),
        Machine("M1", int(rng.integers(1, 3)), 1.5, memory_bytes=int(rng.integers(8, 14))),
    )
    way = Direction(0.5, 10.0)
    licences = (Resource("licence", 1),) if rng.random() < 0.4 else ()
    platform = Platform("p", machines, (Link("M0", "M1", way, way),), resources=licences)
    count = int(rng.integers(2, most_tasks + 1))
    tasks = tuple(_task(rng, i, bool(licences)) for i in range(count))
    flows = tuple(
        Flow(f"t{i}", f"t{j}", ((1, float(rng.integers(1, 40))),))
        for j in range(count)
        for i in range(j)
        if rng.random() < 0.25
    )
    return Problem.of(platform, Workload("w", tasks, flows), sharing=sharing)


def _task(rng: np.random.Generator, number: int, licensed: bool) -> Task:
    memory = int(rng.integers(0, 9))
    held = (("licence", 1),) if licensed and rng.random() < 0.5 else ()
    if rng.random() < 0.3:
        work = float(rng.integers(1, 9))
        return Task(f"t{number}", work=work, memory_bytes=memory, resources=held)
    on_gpu = Variant(
        "gpu", seconds=(("M0", float(rng.integers(1, 5))),), resources=(("gpu", 1),),
        memory_bytes=int(rng.integers(0, 5)) if rng.random() < 0.5 else None,
    )  # fmt: skip
    on_cores = Variant("cpu", work=float(rng.integers(2, 12)), cores=1)
    return Task(f"t{number}", memory_bytes=memory, resources=held, variants=(on_cores, on_gpu))


def every_plan(problem: Problem) -> Iterator[Plan]:
    """All allocations, variants and orders."""
    tasks = problem.workload.tasks
    machines = range(len(problem.platform.machines))
    ends = list(problem.workload.ends())
    orders = [
        order
        for order in itertools.permutations(range(len(tasks)))
        if all(order.index(source) < order.index(target) for source, target in ends)
    ]
    ways = [range(max(1, len(task.variants))) for task in tasks]
    for variants in itertools.product(*ways):
        for allocation in itertools.product(machines, repeat=len(tasks)):
            for order in orders:
                yield Plan(allocation, order, variants=variants)
