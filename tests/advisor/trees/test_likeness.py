"""Shapes of trees: the order of siblings does not count, everything else does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, knomial
from advisor.trees.likeness import same_shape
from tests.advisor.random_trees import shuffled, trees


@given(trees(), st.integers(0, 99))
def test_the_order_of_siblings_does_not_count(tree: Tree, seed: int) -> None:
    assert same_shape(tree, shuffled(tree, seed))


def nested(tree: Tree, process: int = 0) -> tuple[object, ...]:
    """The tree as sorted nested tuples."""
    first = int(tree.first_child[process])
    children = range(first, first + int(tree.fanouts[process]))
    return tuple(sorted((nested(tree, child) for child in children), key=repr))


@given(trees(9), trees(9))
def test_shapes_are_equal_when_the_nested_tuples_are(one: Tree, other: Tree) -> None:
    assert same_shape(one, other) == (nested(one) == nested(other))


def test_equal_fanouts_in_each_level_are_not_enough() -> None:
    one = Tree((2, 2, 2, 1, 1, 0, 0, 0, 0))
    other = Tree((2, 2, 2, 1, 0, 1, 0, 0, 0))
    assert not same_shape(one, other)
    assert same_shape(one, Tree((2, 2, 2, 0, 0, 1, 1, 0, 0)))
    assert not same_shape(balanced(16, 4), knomial(21, 4))
