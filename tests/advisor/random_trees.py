"""Random trees of processes for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from advisor.models.process_tree import Tree


@st.composite
def trees(draw: st.DrawFn, most: int = 24) -> Tree:
    """A tree of 2 … `most` processes, any shape."""
    size = draw(st.integers(2, most))
    parents = [-1, *(draw(st.integers(0, place - 1)) for place in range(1, size))]
    return Tree.of(np.array(parents))[0]
