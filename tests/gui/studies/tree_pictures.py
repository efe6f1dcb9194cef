"""Pictures of trees for tests of their view: LogGP parameters L 6, o 2, g 4 µs."""

from __future__ import annotations

from functools import lru_cache

from advisor.models.mrnet import Tree, balanced, flat, optimal_tree
from advisor.trees.tree_costs import TreeCosts, measure
from advisor.trees.tree_picture import OWN, NamedTree, TreePicture
from machines.interconnect import LogGP

COSTS = TreeCosts(LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0, G=0.0), create=10.0, rate=2e4)
BEST = "optimal"


@lru_cache
def tree_picture(
    N: int = 16, own: Tree | None = None, costs: TreeCosts = COSTS, fanout: int = 4
) -> TreePicture:
    """Flat, balanced and the optimal tree, which is best; and an own one."""
    trees = {
        "flat": flat(N), f"balanced {fanout}-way": balanced(N, fanout),
        BEST: optimal_tree(N, costs.p).tree,
    }  # fmt: skip
    if own is not None:
        trees[OWN] = own
    named = tuple(NamedTree(name, tree, measure(tree, costs)) for name, tree in trees.items())
    return TreePicture(costs, named, 2)
