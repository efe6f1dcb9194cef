"""Who processes are: a move leaves the numbers and hosts of all others as they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced
from advisor.trees.identities import Identities
from advisor.trees.layout import layout_of
from advisor.trees.tree_edits import merge_level, move_refusal, move_subtree, split_level
from advisor.trees.tree_hosts import Hosts, place_tree
from tests.advisor.random_trees import trees


def parents(tree: Tree, who: Identities) -> dict[int, int]:
    """The number of the parent of each number."""
    numbers = who.numbers.tolist()
    return {numbers[at]: numbers[int(tree.parent[at])] for at in range(1, tree.size)}


@given(trees(), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_move_changes_the_parent_of_one_process_alone(tree: Tree, one: int, other: int) -> None:
    layout = layout_of(tree)
    process, parent = one % tree.size, other % tree.size
    if move_refusal(layout, process, parent):
        return
    who = Identities.first(layout)
    edited = move_subtree(tree, process, parent)
    after = who.after(edited)
    before, now = parents(tree, who), parents(edited.tree, after)
    assert {number for number in now if now[number] != before[number]} == {process}
    assert len(before) - len(now) == edited.dropped
    leaf = edited.tree.fanouts == 0
    assert sorted(after.back_ends[leaf].tolist()) == list(range(tree.back_ends))
    assert (after.back_ends[~leaf] == -1).all()


def test_new_processes_get_the_next_numbers_and_old_ones_keep_theirs() -> None:
    tree = balanced(16, 4)
    who = Identities.first(layout_of(tree))
    split = split_level(tree, 0, 2)
    after = who.after(split)
    assert sorted(after.numbers.tolist()) == [*range(21), 21, 22]
    merged = merge_level(split.tree, 1)
    again = after.after(merged)
    assert sorted(again.numbers.tolist()) == list(range(21))
    assert parents(merged.tree, again) == parents(tree, who)


def test_host_and_index_of_every_process_stay_after_a_move() -> None:
    tree, hosts = balanced(16, 4), Hosts("n0", tuple((f"n{at}", 3) for at in range(9)))
    who = Identities.first(layout_of(tree))
    edited = move_subtree(tree, 20, 1)
    after = who.after(edited)
    for named in (hosts, None, Hosts("n0", hosts.back_ends, (("c", 9),))):
        old = place_tree(tree, named).names()
        new = place_tree(edited.tree, named, numbers=after.numbers).names()
        assert {int(n): name for n, name in zip(after.numbers, new, strict=True)} == dict(
            enumerate(old)
        )
        assert np.unique(new).size == tree.size
