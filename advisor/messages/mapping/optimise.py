"""The search for a good mapping: orders, foldings and growth, then rounds of annealing and descent.

Deterministic for a seed: the effort is counted in looks at a partner of a moved process, not in
seconds. All that is done is one sequence that does not depend on the effort, which only says where
it is cut: more of it is never worse. The work is done in slices of some milliseconds, between which
it can be stopped; the best seen is kept after each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor import kernels
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import mapping_kernel as kernel
from advisor.kernels.mapping_ground import State
from advisor.messages.mapping.balance import balanced, on_cores
from advisor.messages.mapping.mapping_measures import (
    BUSIEST,
    HOP_BYTES,
    LOGPC,
    Measures,
    bound,
    measure,
)
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.search_effort import (
    MEASURED,
    POLISHED,
    QUENCHED,
    SLICE,
    is_large,
    looks_of,
)
from advisor.messages.mapping.search_starts import starts_of
from advisor.messages.mapping.sockets import by_sockets
from advisor.messages.mapping.work_caps import Caps
from machines.checks import number, whole
from machines.interconnect import LogGP

LOOKS_PER_SECOND = 300_000_000
"""Looks at a partner that compiled code makes in a second, on one idle core."""

_COMPILED = 2_000_000  # looks below which starting the compiler takes longer than it saves
_SAMPLES = 64
_START = 120_000.0  # what building the starts costs, in looks a process
_DESCENTS = 4  # starts that are improved before any annealing
_FIRST_ROUND = 20_000_000  # looks
_CAPPED_ROUND = 5_000.0  # looks of the first one for each process and place, if work is capped
_MOST_POLISH = 2e8  # looks of a round in which the objective itself is asked for every move
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
        self._processes = problem.communication.processes
        self._caps = Caps(problem, costs, objective, limit)
        land = problem.landscape
        self._land = land._replace(work=land.work._replace(load=self._caps.load))
        self._large = is_large(problem)
        self._state = State(
            np.zeros(self._processes, np.int32),
            np.zeros(problem.network.size, np.int32),
            np.zeros(len(problem.network.channels)),
            np.zeros(self._processes, np.int32),
            np.array([12345 + seed % 1000000, 67890 + 7 * (seed % 1000000)], np.int64),
            np.zeros(len(land.work.pace)),
        )
        self._looks = looks_of(problem, large=self._large)
        self.mapping: Mapping = ()
        self.measures: Measures
        self.start = ""
        self.rounds = 0
        self._shortest: tuple[float, Mapping] = (np.inf, ())
        self._raw: Mapping = ()  # the best before processes changed cores within their nodes
        self._raw_rank: tuple[float, ...] = ()
        self._settled: Mapping = ()
        self._tried = 0

    def offer(self, name: str, mapping: Mapping) -> tuple[float, ...]:
        """Take a mapping that is better than all before; its rank."""
        found = measure(self._problem, self._costs, mapping)
        rank = found.rank(self._objective)
        if not self.mapping or rank < self.measures.rank(self._objective):
            self.mapping, self.measures, self.start = mapping, found, name
        if not self._raw or rank < self._raw_rank:
            self._raw, self._raw_rank = mapping, rank
        self._shortest = min(self._shortest, (found.hop_bytes, mapping))
        self._caps.met(mapping, rank)
        if self._large and self.rounds:
            self._effort.spent += MEASURED * len(self._problem.communication.sources)
        return rank

    def settle(self) -> None:
        """Offer the best so far with its processes on other cores of their nodes.

        At points of the sequence that do not depend on the effort, so that more is never worse: not
        where the effort cut a round, for a longer one would not meet the mapping of that moment.
        """
        if self._raw != self._settled and self._effort.left():
            self._settled = self._raw
            inside = by_sockets(self._problem, self._raw)
            if self._caps.matter:
                inside = on_cores(self._problem, self._caps.load, inside)
            if inside != self._raw:
                self.offer(self.start, inside)

    def search(self, own: Mapping | None) -> None:
        """Descend from the best starts, then anneal again and again from the best."""
        kinds = (True,) if self._objective == HOP_BYTES else (True, False)
        starts = self._starts(own)[: 0 if self._large else _DESCENTS]
        self.settle()
        for name, mapping in starts:
            for hops in kinds:
                self._set(self._caps.keep(mapping if hops else self.mapping))
                self._descend(name, hops)
        self._polish(self.mapping)
        self.settle()
        size = float(_FIRST_ROUND)
        if self._caps.matter:  # several caps want their turn
            size = min(size, _CAPPED_ROUND * self._processes * self._problem.network.size)
        for number_ in itertools.count():
            hops = kinds[number_ % len(kinds)]
            if self.done():
                break
            begin = self._shortest[1] if hops else self.mapping
            if self._caps.matter:
                begin = self._caps.turn(number_ // len(kinds), self.mapping, self.measures)
            self._set(begin)
            self.rounds += 1
            if self._large:
                self._quench(hops)
                continue
            warm = _WARM[hops]
            self._anneal(size, warm[number_ // len(kinds) % len(warm)], hops)
            self._descend(self.start, hops)
            self._polish(tuple(self._state.best.tolist()))
            self.settle()
            size *= _GROWTH

    def _starts(self, own: Mapping | None) -> list[tuple[str, Mapping]]:
        """(name, mapping) to start from, best first, one of each kind; the user's own always."""
        found = []
        for name, mapping in starts_of(self._problem, own, self.done, self._effort.asked_to_stop):
            found.append((self.offer(name, mapping), name, mapping))
        if self._caps.matter:
            # of computing in balance, near the best without regard to it
            near = balanced(self._problem, self._caps.load, min(found)[2])
            found += [(self.offer("balanced", one), "balanced", one) for one in near]
        best: dict[str, Mapping] = {}
        for _, name, mapping in sorted(found):
            best.setdefault(name, mapping)
        return list(best.items())

    def _set(self, mapping: Mapping) -> None:
        """Put a mapping into the state."""
        state, land = self._state, self._land
        state.node_of[:] = mapping
        state.best[:] = mapping
        state.holder[:] = -1
        state.holder[state.node_of] = np.arange(self._processes)
        state.load[:] = np.bincount(land.work.core[state.node_of], land.work.load, len(state.load))

    def done(self) -> bool:
        """Whether the bound is reached, the effort is spent or someone wants to stop."""
        found = self.measures
        reached = {
            HOP_BYTES: found.hop_bytes,
            BUSIEST: found.busiest_bytes,
            LOGPC: found.hop_bytes if found.time <= self._limit * (1.0 + ALIKE) else np.inf,
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
        slices = max(1, round(size / SLICE))
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
            cap = self._caps.now
            if hops:
                value, best = kernel.anneal_hops(
                    self._land, self._state, part, warm, cool, value, best, cap
                )
            else:
                value = kernel.fill_loads(self._land, self._state)
                value, best, peak = kernel.anneal_loads(
                    self._land, self._state, part, warm, cool, value, best, peak, cap
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
        part = max(1, int(SLICE / self._looks[hops]))
        cut = False
        while not self.done():
            before = value
            for first in range(0, moves, part):
                cut = not self._effort.left()
                if cut:
                    break
                last = min(first + part, moves)
                value = sweep(
                    self._land, self._state, first, last, value, ALIKE * before, self._caps.now
                )
                self._spend(last - first, hops)
            if value >= before:
                break
            if not cut:
                self.offer(name, tuple(self._state.node_of.tolist()))
        if not cut or (hops and self._objective == HOP_BYTES):
            self.offer(name, tuple(self._state.node_of.tolist()))

    def _quench(self, hops: bool) -> None:
        """Random moves that gain, of many processes and places: no look at all moves in turn."""
        value = self._energy(hops)
        part = max(1, int(SLICE / self._looks[hops]))
        for _ in range(-(-QUENCHED * self._processes // part)):
            if not self._effort.left():
                break
            value = kernel.quench(self._land, self._state, part, value, hops, self._caps.now)
            self._spend(part, hops)
        else:
            self.offer(self.start, tuple(self._state.node_of.tolist()))
            self.settle()
            return
        if self._objective == HOP_BYTES and hops:
            self.offer(self.start, tuple(self._state.node_of.tolist()))

    def _polish(self, best: Mapping) -> None:
        """Of few processes make every move that gains by the objective itself, until none does."""
        problem = self._problem
        cost = POLISHED + 2.0 * POLISHED / 100.0 * len(problem.communication.sources)
        moves = self._processes * problem.network.size
        if not self._caps.matter or moves * cost > _MOST_POLISH or self.done():
            return
        rank = self.offer(self.start, best)
        since = number_ = 0
        while since < moves and not self.done():
            after = swapped(best, *divmod(number_ % moves, problem.network.size))
            self._effort.spent += cost
            since, number_ = since + 1, number_ + 1
            if after != best and (found := self.offer(self.start, after)) < rank:
                best, rank, since = after, found, 0

    def _spend(self, moves: int, hops: bool) -> None:
        effort = self._effort
        effort.spent += moves * self._looks[hops]
        self._tried += moves
        share = min(1.0, effort.spent / effort.budget)
        effort.on_progress(share, f"{self._tried:,} moves tried")


def swapped(mapping: Mapping, process: int, node: int) -> Mapping:
    """With a process on a node; whoever is there takes its place."""
    places = list(mapping)
    if node in mapping:
        places[mapping.index(node)] = places[process]
    places[process] = node
    return tuple(places)
