"""What the picture of a tree shows: the tree, when each process has the message, who keeps up.

Everything that takes long at a million back-ends is made once, off the window's thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.models.mrnet import BROADCAST, OPERATIONS, REDUCTION
from advisor.models.process_tree import Tree
from advisor.trees.identities import Identities
from advisor.trees.layout import TreeLayout, layout_of
from advisor.trees.tree_costs import US, TreeCosts, TreeTimes, times_of
from machines.arrays import Floats

__all__ = ["BROADCAST", "OPERATIONS", "REDUCTION", "US", "Run", "TreeDrawing", "drawing_of"]


@dataclass(frozen=True, eq=False)
class Run:
    """One operation."""

    operation: str  # {"broadcast", "reduction"}
    times: TreeTimes
    back_ends: Floats  # shape (N,); `times.done` of the back-ends from left to right


@dataclass(frozen=True, eq=False)
class TreeDrawing:
    """A tree that is shown, with everything that is asked about it."""

    layout: TreeLayout
    costs: TreeCosts
    broadcast: Run
    reduction: Run
    identities: Identities  # what the processes are called
    _shares: dict[tuple[int, bool], float] = field(default_factory=dict)

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.layout.tree

    def run(self, operation: str) -> Run:
        """One of the operations."""
        return self.reduction if operation == REDUCTION else self.broadcast

    def share(self, process: int) -> float:
        """Share of a processor that a process takes at the wanted rate; 0 for a back-end."""
        return self._share(int(self.tree.fanouts[process]), process == 0)

    def widest_share(self, first: int, last: int) -> float:
        """The largest share of the internal processes below and among siblings."""
        return self._share(int(self.layout.widest[first:last].max()), False)

    def _share(self, fanout: int, front_end: bool) -> float:
        if not fanout:
            return 0.0
        key = fanout, front_end
        if key not in self._shares:
            self._shares[key] = self.costs.share(fanout, front_end=front_end)
        return self._shares[key]


def drawing_of(tree: Tree, costs: TreeCosts, identities: Identities | None = None) -> TreeDrawing:
    """Prepare a tree to be drawn; its processes are called by their places unless said."""
    layout = layout_of(tree)
    down, up = (_run(layout, costs, operation) for operation in OPERATIONS)
    return TreeDrawing(layout, costs, down, up, identities or Identities.first(layout))


def _run(layout: TreeLayout, costs: TreeCosts, operation: str) -> Run:
    times = times_of(layout.tree, costs, operation)
    return Run(operation, times, times.done[layout.back_ends])
