"""The search for a good mapping: fixed orders and greedy growth, then swaps with annealing.

Deterministic for a seed: the effort is counted in looks at a partner of a moved process, not in
seconds. The work is done in slices of some milliseconds, between which it can be stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor import kernels
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.kernels import mapping as kernel
from advisor.kernels.mapping import State
from advisor.messages.mapping.bisection import bisected
from advisor.messages.mapping.greedy import grown
from advisor.messages.mapping.measures import HOP_BYTES, Measures, bound, measure
from advisor.messages.mapping.orders import Mapping, standard_mappings
from advisor.messages.mapping.problem import MappingProblem
from machines.checks import number, whole
from machines.loggp import LogGP

LOOKS_PER_SECOND = 120_000_000
"""Looks at a partner, or steps along a channel, that compiled code makes in a second."""

_SLICE = 400_000  # looks between two questions whether to stop
_COMPILED = 2_000_000  # looks below which starting the compiler takes longer than it saves
_SAMPLES = 64
_FIXED = 20.0  # what choosing a move costs, in looks
_DESCENTS = 3
_DESCENT = 0.1  # of the effort
_ROUNDS = ((0.3, 0.02), (0.45, 0.07), (0.1, 0.02))  # (share of the effort, first temperature)
_COLD = 0.003  # last temperature; both in typical changes

OnProgress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class Optimised:
    """What the search found.

    Attributes
    ----------
    mapping : tuple of int
        Process → node.
    measures : Measures
        What it costs.
    start : str
        The order that it improved on.
    bound : float
        What no mapping can beat.
    complete : bool
        False when it was stopped before its effort was spent.
    """

    mapping: Mapping
    measures: Measures
    start: str
    bound: float
    complete: bool


def optimise(
    problem: MappingProblem,
    costs: LogGP,
    objective: str = HOP_BYTES,
    seconds: float = 2.0,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Optimised:
    """Search the mapping of least hop-bytes, busiest channel or LoGPC time.

    The last two fall with the busiest channel, so one search serves both.

    Parameters
    ----------
    problem : MappingProblem
    costs : LogGP
        Of long messages.
    objective : str
        One of `measures.OBJECTIVES`.
    seconds : float
        Effort, turned into a number of looks.
    seed : int
        Of the random moves.
    on_progress : callable, optional
        Gets the share done and a sentence, after every slice.
    should_stop : callable, optional
        Asked between slices.

    Returns
    -------
    Optimised
        The best found, also when stopped.
    """
    limit = bound(problem, costs, objective)
    number("seconds", seconds, above=True, where="mapping search")
    whole("seed", seed, where="mapping search")
    looks = seconds * LOOKS_PER_SECOND
    if looks > _COMPILED:
        kernels.load(should_stop)
    effort = _Effort(looks, on_progress or (lambda _share, _text: None),
                     should_stop or (lambda: False))  # fmt: skip
    run = _MappingSearch(problem, costs, objective, seed, effort, limit)
    run.search()
    return Optimised(run.mapping, run.measures, run.start, limit, not effort.stopped)


@dataclass
class _Effort:
    """What may be spent and what is spent, in looks."""

    budget: float
    on_progress: OnProgress
    should_stop: ShouldStop
    limit: float = np.inf
    spent: float = 0.0
    stopped: bool = False

    def left(self) -> bool:
        """Whether to go on, within the `limit` of a stage."""
        self.stopped = self.stopped or self.should_stop()
        return not self.stopped and self.spent < min(self.limit, self.budget)


class _MappingSearch:
    """One search: its state and the best mapping so far."""

    def __init__(
        self,
        problem: MappingProblem,
        costs: LogGP,
        objective: str,
        seed: int,
        effort: _Effort,
        limit: float,
    ) -> None:
        self._problem, self._costs, self._objective = problem, costs, objective
        self._effort, self._limit = effort, limit
        self._land = problem.landscape
        self._processes = problem.communication.processes
        self._state = State(
            np.zeros(self._processes, np.int32),
            np.zeros(problem.network.size, np.int32),
            np.zeros(len(problem.network.channels)),
            np.zeros(self._processes, np.int32),
            np.array([12345 + seed % 1000000, 67890 + 7 * (seed % 1000000)], np.int64),
        )
        degree = len(self._land.partner) / self._processes
        # a move looks at the partners of two processes; with loads at all channels, there and back
        steps = 1.0 if objective == HOP_BYTES else 4.0 * problem.network.mean_distance()
        self._looks = _FIXED + 2.0 * degree * steps
        self.mapping: Mapping = ()
        self.measures: Measures
        self.start = ""

    def offer(self, name: str, mapping: Mapping) -> tuple[float, ...]:
        """Take a mapping that is better than all before; its rank."""
        found = measure(self._problem, self._costs, mapping)
        rank = found.rank(self._objective)
        if not self.mapping or rank < self.measures.rank(self._objective):
            self.mapping, self.measures, self.start = mapping, found, name
        return rank

    def search(self) -> None:
        """Descend from the best starts, then anneal again and again from the best."""
        effort = self._effort
        effort.limit = _DESCENT * effort.budget
        for name, mapping in self._starts()[:_DESCENTS]:
            self._set(mapping)
            self._descend(name)
        effort.limit = effort.budget
        for share, hot in _ROUNDS:
            self._set(self.mapping)
            self._anneal(share, hot)
        self._set(self.mapping)
        self._descend(self.start)

    def _starts(self) -> list[tuple[str, Mapping]]:
        """(name, mapping) to start from, best first."""
        problem = self._problem
        found: list[tuple[tuple[float, ...], str, Mapping]] = []
        for name, mapping in standard_mappings(problem.network, self._processes):
            found.append((self.offer(name, mapping), name, mapping))
            if not self._effort.left():
                break
        for name, build in (("bisection", bisected), ("greedy", grown)):
            made = build(problem, self.done)
            if made is not None:
                found.append((self.offer(name, made), name, made))
        return [(name, mapping) for _, name, mapping in sorted(found)]

    def _set(self, mapping: Mapping) -> None:
        """Put a mapping into the state."""
        self._state.node_of[:] = mapping
        self._state.best[:] = mapping
        self._state.holder[:] = -1
        self._state.holder[self._state.node_of] = np.arange(self._processes)

    def done(self) -> bool:
        """Whether the bound is reached, the effort is spent or someone wants to stop."""
        reached = (
            self.measures.hop_bytes if self._objective == HOP_BYTES else self.measures.busiest_bytes
        )
        return reached <= self._limit * (1.0 + ALIKE) or not self._effort.left()

    def _energy(self) -> float:
        if self._objective == HOP_BYTES:
            return self._problem.hop_bytes(tuple(self._state.node_of.tolist()))
        return kernel.fill_loads(self._land, self._state)

    def _anneal(self, share: float, hot: float) -> None:
        """Cool down from `hot` times a typical change, in slices."""
        hops = self._objective == HOP_BYTES
        value = self._energy()
        typical = kernel.typical_hops if hops else kernel.typical_loads
        scale = typical(self._land, self._state, _SAMPLES)
        moves = int(share * self._effort.budget / self._looks)
        slices = max(1, round(moves * self._looks / _SLICE))
        part = moves // slices
        best, peak = value, self.measures.busiest_bytes
        for number_ in range(slices if part and scale > 0.0 else 0):
            if self.done():
                break
            warm, cool = (
                scale * hot * (_COLD / hot) ** (at / slices) for at in (number_, number_ + 1)
            )
            if hops:
                value, best = kernel.anneal_hops(
                    self._land, self._state, part, warm, cool, value, best
                )
            else:
                value = kernel.fill_loads(self._land, self._state)
                value, best, peak = kernel.anneal_loads(
                    self._land, self._state, part, warm, cool, value, best, peak
                )
            self._spend(part)
        self.offer(self.start, tuple(self._state.best.tolist()))

    def _descend(self, name: str) -> None:
        """Sweep over all moves until none gains; the last sweep may be cut by the effort."""
        sweep = kernel.sweep_hops if self._objective == HOP_BYTES else kernel.sweep_loads
        value = self._energy()
        moves = self._processes * self._problem.network.size
        part = max(1, int(_SLICE / self._looks))
        while not self.done():
            before = value
            for first in range(0, moves, part):
                if not self._effort.left():
                    break
                last = min(first + part, moves)
                value = sweep(self._land, self._state, first, last, value, ALIKE * before)
                self._spend(last - first)
            if value >= before:
                break
        self.offer(name, tuple(self._state.node_of.tolist()))

    def _spend(self, moves: int) -> None:
        effort = self._effort
        effort.spent += moves * self._looks
        tried = f"{effort.spent / self._looks:,.0f} moves tried"
        effort.on_progress(min(1.0, effort.spent / effort.budget), tried)
