"""What the window draws of a tree: the trees to choose from and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.models.process_tree import Tree
from advisor.trees.identities import Identities
from advisor.trees.tree_costs import TreeCosts, TreeMeasures

OWN = "own"


@dataclass(frozen=True, eq=False)
class NamedTree:
    """A tree with its name, e.g. "optimal" or "balanced 8-way", and its measures.

    `identities` are those that its processes kept from before edits; None: it was not edited.
    """

    name: str
    tree: Tree
    measures: TreeMeasures
    identities: Identities | None = None


@dataclass(frozen=True, eq=False)
class TreePicture:
    """The picture of the trees study."""

    costs: TreeCosts  # what the measures are made with; times in µs
    trees: tuple[NamedTree, ...]  # to choose from; the user's own, if there is one, is called "own"
    best: int  # place of the recommended one

    @property
    def chosen(self) -> NamedTree:
        """The recommended tree."""
        return self.trees[self.best]

    @property
    def own(self) -> NamedTree | None:
        """The user's own tree."""
        return next((one for one in self.trees if one.name == OWN), None)
