"""The trees that the study searches for: the fastest, and the knee of far fewer processes.

Exact where every process has a processor of its own. Where processes share the cores of hosts, or
back-ends attach to leaves, the fastest of a ladder of trees from many processes to none.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.rounding import ALIKE
from advisor.models.mrnet import Tree
from advisor.studies.trees.parameters import KNEE, OPTIMAL, TreesParameters
from advisor.trees.attachable import attachable_trees
from advisor.trees.costs import TreeCosts, measure
from advisor.trees.knee import rungs, thinnest
from advisor.trees.search import Limits, best_weighted, optimum

Shaped = tuple[str, str, Tree]


def searched(asked: TreesParameters, costs: TreeCosts, limits: Limits) -> Iterator[Shaped]:
    """(shape, name, tree): the knee, if it has fewer processes, and the optimum."""
    near = 1.0 + asked.tolerance / 100.0 + ALIKE
    if asked.attach or (costs.hosts is not None and costs.cores is not None):
        best, knee = _of_ladder(asked, costs, limits, near)
    else:
        best, latency = _optimal(asked, costs, limits)
        knee = best
        if asked.spares_processes:
            knee = thinnest(asked.back_ends, costs, limits, latency * near).tree
    if asked.spares_processes and knee.internal < best.internal:
        yield KNEE, KNEE, knee
    yield OPTIMAL, OPTIMAL, best


def _optimal(asked: TreesParameters, costs: TreeCosts, limits: Limits) -> tuple[Tree, float]:
    """The tree of least latency, or of the least weighted sum, within the limits."""
    N, weights = asked.back_ends, asked.weights
    if weights.period or weights.internal:
        choice, _ = best_weighted(N, costs, limits, weights)
        limits = limits.within(choice)
    found = optimum(N, costs, limits)
    return found.tree, found.latency


def _of_ladder(
    asked: TreesParameters, costs: TreeCosts, limits: Limits, near: float
) -> tuple[Tree, Tree]:
    """(the best rung within the limits, that of fewest processes that is near it)."""
    N, weights = asked.back_ends, asked.weights
    ladder = (attachable_trees if asked.attach else rungs)(N, costs, limits)
    found: list[tuple[float, int, int, Tree]] = []
    for at, tree in enumerate(ladder):
        measures = measure(tree, costs)
        if not limits.keeps(costs, measures) and at:
            continue
        value = measures.latency(costs.operation) + weights.period * measures.period
        found.append((value + weights.internal * tree.internal, tree.internal, at, tree))
    least = min(found)
    close = [one for one in found if one[0] <= least[0] * near]
    return least[-1], min(close, key=lambda one: one[1:3])[-1]
