"""Where the search for a mapping starts: orders, foldings, recursive bisection, greedy growth."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.bisection import bisected
from advisor.messages.mapping.foldings import foldings, foldings_of
from advisor.messages.mapping.grids import Grid, grid_of
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping, standard_mappings
from advisor.messages.mapping.search_effort import is_large
from machines.arrays import Ints
from machines.interconnect import switched
from machines.multicore import cores_of, unequal

_FOLDED = 60  # foldings that are measured, the best of all by hop-bytes
_FEW_FOLDED, _SAMPLED = 3, 4000  # … of many processes, by so many of their flows


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
    wrap = network.kind == "torus"
    if many:
        yield from _sampled(problem, grid, stop, wrap=wrap)
        return
    every = foldings(grid, network.dims, wrap=wrap, should_stop=stop)
    for mapping in heapq.nsmallest(_FOLDED, every, key=problem.hop_bytes):
        if stop():
            break
        yield mapping


def _sampled(
    problem: MappingProblem, grid: Grid, stop: ShouldStop, *, wrap: bool
) -> Iterator[Mapping]:
    """The foldings of fewest hop-bytes of some flows, which are measured without the others."""
    flows, dims = problem.communication, problem.network.dims
    rng = np.random.default_rng(0)
    some = rng.choice(len(flows.sources), min(_SAMPLED, len(flows.sources)), replace=False)
    ends = [grid.points[each[some]] for each in (flows.sources, flows.targets)]
    weights = flows.size_bytes[some]

    def price(way: Callable[[Ints], Ints]) -> float:
        return float(weights @ problem.routes.between(*(way(each) for each in ends)))

    ways = foldings_of(grid.sizes, dims, wrap=wrap, should_stop=stop, costs=_costs(problem))
    for way in heapq.nsmallest(_FEW_FOLDED, ways, key=price):
        yield tuple(way(grid.points).tolist())


def _costs(problem: MappingProblem) -> tuple[float | None, ...]:
    """Hops between places that differ in one dimension, if by its level: cores, hosts, switches."""
    network, strides = problem.network, np.cumprod([1, *problem.network.dims[:-1]]).tolist()
    if switched(network) or network.kind == "crossbar":
        farther = zip(strides, network.dims, strict=True)
        return tuple(float(problem.routes.between(0, stride * (k - 1))) for stride, k in farther)
    return (0.0 if cores_of(network) > 1 else None, *(None for _ in network.dims[1:]))


def grown(problem: MappingProblem, should_stop: ShouldStop) -> Mapping | None:
    """A mapping grown from the process that sends and receives most, in the network's middle.

    Next comes the process that exchanges most bytes with those placed, at the free node of least
    bytes · hops to them, ties to the node nearest to all others. O(n (P + n)) steps and f·P for
    f flows. None when stopped.
    """
    land = problem.landscape
    processes = problem.communication.processes
    weights = land.sent + land.received
    owner = np.repeat(np.arange(processes), np.diff(land.first))
    volume = np.bincount(owner, weights, processes)
    places = np.arange(problem.network.size)
    away = np.array(
        [problem.routes.between(int(place), places).sum() for place in places], np.int64
    )
    tie = away / max(float(away.sum()), 1.0)  # below one hop of a byte
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
        cost[mates] += weights[around, np.newaxis] * problem.routes.between(node, places)
        bond[mates] += weights[around]
    return tuple(nodes.tolist())
