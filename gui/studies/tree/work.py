"""What the view of a tree has done in the background: pictures prepared, edits made and priced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.models.process_tree import Tree
from advisor.trees.identities import Identities
from advisor.trees.topgen_spec import spec_text
from advisor.trees.tree_costs import TreeCosts, TreeMeasures, measure
from advisor.trees.tree_edits import Edited, move_subtree
from advisor.trees.tree_picture import OWN, NamedTree, TreePicture
from gui.studies.picture.picture_cases import Own, Ready
from gui.studies.tree.tree_drawing import TreeDrawing, drawing_of

Edit = Callable[[Tree], Edited]


OwnTree = Own[NamedTree]
Prepared = Ready[TreePicture, NamedTree, TreeDrawing]


@dataclass(frozen=True, eq=False)
class Change:
    """What an edit made of a tree."""

    text: str  # the edit in words: "moving process 3 to process 1"
    own: OwnTree
    drawing: TreeDrawing
    process: int  # where the process is that was edited
    note: str  # what else the edit did


@dataclass(frozen=True, eq=False)
class Price:
    """What a move would bring."""

    process: int
    parent: int
    measures: TreeMeasures
    note: str


def prepared(
    picture: TreePicture, named: NamedTree, own: OwnTree | None, drawn: TreeDrawing | None
) -> Prepared:
    """Make what a tree of a picture needs; what is drawn already is taken over where it fits."""
    if own is not None and (own.case is named or not own.text):
        tree = own.case.tree
        measures = measure(tree, picture.costs)
        mine = NamedTree(OWN, tree, measures, own.case.identities)
        own = Own(mine, own.text or spec_text(tree))
        named = own.case if named.name == OWN else named
    if drawn is None or not _shows(drawn, named, picture.costs):
        drawn = drawing_of(named.tree, picture.costs, named.identities)
    return Ready(picture, named, drawn, own)


def _shows(drawn: TreeDrawing, named: NamedTree, costs: TreeCosts) -> bool:
    """Whether a drawing is that of a tree, with the names of its processes."""
    if drawn.costs != costs or not drawn.tree.is_like(named.tree):
        return False
    return drawn.identities.is_like(named.identities or Identities.first(drawn.layout))


def change_of(drawing: TreeDrawing, edit: Edit, process: int, text: str) -> Change | None:
    """Make an edit; None where it changes nothing."""
    edited = edit(drawing.tree)
    if edited.tree.is_like(drawing.tree):
        return None
    identities = drawing.identities.after(edited)
    named = NamedTree(OWN, edited.tree, measure(edited.tree, drawing.costs), identities)
    own = Own(named, spec_text(edited.tree))
    after = drawing_of(edited.tree, drawing.costs, identities)
    return Change(text, own, after, edited.place_of(process) or 0, edited.note)


def price_of(drawing: TreeDrawing, process: int, parent: int) -> Price:
    """Measure a move without making it."""
    edited = move_subtree(drawing.tree, process, parent, drawing.layout)
    return Price(process, parent, measure(edited.tree, drawing.costs), edited.note)
