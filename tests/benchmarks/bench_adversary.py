"""An adversary: instances hunted for the advice to lose: ``… bench_adversary [minutes]``.

Small changes of an instance (a work, a size, a speed, a bandwidth, a dependency) are kept where
they raise advised over best makespan, over shared links (after Coleman & Krishnamachari, PISA). The
best is that of all plans up to six tasks; beyond, that of three searches of ten times the effort.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from time import monotonic

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import load
from advisor.search import advise
from machines import Direction, Link, Machine, Platform, Switch

_SECONDS, _MORE = 0.3, 10.0  # of the advice, and times that of the reference
_ALL = 6  # tasks up to which all plans are tried
_SIZES = (5, 6, 8, 12)
_WAYS = 3  # machines, at a bus


@dataclass(frozen=True)
class Instance:
    """Works, speeds and the bandwidth of the bus; data by pair of tasks, negative: no flow."""

    work: tuple[float, ...]
    data: tuple[float, ...]
    speed: tuple[float, ...]
    bandwidth: float

    def problem(self) -> Problem:
        """Tasks that read from earlier ones, on machines at a bus."""
        count, way = len(self.work), Direction(0.0, 1e3)
        names = [f"m{q}" for q in range(len(self.speed))]
        machines = tuple(Machine(n, speed=s) for n, s in zip(names, self.speed, strict=True))
        links = tuple(Link(name, "bus", way, way) for name in names)
        platform = Platform("bus", machines, links, (Switch("bus", self.bandwidth),))
        tasks = tuple(Task(f"t{k}", work) for k, work in enumerate(self.work))
        pairs = [(a, b) for b in range(count) for a in range(b)]
        flows = tuple(
            Flow(f"t{a}", f"t{b}", ((1, size),))
            for (a, b), size in zip(pairs, self.data, strict=True) if size > 0.0
        )  # fmt: skip
        return Problem.of(platform, Workload("adversary", tasks, flows))

    def changed(self, rng: np.random.Generator) -> Instance:
        """One number times up to four, or a flow more or less."""
        name = str(rng.choice(["work", "data", "data", "speed", "bandwidth"]))
        factor = float(4.0 ** rng.uniform(-1.0, 1.0))
        if name == "bandwidth":
            return replace(self, bandwidth=self.bandwidth * factor)
        values = list(getattr(self, name))
        at = int(rng.integers(len(values)))
        flips = name == "data" and rng.random() < 0.5
        values[at] = -values[at] if flips else values[at] * factor
        return replace(self, **{name: tuple(values)})


def first(tasks: int, rng: np.random.Generator) -> Instance:
    """A random one, a third of whose pairs are joined."""
    pairs = tasks * (tasks - 1) // 2
    sizes = rng.uniform(0.1, 10.0, pairs) * np.where(rng.random(pairs) < 0.35, 1.0, -1.0)
    work, speed = rng.uniform(0.5, 10.0, tasks), rng.uniform(0.5, 2.0, _WAYS)
    return Instance(tuple(work.tolist()), tuple(sizes.tolist()), tuple(speed.tolist()), 2.0)


def orders(problem: Problem) -> Iterator[np.ndarray]:
    """All orders of the tasks in which each follows what it reads from."""
    before: dict[int, set[int]] = {k: set() for k in range(len(problem.workload.tasks))}
    for source, target in problem.workload.ends():
        before[target].add(source)

    def rest(done: list[int]) -> Iterator[list[int]]:
        if len(done) == len(before):
            yield done
        for task, needs in before.items():
            if task not in done and needs <= set(done):
                yield from rest([*done, task])

    return (np.array(one, np.int32) for one in rest([]))


def best_of_all(problem: Problem) -> float:
    """The least makespan over all allocations and orders."""
    tasks, every = len(problem.workload.tasks), list(orders(problem))
    allocations = (np.array(one, np.int32) for one in product(range(_WAYS), repeat=tasks))
    return min(executed_makespan(problem.executed, where, order)
               for where in allocations for order in every)  # fmt: skip


def reference(problem: Problem) -> float:
    """The best of searches of more effort."""
    asked = (("auto", 0), ("auto", 1), ("exact", 0))
    return min(advise(problem, strategy=name, seconds=_SECONDS * _MORE, seed=seed).value_s
               for name, seed in asked)  # fmt: skip


def ratio(instance: Instance) -> float:
    """Advised over best; below 1 the reference was not the best."""
    problem = instance.problem()
    found = advise(problem, seconds=_SECONDS).value_s
    best = best_of_all if len(instance.work) <= _ALL else reference
    return found / best(problem)


def hunt(tasks: int, seed: int, until: float) -> tuple[float, int]:
    """The worst ratio met, and how many instances were tried."""
    rng, worst, tried = np.random.default_rng([tasks, seed]), 0.0, 0
    while monotonic() < until:
        now, value = first(tasks, rng), 0.0
        for _ in range(20):
            other = now.changed(rng)
            if monotonic() >= until or math.prod(map(abs, other.work)) <= 0.0:
                break
            found = ratio(other)
            tried += 1
            worst = max(worst, found)
            if found >= value:
                now, value = other, found
    return worst, tried


def main() -> None:
    """Print the worst ratio by number of tasks."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    load()
    print(f"\nAdversary: {_WAYS} machines at a bus, {minutes:g} min a size, advice of {_SECONDS} s")
    for tasks in _SIZES:
        worst, tried = hunt(tasks, 0, monotonic() + 60.0 * minutes)
        kind = "all plans" if tasks <= _ALL else "longer searches"
        print(f"{tasks:3} tasks, {tried:5} instances: worst {worst:.4f} of the best of {kind}")


if __name__ == "__main__":
    main()
