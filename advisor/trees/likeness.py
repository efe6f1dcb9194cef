"""Whether two process trees are one shape when the order of siblings does not count.

MRNet and its tools keep no order among the children of a process, so a tree that they make is
compared with ours this way. Aho, Hopcroft & Ullman 1974, sec. 3.2: classes of subtrees, level by
level from the deepest.
"""

from __future__ import annotations

import numpy as np

from advisor.models.process_tree import Tree
from machines.arrays import Ints


def same_shape(one: Tree, other: Tree) -> bool:
    """Whether the trees are equal but for the order of siblings."""
    if one.is_like(other):
        return True
    if not np.array_equal(one.levels, other.levels):
        return False
    for level in range(one.levels.size - 1):  # most differences show here already
        start, end = one.levels[level : level + 2]
        if not np.array_equal(np.sort(one.fanouts[start:end]), np.sort(other.fanouts[start:end])):
            return False
    classes: dict[bytes, int] = {}
    return _root_class(one, classes) == _root_class(other, classes)


def _root_class(tree: Tree, classes: dict[bytes, int]) -> int:
    """The class of the whole tree: equal for equal shapes within one dict of classes."""
    below: Ints = np.zeros(0, dtype=np.int64)
    for level in range(tree.levels.size - 2, -1, -1):
        start, end = tree.levels[level : level + 2]
        fanouts = tree.fanouts[start:end]
        parents = np.repeat(np.arange(fanouts.size), fanouts)
        ordered = below[np.lexsort((below, parents))]  # siblings by class
        ends = np.cumsum(fanouts).tolist()
        found, first = [], 0
        for last in ends:
            found.append(classes.setdefault(ordered[first:last].tobytes(), len(classes)))
            first = last
        below = np.array(found, dtype=np.int64)
    return int(below[0])
