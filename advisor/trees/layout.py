"""Where the processes of a tree stand from left to right: what pictures and edits measure by.

Back-ends are numbered from left to right, 0 … N − 1; a process spans the back-ends below it. On
every level spans are sorted and disjoint, so that what is in sight is found by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from advisor.models.process_tree import Tree
from machines.arrays import Ints


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """The spans of all processes; arrays of shape (processes,) if nothing else is said.

    `among`: shape (processes + 1,); internal processes in the subtrees of all processes of smaller
        number, each counted as often as subtrees hold it; of siblings a to b: ``among[b] -
        among[a]``.
    """

    tree: Tree
    left: Ints  # the first back-end below each process; of a back-end its own number
    below: Ints  # back-ends below each process; 1 for a back-end
    inner: Ints  # internal processes below each process, itself not counted
    among: Ints
    lowest: Ints  # depth of the lowest process below each
    widest: Ints  # largest fan-out of each process and those below it
    back_ends: Ints  # shape (N,); the process that each back-end is

    def depth_of(self, process: int) -> int:
        """Edges from the front-end to a process."""
        return int(np.searchsorted(self.tree.levels, process, side="right")) - 1

    def level(self, depth: int) -> slice:
        """The processes of a depth."""
        return slice(int(self.tree.levels[depth]), int(self.tree.levels[depth + 1]))

    def path_to(self, process: int) -> tuple[int, ...]:
        """From the front-end to a process."""
        path = [process]
        while path[-1]:
            path.append(int(self.tree.parent[path[-1]]))
        return tuple(reversed(path))


def layout_of(tree: Tree) -> TreeLayout:
    """Lay a tree out; one pass up and one down, level by level."""
    leaf = tree.fanouts == 0
    below, inner = leaf.astype(np.int64), np.zeros(tree.size, np.int64)
    lowest = np.repeat(np.arange(tree.depth + 1), np.diff(tree.levels))
    widest = tree.fanouts.copy()
    spans = list(pairwise(tree.levels.tolist()))
    for (start, end), (first, last) in zip(spans[-2::-1], spans[:0:-1], strict=True):
        parents = np.flatnonzero(tree.fanouts[start:end]) + start
        cuts = tree.first_child[parents] - first
        below[parents] = np.add.reduceat(below[first:last], cuts)
        inner[parents] = np.add.reduceat(inner[first:last] + ~leaf[first:last], cuts)
        lowest[parents] = np.maximum.reduceat(lowest[first:last], cuts)
        most = np.maximum.reduceat(widest[first:last], cuts)
        widest[parents] = np.maximum(widest[parents], most)
    left = np.zeros(tree.size, np.int64)
    for first, last in spans[1:]:
        parents = tree.parent[first:last]
        before = np.cumsum(below[first:last]) - below[first:last]
        left[first:last] = left[parents] + before - before[tree.first_child[parents] - first]
    back_ends = np.empty(int(below[0]), np.int64)
    leaves = np.flatnonzero(leaf)
    back_ends[left[leaves]] = leaves
    among = np.concatenate(([0], np.cumsum(inner + ~leaf)))
    return TreeLayout(tree, left, below, inner, among, lowest, widest, back_ends)
