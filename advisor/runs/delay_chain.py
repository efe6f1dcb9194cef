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
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from advisor.kernels import delays as kernel
from advisor.kernels.delays import Waits
from machines.arrays import Floats
from machines.stopping import ask

_STEPS = 150_000  # tasks that are looked at in one integral, all together
_LEAST_CUTS = 32
_STRAIGHT = 1e-5  # of the makespan: what is closer to a line is one


@dataclass(frozen=True, eq=False)
class Chain:
    """What does not depend on times.

    `machine`, `cores`: length tasks; where each task runs, and the cores that it holds.
    `inputs`: length tasks; arc and source task of all that a task waits for; -1: it is there from
        the start.
    """

    order: tuple[int, ...]  # tasks by their begin, every one after those that it needs
    machine: tuple[int, ...]
    cores: tuple[int, ...]
    machine_cores: tuple[int, ...]
    inputs: tuple[tuple[tuple[int, int], ...], ...]

    @cached_property
    def waits(self) -> Waits:
        """The same as arrays."""
        flat = list(chain.from_iterable(self.inputs))
        arrays = (
            self.order,
            self.machine,
            self.cores,
            (0, *accumulate(self.machine_cores)),
            (0, *accumulate(map(len, self.inputs))),
            [source for _, source in flat],
            [arc for arc, _ in flat],
        )
        return Waits(*(np.array(one, np.int32) for one in arrays))


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


def gaps(links: Chain, begin_s: Floats, end_s: Floats, arc_s: Floats) -> Floats:
    """How much later every task began than it could have; below 0: before that.

    `begin_s`, `end_s`: shape (tasks,); of a timeline that takes tasks in the chain's order.
    `arc_s`: shape (arcs,).
    """
    found = np.zeros(begin_s.size)
    waits = links.waits
    kernel.gaps(waits, begin_s, end_s, arc_s, found, kernel.standing(waits))
    return found


def weights(links: Chain, first: Delays, last: Delays) -> Weights:
    """The weights w(x) of all delays on the way from one timeline to another."""
    way = _Way(links, first, last)
    cuts = max(_LEAST_CUTS, _STEPS // max(1, len(links.order)))
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

    def __init__(self, links: Chain, first: Delays, last: Delays) -> None:
        self.waits, self.first = links.waits, first
        self.change = Delays(*(after - before for before, after in zip(first, last, strict=True)))
        self.now = kernel.standing(self.waits)

    def makespan_s(self, at: float) -> float:
        """The last end there."""
        return float(self.now.end_s[self._carry(at)])

    def path(self, at: float) -> tuple[float, tuple[list[int], list[int], list[int]]]:
        """The last end, and the tasks whose gaps and times, and the arcs, that are critical."""
        task = self._carry(at)
        makespan_s = float(self.now.end_s[task])
        why = (self.now.kind, self.now.other, self.now.through)
        kinds, others, through = (one.tolist() for one in why)
        gap: list[int] = []
        held: list[int] = []
        arc: list[int] = []
        kind = kernel.CORES
        while task >= 0:
            gap.append(task)
            if kind != kernel.TURN:
                held.append(task)
            kind = kinds[task]
            if kind == kernel.ARC:
                arc.append(through[task])
            task = others[task]
        return makespan_s, (gap, held, arc)

    def slope(self, path: tuple[list[int], list[int], list[int]]) -> float:
        """How the makespan changes along the way while that path is critical."""
        parts = zip(self.change, path, strict=True)
        return float(sum(change[here].sum() for change, here in parts if here))

    def _carry(self, at: float) -> int:
        """The task that ends last there; `now` has when, and what each waited for."""
        gap_s, held_s, arc_s = (
            before + at * change for before, change in zip(self.first, self.change, strict=True)
        )
        return kernel.carry(self.waits, gap_s, held_s, arc_s, self.now)
