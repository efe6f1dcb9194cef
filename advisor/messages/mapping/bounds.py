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
    channels of a node; and all hop-bytes, over all channels.
    """
    flows, network = problem.communication, problem.network
    if not len(flows.sources):
        return 0.0
    ends = np.array(network.channels).reshape(-1, 2)
    ways = max(int(np.bincount(ends[:, side]).max()) for side in (0, 1))
    through = max(_most(flows.sources, flows.size_bytes), _most(flows.targets, flows.size_bytes))
    spread = hop_bytes_bound(problem) / len(ends)
    return max(float(flows.size_bytes.max()), through / ways, spread)


def _most(owners: Indices, amounts: Floats) -> float:
    return float(np.bincount(owners, amounts).max())
