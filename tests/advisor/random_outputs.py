"""Random plans on machines in whose memory outputs stay, and a plain placement of their tasks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, Machine, Platform

EPSILON = 1e-9


def with_outputs(seed: int, platform: Platform, workload: Workload) -> tuple[Platform, Workload]:
    """Most machines are short of memory, in which outputs stay; tasks need some of it."""
    rng = np.random.default_rng((seed, 7))
    machines = tuple(
        replace(
            one,
            memory_bytes=int(rng.choice([300, 1000, 3000])) if rng.random() < 0.8 else None,
            holds="outputs" if rng.random() < 0.8 else "tasks",
        )
        for one in platform.machines
    )
    tasks = tuple(replace(one, memory_bytes=int(rng.integers(0, 60))) for one in workload.tasks)
    return replace(platform, machines=machines), workload.repriced(tasks, workload.flows)


def random_outputs(seed: int, most_tasks: int = 5, sharing: str = NONE) -> Problem:
    """One machine or two, of few cores; tasks in chains and trees whose data stay in memory."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 3))
    machines = tuple(
        Machine(f"M{q}", int(rng.integers(1, 4)), 1.0 + q, int(rng.integers(10, 17)),
                holds="outputs" if rng.random() < 0.9 else "tasks")
        for q in range(count)
    )  # fmt: skip
    way = Direction(0.5, 10.0)
    links = (Link("M0", "M1", way, way),) if count > 1 else ()
    tasks = tuple(
        Task(f"t{i}", work=float(rng.integers(1, 5)), memory_bytes=int(rng.integers(0, 7)))
        for i in range(int(rng.integers(2, most_tasks + 1)))
    )
    flows = tuple(
        Flow(f"t{i}", f"t{j}", ((1, float(rng.integers(1, 8)) - 0.5),))
        for j in range(len(tasks))
        for i in range(j)
        if rng.random() < 0.4
    )
    return Problem.of(Platform("p", machines, links), Workload("w", tasks, flows), sharing=sharing)


def orders(problem: Problem) -> Iterator[tuple[int, ...]]:
    """All orders in which every task comes after those that it reads from."""
    ends = list(problem.workload.ends())
    for order in itertools.permutations(range(len(problem.workload.tasks))):
        if all(order.index(source) < order.index(target) for source, target in ends):
            yield order


@dataclass
class Placed:
    """Tasks placed one by one in the order of a plan, each as early as cores and memory allow.

    What a task makes stays for ever until all of its readers on its machine are placed.
    """

    problem: Problem
    plan: Plan
    span: dict[int, tuple[float, float]] = field(default_factory=dict)

    def run(self) -> Placed | None:
        """All tasks; None: one of them never finds memory."""
        for task in self.plan.order or ():
            if not self.place(task):
                return None
        return self

    def on(self, task: int) -> Machine:
        return self.problem.platform.machines[self.plan.allocation[task]]

    def read_here(self, flow: int) -> bool:
        """Whether the data of a flow stay where they are made."""
        work, at = self.problem.workload, self.plan.allocation
        source, target = int(work.sources[flow]), int(work.targets[flow])
        return at[source] == at[target] and self.on(source).holds == "outputs"

    def stays(self, task: int) -> int:
        work = self.problem.workload
        return sum(
            math.ceil(flow.size_bytes)
            for place, flow in enumerate(work.flows)
            if work.sources[place] == task and self.read_here(place)
        )

    def needs(self, task: int) -> int:
        return max(self.problem.workload.tasks[task].memory_bytes or 0, self.stays(task))

    def holds(self, q: int) -> list[tuple[float, float, int, int]]:
        """(since, until, cores, bytes) of all that machine q holds."""
        work, at = self.problem.workload, self.plan.allocation
        found = [
            (*span, work.tasks[task].cores, self.needs(task))
            for task, span in self.span.items()
            if at[task] == q
        ]
        for place, flow in enumerate(work.flows):
            source, target = int(work.sources[place]), int(work.targets[place])
            if source in self.span and at[source] == q and self.read_here(place):
                until = self.span[target][1] if target in self.span else math.inf
                found.append((self.span[source][1], until, 0, math.ceil(flow.size_bytes)))
        return found

    def place(self, task: int) -> bool:
        """At the first of all times at which something begins or ends, or would end in time."""
        q = self.plan.allocation[task]
        seconds, holds = float(self.problem.costs.task_s[task, q]), self.holds(q)
        ready = self.ready_s(task)
        times = {one for hold in holds for one in hold[:2] if one < math.inf}
        begins = {ready, *times, *(one - seconds for one in times)}
        for begin in sorted(one for one in begins if one >= ready - EPSILON):
            if self.fits(task, begin, begin + seconds, holds, [begin, begin + seconds, *times]):
                self.span[task] = begin, begin + seconds
                return True
        return False

    def fits(
        self,
        task: int,
        begin: float,
        end: float,
        holds: list[tuple[float, float, int, int]],
        times: list[float],
    ) -> bool:
        machine = self.on(task)
        for now in times:
            if now < begin - EPSILON:
                continue
            runs = now < end - EPSILON
            there = [one for one in holds if one[0] <= now + EPSILON and now + EPSILON < one[1]]
            cores = sum(one[2] for one in there) + (self.problem.workload.tasks[task].cores * runs)
            memory = sum(one[3] for one in there)
            memory += self.needs(task) if runs else self.stays(task)
            if runs and cores > machine.cores:
                return False
            if machine.memory_bytes is not None and memory > machine.memory_bytes:
                return False
        return True

    def ready_s(self, task: int) -> float:
        work, at = self.problem.workload, self.plan.allocation
        ready = 0.0
        for place, flow in enumerate(work.flows):
            source = int(work.sources[place])
            if work.targets[place] == task:
                way_s = 0.5 + flow.size_bytes / 10.0 if at[source] != at[task] else 0.0
                ready = max(ready, self.span[source][1] + way_s)
        return ready
