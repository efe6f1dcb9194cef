"""How many times its stated value each time, speed, startup and bandwidth is, in every draw.

What states a spread has its own. Else a task's time, a machine's speed and a link's bandwidth have
the default of the file, or that of the field (`machines.uncertain.FIELD`): log-normal, the stated
value as its mean. A machine's draw is shared by all tasks on it, but for a time on that machine
that states its own spread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from advisor.allocation.host_costs import BothHostCosts
from advisor.allocation.problem import Problem
from advisor.allocation.task import Task, Variant
from advisor.odds.draws import Draws
from machines import Platform
from machines.arrays import Floats, Indices, Ints
from machines.default_spreads import FIELD, Spreads
from machines.uncertain import Spread, Uncertain


def spreads_of(problem: Problem) -> Spreads:
    """The defaults of a question: the workload's, else the platform's, else the field's."""
    return problem.workload.spread.over(problem.platform.spread).over(FIELD)


@dataclass(frozen=True, eq=False)
class Factors:
    """Of one question, by draw."""

    platform: Platform
    draws: Draws
    defaults: Spreads

    @cached_property
    def task(self) -> Floats:
        """(draws, tasks): of times that state no spread."""
        return factors(_default(self.defaults.task_cv), 1.0, self.draws.task)

    @cached_property
    def machine(self) -> Floats:
        """(draws, machines): of speeds."""
        default = _default(self.defaults.machine_cv)
        columns = [
            own_factors(machine.speed, default, self.draws.machine[:, place])
            for place, machine in enumerate(self.platform.machines)
        ]
        return np.stack(columns, axis=1)

    def work(self, tasks: tuple[Task, ...], variants: Variants, allocation: Indices) -> Floats:
        """(draws, tasks): of the time of every task on its machine."""
        found = self.task.copy()
        speed = self.machine[:, allocation].copy()
        for place, task in enumerate(tasks):
            timed: Task | Variant = task.variants[variants[place]] if task.variants else task
            machine = self.platform.machines[int(allocation[place])]
            value = dict(timed.seconds).get(machine.name) if timed.seconds else None
            if value is None:
                value = timed.work
            elif isinstance(value, Uncertain) or isinstance(machine.speed, Uncertain):
                speed[:, place] = 1.0
            if isinstance(value, Uncertain):
                found[:, place] = own_factors(value, None, self.draws.task[:, place])
        if self.draws.stretch is not None:
            found = found * self.draws.stretch
        return found / speed

    def some(self, begin: int, end: int) -> Factors:
        """Of some draws alone."""
        return replace(self, draws=self.draws.some(begin, end))

    def bandwidth(self, link: int, *, forward: bool | None) -> Floats:
        """(draws,): of what a direction of a link, or both, moves in its quickest piece."""
        one = self.platform.links[link]
        ways = {True: [one.to_second], False: [one.to_first], None: [one.to_second, one.to_first]}
        normal, default = self.draws.link[:, link], _default(self.defaults.link_cv)
        pieces = [piece.bandwidth for way in ways[forward] for piece in (way, way.above) if piece]
        drawn = [float(value) * own_factors(value, default, normal) for value in pieces]
        most: Floats = np.max(drawn, axis=0)
        return most / max(map(float, pieces))

    def hops(self, between: BothHostCosts, codes: Ints) -> Floats:
        """(2, draws, bins, codes): startup and seconds per byte of some hops under contention."""
        default = _default(self.defaults.link_cv)
        probes = [*between.thresholds.tolist(), np.inf]
        found = np.ones((2, self.draws.count, len(probes), len(codes)))
        for column, code in enumerate(codes.tolist()):
            link = self.platform.links[code // 2]
            way = link.to_second if code % 2 else link.to_first
            normal = self.draws.link[:, code // 2]
            for place, size in enumerate(probes):
                startup_s, bandwidth = way.at(size)
                speed = float(bandwidth) * own_factors(bandwidth, default, normal)
                found[0, :, place, column] = _startup_s(startup_s, normal)
                found[1, :, place, column] = 1.0 / speed
            found[..., column] *= between.slowdowns[code // 2]
        return found


Variants = tuple[int, ...]


def _startup_s(value: float, normal: Floats) -> Floats:
    """Startups of a link, which is slow in both: they fall where its bandwidth rises."""
    if isinstance(value, Uncertain):
        return np.maximum(value.spread.at(float(value), -normal), 0.0)
    return np.full(normal.shape, value)


def own_factors(value: float | None, default: Spread | None, normal: Floats) -> Floats:
    """Of a number that may state its spread; 1 where there is none."""
    if isinstance(value, Uncertain) and not value.spread.is_exact:
        return factors(value.spread, float(value), normal)
    return factors(default, 1.0, normal)


def factors(spread: Spread | None, value: float, normal: Floats) -> Floats:
    """Draws of a number over its value."""
    if spread is None or value == 0.0:
        return np.ones(normal.shape)
    return np.maximum(spread.at(value, normal) / value, _LEAST)


_LEAST = 1e-9  # a speed or bandwidth of nothing would never end


def _default(cv: float | None) -> Spread | None:
    return Spread(cv=cv) if cv else None
