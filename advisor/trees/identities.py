"""Who the processes of a tree are: the numbers that they keep when the tree is edited.

The places of a tree are breadth first, so that one move shifts nearly all of them. The numbers
here are those of the tree before its first edit; a new process gets the next free one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.trees.layout import TreeLayout
from advisor.trees.tree_edits import NEW, Edited
from machines.arrays import Ints


@dataclass(frozen=True, eq=False)
class Identities:
    """The numbers of the processes; arrays of shape (processes,)."""

    numbers: Ints  # of every process; the front-end is 0
    back_ends: Ints  # of the back-ends among themselves; −1 for other processes

    @classmethod
    def first(cls, layout: TreeLayout) -> Identities:
        """Breadth first, back-ends from left to right."""
        leaf = layout.tree.fanouts == 0
        return cls(np.arange(layout.tree.size), np.where(leaf, layout.left, -1))

    def after(self, edited: Edited) -> Identities:
        """The same processes after an edit."""
        before, new = edited.before, edited.before == NEW
        numbers, back_ends = self.numbers[before], self.back_ends[before]
        numbers[new] = int(self.numbers.max()) + 1 + np.arange(np.count_nonzero(new))
        back_ends[new] = -1
        return Identities(numbers, back_ends)

    def place_of(self, number: int) -> int | None:
        """Where a process is; None where it is gone."""
        found = np.flatnonzero(self.numbers == number)
        return int(found[0]) if found.size else None

    def is_like(self, other: Identities) -> bool:
        """Whether all numbers are the same."""
        return np.array_equal(self.numbers, other.numbers) and np.array_equal(
            self.back_ends, other.back_ends
        )
