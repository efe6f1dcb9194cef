"""A site whose truth is known: a small engine of our own that runs a workflow, with noise.

`raw` tasks read files from outside of growing sizes, `use` tasks what two of them made, `end`
everything. What a user would have written about it beforehand is in `problem`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.plan import Plan, from_names
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.runs.actual import Actual
from advisor.runs.matching import matched
from advisor.runs.run_record import FAILED, Run, TaskRun
from machines import Link, Machine, Platform, Runtime
from machines.platform import Direction

WIDE = 6
RAW, USE = [f"raw{place}" for place in range(WIDE)], [f"use{place}" for place in range(WIDE)]
NAMES = [*RAW, *USE, "end"]
NEEDS = dict.fromkeys(RAW, ()) | {
    name: (RAW[place], RAW[(place + 1) % WIDE]) for place, name in enumerate(USE)
} | {"end": tuple(USE)}  # fmt: skip
MADE = {name: 1e6 * (place + 1) for place, name in enumerate(RAW)} | dict.fromkeys(USE, 4e5)
SPLIT = {name: "M1" if place % 2 else "M2" for place, name in enumerate(NAMES)}
OTHER = {name: "M2" if place % 2 else "M1" for place, name in enumerate(NAMES)}
ON_M1 = dict.fromkeys(NAMES, "M1")


def seconds_of(name: str) -> float:
    """The truth on M1: it grows with what a task reads."""
    if name in RAW:
        return 0.5 + 0.1 * RAW.index(name)
    return 0.2 + 2e-7 * sum(MADE[one] for one in NEEDS[name])


@dataclass(frozen=True)
class Site:
    """How things are.

    Attributes
    ----------
    slower : how many times as long a machine takes as M1, by machine
    odd : the same for tasks of a kind (raw, use, end), where it is another
    startup_s, bandwidth : of the link; pieces are fetched one after the other, in the slot
    overhead_s : between two tasks
    order : "plan" or "ready"
    noise : relative standard deviation of times
    step_s : of the clock of the log
    tells_fetching : whether the log has it
    """

    slower: Mapping[str, float] = field(default_factory=lambda: {"M1": 1.0, "M2": 2.0})
    odd: Mapping[tuple[str, str], float] = field(default_factory=dict)
    startup_s: float = 0.03
    bandwidth: float = 2e7
    overhead_s: float = 0.02
    order: str = "plan"
    noise: float = 0.03
    step_s: float = 0.0
    tells_fetching: bool = True

    def seconds(self, name: str, machine: str) -> float:
        """The truth of a task on a machine."""
        kind = name.rstrip("0123456789")
        return seconds_of(name) * self.odd.get((kind, machine), self.slower[machine])

    def run(
        self,
        where: Mapping[str, str],
        seed: int = 0,
        hogs: Mapping[str, int] | None = None,
        fails: tuple[str, ...] = (),
        order: list[str] | None = None,
    ) -> Run:
        """What happens; hogs: CPU-bound contenders by machine."""
        draw = np.random.default_rng(seed)
        left = {machine: [one for one in order or NAMES if where[one] == machine]
                for machine in self.slower}  # fmt: skip
        free, there = dict.fromkeys(self.slower, 0.0), {machine: set() for machine in self.slower}
        ends: dict[str, float] = {}
        runs = []
        while any(left.values()):
            begin, machine, name = min(self._next(machine, left, free, ends) for machine in left)
            left[machine].remove(name)
            taken = begin + (self.overhead_s if free[machine] > 0.0 else 0.0)
            new = [one for one in NEEDS[name] if where[one] != machine]
            new = [one for one in new if one not in there[machine]]
            there[machine] |= set(new)
            moved = sum(MADE[one] for one in new)
            start = taken + len(new) * self.startup_s + moved / self.bandwidth
            took = self.seconds(name, machine) * float(np.exp(draw.normal(0.0, self.noise)))
            end = start + took * (1 + (hogs or {}).get(machine, 0))
            ends[name] = free[machine] = end
            runs.append(self._line(name, machine, taken, start, end, moved, name in fails))
        return Run(f"run {seed}", tuple(runs), "site", self.step_s).from_zero()

    def _next(self, machine: str, left: dict, free: dict, ends: dict) -> tuple[float, str, str]:
        """When a machine starts what."""
        known = [one for one in left[machine] if all(need in ends for need in NEEDS[one])]
        if self.order == "plan":
            known = [one for one in left[machine][:1] if one in known]
        ready = [(max([free[machine], *(ends[need] for need in NEEDS[one])]), one) for one in known]
        if not ready:
            return np.inf, machine, ""
        begin = min(ready)[0]
        return begin, machine, next(one for at, one in ready if at == begin)

    def _line(self, name: str, machine: str, taken: float, start: float, end: float,
              moved: float, failed: bool) -> TaskRun:  # fmt: skip
        if self.step_s:
            taken, start, end = (np.floor(one / self.step_s) * self.step_s
                                 for one in (taken, start, end))  # fmt: skip
        status = FAILED if failed else "ok"
        if not self.tells_fetching:
            return TaskRun(name, machine, taken, end, status=status)
        return TaskRun(name, machine, start, end, None, taken, moved, status)


def problem(
    stated: Mapping[str, Mapping[str, float]] | None = None,
    work: Mapping[str, float] | None = None,
    speed: float = 1.0,
    **machine: object,
) -> Problem:
    """What was written beforehand: a work of 1 for everything, on two like machines.

    stated: {task: {machine: seconds}}; work: {task: seconds}; machine: fields of M2.
    """
    tasks = tuple(
        Task(name, seconds=tuple(stated[name].items()))
        if stated and name in stated
        else Task(name, work=(work or {}).get(name, 1.0))
        for name in NAMES
    )
    flows = tuple(Flow(need, name, ((1, MADE[need]),)) for name in NAMES for need in NEEDS[name])
    machines = (Machine("M1"), Machine("M2", speed=speed, **machine))
    way = Direction(0.001, 1e9)
    platform = Platform("site", machines, (Link("M1", "M2", way, way),), runtime=Runtime())
    return Problem.of(platform, Workload("flow", tasks, flows))


def planned(asked: Problem, where: Mapping[str, str], order: list[str] | None = None) -> Plan:
    """The plan of machines, in the order of the names."""
    return from_names(where, asked.workload, asked.platform, order or NAMES)


def actuals(asked: Problem, *runs: Run) -> list[Actual]:
    """Runs, matched."""
    return [matched(run, asked) for run in runs]
