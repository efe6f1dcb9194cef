"""How long a replan of the rest takes, and how good it is when a worker dies.

``python -m tests.benchmarks.bench_replan`` prints the time of a replan of 1,000 tasks on 3 to 64
machines, and by how much runs in which one of three machines dies at a third are later than the
best plan that knows that beforehand, with all durations: the product's own slots and steering on
a simulated clock. Durations as predicted, and varied by 15 % from task to task and by 10 % from
machine to machine.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import load
from advisor.running.replanning import Progress, Replanner
from advisor.search.list_scheduling import heft
from machines import Direction, Link, Machine, Platform
from tests.advisor.running.simulated import (
    ALWAYS,
    ASKED,
    AT_LAST,
    Simulated,
    drawn,
    hindsight_s,
    layered,
)
from tests.benchmarks.table import Row, least_seconds, show

_LIMIT_S = 0.1
_SEEDS = 20
_WANTED = 0.10


def thousand(machines: int) -> Problem:
    """1,000 tasks with two inputs each, on linked machines of four cores."""
    draw = np.random.default_rng(1)
    names = [f"t{k}" for k in range(1_000)]
    tasks = tuple(Task(name, float(draw.uniform(5.0, 20.0))) for name in names)
    flows = tuple(
        Flow(names[a], names[b], ((1, 1e6),))
        for b in range(10, len(names))
        for a in np.unique(draw.integers(max(0, b - 100), b, 2)).tolist()
    )
    listed = tuple(Machine(f"M{k}", cores=4) for k in range(machines))
    way = Direction(1e-4, 1e8)
    links = tuple(Link(a.name, b.name, way, way) for a, b in combinations(listed, 2))
    return Problem.of(Platform("linked", listed, links), Workload("thousand", tasks, flows))


def replan_seconds(machines: int) -> Row:
    """A replan after the first machine is gone: all tasks wait, and many move."""
    problem = thousand(machines)
    plan = Plan(tuple(k % machines for k in range(1_000)), tuple(range(1_000)))

    def replanned() -> None:
        replanner.machine = dict(enumerate(plan.allocation))
        replanner.rest(Progress(lost={0}))

    replanner = Replanner(problem, plan)
    return Row(f"1,000 tasks on {machines} machines", least_seconds(replanned), _LIMIT_S)


def later(problem: Problem, spread: float, unlike: float, seed: int) -> dict[str, float]:
    """By how much runs with one dead machine are later than the plan with hindsight."""
    plan = heft(problem)
    at_s = predict(problem, plan).makespan_s / 3.0
    seconds, dies = drawn(problem, spread, unlike, seed), seed % 3
    best_s = hindsight_s(problem, seconds, dies, at_s, seed)
    return {
        how: Simulated(problem, plan, seconds, dies, at_s, how).makespan_s / best_s - 1.0
        for how in (ASKED, ALWAYS, AT_LAST)
    }


def main() -> None:
    """Measure and print."""
    load()
    show("Replanning the rest", [replan_seconds(machines) for machines in (3, 16, 64)])
    title = "One of three machines dies at a third: later than with hindsight"
    print(f"\n{title}\n{'':42}{'median':>9}{'worst':>9}{'wanted':>9}")
    for name, width in (("120 independent tasks", 120), ("layers of 12", 12), ("layers of 6", 6)):
        for spread, unlike in ((0.0, 0.0), (0.15, 0.10)):
            runs = [
                later(layered(120, seed, width), spread, unlike, seed) for seed in range(_SEEDS)
            ]
            for how in (ASKED, ALWAYS, AT_LAST):
                found = [one[how] for one in runs]
                mark = "" if np.median(found) <= _WANTED else "  missed"
                what = f"{name}, ±{spread:.0%}, {how}"
                print(f"{what:42}{np.median(found):9.1%}{max(found):9.1%}{_WANTED:9.0%}{mark}")


if __name__ == "__main__":
    main()
