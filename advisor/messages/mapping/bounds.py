"""What no mapping can beat: cheap lower bounds of hop-bytes and of the busiest channel."""

from __future__ import annotations

import numpy as np

from advisor.messages.mapping.problem import MappingProblem
from machines.arrays import Floats, Indices


def hop_bytes_bound(problem: MappingProblem) -> float:
    """Bytes · hops that every mapping needs at least.

    The partners of a process sit at best on the nearest nodes around it, the heaviest first; a
    flow counts half at either end. With few partners that is Σ bytes: each flow takes a hop.
    """
    land = problem.landscape
    weights = land.sent + land.received
    # the k-th nearest node, from where it is nearest
    nearest = np.sort(problem.routes.hops, axis=1).min(axis=0)[1:]
    owner = np.repeat(np.arange(len(land.first) - 1), np.diff(land.first))
    by_weight = np.lexsort((-weights, owner))
    rank = np.arange(len(weights)) - land.first[owner]
    return float(weights[by_weight] @ nearest[rank]) / 2.0


def busiest_bound(problem: MappingProblem) -> float:
    """Bytes that the busiest channel carries at least.

    The most of: the largest flow, which is not split; what a process sends or receives, over the
    channels of a node; and all hop-bytes, over all channels. On a node of c cores the c − 1
    heaviest flows of a process stay inside.
    """
    flows, network = problem.communication, problem.network
    ends = np.array(network.channels).reshape(-1, 2)
    if not len(flows.sources) or not len(ends):
        return 0.0
    nodes = network.size // problem.cores  # the other ends are switches
    ways = max(int(np.bincount(ends[:, side])[:nodes].max()) for side in (0, 1))
    inside, amounts = problem.cores - 1, flows.size_bytes
    through = max(_most(each, amounts, inside) for each in (flows.sources, flows.targets))
    spread = hop_bytes_bound(problem) / len(ends)
    largest = 0.0 if inside else float(amounts.max())
    return max(largest, through / ways, spread)


def _most(owners: Indices, amounts: Floats, inside: int) -> float:
    """The most of any owner, its heaviest amounts left out."""
    order = np.lexsort((-amounts, owners))
    sorted_owners = owners[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_owners, sorted_owners)
    return float(np.bincount(sorted_owners, amounts[order] * (rank >= inside)).max())
