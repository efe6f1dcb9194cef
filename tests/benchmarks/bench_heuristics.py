"""Heuristics by name against each other: makespans over the best, and their seconds.

Random layered graphs whose ratio of communication to computation is known; each transfer alone.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from advisor import kernels
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import STRATEGIES, advise
from advisor.search.strategy import Role
from machines import Direction, Link, Machine, Platform

_RATIOS = (0.1, 1.0, 10.0)
_GRAPHS = 30
_LARGE = ((1_000, 16), (10_000, 16))


def main() -> None:
    """Print the tables."""
    kernels.load()
    shared = {"heft-shared", "peft-shared", "clusters"}
    names = [name for name, one in STRATEGIES.items() if one.role is Role.HEURISTIC]
    names = [name for name in names if name not in shared]
    means = {name: [0.0] * len(_RATIOS) for name in names}
    for column, ratio in enumerate(_RATIOS):
        for seed in range(_GRAPHS):
            problem = layered(seed, 50, 4 + seed % 5, ratio)
            found = {name: advise(problem, strategy=name).value_s for name in names}
            for name in names:
                means[name][column] += found[name] / min(found.values()) / _GRAPHS
    print(f"mean makespan over the best of all, {_GRAPHS} graphs of 50 tasks, 4 to 8 machines")
    print(f"{'communication over computation':>32}" + "".join(f"{one:7g}" for one in _RATIOS))
    for name in sorted(names, key=lambda one: sum(means[one])):
        print(f"{name:>32}" + "".join(f"{one:7.2f}" for one in means[name]))
    for tasks, machines in _LARGE:
        problem = layered(0, tasks, machines, 1.0)
        problem.rank_order  # noqa: B018 - what all that sort by it share
        print(f"seconds for {tasks:,} tasks on {machines} machines; wanted 0.5 s for 1,000")
        for name in names:
            before = perf_counter()
            advise(problem, strategy=name)
            print(f"{name:>32}{perf_counter() - before:9.3f}")


def layered(seed: int, tasks: int, machines: int, ratio: float) -> Problem:
    """√tasks layers; 1 to 3 inputs from the layer before; seconds ±50 % by task and machine."""
    rng = np.random.default_rng(seed)
    names = [f"M{q}" for q in range(machines)]
    way = Direction(0.0, 1.0)
    links = tuple(Link(a, b, way, way) for place, a in enumerate(names) for b in names[:place])
    platform = Platform("equal links", tuple(Machine(name) for name in names), links)
    seconds = rng.uniform(1, 20, (tasks, 1)) * rng.uniform(0.5, 1.5, (tasks, machines))
    made = tuple(
        Task(f"t{i}", seconds=tuple(zip(names, row, strict=True)))
        for i, row in enumerate(seconds.tolist())
    )
    layer = np.sort(rng.integers(0, round(tasks**0.5), tasks))
    flows = []
    for j in range(tasks):
        before = np.flatnonzero(layer == layer[j] - 1)
        inputs = rng.permutation(before)[: rng.integers(1, 4)]
        sizes = ratio * rng.uniform(1, 20, inputs.size)
        flows += [
            Flow(f"t{i}", f"t{j}", ((1, size),))
            for i, size in zip(inputs.tolist(), sizes.tolist(), strict=True)
        ]
    return Problem.of(platform, Workload("layered", made, tuple(flows)), sharing=NONE)


if __name__ == "__main__":
    main()
