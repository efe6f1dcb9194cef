"""Runs whose truth is known: a small engine of our own, which knows nothing of the product's.

Machines of one core take their tasks in a stated order, the first not before what it needs is
there. What happened differently from a plan is stated, so that its cost is known by carrying the
same out without it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.plan import Plan, from_names
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.runs.actual import Actual
from advisor.runs.run_record import FAILED, Run, TaskRun
from machines import Link, Machine, Platform, Runtime
from machines.platform import Direction

STARTUP_S, BANDWIDTH = 0.03, 20e6


@dataclass(frozen=True)
class World:
    """What is to run, and how it goes.

    Attributes
    ----------
    seconds : {task: seconds on a machine of speed 1}
    data : {(source, target): bytes}
    where, order : {task: machine}, tasks in an order that suits the data
    speed : {machine: speed}
    factor : {machine: how many times as long its tasks take}
    fetch : "ahead" or "slot"
    gap_s : before every task
    tick_s : from one moment at which tasks start to the next; 0: they start at any
    link : how many times as long transfers take
    fails : {task: seconds after which its first try fails}
    """

    seconds: Mapping[str, float]
    data: Mapping[tuple[str, str], float]
    where: Mapping[str, str]
    order: tuple[str, ...]
    speed: Mapping[str, float] = field(default_factory=lambda: {"M1": 1.0, "M2": 0.5})
    factor: Mapping[str, float] = field(default_factory=dict)
    fetch: str = "ahead"
    gap_s: float = 0.0
    tick_s: float = 0.0
    link: float = 1.0
    fails: Mapping[str, float] = field(default_factory=dict)

    def moves_s(self, source: str, target: str) -> float:
        """Seconds of what goes from one task to another."""
        if self.where[source] == self.where[target] or not self.data[source, target]:
            return 0.0
        return self.link * (STARTUP_S + self.data[source, target] / BANDWIDTH)

    def carried_out(self) -> list[TaskRun]:
        """What happens."""
        free = dict.fromkeys(self.speed, 0.0)
        end: dict[str, float] = {}
        runs = []
        for task in self.order:
            machine, inputs = self.where[task], [pair for pair in self.data if pair[1] == task]
            ahead = self.fetch == "ahead"
            there = [end[one] + ahead * self.moves_s(one, task) for one, _ in inputs]
            begin = max([free[machine], *there]) + self.gap_s
            if self.tick_s:
                begin = math.ceil(begin / self.tick_s - 1e-9) * self.tick_s
            if task in self.fails:
                failed = begin + self.fails[task]
                runs.append(TaskRun(task, machine, begin, failed, status=FAILED))
                begin = failed + self.gap_s
            fetched = 0.0 if ahead else max([0.0, *(self.moves_s(*pair) for pair in inputs)])
            took = self.seconds[task] / self.speed[machine] * self.factor.get(machine, 1.0)
            end[task] = free[machine] = begin + fetched + took
            runs.append(TaskRun(task, machine, begin + fetched, end[task], None, begin))
        return runs

    @property
    def makespan_s(self) -> float:
        """From the first slot taken to the last end."""
        runs = self.carried_out()
        first = min(one.taken_s for one in runs if one.status != FAILED)
        return max(one.end_s for one in runs) - first

    def problem(self, fetch: str = "ahead", overhead_s: float = 0.0, **engine: float) -> Problem:
        """The question as it was asked."""
        machines = tuple(Machine(name, speed=speed) for name, speed in self.speed.items())
        way = Direction(STARTUP_S, BANDWIDTH)
        links = tuple(
            Link(*pair, way, way, sharing="free") for pair in itertools.combinations(self.speed, 2)
        )
        runtime = Runtime(fetch=fetch, copies="each", task_overhead_s=overhead_s, **engine)
        tasks = tuple(Task(name, work=seconds) for name, seconds in self.seconds.items())
        flows = tuple(Flow(*pair, ((1, size),) if size else ()) for pair, size in self.data.items())
        platform = Platform("two", machines, links, runtime=runtime)
        return Problem.of(platform, Workload("w", tasks, flows))

    def plan(self) -> Plan:
        """Where and in which order."""
        problem = self.problem()
        return from_names(self.where, problem.workload, problem.platform, self.order)

    def actual(self) -> Actual:
        """What happened, matched."""
        return actual_of(self.problem(), self.carried_out())


def actual_of(problem: Problem, runs: list[TaskRun]) -> Actual:
    """Tasks of a run, by name, from the first slot taken."""
    tasks, machines = problem.workload.index, problem.platform.index
    run = Run("r", tuple(runs), "test").from_zero()
    size = len(tasks)
    times = np.full((3, size), math.nan)
    machine, ran = np.full(size, -1, np.int32), np.zeros(size, np.bool_)
    for one in run.tasks:
        row = tasks[one.task]
        if one.status != FAILED:
            times[:, row] = (one.taken_s, one.start_s, one.end_s)
            machine[row], ran[row] = machines.get(one.machine, -1), True
    missing = tuple(np.flatnonzero(~ran).tolist())
    unknown = np.full(size, math.nan)
    taken_s, start_s, end_s = times
    return Actual(run, machine, unknown, taken_s, start_s, end_s, unknown, ran, missing=missing)


def shapley(plain: World, changes: Mapping[str, Callable[[World], World]]) -> dict[str, float]:
    """What each change costs beside the others: the mean over all orders of making them."""
    names = list(changes)
    worth: dict[frozenset[str], float] = {}
    for size in range(len(names) + 1):
        for chosen in itertools.combinations(names, size):
            world = plain
            for name in chosen:
                world = changes[name](world)
            worth[frozenset(chosen)] = world.makespan_s
    found = dict.fromkeys(names, 0.0)
    for order in itertools.permutations(names):
        for place, name in enumerate(order):
            before = frozenset(order[:place])
            found[name] += worth[before | {name}] - worth[before]
    return {name: total / math.factorial(len(names)) for name, total in found.items()}


def layers(seed: int, wide: int = 4, deep: int = 4) -> World:
    """Random layers of tasks; the slow machine has every third."""
    draw = np.random.default_rng(seed)
    names = [f"t{row}_{column}" for row in range(deep) for column in range(wide)]
    seconds = {name: float(draw.uniform(0.3, 1.2)) for name in names}
    data = {}
    for row in range(1, deep):
        for column in range(wide):
            for other in draw.choice(wide, 2, replace=False).tolist():
                data[f"t{row - 1}_{other}", f"t{row}_{column}"] = float(draw.uniform(1e6, 4e6))
    where = {name: "M2" if place % 3 == 2 else "M1" for place, name in enumerate(names)}
    return World(seconds, data, where, tuple(names))
