"""Who waits for whom in a run: the order of machines and data as a chain of delays.

A task begins when what it needs is there, its cores are free and the task before it on its machine
has begun, and then after a gap of its own:

    begin(t) = max(end(s) + arc(s, t), cores free, begin(task before t)) + gap(t)
    end(t)   = begin(t) + held(t)

Any timeline whose machines take tasks in the order of their begins is such a chain exactly, with
the gaps that `gaps` finds, be it predicted or measured. Between two timelines with one order every
delay x goes from x₀ to x₁; the makespan v goes from v₀ to v₁ on the straight way x₀ + θ (x₁ − x₀):

    v₁ − v₀ = Σ w(x) (x₁ − x₀),   w(x) = ∫₀¹ [x is on the critical path at θ] dθ

the Aumann–Shapley prices of the makespan (R. J. Aumann & L. S. Shapley, *Values of Non-Atomic
Games*, 1974; L. J. Billera & D. C. Heath, Math. Oper. Res. 7(1), 1982): they add up, do not depend
on an order in which delays are exchanged, and give nothing to a delay that does not change. v is
piecewise linear, so that halving the way until both halves are straight gives the integral.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from machines.arrays import Floats
from machines.stopping import ask

_STEPS = 150_000  # tasks that are looked at in one integral, all together
_LEAST_CUTS = 32
_STRAIGHT = 1e-5  # of the makespan: what is closer to a line is one

_NOTHING, _ARC, _CORES, _TURN = range(4)


@dataclass(frozen=True, eq=False)
class Chain:
    """What does not depend on times.

    Attributes
    ----------
    order : tuple of int
        Tasks by their begin, every one after those that it needs.
    machine, cores : tuple of int, length tasks
        Where each task runs, and the cores that it holds.
    machine_cores : tuple of int
    inputs : tuple of tuple of (int, int), length tasks
        Arc and source task of all that a task waits for; -1: it is there from the start.
    """

    order: tuple[int, ...]
    machine: tuple[int, ...]
    cores: tuple[int, ...]
    machine_cores: tuple[int, ...]
    inputs: tuple[tuple[tuple[int, int], ...], ...]


class Delays(NamedTuple):
    """Seconds: before each task, of each task from its begin to its end, and of each arc."""

    gap_s: Floats
    held_s: Floats
    arc_s: Floats


class Weights(NamedTuple):
    """How much of the way each delay is on the critical path, from 0 to 1; as `Delays`."""

    gap: Floats
    held: Floats
    arc: Floats


def gaps(chain: Chain, begin_s: Floats, end_s: Floats, arc_s: Floats) -> Floats:
    """How much later every task began than it could have; below 0: before that.

    Parameters
    ----------
    begin_s, end_s : array (tasks,)
        Of a timeline that takes tasks in the chain's order.
    arc_s : array (arcs,)
    """
    known, ends = begin_s.tolist(), end_s.tolist()
    floors = _Floors(chain, arc_s)
    found = np.zeros(begin_s.size)
    for task in chain.order:
        found[task] = known[task] - floors.of(task)
        floors.take(task, known[task], ends[task])
    return found


def weights(chain: Chain, first: Delays, last: Delays) -> Weights:
    """The weights w(x) of all delays on the way from one timeline to another."""
    way = _Way(chain, first, last)
    cuts = max(_LEAST_CUTS, _STEPS // max(1, len(chain.order)))
    ends = [(at, way.makespan_s(at)) for at in (0.0, 1.0)]
    parts = [_Piece(way, ends[0], ends[1])]
    while len(parts) < cuts and parts[0].error > 0.0:
        ask()
        worst = heapq.heappop(parts)
        for half in (worst.low, worst.middle), (worst.middle, worst.high):
            heapq.heappush(parts, _Piece(way, *half))
    total = Weights(*(np.zeros(one.size) for one in first))
    for part in sorted(parts, key=lambda one: one.low):
        for mean, here in zip(total, part.path, strict=True):
            mean[here] += part.high[0] - part.low[0]
    return total


class _Piece:
    """A part of the way, with the critical path in its middle; the least straight comes first."""

    def __init__(self, way: _Way, low: tuple[float, float], high: tuple[float, float]) -> None:
        middle = 0.5 * (low[0] + high[0])
        value_s, self.path = way.path(middle)
        self.low, self.middle, self.high = low, (middle, value_s), high
        bend = abs(0.5 * (low[1] + high[1]) - value_s)
        bend += abs(high[1] - low[1] - way.slope(self.path) * (high[0] - low[0]))
        self.error = bend if bend > _STRAIGHT * max(low[1], high[1]) else 0.0

    def __lt__(self, other: _Piece) -> bool:
        return (-self.error, self.low) < (-other.error, other.low)


class _Way:
    """The straight way from one timeline's delays to another's."""

    def __init__(self, chain: Chain, first: Delays, last: Delays) -> None:
        self.chain, self.first = chain, first
        self.change = Delays(*(after - before for before, after in zip(first, last, strict=True)))

    def makespan_s(self, at: float) -> float:
        """The last end there."""
        return self._carry(at)[0]

    def path(self, at: float) -> tuple[float, tuple[list[int], list[int], list[int]]]:
        """The last end, and the tasks whose gaps and times, and the arcs, that are critical."""
        makespan_s, task, why = self._carry(at)
        gap: list[int] = []
        held: list[int] = []
        arc: list[int] = []
        kind = _CORES
        while task >= 0:
            gap.append(task)
            if kind != _TURN:
                held.append(task)
            kind, other, through = why[task]
            if kind == _ARC:
                arc.append(through)
            task = other
        return makespan_s, (gap, held, arc)

    def slope(self, path: tuple[list[int], list[int], list[int]]) -> float:
        """How the makespan changes along the way while that path is critical."""
        parts = zip(self.change, path, strict=True)
        return float(sum(change[here].sum() for change, here in parts if here))

    def _carry(self, at: float) -> tuple[float, int, dict[int, tuple[int, int, int]]]:
        """The last end, the task that ends last, and what each task waited for."""
        gap, held, arc = (
            before + at * change for before, change in zip(self.first, self.change, strict=True)
        )
        gaps_s, held_s = gap.tolist(), held.tolist()
        floors = _Floors(self.chain, arc)
        why, latest, last = {}, -np.inf, -1
        for task in self.chain.order:
            begin = floors.of(task) + gaps_s[task]
            why[task] = floors.why
            end = begin + held_s[task]
            floors.take(task, begin, end)
            if end > latest:
                latest, last = end, task
        return float(latest), last, why


class _Floors:
    """When tasks could begin, as one after the other is taken."""

    def __init__(self, chain: Chain, arc_s: Floats) -> None:
        self.chain, self.arc_s = chain, arc_s.tolist()
        self.end_s = [0.0] * len(chain.order)
        self.idle = list(chain.machine_cores)
        self.busy: list[list[tuple[float, int, int]]] = [[] for _ in chain.machine_cores]
        self.before: list[tuple[float, int]] = [(0.0, -1) for _ in chain.machine_cores]
        self.why = (_NOTHING, -1, -1)

    def of(self, task: int) -> float:
        """When it could begin; `why` is then what it waited for."""
        floor, why = 0.0, (_NOTHING, -1, -1)
        for arc, source in self.chain.inputs[task]:
            there = (self.end_s[source] if source >= 0 else 0.0) + self.arc_s[arc]
            if there > floor:
                floor, why = there, (_ARC, source, arc)
        begun, previous = self.before[self.chain.machine[task]]
        if begun > floor:
            floor, why = begun, (_TURN, previous, -1)
        freed, previous = self._freed(task)
        if freed > floor:
            floor, why = freed, (_CORES, previous, -1)
        self.why = why
        return floor

    def _freed(self, task: int) -> tuple[float, int]:
        """When so many cores of its machine are free, and the task that frees the last of them."""
        machine, needed = self.chain.machine[task], self.chain.cores[task]
        needed -= min(needed, self.idle[machine])
        if needed and self.busy[machine][0][2] >= needed:
            return self.busy[machine][0][:2]
        found = (0.0, -1)
        for end, other, cores in sorted(self.busy[machine]) if needed else ():
            found = (end, other)
            needed -= cores
            if needed <= 0:
                break
        return found

    def take(self, task: int, begin_s: float, end_s: float) -> None:
        """It holds the cores that are free first."""
        machine, needed = self.chain.machine[task], self.chain.cores[task]
        self.end_s[task] = end_s
        self.before[machine] = max(self.before[machine], (begin_s, task))
        own = min(needed, self.idle[machine])
        self.idle[machine] -= own
        needed -= own
        busy = self.busy[machine]
        while needed > 0 and busy:
            end, other, cores = heapq.heappop(busy)
            if cores > needed:
                heapq.heappush(busy, (end, other, cores - needed))
            needed -= cores
        heapq.heappush(busy, (end_s, task, self.chain.cores[task]))
