"""Random trees and costs for tests: drawn by hypothesis, or seeded.

The numbers of random costs are no multiples of each other.
"""

from __future__ import annotations

import random

import numpy as np
from hypothesis import strategies as st

from advisor.models.process_tree import Tree
from advisor.trees.tree_costs import TreeCosts
from machines.interconnect import LogGP


def loggp(L: float, o: float, g: float, G: float = 0.0) -> LogGP:
    """With the same overhead for sending and receiving."""
    return LogGP(L=L, o_s=o, o_r=o, g=g, G=G)


def random_tree(rng: random.Random, most: int) -> Tree:
    """Of 2 to `most` processes; deep ones and broad ones."""
    size, back = rng.randint(2, most), rng.choice((1, 3, 10))
    return Tree.of([-1, *(rng.randrange(max(0, i - back), i) for i in range(1, size))])[0]


def random_costs(rng: random.Random, convention: str = "first") -> TreeCosts:
    """Also without latency, overhead or filter."""
    return TreeCosts(
        loggp(
            rng.choice((0.0, 1.0, 6.0, 13.5)),
            rng.choice((0.0, 0.1, 1.0, 2.25, 4.0)),
            rng.choice((0.1, 0.5, 1.0, 3.75, 6.0, 8.0)),
            rng.choice((0.0, 0.01)),
        ),
        size=rng.choice((1.0, 1.0, 101.0)),
        filter_cost=rng.choice((0.0, 0.7, 3.0)),
        convention=convention,
    )


@st.composite
def trees(draw: st.DrawFn, most: int = 24) -> Tree:
    """A tree of 2 … `most` processes, any shape."""
    size = draw(st.integers(2, most))
    parents = [-1, *(draw(st.integers(0, place - 1)) for place in range(1, size))]
    return Tree.of(np.array(parents))[0]


def large_tree(size: int, spread: int = 10, seed: int = 0) -> Tree:
    """A large tree: process i hangs on one a little before i/spread."""
    rng = np.random.default_rng(seed)
    child = np.arange(1, size)
    high = (child - 1) // spread
    parents = high - rng.integers(0, 4, size - 1).clip(max=high)
    return Tree.of(np.append(-1, parents))[0]


def shuffled(tree: Tree, seed: int) -> Tree:
    """The same shape with siblings in another order."""
    order = np.random.default_rng(seed).permutation(tree.size)
    place = np.argsort(order)
    parents = np.where(tree.parent < 0, -1, place[tree.parent])[order]
    return Tree.of(parents)[0]
