"""Where the search for a mapping starts: orders, foldings, recursive bisection, greedy growth."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.bisection import bisected
from advisor.messages.mapping.foldings import foldings
from advisor.messages.mapping.grids import grid_of
from advisor.messages.mapping.growth import grown
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping, standard_mappings
from advisor.messages.mapping.search_effort import is_large
from machines.multicore import unequal

_FOLDED = 60  # foldings that are measured, the best of all by hop-bytes
_FEW_FOLDED = 12  # … the first ones, of many processes


def starts_of(
    problem: MappingProblem, own: Mapping | None, done: ShouldStop, should_stop: ShouldStop
) -> Iterator[tuple[str, Mapping]]:
    """(name, mapping) of every start.

    `own`: the user's, one of them. `done`: asked before those that take long, of which growth has
    a table of processes and places and is left out where there are many.
    """
    sharing, many = problem.sharing, is_large(problem)
    yield from standard_mappings(problem.network, problem.communication.processes, sharing)
    if own is not None:
        yield "own", own
    for mapping in _folded(problem, should_stop, many=many):
        yield "folding", mapping
    for name, build in (("bisection", bisected), ("greedy", grown))[: 1 if many else 2]:
        made = build(problem, done)
        if made is not None:
            yield name, made


def _folded(problem: MappingProblem, stop: ShouldStop, *, many: bool) -> Iterator[Mapping]:
    """The foldings of fewest hop-bytes, where communication and places are grids."""
    network = problem.network
    grid = None if stop() or unequal(network) else grid_of(problem.communication)
    if grid is None:
        return
    every = foldings(grid, network.dims, wrap=network.kind == "torus", should_stop=stop)
    if many:
        every = itertools.islice(every, _FEW_FOLDED)
    for mapping in heapq.nsmallest(_FOLDED, every, key=problem.hop_bytes):
        if stop():
            break
        yield mapping
