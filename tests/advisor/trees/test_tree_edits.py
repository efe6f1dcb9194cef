"""Edits of a tree: what they change, what they keep, what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.layout import layout_of
from advisor.trees.tree_edits import (
    NEW,
    Edited,
    merge_level,
    move_refusal,
    move_subtree,
    refan,
    refan_level,
    split_level,
)
from machines.errors import InputError
from tests.advisor.random_trees import trees

FANOUTS = st.integers(2, 5)


def back_ends_before(edited: Edited) -> list[int]:
    """Which process each back-end was, from left to right."""
    return [int(edited.before[each]) for each in layout_of(edited.tree).back_ends]


def check_order_kept(tree: Tree, edited: Edited) -> None:
    assert back_ends_before(edited) == layout_of(tree).back_ends.tolist()


def check_kept_parents(tree: Tree, edited: Edited, but: Collection[int] = ()) -> None:
    """Processes whose parent is still there have it still."""
    for now, was in enumerate(edited.before.tolist()):
        old = int(tree.parent[was])
        if now and was != NEW and was not in but and edited.place_of(old) is not None:
            assert edited.before[edited.tree.parent[now]] == old


@given(trees(), st.data())
def test_a_moved_subtree_hangs_on_its_new_parent_with_all_that_was_below(
    tree: Tree, data: st.DataObject
) -> None:
    layout = layout_of(tree)
    process = data.draw(st.integers(0, tree.size - 1))
    parent = data.draw(st.integers(0, tree.size - 1))
    if move_refusal(layout, process, parent):
        with pytest.raises(InputError, match="can't hang"):
            move_subtree(tree, process, parent)
        return
    edited = move_subtree(tree, process, parent)
    now = edited.place_of(process)
    assert now is not None
    assert edited.before[edited.tree.parent[now]] == parent
    assert sorted(back_ends_before(edited)) == sorted(layout.back_ends.tolist())
    assert edited.tree.internal == tree.internal - edited.dropped
    check_kept_parents(tree, edited, but=[process])
    start, below = int(layout.left[process]), int(layout.below[process])
    moved = layout.back_ends[start : start + below].tolist()
    others = [each for each in layout.back_ends.tolist() if each not in moved]
    assert [each for each in back_ends_before(edited) if each in moved] == moved
    assert [each for each in back_ends_before(edited) if each not in moved] == others


def test_a_subtree_moved_away_and_back_is_where_it_was() -> None:
    tree = balanced(100, 4)
    away = move_subtree(tree, 7, 3)
    process, parent = away.place_of(7), away.place_of(int(tree.parent[7]))
    assert process is not None
    assert parent is not None
    assert move_subtree(away.tree, process, parent).tree.is_like(tree)


def test_the_first_child_moved_to_its_grandparent_goes_before_its_parent() -> None:
    edited = move_subtree(kary(2, 2), 3, 0)
    assert edited.tree.fanouts.tolist() == [3, 0, 1, 2, 0, 0, 0]
    check_order_kept(kary(2, 2), edited)


def test_a_parent_that_loses_its_last_child_goes_too() -> None:
    chain = Tree(np.array([2, 1, 0, 1, 0]))  # 0 → (1 → 3 → 4), 2
    edited = move_subtree(chain, 4, 0)
    assert edited.tree.is_like(flat(2))
    assert edited.note == "2 internal processes dropped, as no child was left there"
    half = move_subtree(chain, 4, 1)
    assert half.tree.fanouts.tolist() == [2, 1, 0, 0]
    assert half.note == "1 internal process dropped, as no child was left there"


@pytest.mark.parametrize(
    ("process", "parent", "reason"),
    [
        (0, 1, "front-end is the top"),
        (3, 1, "hangs there already"),
        (1, 1, "can't hang on itself"),
        (1, 3, "can't hang on itself"),
        (1, 5, "back-end has no children"),
    ],
)
def test_a_move_that_makes_no_tree_is_refused_in_words(
    process: int, parent: int, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        move_subtree(kary(2, 2), process, parent)


@pytest.mark.parametrize("wrong", [-1, 7, 99])
def test_a_process_that_does_not_exist_is_refused(wrong: int) -> None:
    edits: tuple[Callable[[], Edited], ...] = (
        lambda: move_subtree(kary(2, 2), wrong, 0),
        lambda: move_subtree(kary(2, 2), 3, wrong),
        lambda: refan(kary(2, 2), wrong, 2),
    )
    for edit in edits:
        with pytest.raises(InputError):
            edit()


@given(trees(), FANOUTS, st.data())
def test_a_new_fan_out_arranges_what_is_below_as_a_balanced_tree(
    tree: Tree, fanout: int, data: st.DataObject
) -> None:
    layout = layout_of(tree)
    process = data.draw(st.integers(0, tree.size - 1))
    assume(tree.fanouts[process])
    edited = refan(tree, process, fanout)
    check_order_kept(tree, edited)
    start, n = int(layout.left[process]), int(layout.below[process])
    check_kept_parents(tree, edited, but=layout.back_ends[start : start + n].tolist())
    top = edited.place_of(process)
    assert top is not None
    shape, level = [], np.array([top])
    while level.size:
        shape += edited.tree.fanouts[level].tolist()
        level = np.flatnonzero(np.isin(edited.tree.parent, level))
    assert shape == balanced(n, fanout).fanouts.tolist()
    assert edited.dropped == 0


@given(trees(), FANOUTS, st.data())
def test_a_levels_new_fan_out_is_that_of_each_of_its_processes(
    tree: Tree, fanout: int, data: st.DataObject
) -> None:
    depth = data.draw(st.integers(0, tree.depth - 1))
    one_by_one = tree
    for place in range(int(tree.levels[depth]), int(tree.levels[depth + 1])):
        if one_by_one.fanouts[place]:  # the level itself keeps its numbers
            one_by_one = refan(one_by_one, place, fanout).tree
    together = refan_level(tree, depth, fanout)
    assert together.tree.is_like(one_by_one)
    check_order_kept(tree, together)


@given(trees(), FANOUTS, st.data())
def test_a_split_level_bounds_the_new_fan_outs_and_merging_it_restores_the_tree(
    tree: Tree, fanout: int, data: st.DataObject
) -> None:
    depth = data.draw(st.integers(0, tree.depth - 1))
    level = slice(*tree.levels[depth : depth + 2])
    k = tree.fanouts[level]
    if k.max() <= fanout:
        with pytest.raises(InputError, match="no process of this level has more"):
            split_level(tree, depth, fanout)
        return
    edited = split_level(tree, depth, fanout)
    check_order_kept(tree, edited)
    assert edited.tree.fanouts[level].tolist() == (-(-k // fanout)).tolist()
    groups = edited.tree.fanouts[edited.before == NEW]
    assert groups.max() <= fanout
    assert edited.tree.internal == tree.internal + groups.size
    assert merge_level(edited.tree, depth + 1).tree.is_like(tree)


def test_split_groups_are_even_and_the_larger_come_first() -> None:
    assert split_level(flat(7), 0, 3).tree.fanouts.tolist() == [3, 3, 2, 2, *[0] * 7]


@given(trees(), st.data())
def test_a_merged_level_hands_its_children_up(tree: Tree, data: st.DataObject) -> None:
    depth = data.draw(st.integers(1, max(1, tree.depth - 1)))
    if tree.depth < 2:
        with pytest.raises(InputError, match="no processes with children at this depth"):
            merge_level(tree, depth)
        return
    edited = merge_level(tree, depth)
    level = slice(*tree.levels[depth : depth + 2])
    assert tree.internal - edited.tree.internal == np.count_nonzero(tree.fanouts[level])
    check_order_kept(tree, edited)
    check_kept_parents(tree, edited)
    assert edited.note == ""


def test_merging_all_levels_leaves_the_flat_tree() -> None:
    tree = knomial(32, 2, 3)
    while tree.depth > 1:
        tree = merge_level(tree, 1).tree
    assert tree.is_like(flat(96))


@pytest.mark.parametrize(
    "edit",
    [
        lambda tree: refan(tree, 3, 2),
        lambda tree: refan(tree, 0, 1),
        lambda tree: refan_level(tree, 2, 2),
        lambda tree: refan_level(tree, 0, 1),
        lambda tree: split_level(tree, 0, 1),
        lambda tree: split_level(tree, 2, 2),
        lambda tree: merge_level(tree, 0),
        lambda tree: merge_level(tree, 2),
    ],
)
def test_what_makes_no_tree_is_refused(edit: Callable[[Tree], Edited]) -> None:
    with pytest.raises(InputError):
        edit(kary(2, 2))


def test_a_hundred_thousand_back_ends_are_edited() -> None:
    tree = balanced(100_000, 16)
    edits: tuple[Callable[[], Edited], ...] = (
        lambda: move_subtree(tree, 20, 1),
        lambda: refan(tree, 0, 8),
        lambda: refan_level(tree, 1, 7),
        lambda: split_level(tree, 2, 4),
        lambda: merge_level(tree, 2),
    )
    for edit in edits:
        assert edit().tree.back_ends == 100_000
