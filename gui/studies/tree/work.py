"""What the view of a tree has done in the background: pictures prepared, edits made and priced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.models.process_tree import Tree
from advisor.trees.costs import TreeMeasures, measure
from advisor.trees.edits import Edited, move_subtree
from advisor.trees.picture import OWN, NamedTree, TreePicture
from advisor.trees.topgen_spec import spec_text
from gui.studies.tree.drawing import TreeDrawing, drawing_of

Edit = Callable[[Tree], Edited]


@dataclass(frozen=True, eq=False)
class OwnTree:
    """The user's own tree.

    Attributes
    ----------
    named : NamedTree
    text : str
        As the study's parameter takes it; empty while it has not been written.
    """

    named: NamedTree
    text: str


@dataclass(frozen=True, eq=False)
class Prepared:
    """A tree of a picture, ready to be shown; `own` is the own tree as it is then."""

    picture: TreePicture
    named: NamedTree
    drawing: TreeDrawing
    own: OwnTree | None


@dataclass(frozen=True, eq=False)
class Change:
    """What an edit made of a tree.

    Attributes
    ----------
    text : str
        The edit in words: "moving process 3 to process 1".
    own : OwnTree
    drawing : TreeDrawing
    process : int
        Where the process is that was edited.
    note : str
        What else the edit did.
    """

    text: str
    own: OwnTree
    drawing: TreeDrawing
    process: int
    note: str


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
    if own is not None and (own.named is named or not own.text):
        tree = own.named.tree
        measures = measure(tree, picture.costs)
        own = OwnTree(NamedTree(OWN, tree, measures), own.text or spec_text(tree))
        named = own.named if named.name == OWN else named
    if drawn is None or drawn.costs != picture.costs or not drawn.tree.is_like(named.tree):
        drawn = drawing_of(named.tree, picture.costs)
    return Prepared(picture, named, drawn, own)


def change_of(drawing: TreeDrawing, edit: Edit, process: int, text: str) -> Change | None:
    """Make an edit; None where it changes nothing.

    Raises
    ------
    InputError
        An edit that is refused.
    """
    edited = edit(drawing.tree)
    if edited.tree.is_like(drawing.tree):
        return None
    named = NamedTree(OWN, edited.tree, measure(edited.tree, drawing.costs))
    own = OwnTree(named, spec_text(edited.tree))
    after = drawing_of(edited.tree, drawing.costs)
    return Change(text, own, after, edited.place_of(process) or 0, edited.note)


def price_of(drawing: TreeDrawing, process: int, parent: int) -> Price:
    """Measure a move without making it."""
    edited = move_subtree(drawing.tree, process, parent, drawing.layout)
    return Price(process, parent, measure(edited.tree, drawing.costs), edited.note)


def trees_of(picture: TreePicture, own: OwnTree | None) -> tuple[NamedTree, ...]:
    """All trees, the own one as it is now; left out where it has other back-ends."""
    given = tuple(one for one in picture.trees if one.name != OWN)
    fits = own is not None and own.named.tree.back_ends == picture.chosen.tree.back_ends
    return (*given, own.named) if own is not None and fits else given


def same_tree(one: NamedTree | None, other: NamedTree | None) -> bool:
    """Whether two trees, which may be missing, have the same shape."""
    if one is None or other is None:
        return one is other
    return one.tree.is_like(other.tree)


def same_back_ends(one: TreePicture, other: TreePicture) -> bool:
    """Whether two pictures have as many back-ends."""
    return one.chosen.measures.back_ends == other.chosen.measures.back_ends
