"""Where processes stand from left to right."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from advisor.models.process_tree import Tree, balanced, flat
from advisor.trees.layout import layout_of
from tests.advisor.random_trees import trees


def walked(tree: Tree, process: int) -> list[int]:
    """All processes below one, depth first, itself first."""
    found = [process]
    for child in range(int(tree.fanouts[process])):
        found += walked(tree, int(tree.first_child[process]) + child)
    return found


@given(trees())
def test_spans_say_what_a_walk_finds(tree: Tree) -> None:
    layout = layout_of(tree)
    order = walked(tree, 0)
    assert layout.back_ends.tolist() == [each for each in order if not tree.fanouts[each]]
    for process in range(tree.size):
        below = walked(tree, process)
        leaves = [each for each in below if not tree.fanouts[each]]
        assert layout.below[process] == len(leaves)
        assert layout.back_ends[layout.left[process]] == leaves[0]
        assert layout.inner[process] == sum(tree.fanouts[each] > 0 for each in below[1:])
        with_it = layout.among[process + 1] - layout.among[process]
        assert with_it == sum(tree.fanouts[each] > 0 for each in below)
        assert layout.lowest[process] == max(map(layout.depth_of, below))
        assert layout.widest[process] == max(tree.fanouts[each] for each in below)


@given(trees())
def test_the_path_to_a_process_goes_down_the_levels(tree: Tree) -> None:
    layout = layout_of(tree)
    for process in range(tree.size):
        path = layout.path_to(process)
        assert path[0] == 0
        assert path[-1] == process
        assert [layout.depth_of(each) for each in path] == list(range(len(path)))


def test_spans_of_a_level_are_sorted_and_disjoint() -> None:
    layout = layout_of(balanced(1000, 7))
    for depth in range(layout.tree.depth + 1):
        level = layout.level(depth)
        ends = layout.left[level] + layout.below[level]
        assert (layout.left[level][1:] >= ends[:-1]).all()


def test_a_flat_tree_is_numbered_from_left_to_right() -> None:
    assert np.array_equal(layout_of(flat(5)).back_ends, [1, 2, 3, 4, 5])
