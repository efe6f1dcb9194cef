"""Random process trees for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from advisor.models.process_tree import Tree


@st.composite
def trees(draw: st.DrawFn, largest: int = 40) -> Tree:
    """A tree in which every process hangs on an earlier one."""
    size = draw(st.integers(2, largest))
    parents = [-1, *(draw(st.integers(0, child - 1)) for child in range(1, size))]
    return Tree.of(parents)[0]


def random_tree(size: int, spread: int = 10, seed: int = 0) -> Tree:
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
