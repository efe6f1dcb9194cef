"""Trees that are nearly as fast with far fewer internal processes.

The last microseconds cost most: 512 back-ends of the LogP paper's example take 68 µs with 163
internal processes, 72 with 94.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from advisor.models.optimal_tree import OptimalTree
from advisor.models.process_tree import Tree, flat
from advisor.trees.costs import TreeCosts
from advisor.trees.search import Limits, optimum
from machines.errors import InputError

_MOST_PROCESSES = 100_000  # of all rungs together, about
_GROWTH, _FEWEST_RUNGS, _MOST_RUNGS = 0.85, 6, 40


def thinnest(N: int, costs: TreeCosts, limits: Limits, latency: float) -> OptimalTree:
    """The tree of fewest internal processes whose latency is at most this, within the limits."""
    best = optimum(N, costs, limits)
    low, high = -1, best.internal  # the least latency never falls with fewer processes
    while high - low > 1:
        middle = (low + high) // 2
        found = _with(N, costs, limits, middle)
        if found is not None and found.latency <= latency:
            high, best = middle, found
        else:
            low = middle
    return best


def rungs(N: int, costs: TreeCosts, limits: Limits) -> Iterator[Tree]:
    """The fastest trees of ever fewer internal processes, from the optimum to the fewest."""
    found: OptimalTree | None = optimum(N, costs, limits)
    left = min(max(_MOST_PROCESSES // N, _FEWEST_RUNGS), _MOST_RUNGS)
    while found is not None and left:
        yield found.tree
        left -= 1
        fewer = min(found.internal - 1, int(found.internal * _GROWTH))
        found = _with(N, costs, limits, fewer) if fewer >= 0 else None
    yield flat(N)


def _with(N: int, costs: TreeCosts, limits: Limits, internal: int) -> OptimalTree | None:
    """The fastest tree of at most so many internal processes; None where they can't hold N."""
    try:
        return optimum(N, costs, replace(limits, max_internal=internal))
    except InputError:
        return None
