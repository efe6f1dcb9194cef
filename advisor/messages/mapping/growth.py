"""Greedy growth: a mapping that places one process after the other next to its partners."""

from __future__ import annotations

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping


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
