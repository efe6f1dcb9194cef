"""The search for a good mapping: orders, foldings and growth, then rounds of annealing and descent.

Deterministic for a seed: the effort is counted in looks at a partner of a moved process, not in
seconds. All that is done is one sequence that does not depend on the effort, which only says where
it is cut: more of it is never worse. The work is done in slices of some milliseconds, between which
it can be stopped; the best seen is kept after each.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from advisor import kernels
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import mapping_kernel as kernel
from advisor.kernels.mapping_kernel import State
from advisor.messages.mapping.bisection import bisected
from advisor.messages.mapping.foldings import foldings
from advisor.messages.mapping.grids import grid_of
from advisor.messages.mapping.mapping_measures import (
    BUSIEST,
    HOP_BYTES,
    LOGPC,
    Measures,
    bound,
    measure,
)
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping, standard_mappings
from advisor.messages.mapping.sockets import by_sockets
from machines.checks import number, whole
from machines.interconnect import LogGP
from machines.multicore import unequal

LOOKS_PER_SECOND = 300_000_000
"""Looks at a partner that compiled code makes in a second, on one idle core."""

_SLICE = 400_000  # looks between two questions whether to stop
_COMPILED = 2_000_000  # looks below which starting the compiler takes longer than it saves
_SAMPLES = 64
# what a move costs, in looks: choosing it, and each partner of the two processes
_FIXED, _PARTNER = 20.0, 1.5
# … with loads: each channel (looked through for the busiest), partner, and hop to a partner
_CHANNEL, _FLOW, _HOP = 0.06, 33.0, 6.0
_START = 120_000.0  # what building the starts costs, in looks a process
_DESCENTS = 4  # starts that are improved before any annealing
_FOLDED = 60  # foldings that are measured, the best of all by hop-bytes
_FIRST_ROUND = 20_000_000  # looks
_GROWTH = 1.3  # from round to round
# first temperatures in typical changes, round by round, of hop-bytes and of loads …
_WARM = {True: (0.3, 0.05), False: (0.2, 0.02)}
_COOLING = 0.04  # … and the last one as a share of the first

OnProgress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class Optimised:
    """What the search found.

    `rounds`: of annealing that were begun: the first random moves, so that before there is no
        difference between seeds.
    """

    mapping: Mapping  # process → node
    measures: Measures  # what it costs
    start: str  # the order that it improved on
    bound: float  # what no mapping can beat
    complete: bool  # False when it was stopped before its effort was spent
    rounds: int = 0


def optimise(
    problem: MappingProblem,
    costs: LogGP,
    objective: str = HOP_BYTES,
    seconds: float = 2.0,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    own: Mapping | None = None,
) -> Optimised:
    """Search the mapping of least hop-bytes, busiest channel or LoGPC time.

    The last two fall with the busiest channel, so one search serves both; it takes what the search
    for least hop-bytes finds as its start, and goes on with both in turn.

    `costs`: of long messages.
    `objective`: one of `measures.OBJECTIVES`.
    `seconds`: effort, turned into a number of looks.
    `seed`: of the random moves.
    `on_progress`: gets the share done and a sentence, after every slice.
    `should_stop`: asked between slices.
    `own`: the user's, one more start.
    Returns the best found, also when stopped: no worse than any start, nor than with less effort.
    """
    limit = bound(problem, costs, objective)
    number("seconds", seconds, above=True, where="mapping search")
    whole("seed", seed, where="mapping search")
    looks = seconds * LOOKS_PER_SECOND
    if looks > _COMPILED:
        kernels.load(should_stop)
    # what the starts cost is part of the effort, but leaves half of it to the moves
    looks = max(looks - _START * problem.communication.processes, looks / 2.0)
    effort = _Effort(looks, on_progress or (lambda _share, _text: None),
                     should_stop or (lambda: False))  # fmt: skip
    run = _MappingSearch(problem, costs, objective, seed, effort, limit)
    run.search(own)
    run.offer(run.start, by_sockets(problem, run.mapping))
    complete = not effort.stopped
    return Optimised(run.mapping, run.measures, run.start, limit, complete, run.rounds)


@dataclass
class _Effort:
    """What may be spent and what is spent, in looks."""

    budget: float
    on_progress: OnProgress
    should_stop: ShouldStop
    spent: float = 0.0
    stopped: bool = False

    def left(self) -> bool:
        """Whether to go on."""
        return not self.asked_to_stop() and self.spent < self.budget

    def asked_to_stop(self) -> bool:
        """Whether someone wants to stop; remembered once said."""
        self.stopped = self.stopped or self.should_stop()
        return self.stopped


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
        self._effort = effort
        # hop-bytes go on falling where time can't
        self._limit = limit
        self._reach = bound(problem, costs, HOP_BYTES) if objective == LOGPC else limit
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
        flow = _FLOW + _HOP * problem.network.mean_distance()
        self._looks = {
            True: _FIXED + _PARTNER * degree,
            False: _FIXED + _CHANNEL * len(problem.network.channels) + flow * degree,
        }
        self.mapping: Mapping = ()
        self.measures: Measures
        self.start = ""
        self.rounds = 0
        self._shortest: tuple[float, Mapping] = (np.inf, ())
        self._tried = 0

    def offer(self, name: str, mapping: Mapping) -> tuple[float, ...]:
        """Take a mapping that is better than all before; its rank."""
        found = measure(self._problem, self._costs, mapping)
        rank = found.rank(self._objective)
        if not self.mapping or rank < self.measures.rank(self._objective):
            self.mapping, self.measures, self.start = mapping, found, name
        self._shortest = min(self._shortest, (found.hop_bytes, mapping))
        return rank

    def search(self, own: Mapping | None) -> None:
        """Descend from the best starts, then anneal again and again from the best."""
        kinds = (True,) if self._objective == HOP_BYTES else (True, False)
        for name, mapping in self._starts(own)[:_DESCENTS]:
            for hops in kinds:
                self._set(mapping if hops else self.mapping)
                self._descend(name, hops)
        size = float(_FIRST_ROUND)
        for number_ in itertools.count():
            hops = kinds[number_ % len(kinds)]
            if self.done():
                break
            self._set(self._shortest[1] if hops else self.mapping)
            self.rounds += 1
            warm = _WARM[hops]
            self._anneal(size, warm[number_ // len(kinds) % len(warm)], hops)
            self._descend(self.start, hops)
            size *= _GROWTH

    def _starts(self, own: Mapping | None) -> list[tuple[str, Mapping]]:
        """(name, mapping) to start from, best first, one of each kind; the user's own always."""
        ready = list(standard_mappings(self._problem.network, self._processes))
        if own is not None:
            ready.append(("own", own))
        folded = (("folding", mapping) for mapping in self._folded())
        found = [
            (self.offer(name, mapping), name, mapping)
            for name, mapping in itertools.chain(ready, folded)
        ]
        for name, build in (("bisection", bisected), ("greedy", grown)):
            made = build(self._problem, self.done)
            if made is not None:
                found.append((self.offer(name, made), name, made))
        best: dict[str, Mapping] = {}
        for _, name, mapping in sorted(found):
            best.setdefault(name, mapping)
        return list(best.items())

    def _folded(self) -> Iterator[Mapping]:
        """The foldings of fewest hop-bytes, where communication and places are grids."""
        problem, network, stop = self._problem, self._problem.network, self._effort.asked_to_stop
        grid = None if stop() or unequal(network) else grid_of(problem.communication)
        if grid is not None:
            wrap = network.kind == "torus"
            every = foldings(grid, network.dims, wrap=wrap, should_stop=stop)
            for mapping in heapq.nsmallest(_FOLDED, every, key=problem.hop_bytes):
                if stop():
                    break
                yield mapping

    def _set(self, mapping: Mapping) -> None:
        """Put a mapping into the state."""
        self._state.node_of[:] = mapping
        self._state.best[:] = mapping
        self._state.holder[:] = -1
        self._state.holder[self._state.node_of] = np.arange(self._processes)

    def done(self) -> bool:
        """Whether the bound is reached, the effort is spent or someone wants to stop."""
        found = self.measures
        reached = {
            HOP_BYTES: found.hop_bytes,
            BUSIEST: found.busiest_bytes,
            LOGPC: found.hop_bytes if found.logpc_time <= self._limit * (1.0 + ALIKE) else np.inf,
        }[self._objective]
        return reached <= self._reach * (1.0 + ALIKE) or not self._effort.left()

    def _energy(self, hops: bool) -> float:
        if hops:
            return self._problem.hop_bytes(tuple(self._state.node_of.tolist()))
        return kernel.fill_loads(self._land, self._state)

    def _anneal(self, size: float, hot: float, hops: bool) -> None:
        """Spend `size` looks cooling down from `hot` times a typical change, in slices."""
        value = self._energy(hops)
        typical = kernel.typical_hops if hops else kernel.typical_loads
        scale = typical(self._land, self._state, _SAMPLES)
        moves = max(1, int(size / self._looks[hops]))
        slices = max(1, round(size / _SLICE))
        part = max(1, moves // slices)
        best, peak = value, self.measures.busiest_bytes
        kept = best, peak
        if scale <= 0.0:  # no move matters: the round is over at once
            self._effort.spent += size
            return
        for number_ in range(slices):
            if self.done():
                break
            warm, cool = (scale * hot * _COOLING ** (at / slices) for at in (number_, number_ + 1))
            if hops:
                value, best = kernel.anneal_hops(
                    self._land, self._state, part, warm, cool, value, best
                )
            else:
                value = kernel.fill_loads(self._land, self._state)
                value, best, peak = kernel.anneal_loads(
                    self._land, self._state, part, warm, cool, value, best, peak
                )
            self._spend(part, hops)
            if (best, peak) != kept:
                self.offer(self.start, tuple(self._state.best.tolist()))
                kept = best, peak
        self._set(tuple(self._state.best.tolist()))

    def _descend(self, name: str, hops: bool) -> None:
        """Sweep over all moves until none gains; the last sweep may be cut by the effort.

        What a cut sweep reached is offered where a longer one only goes on falling: for hop-bytes.
        The time may rise again within a sweep, and more effort would not meet that mapping.
        """
        sweep = kernel.sweep_hops if hops else kernel.sweep_loads
        value = self._energy(hops)
        moves = self._processes * self._problem.network.size
        part = max(1, int(_SLICE / self._looks[hops]))
        cut = False
        while not self.done():
            before = value
            for first in range(0, moves, part):
                cut = not self._effort.left()
                if cut:
                    break
                last = min(first + part, moves)
                value = sweep(self._land, self._state, first, last, value, ALIKE * before)
                self._spend(last - first, hops)
            if value >= before:
                break
            if not cut:
                self.offer(name, tuple(self._state.node_of.tolist()))
        if not cut or (hops and self._objective == HOP_BYTES):
            self.offer(name, tuple(self._state.node_of.tolist()))

    def _spend(self, moves: int, hops: bool) -> None:
        effort = self._effort
        effort.spent += moves * self._looks[hops]
        self._tried += moves
        share = min(1.0, effort.spent / effort.budget)
        effort.on_progress(share, f"{self._tried:,} moves tried")


# Greedy growth: a mapping that places one process after the other next to its partners.


def grown(problem: MappingProblem, should_stop: ShouldStop) -> Mapping | None:
    """A mapping grown from the process that sends and receives most, in the network's middle.

    Next comes the process that exchanges most bytes with those placed, at the free node of least
    bytes · hops to them, ties to the node nearest to all others. O(n (P + n)) steps and f·P for
    f flows. None when stopped.
    """
    land, hops = problem.landscape, problem.routes.hops
    processes = problem.communication.processes
    weights = land.sent + land.received
    owner = np.repeat(np.arange(processes), np.diff(land.first))
    volume = np.bincount(owner, weights, processes)
    tie = hops.sum(axis=1) / max(float(hops.sum()), 1.0)  # below one hop of a byte
    cost = np.zeros((processes, problem.network.size))
    bond = np.zeros(processes)
    waiting = np.ones(processes, bool)
    free = np.ones(problem.network.size, bool)
    nodes = np.empty(processes, np.int64)
    for _ in range(processes):
        if should_stop():
            return None
        # a new component, tied to nothing placed, starts with its heaviest process
        tied = waiting & (bond == bond[waiting].max())
        process = int(np.argmax(np.where(tied, volume, -1.0)))
        scale = max(float(bond[process]), 1.0)
        node = int(np.argmin(np.where(free, cost[process] + scale * 1e-6 * tie, np.inf)))
        nodes[process], waiting[process], free[node] = node, False, False
        around = slice(land.first[process], land.first[process + 1])
        mates = land.partner[around]
        cost[mates] += weights[around, np.newaxis] * hops[node]
        bond[mates] += weights[around]
    return tuple(nodes.tolist())
