"""Edits of a tree by hand: move a subtree, change fan-outs, split and merge levels.

Each gives a new tree of the same back-ends, in the same order from left to right as far as the
edit allows, and tells where its processes were before. No recursion: a million back-ends take
less than a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count
from advisor.models.process_tree import Tree, dealt, ranges
from advisor.trees.layout import TreeLayout, layout_of
from machines.arrays import Flags, Ints
from machines.checks import whole
from machines.errors import InputError

NEW = -1


@dataclass(frozen=True, eq=False)
class Edited:
    """A tree after an edit.

    `before`: shape (processes,); the number of each process before the edit; `NEW` where there was
        none.
    """

    tree: Tree
    before: Ints
    dropped: int  # internal processes that are gone

    def place_of(self, process: int) -> int | None:
        """Where a process of the old tree is now; None where it is gone."""
        found = np.flatnonzero(self.before == process)
        return int(found[0]) if found.size else None

    @property
    def note(self) -> str:
        """What else the edit did, in words; empty where nothing."""
        if not self.dropped:
            return ""
        who = count(self.dropped, "internal process", "internal processes")
        return f"{who} dropped, as no child was left there"


def move_refusal(layout: TreeLayout, process: int, parent: int) -> str:
    """Why a subtree can't hang on a process, in words; empty where it can.

    `layout`: the tree. `process`: the top of the subtree. `parent`: where it would hang.
    """
    tree = layout.tree
    if process == 0:
        return "The front-end is the top of the tree"
    if parent == tree.parent[process]:
        return "It hangs there already"
    if parent == process or _is_below(layout, parent, process):
        return "A subtree can't hang on itself"
    if tree.fanouts[parent] == 0:
        return "A back-end has no children"
    return ""


def move_subtree(tree: Tree, process: int, parent: int, layout: TreeLayout | None = None) -> Edited:
    """Hang a process and all below it on another parent.

    An old parent that loses its last child is dropped, as it would become a back-end; so are
    those above it that this leaves without children.

    `process`, `parent`: the top of the subtree, and where it is to hang. `layout`: that of `tree`,
    if it is at hand.
    """
    _known(tree, "process", process)
    _known(tree, "parent", parent)
    layout = layout or layout_of(tree)
    reason = move_refusal(layout, process, parent)
    if reason:
        raise InputError(
            f"process {process} can't hang on process {parent}: {reason[0].lower()}{reason[1:]}",
            where="tree",
            remedy="Choose the front-end or an internal process outside the subtree",
        )
    keep = np.ones(tree.size, bool)
    left = int(tree.parent[process])
    while left != parent and tree.fanouts[left] == 1:
        keep[left] = False
        left = int(tree.parent[left])
    parents = tree.parent.copy()
    parents[process] = parent
    return _rebuilt(parents, keep, layout.left, tree.size)


def refan(tree: Tree, process: int, fanout: int) -> Edited:
    """Arrange the back-ends below a process anew, as `balanced` does with this fan-out."""
    _known(tree, "process", process)
    if tree.fanouts[process] == 0:
        raise InputError(
            "a back-end has no fan-out",
            where="tree",
            value=process,
            remedy="Choose the front-end or an internal process",
        )
    return _refanned(tree, np.array([process]), fanout)


def refan_level(tree: Tree, depth: int, fanout: int) -> Edited:
    """`refan` for all processes of a depth that have children."""
    return _refanned(tree, _with_children(tree, depth), fanout)


def split_level(tree: Tree, depth: int, fanout: int) -> Edited:
    """Put a new level between `depth` and `depth` + 1.

    The k children of each process are handed, in their order and as evenly as possible, the
    larger groups first, to ⌈k/fanout⌉ new internal processes.
    """
    whole("fanout", fanout, low=2, where="tree")
    tops = _with_children(tree, depth)
    k = tree.fanouts[tops]
    if int(k.max()) <= fanout:
        raise InputError(
            f"no process of this level has more than {count(fanout, 'child', 'children')}",
            where="tree",
            value=f"depth {depth}",
            remedy=f"Split into groups of fewer than {int(k.max())}"
            if k.max() > 2
            else "Choose a level with larger fan-outs",
        )
    groups = -(-k // fanout)
    sizes = dealt(k, groups)
    children = ranges(tree.first_child[tops], k)
    new = tree.size + np.arange(sizes.size)
    parents = np.concatenate((tree.parent, np.repeat(tops, groups)))
    parents[children] = np.repeat(new, sizes)
    left = layout_of(tree).left
    lefts = np.concatenate((left, left[children[np.cumsum(sizes) - sizes]]))
    return _rebuilt(parents, np.ones(parents.size, bool), lefts, tree.size)


def merge_level(tree: Tree, depth: int) -> Edited:
    """Remove the internal processes of a depth; their children go to their parents."""
    whole("depth", depth, low=1, where="tree")
    gone = _with_children(tree, depth)
    parents = tree.parent.copy()
    children = ranges(tree.first_child[gone], tree.fanouts[gone])
    parents[children] = np.repeat(tree.parent[gone], tree.fanouts[gone])
    keep = np.ones(tree.size, bool)
    keep[gone] = False
    edited = _rebuilt(parents, keep, layout_of(tree).left, tree.size)
    return Edited(edited.tree, edited.before, 0)  # they are what was to go


def _refanned(tree: Tree, tops: Ints, fanout: int) -> Edited:
    """The back-ends below some processes, none below another, as balanced trees.

    As `process_tree.balanced`, for all of them at once: a process with n back-ends below and h
    levels left has ⌈n/fanout^(h − 1)⌉ children; only h differs from one to the other.
    """
    whole("fanout", fanout, low=2, where="tree")
    layout = layout_of(tree)
    keep = np.ones(tree.size, bool)
    keep[_internal_below(layout, tops)] = False
    parents, lefts = [tree.parent.copy()], [layout.left]
    at, n, left, size = tops, layout.below[tops], layout.left[tops], tree.size
    h = np.ones(n.size, np.int64)
    while (short := float(fanout) ** h < n).any():
        h[short] += 1
    while at.size:
        children = -(-n // np.minimum(float(fanout) ** (h - 1), 2.0**53).astype(np.int64))
        at, h = np.repeat(at, children), np.repeat(h, children) - 1
        n = dealt(n, children)
        before = np.cumsum(n) - n
        first = np.cumsum(children) - children
        left = np.repeat(left, children) + before - np.repeat(before[first], children)
        leaf = h == 0
        parents[0][layout.back_ends[left[leaf]]] = at[leaf]
        parents.append(at[~leaf])
        lefts.append(left[~leaf])
        n, left, h = n[~leaf], left[~leaf], h[~leaf]
        at = size + np.arange(n.size)
        size += n.size
    keep = np.concatenate((keep, np.ones(size - tree.size, bool)))
    edited = _rebuilt(np.concatenate(parents), keep, np.concatenate(lefts), tree.size)
    return Edited(edited.tree, edited.before, 0)


def _internal_below(layout: TreeLayout, tops: Ints) -> Ints:
    """The internal processes below some processes, none of which is below another."""
    tree, found = layout.tree, []
    level = tops
    while level.size:
        level = ranges(tree.first_child[level], tree.fanouts[level])
        level = level[tree.fanouts[level] > 0]
        found.append(level)
    return np.concatenate(found)


def _rebuilt(parents: Ints, keep: Flags, lefts: Ints, old: int) -> Edited:
    """The tree of the processes to keep, siblings from left to right.

    Of two that begin at the same back-end, the one that was lower goes first: it comes from the
    left end of the other.
    """
    kept = np.flatnonzero(keep)
    kept = kept[np.lexsort((-kept, lefts[kept]))]
    place = np.full(parents.size, -1)
    place[kept] = np.arange(kept.size)
    above = parents[kept]
    tree, order = Tree.of(np.where(above < 0, -1, place[above]))
    before = kept[order]
    dropped = int(np.count_nonzero(~keep[:old]))
    return Edited(tree, np.where(before < old, before, NEW), dropped)


def _with_children(tree: Tree, depth: int) -> Ints:
    """The processes of a depth that have children."""
    whole("depth", depth, where="tree")
    found = np.zeros(0, np.int64)
    if depth < tree.depth:
        start, end = tree.levels[depth : depth + 2].tolist()
        found = np.flatnonzero(tree.fanouts[start:end]) + start
    if not found.size:
        raise InputError(
            "there are no processes with children at this depth",
            where="tree",
            value=depth,
            remedy=f"Depths 0 to {tree.depth - 1} have some",
        )
    return found


def _is_below(layout: TreeLayout, process: int, top: int) -> bool:
    """Whether a process is in the subtree of another, itself not counted."""
    left = int(layout.left[process])
    first = int(layout.left[top])
    return process > top and first <= left < first + int(layout.below[top])


def _known(tree: Tree, name: str, process: int) -> None:
    if whole(name, process, where="tree") >= tree.size:
        raise InputError(
            f"there is no such {name}",
            where="tree",
            value=process,
            remedy=f"Allowed: 0 to {tree.size - 1}",
        )
